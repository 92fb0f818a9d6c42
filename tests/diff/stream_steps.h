/* SPDX-License-Identifier: GPL-2.0-only */
/* stream_steps.h - sending and receiving on connections, see stream_steps.c */
#ifndef _DIFF_STREAM_STEPS_H
#define _DIFF_STREAM_STEPS_H

#include "step.h"

extern const struct call stream_calls[];

#endif /* _DIFF_STREAM_STEPS_H */
