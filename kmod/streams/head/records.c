// SPDX-License-Identifier: GPL-2.0-only
/* The writes in the ring of a full-duplex pipe: see records.h */
#include <linux/slab.h>

#include "streams/message/mblk.h"
#include "records.h"

/*
 * Allocates the places of the lengths, before the first write. Returns whether
 * memory sufficed.
 */
bool records_make(struct strring *ring)
{
	ring->records = kzalloc(sizeof(*ring->records), GFP_KERNEL_ACCOUNT);
	return ring->records;
}

/*
 * Forgets the writes that were read. Returns whether there is room then, as
 * records_room().
 */
bool records_forget(struct strring *ring, size_t len)
{
	struct ring_records *r = ring->records;
	/*
	 * Acquire: the reader has finished with the earlier bytes and lengths.
	 */
	unsigned int taken = smp_load_acquire(&r->taken);

	/* Nearly always all writes were read. */
	if (taken == r->added) {
		r->taken_seen = taken;
		r->counts = 0;
	}
	while (r->taken_seen != taken)
		r->counts -= msg_block_counts(record_len(r, r->taken_seen++));
	return r->counts + len <= ring->size && r->added - taken < RING_RECORDS;
}
