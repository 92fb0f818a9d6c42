// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffers datagrams are sent in
 *
 * They are kept ones, if there are any (streams/message/keep.h): the next sender may be
 * another user, to whom the old bytes do not become visible.
 *
 * - The data is written whole by strudp_skb_make(), which otherwise frees the buffer.
 * - The headers before it are written whole, by direct_headers(), or by send_udp_header(),
 *   send_ip_header() and IP; and by the device for its own.
 * - No bytes outside of these are read: filters and taps see a packet between its
 *   first header and its tail, and the kernel clears what it pads.
 *
 * Each processor keeps a page of fragments, too: 32 KiB.
 */
#include <linux/mm.h>
#include <linux/percpu.h>
#include <net/sock.h>
#include <net/ip.h>
#include <net/udp.h>

#include "streams/message/copy.h"
#include "streams/message/keep.h"
#include "skb.h"

/* Bytes of the smallest fragment, as the kernel's UDP has it */
#define SKB_FRAG_LEAST	32

/*
 * Returns a new buffer, charged to the sender as by sock_alloc_send_skb(), or not charged;
 * or an error. The function is not inline, so that the caller's frame stays small.
 */
static noinline struct sk_buff *skb_new(struct sock *sk, const struct msghdr *msg,
					unsigned int size, bool charge)
{
	struct sk_buff *skb;
	int err = -ENOBUFS;

	skb = charge ? sock_alloc_send_pskb(sk, size, 0, msg->msg_flags & MSG_DONTWAIT,
					     &err, 0) :
		       alloc_skb(size, sk->sk_allocation);
	return skb ?: ERR_PTR(err);
}

/*
 * A buffer that was kept, if there is one, else a new one. An uncharged buffer is for a
 * receiver that gets it at once.
 */
static inline struct sk_buff *skb_obtain(struct sock *sk, const struct msghdr *msg,
					 unsigned int size, bool charge)
{
	struct sk_buff *skb = NULL;

	if (!charge ||
	    (!READ_ONCE(sk->sk_err) &&
	     !(READ_ONCE(sk->sk_shutdown) & SEND_SHUTDOWN) &&
	     sk_wmem_alloc_get(sk) < READ_ONCE(sk->sk_sndbuf)))
		skb = str_skb_kept(size);
	if (!skb)
		return skb_new(sk, msg, size, charge);
	if (charge)
		skb_set_owner_w(skb, sk);
	return skb;
}

static void skb_add_frag(struct sock *sk, struct sk_buff *skb,
			 struct page_frag *pfrag, unsigned int n)
{
	int i = skb_shinfo(skb)->nr_frags;

	skb_fill_page_desc(skb, i, pfrag->page, pfrag->offset, n);
	get_page(pfrag->page);
	pfrag->offset += n;
	skb->len += n;
	skb->data_len += n;
	skb->truesize += n;
	if (skb->sk)
		refcount_add(n, &sk->sk_wmem_alloc);
}

/*
 * A page of fragments, for the datagrams of this processor that need one more than the
 * kernel keeps for the task: it would be allocated, and cleared by a hardened kernel, for
 * each. One datagram uses it at a time. Put there and taken by an exchange.
 */
static DEFINE_PER_CPU(struct page *, spare);

static void spare_put(struct page *page)
{
	if (page && (page_size(page) == PAGE_SIZE || page_is_pfmemalloc(page) ||
		     want_init_on_free())) {
		put_page(page);
		return;
	}
	page = this_cpu_xchg(spare, page);
	if (page)
		put_page(page);
}

/* Returns false when another datagram uses the page, or there is no memory. */
static bool spare_get(struct page_frag *frag, gfp_t gfp)
{
	struct page *page = this_cpu_xchg(spare, NULL);

	if (page && page_ref_count(page) > 1) {
		spare_put(page);
		return false;
	}
	frag->page = page;
	frag->size = page ? page_size(page) : 0;
	return skb_page_frag_refill(SKB_FRAG_LEAST, frag, gfp);
}

/* Whether its page has no room, and is in use. */
static bool frag_is_full(const struct page_frag *frag)
{
	return frag->page && page_ref_count(frag->page) > 1 &&
	       frag->offset + SKB_FRAG_LEAST > frag->size;
}

static int skb_copy_frag(struct sock *sk, struct sk_buff *skb,
			 struct page_frag *pfrag, struct iov_iter *from, size_t len)
{
	unsigned int n;
	void *to;

	if (skb_shinfo(skb)->nr_frags == MAX_SKB_FRAGS)
		return -EMSGSIZE;
	if (!skb_page_frag_refill(SKB_FRAG_LEAST, pfrag, sk->sk_allocation))
		return -ENOBUFS;
	n = min_t(size_t, len, pfrag->size - pfrag->offset);
	to = page_address(pfrag->page) + pfrag->offset;
	if (!str_copy_from_iter(to, pfrag->size - pfrag->offset, n, from))
		return -EFAULT;
	skb_add_frag(sk, skb, pfrag, n);
	return n;
}

/* Copies the data into fragments of pages. */
static noinline int skb_copy_frags(struct sock *sk, struct sk_buff *skb,
				   struct iov_iter *from, size_t len)
{
	/* The sock's own is for messages: a user's memory is that of the task that sends. */
	struct page_frag *pfrag = user_backed_iter(from) ? &current->task_frag :
							   sk_page_frag(sk);
	struct page_frag own = {};
	int n = 0;

	for (; len && n >= 0; len -= max(n, 0)) {
		if (!own.page && frag_is_full(pfrag) && spare_get(&own, sk->sk_allocation))
			pfrag = &own;
		n = skb_copy_frag(sk, skb, pfrag, from, len);
	}
	if (own.page)
		spare_put(own.page);
	if (n < 0)
		return n;
	if (skb->ip_summed != CHECKSUM_PARTIAL)
		skb->csum = skb_checksum(skb, 0, skb->len, 0);
	return 0;
}

static int skb_copy_linear(struct sk_buff *skb, struct iov_iter *from,
			   size_t len)
{
	void *to = __skb_put(skb, len);

	if (skb->ip_summed == CHECKSUM_PARTIAL)
		return str_copy_from_iter(to, skb_end_pointer(skb) - (u8 *)to, len,
					  from) ? 0 : -EFAULT;
	if (!csum_and_copy_from_iter_full(to, len, &skb->csum, from))
		return -EFAULT;
	return 0;
}

/**
 * strudp_skb_make() - put a datagram's data into a buffer
 * @sk: the sender
 * @dev: properties of the device it is to leave by
 * @msg: the data; moved behind them
 * @len: their bytes
 * @charge: whether it counts against the sender's send buffer
 *
 * Context: as sock_alloc_send_skb() and copy_from_iter().
 * Return: the buffer or an error, as sendmsg(2).
 */
struct sk_buff *strudp_skb_make(struct sock *sk, const struct strudp_dev *dev,
				struct msghdr *msg, size_t len, bool charge)
{
	/* A buffer of the size of the kernel's weighs the same in the receiver's SO_RCVBUF. */
	unsigned int size = dev->head + dev->spare;
	bool frags = size + len >= SKB_MAX_ALLOC && dev->pages;
	struct sk_buff *skb;
	int err;

	skb = skb_obtain(sk, msg, frags ? size : size + len, charge);
	if (IS_ERR(skb))
		return skb;
	skb_reserve(skb, dev->head);
	if (dev->sums)
		skb->ip_summed = CHECKSUM_PARTIAL;
	if (frags)
		err = skb_copy_frags(sk, skb, &msg->msg_iter, len);
	else
		err = skb_copy_linear(skb, &msg->msg_iter, len);
	if (!err)
		return skb;
	kfree_skb(skb);
	return ERR_PTR(err);
}

/* Called when no task sends any more. */
void strudp_skb_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(spare, cpu))
			put_page(per_cpu(spare, cpu));
}
