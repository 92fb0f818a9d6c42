/* SPDX-License-Identifier: GPL-2.0-only */
/* chain.h - a message that is made byte by byte */
#ifndef _TERM_CHAIN_H
#define _TERM_CHAIN_H

#include <sys/stream.h>

/* Bytes of a block */
#define CHAIN_BLOCK	256

struct chain {
	mblk_t *first, *last;
	size_t len;			/* bytes in it */
};

/* Makes room for n bytes, in one block. Returns whether there is memory. */
static inline bool chain_room(struct chain *c, size_t n)
{
	mblk_t *mp = c->last;

	if (mp && DB_LIM(mp) - mp->b_wptr >= n)
		return true;
	mp = allocb(CHAIN_BLOCK, BPRI_MED);
	if (!mp)
		return false;
	if (c->last)
		c->last->b_cont = mp;
	else
		c->first = mp;
	c->last = mp;
	return true;
}

/* Adds a byte, for which there is room. */
static inline void chain_add(struct chain *c, unsigned char byte)
{
	*c->last->b_wptr++ = byte;
	c->len++;
}

/* Takes the message out. Returns it, or NULL. */
static inline mblk_t *chain_take(struct chain *c)
{
	mblk_t *mp = c->first;

	*c = (struct chain){ };
	return mp;
}

#endif /* _TERM_CHAIN_H */
