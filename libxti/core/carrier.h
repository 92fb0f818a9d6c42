/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * carrier.h - what carries primitives between the library and a provider
 *
 * States, checks, events and waiting are the library's, whatever the carrier is:
 * stream/stream.h, where the provider is a driver of the kernel's, or
 * sock/provider.h, where the library itself makes a provider of the kernel's sockets.
 *
 * A function of a carrier is called with the lock "in" held, unless its comment says
 * otherwise.
 */
#ifndef _LIBXTI_CORE_CARRIER_H
#define _LIBXTI_CORE_CARRIER_H

#include "tpi.h"

struct endpoint;

struct carrier {
	/*
	 * Finds out which provider a descriptor has. Returns TBADF when this
	 * carrier has none for it.
	 */
	int (*attach)(struct endpoint *ep);
	/*
	 * Frees the carrier's state. No lock is held, and no reference is left.
	 */
	void (*detach)(struct endpoint *ep);
	/*
	 * Frees the carrier's locks in the child of a fork(), which has one
	 * thread.
	 */
	void (*reset_in_child)(struct endpoint *ep);
	/* Sends a primitive that is acknowledged, and takes the acknowledgement. */
	int (*request)(struct endpoint *ep, const struct tpi_req *req,
		       struct tpi_msg *ack);
	/*
	 * Sends a primitive if there is room, else returns TFLOW; TSYSERR and
	 * EBADMSG when the first message is not the expected one. "gate" is
	 * held, "in" is not.
	 */
	int (*send)(struct endpoint *ep, struct tpi_out *out);
	/*
	 * Waits until the primitive may have room, or for a wakeup that woken
	 * does not count. Returns TFLOW with O_NONBLOCK. "in" is not held.
	 */
	int (*await_room)(struct endpoint *ep, const struct tpi_out *out,
			  unsigned int woken);
	/*
	 * Returns whether a primitive of that band could be sent. No lock is
	 * held.
	 */
	bool (*has_room)(struct endpoint *ep, int band);
	/* Stores the first message's type, TPI_NONE or TPI_DATA. */
	int (*peek_type)(struct endpoint *ep, int *type);
	/* Takes the first message: see tpi_take_message(). */
	int (*take_message)(struct endpoint *ep, int type, struct tpi_msg *msg,
			    void *data, size_t size);
	/*
	 * Waits until a message may have arrived, or for a wakeup that woken does not
	 * count. No lock is held; a thread may be cancelled there.
	 */
	int (*await_input)(struct endpoint *ep, unsigned int woken);
	/*
	 * Checks that a connection can be handed over. Returns 0, TPROVMISMATCH
	 * or TBADF. No lock is held.
	 */
	int (*check_same)(const struct endpoint *ep, const struct endpoint *res);
};

#endif /* _LIBXTI_CORE_CARRIER_H */
