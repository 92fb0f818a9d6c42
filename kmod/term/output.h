/* SPDX-License-Identifier: GPL-2.0-only */
/* output.h - output, processed as the settings ask for */
#ifndef _TERM_OUTPUT_H
#define _TERM_OUTPUT_H

#include "instance.h"

mblk_t *output_data(struct ldterm *l, const unsigned char *from, size_t n);
bool output_may_pass(const struct ldterm *l, unsigned char band);
void output_stop(struct ldterm *l, bool tc);
void output_start(struct ldterm *l, bool tc);
bool output_special(struct ldterm *l, unsigned int index);

#endif /* _TERM_OUTPUT_H */
