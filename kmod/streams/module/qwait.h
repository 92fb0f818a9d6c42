/* SPDX-License-Identifier: GPL-2.0-only */
/* qwait() in the open and close procedures of a pair */
#ifndef _STREAMS_QWAIT_H
#define _STREAMS_QWAIT_H

#include "streams/perim/pair.h"

/*
 * A task in an open or close procedure of the pair; its qwait() sees procedures
 * that run meanwhile.
 */
struct pair_waiter {
	struct list_head list;
	struct task_struct *task;
	unsigned int seen;		/* ran, when its qwait() last returned */
	bool limited;			/* its qwait_sig() ends at end */
	unsigned long end;		/* in jiffies */
};

void pair_wait_begin(struct queue_pair *qp, struct pair_waiter *waiter,
		     unsigned long patience);
void pair_wait_end(struct queue_pair *qp, struct pair_waiter *waiter);

#endif /* _STREAMS_QWAIT_H */
