/* SPDX-License-Identifier: GPL-2.0-only */
/* An endpoint of the data link provider: one open of /dev/streams/dlpi, or of a node of style 1 */
#ifndef _DLPI_END_H
#define _DLPI_END_H

#include <linux/etherdevice.h>
#include <linux/hashtable.h>
#include <linux/llist.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>
#include <net/sock.h>
#include <sys/dlpi.h>
#include <sys/stream.h>

#include "tpi/tpi.h"

/* Group addresses that a stream may enable. */
#define DLPI_GROUPS	64

#define DLPI_SAP_LEN	2	/* bytes of a SAP in an address, host order */
#define DLPI_SNAP_LEN	5	/* bytes of a SNAP identifier: OUI and type */
#define DLPI_ADDR_MAX	(ETH_ALEN + DLPI_SAP_LEN + DLPI_SNAP_LEN)

#define DLPI_SAP_SNAP	0xaa	/* the LLC SAP of SNAP */

/* A DLSAP address: hardware address, SAP, and with SNAP its identifier. */
struct dlpi_addr {
	u8 bytes[DLPI_ADDR_MAX];
	u8 len;
};

/* The binding chosen by DL_BIND_REQ and DL_SUBS_BIND_REQ. */
struct dlpi_bind {
	u16 sap;
	bool bound;
	bool has_snap;
	u8 snap[DLPI_SNAP_LEN];
	u8 autos;		/* DL_AUTO_XID, DL_AUTO_TEST */
};

/*
 * A receive hook. It does not change: another binding has other taps, and those
 * before are freed after a grace period.
 */
struct dlpi_tap {
	struct packet_type pt;
	struct dlpi_bind bind;
	bool bare;		/* the endpoint's */
	struct rcu_head rcu;
};

#define DLPI_TAPS	2	/* of one endpoint */

/*
 * Changes of an endpoint
 *
 * Put and service procedures make them inside their stream's perimeter. All
 * work on the device is done by a work item, which takes the RTNL, while busy
 * is set; messages behind it wait on the write queue meanwhile. If a device
 * leaves the namespace, the notifier detaches it, also under the RTNL. The
 * close procedure leaves the device and the last reference to the work item.
 *
 * The taps read promisc and groups without a lock: values of one word each.
 *
 * A tap is given the frames that the host sends under the transmit lock of the
 * device. It runs no procedure of the stream: one could send a frame on another
 * device, or on this one. Such a frame is put on later, and the read queue's
 * service procedure sends it up.
 *
 * The endpoint is a sock, so that frames are counted against its buffers, belong
 * to its namespace, and keep it until the last of them is freed.
 */
struct dlpi_end {
	struct sock sk;			/* the first field */
	queue_t *rq;			/* the driver's read queue */
	const struct cred *cred;	/* the opener's */
	bool named;			/* style 1: its device is that of its node */
	bool open;			/* rq is there; under RCU */
	bool closing;			/* the work item has the last reference */

	/* The perimeter's */
	u32 state;			/* DL_UNATTACHED ... */
	bool busy;			/* the work item has request */
	bool answered;			/* ... and has made answer of it */
	bool blocked;			/* the first message waits for send buffer */
	bool raw;			/* DLIOCRAW: whole frames, both ways */
	bool prebuilt;			/* DL_IOC_HDR_INFO: M_DATA has its header */
	struct llist_head later;	/* messages to be sent up, newest first */
	mblk_t *request;
	mblk_t *answer;
	u32 next_state;
	struct work_struct work;
	struct rcu_head rcu;		/* for an answer after a grace period */
	struct rcu_head put;		/* for the close, which may follow at once */

	/* The link: under the RTNL */
	struct net_device __rcu *dev;	/* NULL: not attached, or gone */
	bool bare;			/* its frames have no header; as attached */
	struct hlist_node node;		/* of all that are attached */
	mblk_t *hangup;			/* for when the device is gone */
	struct dlpi_tap *taps[DLPI_TAPS];
	struct dlpi_tap *spare[DLPI_TAPS];	/* the work item's, for the next binding */
	bool untapped;			/* a tap was removed: it may still run */
	struct dlpi_bind bind;
	u8 promisc;			/* DLPI_LEVEL() bits */
	u32 notes;			/* DL_NOTE_LINK_UP ... */
	bool up;			/* as a note would have told last */
	u64 groups[DLPI_GROUPS];	/* ether_addr_to_u64(); 0: free */

	atomic_t tx_dropped;
};

#define DLPI_LEVEL(level)	(1 << (level))
#define DLPI_PHYS		DLPI_LEVEL(DL_PROMISC_PHYS)
#define DLPI_SAPS		DLPI_LEVEL(DL_PROMISC_SAP)
#define DLPI_MULTI		DLPI_LEVEL(DL_PROMISC_MULTI)

static inline struct dlpi_end *dlpi_end(const queue_t *q)
{
	return q->q_ptr;
}

/*
 * Bytes of a hardware address. The device's own length is not used: it may change
 * while a task or a tap uses the device under RCU.
 */
static inline unsigned int dlpi_hw_len(const struct dlpi_end *ep)
{
	return ep->bare ? 0 : ETH_ALEN;
}

/* Whether a SAP is a type of Ethernet's, not one of LLC's. */
static inline bool dlpi_is_type(u16 sap)
{
	return sap >= ETH_P_802_3_MIN;
}

/* Bound to an LLC SAP: LLC headers are the provider's. SAP 0: the user's. */
static inline bool dlpi_has_llc(const struct dlpi_bind *bind)
{
	return bind->bound && bind->sap && !dlpi_is_type(bind->sap);
}

static inline u16 dlpi_addr_sap(const struct dlpi_addr *addr, unsigned int alen)
{
	u16 sap;

	memcpy(&sap, addr->bytes + alen, sizeof(sap));
	return sap;
}

/* Bytes of an address on the device. */
static inline unsigned int dlpi_addr_len(const struct dlpi_end *ep)
{
	return dlpi_hw_len(ep) + DLPI_SAP_LEN +
	       (ep->bind.has_snap ? DLPI_SNAP_LEN : 0);
}

/* Makes one; @hw: the hardware address, of @alen bytes, ETH_ALEN at most. */
static inline void dlpi_addr_make(struct dlpi_addr *addr,
				  const struct dlpi_bind *bind, const u8 *hw,
				  unsigned int alen, u16 sap)
{
	memcpy(addr->bytes, hw, alen);
	memcpy(addr->bytes + alen, &sap, sizeof(sap));
	addr->len = alen + DLPI_SAP_LEN;
	if (bind->has_snap) {
		memcpy(addr->bytes + addr->len, bind->snap, DLPI_SNAP_LEN);
		addr->len += DLPI_SNAP_LEN;
	}
}

/* end.c: life */
int dlpi_end_open(queue_t *q, const struct cred *cred, const char *link);
void dlpi_end_close(queue_t *q);
int __init dlpi_end_init(void);
void dlpi_end_exit(void);
/* Gives a request to the work item; inside the perimeter. */
void dlpi_end_defer(struct dlpi_end *ep, mblk_t *mp, u32 state);

/* prim.c: primitives; false: it has to wait for room in the send buffer */
bool dlpi_prim(queue_t *q, mblk_t *mp);
void dlpi_prim_finish(queue_t *q);
mblk_t *dlpi_error_ack(mblk_t *req, u32 prim, u32 error, int unix_error);
mblk_t *dlpi_ok_ack(mblk_t *req, u32 prim);
/* Copies an address out of a primitive; false: it is not inside, or too long. */
bool dlpi_addr_get(const mblk_t *mp, u32 offset, u32 len, struct dlpi_addr *addr);

/* local.c: primitives in the work item; the RTNL is held */
mblk_t *dlpi_local(struct dlpi_end *ep, mblk_t *mp);
mblk_t *dlpi_info_req(struct dlpi_end *ep, mblk_t *mp);

/* link.c: the device; under the RTNL, except the first two */
/* Allocates what another binding takes; before each request. */
bool dlpi_link_prepare(struct dlpi_end *ep);
/* Frees it. */
void dlpi_link_forget(struct dlpi_end *ep);
int dlpi_link_attach(struct dlpi_end *ep, u32 ppa);
int dlpi_link_attach_named(struct dlpi_end *ep, const char *name);
void dlpi_link_detach(struct dlpi_end *ep);
void dlpi_link_bind(struct dlpi_end *ep, const struct dlpi_bind *bind);
int dlpi_link_promisc(struct dlpi_end *ep, u32 level, bool on);
int dlpi_link_group(struct dlpi_end *ep, const u8 *group, bool on);
bool dlpi_link_is_up(const struct net_device *dev);
unsigned int dlpi_link_max_sdu(const struct dlpi_bind *bind,
			       const struct net_device *dev);
int __init dlpi_link_init(void);
void dlpi_link_exit(void);

/* rcv.c: from the device; softirq */
int dlpi_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
	     struct net_device *orig_dev);
void dlpi_rcv_drop(struct dlpi_end *ep);
/*
 * Sends up a message, behind those that wait; under RCU, and ep->open was set.
 * @later: the caller holds locks of the network: no procedure runs in it.
 */
void dlpi_rcv_pass(struct dlpi_end *ep, mblk_t *mp, bool later);
/* Sends up those that wait; inside the perimeter. */
void dlpi_rcv_passed(struct dlpi_end *ep);
/* Frees them: no tap runs any more. */
void dlpi_rcv_forget(struct dlpi_end *ep);
/* Sends up a primitive with addresses and the data of a frame, both consumed. */
void dlpi_rcv_up(struct dlpi_end *ep, mblk_t *mp, struct sk_buff *skb);

/* frame.c: frames as they are on the wire; NULL: memory is short */
struct sk_buff *dlpi_frame_segments(struct sk_buff *skb);
struct sk_buff *dlpi_frame_whole(struct sk_buff *skb);
mblk_t *dlpi_frame_data(struct dlpi_end *ep, struct sk_buff *skb);

/* send.c */
bool dlpi_unitdata_req(queue_t *q, mblk_t *mp);
bool dlpi_raw_req(queue_t *q, mblk_t *mp);
bool dlpi_send_has_room(struct dlpi_end *ep);
/* A DL error, or -1: sent. @ctl: the LLC control field, @rsp: a response. */
int dlpi_send(struct dlpi_end *ep, struct net_device *dev,
	      const struct dlpi_addr *to, u8 ctl, bool rsp, const mblk_t *data);
/* An answer to a frame by the provider itself, with such data. */
void dlpi_send_answer(struct dlpi_end *ep, const struct dlpi_bind *bind,
		      struct net_device *dev, const u8 *hw, u8 dsap, u8 ctl,
		      const void *data, size_t len);
int dlpi_send_header(struct dlpi_end *ep, struct net_device *dev,
		     const struct dlpi_addr *to, struct ethhdr *eth);

/* llc.c: XID and TEST */
#define DLPI_LLC_UI	0x03
#define DLPI_LLC_XID	0xaf
#define DLPI_LLC_TEST	0xe3
#define DLPI_LLC_PF	0x10	/* poll or final */

bool dlpi_llc_req(queue_t *q, mblk_t *mp, u32 prim);
/* A frame for an LLC SAP, skb->data at its link header; consumed. */
void dlpi_llc_rcv(struct dlpi_end *ep, const struct dlpi_bind *bind,
		  struct sk_buff *skb, struct net_device *dev);

/* ioctl.c */
void dlpi_ioctl(queue_t *q, mblk_t *mp);

/* node.c: nodes of style 1 */
/* The name of the device that a node stands for, or NULL. */
const char *dlpi_node_link(int minor);
int __init dlpi_nodes_check(void);
void __init dlpi_nodes_add(const struct strdrv *like);
void dlpi_nodes_del(void);

#endif /* _DLPI_END_H */
