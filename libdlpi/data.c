// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sending and receiving */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <stropts.h>
#include <time.h>

#include "handle.h"

static bool is_raw(const struct dlpi_handle *dh)
{
	return dh->flags & (DLPI_RAW | DLPI_NATIVE);
}

/* Returns the milliseconds of the monotonic clock. */
static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

int dlpi_send(dlpi_handle_t dh, const void *daddr, size_t daddrlen, const void *msg,
	      size_t msglen, const dlpi_sendinfo_t *send)
{
	union dlpi_answer a = { .prim.unitdata_req = {
		.dl_primitive = DL_UNITDATA_REQ,
		.dl_dest_addr_offset = sizeof(dl_unitdata_req_t),
	} };
	struct strbuf ctl = { .buf = (char *)&a };
	struct strbuf data = { .len = msglen, .buf = (char *)msg };
	uint16_t sap;

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	if (!msg || !msglen || msglen > INT_MAX ||
	    (!is_raw(dh) && ((!daddr && daddrlen) || daddrlen > DLPI_PHYSADDR_MAX)))
		return DLPI_EINVAL;
	if (!dh->bound)
		return DL_OUTSTATE;
	if (is_raw(dh))
		return putmsg(dh->fd, NULL, &data, 0) ? DL_SYSERR : DLPI_SUCCESS;
	sap = send && send->dsi_sap != DLPI_ANY_SAP ? send->dsi_sap : dh->sap;
	if (send)
		a.prim.unitdata_req.dl_priority = send->dsi_prio;
	a.prim.unitdata_req.dl_dest_addr_length = daddrlen + SAP_LEN;
	if (daddrlen)
		memcpy(a.bytes + sizeof(dl_unitdata_req_t), daddr, daddrlen);
	memcpy(a.bytes + sizeof(dl_unitdata_req_t) + daddrlen, &sap, SAP_LEN);
	ctl.len = sizeof(dl_unitdata_req_t) + daddrlen + SAP_LEN;
	return putmsg(dh->fd, &ctl, &data, 0) ? DL_SYSERR : DLPI_SUCCESS;
}

/* Drops the bytes of a message that the caller's buffer has no room for. */
static int recv_rest(struct dlpi_handle *dh, int more, size_t *total)
{
	char rest[2048];

	while (more & (MORECTL | MOREDATA)) {
		struct strbuf ctl = { .maxlen = sizeof(rest), .buf = rest };
		char bytes[2048];
		struct strbuf data = { .maxlen = sizeof(bytes), .buf = bytes };
		int flags = 0;

		more = getmsg(dh->fd, &ctl, &data, &flags);
		if (more < 0)
			return DL_SYSERR;
		if (data.len > 0)
			*total += data.len;
	}
	return DLPI_SUCCESS;
}

/* Stores what dlpi_recv() reports for a frame. */
struct received {
	void *saddr;
	size_t *saddrlenp;
	dlpi_recvinfo_t *recv;
};

static int recv_addresses(struct dlpi_handle *dh, const union dlpi_answer *a, int len,
			  const struct received *r)
{
	const dl_unitdata_ind_t *ind = &a->prim.unitdata_ind;
	const void *to, *from;

	if (len < (int)sizeof(*ind) || ind->dl_src_addr_length < dh->addrlen ||
	    ind->dl_dest_addr_length < dh->addrlen)
		return DLPI_EBADMSG;
	to = handle_answer_at(a, ind->dl_dest_addr_offset, dh->addrlen);
	from = handle_answer_at(a, ind->dl_src_addr_offset, dh->addrlen);
	if (!to || !from)
		return DLPI_EBADMSG;
	if (r->saddr) {
		memcpy(r->saddr, from, dh->addrlen);
		*r->saddrlenp = dh->addrlen;
	}
	if (r->recv) {
		memcpy(r->recv->dri_destaddr, to, dh->addrlen);
		r->recv->dri_destaddrlen = dh->addrlen;
		r->recv->dri_destaddrtype = ind->dl_group_address ?
			DLPI_DESTADDR_GROUP : DLPI_DESTADDR_UNICAST;
	}
	return DLPI_SUCCESS;
}

/* Tells whether a message is a frame for dlpi_recv(); handles all other messages. */
static bool recv_is_frame(struct dlpi_handle *dh, const union dlpi_answer *a, int len)
{
	if (len < 0)
		return is_raw(dh);
	if (len >= (int)sizeof(dl_notify_ind_t) && a->prim.dl_primitive == DL_NOTIFY_IND)
		handle_notified(dh, a, len);
	return len >= (int)sizeof(a->prim.dl_primitive) && !is_raw(dh) &&
	       a->prim.dl_primitive == DL_UNITDATA_IND;
}

/*
 * Waits for a message, until a time or without a limit. Returns DLPI_SUCCESS
 * when there is one.
 */
static int recv_wait(struct dlpi_handle *dh, int msec, long long end)
{
	struct pollfd p = { .fd = dh->fd, .events = POLLIN | POLLRDNORM };
	long long left = -1;
	int n;

	if (msec >= 0) {
		left = end - now_ms();
		left = left > 0 ? left : 0;
	}
	/* A signal ends the call, and is reported to its caller. */
	n = poll(&p, 1, left);
	if (n < 0)
		return DL_SYSERR;
	return n ? DLPI_SUCCESS : DLPI_ETIMEDOUT;
}

int dlpi_recv(dlpi_handle_t dh, void *saddr, size_t *saddrlenp, void *msg, size_t *msglenp,
	      int msec, dlpi_recvinfo_t *recv)
{
	const struct received r = { saddr, saddrlenp, recv };
	long long end = now_ms() + (msec > 0 ? msec : 0);

	if (!handle_is(dh))
		return DLPI_EINHANDLE;
	if ((msglenp && *msglenp && !msg) || (saddr && !saddrlenp) ||
	    (saddr && *saddrlenp < DLPI_PHYSADDR_MAX))
		return DLPI_EINVAL;
	if (!dh->bound)
		return DL_OUTSTATE;
	for (;;) {
		union dlpi_answer a = { .bytes = { 0 } };
		struct strbuf ctl = { .maxlen = sizeof(a), .buf = (char *)&a };
		struct strbuf data = { .maxlen = 0, .buf = msg };
		size_t total = 0, room = msglenp ? *msglenp : 0;
		int flags = 0, more, err;

		err = recv_wait(dh, msec, end);
		if (err != DLPI_SUCCESS)
			return err;
		data.maxlen = room > INT_MAX ? INT_MAX : room;
		more = getmsg(dh->fd, &ctl, &data, &flags);
		if (more < 0)
			return DL_SYSERR;
		/* The stream was hung up, and has ended. */
		if (ctl.len <= 0 && data.len <= 0 && !more) {
			errno = ENXIO;
			return DL_SYSERR;
		}
		if (data.len > 0)
			total = data.len;
		err = recv_rest(dh, more, &total);
		if (err != DLPI_SUCCESS)
			return err;
		if (!recv_is_frame(dh, &a, ctl.len))
			continue;
		if (recv) {
			memset(recv, 0, sizeof(*recv));
			recv->dri_totmsglen = total;
		}
		if (saddr)
			*saddrlenp = 0;
		if (msglenp)
			*msglenp = data.len > 0 ? data.len : 0;
		return is_raw(dh) ? DLPI_SUCCESS : recv_addresses(dh, &a, ctl.len, &r);
	}
}
