/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perimeters that the instances of a module share
 *
 * The outer perimeter is that of all instances together, as in the DDI of Solaris: the
 * functions of qwriter(PERIM_OUTER) run in it alone. The inner one is that of an instance.
 */
#ifndef _STREAMS_OUTER_H
#define _STREAMS_OUTER_H

#include "streams/perim/pair.h"

/*
 * Makes the outer perimeter that a module's flags ask for. Returns NULL if its
 * instances share nothing, or an error.
 */
struct strouter *outer_alloc(unsigned int flags);
void outer_free(struct strouter *outer);
void pair_writers_init(struct queue_pair *qp, struct strouter *outer);
/* Returns whether its module's pairs have a perimeter each. */
bool outer_own(const struct strouter *o);
/* Returns the perimeter of a pair on a stream. */
struct strperim *pair_perim(struct queue_pair *qp, struct strperim *stream);
void outer_enter(struct queue_pair *qp);
/* Waits until functions given to qwriter(PERIM_OUTER) have run. Sleeps. */
void outer_settle(struct queue_pair *qp);
/* Called after the procedures of a pair are off. Sleeps. */
void outer_leave(struct queue_pair *qp);
/*
 * Called around open and close procedures; one runs at a time if the module
 * asks for that.
 */
void outer_open_lock(struct strouter *outer);
void outer_open_unlock(struct strouter *outer);

#endif /* _STREAMS_OUTER_H */
