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

struct strpipe_end {
	struct stream sd;
	struct strpipe *pipe;
	unsigned int readers;		/* files, under the pipe's mutex */
	unsigned int writers;
	bool connld;			/* the module is pushed */
	unsigned long ino;
};

struct strpipe {
	struct kref ref;		/* inodes, names, files opened by name */
	struct mutex mutex;
	struct strperim perim;
	const struct cred *cred;	/* of the user charged for it */
	struct mutex resize_mutex;	/* held while users' memory is waited for */
	unsigned long pages;		/* as many as were counted; under it */
	struct rcu_head rcu;
	unsigned int ends;		/* 1: a FIFO, 2: duplex */
	unsigned int opens[2];		/* by readers, by writers, ever; waited for */
	struct strring ring;		/* a FIFO's */
	struct strpipe_end end[];
};

/* The other openers when a file was opened by the name. */
struct strpipe_openers {
	bool both;			/* with it: readers and writers */
	unsigned int opens[2];		/* before it: for reading, for writing */
};

/* pipe.c */
struct strpipe *strpipe_alloc(unsigned int ends);
void strpipe_put(struct strpipe *pipe);
struct strpipe_end *strpipe_end_of(struct stream *sd);
struct strpipe_openers strpipe_opened_by_name(struct strpipe_end *end,
					      fmode_t mode);
void strpipe_opened(struct strpipe_end *end, fmode_t mode);
void strpipe_tell_openers(struct strpipe *pipe);
void strpipe_closed(struct strpipe_end *end, fmode_t mode);
long strpipe_size(struct strpipe_end *end);
long strpipe_resize(struct strpipe_end *end, unsigned int bytes);
int __init strpipe_caches_init(void);
void strpipe_caches_exit(void);

/* limits.c */
#define STRPIPE_LIMIT_SOFT	0x1
#define STRPIPE_LIMIT_HARD	0x2
int strpipe_limit(unsigned long pages);
unsigned long strpipe_size_limit(void);
void __init strpipe_limits_init(void);
void strpipe_limits_exit(void);

/* pipefs.c */
extern struct vfsmount *strpipe_mnt;
struct file *strpipe_file(struct strpipe_end *end, unsigned int flags);
int __init strpipe_fs_init(void);
void strpipe_fs_exit(void);

/* file.c: opened by /proc/self/fd, by a name, a device by a name */
extern const struct file_operations strpipe_fops;
extern const struct file_operations strpipe_named_fops;
extern const struct file_operations strpipe_device_fops;
int strpipe_files_init(void);
void strpipe_files_exit(void);

/* splice.c, tee.c */
struct strpipe_end *strpipe_of_file(const struct file *file);
struct pipe_inode_info *strpipe_native(const struct file *file);
long strpipe_with_files(const struct strio_splice *arg,
			long (*act)(const struct strio_splice *arg,
				    struct file *in, struct file *out));
long strpipe_splice(const struct strio_splice __user *arg);
long strpipe_tee(const struct strio_splice __user *arg);
long strpipe_vmsplice(struct file *file, const struct strio_vmsplice __user *arg);

/* open.c */
int strpipe_fifo_open(struct strpipe_end *end, struct file *file);
int strpipe_duplex_open(struct strpipe_end *end, struct file *file);

/* namefs.c */
int strpipe_name_arm(const struct strio_named __user *arg);
int strpipe_name_bare(int fd);
void strpipe_name_closed(const struct inode *inode);
int __init strpipe_namefs_init(void);
void strpipe_namefs_exit(void);

/* connld.c */
int __init strpipe_connld_init(void);
void strpipe_connld_exit(void);

/* control.c */
int __init strpipe_control_init(void);
void strpipe_control_exit(void);

#endif /* _STRPIPE_PIPE_H */
