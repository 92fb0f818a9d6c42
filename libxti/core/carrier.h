/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * carrier.h - what carries primitives between the library and a provider
 *
 * States, checks, events and waiting are the library's, whatever the carrier is:
 * stream/stream.h, where the provider is a driver of the kernel's, or sock/sock.h, where the
 * library itself makes a provider of the kernel's sockets.
 *
 * Each function but those that say so is for a caller that holds the lock "in".
 */
#ifndef _LIBXTI_CARRIER_H
#define _LIBXTI_CARRIER_H

#include <sys/types.h>

#include "tpi.h"

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

struct carrier {
	/*
	 * Finds out what an unknown descriptor is: TBADF, or TBADNAME when it
	 * is not a provider of this carrier.
	 */
	int (*attach)(struct endpoint *ep);
	/* Frees what the carrier keeps. No lock is held, and no reference is left. */
	void (*detach)(struct endpoint *ep);
	/* Sends a primitive that is acknowledged, and takes the acknowledgement. */
	int (*request)(struct endpoint *ep, const struct tpi_req *req,
		       struct tpi_msg *ack);
	/*
	 * Sends if there is room, else TFLOW; TSYSERR and EBADMSG when the
	 * first message is not the expected one. "gate" is held, "in" is not.
	 */
	int (*send)(struct endpoint *ep, struct tpi_out *out);
	/*
	 * Waits until that may have room, or for a wakeup that woken does not count;
	 * TFLOW with O_NONBLOCK. "in" is not held.
	 */
	int (*await_room)(struct endpoint *ep, const struct tpi_out *out,
			  unsigned int woken);
	/* Whether a primitive of that band could be sent. No lock is held. */
	bool (*has_room)(struct endpoint *ep, int band);
	/* The first message's type, TPI_NONE or TPI_DATA. */
	int (*front)(struct endpoint *ep, int *type);
	/* See tpi_take(). */
	int (*take)(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
		    size_t size);
	/* The same for a message. No lock is held; a thread may be cancelled there. */
	int (*await_input)(struct endpoint *ep, unsigned int woken);
	/* Whether a connection can be handed over: 0 or TPROVMISMATCH, TBADF. No lock. */
	int (*same)(const struct endpoint *ep, const struct endpoint *res);
};

LOCAL extern const struct carrier stream_carrier, sock_carrier;

#endif /* _LIBXTI_CARRIER_H */
