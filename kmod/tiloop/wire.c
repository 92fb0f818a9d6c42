// SPDX-License-Identifier: GPL-2.0-only
/* Messages from one endpoint of the loopback transports to another */
#include <linux/slab.h>

#include "wire.h"

/* The numbers of connections, which are never used twice */
static atomic64_t last_conn;

struct tiloop_call *tiloop_call_alloc(struct tiloop_end *from)
{
	struct tiloop_call *call = kzalloc(sizeof(*call),
					   GFP_ATOMIC | __GFP_ACCOUNT);

	if (!call)
		return NULL;
	INIT_LIST_HEAD(&call->list);
	refcount_set(&call->ref, 1);
	call->conn = atomic64_inc_return(&last_conn);
	call->from = tiloop_end_get(from);
	call->addr = from->addr;
	return call;
}

void tiloop_call_put(struct tiloop_call *call)
{
	if (!refcount_dec_and_test(&call->ref))
		return;
	freemsg(call->refusal);
	tiloop_end_put(call->from);
	kfree(call);
}

mblk_t *tiloop_wire_alloc(size_t size)
{
	mblk_t *mp = allocb(size, BPRI_HI);

	if (!mp)
		return NULL;
	mp->b_wptr += size;
	/* The message takes an object of its own, however small it is. */
	mp->b_flag |= MSGOBJECT;
	return mp;
}

struct tiloop_wire *tiloop_wire_fill(mblk_t *mp, enum loop_what what, u64 conn,
				     t_scalar_t value, struct tiloop_end *from)
{
	struct tiloop_wire *w = (struct tiloop_wire *)mp->b_rptr;

	DB_TYPE(mp) = M_CTL;
	*w = (struct tiloop_wire){
		.what = what,
		.value = value,
		.conn = conn,
		.from = from,
	};
	return w;
}

/*
 * Makes a message for the other side. If all blocks are M_DATA, one is put
 * before them. Else the bytes of the first block, which have been read already,
 * make room.
 */
mblk_t *tiloop_wire_make(mblk_t *mp)
{
	mblk_t *bp;

	if (DB_TYPE(mp) != M_DATA && DB_REF(mp) == 1 &&
	    MBLKSIZE(mp) >= sizeof(struct tiloop_wire)) {
		mp->b_rptr = DB_BASE(mp);
		mp->b_wptr = mp->b_rptr + sizeof(struct tiloop_wire);
		mp->b_flag = MSGOBJECT;
		return mp;
	}
	bp = tiloop_wire_alloc(sizeof(struct tiloop_wire));
	if (!bp)
		return NULL;
	if (DB_TYPE(mp) == M_DATA) {
		bp->b_cont = mp;
	} else {
		bp->b_cont = mp->b_cont;
		freeb(mp);
	}
	return bp;
}

/**
 * tiloop_wire_send() - put a message to another endpoint
 * @to: the endpoint
 * @mp: the message
 *
 * It may be acted upon before this returns. Messages sent back in reply arrive
 * after the caller's procedure has returned.
 *
 * Context: inside the sender's perimeter, or when its procedures are off.
 * Return: false when the other closes: then @mp is the caller's still.
 */
bool tiloop_wire_send(struct tiloop_end *to, mblk_t *mp)
{
	queue_t *q = tiloop_enter(to);

	if (!q)
		return false;
	put(q, mp);
	tiloop_leave(to);
	return true;
}

void tiloop_wire_send_or_free(struct tiloop_end *to, mblk_t *mp)
{
	if (!tiloop_wire_send(to, mp))
		freemsg(mp);
}
