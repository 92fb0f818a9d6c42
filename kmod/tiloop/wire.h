/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages between endpoints of the loopback transports
 *
 * Messages put to the other's read queue, where its perimeter lets its put
 * procedure act on them. Those of one sender keep their order. Each names a
 * connection by its number: an endpoint that no longer knows the number has
 * ended the connection, and has reported that.
 */
#ifndef _TILOOP_WIRE_H
#define _TILOOP_WIRE_H

#include "end.h"

enum loop_what {
	LOOP_CALL,		/* to a listener: a connection is wanted */
	LOOP_ACCEPT,		/* from there to the acceptor */
	LOOP_ACCEPTED,		/* back: a TLI error or 0 */
	LOOP_ANSWER,		/* to the caller, from the acceptor */
	LOOP_DISCON,		/* it is over */
	LOOP_DATA,
	LOOP_EXDATA,
	LOOP_ORDREL,
};

/*
 * The first block of a message between endpoints; the others are the user's
 * data.
 */
struct tiloop_wire {
	u32 what;
	t_scalar_t value;	/* MORE_flag, DISCON_reason, a TLI error */
	u64 conn;
	struct tiloop_end *from;	/* LOOP_DISCON: to compare with, no reference */
};

/* A message that makes a connection, with references */
struct tiloop_wire_call {
	struct tiloop_wire wire;
	struct tiloop_call *call;		/* LOOP_CALL, LOOP_ACCEPT */
	struct tiloop_addr addr;		/* of the listener, or the acceptor */
};

/* The caller's side of a connection that is to be made */
struct tiloop_call {
	struct list_head list;		/* the listener's calls */
	refcount_t ref;
	u64 conn;
	struct tiloop_end *from;		/* with a reference */
	struct tiloop_addr addr;		/* its address */
	u32 seq;			/* SEQ_number at the listener */
	mblk_t *refusal;		/* allocated for a refusal */
	bool gone;			/* the caller has given up */
};

struct tiloop_call *tiloop_call_alloc(struct tiloop_end *from);
void tiloop_call_put(struct tiloop_call *call);

mblk_t *tiloop_wire_alloc(size_t size);
/* Makes an empty block of a wire a block of another kind; the data stays. */
struct tiloop_wire *tiloop_wire_fill(mblk_t *mp, enum loop_what what, u64 conn,
				     t_scalar_t value, struct tiloop_end *from);
/* Makes the first block of a user's message a wire; NULL: memory is short. */
mblk_t *tiloop_wire_make(mblk_t *mp);
/*
 * Sends a message. Returns false if the other side closes: the caller keeps the
 * message.
 */
bool tiloop_wire_send(struct tiloop_end *to, mblk_t *mp);
void tiloop_wire_send_or_free(struct tiloop_end *to, mblk_t *mp);

#endif /* _TILOOP_WIRE_H */
