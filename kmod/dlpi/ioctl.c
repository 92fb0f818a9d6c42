// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls of the data link provider */
#include "ack.h"
#include "end.h"
#include "ioctl.h"
#include "send.h"
#include "up.h"

static void ioctl_ack(queue_t *q, mblk_t *mp, size_t count, int rval)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	ioc->ioc_count = count;
	ioc->ioc_error = 0;
	ioc->ioc_rval = rval;
	DB_TYPE(mp) = M_IOCACK;
	qreply(q, mp);
}

/* Frames are received and sent whole. */
static void ioctl_raw(queue_t *q, mblk_t *mp, int rval)
{
	struct dlpi_end *ep = dlpi_end(q);

	WRITE_ONCE(ep->raw, true);
	/*
	 * Frames that arrived before the ioctl are sent up before its answer.
	 */
	dlpi_up_waiting(ep);
	freemsg(mp->b_cont);
	mp->b_cont = NULL;
	ioctl_ack(q, mp, 0, rval);
}

static int ioctl_mac_type(struct dlpi_end *ep)
{
	return rcu_access_pointer(ep->dev) && !ep->bare ? DL_ETHER : DL_OTHER;
}

static int header_make(struct dlpi_end *ep, const mblk_t *mp, struct ethhdr *eth)
{
	struct net_device *dev;
	dl_unitdata_req_t req;
	struct dlpi_addr to;
	int err = ENXIO;

	if (!mp || !tpi_get(mp, &req, sizeof(req)) ||
	    req.dl_primitive != DL_UNITDATA_REQ ||
	    !dlpi_addr_get(mp, req.dl_dest_addr_offset, req.dl_dest_addr_length,
			   &to))
		return EINVAL;
	if (ep->state != DL_IDLE)
		return EPROTO;
	rcu_read_lock();
	dev = rcu_dereference(ep->dev);
	if (dev)
		err = dlpi_send_header(ep, dev, &to, eth);
	rcu_read_unlock();
	return err;
}

/* The DL_UNITDATA_REQ comes back, and behind it the header that it would make. */
static void ioctl_header(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct dlpi_end *ep = dlpi_end(q);
	struct ethhdr eth;
	mblk_t *header;
	int err;

	if (ioc->ioc_count == TRANSPARENT) {
		strtpi_ioctl_nak(q, mp, EINVAL);
		return;
	}
	err = header_make(ep, mp->b_cont, &eth);
	if (err) {
		strtpi_ioctl_nak(q, mp, err);
		return;
	}
	header = allocb(sizeof(eth), BPRI_MED);
	if (!header) {
		strtpi_ioctl_nak(q, mp, ENOSR);
		return;
	}
	memcpy(header->b_wptr, &eth, sizeof(eth));
	header->b_wptr += sizeof(eth);
	freemsg(mp->b_cont->b_cont);
	mp->b_cont->b_cont = header;
	ep->prebuilt = true;
	ioctl_ack(q, mp, msgdsize(mp->b_cont), 0);
}

/**
 * dlpi_ioctl() - act on an M_IOCTL
 * @q: the write queue
 * @mp: the message, consumed
 *
 * Context: inside the perimeter.
 */
void dlpi_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (MBLKL(mp) < sizeof(*ioc)) {
		freemsg(mp);
		return;
	}
	switch (ioc->ioc_cmd) {
	case DLIOCRAW:
		ioctl_raw(q, mp, 0);
		break;
	case DLIOCNATIVE:
		ioctl_raw(q, mp, ioctl_mac_type(dlpi_end(q)));
		break;
	case DL_IOC_HDR_INFO:
		ioctl_header(q, mp);
		break;
	default:
		strtpi_ioctl_nak(q, mp, EINVAL);
	}
}
