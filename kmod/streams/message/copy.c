// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes between users and the kernel, the way that is faster on this machine
 *
 * The kernel copies from and to users by the processor's string instruction
 * whenever the processor says it is fast. On many it takes dozens of cycles to
 * begin with, so that a loop of words is ahead up to some size; in a virtual
 * machine without help of the hardware it never is fast. The size is found by
 * measuring when the module is loaded, as the kernel does for its checksums of
 * RAID, unless the parameter "copy" says which way to take.
 *
 * A kernel with CONFIG_HARDENED_USERCOPY looks for the object that a buffer is part of,
 * and checks that the bytes are within it. That takes 170 to 350 instructions for each
 * copy, which is much for a short one. Here callers give the room in the buffer, which is
 * checked instead, whichever way the bytes are copied: a message block and a packet's
 * buffer have limits of their own, and no object has narrower ones. Linux's pipe has
 * pages, which that option does not look at either.
 */
#include <linux/export.h>
#include <linux/init.h>
#include <linux/instrumented.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/thread_info.h>
#include <linux/uaccess.h>

#include "copy.h"

/* Elsewhere the kernel's own copying is by words. */
#if defined(CONFIG_X86_64) && defined(CONFIG_CC_HAS_ASM_GOTO_OUTPUT)
#define COPY_WORDS
#endif

static char *copy = "auto";
module_param(copy, charp, 0444);
MODULE_PARM_DESC(copy, "users' bytes are copied by the kernel's own routine (kernel), by words where there is a loop for that (words), or whichever is faster here (auto, the default)");

/* The most bytes that are copied by words; larger sizes are not measured. */
static size_t words_max __read_mostly;
#define WORDS_MEASURED	(4 * PAGE_SIZE)

#ifdef COPY_WORDS

/* N words, from a multiple of their size on, by one statement each. */
#define WORDS_COPY_1(to, from, at, one)					\
	one(u64, (to) + (at), (from) + (at))
#define WORDS_COPY_2(to, from, at, one)					\
do {									\
	WORDS_COPY_1(to, from, at, one);				\
	WORDS_COPY_1(to, from, (at) + 8, one);				\
} while (0)
#define WORDS_COPY_4(to, from, at, one)					\
do {									\
	WORDS_COPY_2(to, from, at, one);				\
	WORDS_COPY_2(to, from, (at) + 16, one);				\
} while (0)

#define WORDS_REST(to, from, n, size, copy)				\
do {									\
	if ((n) & (size)) {						\
		copy;							\
		(to) += (size);						\
		(from) += (size);					\
	}								\
} while (0)

/* Eight words at a time, then half as many, and so on. */
#define WORDS_COPY(to, from, n, one)					\
do {									\
	for (; (n) >= 64; (n) -= 64, (to) += 64, (from) += 64) {	\
		WORDS_COPY_4(to, from, 0, one);				\
		WORDS_COPY_4(to, from, 32, one);			\
	}								\
	WORDS_REST(to, from, n, 32, WORDS_COPY_4(to, from, 0, one));	\
	WORDS_REST(to, from, n, 16, WORDS_COPY_2(to, from, 0, one));	\
	WORDS_REST(to, from, n, 8, WORDS_COPY_1(to, from, 0, one));	\
	WORDS_REST(to, from, n, 4, one(u32, to, from));			\
	WORDS_REST(to, from, n, 2, one(u16, to, from));			\
	WORDS_REST(to, from, n, 1, one(u8, to, from));			\
} while (0)

#define GET_ONE(type, to, from)						\
	unsafe_get_user(*(type *)(to), (const type __user *)(from), fault)
#define PUT_ONE(type, to, from)						\
	unsafe_put_user(*(const type *)(from), (type __user *)(to), fault)
#define MOVE_ONE(type, to, from)					\
	WRITE_ONCE(*(type *)(to), READ_ONCE(*(const type *)(from)))

static bool words_from_user(void *to, const void __user *from, size_t n)
{
	if (!user_access_begin(from, n))
		return false;
	WORDS_COPY(to, from, n, GET_ONE);
	user_access_end();
	return true;

fault:
	user_access_end();
	return false;
}

static bool words_to_user(void __user *to, const void *from, size_t n)
{
	if (!user_access_begin(to, n))
		return false;
	WORDS_COPY(to, from, n, PUT_ONE);
	user_access_end();
	return true;

fault:
	user_access_end();
	return false;
}

/*
 * Copies a known number of words: no loop, no size to compare and no object to look for,
 * whichever way other bytes are copied.
 */
static_assert(sizeof(struct strio_msg) == 5 * sizeof(u64));

static bool strio_from_user(void *to, const void __user *from)
{
	if (!user_access_begin(from, sizeof(struct strio_msg)))
		return false;
	WORDS_COPY_4(to, from, 0, GET_ONE);
	WORDS_COPY_1(to, from, 32, GET_ONE);
	user_access_end();
	return true;

fault:
	user_access_end();
	return false;
}

static bool strio_to_user(void __user *to, const void *from)
{
	if (!user_access_begin(to, sizeof(struct strio_msg)))
		return false;
	WORDS_COPY_4(to, from, 0, PUT_ONE);
	WORDS_COPY_1(to, from, 32, PUT_ONE);
	user_access_end();
	return true;

fault:
	user_access_end();
	return false;
}

static void words_move(void *to, const void *from, size_t n)
{
	WORDS_COPY(to, from, n, MOVE_ONE);
}

/* As the kernel's string copy of users' memory. */
static void string_move(void *to, const void *from, size_t n)
{
	asm volatile("rep movsb"
		     : "+D" (to), "+S" (from), "+c" (n) : : "memory");
}

/* Least nanoseconds of a few tries. */
static u64 measure(void (*move)(void *to, const void *from, size_t n), u8 *buf,
		   size_t n)
{
	u64 best = U64_MAX;
	int try, i;

	for (try = 0; try < 5; try++) {
		u64 start = ktime_get_ns();

		for (i = 0; i < 8; i++)
			move(buf, buf + WORDS_MEASURED, n);
		best = min(best, ktime_get_ns() - start);
	}
	return best;
}

static void __init copy_measure(void)
{
	u8 *buf = kvzalloc(2 * WORDS_MEASURED, GFP_KERNEL);
	size_t n;

	if (!buf)
		return;
	for (n = 64; n <= WORDS_MEASURED; n *= 2) {
		u64 words, string;

		preempt_disable();
		words = measure(words_move, buf, n);
		string = measure(string_move, buf, n);
		preempt_enable();
		if (words > string)
			break;
		words_max = n;
	}
	/* If words win up to the size of a near cache, they win beyond it. */
	if (n > WORDS_MEASURED)
		words_max = SIZE_MAX;
	kvfree(buf);
}

#else

static bool words_from_user(void *to, const void __user *from, size_t n)
{
	return !copy_from_user(to, from, n);
}

static bool words_to_user(void __user *to, const void *from, size_t n)
{
	return !copy_to_user(to, from, n);
}

static bool strio_from_user(void *to, const void __user *from)
{
	return !copy_from_user(to, from, sizeof(struct strio_msg));
}

static bool strio_to_user(void __user *to, const void *from)
{
	return !copy_to_user(to, from, sizeof(struct strio_msg));
}

static void __init copy_measure(void)
{
}

#endif /* COPY_WORDS */

int __init copy_init(void)
{
	if (!strcmp(copy, "auto")) {
		copy_measure();
	} else if (!strcmp(copy, "words")) {
		words_max = SIZE_MAX;
	} else if (strcmp(copy, "kernel")) {
		pr_err("streams: copy=%s: kernel, words or auto is wanted\n",
		       copy);
		return -EINVAL;
	}
	return 0;
}

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
	bool ok;

	if (WARN_ON_ONCE(n > room))
		return false;
	if (n > words_max)
		return !_copy_from_user(to, from, n);
	might_fault();
	instrument_copy_from_user_before(to, from, n);
	ok = words_from_user(to, from, n);
	instrument_copy_from_user_after(to, from, n, ok ? 0 : n);
	return ok;
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
	if (WARN_ON_ONCE(n > room))
		return false;
	if (n > words_max)
		return !_copy_to_user(to, from, n);
	might_fault();
	instrument_copy_to_user(to, from, n);
	return words_to_user(to, from, n);
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
	might_fault();
	return strio_from_user(msg, from);
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
	might_fault();
	return strio_to_user(to, msg);
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
	void __user *span = n <= words_max ? iov_iter_user_span(from, n) : NULL;
	size_t copied;

	if (WARN_ON_ONCE(n > room))
		return false;
	if (span) {
		if (!str_copy_in(to, room, span, n))
			return false;
		iov_iter_advance(from, n);
		return true;
	}
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
	void __user *span = n <= words_max ? iov_iter_user_span(to, n) : NULL;
	size_t copied;

	if (WARN_ON_ONCE(n > room))
		return false;
	if (span) {
		if (!str_copy_out(span, from, room, n))
			return false;
		iov_iter_advance(to, n);
		return true;
	}
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
	if (n <= words_max && str_copy_from_iter(to, room, n, from))
		return n;
	return WARN_ON_ONCE(n > room) ? 0 : _copy_from_iter(to, n, from);
}
