// SPDX-License-Identifier: GPL-2.0-only
/* Logical Link Control, IEEE 802.2: its header, and the commands XID and TEST */
#include <linux/skbuff.h>

#include "ack.h"
#include "end.h"
#include "frame.h"
#include "llc.h"
#include "send.h"
#include "up.h"

#define LLC_HLEN	3	/* DSAP, SSAP, control */
#define LLC_RESPONSE	0x01	/* a bit of SSAP */
#define LLC_GROUP	0x01	/* a bit of DSAP */

/* The answer to XID: basic format, class 1, no window. */
static const u8 xid_info[] = { 0x81, 0x01, 0x00 };

/* The parts of a frame for a SAP */
struct llc_frame {
	u8 hw_to[ETH_ALEN];
	u8 hw_from[ETH_ALEN];
	u8 dsap;
	u8 ssap;
	u8 control;		/* without the P/F bit */
	bool poll;		/* ... which this is */
	bool response;
};

static mblk_t *llc_ind(const struct dlpi_bind *bind, const struct llc_frame *f,
		       u32 prim)
{
	bool unitdata = prim == DL_UNITDATA_IND;
	size_t size = unitdata ? sizeof(dl_unitdata_ind_t) : sizeof(dl_xid_ind_t);
	struct dlpi_addr to, from;
	mblk_t *mp;

	dlpi_addr_make(&to, bind, f->hw_to, ETH_ALEN, f->dsap);
	dlpi_addr_make(&from, bind, f->hw_from, ETH_ALEN, f->ssap);
	mp = allocb(size + to.len + from.len, BPRI_MED);
	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_PROTO;
	if (unitdata)
		*(dl_unitdata_ind_t *)mp->b_rptr = (dl_unitdata_ind_t){
			.dl_primitive = prim,
			.dl_dest_addr_length = to.len,
			.dl_dest_addr_offset = size,
			.dl_src_addr_length = from.len,
			.dl_src_addr_offset = size + to.len,
			.dl_group_address = is_multicast_ether_addr(f->hw_to) ||
					    f->dsap & LLC_GROUP,
		};
	else
		*(dl_xid_ind_t *)mp->b_rptr = (dl_xid_ind_t){
			.dl_primitive = prim,
			.dl_flag = f->poll ? DL_POLL_FINAL : 0,
			.dl_dest_addr_length = to.len,
			.dl_dest_addr_offset = size,
			.dl_src_addr_length = from.len,
			.dl_src_addr_offset = size + to.len,
		};
	memcpy(mp->b_rptr + size, to.bytes, to.len);
	memcpy(mp->b_rptr + size + to.len, from.bytes, from.len);
	mp->b_wptr += size + to.len + from.len;
	return mp;
}

/* Sends the provider's own answer. */
static void llc_answer(struct dlpi_end *ep, const struct dlpi_bind *bind,
		       struct net_device *dev, const struct llc_frame *f,
		       struct sk_buff *skb)
{
	u8 control = f->control | (f->poll ? DLPI_LLC_PF : 0);

	if (f->control == DLPI_LLC_XID)
		dlpi_send_answer(ep, bind, dev, f->hw_from, f->ssap, control,
				 xid_info, sizeof(xid_info));
	else if (!skb_linearize(skb))
		dlpi_send_answer(ep, bind, dev, f->hw_from, f->ssap, control,
				 skb->data, skb->len);
	consume_skb(skb);
}

static void llc_ui(struct dlpi_end *ep, const struct dlpi_bind *bind,
		   const struct llc_frame *f, struct sk_buff *skb)
{
	if (bind->has_snap) {
		if (!pskb_may_pull(skb, DLPI_SNAP_LEN) ||
		    memcmp(skb->data, bind->snap, DLPI_SNAP_LEN)) {
			consume_skb(skb);
			return;
		}
		__skb_pull(skb, DLPI_SNAP_LEN);
	}
	dlpi_up_frame(ep, llc_ind(bind, f, DL_UNITDATA_IND), skb);
}

static void llc_xid_test(struct dlpi_end *ep, const struct dlpi_bind *bind,
			 const struct llc_frame *f, struct sk_buff *skb,
			 struct net_device *dev)
{
	bool xid = f->control == DLPI_LLC_XID;
	u32 prim;

	/* XID and TEST are sent by the SAP, not by one of its protocols. */
	if (bind->has_snap || !is_valid_ether_addr(f->hw_from)) {
		consume_skb(skb);
		return;
	}
	if (!f->response && bind->autos & (xid ? DL_AUTO_XID : DL_AUTO_TEST)) {
		llc_answer(ep, bind, dev, f, skb);
		return;
	}
	if (f->response)
		prim = xid ? DL_XID_CON : DL_TEST_CON;
	else
		prim = xid ? DL_XID_IND : DL_TEST_IND;
	dlpi_up_frame(ep, llc_ind(bind, f, prim), skb);
}

void dlpi_llc_rcv(struct dlpi_end *ep, const struct dlpi_bind *bind,
		  struct sk_buff *skb, struct net_device *dev)
{
	struct ethhdr *eth = (struct ethhdr *)skb->data;
	u16 len = ntohs(eth->h_proto);
	struct llc_frame f;
	u8 *llc;

	/* The caller has checked that the headers are there. */
	if (len < LLC_HLEN ||
	    (skb->len > ETH_HLEN + len && pskb_trim(skb, ETH_HLEN + len))) {
		kfree_skb(skb);
		dlpi_up_drop(ep, "malformed");
		return;
	}
	eth = (struct ethhdr *)skb->data;
	llc = skb->data + ETH_HLEN;
	memcpy(f.hw_to, eth->h_dest, ETH_ALEN);
	memcpy(f.hw_from, eth->h_source, ETH_ALEN);
	f.dsap = llc[0];
	f.ssap = llc[1] & ~LLC_RESPONSE;
	f.response = llc[1] & LLC_RESPONSE;
	f.control = llc[2] & ~DLPI_LLC_PF;
	f.poll = llc[2] & DLPI_LLC_PF;
	__skb_pull(skb, ETH_HLEN + LLC_HLEN);
	switch (f.control) {
	case DLPI_LLC_UI:
		llc_ui(ep, bind, &f, skb);
		break;
	case DLPI_LLC_XID:
	case DLPI_LLC_TEST:
		llc_xid_test(ep, bind, &f, skb, dev);
		break;
	default:
		/* A provider of connections would answer these. */
		consume_skb(skb);
	}
}

/* Returns the error of a request with a binding, or -1. */
static int llc_refused(const struct dlpi_bind *bind, u32 prim)
{
	if (!dlpi_has_llc(bind) || bind->has_snap)
		return DL_NOTSUPPORTED;
	if ((prim == DL_XID_REQ || prim == DL_XID_RES) && bind->autos & DL_AUTO_XID)
		return DL_XIDAUTO;
	if ((prim == DL_TEST_REQ || prim == DL_TEST_RES) &&
	    bind->autos & DL_AUTO_TEST)
		return DL_TESTAUTO;
	return -1;
}

/**
 * dlpi_llc_req() - send XID or TEST, a command or a response
 * @q: the write queue
 * @mp: DL_XID_REQ, DL_XID_RES, DL_TEST_REQ or DL_TEST_RES, long enough
 * @prim: its type
 *
 * Context: inside the perimeter.
 * Return: false when it has to wait for room in the send buffer.
 */
bool dlpi_llc_req(queue_t *q, mblk_t *mp, u32 prim)
{
	bool xid = prim == DL_XID_REQ || prim == DL_XID_RES;
	u8 control = xid ? DLPI_LLC_XID : DLPI_LLC_TEST;
	struct dlpi_end *ep = dlpi_end(q);
	int error = llc_refused(&ep->bind, prim);
	struct net_device *dev;
	struct dlpi_addr to;
	dl_xid_req_t req;

	tpi_get(mp, &req, sizeof(req));
	if (error < 0 && !dlpi_send_has_room(ep))
		return false;
	if (error < 0 && !dlpi_addr_get(mp, req.dl_dest_addr_offset,
					req.dl_dest_addr_length, &to))
		error = DL_BADADDR;
	if (error < 0) {
		if (req.dl_flag & DL_POLL_FINAL)
			control |= DLPI_LLC_PF;
		rcu_read_lock();
		dev = rcu_dereference(ep->dev);
		error = dev ? dlpi_send(ep, dev, &to, control,
					prim == DL_XID_RES || prim == DL_TEST_RES,
					mp->b_cont) : DL_SYSERR;
		rcu_read_unlock();
	}
	if (error < 0)
		freemsg(mp);
	else
		strtpi_reply(q, dlpi_error_ack(mp, error, ENETDOWN));
	return true;
}
