/* SPDX-License-Identifier: GPL-2.0-only */
/* pipe_steps.h - the sequences of pipes */
#ifndef _DIFF_PIPE_STEPS_H
#define _DIFF_PIPE_STEPS_H

#include "step.h"

extern const struct kind pipe_kind;

#endif /* _DIFF_PIPE_STEPS_H */
