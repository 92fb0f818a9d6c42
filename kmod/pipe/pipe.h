/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A STREAMS pipe
 *
 * A FIFO is one stream head whose write queue feeds its own read queue; with a
 * reading and a writing file it is what pipe(2) gives on Linux. A duplex pipe
 * is two heads, each feeding the other; with one file on each it is what
 * pipe(2) gives on SVR4. Each head has an inode, and files come and go on it
 * by /proc/self/fd.
 */
#ifndef _STRPIPE_PIPE_H
#define _STRPIPE_PIPE_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/sched/user.h>

#include "head.h"
#include "ring.h"

struct strpipe;

struct strpipe_end {
	struct stream sd;
	struct strpipe *pipe;
	unsigned int readers;		/* files, under the pipe's mutex */
	unsigned int writers;
	unsigned long ino;
};

struct strpipe {
	struct kref ref;		/* one for each inode */
	struct mutex mutex;
	struct strperim perim;
	struct user_struct *user;	/* whose pipe buffers it counts among */
	unsigned long pages;		/* as many as were counted */
	struct rcu_head rcu;
	unsigned int ends;		/* 1: a FIFO, 2: duplex */
	struct strring ring;		/* a FIFO's */
	struct strpipe_end end[];
};

/* pipe.c */
struct strpipe *strpipe_alloc(unsigned int ends);
void strpipe_put(struct strpipe *pipe);
void strpipe_opened(struct strpipe_end *end, fmode_t mode);
void strpipe_closed(struct strpipe_end *end, fmode_t mode);

/* pipefs.c */
struct file *strpipe_file(struct strpipe_end *end, unsigned int flags);
int __init pipefs_init(void);
void pipefs_exit(void);

/* file.c */
extern const struct file_operations strpipe_fops;

/* control.c */
int __init control_init(void);
void control_exit(void);

#endif /* _STRPIPE_PIPE_H */
