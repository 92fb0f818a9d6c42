/* SPDX-License-Identifier: GPL-2.0-only */
/* socket_steps.h - the calls of socket_steps.c */
#ifndef _DIFF_SOCKET_STEPS_H
#define _DIFF_SOCKET_STEPS_H

#include "step.h"

extern const struct call socket_calls[];

#endif /* _DIFF_SOCKET_STEPS_H */
