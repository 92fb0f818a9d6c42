/* SPDX-License-Identifier: GPL-2.0-only */
/* child.h - the forked child, which makes some of the steps */
#ifndef _DIFF_CHILD_H
#define _DIFF_CHILD_H

#include "step.h"

bool child_is_there(void);
void child_start(void);
void child_end(void);
void child_play(const struct step *s);
void play_step(const struct step *s);

#endif /* _DIFF_CHILD_H */
