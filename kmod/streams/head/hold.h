/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small writes that are held, SNDHOLD
 *
 * A hold is the message that gathers them, and the timer that sends it if no other
 * write does.
 */
#ifndef _STREAMS_HOLD_H
#define _STREAMS_HOLD_H

#include "stream.h"

bool str_hold_write(struct stream *sd, mblk_t *mp, size_t len);
void str_hold_send(struct stream *sd);
void str_hold_hurry(struct stream *sd);
void str_hold_free(struct str_more *more);

/* Held data is sent down before anything else. */
static inline void str_unhold(struct stream *sd)
{
	if (unlikely(READ_ONCE(sd->sd_more)))
		str_hold_send(sd);
}

#endif /* _STREAMS_HOLD_H */
