// SPDX-License-Identifier: GPL-2.0-only
/* The writes in the ring of a full-duplex pipe: see records.h */
#include <linux/pipe_fs_i.h>
#include <linux/slab.h>

#include "streams/message/mblk.h"
#include "records.h"

/* Forgets the writes that were read, under write_mutex. */
static void records_forget(struct strring *ring)
{
	/* Acquire: the reader is done with the bytes before it. */
	unsigned int tail = smp_load_acquire(&ring->tail);
	struct ring_records *r = ring->records;

	/* Nearly always: all of them */
	if (tail == ring->head) {
		r->start = tail;
		r->n = 0;
		r->counts = 0;
		return;
	}
	while (r->n && (int)(tail - r->start) >= r->len[r->oldest]) {
		r->start += r->len[r->oldest];
		r->counts -= msg_block_counts(r->len[r->oldest]);
		if (++r->oldest == RING_RECORDS)
			r->oldest = 0;
		r->n--;
	}
}

static bool no_room(const struct strring *ring, size_t len)
{
	const struct ring_records *r = ring->records;

	return r->counts + len > ring->size || r->n == RING_RECORDS;
}

/*
 * Whether those unread leave no room for one of len bytes, as messages: they would take
 * more memory than in the ring.
 */
static bool records_full(struct strring *ring, size_t len)
{
	if (likely(!no_room(ring, len)))
		return false;
	records_forget(ring);
	return no_room(ring, len);
}

static struct ring_records *records_make(struct strring *ring)
{
	struct ring_records *r = kmalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);

	if (r) {
		r->start = ring->head;
		r->oldest = 0;
		r->n = 0;
		r->counts = 0;
		ring->records = r;
	}
	return r;
}

/* Whether there is room for a write of len bytes, under write_mutex. */
bool records_fit(struct strring *ring, size_t len)
{
	if (unlikely(!ring->records && !records_make(ring)))
		return false;
	return !records_full(ring, len) && ring_room(ring, len) >= len;
}

/*
 * Makes one visible to the reader; the bytes are there, under write_mutex. Returns
 * whether the next one may find no room.
 */
bool records_add(struct strring *ring, size_t len)
{
	struct ring_records *r = ring->records;
	unsigned int i = r->oldest + r->n++;

	r->len[i < RING_RECORDS ? i : i - RING_RECORDS] = len;
	r->counts += msg_block_counts(len);
	/* Release: the bytes before the position. */
	smp_store_release(&ring->head, ring->head + len);
	return ring_room(ring, PIPE_BUF) < PIPE_BUF || records_full(ring, PIPE_BUF);
}

/* The unread writes, as messages, under both mutexes. */
int records_messages(struct strring *ring, mblk_t **list)
{
	struct ring_records *r = ring->records;
	unsigned int pos = ring->tail, i, n, len;

	if (!r)
		return 0;
	records_forget(ring);
	/* The oldest may have been read in part. */
	len = r->start - pos;
	for (i = r->oldest, n = r->n; n--; list = &(*list)->b_next) {
		len += r->len[i];
		*list = ring_message(ring, pos, len, MSGOBJECT);
		if (!*list)
			return -ENOSR;
		pos += len;
		len = 0;
		if (++i == RING_RECORDS)
			i = 0;
	}
	return 0;
}
