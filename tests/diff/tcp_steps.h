/* SPDX-License-Identifier: GPL-2.0-only */
/* tcp_steps.h - making, connecting and ending TCP sockets, see tcp_steps.c */
#ifndef _DIFF_TCP_STEPS_H
#define _DIFF_TCP_STEPS_H

#include "step.h"

extern const struct kind tcp_kind;

#endif /* _DIFF_TCP_STEPS_H */
