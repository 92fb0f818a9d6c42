/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a perimeter: its owner, and its inbox; see perim.h */
#ifndef _STREAMS_INBOX_H
#define _STREAMS_INBOX_H

#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <sys/stream.h>

struct strperim {
	void *owner;			/* perim_self() of the owner; NULL: free */
	struct llist_head inbox;	/* newest first */
	atomic_t left;			/* messages put into the inbox so far */
	/* The owner's: */
	int taken;			/* of those, the messages handled */
	bool foreign;			/* not that of a whole stream */
	bool mixed;			/* of a stream, where others are as well */
	struct llist_node *todo;	/* taken from the inbox, oldest first */
	struct llist_node *serve;	/* enabled queues, oldest first */
	struct llist_node **serve_tail;
	struct llist_node sched;	/* on a CPU's list, handed to its bottom half */
	struct mutex plumb;		/* of a stream: its queues are joined, parted */
};

/* A function that runs inside the perimeter, in place of a message */
struct perim_call {
	struct strperim_item item;
	void (*func)(struct perim_call *call);
};

#endif /* _STREAMS_INBOX_H */
