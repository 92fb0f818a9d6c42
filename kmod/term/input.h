/* SPDX-License-Identifier: GPL-2.0-only */
/* input.h - input for the terminal's reader, processed as the settings ask for */
#ifndef _TERM_INPUT_H
#define _TERM_INPUT_H

#include "instance.h"

void input_byte(struct ldterm *l, unsigned char c);
void input_break(struct ldterm *l);
void input_drop(struct ldterm *l);
void output_drop(struct ldterm *l);

#endif /* _TERM_INPUT_H */
