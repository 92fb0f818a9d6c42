/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_FS_H
#define _STRSOCK_COMPAT_LINUX_FS_H

#include_next <linux/fs.h>
#include <linux/mount.h>
#include <linux/version.h>
#include "strsock_features.h"

#ifndef HAVE_INODE_SET_CTIME_CURRENT
static inline struct timespec64 inode_set_ctime_current(struct inode *inode)
{
	inode->i_ctime = current_time(inode);
	return inode->i_ctime;
}
#endif

#ifndef HAVE_INODE_SET_MTIME_TO_TS
static inline struct timespec64 inode_get_atime(const struct inode *inode)
{
	return inode->i_atime;
}

static inline struct timespec64 inode_get_mtime(const struct inode *inode)
{
	return inode->i_mtime;
}

static inline struct timespec64 inode_set_atime_to_ts(struct inode *inode,
						      struct timespec64 ts)
{
	inode->i_atime = ts;
	return ts;
}

static inline struct timespec64 inode_set_mtime_to_ts(struct inode *inode,
						      struct timespec64 ts)
{
	inode->i_mtime = ts;
	return ts;
}
#endif

#ifndef HAVE_SIMPLE_INODE_INIT_TS
static inline struct timespec64 simple_inode_init_ts(struct inode *inode)
{
	struct timespec64 ts = inode_set_ctime_current(inode);

	inode_set_atime_to_ts(inode, ts);
	inode_set_mtime_to_ts(inode, ts);
	return ts;
}
#endif

#ifndef HAVE_INODE_JUST_DROP
#define inode_just_drop		generic_delete_inode
#endif

#ifndef HAVE_INODE_STATE_SET
static inline void inode_state_set_raw(struct inode *inode, unsigned long flags)
{
	inode->i_state |= flags;
}
#endif

/* 6.18: a write may want no SIGPIPE. */
#ifndef IOCB_NOSIGNAL
#define IOCB_NOSIGNAL	0
#endif

/*
 * A number that a pipe's file may keep for itself; 0 unless the kernel has room
 * for one
 */
static inline u64 *file_version(struct file *file)
{
#ifdef HAVE_FILE_F_PIPE
	return &file->f_pipe;
#else
	return &file->f_version;
#endif
}

/*
 * Sets the modes that pipe(2) gives a file. From 6.4 on RWF_NOWAIT may be used
 * on it, which no header shows.
 */
static inline void file_set_pipe_modes(struct file *file)
{
	if (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0))
		file->f_mode |= FMODE_NOWAIT;
#ifdef HAVE_FILE_SET_FSNOTIFY_MODE
	file_set_fsnotify_mode(file, FMODE_NONOTIFY_PERM);
#endif
}

/* Sets the path of a file that is being opened; the path is constant from 6.19 on. */
static inline void file_set_path(struct file *file, const struct path *path)
{
#ifdef HAVE_FILE_PATH_ALIAS
	file->__f_path = *path;
#else
	file->f_path = *path;
#endif
}

/*
 * Returns the owner of a file as seen by the mount that the file is found at.
 */
static inline bool path_owner_or_capable(const struct path *path)
{
#ifdef HAVE_MNT_IDMAP
	return inode_owner_or_capable(mnt_idmap(path->mnt),
				      d_inode(path->dentry));
#else
	return inode_owner_or_capable(mnt_user_ns(path->mnt),
				      d_inode(path->dentry));
#endif
}

#ifdef HAVE_COPY_SPLICE_READ
#define splice_read_copied	copy_splice_read
#else
#define splice_read_copied	generic_file_splice_read
#endif

#endif
