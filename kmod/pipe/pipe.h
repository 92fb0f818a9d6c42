/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A STREAMS pipe
 *
 * A FIFO is one stream head whose write queue feeds its own read queue; with a
 * reading and a writing file it is what pipe(2) gives on Linux. A duplex pipe
 * is two heads, each feeding the other; with one file on each it is what
 * pipe(2) gives on SVR4. Each head has an inode, on which files are opened by
 * /proc/self/fd, or by a name that it is attached to.
 */
#ifndef _STRPIPE_PIPE_H
#define _STRPIPE_PIPE_H

#include <linux/kref.h>
#include <linux/mutex.h>

#include "streams/head/ring.h"
#include "streams/streams.h"

struct strpipe;

struct strpipe_last;

struct strpipe_end {
	struct stream sd;
	struct strpipe *pipe;
	struct strring ring;		/* what it reads */
	unsigned int readers;		/* files, under the pipe's mutex */
	unsigned int writers;
	bool connld;			/* the module is pushed */
	struct strpipe_last *last;	/* the end of its writers' data, under the mutex */
	unsigned long ino;
};

struct strpipe {
	struct kref ref;		/* inodes, names, files opened by name */
	struct mutex mutex;
	struct strperim perim;
	const struct cred *cred;	/* of the user charged for it */
	struct mutex resize_mutex;	/* held while users' memory is waited for */
	unsigned long pages;		/* as many as were counted; under it */
	long modules;			/* bytes, the room of pushed modules */
	long module_pages;		/* counted for modules; both under mutex */
	struct rcu_head rcu;
	unsigned int ends;		/* 1: a FIFO, 2: duplex */
	bool half;			/* the other end has never been open */
	unsigned int opens[2];		/* by readers, by writers, ever; waited for */
	struct strpipe_end end[];
};

/* The other openers present when a file was opened by the name */
struct strpipe_openers {
	bool both;			/* there are readers and writers, the file included */
	unsigned int opens[2];		/* opened before the file: for reading, for writing */
};

struct strpipe *strpipe_alloc(unsigned int ends);
void strpipe_put(struct strpipe *pipe);
struct strpipe_end *strpipe_end_of(struct stream *sd);
struct strpipe_openers strpipe_opened_by_name(struct strpipe_end *end,
					      fmode_t mode);
void strpipe_opened(struct strpipe_end *end, fmode_t mode);
void strpipe_tell_openers(struct strpipe *pipe);
void strpipe_closed(struct strpipe_end *end, fmode_t mode);
long strpipe_size(struct strpipe_end *end);
long strpipe_resize(struct strpipe_end *end, unsigned long bytes);
int __init strpipe_caches_init(void);
void strpipe_caches_exit(void);

#endif /* _STRPIPE_PIPE_H */
