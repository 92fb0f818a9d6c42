/* SPDX-License-Identifier: GPL-2.0-only */
/* The log and its driver */
#ifndef _STREAMS_STRLOG_H
#define _STREAMS_STRLOG_H

#include <linux/list.h>
#include <sys/stream.h>
#include <sys/strlog.h>

/* The traces that a tracer asked for */
struct log_wants {
	struct rcu_head rcu;
	int n;
	struct trace_ids ids[];
};

/* A stream open on the log. */
struct log_reader {
	struct list_head list;		/* of all, under RCU */
	queue_t *rq;
	unsigned int kinds;		/* SL_TRACE, SL_ERROR, SL_CONSOLE */
	struct log_wants __rcu *wants;	/* SL_TRACE */
	bool trusted;			/* may read the log, and write to it */
	struct rcu_head rcu;
};

/* strlog.c */
void log_reader_add(struct log_reader *r);
/* The caller waits for a grace period before it frees r. */
void log_reader_del(struct log_reader *r);
/* Sends a message to its readers. Returns false if a reader did not get it. */
bool log_send(struct log_ctl *ctl, const char *text, size_t len);

#endif /* _STREAMS_STRLOG_H */
