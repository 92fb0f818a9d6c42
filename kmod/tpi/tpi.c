// SPDX-License-Identifier: GPL-2.0-only
/* What transport providers share: reading primitives, answering them */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/string.h>
#include <stropts.h>

#include "tpi.h"

mblk_t *tpi_room(mblk_t *mp, size_t size)
{
	mblk_t *bp = mp;

	if (DB_REF(mp) == 1 && MBLKSIZE(mp) >= size) {
		mp->b_rptr = DB_BASE(mp);
	} else {
		bp = allocb(size, BPRI_HI);
		if (bp)
			bp->b_cont = mp->b_cont;
		else
			freemsg(mp->b_cont);
		freeb(mp);
		if (!bp)
			return NULL;
	}
	bp->b_wptr = bp->b_rptr;
	bp->b_band = 0;
	/* Small as it may be, it takes an object of its own. */
	bp->b_flag = MSGOBJECT;
	return bp;
}
EXPORT_SYMBOL_GPL(tpi_room);

mblk_t *tpi_answer(mblk_t *req, size_t size, unsigned char type)
{
	mblk_t *mp;

	freemsg(req->b_cont);
	req->b_cont = NULL;
	mp = tpi_room(req, size);
	if (!mp)
		return NULL;
	mp->b_wptr += size;
	memset(mp->b_rptr, 0, size);
	DB_TYPE(mp) = type;
	return mp;
}
EXPORT_SYMBOL_GPL(tpi_answer);

/**
 * tpi_error_ack() - make a T_ERROR_ACK
 * @req: the request, consumed
 * @prim: its type
 * @tli_error: TOUTSTATE ...
 * @unix_error: with TSYSERR, a positive errno
 *
 * Return: the message or NULL, for tpi_reply(). TPI version 2, T_ERROR_ACK.
 */
mblk_t *tpi_error_ack(mblk_t *req, t_scalar_t prim, int tli_error,
		      int unix_error)
{
	mblk_t *mp = tpi_answer(req, sizeof(struct T_error_ack), M_PCPROTO);
	struct T_error_ack *ack;

	if (!mp)
		return NULL;
	ack = (struct T_error_ack *)mp->b_rptr;
	ack->PRIM_type = T_ERROR_ACK;
	ack->ERROR_prim = prim;
	ack->TLI_error = tli_error;
	ack->UNIX_error = unix_error;
	return mp;
}
EXPORT_SYMBOL_GPL(tpi_error_ack);

/* T_OK_ACK: as tpi_error_ack(). */
mblk_t *tpi_ok_ack(mblk_t *req, t_scalar_t prim)
{
	mblk_t *mp = tpi_answer(req, sizeof(struct T_ok_ack), M_PCPROTO);
	struct T_ok_ack *ack;

	if (!mp)
		return NULL;
	ack = (struct T_ok_ack *)mp->b_rptr;
	ack->PRIM_type = T_OK_ACK;
	ack->CORRECT_prim = prim;
	return mp;
}
EXPORT_SYMBOL_GPL(tpi_ok_ack);

/* An answer that ends with an address; the rest is for the caller to fill. */
mblk_t *tpi_addr_answer(mblk_t *req, size_t prim_size, const void *addr,
			size_t len, unsigned char type)
{
	mblk_t *mp = tpi_answer(req, prim_size + len, type);

	if (mp)
		memcpy(mp->b_rptr + prim_size, addr, len);
	return mp;
}
EXPORT_SYMBOL_GPL(tpi_addr_answer);

/**
 * tpi_capability_ack() - make a T_CAPABILITY_ACK
 * @req: the T_CAPABILITY_REQ, consumed
 * @info: what T_INFO_ACK would say
 * @acceptor: by which a T_CONN_RES names the stream; 0: it has none
 *
 * The answer comes with the priority the request had.
 *
 * Return: the message or NULL, for tpi_reply(). TPI version 2,
 * T_CAPABILITY_ACK.
 */
mblk_t *tpi_capability_ack(mblk_t *req, const struct T_info_ack *info,
			   t_uscalar_t acceptor)
{
	struct T_capability_req want;
	struct T_capability_ack *ack;
	mblk_t *mp;

	if (!tpi_get(req, &want, sizeof(want)))
		return tpi_error_ack(req, T_CAPABILITY_REQ, TSYSERR, EINVAL);
	mp = tpi_answer(req, sizeof(*ack), DB_TYPE(req));
	if (!mp)
		return NULL;
	ack = (struct T_capability_ack *)mp->b_rptr;
	ack->PRIM_type = T_CAPABILITY_ACK;
	ack->CAP_bits1 = want.CAP_bits1 & TC1_INFO;
	if (ack->CAP_bits1)
		ack->INFO_ack = *info;
	if (acceptor && want.CAP_bits1 & TC1_ACCEPTOR_ID) {
		ack->CAP_bits1 |= TC1_ACCEPTOR_ID;
		ack->ACCEPTOR_id = acceptor;
	}
	return mp;
}
EXPORT_SYMBOL_GPL(tpi_capability_ack);

/* T_INFO_ACK, as tpi_error_ack(). */
mblk_t *tpi_info_ack(mblk_t *req, const struct T_info_ack *info)
{
	mblk_t *mp = tpi_answer(req, sizeof(*info), M_PCPROTO);

	if (mp)
		memcpy(mp->b_rptr, info, sizeof(*info));
	return mp;
}
EXPORT_SYMBOL_GPL(tpi_info_ack);

/*
 * From a write queue. What asks for capabilities may be ordinary, and so is the
 * answer, which nothing would limit: of high priority the head keeps one.
 */
void tpi_reply(queue_t *q, mblk_t *mp)
{
	if (!mp)
		return;
	if (DB_TYPE(mp) == M_PROTO && tpi_type(mp) == T_CAPABILITY_ACK &&
	    !canputnext(RD(q)))
		DB_TYPE(mp) = M_PCPROTO;
	qreply(q, mp);
}
EXPORT_SYMBOL_GPL(tpi_reply);

/**
 * tpi_fatal() - make what lets a stream fail with EPROTO from now on
 * @req: what was wrong, consumed
 *
 * Return: the message or NULL, for tpi_reply(). TPI version 2: the fatal errors
 * of T_DATA_REQ, T_UNITDATA_REQ and of what is no primitive at all.
 */
mblk_t *tpi_fatal(mblk_t *req)
{
	mblk_t *mp = tpi_answer(req, 1, M_ERROR);

	if (mp)
		*mp->b_rptr = EPROTO;
	return mp;
}
EXPORT_SYMBOL_GPL(tpi_fatal);

/**
 * tpi_flush() - M_FLUSH at a driver
 * @q: its write queue
 * @mp: the message, consumed
 *
 * SVR4.2 STREAMS Programmer's Guide, M_FLUSH at the end of a stream.
 */
void tpi_flush(queue_t *q, mblk_t *mp)
{
	unsigned char what;

	if (MBLKL(mp) < 1) {
		freemsg(mp);
		return;
	}
	what = *mp->b_rptr;
	if (what & FLUSHW) {
		if (!(what & FLUSHBAND))
			flushq(q, FLUSHDATA);
		else if (MBLKL(mp) > 1)
			flushband(q, mp->b_rptr[1], FLUSHDATA);
	}
	if (what & FLUSHR) {
		*mp->b_rptr = what & ~FLUSHW;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}
EXPORT_SYMBOL_GPL(tpi_flush);

mblk_t *tpi_flush_message(gfp_t gfp)
{
	mblk_t *mp = allocb_gfp(1, gfp | __GFP_NOWARN);

	if (mp) {
		DB_TYPE(mp) = M_FLUSH;
		*mp->b_wptr++ = FLUSHRW;
		/* What the head returns downwards would meet what came since. */
		mp->b_flag |= MSGNOLOOP;
	}
	return mp;
}
EXPORT_SYMBOL_GPL(tpi_flush_message);

int tpi_bind_error(int err, bool any_port)
{
	switch (err) {
	case -EADDRINUSE:
		return any_port ? TNOADDR : TADDRBUSY;
	case -EACCES:
	case -EPERM:
		return TACCES;
	case -EADDRNOTAVAIL:
	case -EAFNOSUPPORT:
	case -EINVAL:
	case -ENODEV:
		return TBADADDR;
	default:
		return TSYSERR;
	}
}
EXPORT_SYMBOL_GPL(tpi_bind_error);

void tpi_ioctl_nak(queue_t *q, mblk_t *mp, int err)
{
	if (MBLKL(mp) < sizeof(struct iocblk)) {
		freemsg(mp);
		return;
	}
	((struct iocblk *)mp->b_rptr)->ioc_error = err;
	DB_TYPE(mp) = M_IOCNAK;
	qreply(q, mp);
}
EXPORT_SYMBOL_GPL(tpi_ioctl_nak);

MODULE_DESCRIPTION("STREAMS transport providers: what they share");
MODULE_LICENSE("GPL");
