/* SPDX-License-Identifier: GPL-2.0-only */
/* descriptor_steps.h - the calls of descriptor_steps.c */
#ifndef _DIFF_DESCRIPTOR_STEPS_H
#define _DIFF_DESCRIPTOR_STEPS_H

#include "step.h"

extern const struct call descriptor_calls[];

#endif /* _DIFF_DESCRIPTOR_STEPS_H */
