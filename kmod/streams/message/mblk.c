// SPDX-License-Identifier: GPL-2.0-only
/*
 * Message blocks and their buffers
 *
 * Memory is charged to cgroups here. Queues count bytes in queue/band.c.
 *
 * A message block and its data block are made together, as the two halves of
 * one object; a small buffer is in it as well, so that a small message is one
 * allocation. The halves may part: a duplicate keeps the data block longer
 * than the message block lives, pullupmsg() gives a message block another's
 * data block. So the object records which of its halves are in use, and is
 * freed with the last.
 *
 * A user's control part and data are two such pairs of blocks in one object,
 * if they are small enough. The first pair keeps the object's count.
 *
 * Nearly always a message block is freed with its own data block, which has no
 * other reference. Then no other reference can appear either, and neither
 * count need be changed.
 *
 * Objects and pages are recycled per CPU by the slab and page allocators
 * themselves: an object that a CPU frees is the next it allocates, cache-warm
 * and without a lock. A free list of our own in front of them would only hide
 * memory from the rest of the machine, and errors from KASAN.
 *
 * Objects, buffers and pages are charged to the current task's cgroup, or to the one
 * that set_active_memcg() has set. In an interrupt without such a one they are charged
 * to no user: so the receive hooks of udp and dlpi count their messages in the sock's
 * receive buffer, and set it for the modules, see tpi/charge.h.
 *
 * An object that is used again has the bytes of its last user, maybe of another one.
 * Only those between a block's pointers are copied to users, and each function that
 * moves b_wptr has written up to there, or copied from a user, whose fault frees the
 * block.
 */
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "keep.h"
#include "mblk.h"

struct strmsg {
	mblk_t m;
	dblk_t d;
	atomic_t refs;			/* halves in use */
	unsigned char data[] __aligned(8);
};

static_assert(sizeof(struct strmsg) + sizeof(void *) <= MSG_BLOCK_BYTES);

/*
 * The bytes of an object, with the allocator's link behind it, see
 * strmsg_ctor(). Data of up to 152, 280, 600, 920, 1240 and 1752 bytes fits in
 * the object, which saves an allocation.
 */
static const unsigned short strmsg_bytes[STRMSG_SIZES] = {
	[STRMSG_SMALL] = 256,
	[STRMSG_MEDIUM] = 384,
	[STRMSG_LARGE] = 704,
	[STRMSG_GREAT] = 1024,
	/*
	 * The sizes that serve a message of 1024 bytes, and a frame of Ethernet
	 * with its control part
	 */
	[STRMSG_HUGE] = 1344,
	[STRMSG_FRAME] = 1856,
};

static_assert(MSG_MIN_OBJECT + sizeof(struct strmsg) + sizeof(void *) <= MSG_RECEIVED);

/* Bytes of a control part that has its data in the same object */
#define PAIR_CTL	96
/* The offset of the second pair of blocks */
#define PAIR_SECOND	(sizeof(struct strmsg) + PAIR_CTL)

static struct kmem_cache *strmsg_cache[STRMSG_SIZES];
static struct kmem_cache *strmsg_header_cache;	/* without data */
/*
 * Own caches are used: the kernel's buffers and pages would be cleared, and
 * pages charged, for each message.
 */
static struct kmem_cache *strmsg_data_cache[STRMSG_DATA];

static __always_inline size_t strmsg_size(unsigned int form)
{
	return strmsg_bytes[form] - sizeof(void *);
}

/* Returns how many bytes of data fit inside the object. */
static __always_inline size_t strmsg_room(unsigned int form)
{
	return strmsg_size(form) - offsetof(struct strmsg, data);
}

/*
 * The sizes of buffers apart from their object, for 1753 bytes and more: 15, 7,
 * 3 and 2 of them fill the allocator's 32 KiB, each with its link behind it. So
 * the cgroup, which is charged by the object, is charged for all the memory
 * that the buffers take.
 */
static const unsigned short data_bytes[STRMSG_DATA] = {
	2176, 4672, 10912, STRMSG_DATA_MOST
};

size_t msg_block_counts(size_t n)
{
	unsigned int i = 0;
	size_t memory;

	if (n <= strmsg_room(STRMSG_SIZES - 1)) {
		while (n > strmsg_room(i))
			i++;
		memory = MSG_BLOCK_BYTES + strmsg_room(i);
	} else {
		while (n > data_bytes[i])
			i++;
		memory = MSG_BLOCK_BYTES + data_bytes[i];
	}
	n = max_t(size_t, n, msg_share(memory));
	return max_t(size_t, n, MSG_MIN_OBJECT);
}

static void mblk_setup(mblk_t *mp, dblk_t *d, unsigned char form)
{
	mp->b_next = NULL;
	mp->b_prev = NULL;
	mp->b_cont = NULL;
	mp->b_rptr = d->db_base;
	mp->b_wptr = d->db_base;
	mp->b_datap = d;
	mp->b_band = 0;
	mp->b_form = form;
	mp->b_flag = 0;
}

static mblk_t *strmsg_setup(struct strmsg *s, unsigned char *base, size_t size,
			    unsigned char mform, unsigned char dform)
{
	s->d.db_base = base;
	s->d.db_lim = base + size;
	s->d.db_frtnp = NULL;
	atomic_set(&s->d.db_count, 1);
	s->d.db_type = M_DATA;
	s->d.db_form = dform;
	atomic_set(&s->refs, 2);
	mblk_setup(&s->m, &s->d, mform);
	return &s->m;
}

/* Frees an object whose blocks are of that form, with the data in it. */
static __always_inline void strmsg_free(struct strmsg *s, unsigned int form)
{
	if (form >= STRMSG_SIZES) {
		kmem_cache_free(strmsg_header_cache, s);
		return;
	}
	/* Does what the allocator would do, were it not for the constructor. */
	if (want_init_on_free())
		memset(s->data, 0, strmsg_room(form));
	kmem_cache_free(strmsg_cache[form], s);
}

/* Drops one half or both of an object of two pairs. */
static void pair_put(struct strmsg *s, unsigned int form, int halves)
{
	if (form & STRMSG_SECOND)
		s = (void *)s - PAIR_SECOND;
	/* The caller is the last holder: no other holder changes the count. */
	if (atomic_read_acquire(&s->refs) == halves ||
	    atomic_sub_and_test(halves, &s->refs))
		strmsg_free(s, form & ~STRMSG_PAIR);
}

static void strmsg_put(struct strmsg *s, unsigned int form)
{
	if (form & STRMSG_PAIR)
		pair_put(s, form, 1);
	else if (atomic_dec_and_test(&s->refs))
		strmsg_free(s, form);
}

/* Frees a buffer that is not part of its object. */
static void dblk_release(dblk_t *d)
{
	frtn_t *frtn;

	switch (d->db_form) {
	case DB_DATA ... DB_PAGES - 1:
		if (want_init_on_free())
			memset(d->db_base, 0, d->db_lim - d->db_base);
		kmem_cache_free(strmsg_data_cache[d->db_form - DB_DATA], d->db_base);
		break;
	case DB_PAGES:
		free_pages((unsigned long)d->db_base,
			   get_order(d->db_lim - d->db_base));
		break;
	case DB_EXTERNAL:
		/*
		 * The structure is often part of the buffer that its function
		 * frees.
		 */
		frtn = d->db_frtnp;
		frtn->free_func(frtn->free_arg);
		break;
	case DB_SKB:
	case DB_SKB_SHARED:
		if (skb_unref(d->db_skb)) {
			skb_orphan(d->db_skb);
			str_skb_free(d->db_skb);
		}
		break;
	}
}

/* Drops a reference; returns whether it was the last. */
static bool dblk_drop(dblk_t *d)
{
	int left = d->db_form == DB_SKB_SHARED;

	return atomic_dec_return(&d->db_count) == left;
}

static void dblk_free(dblk_t *d)
{
	struct strmsg *s = container_of(d, struct strmsg, d);

	if (d->db_form >= STRMSG_SIZES)
		dblk_release(d);
	strmsg_put(s, d->db_form);
}

/**
 * freeb() - free one message block
 * @bp: the block; its b_cont is not followed
 *
 * The buffer is freed with the last block that refers to it; the free routine
 * of an esballoc() buffer is then called, here.
 *
 * Context: any; but a block of skballoc() not in a hard interrupt.
 * Source: SVR4.2 DDI/DKI freeb(D3).
 */
void freeb(mblk_t *bp)
{
	struct strmsg *s = container_of(bp, struct strmsg, m);
	dblk_t *d = bp->b_datap;
	/* Acquire: a former holder's accesses to the buffer come before. */
	bool last = atomic_read_acquire(&d->db_count) == 1;

	if (likely(last && d == &s->d)) {
		if (bp->b_form & STRMSG_PAIR) {
			pair_put(s, bp->b_form, 2);
			return;
		}
		if (unlikely(bp->b_form >= STRMSG_SIZES))
			dblk_release(d);
		strmsg_free(s, bp->b_form);
		return;
	}
	if (last || dblk_drop(d))
		dblk_free(d);
	if (bp->b_form == MB_ALONE)
		strmsg_free(s, MB_ALONE);
	else
		strmsg_put(s, bp->b_form);
}
EXPORT_SYMBOL_GPL(freeb);

/*
 * Frees a message that is one object of two pairs, without other holders, at
 * once. Returns false for any other message, which the caller keeps.
 */
static bool strmsg_free_pair(mblk_t *mp)
{
	struct strmsg *s = container_of(mp, struct strmsg, m);
	struct strmsg *second = (void *)s + PAIR_SECOND;

	/* Acquire: the accesses of other owners come before, as in freeb(). */
	if (mp->b_cont != &second->m || second->m.b_cont ||
	    mp->b_datap != &s->d || second->m.b_datap != &second->d ||
	    atomic_read_acquire(&s->d.db_count) != 1 ||
	    atomic_read_acquire(&second->d.db_count) != 1)
		return false;
	strmsg_free(s, mp->b_form & ~STRMSG_PAIR);
	return true;
}

/**
 * freemsg() - free all blocks of a message
 * @mp: the message, or NULL
 *
 * Context: any.
 * Source: SVR4.2 DDI/DKI freemsg(D3).
 */
void freemsg(mblk_t *mp)
{
	if (mp && mp->b_form & STRMSG_FIRST && strmsg_free_pair(mp))
		return;
	while (mp) {
		mblk_t *next = mp->b_cont;

		freeb(mp);
		mp = next;
	}
}
EXPORT_SYMBOL_GPL(freemsg);

/* Allocates a block with its buffer in its object; clears its first bytes. */
static __always_inline mblk_t *strmsg_alloc(unsigned int form, size_t clear,
					    gfp_t gfp)
{
	struct strmsg *s = kmem_cache_alloc(strmsg_cache[form], gfp);

	if (unlikely(!s))
		return NULL;
	if (clear)
		memset(s->data, 0, clear);
	return strmsg_setup(s, s->data, strmsg_room(form), form, form);
}

static noinline mblk_t *block_alloc(size_t size, gfp_t gfp, size_t clear)
{
	struct strmsg *s;
	unsigned char *base;
	unsigned char form;

	if (likely(size <= strmsg_room(STRMSG_SMALL)))
		return strmsg_alloc(STRMSG_SMALL, clear, gfp);
	for (form = STRMSG_MEDIUM; form < STRMSG_SIZES; form++)
		if (size <= strmsg_room(form))
			return strmsg_alloc(form, clear, gfp);
	if (unlikely(size > KMALLOC_MAX_SIZE))
		return NULL;
	s = kmem_cache_alloc(strmsg_header_cache, gfp);
	if (unlikely(!s))
		return NULL;
	if (size <= STRMSG_DATA_MOST) {
		unsigned int which = 0;

		while (size > data_bytes[which])
			which++;
		base = kmem_cache_alloc(strmsg_data_cache[which], gfp);
		if (base && clear)
			memset(base, 0, clear);
		size = data_bytes[which];
		form = DB_DATA + which;
	} else {
		unsigned int order = get_order(size);

		size = PAGE_SIZE << order;
		base = (unsigned char *)__get_free_pages(gfp | __GFP_ACCOUNT |
							 __GFP_COMP |
							 __GFP_NOWARN, order);
		form = DB_PAGES;
	}
	if (unlikely(!base)) {
		kmem_cache_free(strmsg_header_cache, s);
		return NULL;
	}
	return strmsg_setup(s, base, size, MB_HEADER, form);
}

/**
 * allocb_gfp() - allocate a message block, with allocation flags
 * @size: least bytes of buffer; the block may have more, MBLKSIZE() tells
 * @gfp: as for kmalloc()
 *
 * The block is of type M_DATA, band 0, and empty; both its pointers are at the
 * start of the buffer, which is aligned to 8 bytes and not cleared.
 *
 * Context: as @gfp says.
 * Return: the block, or NULL when memory is short or @size above 4 MiB (the
 * largest that kmalloc() gives).
 * Source: of this executive; allocb(D3) with Linux's allocation flags.
 */
mblk_t *allocb_gfp(size_t size, gfp_t gfp)
{
	return block_alloc(size, gfp, want_init_on_alloc(gfp) ? size : 0);
}
EXPORT_SYMBOL_GPL(allocb_gfp);

mblk_t *allocb_written(size_t size, gfp_t gfp)
{
	return block_alloc(size, gfp, 0);
}
EXPORT_SYMBOL_GPL(allocb_written);

mblk_t *allocb_pair(size_t ctl, size_t data, gfp_t gfp)
{
	unsigned int form = STRMSG_MEDIUM;
	struct strmsg *s, *second;
	size_t room;
	mblk_t *mp;

	if (ctl > PAIR_CTL)
		return NULL;
	while (data > strmsg_room(form) - PAIR_SECOND)
		if (++form == STRMSG_SIZES)
			return NULL;
	s = kmem_cache_alloc(strmsg_cache[form], gfp);
	if (unlikely(!s))
		return NULL;
	second = (void *)s + PAIR_SECOND;
	room = strmsg_room(form) - PAIR_SECOND;
	mp = strmsg_setup(s, s->data, PAIR_CTL, form | STRMSG_FIRST,
			  form | STRMSG_FIRST);
	mp->b_cont = strmsg_setup(second, second->data, room,
				  form | STRMSG_SECOND, form | STRMSG_SECOND);
	atomic_set(&s->refs, 4);
	return mp;
}
EXPORT_SYMBOL_GPL(allocb_pair);

/**
 * allocb() - allocate a message block
 * @size: least bytes of buffer; the block may have more, MBLKSIZE() tells
 * @pri: BPRI_LO, BPRI_MED or BPRI_HI; without effect, as in all systems since
 *	SVR4
 *
 * See allocb_gfp() for the block's initial state.
 *
 * Context: any.
 * Return: the block, or NULL when memory is short.
 * Source: SVR4.2 DDI/DKI allocb(D3).
 */
mblk_t *allocb(size_t size, unsigned int pri)
{
	return allocb_gfp(size, GFP_ATOMIC | __GFP_NOWARN);
}
EXPORT_SYMBOL_GPL(allocb);

/**
 * testb() - ask whether allocb() would succeed
 * @size: bytes of buffer
 * @pri: as for allocb()
 *
 * The answer holds for this moment only; allocb() can fail all the same.
 *
 * Context: any.
 * Return: 1 if it would, 0 if not.
 * Source: SVR4.2 DDI/DKI testb(D3).
 */
int testb(size_t size, unsigned int pri)
{
	mblk_t *mp = allocb(size, pri);

	if (!mp)
		return 0;
	freeb(mp);
	return 1;
}
EXPORT_SYMBOL_GPL(testb);

/**
 * esballoc() - make a message block for a buffer of the caller's
 * @base: the buffer
 * @size: its bytes
 * @pri: as for allocb()
 * @frtnp: called when the buffer is no longer used; both the structure
 *	and the buffer stay valid until then
 *
 * The routine is called once, by the caller that frees the last block that
 * refers to the buffer, in that caller's context: so it neither sleeps nor
 * takes a lock that is held around a call of freemsg() or putnext().
 *
 * Context: any.
 * Return: the block, empty and of type M_DATA, or NULL when memory is short or
 * an argument is missing; then the buffer is still the caller's and @frtnp is
 * not called.
 * Source: SVR4.2 DDI/DKI esballoc(D3).
 */
mblk_t *esballoc(unsigned char *base, size_t size, unsigned int pri,
		 frtn_t *frtnp)
{
	struct strmsg *s;
	mblk_t *mp;

	if (WARN_ON_ONCE(!base || !frtnp || !frtnp->free_func))
		return NULL;
	s = kmem_cache_alloc(strmsg_header_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!s)
		return NULL;
	mp = strmsg_setup(s, base, size, MB_HEADER, DB_EXTERNAL);
	s->d.db_frtnp = frtnp;
	return mp;
}
EXPORT_SYMBOL_GPL(esballoc);

/**
 * desballoc() - make a message block for a buffer of the caller's
 * @base: the buffer
 * @size: its bytes
 * @pri: as for allocb()
 * @frtnp: called when the buffer is no longer used
 *
 * The same as esballoc(), whose routine is called in the freeing context here
 * as well.
 *
 * Context: any.
 * Return: as esballoc().
 * Source: Solaris desballoc(9F).
 */
mblk_t *desballoc(unsigned char *base, size_t size, unsigned int pri,
		  frtn_t *frtnp)
{
	return esballoc(base, size, pri, frtnp);
}
EXPORT_SYMBOL_GPL(desballoc);

/*
 * Adds a block of some of a socket buffer's bytes to a message. Returns false when
 * memory is short.
 */
static bool part_add(mblk_t ***tail, struct sk_buff *skb, unsigned char *from, size_t n,
		     gfp_t gfp)
{
	struct strmsg *s = kmem_cache_alloc(strmsg_header_cache, gfp);

	if (!s)
		return false;
	**tail = strmsg_setup(s, from, n, MB_HEADER, DB_SKB_SHARED);
	*tail = &s->m.b_cont;
	atomic_set(&s->d.db_count, 2);
	s->d.db_skb = skb_get(skb);
	s->m.b_wptr += n;
	return true;
}

/* Adds the pieces of a buffer that is skb or one in the list of skb. */
static bool skb_parts_add(mblk_t ***tail, struct sk_buff *skb, const struct sk_buff *of,
			  gfp_t gfp)
{
	const struct skb_shared_info *shinfo = skb_shinfo(of);
	int i;

	if (skb_headlen(of) && !part_add(tail, skb, of->data, skb_headlen(of), gfp))
		return false;
	if (!skb_frags_readable(of))
		return false;
	for (i = 0; i < shinfo->nr_frags; i++)
		if (!part_add(tail, skb, skb_frag_address(&shinfo->frags[i]),
			      skb_frag_size(&shinfo->frags[i]), gfp))
			return false;
	return true;
}

/*
 * Makes a block of each piece of a socket buffer, which is consumed. A page may
 * belong to a file, as sendfile(2) sends it, or to another buffer as well: so all
 * blocks count as shared.
 */
static mblk_t *skb_parts(struct sk_buff *skb, gfp_t gfp)
{
	mblk_t *first = NULL, **tail = &first;
	bool ok = skb_parts_add(&tail, skb, skb, gfp);
	const struct sk_buff *of;

	skb_walk_frags(skb, of)
		ok = ok && skb_parts_add(&tail, skb, of, gfp);
	if (ok) {
		consume_skb(skb);
		return first;
	}
	freemsg(first);
	return NULL;
}

/**
 * skballoc() - make message blocks of a socket buffer
 * @skb: the buffer, the caller's only reference to it
 * @gfp: as for allocb_gfp()
 *
 * The message is the buffer's data. Of a linear buffer it is one block; the room before and
 * behind the bytes can be used too. If it shares its bytes with another user (a packet tap) it
 * gets its own copy of them first, since modules may write to the data they are given. A
 * buffer with fragments becomes a block for each, without room, and its bytes are not copied:
 * DB_REF() of such a block is more than 1. The last reference that is dropped to any of the
 * blocks frees @skb, with its destructor; its charge is kept until then.
 *
 * Context: as @gfp says.
 * Return: the message, of type M_DATA, or NULL when memory is short; then @skb is still
 * the caller's.
 * Source: of this executive.
 */
mblk_t *skballoc(struct sk_buff *skb, gfp_t gfp)
{
	struct strmsg *s;
	mblk_t *mp;

	if (WARN_ON_ONCE(skb_shared(skb)))
		return NULL;
	/* A block has an address for as long as it exists; a page of high memory has none. */
	if (IS_ENABLED(CONFIG_HIGHMEM) && skb_linearize(skb))
		return NULL;
	if (skb_is_nonlinear(skb))
		return skb_parts(skb, gfp);
	if (skb_unclone(skb, gfp))
		return NULL;
	s = kmem_cache_alloc(strmsg_header_cache, gfp);
	if (!s)
		return NULL;
	mp = strmsg_setup(s, skb->head, skb_end_pointer(skb) - skb->head,
			  MB_HEADER, DB_SKB);
	s->d.db_skb = skb;
	mp->b_rptr = skb->data;
	mp->b_wptr = skb_tail_pointer(skb);
	return mp;
}
EXPORT_SYMBOL_GPL(skballoc);

/**
 * str_skb_take() - get back the socket buffer of a block
 * @bp: the block, alone; freed if its buffer is returned
 *
 * Return: the buffer that skballoc() was given, with the bytes between the
 * block's pointers as its data; NULL when the block is of another kind, or has
 * other references to its bytes. Then @bp is still the caller's, see str_skb_of().
 */
struct sk_buff *str_skb_take(mblk_t *bp)
{
	dblk_t *d = bp->b_datap;
	size_t len = mblk_len(bp);
	struct sk_buff *skb;

	/* Acquire: a former holder's accesses to the bytes come before. */
	if (d->db_form != DB_SKB || atomic_read_acquire(&d->db_count) != 1)
		return NULL;
	skb = d->db_skb;
	if (WARN_ON_ONCE(bp->b_rptr < skb->head ||
			 bp->b_rptr + len > skb_end_pointer(skb)))
		return NULL;
	skb->data = bp->b_rptr;
	skb->len = len;
	skb_set_tail_pointer(skb, len);
	/* A buffer of a list of segments may still point to the next one. */
	skb->next = NULL;
	d->db_skb = NULL;
	freeb(bp);
	return skb;
}
EXPORT_SYMBOL_GPL(str_skb_take);

/**
 * dupb() - make a second message block for the same data block
 * @bp: the block; its b_cont is not followed
 *
 * Band, flags and the two pointers are copied; type and bytes are shared, so
 * neither block's holder may change them from now on.
 *
 * Context: any.
 * Return: the new block, or NULL when memory is short.
 * Source: SVR4.2 DDI/DKI dupb(D3).
 */
mblk_t *dupb(mblk_t *bp)
{
	struct strmsg *s;
	mblk_t *nbp;

	s = kmem_cache_alloc(strmsg_header_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!s)
		return NULL;
	nbp = &s->m;
	mblk_setup(nbp, bp->b_datap, MB_ALONE);
	nbp->b_rptr = bp->b_rptr;
	nbp->b_wptr = bp->b_wptr;
	nbp->b_band = bp->b_band;
	nbp->b_flag = bp->b_flag;
	atomic_inc(&bp->b_datap->db_count);
	return nbp;
}
EXPORT_SYMBOL_GPL(dupb);

/**
 * copyb() - copy a message block and its bytes
 * @bp: the block; its b_cont is not followed
 *
 * Band, flags and type are kept. Only the bytes between the pointers are
 * copied, to the start of the new buffer, where it is aligned.
 *
 * Context: any.
 * Return: the new block, or NULL when memory is short.
 * Source: SVR4.2 DDI/DKI copyb(D3).
 */
mblk_t *copyb(mblk_t *bp)
{
	size_t len = mblk_len(bp);
	mblk_t *nbp = allocb(len, BPRI_MED);

	if (!nbp)
		return NULL;
	memcpy(nbp->b_wptr, bp->b_rptr, len);
	nbp->b_wptr += len;
	nbp->b_band = bp->b_band;
	nbp->b_flag = bp->b_flag;
	nbp->b_datap->db_type = bp->b_datap->db_type;
	return nbp;
}
EXPORT_SYMBOL_GPL(copyb);

/* Duplicates all blocks of mp, each by means of one(). */
static mblk_t *msg_clone(mblk_t *mp, mblk_t *(*one)(mblk_t *bp))
{
	mblk_t *head = NULL;
	mblk_t **tail = &head;

	for (; mp; mp = mp->b_cont) {
		*tail = one(mp);
		if (!*tail) {
			freemsg(head);
			return NULL;
		}
		tail = &(*tail)->b_cont;
	}
	return head;
}

/**
 * dupmsg() - duplicate a message, sharing its data blocks
 * @mp: the message
 *
 * Context: any.
 * Return: the new message, or NULL when memory is short. See dupb().
 * Source: SVR4.2 DDI/DKI dupmsg(D3).
 */
mblk_t *dupmsg(mblk_t *mp)
{
	return msg_clone(mp, dupb);
}
EXPORT_SYMBOL_GPL(dupmsg);

/**
 * copymsg() - copy a message with its bytes
 * @mp: the message
 *
 * Context: any.
 * Return: the new message, or NULL when memory is short. See copyb().
 * Source: SVR4.2 DDI/DKI copymsg(D3).
 */
mblk_t *copymsg(mblk_t *mp)
{
	return msg_clone(mp, copyb);
}
EXPORT_SYMBOL_GPL(copymsg);

/**
 * reallocb() - give a message block a buffer of another size
 * @mp: the block
 * @size: least bytes of buffer
 * @copy: whether the bytes between the pointers are to be kept; the buffer
 *	then has room for them even if @size is less
 *
 * A buffer that is large enough and not shared is used again. The bytes, if
 * kept, begin at the start of the buffer; otherwise the block is empty. Type,
 * band, flags and b_cont are kept.
 *
 * Context: any.
 * Return: the block, which need not be @mp any more, or NULL when memory is
 * short; then @mp is as it was.
 * Source: SVR4.2 DDI/DKI reallocb(D3).
 */
mblk_t *reallocb(mblk_t *mp, size_t size, int copy)
{
	size_t len = copy ? mblk_len(mp) : 0;
	dblk_t *d = mp->b_datap;
	mblk_t *nmp = mp;

	size = max(size, len);
	if (atomic_read_acquire(&d->db_count) > 1 ||
	    size > (size_t)(d->db_lim - d->db_base)) {
		nmp = allocb(size, BPRI_MED);
		if (!nmp)
			return NULL;
		nmp->b_band = mp->b_band;
		nmp->b_flag = mp->b_flag;
		nmp->b_cont = mp->b_cont;
		nmp->b_datap->db_type = d->db_type;
	}
	memmove(nmp->b_datap->db_base, mp->b_rptr, len);
	nmp->b_rptr = nmp->b_datap->db_base;
	nmp->b_wptr = nmp->b_rptr + len;
	if (nmp != mp)
		freeb(mp);
	return nmp;
}
EXPORT_SYMBOL_GPL(reallocb);

/*
 * A hardened kernel clears what it allocates, and what it frees, unless it has
 * a constructor. All of an object is written when it is set up. The requested
 * part of the buffer in it is cleared then, unless the caller writes it;
 * strmsg_free() clears all of the buffer.
 */
static void strmsg_ctor(void *obj)
{
}

static const char *const strmsg_name[STRMSG_SIZES] = {
	[STRMSG_SMALL] = "streams_small",
	[STRMSG_MEDIUM] = "streams_medium",
	[STRMSG_LARGE] = "streams_large",
	[STRMSG_GREAT] = "streams_great",
	[STRMSG_HUGE] = "streams_huge",
	[STRMSG_FRAME] = "streams_frame",
};

static const char *const data_name[STRMSG_DATA] = {
	"streams_data_2k", "streams_data_4k", "streams_data_10k", "streams_data_16k",
};

int __init mblk_init(void)
{
	unsigned int i;

	strmsg_header_cache = kmem_cache_create("streams_header",
						sizeof(struct strmsg), 0,
						SLAB_ACCOUNT, strmsg_ctor);
	if (!strmsg_header_cache)
		return -ENOMEM;
	for (i = 0; i < STRMSG_DATA; i++) {
		size_t size = data_bytes[i];

		strmsg_data_cache[i] = kmem_cache_create_usercopy(data_name[i], size, 0,
								  SLAB_ACCOUNT, 0, size,
								  strmsg_ctor);
		if (!strmsg_data_cache[i]) {
			mblk_exit();
			return -ENOMEM;
		}
	}
	for (i = 0; i < STRMSG_SIZES; i++) {
		/* User data is copied into and out of the room in them. */
		strmsg_cache[i] =
			kmem_cache_create_usercopy(strmsg_name[i],
						   strmsg_size(i), 0,
						   SLAB_HWCACHE_ALIGN |
						   SLAB_ACCOUNT,
						   offsetof(struct strmsg, data),
						   strmsg_room(i), strmsg_ctor);
		if (!strmsg_cache[i]) {
			mblk_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/* Warns, as kmem_cache_destroy() does, of any block that was not freed. */
void mblk_exit(void)
{
	unsigned int i;

	for (i = 0; i < STRMSG_SIZES; i++)
		kmem_cache_destroy(strmsg_cache[i]);
	for (i = 0; i < STRMSG_DATA; i++)
		kmem_cache_destroy(strmsg_data_cache[i]);
	kmem_cache_destroy(strmsg_header_cache);
}
