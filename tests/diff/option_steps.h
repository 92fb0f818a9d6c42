/* SPDX-License-Identifier: GPL-2.0-only */
/* option_steps.h - the calls of option_steps.c */
#ifndef _DIFF_OPTION_STEPS_H
#define _DIFF_OPTION_STEPS_H

#include "step.h"

struct option;

struct option_list {
	const struct option *option;
	unsigned int count;	/* 0: it is the last list */
};

extern const struct option_list udp_option_lists[], udp6_option_lists[];
extern const struct call option_calls[];

#endif /* _DIFF_OPTION_STEPS_H */
