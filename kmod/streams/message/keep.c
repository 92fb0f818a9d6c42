// SPDX-License-Identifier: GPL-2.0-only
/*
 * Socket buffers that are kept for the next datagram
 *
 * A buffer costs more than the datagram in it: two allocations, which hardened
 * kernels clear, and two frees. So each processor keeps the last buffer of each size
 * that was read there, by a STREAMS socket or from a message, for its next datagram.
 * A buffer is kept only if no other user can have a part of it, and is then reset like
 * a new one, except for the bytes.
 *
 * With init_on_free=1 the kernel must not keep old bytes, so no buffer is kept. The kept
 * buffers are at most 32 KiB on a processor; that is less than the kernel's own packet
 * buffers there, so they are not freed when memory is short.
 */
#include <linux/export.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/skbuff.h>
#include <net/dst.h>

#include "keep.h"

/*
 * Sizes of a buffer with its struct skb_shared_info: the least that the kernel
 * allocates, which since Linux 6.3 has a cache of its own, and powers of two.
 */
#define KEEP_ORDER	9	/* no buffer has less than 512 bytes */
#define KEEP_SIZES	6	/* up to 16 KiB */

static unsigned int keep_least __ro_after_init;

/* Put there and taken by an exchange. */
static DEFINE_PER_CPU(struct sk_buff *, keep[KEEP_SIZES]);

/* The place of the kept buffer that has room for size; NULL: none of that size is kept. */
static inline struct sk_buff *__percpu *keep_place(unsigned int size)
{
	unsigned int which = size <= keep_least ? 0 : order_base_2(size) - KEEP_ORDER;

	return which < KEEP_SIZES ? &keep[which] : NULL;
}

static inline unsigned int skb_size(const struct sk_buff *skb)
{
	return SKB_DATA_ALIGN(sizeof(struct skb_shared_info)) + skb_end_offset(skb);
}

/* Whether its fragments, if it has any, are pages that put_page() frees. */
static bool skb_frags_are_pages(const struct sk_buff *skb)
{
	return likely(!skb_shinfo(skb)->nr_frags) ||
	       (!skb->pp_recycle && skb_frags_readable(skb));
}

/*
 * Whether no other user has a part of it, or a clone, as a packet socket
 * might, and it is the allocator's.
 */
static bool skb_is_simple(struct sk_buff *skb)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);

	/* Acquire: the look comes after all accesses to the bytes by owners of clones. */
	return atomic_read_acquire(&shinfo->dataref) == 1 &&
	       !skb->head_frag && skb_frags_are_pages(skb) &&
	       skb->fclone == SKB_FCLONE_UNAVAILABLE && !skb_pfmemalloc(skb) &&
	       !skb->destructor && !skb->sk && !skb->_skb_refdst &&
	       !skb_nfct(skb) && !skb_has_extensions(skb) &&
	       !shinfo->frag_list && !shinfo->flags;
}

/* Makes a buffer such as the allocator returns: its pages of fragments are released. */
static void skb_renew(struct sk_buff *skb)
{
	struct skb_shared_info *shinfo = skb_shinfo(skb);
	int i;

	for (i = 0; i < shinfo->nr_frags; i++)
		put_page(skb_frag_page(&shinfo->frags[i]));
	memset(skb, 0, offsetof(struct sk_buff, tail));
	skb->truesize = SKB_TRUESIZE(skb_end_offset(skb));
	refcount_set(&skb->users, 1);
	/* The next user is on this processor too. */
	skb->alloc_cpu = raw_smp_processor_id();
	skb->data = skb->head;
	skb_reset_tail_pointer(skb);
	skb->mac_header = (typeof(skb->mac_header))~0U;
	skb->transport_header = (typeof(skb->transport_header))~0U;
	memset(shinfo, 0, offsetof(struct skb_shared_info, dataref));
}

/**
 * str_skb_free() - free or keep a datagram's buffer after it was read
 * @skb: the buffer, of which the caller has the last reference
 *
 * Context: process or softirq.
 */
void str_skb_free(struct sk_buff *skb)
{
	unsigned int size = skb_size(skb);
	struct sk_buff *__percpu *place = keep_place(size);

	if ((size == keep_least || (size > keep_least && is_power_of_2(size))) && place &&
	    !want_init_on_free() && skb_is_simple(skb)) {
		skb_renew(skb);
		/* The other one is less likely to be in the processor's cache. */
		skb = this_cpu_xchg(*place, skb);
		if (!skb)
			return;
	}
	/* The count is 0 if a peeking reader released its reference between the two looks. */
	refcount_set(&skb->users, 1);
	consume_skb(skb);
}
EXPORT_SYMBOL_GPL(str_skb_free);

/**
 * str_skb_kept() - take a buffer that was kept
 * @size: bytes for data and headers
 *
 * Context: process or softirq.
 * Return: a buffer such as alloc_skb() returns, of the size that the allocator would give;
 * its bytes are those of its last user. NULL: there is none.
 */
struct sk_buff *str_skb_kept(unsigned int size)
{
	struct sk_buff *__percpu *place;

	place = keep_place(SKB_DATA_ALIGN(size) +
			   SKB_DATA_ALIGN(sizeof(struct skb_shared_info)));
	return place ? this_cpu_xchg(*place, NULL) : NULL;
}
EXPORT_SYMBOL_GPL(str_skb_kept);

int __init str_keep_init(void)
{
	struct sk_buff *skb = alloc_skb(1, GFP_KERNEL);

	if (!skb)
		return -ENOMEM;
	/*
	 * Kernels before 6.3 may have been given one that is just large enough, by
	 * KFENCE: such a buffer has no room for others that are kept there.
	 */
	keep_least = max(skb_size(skb), 1U << KEEP_ORDER);
	kfree_skb(skb);
	return 0;
}

/* Called when no task frees any more. */
void str_keep_exit(void)
{
	int cpu, which;

	for_each_possible_cpu(cpu)
		for (which = 0; which < KEEP_SIZES; which++)
			kfree_skb(per_cpu(keep[which], cpu));
}
