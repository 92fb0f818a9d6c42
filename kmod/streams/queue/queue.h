/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Queues, for the executive itself
 *
 * The functions with two underscores require q_lock held, with interrupts off,
 * and neither enable nor back-enable anything: those that return whether to
 * back-enable leave that to the caller, which does it by backenable() of
 * flow.h after q_lock is dropped.
 */
#ifndef _STREAMS_QUEUE_H
#define _STREAMS_QUEUE_H

#include <sys/stream.h>

#include "streams/perim/qflag.h"

void queue_init(queue_t *q, struct qinit *qi, unsigned int flag,
		struct strperim *perim, struct stream *str);
void queue_destroy(queue_t *q);

void str_free_list(mblk_t *mp);
void str_free_many(mblk_t *mp);

bool __putq(queue_t *q, mblk_t *mp);
bool __putbq(queue_t *q, mblk_t *mp);
mblk_t *__getq(queue_t *q, bool *back);
mblk_t *__getq_all(queue_t *q, bool *back);
bool __rmvq(queue_t *q, mblk_t *mp);
bool __q_consumed(queue_t *q, mblk_t *mp, size_t n);
void __q_appended(queue_t *q, mblk_t *mp, size_t n);

#endif /* _STREAMS_QUEUE_H */
