// SPDX-License-Identifier: GPL-2.0-only
/*
 * tlidlpi: a connectionless transport provider over a data link
 *
 * Each primitive of the Transport Provider Interface becomes the one of the Data Link
 * Provider Interface that has its meaning, and back. An address is that of the data link.
 *
 * One request at a time waits for the data link's answer, and is kept for the answer that
 * is made of it; later ones wait behind it on the write queue. All is done in the stream's
 * perimeter, without locks.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <sys/dlpi.h>
#include <sys/stream.h>

#include "drivers/flush.h"
#include "tpi/tpi.h"
#include "tpi/unitdata.h"

/* Bytes of an address, at most: a hardware address, a SAP and the protocol of SNAP */
#define ADDR_MOST	64

struct tlidlpi {
	mblk_t *req;			/* waits for the data link's answer, or NULL */
	t_scalar_t state;		/* TS_UNBND, TS_IDLE */
	size_t addr_len;
	u8 addr[ADDR_MOST];		/* that is bound */
};

static int tlidlpi_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct tlidlpi *t;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);
	if (!t)
		return ENOSR;
	t->state = TS_UNBND;
	q->q_ptr = t;
	WR(q)->q_ptr = t;
	qprocson(q);
	return 0;
}

static int tlidlpi_close(queue_t *q, int oflag, cred_t *cr)
{
	struct tlidlpi *t = q->q_ptr;

	qprocsoff(q);
	freemsg(t->req);
	kfree(t);
	return 0;
}

/* Sends a request down and keeps the one that it is made of. */
static void tli_request_send(queue_t *q, mblk_t *req, unsigned char type, const void *prim,
			     size_t size)
{
	struct tlidlpi *t = q->q_ptr;
	mblk_t *mp = strtpi_prim(NULL, type, prim, size, NULL, 0);

	if (!mp) {
		strtpi_reply(q, strtpi_error_ack(req, TSYSERR, ENOSR));
		return;
	}
	t->req = req;
	putnext(q, mp);
}

static void tli_bind_req(queue_t *q, mblk_t *mp)
{
	const struct tlidlpi *t = q->q_ptr;
	dl_bind_req_t dl = { .dl_primitive = DL_BIND_REQ, .dl_service_mode = DL_CLDLS };
	struct T_bind_req req;
	const void *addr;
	u16 sap;

	if (t->state != TS_UNBND) {
		strtpi_reply(q, strtpi_error_ack(mp, TOUTSTATE, 0));
		return;
	}
	if (!tpi_get(mp, &req, sizeof(req))) {
		strtpi_reply(q, strtpi_error_ack(mp, TSYSERR, EINVAL));
		return;
	}
	addr = tpi_span(mp, req.ADDR_offset, req.ADDR_length);
	if (!addr || req.ADDR_length != sizeof(sap)) {
		/* Data links have no SAP that a provider may choose. */
		strtpi_reply(q, strtpi_error_ack(mp, req.ADDR_length ? TBADADDR : TNOADDR, 0));
		return;
	}
	memcpy(&sap, addr, sizeof(sap));
	dl.dl_sap = sap;
	tli_request_send(q, mp, M_PROTO, &dl, sizeof(dl));
}

static void tli_unbind_req(queue_t *q, mblk_t *mp)
{
	const struct tlidlpi *t = q->q_ptr;
	dl_unbind_req_t dl = { .dl_primitive = DL_UNBIND_REQ };

	if (t->state == TS_IDLE)
		tli_request_send(q, mp, M_PROTO, &dl, sizeof(dl));
	else
		strtpi_reply(q, strtpi_error_ack(mp, TOUTSTATE, 0));
}

static void tli_info_req(queue_t *q, mblk_t *mp)
{
	dl_info_req_t dl = { .dl_primitive = DL_INFO_REQ };

	tli_request_send(q, mp, M_PCPROTO, &dl, sizeof(dl));
}

static void tli_unitdata_req(queue_t *q, mblk_t *mp)
{
	const struct tlidlpi *t = q->q_ptr;
	dl_unitdata_req_t dl = { .dl_primitive = DL_UNITDATA_REQ };
	u8 dest[ADDR_MOST] = { };
	struct T_unitdata_req req;
	const void *at, *opts;
	size_t len;

	if (t->state != TS_IDLE || !tpi_unitdata_get(mp, &req, &at, &opts)) {
		strtpi_reply(q, strtpi_fatal(mp));
		return;
	}
	len = min_t(size_t, req.DEST_length, sizeof(dest));
	memcpy(dest, at, len);
	if (opts || req.DEST_length > sizeof(dest)) {
		strtpi_reply(q, strtpi_unsent(RD(q), mp, dest, len, -EINVAL));
		return;
	}
	dl.dl_dest_addr_length = len;
	dl.dl_dest_addr_offset = sizeof(dl);
	mp = strtpi_room(mp, sizeof(dl) + len);
	if (!mp)
		return;
	tpi_put(mp, &dl, sizeof(dl), dest, len);
	putnext(q, mp);
}

/* Handles a primitive of the user's. */
static void tlidlpi_request(queue_t *q, mblk_t *mp)
{
	const struct tlidlpi *t = q->q_ptr;

	switch (tpi_type(mp)) {
	case T_UNITDATA_REQ:
		tli_unitdata_req(q, mp);
		break;
	case T_BIND_REQ:
		tli_bind_req(q, mp);
		break;
	case T_UNBIND_REQ:
		tli_unbind_req(q, mp);
		break;
	case T_INFO_REQ:
	case T_CAPABILITY_REQ:
		tli_info_req(q, mp);
		break;
	case T_ADDR_REQ:
		strtpi_reply(q, strtpi_addr_ack(mp, t->addr, t->addr_len, NULL, 0));
		break;
	case T_OPTMGMT_REQ:
		strtpi_reply(q, strtpi_error_ack(mp, TNOTSUPPORT, 0));
		break;
	default:
		strtpi_reply(q, strtpi_unsupported(mp));
	}
}

static int tlidlpi_wsrv(queue_t *q)
{
	const struct tlidlpi *t = q->q_ptr;
	mblk_t *mp;

	while (!t->req && (mp = getq(q))) {
		if (DB_TYPE(mp) < QPCTL && tpi_type(mp) == T_UNITDATA_REQ && !canputnext(q)) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		tlidlpi_request(q, mp);
	}
	return 0;
}

static int tlidlpi_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_PCPROTO:
		/* Nothing else limits requests of high priority behind one that waits. */
		if (!canput(q)) {
			strtpi_reply(q, strtpi_error_ack(mp, TSYSERR, EAGAIN));
			break;
		}
		fallthrough;
	case M_PROTO:
		if (!putq(q, mp))
			freemsg(mp);
		break;
	case M_DATA:
		/* Data comes with a T_UNITDATA_REQ. */
		strtpi_reply(q, strtpi_fatal(mp));
		break;
	default:
		flush_side(q, mp, FLUSHW);
		putnext(q, mp);
	}
	return 0;
}

/* Takes the request that an answer of the data link is for; NULL: it is for another one. */
static mblk_t *tli_request_take(struct tlidlpi *t, t_scalar_t type)
{
	mblk_t *req = t->req;

	if (!req || tpi_type(req) != type)
		return NULL;
	t->req = NULL;
	return req;
}

static mblk_t *tli_info_ack(struct tlidlpi *t, const mblk_t *mp)
{
	mblk_t *req = tli_request_take(t, T_INFO_REQ) ?: tli_request_take(t, T_CAPABILITY_REQ);
	struct T_info_ack info = {
		.PRIM_type = T_INFO_ACK,
		.ETSDU_size = T_INVALID,
		.CDATA_size = T_INVALID,
		.DDATA_size = T_INVALID,
		.OPT_size = T_INVALID,
		.SERV_type = T_CLTS,
		.CURRENT_state = t->state,
	};
	dl_info_ack_t dl;

	if (!req || !tpi_get(mp, &dl, sizeof(dl)))
		return req ? strtpi_error_ack(req, TSYSERR, EPROTO) : NULL;
	info.TSDU_size = dl.dl_max_sdu;
	info.TIDU_size = dl.dl_max_sdu;
	info.ADDR_size = dl.dl_addr_length;
	return strtpi_info_req(req, &info, 0);
}

static mblk_t *tli_bind_ack(struct tlidlpi *t, const mblk_t *mp)
{
	mblk_t *req = tli_request_take(t, T_BIND_REQ);
	const void *addr = NULL;
	dl_bind_ack_t dl;

	if (!req)
		return NULL;
	if (tpi_get(mp, &dl, sizeof(dl)) && dl.dl_addr_length <= sizeof(t->addr))
		addr = tpi_span(mp, dl.dl_addr_offset, dl.dl_addr_length);
	if (!addr)
		return strtpi_error_ack(req, TSYSERR, EPROTO);
	t->state = TS_IDLE;
	t->addr_len = dl.dl_addr_length;
	memcpy(t->addr, addr, t->addr_len);
	return strtpi_bind_ack(req, t->addr, t->addr_len, 0);
}

/* The only request that is answered by DL_OK_ACK is DL_UNBIND_REQ. */
static mblk_t *tli_ok_ack(queue_t *q, struct tlidlpi *t)
{
	mblk_t *req = tli_request_take(t, T_UNBIND_REQ), *flush;

	if (!req)
		return NULL;
	t->state = TS_UNBND;
	t->addr_len = 0;
	flush = strtpi_flush_message(GFP_ATOMIC);
	if (flush)
		putnext(q, flush);
	return strtpi_ok_ack(req);
}

static int tli_error(t_uscalar_t dl_errno)
{
	switch (dl_errno) {
	case DL_BADSAP:
	case DL_BADADDR:
		return TBADADDR;
	case DL_NOADDR:
		return TNOADDR;
	case DL_ACCESS:
		return TACCES;
	case DL_OUTSTATE:
		return TOUTSTATE;
	case DL_BOUND:
		return TADDRBUSY;
	default:
		return TSYSERR;
	}
}

static mblk_t *tli_error_ack(struct tlidlpi *t, const mblk_t *mp)
{
	mblk_t *req = t->req;
	dl_error_ack_t dl;
	int err = EPROTO;

	if (!req)
		return NULL;
	t->req = NULL;
	if (!tpi_get(mp, &dl, sizeof(dl)))
		return strtpi_error_ack(req, TSYSERR, EPROTO);
	if (dl.dl_errno == DL_SYSERR && dl.dl_unix_errno)
		err = dl.dl_unix_errno;
	return strtpi_error_ack(req, tli_error(dl.dl_errno), err);
}

static mblk_t *tli_unitdata_ind(mblk_t *mp)
{
	u8 src[ADDR_MOST];
	dl_unitdata_ind_t dl;
	const void *at = NULL;

	if (tpi_get(mp, &dl, sizeof(dl)) && dl.dl_src_addr_length <= sizeof(src))
		at = tpi_span(mp, dl.dl_src_addr_offset, dl.dl_src_addr_length);
	if (!at) {
		freemsg(mp);
		return NULL;
	}
	memcpy(src, at, dl.dl_src_addr_length);
	mp = strtpi_room(mp, sizeof(struct T_unitdata_ind) + dl.dl_src_addr_length);
	if (mp)
		tpi_unitdata_ind(mp, src, dl.dl_src_addr_length, 0);
	return mp;
}

static int tli_uderror_errno(const dl_uderror_ind_t *dl)
{
	switch (dl->dl_errno) {
	case DL_SYSERR:
		return dl->dl_unix_errno;
	case DL_BADADDR:
		return EINVAL;
	case DL_BADDATA:
		return EMSGSIZE;
	default:
		return EIO;
	}
}

static mblk_t *tli_uderror_ind(mblk_t *mp)
{
	u8 dest[ADDR_MOST];
	dl_uderror_ind_t dl;
	const void *at = NULL;

	if (tpi_get(mp, &dl, sizeof(dl)) && dl.dl_dest_addr_length <= sizeof(dest))
		at = tpi_span(mp, dl.dl_dest_addr_offset, dl.dl_dest_addr_length);
	if (!at) {
		freemsg(mp);
		return NULL;
	}
	memcpy(dest, at, dl.dl_dest_addr_length);
	return strtpi_uderror_ind(mp, dest, dl.dl_dest_addr_length, tli_uderror_errno(&dl));
}

/* Returns what an answer of the data link becomes for the user, or NULL; it stays. */
static mblk_t *tlidlpi_answer(queue_t *q, const mblk_t *mp)
{
	struct tlidlpi *t = q->q_ptr;

	switch (tpi_type(mp)) {
	case DL_INFO_ACK:
		return tli_info_ack(t, mp);
	case DL_BIND_ACK:
		return tli_bind_ack(t, mp);
	case DL_OK_ACK:
		return tli_ok_ack(q, t);
	case DL_ERROR_ACK:
		return tli_error_ack(t, mp);
	default:
		return NULL;
	}
}

static int tlidlpi_rput(queue_t *q, mblk_t *mp)
{
	mblk_t *answer;

	if (DB_TYPE(mp) != M_PROTO && DB_TYPE(mp) != M_PCPROTO) {
		putnext(q, mp);
		return 0;
	}
	if (tpi_type(mp) == DL_UNITDATA_IND) {
		answer = tli_unitdata_ind(mp);
	} else if (tpi_type(mp) == DL_UDERROR_IND) {
		answer = tli_uderror_ind(mp);
	} else {
		answer = tlidlpi_answer(q, mp);
		freemsg(mp);
		/* The next request may be sent. */
		qenable(WR(q));
	}
	if (answer)
		putnext(q, answer);
	return 0;
}

static struct module_info tlidlpi_info = {
	.mi_idname = "tlidlpi",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

static struct qinit tlidlpi_rinit = {
	.qi_putp = tlidlpi_rput,
	.qi_qopen = tlidlpi_open,
	.qi_qclose = tlidlpi_close,
	.qi_minfo = &tlidlpi_info,
};

static struct qinit tlidlpi_winit = {
	.qi_putp = tlidlpi_wput,
	.qi_srvp = tlidlpi_wsrv,
	.qi_minfo = &tlidlpi_info,
};

static const struct streamtab tlidlpi_tab = {
	.st_rdinit = &tlidlpi_rinit,
	.st_wrinit = &tlidlpi_winit,
};

static struct strmod tlidlpi = {
	.name = "tlidlpi",
	.tab = &tlidlpi_tab,
	.owner = THIS_MODULE,
};

static int __init tlidlpi_init(void)
{
	return strmod_register(&tlidlpi);
}

static void __exit tlidlpi_exit(void)
{
	strmod_unregister(&tlidlpi);
}

module_init(tlidlpi_init);
module_exit(tlidlpi_exit);

MODULE_DESCRIPTION("STREAMS module that provides XTI's datagrams over a data link");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-tlidlpi");
