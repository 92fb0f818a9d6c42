/* SPDX-License-Identifier: GPL-2.0-only */
/* echo.h - the echo of input */
#ifndef _TERM_ECHO_H
#define _TERM_ECHO_H

#include "instance.h"

void echo_raw(struct ldterm *l, unsigned char c);
void echo_char(struct ldterm *l, unsigned char c);
void echo_back(struct ldterm *l, unsigned int columns);
void echo_pass(struct ldterm *l);
void echo_drop(struct ldterm *l);

#endif /* _TERM_ECHO_H */
