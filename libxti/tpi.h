/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tpi.h - primitives of the Transport Provider Interface, to and from a stream
 *
 * A request that is acknowledged is an ioctl for timod, if that is on the
 * stream; else, or where timod has none for it, the primitive itself, whose
 * acknowledgement is the next message of high priority. That is as good as long
 * as no other process takes messages off the same stream meanwhile. Signals wait
 * until the acknowledgement is there, so that the endpoint's state is known; one
 * that comes before the request was sent may interrupt it, and nothing was.
 */
#ifndef _LIBXTI_TPI_H
#define _LIBXTI_TPI_H

#include <stropts.h>
#include <sys/tihdr.h>
#include <sys/timod.h>

#include "endpoint.h"

/* What a stream takes: the kernel's limits of the two parts of a message. */
#define TPI_CTL_MAX	1024
#define TPI_DATA_MAX	65536

/* Expedited data passes data, and T_DISCON_REQ passes both. */
#define TPI_BAND_EXPEDITED	1
#define TPI_BAND_DISCON		2

/* SEQ_number of no connection indication */
#define TPI_NO_SEQUENCE	(-1)

/* What the first message is, when it is no primitive */
#define TPI_NONE	(-1)	/* there is none */
#define TPI_DATA	(-2)	/* data, or what is left of some */

/* A message to send: a primitive and up to two variable parts */
struct tpi_req {
	union T_primitives *prim;
	size_t len;
	t_scalar_t off[2];		/* where the parts are; 0: there is none */
	void *heap;
	union {
		union T_primitives prim;
		char bytes[256];
	} room;
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
		char bytes[512];
	} room;
};

/* tpi_req(), then fill in *prim, then one of those below, then tpi_req_free(). */
LOCAL int tpi_req(struct tpi_req *req, size_t size, const struct netbuf *first,
		  const struct netbuf *second);
LOCAL void tpi_req_free(struct tpi_req *req);

/* Sends it, in a band; TFLOW. The data may be NULL: there is no such part. */
LOCAL int tpi_send(struct endpoint *ep, const struct tpi_req *req,
		   const void *data, size_t len, int band);

/*
 * Those that follow are for who holds the lock "in". Acks and messages that they
 * give are freed with tpi_free(), also after an error.
 */

/* timod's ioctl, or 0; the answer is to be of this type. */
LOCAL int tpi_request(struct endpoint *ep, const struct tpi_req *req, int cmd,
		      int want, struct tpi_msg *ack);
/* The same for those that come with data, or without an ioctl of timod's. */
LOCAL int tpi_request_ok(struct endpoint *ep, const struct tpi_req *req,
			 const struct netbuf *data);
/* T_CONN_RES by I_FDINSERT */
LOCAL int tpi_request_fd(struct endpoint *ep, const struct tpi_req *req,
			 const struct netbuf *data, int resfd, size_t offset);

/* The first message's type, TPI_NONE or TPI_DATA. */
LOCAL int tpi_front(struct endpoint *ep, int *type);
/*
 * The same, but waits for one, without the lock, as long as the endpoint is in one
 * of the states; TOUTSTATE, TNODATA, and EINTR.
 */
LOCAL int tpi_wait(struct endpoint *ep, unsigned int states, int *type);
/* Takes it, with as much data as there is room for. */
LOCAL int tpi_take(struct endpoint *ep, struct tpi_msg *msg, void *data,
		   size_t size);
/* Throws away what is left of it. */
LOCAL void tpi_drain(struct endpoint *ep, struct tpi_msg *msg);
/*
 * Takes it with data into a netbuf (or NULL); TBUFOVFLW when that is too small,
 * with the message complete all the same but for its data.
 */
LOCAL int tpi_take_whole(struct endpoint *ep, struct tpi_msg *msg,
			 struct netbuf *data, size_t size);
LOCAL void tpi_free(struct tpi_msg *msg);

/* A part of a message, into a netbuf: TBUFOVFLW, or TPROTO if it lies outside. */
LOCAL int tpi_copy(const struct tpi_msg *msg, t_scalar_t offset,
		   t_scalar_t length, struct netbuf *to);
/* Whether a message is long enough for its primitive. */
static inline bool tpi_holds(const struct tpi_msg *msg, size_t size)
{
	return msg->len >= 0 && (size_t)msg->len >= size;
}

#endif /* _LIBXTI_TPI_H */
