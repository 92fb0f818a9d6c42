// SPDX-License-Identifier: GPL-2.0-only
/*
 * The primitives of local management
 *
 * All but DL_INFO_REQ run in the work item, under the RTNL, on behalf of the task
 * that opened the stream. Each makes its answer, and sets next_state when that is
 * another than the one before.
 */
#include <linux/cred.h>
#include <linux/rtnetlink.h>
#include <linux/user_namespace.h>
#include <net/net_namespace.h>

#include "ack.h"
#include "end.h"
#include "frame.h"
#include "link.h"
#include "local.h"

#define NOTES	(DL_NOTE_LINK_DOWN | DL_NOTE_LINK_UP | DL_NOTE_PHYS_ADDR | \
		 DL_NOTE_SDU_SIZE)

static void info_link(const struct dlpi_end *ep, const struct net_device *dev,
		      dl_info_ack_t *ack, u8 *addrs)
{
	struct dlpi_addr addr;

	ack->dl_max_sdu = dlpi_frame_max_sdu(&ep->bind, dev);
	ack->dl_addr_length = dlpi_addr_len(ep);
	ack->dl_sap_length = -(s32)(ack->dl_addr_length - dlpi_hw_len(ep));
	ack->dl_mac_type = ep->bare ? DL_OTHER : DL_ETHER;
	if (ep->state == DL_IDLE) {
		dlpi_addr_make(&addr, &ep->bind, dev->dev_addr, dlpi_hw_len(ep),
			       ep->bind.sap);
		ack->dl_addr_offset = sizeof(*ack);
		memcpy(addrs, addr.bytes, addr.len);
	}
	if (!ep->bare) {
		ack->dl_brdcst_addr_length = ETH_ALEN;
		ack->dl_brdcst_addr_offset = sizeof(*ack) + DLPI_ADDR_MAX;
		memcpy(addrs + DLPI_ADDR_MAX, dev->broadcast, ETH_ALEN);
	}
}

/**
 * dlpi_info_req() - report the endpoint's properties
 * @ep: the endpoint
 * @mp: a DL_INFO_REQ, consumed
 *
 * Context: inside the perimeter.
 * Return: the answer, NULL when memory is short.
 */
mblk_t *dlpi_info_req(struct dlpi_end *ep, mblk_t *mp)
{
	struct net_device *dev;
	dl_info_ack_t *ack;

	mp = strtpi_answer(mp, sizeof(*ack) + DLPI_ADDR_MAX + ETH_ALEN, M_PCPROTO);
	if (!mp)
		return NULL;
	ack = (dl_info_ack_t *)mp->b_rptr;
	ack->dl_primitive = DL_INFO_ACK;
	ack->dl_min_sdu = 1;
	ack->dl_mac_type = DL_OTHER;
	ack->dl_current_state = ep->state;
	ack->dl_sap_length = -DLPI_SAP_LEN;
	ack->dl_service_mode = DL_CLDLS;
	ack->dl_provider_style = ep->named ? DL_STYLE1 : DL_STYLE2;
	ack->dl_version = DL_VERSION_2;
	rcu_read_lock();
	dev = rcu_dereference(ep->dev);
	if (dev)
		info_link(ep, dev, ack, (u8 *)(ack + 1));
	rcu_read_unlock();
	return mp;
}

static mblk_t *attach_req(struct dlpi_end *ep, mblk_t *mp)
{
	dl_attach_req_t req;

	tpi_get(mp, &req, sizeof(req));
	if (dlpi_link_attach(ep, req.dl_ppa))
		return dlpi_error_ack(mp, DL_BADPPA, 0);
	ep->next_state = DL_UNBOUND;
	return dlpi_ok_ack(mp);
}

static mblk_t *detach_req(struct dlpi_end *ep, mblk_t *mp)
{
	dlpi_link_detach(ep);
	ep->next_state = DL_UNATTACHED;
	return dlpi_ok_ack(mp);
}

/* Returns whether a SAP is a type, an LLC SAP of one station, or 0 for all of IEEE 802.3. */
static bool bind_is_sap(const struct dlpi_end *ep, u32 sap)
{
	if (sap >= ETH_P_802_3_MIN)
		return sap <= U16_MAX;
	return !ep->bare && sap < 0xff && !(sap & 1);
}

/* Returns a DL error, or -1. */
static int bind_refused(const struct dlpi_end *ep, const dl_bind_req_t *req)
{
	if (req->dl_service_mode != DL_CLDLS)
		return DL_UNSUPPORTED;
	if (!bind_is_sap(ep, req->dl_sap))
		return DL_BADSAP;
	if (req->dl_xidtest_flg & ~(DL_AUTO_XID | DL_AUTO_TEST))
		return DL_UNSUPPORTED;
	/* XID and TEST do not exist outside of LLC. */
	if (req->dl_xidtest_flg && (!req->dl_sap || dlpi_is_type(req->dl_sap)))
		return DL_NOAUTO;
	return -1;
}

static mblk_t *dlpi_bind_req(struct dlpi_end *ep, struct net_device *dev, mblk_t *mp)
{
	struct dlpi_bind bind = { .bound = true };
	struct dlpi_addr addr;
	dl_bind_ack_t *ack;
	dl_bind_req_t req;
	int error;

	tpi_get(mp, &req, sizeof(req));
	error = bind_refused(ep, &req);
	if (error >= 0)
		return dlpi_error_ack(mp, error, 0);
	mp = strtpi_answer(mp, sizeof(*ack) + dlpi_hw_len(ep) + DLPI_SAP_LEN,
			   M_PCPROTO);
	if (!mp)
		return NULL;
	bind.sap = req.dl_sap;
	bind.autos = req.dl_xidtest_flg;
	dlpi_link_bind(ep, &bind);
	dlpi_addr_make(&addr, &bind, dev->dev_addr, dlpi_hw_len(ep), bind.sap);
	ack = (dl_bind_ack_t *)mp->b_rptr;
	ack->dl_primitive = DL_BIND_ACK;
	ack->dl_sap = bind.sap;
	ack->dl_addr_length = addr.len;
	ack->dl_addr_offset = sizeof(*ack);
	ack->dl_xidtest_flg = bind.autos;
	memcpy(ack + 1, addr.bytes, addr.len);
	ep->next_state = DL_IDLE;
	return mp;
}

/* Handles DL_UNBIND_REQ: nothing arrives for the SAP afterwards. */
static mblk_t *dlpi_unbind_req(struct dlpi_end *ep, mblk_t *mp)
{
	struct dlpi_bind bind = { };

	dlpi_link_bind(ep, &bind);
	ep->next_state = DL_UNBOUND;
	return dlpi_ok_ack(mp);
}

static mblk_t *subs_bind_req(struct dlpi_end *ep, mblk_t *mp)
{
	dl_subs_bind_ack_t *ack;
	struct dlpi_bind bind = ep->bind;
	dl_subs_bind_req_t req;
	const void *at;
	int error = -1;

	tpi_get(mp, &req, sizeof(req));
	at = tpi_span(mp, req.dl_subs_sap_offset, req.dl_subs_sap_length);
	if (req.dl_subs_bind_class != DL_HIERARCHICAL_BIND ||
	    bind.sap != DLPI_SAP_SNAP)
		error = DL_UNSUPPORTED;
	else if (!at || req.dl_subs_sap_length != DLPI_SNAP_LEN)
		error = DL_BADADDR;
	else if (bind.has_snap)
		error = DL_TOOMANY;
	if (error >= 0)
		return dlpi_error_ack(mp, error, 0);
	memcpy(bind.snap, at, sizeof(bind.snap));
	bind.has_snap = true;
	mp = strtpi_answer(mp, sizeof(*ack) + sizeof(bind.snap), M_PCPROTO);
	if (!mp)
		return NULL;
	dlpi_link_bind(ep, &bind);
	ack = (dl_subs_bind_ack_t *)mp->b_rptr;
	ack->dl_primitive = DL_SUBS_BIND_ACK;
	ack->dl_subs_sap_offset = sizeof(*ack);
	ack->dl_subs_sap_length = sizeof(bind.snap);
	memcpy(ack + 1, bind.snap, sizeof(bind.snap));
	return mp;
}

static mblk_t *subs_unbind_req(struct dlpi_end *ep, mblk_t *mp)
{
	struct dlpi_bind bind = ep->bind;
	dl_subs_unbind_req_t req;
	const void *at;

	tpi_get(mp, &req, sizeof(req));
	at = tpi_span(mp, req.dl_subs_sap_offset, req.dl_subs_sap_length);
	if (!bind.has_snap || !at || req.dl_subs_sap_length != DLPI_SNAP_LEN ||
	    memcmp(bind.snap, at, DLPI_SNAP_LEN))
		return dlpi_error_ack(mp, DL_BADADDR, 0);
	bind.has_snap = false;
	dlpi_link_bind(ep, &bind);
	return dlpi_ok_ack(mp);
}

static mblk_t *multi_req(struct dlpi_end *ep, mblk_t *mp, u32 prim)
{
	dl_enabmulti_req_t req;
	u8 group[ETH_ALEN];
	const void *at;
	int err;

	tpi_get(mp, &req, sizeof(req));
	if (ep->bare)
		return dlpi_error_ack(mp, DL_NOTSUPPORTED, 0);
	at = tpi_span(mp, req.dl_addr_offset, req.dl_addr_length);
	if (!at || req.dl_addr_length != ETH_ALEN)
		return dlpi_error_ack(mp, DL_BADADDR, 0);
	memcpy(group, at, sizeof(group));
	if (!is_multicast_ether_addr(group))
		return dlpi_error_ack(mp, DL_BADADDR, 0);
	err = dlpi_link_group(ep, group, prim == DL_ENABMULTI_REQ);
	switch (err) {
	case 0:
		return dlpi_ok_ack(mp);
	case -ENOSPC:
		return dlpi_error_ack(mp, DL_TOOMANY, 0);
	case -ENOENT:
		return dlpi_error_ack(mp, DL_NOTENAB, 0);
	default:
		return dlpi_error_ack(mp, DL_SYSERR, -err);
	}
}

static mblk_t *promisc_req(struct dlpi_end *ep, mblk_t *mp, u32 prim)
{
	bool on = prim == DL_PROMISCON_REQ;
	dl_promiscon_req_t req;
	int err;

	tpi_get(mp, &req, sizeof(req));
	if (req.dl_level < DL_PROMISC_PHYS || req.dl_level > DL_PROMISC_MULTI)
		return dlpi_error_ack(mp, DL_UNSUPPORTED, 0);
	err = dlpi_link_promisc(ep, req.dl_level, on);
	if (err == -EALREADY && !on)
		return dlpi_error_ack(mp, DL_NOTENAB, 0);
	if (err && err != -EALREADY)
		return dlpi_error_ack(mp, DL_SYSERR, -err);
	return dlpi_ok_ack(mp);
}

static mblk_t *phys_addr_req(struct dlpi_end *ep, struct net_device *dev,
			     mblk_t *mp)
{
	const u8 *hw = dev->dev_addr;
	dl_phys_addr_ack_t ack = {
		.dl_primitive = DL_PHYS_ADDR_ACK,
		.dl_addr_length = ETH_ALEN,
		.dl_addr_offset = sizeof(ack),
	};
	dl_phys_addr_req_t req;

	tpi_get(mp, &req, sizeof(req));
	if (req.dl_addr_type == DL_FACT_PHYS_ADDR)
		hw = dev->perm_addr;
	else if (req.dl_addr_type != DL_CURR_PHYS_ADDR)
		return dlpi_error_ack(mp, DL_UNSUPPORTED, 0);
	/* A software device has no address but the one in use. */
	if (ep->bare ||
	    (req.dl_addr_type == DL_FACT_PHYS_ADDR && is_zero_ether_addr(hw)))
		return dlpi_error_ack(mp, DL_NOADDR, 0);
	return strtpi_prim(mp, M_PCPROTO, &ack, sizeof(ack), hw, ETH_ALEN);
}

static mblk_t *set_phys_addr_req(struct dlpi_end *ep, struct net_device *dev,
				 mblk_t *mp)
{
	struct sockaddr_storage ss = { .ss_family = dev->type };
	dl_set_phys_addr_req_t req;
	const void *at;
	int err;

	tpi_get(mp, &req, sizeof(req));
	if (!ns_capable(dev_net(dev)->user_ns, CAP_NET_ADMIN))
		return dlpi_error_ack(mp, DL_SYSERR, EPERM);
	if (ep->bare)
		return dlpi_error_ack(mp, DL_NOTSUPPORTED, 0);
	at = tpi_span(mp, req.dl_addr_offset, req.dl_addr_length);
	if (!at || req.dl_addr_length != ETH_ALEN)
		return dlpi_error_ack(mp, DL_BADADDR, 0);
	memcpy(((struct sockaddr *)&ss)->sa_data, at, ETH_ALEN);
	if (!is_valid_ether_addr(((struct sockaddr *)&ss)->sa_data))
		return dlpi_error_ack(mp, DL_BADADDR, 0);
	err = compat_set_mac_address(dev, &ss);
	return err ? dlpi_error_ack(mp, DL_SYSERR, -err) :
		     dlpi_ok_ack(mp);
}

static mblk_t *get_statistics_req(struct dlpi_end *ep, struct net_device *dev,
				  mblk_t *mp)
{
	/*
	 * The counters are 64 bits wide, so they begin at the next aligned
	 * offset.
	 */
	size_t at = ALIGN(sizeof(dl_get_statistics_ack_t), sizeof(u64));
	struct rtnl_link_stats64 s;
	dl_get_statistics_ack_t *ack;

	mp = strtpi_answer(mp, at + sizeof(dl_statistics_t), M_PCPROTO);
	if (!mp)
		return NULL;
	dev_get_stats(dev, &s);
	ack = (dl_get_statistics_ack_t *)mp->b_rptr;
	ack->dl_primitive = DL_GET_STATISTICS_ACK;
	ack->dl_stat_length = sizeof(dl_statistics_t);
	ack->dl_stat_offset = at;
	*(dl_statistics_t *)(mp->b_rptr + at) = (dl_statistics_t){
		.dls_rx_frames = s.rx_packets,
		.dls_tx_frames = s.tx_packets,
		.dls_rx_bytes = s.rx_bytes,
		.dls_tx_bytes = s.tx_bytes,
		.dls_rx_errors = s.rx_errors,
		.dls_tx_errors = s.tx_errors,
		.dls_rx_dropped = s.rx_dropped,
		.dls_tx_dropped = s.tx_dropped,
		.dls_multicast = s.multicast,
		.dls_stream_rx_dropped = sk_drops_read(&ep->sk),
		.dls_stream_tx_dropped = atomic_read(&ep->tx_dropped),
	};
	return mp;
}

static mblk_t *notify_req(struct dlpi_end *ep, struct net_device *dev, mblk_t *mp)
{
	dl_notify_ack_t *ack;
	dl_notify_req_t req;

	tpi_get(mp, &req, sizeof(req));
	mp = strtpi_answer(mp, sizeof(*ack), M_PCPROTO);
	if (!mp)
		return NULL;
	ep->notes = req.dl_notifications & NOTES;
	ep->up = dlpi_link_is_up(dev);
	ack = (dl_notify_ack_t *)mp->b_rptr;
	ack->dl_primitive = DL_NOTIFY_ACK;
	ack->dl_notifications = ep->notes;
	return mp;
}

/* Answers a primitive that needs a device. */
static mblk_t *local_link(struct dlpi_end *ep, struct net_device *dev, mblk_t *mp,
			  u32 prim)
{
	switch (prim) {
	case DL_DETACH_REQ:
		return detach_req(ep, mp);
	case DL_BIND_REQ:
		return dlpi_bind_req(ep, dev, mp);
	case DL_UNBIND_REQ:
		return dlpi_unbind_req(ep, mp);
	case DL_SUBS_BIND_REQ:
		return subs_bind_req(ep, mp);
	case DL_SUBS_UNBIND_REQ:
		return subs_unbind_req(ep, mp);
	case DL_ENABMULTI_REQ:
	case DL_DISABMULTI_REQ:
		return multi_req(ep, mp, prim);
	case DL_PROMISCON_REQ:
	case DL_PROMISCOFF_REQ:
		return promisc_req(ep, mp, prim);
	case DL_PHYS_ADDR_REQ:
		return phys_addr_req(ep, dev, mp);
	case DL_SET_PHYS_ADDR_REQ:
		return set_phys_addr_req(ep, dev, mp);
	case DL_GET_STATISTICS_REQ:
		return get_statistics_req(ep, dev, mp);
	default:
		return notify_req(ep, dev, mp);
	}
}

/**
 * dlpi_local() - act on a primitive that takes the RTNL
 * @ep: the endpoint
 * @mp: a primitive that was deferred; consumed
 *
 * Return: the answer, NULL when memory is short.
 */
mblk_t *dlpi_local(struct dlpi_end *ep, mblk_t *mp)
{
	struct net_device *dev = rtnl_dereference(ep->dev);
	u32 prim = tpi_type(mp);

	if (prim == DL_ATTACH_REQ)
		return attach_req(ep, mp);
	/* The device has left since; the hangup will be sent. */
	if (!dev)
		return dlpi_error_ack(mp, DL_SYSERR, ENODEV);
	return local_link(ep, dev, mp, prim);
}
