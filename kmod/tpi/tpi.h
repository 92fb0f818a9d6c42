/* SPDX-License-Identifier: GPL-2.0-only */
/* Code that transport providers share: reading and answering primitives */
#ifndef _TPI_TPI_H
#define _TPI_TPI_H

#include <linux/string.h>
#include <sys/stream.h>
#include <sys/tpi.h>

/**
 * tpi_get() - read the fixed part of a primitive
 * @mp: its message
 * @prim: the destination; the bytes may have any alignment and any value
 * @size: its length, bytes
 *
 * Return: whether the message is that long.
 */
static inline bool tpi_get(const mblk_t *mp, void *prim, size_t size)
{
	/* A module may have moved the pointers past each other. */
	if (MBLKL(mp) < (ssize_t)size)
		return false;
	memcpy(prim, mp->b_rptr, size);
	return true;
}

/* Returns the type of a primitive; -1: the message is too short to have one. */
static inline t_scalar_t tpi_type(const mblk_t *mp)
{
	t_scalar_t type = -1;

	tpi_get(mp, &type, sizeof(type));
	return type;
}

/**
 * tpi_span() - find the variable part of a primitive
 * @mp: its message
 * @offset: bytes from its first one
 * @length: bytes
 *
 * Return: where it begins, at any alignment, or NULL if some of it lies
 * outside of the message.
 */
static inline void *tpi_span(const mblk_t *mp, t_scalar_t offset,
			     t_scalar_t length)
{
	ssize_t size = MBLKL(mp);

	if (offset < 0 || length < 0 || offset > size || length > size - offset)
		return NULL;
	return mp->b_rptr + offset;
}

/**
 * tpi_put() - write a primitive
 * @mp: an empty block with room for it; it becomes an M_PROTO
 * @prim: the fixed part
 * @size: its length, bytes
 * @addr: what follows it
 * @len: bytes of that, or 0
 */
static inline void tpi_put(mblk_t *mp, const void *prim, size_t size, const void *addr,
			   size_t len)
{
	DB_TYPE(mp) = M_PROTO;
	mp->b_wptr = mp->b_rptr + size + len;
	memcpy(mp->b_rptr, prim, size);
	if (len)
		memcpy(mp->b_rptr + size, addr, len);
}

/* Returns whether a primitive belongs to providers with connections only. */
static inline bool tpi_of_connections(t_scalar_t type)
{
	switch (type) {
	case T_CONN_REQ:
	case T_CONN_RES:
	case T_DISCON_REQ:
	case T_DATA_REQ:
	case T_EXDATA_REQ:
	case T_OPTDATA_REQ:
	case T_ORDREL_REQ:
		return true;
	default:
		return false;
	}
}

/*
 * Returns whether a message is for the other side, in its order. T_OPTDATA_REQ
 * is for it only where providers support the primitive.
 */
static inline bool tpi_is_data(const mblk_t *mp)
{
	if (DB_TYPE(mp) == M_DATA)
		return true;
	switch (tpi_type(mp)) {
	case T_DATA_REQ:
	case T_EXDATA_REQ:
	case T_ORDREL_REQ:
	case T_UNITDATA_REQ:
		return true;
	default:
		return false;
	}
}

/* Returns whether a state is one of a connection, released or not. */
static inline bool tpi_is_connected(int state)
{
	return state == TS_DATA_XFER || state == TS_WIND_ORDREL ||
	       state == TS_WREQ_ORDREL;
}

/*
 * Returns the message, or a new one if it is NULL, with room for size bytes in
 * its first block, which is empty and not shared; the other blocks stay. NULL:
 * memory is short, and the message was freed.
 */
mblk_t *strtpi_room(mblk_t *mp, size_t size);

/*
 * Returns a zeroed message for an answer of size bytes, made of the request if
 * that is possible. NULL: memory is short, and the request was freed.
 */
mblk_t *strtpi_answer(mblk_t *req, size_t size, unsigned char type);

/*
 * Returns a message that makes the stream head hold hiwat bytes, and ask for
 * more when a quarter is left. NULL: memory is short.
 */
mblk_t *strtpi_head_marks(size_t hiwat, gfp_t gfp);

mblk_t *strtpi_prim(mblk_t *req, unsigned char type, const void *prim, size_t size,
		    const void *addr, size_t len);
mblk_t *strtpi_error_ack(mblk_t *req, int tli_error, int unix_error);
mblk_t *strtpi_ok_ack(mblk_t *req);
mblk_t *strtpi_unsupported(mblk_t *req);
/* Ends the stream by an error that the protocol has no answer for. */
mblk_t *strtpi_fatal(mblk_t *req);
mblk_t *strtpi_bind_ack(mblk_t *req, const void *addr, size_t len,
			t_uscalar_t qlen);
mblk_t *strtpi_addr_ack(mblk_t *req, const void *local, size_t local_len,
			const void *remote, size_t remote_len);
mblk_t *strtpi_uderror_ind(mblk_t *req, const void *dest, size_t len, int err);
/* Makes the blocks behind a primitive one block. Returns 0 or -ENOBUFS. */
int strtpi_pull_together(mblk_t *mp);
mblk_t *strtpi_info_req(mblk_t *req, const struct T_info_ack *info, t_uscalar_t acceptor);

/* Sends an answer up from a write queue; NULL: there is no answer to send. */
void strtpi_reply(queue_t *q, mblk_t *mp);
/* Returns the answer to a T_UNITDATA_REQ that cannot be sent, or NULL. */
mblk_t *strtpi_unsent(queue_t *rq, mblk_t *mp, const void *dest, size_t len, int err);
/* Handles an M_FLUSH at a driver's write queue. */
void strtpi_flush(queue_t *q, mblk_t *mp);
/* Makes an M_FLUSH for messages that wait at a stream's head; NULL: memory is short. */
mblk_t *strtpi_flush_message(gfp_t gfp);
/* Returns the TLI error of a bind that failed. */
int strtpi_bind_error(int err, bool any_port);
/* Refuses an unknown M_IOCTL. */
void strtpi_ioctl_nak(queue_t *q, mblk_t *mp, int err);

#endif /* _TPI_TPI_H */
