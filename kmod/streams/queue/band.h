/* SPDX-License-Identifier: GPL-2.0-only */
/* Priority bands and water marks; band 0 is the queue itself */
#ifndef _STREAMS_BAND_H
#define _STREAMS_BAND_H

#include <sys/stream.h>

/* Returns the band; NULL: band 0, or a band that has not been used. */
static inline struct qband *band_find(const queue_t *q, unsigned char pri)
{
	return unlikely(pri) && pri <= q->q_nband ? &q->q_bandp[pri - 1] : NULL;
}

bool band_make(queue_t *q, unsigned char pri);
bool band_full(queue_t *q, unsigned char pri);
bool band_overfull(const queue_t *q);
bool band_mark(queue_t *q, unsigned char pri, qfields_t what, long val);
struct qband *band_take_all(queue_t *q);
void band_charge(queue_t *q, unsigned char pri, size_t n);
bool band_uncharge(queue_t *q, unsigned char pri, size_t n);
bool band_empty_all(queue_t *q);

#endif /* _STREAMS_BAND_H */
