// SPDX-License-Identifier: GPL-2.0-only
/* Whole messages: chains of blocks */
#include <linux/align.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "mblk.h"

/**
 * linkb() - append a message to a message
 * @mp: the message
 * @tail: the message to append; NULL: none
 *
 * Context: any.
 * Source: SVR4.2 DDI/DKI linkb(D3).
 */
void linkb(mblk_t *mp, mblk_t *tail)
{
	while (mp->b_cont)
		mp = mp->b_cont;
	mp->b_cont = tail;
}
EXPORT_SYMBOL_GPL(linkb);

/**
 * unlinkb() - take the first block off a message
 * @mp: the message; afterwards a message of that block alone
 *
 * Context: any.
 * Return: the rest of the message, NULL if there was none.
 * Source: SVR4.2 DDI/DKI unlinkb(D3).
 */
mblk_t *unlinkb(mblk_t *mp)
{
	mblk_t *rest = mp->b_cont;

	mp->b_cont = NULL;
	return rest;
}
EXPORT_SYMBOL_GPL(unlinkb);

/**
 * rmvb() - take one block out of a message
 * @mp: the message
 * @bp: the block; not freed, afterwards a message of its own
 *
 * Context: any.
 * Return: the message without the block, NULL if it had no other, or
 * (mblk_t *)-1 if @bp is not part of @mp.
 * Source: SVR4.2 DDI/DKI rmvb(D3).
 */
mblk_t *rmvb(mblk_t *mp, mblk_t *bp)
{
	mblk_t **link;

	for (link = &mp; *link; link = &(*link)->b_cont) {
		if (*link == bp) {
			*link = bp->b_cont;
			bp->b_cont = NULL;
			return mp;
		}
	}
	return (mblk_t *)-1;
}
EXPORT_SYMBOL_GPL(rmvb);

/*
 * Returns the bytes in the leading blocks of mp that are of one type. *endp, if
 * wanted, becomes the first block of another type.
 */
static size_t msg_lead(mblk_t *mp, mblk_t **endp)
{
	unsigned char type = mp->b_datap->db_type;
	size_t n = 0;

	for (; mp && mp->b_datap->db_type == type; mp = mp->b_cont)
		n += mblk_len(mp);
	if (endp)
		*endp = mp;
	return n;
}

/* Frees the empty blocks between head and end, neither of them included. */
static void msg_drop_empty(mblk_t *head, const mblk_t *end)
{
	mblk_t **link = &head->b_cont;

	while (*link != end) {
		mblk_t *bp = *link;

		if (mblk_len(bp)) {
			link = &bp->b_cont;
		} else {
			*link = bp->b_cont;
			freeb(bp);
		}
	}
}

static int adjmsg_head(mblk_t *mp, size_t len)
{
	mblk_t *bp = mp;
	size_t n;

	if (msg_lead(mp, NULL) < len)
		return 0;
	for (; len; bp = bp->b_cont) {
		n = min(len, mblk_len(bp));
		bp->b_rptr += n;
		len -= n;
	}
	if (bp != mp)
		msg_drop_empty(mp, bp);
	return 1;
}

static int adjmsg_tail(mblk_t *mp, size_t len)
{
	mblk_t *first = mp;	/* of the trailing blocks of one type */
	mblk_t *before = mp;	/* the one before it; mp if there is none */
	mblk_t *bp;
	size_t total, keep, n;

	for (bp = mp; bp->b_cont; bp = bp->b_cont) {
		if (bp->b_cont->b_datap->db_type != bp->b_datap->db_type) {
			before = bp;
			first = bp->b_cont;
		}
	}
	total = msg_lead(first, NULL);
	if (total < len)
		return 0;
	keep = total - len;
	for (bp = first; bp; bp = bp->b_cont) {
		n = min(keep, mblk_len(bp));
		/* Repairs a block whose pointers crossed. */
		bp->b_wptr = bp->b_rptr + n;
		keep -= n;
	}
	if (len)
		msg_drop_empty(before, NULL);
	return 1;
}

/**
 * adjmsg() - trim bytes off a message
 * @mp: the message
 * @len: how many bytes to trim, from the start if positive, from the end if
 *	negative
 *
 * Trims only the blocks of the first block's type that the message begins
 * with, or of the last block's type that it ends with. Blocks that become
 * empty are freed, except the first of the message.
 *
 * Context: any.
 * Return: 1, or 0 if there are fewer bytes; then @mp is as it was.
 * Source: SVR4.2 DDI/DKI adjmsg(D3).
 */
int adjmsg(mblk_t *mp, ssize_t len)
{
	if (len >= 0)
		return adjmsg_head(mp, len);
	return adjmsg_tail(mp, -(size_t)len);
}
EXPORT_SYMBOL_GPL(adjmsg);

/*
 * Computes the number of bytes that a pull-up of len brings together. Returns
 * false if fewer bytes of one type follow each other.
 */
static bool pullup_bytes(mblk_t *mp, ssize_t len, size_t *np)
{
	size_t have = msg_lead(mp, NULL);

	*np = len == -1 ? have : len;
	return len >= -1 && *np <= have;
}

/* Appends the first n bytes of mp to the block nbp, and leaves mp alone. */
static mblk_t *pullup_copy(mblk_t *nbp, mblk_t *mp, size_t n, size_t *offp)
{
	size_t chunk;

	for (;; mp = mp->b_cont) {
		chunk = min(n, mblk_len(mp));
		memcpy(nbp->b_wptr, mp->b_rptr, chunk);
		nbp->b_wptr += chunk;
		n -= chunk;
		if (!n)
			break;
	}
	*offp = chunk;
	return mp;
}

/**
 * pullupmsg() - bring the first bytes of a message together in one block
 * @mp: the message
 * @len: how many bytes; -1: all of the blocks of the first block's type that
 *	the message begins with
 *
 * The bytes are then aligned for any structure. If they had to be moved, their
 * buffer has no other reference. @mp stays the first block of the message, and
 * keeps band and flags; blocks left without bytes are freed.
 *
 * Context: any.
 * Return: 1, or 0 if memory is short or the message begins with fewer bytes of
 * one type; then @mp is as it was.
 * Source: SVR4.2 DDI/DKI pullupmsg(D3).
 */
int pullupmsg(mblk_t *mp, ssize_t len)
{
	mblk_t *nbp, *bp, *end, *next;
	size_t n, off;

	if (!pullup_bytes(mp, len, &n))
		return 0;
	msg_lead(mp, &end);
	if (len == 0 ||
	    (IS_ALIGNED((unsigned long)mp->b_rptr, sizeof(long)) &&
	     n <= mblk_len(mp) && (len != -1 || mp->b_cont == end)))
		return 1;
	nbp = allocb(n, BPRI_MED);
	if (!nbp)
		return 0;
	nbp->b_datap->db_type = mp->b_datap->db_type;
	nbp->b_band = mp->b_band;
	bp = pullup_copy(nbp, mp, n, &off);
	bp->b_rptr += off;
	if (len != -1)
		end = mblk_len(bp) ? bp : bp->b_cont;

	/* The block mp gets the new buffer, and the new block mp's old one. */
	swap(mp->b_datap, nbp->b_datap);
	swap(mp->b_rptr, nbp->b_rptr);
	swap(mp->b_wptr, nbp->b_wptr);
	nbp->b_cont = mp->b_cont;
	if (end == mp)
		end = nbp;
	mp->b_cont = end;

	/* The emptied blocks, the old first one before all others */
	for (bp = nbp; bp != end; bp = next) {
		next = bp->b_cont;
		freeb(bp);
	}
	return 1;
}
EXPORT_SYMBOL_GPL(pullupmsg);

/**
 * msgpullup() - copy a message, with its first bytes together in one block
 * @mp: the message; left as it is
 * @len: how many bytes; -1: all of the blocks of the first block's type that
 *	the message begins with
 *
 * The remaining bytes are copied too, block by block.
 *
 * Context: any.
 * Return: the copy, or NULL if memory is short or the message begins with
 * fewer bytes of one type.
 * Source: SVR4.2 DDI/DKI msgpullup(D3).
 */
mblk_t *msgpullup(mblk_t *mp, ssize_t len)
{
	mblk_t *nbp, *bp, *end, *rest;
	size_t n, off;

	if (!pullup_bytes(mp, len, &n))
		return NULL;
	nbp = allocb(n, BPRI_MED);
	if (!nbp)
		return NULL;
	nbp->b_datap->db_type = mp->b_datap->db_type;
	nbp->b_band = mp->b_band;
	nbp->b_flag = mp->b_flag;
	bp = pullup_copy(nbp, mp, n, &off);
	if (len == -1) {
		msg_lead(mp, &end);
		off = 0;
	} else if (off < mblk_len(bp)) {
		end = bp;
	} else {
		end = bp->b_cont;
		off = 0;
	}
	if (!end)
		return nbp;
	rest = copymsg(end);
	if (!rest) {
		freeb(nbp);
		return NULL;
	}
	rest->b_rptr += off;
	nbp->b_cont = rest;
	return nbp;
}
EXPORT_SYMBOL_GPL(msgpullup);

/**
 * msgdsize() - count the data bytes of a message
 * @mp: the message
 *
 * Context: any.
 * Return: bytes in its M_DATA blocks.
 * Source: SVR4.2 DDI/DKI msgdsize(D3).
 */
size_t msgdsize(const mblk_t *mp)
{
	size_t n = 0;

	for (; mp; mp = mp->b_cont) {
		if (mp->b_datap->db_type == M_DATA)
			n += mblk_len(mp);
	}
	return n;
}
EXPORT_SYMBOL_GPL(msgdsize);

/**
 * msgsize() - count the bytes of a message
 * @mp: the message
 *
 * Context: any.
 * Return: bytes in all its blocks, whatever their types.
 * Source: UnixWare msgsize(D3).
 */
size_t msgsize(const mblk_t *mp)
{
	size_t n = 0;

	for (; mp; mp = mp->b_cont)
		n += mblk_len(mp);
	return n;
}
EXPORT_SYMBOL_GPL(msgsize);
