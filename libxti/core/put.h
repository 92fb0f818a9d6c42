/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* put.h - primitives that are sent */
#ifndef _LIBXTI_PUT_H
#define _LIBXTI_PUT_H

#include "endpoint.h"
#include "tpi.h"

/* A primitive and its parts in one piece, as a stream takes them */
struct put {
	union T_primitives *prim;
	size_t len;
	void *heap;
	union {
		union T_primitives prim;
		char bytes[256];
	} room;
};

/*
 * Puts a primitive together. Returns TSYSERR on an error; put_free() is called
 * after 0 only.
 */
LOCAL int put_make(struct put *put, const struct tpi_req *req);
LOCAL void put_free(struct put *put);

/* The terms say when a primitive that is not acknowledged may be sent. */
struct tpi_terms {
	unsigned int services;		/* as for state_check() */
	unsigned int states;
	const unsigned int *connection;	/* how many there were before; NULL: any */
	int events;			/* with one of these events it is TLOOK */
	int usual;			/* a primitive that may wait without a look for events */
	void (*sent)(struct endpoint *ep);	/* changes the state then; or NULL */
	size_t *took;			/* set to how many bytes were sent; NULL: all */
};

/*
 * Sends a primitive, in a band, when there is room and as long as the terms
 * hold; else returns TFLOW. Without data, NULL, the message has no data part.
 * The caller holds neither "in" nor "gate".
 */
LOCAL int tpi_send(struct endpoint *ep, const struct tpi_req *req,
		   const struct tpi_terms *terms, const void *data, size_t len,
		   int band);

/* Sends a primitive that is in one piece. */
LOCAL int tpi_send_made(struct endpoint *ep, const void *prim, size_t size,
			const struct tpi_terms *terms, const void *data,
			size_t len, int band);

#endif /* _LIBXTI_PUT_H */
