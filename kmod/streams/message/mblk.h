/* SPDX-License-Identifier: GPL-2.0-only */
/* Message blocks and their buffers */
#ifndef _STREAMS_MBLK_H
#define _STREAMS_MBLK_H

#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <sys/stream.h>

/* The sizes of an object with its data inside, in both forms of blocks */
enum {
	STRMSG_SMALL,
	STRMSG_MEDIUM,
	STRMSG_LARGE,
	STRMSG_GREAT,
	STRMSG_HUGE,
	STRMSG_FRAME,
	STRMSG_SIZES,
};

/*
 * Added to such a size in the form of both blocks, which are the first and the
 * second of the two pairs in one object.
 */
#define STRMSG_FIRST	0x40
#define STRMSG_SECOND	0x80
#define STRMSG_PAIR	(STRMSG_FIRST | STRMSG_SECOND)

/* mblk_t.b_form */
enum {
	MB_HEADER = STRMSG_SIZES, /* half of a struct strmsg, data elsewhere */
	MB_ALONE,	/* a struct strmsg; its data block is not in use */
};

/*
 * The sizes of buffers that are not in their object, and the bytes of the
 * largest
 */
#define STRMSG_DATA		4
#define STRMSG_DATA_MOST	(16384 - sizeof(void *))

/* dblk_t.db_form: where the bytes are, and how they are freed */
enum {
	DB_DATA = STRMSG_SIZES,	/* and those behind it: of a cache of that size */
	DB_PAGES = DB_DATA + STRMSG_DATA,	/* a compound page */
	DB_EXTERNAL,	/* esballoc(): db_frtnp knows */
	DB_SKB,		/* skballoc(): part of db_skb */
	/*
	 * The same, and db_count is one more than its references: others may have the bytes
	 * too, so modules are not to change them.
	 */
	DB_SKB_SHARED,
};

/*
 * Messages on a queue count at least this many bytes, empty messages too;
 * messages of users, and packets, which count for a page as in Linux's pipe,
 * count at least the second number.
 */
#define MSG_MIN_COUNT		1
#define MSG_MIN_OBJECT		256
#define MSG_MIN_PACKET		PAGE_SIZE
/*
 * Bytes that the message of a received packet takes besides the packet's buffer: an
 * object for its control part, and one without data for its block.
 */
#define MSG_RECEIVED		(MSG_MIN_OBJECT + 104)

/*
 * b_flag: bytes of a pipe, which later bytes may join; the message counts as
 * with MSGOBJECT
 */
#define MSGBYTES		0x0020

/*
 * Returns the bytes between the pointers of one block. A module that let them cross has an
 * empty block, not one of nearly all memory.
 */
static inline size_t mblk_len(const mblk_t *bp)
{
	/* The pointer is read once: a writer may append meanwhile. */
	const unsigned char *end = READ_ONCE(bp->b_wptr);

	return end > bp->b_rptr ? end - bp->b_rptr : 0;
}

/*
 * The bytes of a block and its data block, and the allocator's link: see mblk.c
 */
#define MSG_BLOCK_BYTES		104

/* Returns four fifths of the bytes of memory: see msg_least(). */
static inline size_t msg_share(size_t memory)
{
	return memory - memory / 5;
}

/*
 * Returns the least that a message of a user counts for: four fifths of the
 * memory of its blocks. A full queue so takes 1.25 times the bytes of its high
 * water mark at most, however few bytes a large block has, or has left.
 */
static inline size_t msg_least(const mblk_t *mp)
{
	size_t least = mp->b_flag & MSGPACKET ? MSG_MIN_PACKET : MSG_MIN_OBJECT;
	size_t memory = 0;

	for (; mp; mp = mp->b_cont)
		memory += MSG_BLOCK_BYTES + (DB_LIM(mp) - DB_BASE(mp));
	return max(least, msg_share(memory));
}

/*
 * Returns the bytes that a message of n bytes counts against a queue's high
 * water mark.
 */
static inline size_t msg_count_of(const mblk_t *mp, size_t n)
{
	if (mp->b_flag & (MSGPACKET | MSGOBJECT | MSGBYTES))
		return max_t(size_t, n, msg_least(mp));
	return n > MSG_MIN_COUNT ? n : MSG_MIN_COUNT;
}

/*
 * Returns what a user's n bytes in one block, of STRMSG_DATA_MOST at most,
 * count against the mark; the result is never less than n.
 */
size_t msg_block_counts(size_t n);

static inline bool msg_hipri(const mblk_t *mp)
{
	return mp->b_datap->db_type >= QPCTL;
}

/*
 * Allocates as allocb_gfp() does, for a caller that writes all of the bytes
 * asked for before any other code can see them: a hardened kernel does not
 * clear them first.
 */
mblk_t *allocb_written(size_t size, gfp_t gfp);
/*
 * Allocates a block for a control part, and one for data behind it, in one
 * object. Returns NULL if they are too large for that, or memory is short. Both
 * blocks are as allocb_written() makes them.
 */
mblk_t *allocb_pair(size_t ctl, size_t data, gfp_t gfp);

/* Undoes skballoc() of a linear buffer. */
struct sk_buff *str_skb_take(mblk_t *bp);

/* Returns the socket buffer that a block's bytes are a part of, or NULL. */
static inline const struct sk_buff *str_skb_of(const mblk_t *bp)
{
	const dblk_t *d = bp->b_datap;

	return d->db_form == DB_SKB || d->db_form == DB_SKB_SHARED ? d->db_skb : NULL;
}

int __init mblk_init(void);
void mblk_exit(void);

#endif /* _STREAMS_MBLK_H */
