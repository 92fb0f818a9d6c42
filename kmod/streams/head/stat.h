/* SPDX-License-Identifier: GPL-2.0-only */
/* Open streams, and counters since load: /proc/streams */
#ifndef _STREAMS_STAT_H
#define _STREAMS_STAT_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/rbtree_types.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct seq_file;

/* The kinds of streams that users distinguish */
enum str_kind {
	STR_KIND_PIPE,
	STR_KIND_DEVICE,	/* a driver opened by its device node */
	STR_KIND_UDP,		/* a STREAMS socket over UDP */
	STR_KIND_TCP,		/* a STREAMS socket of SOCK_STREAM */
	STR_KIND_MAX
};

enum str_counter {
	STR_OPENED,
	STR_CLOSED,
	STR_MSGS_SENT,		/* messages, writes or datagrams from the user */
	STR_MSGS_RCVD,		/* ... to the user */
	STR_BYTES_SENT,
	STR_BYTES_RCVD,
	STR_DROPPED,		/* messages lost for want of room */
	STR_DIRECT,		/* datagrams that met their receiver without IP */
	STR_COUNTER_MAX
};

struct str_counters {
	unsigned long n[STR_KIND_MAX][STR_COUNTER_MAX];
};

DECLARE_PER_CPU(struct str_counters, str_counters);

static inline void str_count(enum str_kind kind, enum str_counter what,
			     unsigned long n)
{
	this_cpu_add(str_counters.n[kind][what], n);
}

/* These two count a message of n bytes from the user, and one to the user. */
static inline void str_count_sent(enum str_kind kind, unsigned long n)
{
	str_count(kind, STR_MSGS_SENT, 1);
	str_count(kind, STR_BYTES_SENT, n);
}

static inline void str_count_rcvd(enum str_kind kind, unsigned long n)
{
	str_count(kind, STR_MSGS_RCVD, 1);
	str_count(kind, STR_BYTES_RCVD, n);
}

/* Messages, and their bytes of data */
struct str_moved {
	unsigned long msgs;
	unsigned long bytes;
};

/* A line of /proc/streams/open. */
struct str_entry {
	struct rb_node node;
	u64 number;		/* later streams have higher ones; shown as the id */
	enum str_kind kind;
	kuid_t uid;		/* of the opener */
	struct pid *pid;	/* of the opener's process */
	char comm[TASK_COMM_LEN];
	/*
	 * Messages of the stream, since it was opened. Nothing orders two tasks that send, or
	 * that receive, at once: one of their messages may be lost here.
	 */
	struct str_moved sent;
	struct str_moved rcvd;
	unsigned long stops;	/* times that a writer found no room */
	unsigned long drops;	/* messages lost on their way up */
	/*
	 * Writes "key value" pairs of its own to the line: name, modules, queue
	 * fill. A spin lock is held during the call.
	 */
	void (*show)(struct seq_file *m, struct str_entry *e);
};

/* These two count a message for its stream as well. */
static inline void str_entry_sent(struct str_entry *e, unsigned long n)
{
	e->sent.msgs++;
	e->sent.bytes += n;
	str_count_sent(e->kind, n);
}

static inline void str_entry_rcvd(struct str_entry *e, unsigned long n)
{
	e->rcvd.msgs++;
	e->rcvd.bytes += n;
	str_count_rcvd(e->kind, n);
}

/* Gives a socket's stream the number and the opener of the socket's entry, which outlives it. */
static inline void str_entry_copy(struct str_entry *e, const struct str_entry *from)
{
	e->number = from->number;
	e->pid = from->pid;
	memcpy(e->comm, from->comm, sizeof(e->comm));
}

void str_entry_add(struct str_entry *e, enum str_kind kind,
		   void (*show)(struct seq_file *m, struct str_entry *e));
void str_entry_moved(struct seq_file *m, const struct str_entry *e);
void str_entry_held(struct seq_file *m, const struct str_entry *e);
void str_entry_del(struct str_entry *e);
void str_entry_fdinfo(struct seq_file *m, const struct str_entry *e);

int __init stat_init(void);
void stat_exit(void);

#endif /* _STREAMS_STAT_H */
