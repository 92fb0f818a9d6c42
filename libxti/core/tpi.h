/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tpi.h - primitives of the Transport Provider Interface
 */
#ifndef _LIBXTI_TPI_H
#define _LIBXTI_TPI_H

#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/tihdr.h>
#include <sys/timod.h>

#include "endpoint.h"

/* The kernel's limits of the two parts of a message. */
#define TPI_CTL_MAX	1024
#define TPI_DATA_MAX	65536

/* Expedited data passes data, and T_DISCON_REQ passes both. */
#define TPI_BAND_EXPEDITED	1
#define TPI_BAND_DISCON		2

/* SEQ_number of no connection indication */
#define TPI_NO_SEQUENCE	(-1)

/* The kind of the first message, when it is not a primitive */
#define TPI_NONE	(-1)	/* there is none */
#define TPI_DATA	(-2)	/* data, or what is left of some */

/* A variable part of a primitive */
struct tpi_part {
	const struct netbuf *from;	/* NULL, or empty: there is none */
	size_t at;			/* where its length, and then its offset, is stored */
};

/* A primitive to send, and what belongs to it */
struct tpi_req {
	const void *prim;
	size_t size;
	struct tpi_part part[2];	/* the second one behind the first */

	/* Of one that is acknowledged: */
	int cmd;			/* timod's ioctl for it; 0: it has none */
	int want;			/* the type of its answer */
	size_t least;			/* bytes that the answer has to have */
	const struct netbuf *data;	/* NULL, or empty: there is none */
	int resfd;			/* the stream whose identity I_FDINSERT stores */
	size_t resfd_at;		/* its offset there; 0: no stream */
};

/* A message received */
struct tpi_msg {
	union T_primitives *prim;
	int len;			/* of the control part; -1: there is none */
	int data_len;
	bool more;			/* data is left on the stream */
	void *heap;
	union {
		union T_primitives prim;
		char bytes[TPI_CTL_MAX];
	} room;
};

/*
 * The following functions are for a caller that holds the lock "in". Messages
 * that they return are freed with tpi_free(), also after an error.
 *
 * Other processes may take messages off the same stream: nothing waits for one
 * that was seen, and none is taken for another.
 */

/* Sends it and takes its answer, into ack unless that is NULL. */
LOCAL int tpi_request(struct endpoint *ep, const struct tpi_req *req,
		      struct tpi_msg *ack);

/* The first message's type, TPI_NONE or TPI_DATA. */
LOCAL int tpi_front(struct endpoint *ep, int *type);
/*
 * The same, but waits for one, without the lock, as long as the endpoint is in one
 * of the states; TOUTSTATE, TNODATA, and EINTR.
 */
LOCAL int tpi_wait(struct endpoint *ep, unsigned int states, int *type);
/*
 * Takes the first message, with as much data as there is room for, if it is still
 * of that type; TNODATA: it was taken by another process.
 */
LOCAL int tpi_take(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
		   size_t size);
/* Drops what is left of it. */
LOCAL void tpi_drain(struct endpoint *ep, struct tpi_msg *msg);
/*
 * The same with data into a netbuf (or NULL); TBUFOVFLW when that is too small,
 * with the message complete except for its data.
 */
LOCAL int tpi_take_whole(struct endpoint *ep, int type, struct tpi_msg *msg,
			 struct netbuf *data, size_t size);
static inline void tpi_free(struct tpi_msg *msg)
{
	if (msg->heap)
		free(msg->heap);
	msg->heap = NULL;
}

/* Bytes of a struct sockaddr_in, the most frequent address */
#define TPI_INET_ADDR	16

/* As memcpy(), which is a call unless the length is known. */
static inline void tpi_copy_bytes(void *to, const void *from, size_t len)
{
	if (len == TPI_INET_ADDR)
		memcpy(to, from, TPI_INET_ADDR);
	else
		memcpy(to, from, len);
}

/* A part of a message, into a netbuf: TBUFOVFLW, or TPROTO if it lies outside. */
LOCAL int tpi_copy_some(const struct tpi_msg *msg, t_scalar_t offset,
			t_scalar_t length, struct netbuf *to);
static inline int tpi_copy(const struct tpi_msg *msg, t_scalar_t offset,
			   t_scalar_t length, struct netbuf *to)
{
	/* No options, nearly always. */
	if (!length && offset >= 0) {
		to->len = 0;
		return 0;
	}
	return tpi_copy_some(msg, offset, length, to);
}

/* The offset of a part that follows len bytes of a primitive. */
static inline size_t tpi_aligned(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/* Data of a connection, or of its end, that is more than a provider takes. */
static inline bool tpi_too_much(const struct netbuf *data, t_scalar_t most)
{
	if (!data->len || most == T_INFINITE)
		return data->len > TPI_DATA_MAX;
	return most < 0 || data->len > TPI_DATA_MAX ||
	       data->len > (unsigned int)most;
}

/* Whether a message is long enough for its primitive. */
static inline bool tpi_holds(const struct tpi_msg *msg, size_t size)
{
	return msg->len >= 0 && (size_t)msg->len >= size;
}

#endif /* _LIBXTI_TPI_H */
