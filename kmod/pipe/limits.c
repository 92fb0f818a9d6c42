// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many pages of pipes a user may have, fs.pipe-user-pages-soft and -hard, and
 * how many bytes one may hold, fs.pipe-max-size
 *
 * The kernel counts the pages of STREAMS and native pipes together (pipe.c). It does not
 * export the limits, so these are read from proc: at most ten times a second for new
 * pipes and modules, and for each change of a pipe's size. They are read through a mount
 * of the module's own, because a user can mount anything at /proc, and with the
 * credentials of the task that loaded the module, so that the rights of the task that
 * makes a pipe do not matter.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mount.h>
#include <linux/mutex.h>

#include "limits.h"

static struct limit {
	const char *name;
	unsigned long most;		/* pages, or bytes; the kernel's default at first */
	struct file *file;		/* or NULL */
} soft = {
	.name = "sys/fs/pipe-user-pages-soft",
	.most = 16384,
}, hard = {
	.name = "sys/fs/pipe-user-pages-hard",
}, largest = {
	.name = "sys/fs/pipe-max-size",
	.most = 1048576,
};

static struct vfsmount *proc_mnt;
static DEFINE_MUTEX(limits_mutex);
static unsigned long limits_time;	/* jiffies, when they were read */

static void limit_open(struct limit *limit)
{
	struct path root = { .mnt = proc_mnt, .dentry = proc_mnt->mnt_root };
	struct file *file = file_open_root(&root, limit->name, O_RDONLY, 0);

	if (!IS_ERR(file))
		limit->file = file;
}

static void limit_close(struct limit *limit)
{
	if (limit->file)
		fput(limit->file);
	limit->file = NULL;
}

/* Reads a limit. A limit that cannot be read keeps its value. */
static void limit_read(struct limit *limit)
{
	const struct cred *caller;
	unsigned long most;
	char text[24];
	loff_t pos = 0;
	ssize_t len;

	if (!limit->file)
		return;
	caller = override_creds(limit->file->f_cred);
	len = kernel_read(limit->file, text, sizeof(text) - 1, &pos);
	revert_creds(caller);
	if (len <= 0)
		return;
	text[len] = '\0';
	if (!kstrtoul(text, 10, &most))
		WRITE_ONCE(limit->most, most);
}

/* A new pipe is made with limits that were read within this time. */
#define LIMITS_AGE	(HZ / 10)

/**
 * strpipe_limits_read() - read the limits now
 *
 * Context: may sleep.
 */
void strpipe_limits_read(void)
{
	WRITE_ONCE(limits_time, jiffies);
	limit_read(&soft);
	limit_read(&hard);
	limit_read(&largest);
}

/**
 * strpipe_limits_refresh() - read the limits unless another task has just done so
 *
 * Context: may sleep.
 */
void strpipe_limits_refresh(void)
{
	if (time_before(jiffies, READ_ONCE(limits_time) + LIMITS_AGE) ||
	    !mutex_trylock(&limits_mutex))
		return;
	strpipe_limits_read();
	mutex_unlock(&limits_mutex);
}

static bool exceeds(const struct limit *limit, unsigned long pages)
{
	unsigned long most = READ_ONCE(limit->most);

	/* A value of 0 means that there is no limit. */
	return most && pages > most;
}

/**
 * strpipe_limit() - compare the pages of a user's pipes with the limits
 * @pages: as many as there are with those of a new pipe
 *
 * Return: the limit that forbids the caller such a pipe: STRPIPE_LIMIT_SOFT,
 * which makes it a small one, or STRPIPE_LIMIT_HARD; else 0.
 */
int strpipe_limit(unsigned long pages)
{
	int over = 0;

	if (exceeds(&soft, pages))
		over |= STRPIPE_LIMIT_SOFT;
	if (exceeds(&hard, pages))
		over |= STRPIPE_LIMIT_HARD;
	if (over && (capable(CAP_SYS_RESOURCE) || capable(CAP_SYS_ADMIN)))
		over = 0;
	return over;
}

/**
 * strpipe_size_limit() - find out how large a pipe the caller may have
 * @size: bytes that it would hold
 *
 * Return: @size, or the fewer bytes that the limit leaves the caller.
 */
unsigned long strpipe_size_limit(unsigned long size)
{
	unsigned long most = READ_ONCE(largest.most);

	return size <= most || capable(CAP_SYS_RESOURCE) ? size : most;
}

/*
 * Opens the kernel's limits in /proc. A kernel without /proc has the defaults.
 */
void __init strpipe_limits_init(void)
{
	struct file_system_type *proc = get_fs_type("proc");
	struct vfsmount *mnt = proc ? kern_mount(proc) : NULL;

	if (IS_ERR_OR_NULL(mnt))
		return;
	proc_mnt = mnt;
	limit_open(&soft);
	limit_open(&hard);
	limit_open(&largest);
	limits_time = jiffies - LIMITS_AGE;
}

void strpipe_limits_exit(void)
{
	limit_close(&soft);
	limit_close(&hard);
	limit_close(&largest);
	if (proc_mnt)
		kern_unmount(proc_mnt);
}
