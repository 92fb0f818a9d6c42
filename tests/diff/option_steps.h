/* SPDX-License-Identifier: GPL-2.0-only */
/* option_steps.h - the calls of option_steps.c */
#ifndef _DIFF_OPTION_STEPS_H
#define _DIFF_OPTION_STEPS_H

#include "step.h"

extern const struct call option_calls[];

#endif /* _DIFF_OPTION_STEPS_H */
