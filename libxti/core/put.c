// SPDX-License-Identifier: LGPL-2.1-or-later
/* Primitives that are sent */
#include <stdlib.h>
#include <string.h>

#include "carrier.h"
#include "event.h"
#include "put.h"
#include "state.h"

#define PARTS	2

/* Appends a part, and stores its length, then its offset. */
static void add_part(struct put *put, const struct tpi_part *part)
{
	char *bytes = (char *)put->prim;
	size_t at = tpi_aligned(put->len);
	t_scalar_t where[2] = { part->from->len, at };

	/* The padding is zero: no byte of the user's memory but the data is sent. */
	while (put->len < at)
		bytes[put->len++] = 0;
	memcpy(bytes + part->at, where, sizeof(where));
	memcpy(bytes + at, part->from->buf, part->from->len);
	put->len += part->from->len;
}

static bool has_bytes(const struct tpi_part *part)
{
	return part->from && part->from->len;
}

int put_make(struct put *put, const struct tpi_req *req)
{
	size_t size = tpi_aligned(req->size);
	char *bytes = put->room.bytes;
	int i;

	put->heap = NULL;
	for (i = 0; i < PARTS; i++)
		if (has_bytes(&req->part[i]))
			size += tpi_aligned(req->part[i].from->len);
	if (size > sizeof(put->room)) {
		bytes = malloc(size);
		if (!bytes)
			return xti_system(ENOMEM);
		put->heap = bytes;
	}
	memcpy(bytes, req->prim, req->size);
	put->prim = (union T_primitives *)bytes;
	put->len = req->size;
	for (i = 0; i < PARTS; i++)
		if (has_bytes(&req->part[i]))
			add_part(put, &req->part[i]);
	return 0;
}

void put_free(struct put *put)
{
	if (put->heap)
		free(put->heap);
	put->heap = NULL;
}

/* Checks that the primitive may be sent now. The caller holds "gate". */
static int terms_hold(struct endpoint *ep, const struct tpi_terms *terms)
{
	int error = state_check(ep, terms->services, terms->states);

	/* Another thread has aborted the connection, and made a new one. */
	if (!error && terms->connection &&
	    *terms->connection != atomic_load(&ep->connections))
		error = TOUTSTATE;
	return error;
}

/*
 * Sends a primitive if there is room. Fails with EBADMSG if a message waits at
 * the stream head.
 */
static int send_now(struct endpoint *ep, const struct tpi_terms *terms,
		    struct tpi_out *out)
{
	int error;

	lock_take(&ep->gate);
	error = terms_hold(ep, terms);
	if (!error)
		error = ep->carrier->send(ep, out);
	/*
	 * A thread that aborts the connection and makes another sends later
	 * than this.
	 */
	if (!error && terms->sent)
		terms->sent(ep);
	if (!error && terms->took)
		*terms->took = out->took;
	lock_drop(&ep->gate);
	return error;
}

int tpi_send_made(struct endpoint *ep, const void *prim, size_t size,
		  const struct tpi_terms *terms, const void *data, size_t len,
		  int band)
{
	struct tpi_out out = {
		.prim = prim,
		.size = size,
		.data = data,
		.len = data ? (ssize_t)len : -1,
		.band = band,
		.usual = terms->usual,
	};
	unsigned int woken;
	int error;

	for (;;) {
		/* The count is read before the state that a wakeup reports. */
		woken = atomic_load(&ep->woken);
		error = send_now(ep, terms, &out);
		if (error == TSYSERR && errno == EBADMSG && out.usual >= 0) {
			/*
			 * A message other than the expected one waits: one look
			 * at it is enough.
			 */
			error = event_check_unlocked(ep, terms->events);
			out.usual = -1;
		} else if (error == TFLOW) {
			error = ep->carrier->await_room(ep, &out, woken);
			out.usual = terms->usual;
		} else {
			return error;
		}
		if (error)
			return error;
	}
}

int tpi_send(struct endpoint *ep, const struct tpi_req *req,
	     const struct tpi_terms *terms, const void *data, size_t len,
	     int band)
{
	struct put put;
	int error;

	error = put_make(&put, req);
	if (error)
		return error;
	error = tpi_send_made(ep, put.prim, put.len, terms, data, len, band);
	put_free(&put);
	return error;
}
