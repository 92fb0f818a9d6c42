/* SPDX-License-Identifier: GPL-2.0-only */
/* splice_steps.h - the calls of splice_steps.c */
#ifndef _DIFF_SPLICE_STEPS_H
#define _DIFF_SPLICE_STEPS_H

#include "step.h"

extern const struct call splice_calls[];

#endif /* _DIFF_SPLICE_STEPS_H */
