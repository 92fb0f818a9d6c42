/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stream.h - primitives of the Transport Provider Interface, to and from a stream
 *
 * A request that is acknowledged is an ioctl for timod, if that is on the
 * stream; else, or where timod has none for it, the primitive itself, whose
 * acknowledgement is the next message of high priority. That works as well as
 * long as no other process takes messages off the same stream meanwhile.
 * Signals wait until the acknowledgement is there, so that the endpoint's state
 * is known; a signal that arrives before the request is sent may interrupt the
 * call, and then nothing was sent.
 */
#ifndef _LIBXTI_STREAM_H
#define _LIBXTI_STREAM_H

#include "core/carrier.h"

/* Pushes timod, if there is one. */
LOCAL int stream_push_timod(struct endpoint *ep);

/* The carrier's functions in request.c */
LOCAL int stream_request(struct endpoint *ep, const struct tpi_req *req,
			 struct tpi_msg *ack);

/* The control part of the first message, if that is one of high priority; TNODATA. */
LOCAL int stream_take_high(struct endpoint *ep, void *buf, size_t size, int *len);

#endif /* _LIBXTI_STREAM_H */
