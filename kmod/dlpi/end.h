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
 * A receive hook is never changed: another binding gets new taps, and the old
 * ones are freed after a grace period.
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

	/* The RTNL protects the link's fields. */
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
 * Returns the bytes of a hardware address. The device's own length is not used: it may
 * change while a task or a tap uses the device under RCU.
 */
static inline unsigned int dlpi_hw_len(const struct dlpi_end *ep)
{
	return ep->bare ? 0 : ETH_ALEN;
}

/* Returns whether a SAP is a type of Ethernet's, not one of LLC's. */
static inline bool dlpi_is_type(u16 sap)
{
	return sap >= ETH_P_802_3_MIN;
}

/*
 * Returns whether the endpoint is bound to an LLC SAP, whose LLC headers are the provider's.
 * The user writes the headers of SAP 0.
 */
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

/* Returns the bytes of an address on the device. */
static inline unsigned int dlpi_addr_len(const struct dlpi_end *ep)
{
	return dlpi_hw_len(ep) + DLPI_SAP_LEN +
	       (ep->bind.has_snap ? DLPI_SNAP_LEN : 0);
}

/*
 * Makes an address; @hw: the hardware address, of @alen bytes, ETH_ALEN at
 * most.
 */
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

#endif /* _DLPI_END_H */
