// SPDX-License-Identifier: LGPL-2.1-or-later
/* Primitives that are sent */
#include <stdlib.h>
#include <string.h>

#include "put.h"

#define PARTS	2

/* Puts a part behind what there is, and says where: a length, then an offset. */
static void add_part(struct put *put, const struct tpi_part *part)
{
	char *bytes = (char *)put->prim;
	t_scalar_t where[2];

	put->len = tpi_aligned(put->len);
	where[0] = part->from->len;
	where[1] = put->len;
	memcpy(bytes + part->at, where, sizeof(where));
	memcpy(bytes + put->len, part->from->buf, part->from->len);
	put->len += part->from->len;
}

int put_make(struct put *put, const struct tpi_req *req)
{
	size_t size = tpi_aligned(req->size);
	char *bytes = put->room.bytes;
	int i;

	put->heap = NULL;
	for (i = 0; i < PARTS; i++)
		if (req->part[i].from)
			size += tpi_aligned(req->part[i].from->len);
	if (size > sizeof(put->room)) {
		bytes = malloc(size);
		if (!bytes)
			return xti_system(ENOMEM);
		put->heap = bytes;
	}
	/* Between the parts too */
	memset(bytes, 0, size);
	memcpy(bytes, req->prim, req->size);
	put->prim = (union T_primitives *)bytes;
	put->len = req->size;
	for (i = 0; i < PARTS; i++)
		if (req->part[i].from && req->part[i].from->len)
			add_part(put, &req->part[i]);
	return 0;
}

void put_free(struct put *put)
{
	free(put->heap);
	put->heap = NULL;
}

int tpi_send(struct endpoint *ep, const struct tpi_req *req, const void *data,
	     size_t len, int band)
{
	struct strbuf d = { .len = len, .buf = (char *)data };
	struct strbuf c = { .len = 0 };
	struct put put;
	int error;

	error = put_make(&put, req);
	if (error)
		return error;
	c.len = put.len;
	c.buf = (char *)put.prim;
	if (putpmsg(ep->fd, &c, data ? &d : NULL, band, MSG_BAND))
		error = xti_stream(TFLOW);
	put_free(&put);
	return error;
}
