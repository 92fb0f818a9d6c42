/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * receive.h - requests and their answers, and messages that have arrived
 *
 * The functions are for a caller that holds the lock "in".
 *
 * Other processes may take messages off the same stream: no function waits for a message
 * that was seen before, and none takes one message for another.
 */
#ifndef _LIBXTI_CORE_RECEIVE_H
#define _LIBXTI_CORE_RECEIVE_H

#include "endpoint.h"
#include "tpi.h"

/* Sends a request and takes its answer, into ack unless that is NULL. */
LOCAL int tpi_request(struct endpoint *ep, const struct tpi_req *req,
		      struct tpi_msg *ack);
/* Stores the first message's type, TPI_NONE or TPI_DATA. */
LOCAL int tpi_peek_type(struct endpoint *ep, int *type);
/*
 * Waits for a message, without the lock, as long as the endpoint is in one of
 * the states, and stores its type. Returns TOUTSTATE, TNODATA, or EINTR.
 */
LOCAL int tpi_await_type(struct endpoint *ep, unsigned int states, int *type);
/*
 * Takes the first message, with as much data as fits, if it is still of that
 * type. Returns TNODATA if another process took it.
 */
LOCAL int tpi_take_message(struct endpoint *ep, int type, struct tpi_msg *msg,
			   void *data, size_t size);
/* Drops the rest of a message. */
LOCAL void tpi_drop_rest(struct endpoint *ep, struct tpi_msg *msg);
/*
 * Takes a message as a whole, its data into a netbuf (or NULL). Returns
 * TBUFOVFLW when the netbuf is too small, with the message complete except for
 * its data. size: the bytes of the primitive.
 */
LOCAL int tpi_take_whole(struct endpoint *ep, int type, struct tpi_msg *msg,
			 struct netbuf *data, size_t size);

#endif /* _LIBXTI_CORE_RECEIVE_H */
