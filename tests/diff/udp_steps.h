/* SPDX-License-Identifier: GPL-2.0-only */
/* udp_steps.h - the sequences of UDP */
#ifndef _DIFF_UDP_STEPS_H
#define _DIFF_UDP_STEPS_H

#include "step.h"

extern const struct kind udp_kind, udp6_kind;

#endif /* _DIFF_UDP_STEPS_H */
