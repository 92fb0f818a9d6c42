// SPDX-License-Identifier: GPL-2.0-only
/* Passing messages along a stream */
#include <linux/rcupdate.h>

#include "perim.h"
#include "qflag.h"

/*
 * A put procedure that needs no perimeter (a stream head's) is called at once
 * when the perimeter is idle. When it is not, a message of the same sender may
 * be waiting in the inbox, and this one must not overtake it.
 */
static bool put_direct(const queue_t *to, const struct strperim *p)
{
	return (READ_ONCE(to->q_flag) & QMTSAFE) && perim_idle(p);
}

/**
 * put() - give a message to a queue's put procedure
 * @q: the queue
 * @mp: the message; consumed
 *
 * From outside the stream (an interrupt, a timer, another stream) the message
 * may be processed later, by the current owner of the stream's perimeter. The
 * caller holds no lock that the put procedures take.
 *
 * Context: any. SVR4.2 DDI/DKI put(D3).
 */
void put(queue_t *q, mblk_t *mp)
{
	rcu_read_lock();
	if (put_direct(q, q->q_perim))
		perim_run_put(q, mp);
	else
		perim_put(q, mp);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(put);

/**
 * putnext() - give a message to the put procedure of the next queue
 * @q: the queue whose neighbour is meant
 * @mp: the message; consumed
 *
 * Context: any, see put(). SVR4.2 DDI/DKI putnext(D3).
 */
void putnext(queue_t *q, mblk_t *mp)
{
	queue_t *next;

	rcu_read_lock();
	next = rcu_dereference(q->q_next);
	if (WARN_ON_ONCE(!next))
		freemsg(mp);
	else if (put_direct(next, q->q_perim))
		perim_run_put(next, mp);
	else
		perim_putnext(q, mp);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(putnext);

/**
 * qreply() - send a message back the way it came
 * @q: the queue it arrived at
 * @mp: the message; consumed
 *
 * Context: any, see put(). SVR4.2 DDI/DKI qreply(D3).
 */
void qreply(queue_t *q, mblk_t *mp)
{
	putnext(OTHERQ(q), mp);
}
EXPORT_SYMBOL_GPL(qreply);

/* Makes a control message of type without a body, or with one byte. */
static mblk_t *ctl_alloc(int type, const unsigned char *param)
{
	mblk_t *mp;

	/* Data types would arrive as an end-of-file or an empty primitive. */
	if (datamsg(type) && type != M_DELAY)
		return NULL;
	mp = allocb(1, BPRI_HI);
	if (!mp)
		return NULL;
	DB_TYPE(mp) = type;
	if (param)
		*mp->b_wptr++ = *param;
	return mp;
}

/*
 * Makes a message and passes it by put() or putnext(). Returns 1, or 0 when
 * memory is short.
 */
static int ctl_pass(void (*pass)(queue_t *q, mblk_t *mp), queue_t *q, int type,
		    const unsigned char *param)
{
	mblk_t *mp = ctl_alloc(type, param);

	if (!mp)
		return 0;
	pass(q, mp);
	return 1;
}

/**
 * putctl() - make a control message and put it
 * @q: the queue
 * @type: message type; M_DATA, M_PROTO and M_PCPROTO are refused
 *
 * Return: 1, or 0 when the type is refused or memory short.
 * Context: any, see put(). SVR4.2 DDI/DKI putctl(D3).
 */
int putctl(queue_t *q, int type)
{
	return ctl_pass(put, q, type, NULL);
}
EXPORT_SYMBOL_GPL(putctl);

/**
 * putctl1() - make a control message of one byte and put it
 * @q: the queue
 * @type: message type, as for putctl()
 * @param: the byte
 *
 * Return: as putctl(). SVR4.2 DDI/DKI putctl1(D3).
 */
int putctl1(queue_t *q, int type, int param)
{
	unsigned char byte = param;

	return ctl_pass(put, q, type, &byte);
}
EXPORT_SYMBOL_GPL(putctl1);

/**
 * putnextctl() - make a control message and put it to the next queue
 * @q: the queue whose neighbour is meant
 * @type: message type, as for putctl()
 *
 * Return: as putctl(). SVR4.2 DDI/DKI putnextctl(D3).
 */
int putnextctl(queue_t *q, int type)
{
	return ctl_pass(putnext, q, type, NULL);
}
EXPORT_SYMBOL_GPL(putnextctl);

/**
 * putnextctl1() - make a control message of one byte, put it to the next queue
 * @q: the queue whose neighbour is meant
 * @type: message type, as for putctl()
 * @param: the byte
 *
 * Return: as putctl(). SVR4.2 DDI/DKI putnextctl1(D3).
 */
int putnextctl1(queue_t *q, int type, int param)
{
	unsigned char byte = param;

	return ctl_pass(putnext, q, type, &byte);
}
EXPORT_SYMBOL_GPL(putnextctl1);
