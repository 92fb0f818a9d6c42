/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_UIO_H
#define _STRSOCK_COMPAT_LINUX_UIO_H

#include_next <linux/uio.h>
#include "strsock_features.h"

#ifndef HAVE_ITER_SOURCE_DEST
#define ITER_SOURCE	1	/* WRITE */
#define ITER_DEST	0	/* READ */
#endif

/* Kernels that do not keep the segments of an iterator to themselves. */
#ifndef iter_iov_addr
#define iter_iov_addr(i)	((i)->iov->iov_base + (i)->iov_offset)
#define iter_iov_len(i)		((i)->iov->iov_len - (i)->iov_offset)
#endif

/* Where the next n bytes are, if one piece of a user's memory; else NULL. */
static inline void __user *iov_iter_user_span(const struct iov_iter *i,
					      size_t n)
{
	if (!n || i->count < n)
		return NULL;
	if (iter_is_iovec(i))
		return iter_iov_len(i) < n ? NULL : iter_iov_addr(i);
	return iter_is_ubuf(i) ? i->ubuf + i->iov_offset : NULL;
}

#endif
