/* SPDX-License-Identifier: GPL-2.0-only */
/* The bottom half that runs perimeters */
#ifndef _STREAMS_SCHED_H
#define _STREAMS_SCHED_H

#include <linux/init.h>

struct strperim;

/*
 * Starts the scheduler. @run: continues a perimeter's work in the bottom half.
 */
int __init sched_init(void (*run)(struct strperim *p));
void sched_exit(void);

/* Hands an owned perimeter to this CPU's bottom half. */
void sched_handoff(struct strperim *p);

#endif /* _STREAMS_SCHED_H */
