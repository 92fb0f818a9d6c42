// SPDX-License-Identifier: GPL-2.0-only
/*
 * The name of a stream
 *
 * It keeps the stream open. When the stream is gone the name cannot be opened, and
 * is unmounted as soon as it is not in use.
 */
#include <linux/file.h>
#include <linux/mount.h>
#include <linux/slab.h>

#include "streams/passfp/passfp.h"
#include "name.h"
#include "pipe.h"

/*
 * The interval at which unmounting a name that is still in use is tried: at
 * first, and at most. Every mount in the system waits for each try.
 */
#define NAME_RETRY	HZ
#define NAME_RETRY_MOST	(64 * HZ)

static bool stream_gone(const struct strpipe_name *name)
{
	unsigned int closed = STR_NOREADER | STR_NOWRITER;
	unsigned int flag = READ_ONCE(name->sd->sd_flag);

	if (flag & (STR_HUP | STR_CLOSING))
		return true;
	return name->end && (flag & closed) == closed;
}

/*
 * Returns whether a name cannot be opened any more, also before name_work() has
 * run.
 */
bool strpipe_name_dead(const struct strpipe_name *name)
{
	return READ_ONCE(name->gone) ||
	       (!strpipe_name_is_fifo(name) && stream_gone(name));
}

/* Called when the state of the stream changes, or there is something to read. */
static int name_wake(wait_queue_entry_t *wait, unsigned int mode, int flags,
		     void *key)
{
	struct strpipe_name *name = container_of(wait, struct strpipe_name, wait);

	if (stream_gone(name))
		mod_delayed_work(system_percpu_wq, &name->work, 0);
	return 0;
}

/*
 * Returns whether the name keeps a pipe's end open, on whose queue passed files may wait.
 * The queue of a FIFO is emptied when its last file is closed, even if it has names.
 */
static bool keeps_end(const struct strpipe_name *name)
{
	return name->end && !strpipe_name_is_fifo(name);
}

void strpipe_name_detach(struct strpipe_name *name)
{
	struct file *file = NULL;
	bool was;

	mutex_lock(&name->mutex);
	was = name->gone;
	name->gone = true;
	if (!was && keeps_end(name))
		swap(file, name->file);
	mutex_unlock(&name->mutex);
	if (was)
		return;
	if (!strpipe_name_is_fifo(name))
		remove_wait_queue(&name->sd->sd_rwait, &name->wait);
	if (!file)
		return;
	str_name_end(name->sd);
	fput(file);
}

static void name_work(struct work_struct *work)
{
	struct strpipe_name *name = container_of(to_delayed_work(work),
						 struct strpipe_name, work);

	strpipe_name_detach(name);
	mutex_lock(&name->mutex);
	/* The first call only marks the mounts as candidates. */
	mark_mounts_for_expiry(&name->mounts);
	mark_mounts_for_expiry(&name->mounts);
	mutex_unlock(&name->mutex);
	if (!list_empty(&name->mounts) && !READ_ONCE(name->unmounting)) {
		unsigned long pause = READ_ONCE(name->pause);

		WRITE_ONCE(name->pause, min_t(unsigned long, 2 * pause,
					      NAME_RETRY_MOST));
		schedule_delayed_work(&name->work, pause);
	}
}

/**
 * strpipe_name_closed() - note that a file opened by a name is being closed
 * @inode: the name's
 *
 * It may have been the last use of a name whose stream is gone.
 */
void strpipe_name_closed(const struct inode *inode)
{
	struct strpipe_name *name = strpipe_name_of(inode->i_sb);

	if (!READ_ONCE(name->gone))
		return;
	WRITE_ONCE(name->pause, NAME_RETRY);
	/* The mount is released only after this. */
	mod_delayed_work(system_percpu_wq, &name->work, NAME_RETRY);
}

/**
 * strpipe_name_alloc() - make a name for a stream
 * @file: a file of the stream
 * @mode: FMODE_READ and FMODE_WRITE, as it may be opened
 *
 * Context: process, may sleep.
 * Return: the name, which keeps the stream open unless it is a FIFO's; or an ERR_PTR:
 * -ENOMEM, -EAGAIN beyond the user's limit, -EBUSY while passed files wait on its queue.
 */
struct strpipe_name *strpipe_name_alloc(struct file *file, fmode_t mode)
{
	struct strpipe_name *name = kzalloc(sizeof(*name), GFP_KERNEL_ACCOUNT);
	int err;

	if (!name)
		return ERR_PTR(-ENOMEM);
	name->passer = str_passer_get(PASS_NAME);
	if (IS_ERR(name->passer)) {
		err = PTR_ERR(name->passer);
		goto free_name;
	}
	name->sd = str_of_file(file);
	name->end = strpipe_end_of(name->sd);
	if (keeps_end(name)) {
		err = str_name_begin(name->sd);
		if (err)
			goto put_passer;
	}
	name->mode = mode;
	name->pause = NAME_RETRY;
	mutex_init(&name->mutex);
	INIT_LIST_HEAD(&name->mounts);
	INIT_DELAYED_WORK(&name->work, name_work);
	init_waitqueue_func_entry(&name->wait, name_wake);
	if (name->end)
		kref_get(&name->end->pipe->ref);
	if (!strpipe_name_is_fifo(name)) {
		name->file = get_file(file);
		add_wait_queue(&name->sd->sd_rwait, &name->wait);
		if (stream_gone(name))
			mod_delayed_work(system_percpu_wq, &name->work, 0);
	}
	return name;

put_passer:
	str_passer_put(name->passer, PASS_NAME);
free_name:
	kfree(name);
	return ERR_PTR(err);
}

/* Waits for the work item. */
void strpipe_name_free(struct strpipe_name *name)
{
	WRITE_ONCE(name->unmounting, true);
	strpipe_name_detach(name);
	cancel_delayed_work_sync(&name->work);
	if (name->file)
		fput(name->file);
	if (name->end)
		strpipe_put(name->end->pipe);
	str_passer_put(name->passer, PASS_NAME);
	mutex_destroy(&name->mutex);
	kfree(name);
}
