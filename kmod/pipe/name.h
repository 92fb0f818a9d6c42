/* SPDX-License-Identifier: GPL-2.0-only */
/* The name of a stream: see namefs.c for its file system */
#ifndef _STRPIPE_NAME_H
#define _STRPIPE_NAME_H

#include <linux/fs.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "pipe.h"

struct strpipe_name {
	struct stream *sd;
	/*
	 * The end of a pipe, to which this has a reference; NULL: a device. The
	 * file of a device is kept until the name is removed, as files opened
	 * by name have no other reference.
	 */
	struct strpipe_end *end;
	struct mutex mutex;		/* gone, file, mounts */
	bool gone;			/* no more opens */
	fmode_t mode;			/* FMODE_READ, FMODE_WRITE: allowed opens */
	struct file *file;		/* keeps the stream open; not a FIFO's */
	struct passer *passer;		/* the user it is charged to */
	wait_queue_entry_t wait;	/* for the stream to go away */
	/*
	 * The mounts to be unmounted when the file is closed. The kernel
	 * changes the list under its own lock; it is walked under the mutex, so
	 * that arm() knows its entries.
	 */
	struct list_head mounts;
	bool unmounting;
	unsigned long pause;		/* jiffies before the next try */
	struct delayed_work work;
};

static inline struct strpipe_name *strpipe_name_of(const struct super_block *sb)
{
	return sb->s_fs_info;
}

static inline bool strpipe_name_is_fifo(const struct strpipe_name *name)
{
	return name->end && name->end->pipe->ends == 1;
}

/* Returns whether the name cannot be opened any more. */
bool strpipe_name_dead(const struct strpipe_name *name);
/*
 * From this call on the name cannot be opened, and does not keep the stream
 * open.
 */
void strpipe_name_detach(struct strpipe_name *name);
void strpipe_name_closed(const struct inode *inode);
struct strpipe_name *strpipe_name_alloc(struct file *file, fmode_t mode);
void strpipe_name_free(struct strpipe_name *name);

#endif /* _STRPIPE_NAME_H */
