/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes between users and the kernel */
#ifndef _STREAMS_COPY_H
#define _STREAMS_COPY_H

#include <linux/types.h>
#include <linux/uio.h>
#include <sys/stream.h>
#include <sys/strio.h>

/*
 * The functions copy_from_user() and copy_to_user(), returning only whether all
 * was copied. The room is the bytes from the kernel's address to the end of the
 * buffer: it is checked in place of the object that the address is in.
 */
bool str_copy_in(void *to, size_t room, const void __user *from, size_t n);
bool str_copy_out(void __user *to, const void *from, size_t room, size_t n);

/*
 * These functions copy to and from a block, from its read pointer on; the first two return
 * the bytes copied.
 */
size_t str_block_from_iter(mblk_t *bp, size_t n, struct iov_iter *from);
size_t str_block_to_iter(const mblk_t *bp, size_t n, struct iov_iter *to);

/*
 * Returns the bytes from the read pointer to the end of the buffer; 0 if the
 * pointer is not in it.
 */
static inline size_t str_block_room(const mblk_t *bp)
{
	return bp->b_rptr < DB_BASE(bp) || bp->b_rptr > DB_LIM(bp) ?
	       0 : DB_LIM(bp) - bp->b_rptr;
}

static inline bool str_block_from_user(mblk_t *bp, const void __user *from, size_t n)
{
	return str_copy_in(bp->b_rptr, str_block_room(bp), from, n);
}

static inline bool str_block_to_user(void __user *to, const mblk_t *bp, size_t n)
{
	return str_copy_out(to, bp->b_rptr, str_block_room(bp), n);
}

/* These functions copy the arguments and results of the ioctls of messages. */
bool str_strio_from_user(struct strio_msg *msg,
			 const struct strio_msg __user *from);
bool str_strio_to_user(struct strio_msg __user *to, const struct strio_msg *msg);

/*
 * The function copy_from_iter_full() and its opposite: all is copied, or false
 * is returned and the iterator stays where it was.
 */
bool str_copy_from_iter(void *to, size_t room, size_t n, struct iov_iter *from);
bool str_copy_to_iter(const void *from, size_t room, size_t n, struct iov_iter *to);

/*
 * Copies as str_copy_from_iter() does, but returns how many bytes were copied.
 */
size_t str_copy_some_from_iter(void *to, size_t room, size_t n, struct iov_iter *from);

#endif /* _STREAMS_COPY_H */
