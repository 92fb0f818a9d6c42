/* SPDX-License-Identifier: GPL-2.0-only */
/* erase.h - erasing in the line that is edited */
#ifndef _TERM_ERASE_H
#define _TERM_ERASE_H

#include "instance.h"

void erase_finish(struct ldterm *l);
void erase_character(struct ldterm *l);
void erase_word(struct ldterm *l);
void erase_line(struct ldterm *l);

#endif /* _TERM_ERASE_H */
