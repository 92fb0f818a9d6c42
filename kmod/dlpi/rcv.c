// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames that arrive for an endpoint from its device
 *
 * Runs in softirq context and under RCU; for a frame that the host sends, under the
 * transmit lock of the device as well.
 */
#include <linux/if_vlan.h>
#include <linux/skbuff.h>

#include "streams/head/stat.h"
#include "end.h"
#include "frame.h"
#include "llc.h"
#include "rcv.h"
#include "up.h"

static bool rcv_has_joined(const struct dlpi_end *ep, const u8 *group)
{
	u64 addr = ether_addr_to_u64(group);
	int i;

	for (i = 0; i < DLPI_GROUPS; i++) {
		if (READ_ONCE(ep->groups[i]) == addr)
			return true;
	}
	return false;
}

/* Returns whether a frame's destination is this endpoint. */
static bool rcv_is_wanted(const struct dlpi_end *ep, const struct dlpi_tap *tap,
			  const struct sk_buff *skb, const struct net_device *dev)
{
	u8 promisc = READ_ONCE(ep->promisc);

	switch (skb->pkt_type) {
	case PACKET_HOST:
	case PACKET_BROADCAST:
		return promisc & (DLPI_PHYS | DLPI_SAPS) || tap->bind.bound;
	case PACKET_MULTICAST:
		/* A group cannot be recognised without a header. */
		return promisc & (DLPI_PHYS | DLPI_MULTI) || tap->bare ||
		       rcv_has_joined(ep, eth_hdr(skb)->h_dest);
	case PACKET_OTHERHOST:
		return promisc & DLPI_PHYS;
	case PACKET_OUTGOING:
		/* The loopback device also receives the frames it sends. */
		return promisc & DLPI_PHYS && !(dev->flags & IFF_LOOPBACK);
	default:
		return false;
	}
}

static mblk_t *rcv_unitdata_ind(const struct dlpi_addr *to,
				const struct dlpi_addr *from, bool group)
{
	dl_unitdata_ind_t *ind;
	mblk_t *mp = allocb(sizeof(*ind) + to->len + from->len, BPRI_MED);

	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_PROTO;
	ind = (dl_unitdata_ind_t *)mp->b_rptr;
	*ind = (dl_unitdata_ind_t){
		.dl_primitive = DL_UNITDATA_IND,
		.dl_dest_addr_length = to->len,
		.dl_dest_addr_offset = sizeof(*ind),
		.dl_src_addr_length = from->len,
		.dl_src_addr_offset = sizeof(*ind) + to->len,
		.dl_group_address = group,
	};
	memcpy(ind + 1, to->bytes, to->len);
	memcpy((u8 *)(ind + 1) + to->len, from->bytes, from->len);
	mp->b_wptr += sizeof(*ind) + to->len + from->len;
	return mp;
}

/*
 * Receives a frame of a device without headers: only the type of the data is
 * known.
 */
static void rcv_bare(struct dlpi_end *ep, struct sk_buff *skb)
{
	u16 sap = ntohs(skb->protocol);
	struct dlpi_addr addr;

	memcpy(addr.bytes, &sap, sizeof(sap));
	addr.len = DLPI_SAP_LEN;
	dlpi_up_frame(ep, rcv_unitdata_ind(&addr, &addr, false), skb);
}

/* Cuts off the padding of an IEEE 802.3 frame, whose type field is a length. */
static bool rcv_trim(struct sk_buff *skb, unsigned int len)
{
	return skb->len <= len || !pskb_trim(skb, len);
}

static void rcv_ethernet(struct dlpi_end *ep, struct sk_buff *skb)
{
	struct dlpi_addr to, from;
	struct ethhdr *eth;
	mblk_t *mp;
	u16 type;

	if (!pskb_may_pull(skb, ETH_HLEN)) {
		kfree_skb(skb);
		dlpi_up_drop(ep, "malformed");
		return;
	}
	eth = (struct ethhdr *)skb->data;
	type = ntohs(eth->h_proto);
	/* All frames of IEEE 802.3 count as SAP 0 in this case. */
	if (!dlpi_is_type(type) && !rcv_trim(skb, ETH_HLEN + type)) {
		kfree_skb(skb);
		dlpi_up_drop(ep, "malformed");
		return;
	}
	eth = (struct ethhdr *)skb->data;
	if (!dlpi_is_type(type))
		type = 0;
	memcpy(to.bytes, eth->h_dest, ETH_ALEN);
	memcpy(from.bytes, eth->h_source, ETH_ALEN);
	memcpy(to.bytes + ETH_ALEN, &type, sizeof(type));
	memcpy(from.bytes + ETH_ALEN, &type, sizeof(type));
	to.len = ETH_ALEN + DLPI_SAP_LEN;
	from.len = to.len;
	mp = rcv_unitdata_ind(&to, &from, is_multicast_ether_addr(eth->h_dest));
	__skb_pull(skb, ETH_HLEN);
	dlpi_up_frame(ep, mp, skb);
}

static void rcv_raw(struct dlpi_end *ep, struct sk_buff *skb)
{
	bool sent = dlpi_up_is_sent(skb);
	mblk_t *mp = dlpi_frame_data(ep, skb);

	if (mp)
		dlpi_up_pass(ep, mp, sent);
	else
		dlpi_up_drop(ep, "memory");
}

/* Returns whether an LLC frame is for the SAP of a binding. */
static bool rcv_is_llc(const struct dlpi_bind *bind, struct sk_buff *skb)
{
	struct ethhdr *eth;
	u8 dsap;

	if (!dlpi_has_llc(bind) || dlpi_up_is_sent(skb) ||
	    skb->pkt_type == PACKET_OTHERHOST ||
	    !pskb_may_pull(skb, ETH_HLEN + 3))
		return false;
	eth = (struct ethhdr *)skb->data;
	dsap = skb->data[ETH_HLEN];
	return ntohs(eth->h_proto) < ETH_P_802_3_MIN &&
	       (dsap == bind->sap || dsap == 0xff);
}

/* Receives one frame with the headers that it has on the wire. */
static void rcv_frame(struct dlpi_end *ep, const struct dlpi_tap *tap,
		      struct sk_buff *skb, struct net_device *dev)
{
	const struct dlpi_bind *bind = &tap->bind;

	if (READ_ONCE(ep->raw))
		rcv_raw(ep, skb);
	else if (tap->bare)
		rcv_bare(ep, skb);
	else if (rcv_is_llc(bind, skb))
		dlpi_llc_rcv(ep, bind, skb, dev);
	else if (dlpi_has_llc(bind) &&
		 !(READ_ONCE(ep->promisc) & (DLPI_PHYS | DLPI_SAPS)))
		consume_skb(skb);
	else
		rcv_ethernet(ep, skb);
}

/* Receives a list of frames of one buffer. */
static void rcv_frames(struct dlpi_end *ep, const struct dlpi_tap *tap,
		       struct sk_buff *skb, struct net_device *dev)
{
	struct sk_buff *next;

	skb_list_walk_safe(skb, skb, next) {
		skb_mark_not_on_list(skb);
		skb = dlpi_frame_whole(skb);
		if (skb)
			rcv_frame(ep, tap, skb, dev);
		else
			dlpi_up_drop(ep, "memory");
	}
}

/* Each tap's function: see struct dlpi_tap. */
int dlpi_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
	     struct net_device *orig_dev)
{
	struct dlpi_tap *tap = container_of(pt, struct dlpi_tap, pt);
	struct sock *sk = pt->af_packet_priv;
	struct dlpi_end *ep = container_of(sk, struct dlpi_end, sk);

	if (!READ_ONCE(ep->open) || !rcv_is_wanted(ep, tap, skb, dev)) {
		consume_skb(skb);
		return NET_RX_SUCCESS;
	}
	if (!canputnext(ep->rq)) {
		kfree_skb(skb);
		dlpi_up_drop(ep, "full");
		return NET_RX_DROP;
	}
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		goto drop;
	/* A hook finds a received frame at its network header. */
	if (!tap->bare && skb->data > skb_mac_header(skb))
		skb_push(skb, skb->data - skb_mac_header(skb));
	skb = dlpi_frame_segments(skb);
	if (!skb)
		goto drop;
	rcv_frames(ep, tap, skb, dev);
	return NET_RX_SUCCESS;

drop:
	dlpi_up_drop(ep, "memory");
	return NET_RX_DROP;
}
