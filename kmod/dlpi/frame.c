// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames as they are on the wire
 *
 * The kernel's buffers may hold many segments of TCP at once, leave checksums
 * to be computed by a device, or keep the VLAN tag beside the frame. Programs
 * see none of that.
 */
#include <linux/if_vlan.h>
#include <linux/netfilter.h>
#include <linux/skbuff.h>
#include <net/gso.h>

#include "streams/message/mblk.h"
#include "end.h"
#include "frame.h"

/* Most bytes of a buffer that a frame in pieces is copied to. */
#define PIECE_MAX	SKB_MAX_HEAD(0)

/* Bytes of data that a frame may have. */
unsigned int dlpi_frame_max_sdu(const struct dlpi_bind *bind,
				const struct net_device *dev)
{
	unsigned int mtu = READ_ONCE(dev->mtu), head = 0;

	if (dlpi_has_llc(bind))
		head = 3 + (bind->has_snap ? DLPI_SNAP_LEN : 0);
	/* A larger value is a type. */
	if (bind->bound && !dlpi_is_type(bind->sap))
		mtu = min_t(unsigned int, mtu, ETH_P_802_3_MIN - 1);
	return mtu > head ? mtu - head : 0;
}

/**
 * dlpi_frame_segments() - split a frame as a device would
 * @skb: a frame with its link header, the caller's alone; consumed
 *
 * Return: a list of frames by skb->next; NULL when memory is short or the frame is
 * malformed.
 */
struct sk_buff *dlpi_frame_segments(struct sk_buff *skb)
{
	struct sk_buff *segs;

	if (!skb_is_gso(skb))
		return skb;
	segs = __skb_gso_segment(skb, NETIF_F_SG, false);
	/* The buffer has nothing to split after all. */
	if (!segs)
		return skb;
	if (IS_ERR(segs)) {
		kfree_skb(skb);
		return NULL;
	}
	consume_skb(skb);
	return segs;
}

/**
 * dlpi_frame_whole() - compute the checksum, insert the VLAN tag
 * @skb: one frame with its link header, the caller's alone; consumed
 *
 * Return: the frame, NULL when memory is short.
 */
struct sk_buff *dlpi_frame_whole(struct sk_buff *skb)
{
	if (skb->ip_summed == CHECKSUM_PARTIAL &&
	    skb_csum_hwoffload_help(skb, 0)) {
		kfree_skb(skb);
		return NULL;
	}
	if (!skb_vlan_tag_present(skb))
		return skb;
	skb = __vlan_hwaccel_push_inside(skb);
	if (skb)
		skb_reset_mac_header(skb);
	return skb;
}

/* Counted against the receive buffer until it is freed; the sock stays as long. */
static void frame_uncharge(struct sk_buff *skb)
{
	struct sock *sk = skb->sk;

	/*
	 * A task may run the function until it has returned, see
	 * dlpi_end_exit().
	 */
	rcu_read_lock();
	atomic_sub(skb->truesize, &sk->sk_rmem_alloc);
	sock_put(sk);
	rcu_read_unlock();
}

static mblk_t *frame_block(struct dlpi_end *ep, struct sk_buff *skb)
{
	mblk_t *mp;

	sock_hold(&ep->sk);
	skb->truesize += MSG_RECEIVED;
	atomic_add(skb->truesize, &ep->sk.sk_rmem_alloc);
	skb->sk = &ep->sk;
	skb->destructor = frame_uncharge;
	mp = skballoc(skb, GFP_ATOMIC);
	if (!mp)
		kfree_skb(skb);
	return mp;
}

static mblk_t *frame_piece(struct dlpi_end *ep, const struct sk_buff *skb,
			   int off, int len)
{
	struct sk_buff *piece = alloc_skb(len, GFP_ATOMIC | __GFP_NOWARN);

	if (!piece)
		return NULL;
	if (skb_copy_bits(skb, off, skb_put(piece, len), len)) {
		kfree_skb(piece);
		return NULL;
	}
	return frame_block(ep, piece);
}

/* Returns a copy of a frame whose bytes are in fragments, or shared. */
static mblk_t *frame_pieces(struct dlpi_end *ep, struct sk_buff *skb)
{
	mblk_t *first = NULL, *mp;
	int off = 0;

	do {
		int len = min_t(int, skb->len - off, PIECE_MAX);

		mp = frame_piece(ep, skb, off, len);
		if (!mp) {
			freemsg(first);
			kfree_skb(skb);
			return NULL;
		}
		if (first)
			linkb(first, mp);
		else
			first = mp;
		off += len;
	} while (off < skb->len);
	consume_skb(skb);
	return first;
}

/**
 * dlpi_frame_data() - make data blocks of a frame
 * @ep: the receiver, whose receive buffer they count against until they are freed
 * @skb: the frame, the caller's alone, from skb->data on; consumed
 *
 * Return: the blocks, NULL when the buffer is full or memory short.
 */
mblk_t *dlpi_frame_data(struct dlpi_end *ep, struct sk_buff *skb)
{
	const struct sock *sk = &ep->sk;

	if (atomic_read(&sk->sk_rmem_alloc) >= READ_ONCE(sk->sk_rcvbuf)) {
		kfree_skb(skb);
		return NULL;
	}
	if (skb_is_nonlinear(skb) || skb_cloned(skb))
		return frame_pieces(ep, skb);
	skb_orphan(skb);
	skb_dst_drop(skb);
	skb_ext_reset(skb);
	nf_reset_ct(skb);
	return frame_block(ep, skb);
}
