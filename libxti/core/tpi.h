/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tpi.h - primitives of the Transport Provider Interface */
#ifndef _LIBXTI_CORE_TPI_H
#define _LIBXTI_CORE_TPI_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/tihdr.h>
#include <sys/timod.h>
#include <sys/types.h>

#include "error.h"

/* The kernel limits the two parts of a message. */
#define TPI_CTL_MAX	1024
#define TPI_DATA_MAX	65536

/* Expedited data passes data, and T_DISCON_REQ passes both. */
#define TPI_BAND_EXPEDITED	1
#define TPI_BAND_DISCON		2

/* The SEQ_number of no connection indication */
#define TPI_NO_SEQUENCE	(-1)

/* The type of the first message, when it is not a primitive */
#define TPI_NONE	(-1)	/* there is no message */
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

	/* The fields below are for a primitive that is acknowledged: */
	int cmd;			/* timod's ioctl for it; 0: it has none */
	int want;			/* the type of its answer */
	size_t least;			/* bytes that the answer has to have */
	const struct netbuf *data;	/* NULL, or empty: there is none */
	int resfd;			/* the stream whose identity I_FDINSERT stores */
	size_t resfd_at;		/* its offset there; 0: no stream */
};

/* A primitive that is not acknowledged, and its data */
struct tpi_out {
	const void *prim;
	size_t size;
	const void *data;
	ssize_t len;		/* -1: there is no data part */
	int band;
	int usual;		/* the primitive that may wait first; another: EBADMSG; -1: any */
	size_t took;		/* bytes that were sent, when "took" of its terms is set */
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

/* Frees a message, also after an error of the function that it was taken by. */
static inline void tpi_free(struct tpi_msg *msg)
{
	if (msg->heap)
		free(msg->heap);
	msg->heap = NULL;
}

/* The bytes of a struct sockaddr_in, the most frequent address */
#define TPI_INET_ADDR	16

/* Copies as memcpy() does, which is a call unless the length is known. */
static inline void tpi_copy_bytes(void *to, const void *from, size_t len)
{
	if (len == TPI_INET_ADDR)
		memcpy(to, from, TPI_INET_ADDR);
	else
		memcpy(to, from, len);
}

/*
 * Copies a part that has bytes. Returns TBUFOVFLW, or TPROTO if the part lies
 * outside of the message.
 */
LOCAL int tpi_copy_bytes_of(const struct tpi_msg *msg, t_scalar_t offset,
			    t_scalar_t length, struct netbuf *to);

/*
 * Copies a part of a message into a netbuf. Returns TBUFOVFLW or TPROTO on an
 * error.
 */
static inline int tpi_copy_part(const struct tpi_msg *msg, t_scalar_t offset,
				t_scalar_t length, struct netbuf *to)
{
	/* Nearly all messages come without options. */
	if (!length && offset >= 0) {
		to->len = 0;
		return 0;
	}
	return tpi_copy_bytes_of(msg, offset, length, to);
}

/* Returns the offset of a part that follows len bytes of a primitive. */
static inline size_t tpi_aligned(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/*
 * Returns whether data of a connection, or of its end, is more than a provider
 * takes.
 */
static inline bool tpi_too_much(const struct netbuf *data, t_scalar_t most)
{
	if (!data->len || most == T_INFINITE)
		return data->len > TPI_DATA_MAX;
	return most < 0 || data->len > TPI_DATA_MAX ||
	       data->len > (unsigned int)most;
}

/* Returns whether a message is long enough for its primitive. */
static inline bool tpi_holds(const struct tpi_msg *msg, size_t size)
{
	return msg->len >= 0 && (size_t)msg->len >= size;
}

#endif /* _LIBXTI_CORE_TPI_H */
