/* SPDX-License-Identifier: GPL-2.0-only */
/* message_steps.h - the calls of message_steps.c */
#ifndef _DIFF_MESSAGE_STEPS_H
#define _DIFF_MESSAGE_STEPS_H

#include "step.h"

extern const struct call message_calls[];

#endif /* _DIFF_MESSAGE_STEPS_H */
