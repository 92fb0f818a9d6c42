/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_PIPE_FS_I_H
#define _STRSOCK_COMPAT_LINUX_PIPE_FS_I_H

/* The kernel's header uses these and does not include them. */
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include_next <linux/pipe_fs_i.h>
#include "strsock_features.h"

/*
 * True if a read() of a full pipe wakes tasks that poll for room even if the
 * read makes none. No header of the kernel shows this; the release that ended
 * it also introduced union pipe_index.
 */
#ifdef HAVE_PIPE_INDEX
#define PIPE_WAKES_STILL_FULL	false
#else
#define PIPE_WAKES_STILL_FULL	true
#endif

/* Returns the size that F_SETPIPE_SZ sets: some kernels use only 32 bits of the argument. */
static inline unsigned long pipe_size_arg(unsigned long arg)
{
#ifdef HAVE_PIPE_FCNTL_INT
	return (unsigned int)arg;
#else
	return arg;
#endif
}

#endif
