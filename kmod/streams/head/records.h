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

#include <linux/limits.h>

#include "streams/message/mblk.h"
#include "ring.h"

/* The most unread writes in a ring; as many messages fill a queue */
#define RING_RECORDS	252
#define RECORD_SLOTS	256	/* a power of two */
static_assert(RING_RECORDS < RECORD_SLOTS && STRMSG_DATA_MOST <= U16_MAX);

/* The numbers of writes wrap; only differences of two are used. */
struct ring_records {
	/* The reader's fields, written under sd_read_mutex: */
	unsigned int taken;		/* writes ever read as a whole */
	unsigned int begun;		/* bytes read of the next one */
	/* A slot is the reader's from when added passes it until taken does. */
	unsigned short len[RECORD_SLOTS];	/* bytes */
	/* The writer's fields, written under write_mutex: */
	unsigned int added;		/* writes ever */
	unsigned int taken_seen;	/* taken, when the writer looked last */
	unsigned int counts;		/* bytes that those since count for as messages */
	unsigned int last_len;		/* of the last one, */
	unsigned int last_counts;	/* and the bytes that it counts for */
};

bool records_make(struct strring *ring);
bool records_forget(struct strring *ring, size_t len);

/*
 * Returns whether there is room for a write of len bytes, as messages; called under
 * write_mutex. A message counts for its bytes at least, so the ring has room too.
 */
static inline bool records_room(struct strring *ring, size_t len)
{
	const struct ring_records *r = ring->records;

	lockdep_assert_held(&ring->write_mutex);
	return likely(r->counts + len <= ring->size &&
		      r->added - r->taken_seen < RING_RECORDS) ||
	       records_forget(ring, len);
}

/*
 * Returns whether a write of len bytes has room; makes the places of the
 * lengths before the first write.
 */
static inline bool records_fit(struct strring *ring, size_t len)
{
	return (likely(ring->records) || records_make(ring)) && records_room(ring, len);
}

/*
 * Makes a write visible to the reader. The bytes are in the ring, and the
 * caller holds write_mutex. Returns whether there is room for another write.
 */
static inline bool records_add(struct strring *ring, size_t len)
{
	struct ring_records *r = ring->records;

	r->len[r->added++ % RECORD_SLOTS] = len;
	/* Nearly always a write is as long as the one before. */
	if (unlikely(len != r->last_len)) {
		r->last_len = len;
		r->last_counts = msg_block_counts(len);
	}
	r->counts += r->last_counts;
	/* Release: the bytes and their number are stored before the position. */
	smp_store_release(&ring->head, ring->head + len);
	return records_room(ring, PIPE_BUF);
}

static inline unsigned int record_len(const struct ring_records *r, unsigned int i)
{
	return r->len[i % RECORD_SLOTS];
}

/*
 * Returns the unread bytes of the write that the next unread byte belongs to,
 * under sd_read_mutex.
 */
static inline size_t records_first(const struct strring *ring)
{
	const struct ring_records *r = ring->records;

	lockdep_assert_held(&ring->sd->sd_read_mutex);
	return record_len(r, r->taken) - r->begun;
}

/*
 * Takes n bytes that were read: the tail is behind them. The caller holds
 * sd_read_mutex.
 */
static inline void records_take(struct strring *ring, size_t n)
{
	struct ring_records *r = ring->records;
	unsigned int taken = r->taken, len;

	lockdep_assert_held(&ring->sd->sd_read_mutex);
	for (n += r->begun; n && n >= (len = record_len(r, taken)); n -= len)
		taken++;
	r->begun = n;
	/* Release: the lengths are read before a writer may overwrite them. */
	smp_store_release(&r->taken, taken);
}

#endif /* _STREAMS_RECORDS_H */
