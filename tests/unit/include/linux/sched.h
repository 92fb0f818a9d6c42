/* SPDX-License-Identifier: GPL-2.0-only */
/* The fuzzing targets have their own. */
#ifndef cond_resched
#define cond_resched() ((void)0)
#endif
