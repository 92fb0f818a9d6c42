/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of a ring: its beginning, its end, for which its bytes become messages */
#ifndef _STREAMS_CONVERT_H
#define _STREAMS_CONVERT_H

#include "ring.h"

void str_ring_init(struct stream *sd, struct strring *ring, size_t size);
void str_ring_destroy(struct stream *sd);
int str_ring_resize(struct stream *sd, size_t size);
int str_ring_flush(struct stream *sd);
void str_ring_drop(struct stream *sd);
int ring_end(struct stream *sd);
int str_rings_end(struct stream *sd);

/*
 * Called before whatever needs messages: ends the rings of a pipe, of both directions.
 * Returns 0, -ENOSR, or -ERESTARTSYS.
 */
static inline int str_ring_end(struct stream *sd)
{
	return str_form_read(sd) || str_form_written(sd) ? str_rings_end(sd) : 0;
}

#endif /* _STREAMS_CONVERT_H */
