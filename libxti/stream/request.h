/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * request.h - requests that a stream's provider acknowledges
 *
 * A request that is acknowledged is an ioctl for timod, if that is on the
 * stream; else, or where timod has none for it, the primitive itself, whose
 * acknowledgement is the next message of high priority. That works as
 * long as no other process takes messages off the same stream meanwhile.
 * Signals wait until the acknowledgement is there, so that the endpoint's state
 * is known; a signal that arrives before the request is sent may interrupt the
 * call, and then nothing was sent.
 */
#ifndef _LIBXTI_STREAM_REQUEST_H
#define _LIBXTI_STREAM_REQUEST_H

#include "core/endpoint.h"
#include "core/tpi.h"

/* The function request() of the stream carrier */
LOCAL int stream_request(struct endpoint *ep, const struct tpi_req *req,
			 struct tpi_msg *ack);

#endif /* _LIBXTI_STREAM_REQUEST_H */
