// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes between users and the kernel
 *
 * A kernel with CONFIG_HARDENED_USERCOPY looks for the object that a buffer is part of,
 * and checks that the bytes are within it. The check takes 170 to 350 instructions for
 * each copy, which is much for a short one. Callers of these functions pass the room in the
 * buffer, which is checked instead: a message block and a packet's buffer have limits of
 * their own, and no object has narrower ones. The option does not check the pages of
 * Linux's pipe either.
 */
#include <linux/export.h>
#include <linux/uaccess.h>

#include "copy.h"

/* The argument of STRIO_GETMSG and STRIO_PUTMSG is copied in words. */
#define STRIO_WORDS	(sizeof(struct strio_msg) / sizeof(u64))
static_assert(STRIO_WORDS * sizeof(u64) == sizeof(struct strio_msg));

/**
 * str_copy_in() - copy bytes from a user
 * @to: the destination
 * @room: the bytes from there to the end of the buffer
 * @from: the source
 * @n: their number
 *
 * Context: may sleep.
 * Return: whether all could be read. More than there is room for is a bug, and is not
 * read.
 */
bool str_copy_in(void *to, size_t room, const void __user *from, size_t n)
{
	return !WARN_ON_ONCE(n > room) && !_copy_from_user(to, from, n);
}

/**
 * str_copy_out() - copy bytes to a user
 * @to: the destination
 * @from: the source
 * @room: the bytes from there to the end of the buffer
 * @n: their number
 *
 * Context: may sleep.
 * Return: whether all could be written. More than the buffer has is a bug, and is not
 * written.
 */
bool str_copy_out(void __user *to, const void *from, size_t room, size_t n)
{
	return !WARN_ON_ONCE(n > room) && !_copy_to_user(to, from, n);
}

/**
 * str_block_from_iter() - copy bytes to a block, from its read pointer on
 * @bp: the block
 * @n: their number
 * @from: the source; moved behind the bytes that were copied
 *
 * Context: may sleep if @from is a user's memory.
 * Return: the number of bytes copied: fewer than @n where memory cannot be read, none
 * when the block has no room for them, which is a bug.
 */
size_t str_block_from_iter(mblk_t *bp, size_t n, struct iov_iter *from)
{
	if (WARN_ON_ONCE(n > str_block_room(bp)))
		return 0;
	return _copy_from_iter(bp->b_rptr, n, from);
}

/**
 * str_block_to_iter() - copy bytes of a block, from its read pointer on
 * @bp: the block
 * @n: their number
 * @to: the destination; moved behind the bytes that were copied
 *
 * Context: may sleep if @to is a user's memory.
 * Return: the number of bytes copied: fewer than @n where memory cannot be written,
 * none when the block has not as many, which is a bug.
 */
size_t str_block_to_iter(const mblk_t *bp, size_t n, struct iov_iter *to)
{
	if (WARN_ON_ONCE(n > str_block_room(bp)))
		return 0;
	return _copy_to_iter(bp->b_rptr, n, to);
}
EXPORT_SYMBOL_GPL(str_block_to_iter);

/**
 * str_strio_from_user() - copy the argument of STRIO_GETMSG and STRIO_PUTMSG
 * @msg: the destination
 * @from: the source
 *
 * Context: may sleep.
 * Return: whether it could be read.
 */
bool str_strio_from_user(struct strio_msg *msg,
			 const struct strio_msg __user *from)
{
	const u64 __user *words = (const u64 __user *)from;
	u64 *to = (u64 *)msg;
	unsigned int i;

	might_fault();
	/* The number of words is constant: no size is compared, no object is looked for. */
	if (!user_access_begin(from, sizeof(*from)))
		return false;
	for (i = 0; i < STRIO_WORDS; i++)
		unsafe_get_user(to[i], &words[i], fault);
	user_access_end();
	return true;

fault:
	user_access_end();
	return false;
}

/**
 * str_strio_to_user() - copy the result of STRIO_GETMSG
 * @to: the destination
 * @msg: the source
 *
 * Context: may sleep.
 * Return: whether it could be written.
 */
bool str_strio_to_user(struct strio_msg __user *to, const struct strio_msg *msg)
{
	const u64 *words = (const u64 *)msg;
	u64 __user *at = (u64 __user *)to;
	unsigned int i;

	might_fault();
	if (!user_access_begin(to, sizeof(*to)))
		return false;
	for (i = 0; i < STRIO_WORDS; i++)
		unsafe_put_user(words[i], &at[i], fault);
	user_access_end();
	return true;

fault:
	user_access_end();
	return false;
}

/**
 * str_copy_from_iter() - copy bytes from a user's buffers
 * @to: the destination
 * @room: the bytes from there to the end of the buffer
 * @n: their number, no more than @from has
 * @from: the source; moved behind them
 *
 * Context: may sleep if @from is a user's memory.
 * Return: whether all could be read; if not, @from is as it was.
 */
bool str_copy_from_iter(void *to, size_t room, size_t n, struct iov_iter *from)
{
	size_t copied;

	if (WARN_ON_ONCE(n > room))
		return false;
	copied = _copy_from_iter(to, n, from);
	if (likely(copied == n))
		return true;
	iov_iter_revert(from, copied);
	return false;
}
EXPORT_SYMBOL_GPL(str_copy_from_iter);

/**
 * str_copy_to_iter() - copy bytes to a user's buffers
 * @from: the source
 * @room: the bytes from there to the end of the buffer
 * @n: their number, no more than @to has room for
 * @to: the destination; moved behind them
 *
 * Context: may sleep if @to is a user's memory.
 * Return: whether all could be written; if not, @to is as it was.
 */
bool str_copy_to_iter(const void *from, size_t room, size_t n, struct iov_iter *to)
{
	size_t copied;

	if (WARN_ON_ONCE(n > room))
		return false;
	copied = _copy_to_iter(from, n, to);
	if (likely(copied == n))
		return true;
	iov_iter_revert(to, copied);
	return false;
}
EXPORT_SYMBOL_GPL(str_copy_to_iter);

/**
 * str_copy_some_from_iter() - copy bytes from a user's buffers, as far as they can be read
 * @to: the destination
 * @room: the bytes from there to the end of the buffer
 * @n: their number, no more than @from has
 * @from: the source; moved behind those that were copied
 *
 * Context: may sleep if @from is a user's memory.
 * Return: the number of bytes copied: fewer than @n where memory cannot be read.
 */
size_t str_copy_some_from_iter(void *to, size_t room, size_t n, struct iov_iter *from)
{
	return WARN_ON_ONCE(n > room) ? 0 : _copy_from_iter(to, n, from);
}
