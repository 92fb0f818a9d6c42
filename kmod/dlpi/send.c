// SPDX-License-Identifier: GPL-2.0-only
/* Frames that an endpoint sends: by the device's queue disciplines */
#include <linux/if_vlan.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>

#include "streams/head/stat.h"
#include "ack.h"
#include "end.h"
#include "frame.h"
#include "send.h"

#define LLC_HLEN	3	/* DSAP, SSAP, control */
#define SNAP_HLEN	(LLC_HLEN + DLPI_SNAP_LEN)

/* A frame up to this size is in one piece. */
#define LINEAR_MAX	SKB_MAX_HEAD(LL_MAX_HEADER)

/**
 * dlpi_send_has_room() - whether one more frame may be in the device's queues
 * @ep: the endpoint
 *
 * Return: true; or false: the write queue will be enabled when there is room.
 */
bool dlpi_send_has_room(struct dlpi_end *ep)
{
	if (likely(sock_writeable(&ep->sk)))
		return true;
	WRITE_ONCE(ep->blocked, true);
	/*
	 * The flag is set before the second look: see dlpi_end_write_space() for the other
	 * side.
	 */
	smp_mb();
	if (!sock_writeable(&ep->sk))
		return false;
	WRITE_ONCE(ep->blocked, false);
	return true;
}

static size_t send_len(const mblk_t *mp)
{
	size_t len = 0;

	for (; mp; mp = mp->b_cont)
		len += MBLKL(mp) > 0 ? MBLKL(mp) : 0;
	return len;
}

/* Appends a message to the buffer; there is room for it. */
static void send_copy(struct sk_buff *skb, const mblk_t *mp)
{
	int off = skb_headlen(skb);

	for (; mp; mp = mp->b_cont) {
		if (MBLKL(mp) <= 0)
			continue;
		if (skb_is_nonlinear(skb)) {
			skb_store_bits(skb, off, mp->b_rptr, MBLKL(mp));
			off += MBLKL(mp);
		} else {
			skb_put_data(skb, mp->b_rptr, MBLKL(mp));
		}
	}
}

/* Allocates a buffer with a message in it, and room for headers before that. */
static struct sk_buff *send_alloc(struct net_device *dev, size_t head, size_t len,
				  const mblk_t *mp)
{
	size_t room = LL_RESERVED_SPACE(dev) + head;
	size_t tail = dev->needed_tailroom;
	struct sk_buff *skb;
	int err;

	if (len <= LINEAR_MAX)
		skb = alloc_skb(room + len + tail, GFP_ATOMIC | __GFP_NOWARN);
	else
		skb = alloc_skb_with_frags(room + tail, len, 3, &err,
					   GFP_ATOMIC | __GFP_NOWARN);
	if (!skb)
		return NULL;
	skb->dev = dev;
	skb_reserve(skb, room);
	if (len > LINEAR_MAX) {
		skb->data_len = len;
		skb->len = len;
	}
	send_copy(skb, mp);
	return skb;
}

/*
 * Counts a frame against the send buffer, and passes it to the device's queue.
 */
static void dlpi_send_out(struct dlpi_end *ep, struct sk_buff *skb)
{
	int err;

	skb_set_owner_w(skb, &ep->sk);
	err = dev_queue_xmit(skb);
	/* The macro net_xmit_eval() evaluates its argument twice. */
	if (net_xmit_eval(err))
		atomic_inc(&ep->tx_dropped);
}

/* Writes the headers of LLC and SNAP. */
static void send_llc_header(struct sk_buff *skb, const struct dlpi_bind *bind,
			    u8 dsap, u8 ctl, bool rsp)
{
	u8 *llc;

	if (bind->has_snap)
		memcpy(skb_push(skb, DLPI_SNAP_LEN), bind->snap, DLPI_SNAP_LEN);
	llc = skb_push(skb, LLC_HLEN);
	llc[0] = dsap;
	llc[1] = bind->sap | rsp;
	llc[2] = ctl;
}

/* Returns whether an address can be that of a frame of a binding. */
static bool send_is_address(const struct dlpi_end *ep,
			    const struct dlpi_addr *to)
{
	const struct dlpi_bind *bind = &ep->bind;
	u16 sap;

	if (to->len != dlpi_addr_len(ep))
		return false;
	sap = dlpi_addr_sap(to, dlpi_hw_len(ep));
	if (dlpi_is_type(bind->sap))
		return dlpi_is_type(sap);
	if (!bind->sap)
		return !sap;
	return sap <= 0xff && (!bind->has_snap || sap == DLPI_SAP_SNAP);
}

int dlpi_send(struct dlpi_end *ep, struct net_device *dev,
	      const struct dlpi_addr *to, u8 ctl, bool rsp, const mblk_t *data)
{
	const struct dlpi_bind *bind = &ep->bind;
	size_t len = send_len(data), head = 0;
	struct sk_buff *skb;
	u16 sap, type;

	if (!send_is_address(ep, to))
		return DL_BADADDR;
	if (len > dlpi_frame_max_sdu(bind, dev))
		return DL_BADDATA;
	if (!(dev->flags & IFF_UP))
		return DL_SYSERR;
	if (dlpi_has_llc(bind))
		head = bind->has_snap ? SNAP_HLEN : LLC_HLEN;
	skb = send_alloc(dev, head, len, data);
	if (!skb) {
		atomic_inc(&ep->tx_dropped);
		return -1;
	}
	sap = dlpi_addr_sap(to, dlpi_hw_len(ep));
	type = dlpi_is_type(sap) ? sap : ETH_P_802_2;
	if (head)
		send_llc_header(skb, bind, sap, ctl, rsp);
	skb->protocol = htons(type);
	skb_reset_network_header(skb);
	if (dev_hard_header(skb, dev, type, to->bytes, NULL, skb->len) < 0) {
		kfree_skb(skb);
		return DL_BADADDR;
	}
	skb_reset_mac_header(skb);
	dlpi_send_out(ep, skb);
	return -1;
}

void dlpi_send_answer(struct dlpi_end *ep, const struct dlpi_bind *bind,
		      struct net_device *dev, const u8 *hw, u8 dsap, u8 ctl,
		      const void *data, size_t len)
{
	struct sk_buff *skb;

	if (!sock_writeable(&ep->sk))
		return;
	skb = send_alloc(dev, LLC_HLEN, len, NULL);
	if (!skb)
		return;
	if (len > LINEAR_MAX)
		skb_store_bits(skb, 0, data, len);
	else
		skb_put_data(skb, data, len);
	send_llc_header(skb, bind, dsap, ctl, true);
	skb->protocol = htons(ETH_P_802_2);
	skb_reset_network_header(skb);
	if (dev_hard_header(skb, dev, ETH_P_802_2, hw, NULL, skb->len) < 0) {
		kfree_skb(skb);
		return;
	}
	skb_reset_mac_header(skb);
	dlpi_send_out(ep, skb);
}

static mblk_t *send_uderror(mblk_t *mp, const struct dlpi_addr *to, u32 error)
{
	dl_uderror_ind_t ind = {
		.dl_primitive = DL_UDERROR_IND,
		.dl_dest_addr_length = to->len,
		.dl_dest_addr_offset = to->len ? sizeof(ind) : 0,
		.dl_errno = error,
		.dl_unix_errno = error == DL_SYSERR ? ENETDOWN : 0,
	};

	return strtpi_prim(mp, M_PROTO, &ind, sizeof(ind), to->bytes, to->len);
}

static int send_unitdata(struct dlpi_end *ep, const struct dlpi_addr *to,
			 const mblk_t *data)
{
	struct net_device *dev;
	int error;

	/* A frame has at least dl_min_sdu bytes of data, which is 1. */
	if (!send_len(data))
		return DL_BADDATA;
	rcu_read_lock();
	dev = rcu_dereference(ep->dev);
	error = dev ? dlpi_send(ep, dev, to, DLPI_LLC_UI, false, data) :
		      DL_SYSERR;
	rcu_read_unlock();
	return error;
}

/**
 * dlpi_unitdata_req() - send a frame
 * @q: the write queue
 * @mp: a DL_UNITDATA_REQ, long enough
 *
 * Context: inside the perimeter.
 * Return: false when it has to wait for room in the send buffer.
 */
bool dlpi_unitdata_req(queue_t *q, mblk_t *mp)
{
	struct dlpi_end *ep = dlpi_end(q);
	struct dlpi_addr to = {};
	dl_unitdata_req_t req;
	int error;

	tpi_get(mp, &req, sizeof(req));
	if (!dlpi_addr_get(mp, req.dl_dest_addr_offset, req.dl_dest_addr_length,
			   &to)) {
		error = DL_BADADDR;
	} else if (ep->state != DL_IDLE) {
		error = DL_OUTSTATE;
	} else {
		if (!dlpi_send_has_room(ep))
			return false;
		error = send_unitdata(ep, &to, mp->b_cont);
	}
	if (error < 0)
		freemsg(mp);
	else
		strtpi_reply(q, send_uderror(mp, &to, error));
	return true;
}

/*
 * Returns the protocol of a frame that has its header; 0: the frame is too
 * short, or the protocol is unknown.
 */
static __be16 raw_protocol(const struct dlpi_end *ep, struct sk_buff *skb)
{
	unsigned int head = ep->bare ? 0 : skb->dev->hard_header_len;
	/* The header of IP says what protocol a bare packet is of. */
	unsigned int pull = ep->bare ? min_t(unsigned int, skb->len,
					     sizeof(struct ipv6hdr)) : head;
	__be16 protocol;

	if (!pskb_may_pull(skb, pull))
		return 0;
	skb_set_network_header(skb, head);
	protocol = dev_parse_header_protocol(skb);
	if (!ep->bare)
		return eth_proto_is_802_3(protocol) ? protocol : htons(ETH_P_802_2);
	/*
	 * The version in an IP packet's header selects the protocol; the
	 * binding does for other packets.
	 */
	return protocol ?: htons(ep->bind.sap);
}

/* Sends a frame with the header that the program has made. */
static void send_raw(struct dlpi_end *ep, struct net_device *dev, mblk_t *mp)
{
	size_t len = send_len(mp), most = READ_ONCE(dev->mtu);
	struct sk_buff *skb;

	if (!ep->bare)
		most += ETH_HLEN + VLAN_HLEN;
	if (len <= dev->hard_header_len || len > most || !(dev->flags & IFF_UP))
		goto drop;
	skb = send_alloc(dev, 0, len, mp);
	if (!skb)
		goto drop;
	skb_reset_mac_header(skb);
	skb->protocol = raw_protocol(ep, skb);
	if (!skb->protocol ||
	    (!ep->bare && len > READ_ONCE(dev->mtu) + ETH_HLEN &&
	     !eth_type_vlan(skb->protocol))) {
		kfree_skb(skb);
		goto drop;
	}
	dlpi_send_out(ep, skb);
	return;

drop:
	atomic_inc(&ep->tx_dropped);
}

/**
 * dlpi_raw_req() - send a message of data as a frame
 * @q: the write queue
 * @mp: an M_DATA
 *
 * Context: inside the perimeter.
 * Return: false when it has to wait for room in the send buffer.
 */
bool dlpi_raw_req(queue_t *q, mblk_t *mp)
{
	struct dlpi_end *ep = dlpi_end(q);
	struct net_device *dev;

	if (!ep->raw && !ep->prebuilt) {
		/* Data is sent with a DL_UNITDATA_REQ. */
		strtpi_reply(q, strtpi_fatal(mp));
		return true;
	}
	if (!dlpi_send_has_room(ep))
		return false;
	rcu_read_lock();
	dev = rcu_dereference(ep->dev);
	if (dev)
		send_raw(ep, dev, mp);
	else
		atomic_inc(&ep->tx_dropped);
	rcu_read_unlock();
	freemsg(mp);
	return true;
}

/**
 * dlpi_send_header() - make the header that a frame would have
 * @ep: the endpoint, in DL_IDLE
 * @dev: its device
 * @to: the frame's destination
 * @eth: the header
 *
 * Return: 0 or a positive errno: EINVAL, there is none that all frames could have.
 */
int dlpi_send_header(struct dlpi_end *ep, struct net_device *dev,
		     const struct dlpi_addr *to, struct ethhdr *eth)
{
	if (ep->bare || !dlpi_is_type(ep->bind.sap) ||
	    !send_is_address(ep, to))
		return EINVAL;
	memcpy(eth->h_dest, to->bytes, ETH_ALEN);
	memcpy(eth->h_source, dev->dev_addr, ETH_ALEN);
	eth->h_proto = htons(dlpi_addr_sap(to, ETH_ALEN));
	return 0;
}
