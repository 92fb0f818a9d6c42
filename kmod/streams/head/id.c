// SPDX-License-Identifier: GPL-2.0-only
/* The numbers by which I_FDINSERT names streams */
#include <linux/idr.h>

#include "id.h"

static DEFINE_IDA(ids);

/* Returns the stream's number, 0 when memory is short. */
unsigned int str_id(struct stream *sd, gfp_t gfp)
{
	struct str_more *more = str_more(sd, gfp);
	unsigned int id;
	int nr;

	if (!more)
		return 0;
	id = READ_ONCE(more->id);
	if (id)
		return id;
	nr = ida_alloc_range(&ids, 1, INT_MAX, gfp & ~__GFP_ACCOUNT);
	if (nr < 0)
		return 0;
	id = cmpxchg(&more->id, 0, nr);
	if (!id)
		return nr;
	ida_free(&ids, nr);
	return id;
}

void str_id_free(struct str_more *more)
{
	if (more->id)
		ida_free(&ids, more->id);
}

/**
 * strid() - the number by which I_FDINSERT names a stream
 * @q: any queue of it
 *
 * Context: any.
 * Return: its number, the same as long as the stream is open; 0 when memory is
 * short.
 * Source: POSIX.1-2001 ioctl(I_FDINSERT), which leaves the interpretation of
 * the value to the stream's end.
 */
unsigned int strid(queue_t *q)
{
	return str_id(q->q_stream, GFP_ATOMIC);
}
EXPORT_SYMBOL_GPL(strid);
