/* SPDX-License-Identifier: GPL-2.0-only */
/* column.h - the cursor's column, which tabs and erasing depend on */
#ifndef _TERM_COLUMN_H
#define _TERM_COLUMN_H

#include "instance.h"

#define TAB_STOP	8

unsigned int column_output(struct ldterm *l, unsigned char c, unsigned char *to);

#endif /* _TERM_COLUMN_H */
