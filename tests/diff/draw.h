/* SPDX-License-Identifier: GPL-2.0-only */
/* draw.h - a step is drawn by random numbers */
#ifndef _DIFF_DRAW_H
#define _DIFF_DRAW_H

#include "step.h"

void draw(const struct kind *kind, uint64_t seed, uint64_t sequence,
	  unsigned int number, struct step *s);

#endif /* _DIFF_DRAW_H */
