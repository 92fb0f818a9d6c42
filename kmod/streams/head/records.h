/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The writes in the ring of a full-duplex pipe
 *
 * Each is a message, for getmsg() and modules, so the ring knows where they end. It is
 * used as long as its readers follow: it ends, and the writes become messages, before
 * one of them would have to wait for room. So writers and their pollers never wait for
 * a ring, only for the queue. User memory is copied without waiting for its pages: each
 * end may end the ring, and waits for no memory of the other end's user.
 */
#ifndef _STREAMS_RECORDS_H
#define _STREAMS_RECORDS_H

#include "ring.h"

/* Unread writes; as messages as many fill a queue */
#define RING_RECORDS	252

struct ring_records {
	unsigned int start;		/* position of the oldest */
	unsigned short oldest;		/* its index */
	unsigned short n;		/* there are; some may have been read */
	unsigned int counts;		/* bytes that they count for as messages */
	unsigned short len[RING_RECORDS];	/* bytes */
};

bool records_fit(struct strring *ring, size_t len);
bool records_add(struct strring *ring, size_t len);
int records_messages(struct strring *ring, mblk_t **list);

/* Whether the ring of a head is one of writes, not of bytes. */
static inline bool records_kept(const struct stream *sd)
{
	return sd->sd_mate != sd;
}

#endif /* _STREAMS_RECORDS_H */
