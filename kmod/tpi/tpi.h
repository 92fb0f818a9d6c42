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
	/* A module may have let its pointers cross. */
	if (MBLKL(mp) < (ssize_t)size)
		return false;
	memcpy(prim, mp->b_rptr, size);
	return true;
}

/* Its type, -1 of a message too short to have one. */
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

/*
 * The message with room for size bytes in its first block, which is empty and
 * not shared; the other blocks stay. NULL: memory is short, it is freed.
 */
mblk_t *strtpi_room(mblk_t *mp, size_t size);

/*
 * A message for an answer of size bytes, zeroed, made of the request if that
 * can be. NULL: memory is short, the request is freed.
 */
mblk_t *strtpi_answer(mblk_t *req, size_t size, unsigned char type);

/*
 * A message that has the stream head hold hiwat bytes, and want more when a
 * quarter is left. NULL: memory is short.
 */
mblk_t *strtpi_head_marks(size_t hiwat, gfp_t gfp);

mblk_t *strtpi_error_ack(mblk_t *req, t_scalar_t prim, int tli_error,
			 int unix_error);
mblk_t *strtpi_ok_ack(mblk_t *req, t_scalar_t prim);
/* An error that the protocol has no answer for ends the stream. */
mblk_t *strtpi_fatal(mblk_t *req);
mblk_t *strtpi_bind_ack(mblk_t *req, const void *addr, size_t len,
			t_uscalar_t qlen);
mblk_t *strtpi_addr_ack(mblk_t *req, const void *local, size_t local_len,
			const void *remote, size_t remote_len);
mblk_t *strtpi_uderror_ind(mblk_t *req, const void *dest, size_t len, int err);

mblk_t *strtpi_info_ack(mblk_t *req, const struct T_info_ack *info);
mblk_t *strtpi_capability_ack(mblk_t *req, const struct T_info_ack *info,
			      t_uscalar_t acceptor);

/* Sends an answer up from a write queue; NULL: there is none to send. */
void strtpi_reply(queue_t *q, mblk_t *mp);
/* M_FLUSH at a driver's write queue. */
void strtpi_flush(queue_t *q, mblk_t *mp);
/* M_FLUSH for messages that wait at a stream's head; NULL: memory is short. */
mblk_t *strtpi_flush_message(gfp_t gfp);
/* The TLI error of a bind that failed. */
int strtpi_bind_error(int err, bool any_port);
/* Refuses an unknown M_IOCTL. */
void strtpi_ioctl_nak(queue_t *q, mblk_t *mp, int err);

#endif /* _TPI_TPI_H */
