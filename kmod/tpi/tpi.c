// SPDX-License-Identifier: GPL-2.0-only
/* Code that transport providers share: reading and answering primitives */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/string.h>
#include <stropts.h>

#include "drivers/flush.h"
#include "tpi.h"

mblk_t *strtpi_room(mblk_t *mp, size_t size)
{
	mblk_t *bp = mp;

	if (mp && DB_REF(mp) == 1 && MBLKSIZE(mp) >= size) {
		mp->b_rptr = DB_BASE(mp);
	} else {
		bp = allocb(size, BPRI_HI);
		if (mp) {
			if (bp)
				bp->b_cont = mp->b_cont;
			else
				freemsg(mp->b_cont);
			freeb(mp);
		}
		if (!bp)
			return NULL;
	}
	bp->b_wptr = bp->b_rptr;
	bp->b_band = 0;
	/* The message takes an object of its own, however small it is. */
	bp->b_flag = MSGOBJECT;
	return bp;
}
EXPORT_SYMBOL_GPL(strtpi_room);

mblk_t *strtpi_answer(mblk_t *req, size_t size, unsigned char type)
{
	mblk_t *mp;

	if (req) {
		freemsg(req->b_cont);
		req->b_cont = NULL;
	}
	mp = strtpi_room(req, size);
	if (!mp)
		return NULL;
	mp->b_wptr += size;
	memset(mp->b_rptr, 0, size);
	DB_TYPE(mp) = type;
	return mp;
}
EXPORT_SYMBOL_GPL(strtpi_answer);

/**
 * strtpi_prim() - make a primitive of a fixed part and an address
 * @req: a message to make it of, consumed; NULL: there is none
 * @type: M_PROTO or M_PCPROTO
 * @prim: the fixed part; not inside @req
 * @size: its length, bytes
 * @addr: what follows it; not inside @req
 * @len: bytes of that, or 0
 *
 * Return: the message, or NULL when memory is short.
 */
mblk_t *strtpi_prim(mblk_t *req, unsigned char type, const void *prim, size_t size,
		    const void *addr, size_t len)
{
	mblk_t *mp = strtpi_answer(req, size + len, type);

	if (!mp)
		return NULL;
	tpi_put(mp, prim, size, addr, len);
	DB_TYPE(mp) = type;
	return mp;
}
EXPORT_SYMBOL_GPL(strtpi_prim);

mblk_t *strtpi_head_marks(size_t hiwat, gfp_t gfp)
{
	struct stroptions *so;
	mblk_t *mp = allocb_gfp(sizeof(*so), gfp);

	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_SETOPTS;
	so = (struct stroptions *)mp->b_rptr;
	memset(so, 0, sizeof(*so));
	mp->b_wptr += sizeof(*so);
	so->so_flags = SO_HIWAT | SO_LOWAT;
	so->so_hiwat = hiwat;
	so->so_lowat = hiwat / 4;
	return mp;
}
EXPORT_SYMBOL_GPL(strtpi_head_marks);

/**
 * strtpi_error_ack() - make a T_ERROR_ACK
 * @req: the request, consumed
 * @tli_error: TOUTSTATE ...
 * @unix_error: a positive errno, for TSYSERR alone
 *
 * Return: the message or NULL, for strtpi_reply(). TPI version 2, T_ERROR_ACK.
 */
mblk_t *strtpi_error_ack(mblk_t *req, int tli_error, int unix_error)
{
	struct T_error_ack ack = {
		.PRIM_type = T_ERROR_ACK,
		.ERROR_prim = tpi_type(req),
		.TLI_error = tli_error,
		.UNIX_error = tli_error == TSYSERR ? unix_error : 0,
	};

	return strtpi_prim(req, M_PCPROTO, &ack, sizeof(ack), NULL, 0);
}
EXPORT_SYMBOL_GPL(strtpi_error_ack);

/* Makes a T_OK_ACK of a request, as strtpi_error_ack() makes an error. */
mblk_t *strtpi_ok_ack(mblk_t *req)
{
	struct T_ok_ack ack = {
		.PRIM_type = T_OK_ACK,
		.CORRECT_prim = tpi_type(req),
	};

	return strtpi_prim(req, M_PCPROTO, &ack, sizeof(ack), NULL, 0);
}
EXPORT_SYMBOL_GPL(strtpi_ok_ack);

/**
 * strtpi_unsupported() - answer a primitive that a provider does not have
 * @req: it, consumed
 *
 * Return: T_ERROR_ACK for a primitive that other providers have, M_ERROR for an unknown
 * one, or NULL; for strtpi_reply().
 */
mblk_t *strtpi_unsupported(mblk_t *req)
{
	t_scalar_t type = tpi_type(req);

	return type == T_UNITDATA_REQ || tpi_of_connections(type) ?
	       strtpi_error_ack(req, TNOTSUPPORT, 0) : strtpi_fatal(req);
}
EXPORT_SYMBOL_GPL(strtpi_unsupported);

/**
 * strtpi_bind_ack() - make a T_BIND_ACK
 * @req: the request, consumed
 * @addr: the address that is bound; not inside @req
 * @len: its bytes
 * @qlen: CONIND_number
 *
 * Return: the message or NULL, for strtpi_reply(). TPI version 2, T_BIND_ACK.
 */
mblk_t *strtpi_bind_ack(mblk_t *req, const void *addr, size_t len,
			t_uscalar_t qlen)
{
	struct T_bind_ack ack = {
		.PRIM_type = T_BIND_ACK,
		.ADDR_length = len,
		.ADDR_offset = sizeof(ack),
		.CONIND_number = qlen,
	};

	return strtpi_prim(req, M_PCPROTO, &ack, sizeof(ack), addr, len);
}
EXPORT_SYMBOL_GPL(strtpi_bind_ack);

/**
 * strtpi_addr_ack() - make a T_ADDR_ACK
 * @req: the request, consumed
 * @local: the endpoint's address; not inside @req
 * @local_len: its bytes; 0: there is none
 * @remote: its peer's
 * @remote_len: as @local_len
 *
 * Return: the message or NULL, for strtpi_reply(). TPI version 2, T_ADDR_ACK.
 */
mblk_t *strtpi_addr_ack(mblk_t *req, const void *local, size_t local_len,
			const void *remote, size_t remote_len)
{
	struct T_addr_ack *ack;
	mblk_t *mp = strtpi_answer(req, sizeof(*ack) + local_len + remote_len,
				   M_PCPROTO);
	void *at;

	if (!mp)
		return NULL;
	ack = (struct T_addr_ack *)mp->b_rptr;
	at = ack + 1;
	ack->PRIM_type = T_ADDR_ACK;
	if (local_len) {
		ack->LOCADDR_length = local_len;
		ack->LOCADDR_offset = sizeof(*ack);
		memcpy(at, local, local_len);
	}
	if (remote_len) {
		ack->REMADDR_length = remote_len;
		ack->REMADDR_offset = sizeof(*ack) + local_len;
		memcpy(at + local_len, remote, remote_len);
	}
	return mp;
}
EXPORT_SYMBOL_GPL(strtpi_addr_ack);

/**
 * strtpi_uderror_ind() - make a T_UDERROR_IND
 * @req: a message to make it of, consumed; NULL: there is none
 * @dest: where the datagram was to go; not inside @req
 * @len: bytes of that
 * @err: the reason it could not, a positive errno
 *
 * Return: the message or NULL. TPI version 2, T_UDERROR_IND.
 */
mblk_t *strtpi_uderror_ind(mblk_t *req, const void *dest, size_t len, int err)
{
	struct T_uderror_ind ind = {
		.PRIM_type = T_UDERROR_IND,
		.DEST_length = len,
		.DEST_offset = sizeof(ind),
		.ERROR_type = err,
	};

	return strtpi_prim(req, M_PROTO, &ind, sizeof(ind), dest, len);
}
EXPORT_SYMBOL_GPL(strtpi_uderror_ind);

int strtpi_pull_together(mblk_t *mp)
{
	mblk_t *bp = msgpullup(mp->b_cont, -1);

	if (!bp)
		return -ENOBUFS;
	freemsg(mp->b_cont);
	mp->b_cont = bp;
	return 0;
}
EXPORT_SYMBOL_GPL(strtpi_pull_together);

/**
 * strtpi_info_req() - answer a T_INFO_REQ or a T_CAPABILITY_REQ
 * @req: the primitive, consumed
 * @info: the contents of a T_INFO_ACK
 * @acceptor: the id by which a T_CONN_RES names the stream; 0: it has none
 *
 * A T_CAPABILITY_ACK comes with the priority the request had.
 *
 * Return: the message or NULL, for strtpi_reply(). TPI version 2, T_INFO_ACK,
 * T_CAPABILITY_ACK.
 */
mblk_t *strtpi_info_req(mblk_t *req, const struct T_info_ack *info, t_uscalar_t acceptor)
{
	struct T_capability_ack ack = { .PRIM_type = T_CAPABILITY_ACK };
	struct T_capability_req want;

	if (tpi_type(req) == T_INFO_REQ)
		return strtpi_prim(req, M_PCPROTO, info, sizeof(*info), NULL, 0);
	if (!tpi_get(req, &want, sizeof(want)))
		return strtpi_error_ack(req, TSYSERR, EINVAL);
	ack.CAP_bits1 = want.CAP_bits1 & TC1_INFO;
	if (ack.CAP_bits1)
		ack.INFO_ack = *info;
	if (acceptor && want.CAP_bits1 & TC1_ACCEPTOR_ID) {
		ack.CAP_bits1 |= TC1_ACCEPTOR_ID;
		ack.ACCEPTOR_id = acceptor;
	}
	return strtpi_prim(req, DB_TYPE(req), &ack, sizeof(ack), NULL, 0);
}
EXPORT_SYMBOL_GPL(strtpi_info_req);

/*
 * Sends an answer up from a write queue. A request for capabilities may be an
 * ordinary message, and so is its answer, whose number nothing would limit.
 * Without room the answer gets high priority, as the head keeps only one such
 * message.
 */
void strtpi_reply(queue_t *q, mblk_t *mp)
{
	if (!mp)
		return;
	if (DB_TYPE(mp) == M_PROTO && tpi_type(mp) == T_CAPABILITY_ACK &&
	    !canputnext(RD(q)))
		DB_TYPE(mp) = M_PCPROTO;
	qreply(q, mp);
}
EXPORT_SYMBOL_GPL(strtpi_reply);

/**
 * strtpi_fatal() - make a message that fails a stream with EPROTO from now on
 * @req: the wrong message, consumed
 *
 * Return: the message or NULL, for strtpi_reply(). TPI version 2: the fatal
 * errors of T_DATA_REQ, T_UNITDATA_REQ and of messages that are not
 * primitives.
 */
mblk_t *strtpi_fatal(mblk_t *req)
{
	mblk_t *mp = strtpi_answer(req, 1, M_ERROR);

	if (mp)
		*mp->b_rptr = EPROTO;
	return mp;
}
EXPORT_SYMBOL_GPL(strtpi_fatal);

/**
 * strtpi_unsent() - answer a T_UNITDATA_REQ that cannot be sent
 * @rq: the driver's read queue
 * @mp: the message, consumed
 * @dest: the destination as the user gave it; not inside @mp
 * @len: bytes of it
 * @err: the reason, a negative errno; -EPROTO: the primitive is malformed or must
 *	not come now, and as it is not acknowledged that can only end the stream
 *
 * Return: M_ERROR or T_UDERROR_IND, for strtpi_reply(); NULL without room or memory: as
 * a datagram may, its error may be lost. TPI version 2, T_UNITDATA_REQ.
 */
mblk_t *strtpi_unsent(queue_t *rq, mblk_t *mp, const void *dest, size_t len, int err)
{
	if (err == -EPROTO)
		return strtpi_fatal(mp);
	if (canputnext(rq))
		return strtpi_uderror_ind(mp, dest, len, -err);
	freemsg(mp);
	return NULL;
}
EXPORT_SYMBOL_GPL(strtpi_unsent);

/**
 * strtpi_flush() - M_FLUSH at a driver
 * @q: its write queue
 * @mp: the message, consumed
 *
 * SVR4.2 STREAMS Programmer's Guide, M_FLUSH at the end of a stream.
 */
void strtpi_flush(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < 1) {
		freemsg(mp);
		return;
	}
	flush_side(q, mp, FLUSHW);
	if (*mp->b_rptr & FLUSHR) {
		*mp->b_rptr &= ~FLUSHW;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}
EXPORT_SYMBOL_GPL(strtpi_flush);

mblk_t *strtpi_flush_message(gfp_t gfp)
{
	mblk_t *mp = allocb_gfp(1, gfp | __GFP_NOWARN);

	if (mp) {
		DB_TYPE(mp) = M_FLUSH;
		*mp->b_wptr++ = FLUSHRW;
		/*
		 * A flush that the head sent back down would drop later
		 * messages.
		 */
		mp->b_flag |= MSGNOLOOP;
	}
	return mp;
}
EXPORT_SYMBOL_GPL(strtpi_flush_message);

int strtpi_bind_error(int err, bool any_port)
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
EXPORT_SYMBOL_GPL(strtpi_bind_error);

void strtpi_ioctl_nak(queue_t *q, mblk_t *mp, int err)
{
	if (MBLKL(mp) < sizeof(struct iocblk)) {
		freemsg(mp);
		return;
	}
	((struct iocblk *)mp->b_rptr)->ioc_error = err;
	DB_TYPE(mp) = M_IOCNAK;
	qreply(q, mp);
}
EXPORT_SYMBOL_GPL(strtpi_ioctl_nak);

MODULE_DESCRIPTION("Common code of STREAMS transport providers");
MODULE_LICENSE("GPL");
