// SPDX-License-Identifier: GPL-2.0-only
/*
 * The head of a stream that is linked below a driver, lent to that driver
 *
 * Its queues have the driver's procedures while it is, and are in the stream's
 * perimeter.
 */
#include "streams/head/errand.h"
#include "streams/head/hold.h"
#include "streams/head/plumb.h"
#include "streams/head/reader.h"
#include "streams/head/state.h"
#include "streams/head/wake.h"
#include "streams/perim/qflag.h"
#include "mux_link.h"
#include "mux_lower.h"

/*
 * The head's put procedure and write service procedure run in the perimeter
 * from here on: no caller runs one of them outside it when this returns.
 */
static void head_enclose(struct stream *sd)
{
	int i;

	for (i = 0; i < 2; i++) {
		queue_t *q = &sd->sd_q[i];

		spin_lock_irq(&q->q_lock);
		q->q_flag &= ~(QHEAD | QMTSAFE);
		spin_unlock_irq(&q->q_lock);
	}
	synchronize_rcu();
}

/*
 * Lets the head's procedures run outside of the perimeter again; no message for
 * them waits there.
 */
static void head_disclose(struct stream *sd)
{
	int i;

	for (i = 0; i < 2; i++) {
		queue_t *q = &sd->sd_q[i];

		queue_settle(q);
		spin_lock_irq(&q->q_lock);
		q->q_flag = (q->q_flag & ~(QPROCSOFF | QNOENB)) | QHEAD |
			    QMTSAFE;
		spin_unlock_irq(&q->q_lock);
	}
	/* Waiters that could not be woken meanwhile look again. */
	str_wsrv(str_wq(sd));
}

/* Makes a queue of the head the driver's, and remembers what it was. */
static void head_lend(struct head_state *head, queue_t *q, struct qinit *qi,
		      const struct module_info *mi, int i)
{
	spin_lock_irq(&q->q_lock);
	head->qinfo[i] = q->q_qinfo;
	head->minpsz[i] = q->q_minpsz;
	head->maxpsz[i] = q->q_maxpsz;
	head->hiwat[i] = q->q_hiwat;
	head->lowat[i] = q->q_lowat;
	q->q_qinfo = qi;
	q->q_ptr = NULL;
	q->q_minpsz = mi->mi_minpsz;
	q->q_maxpsz = mi->mi_maxpsz;
	q->q_hiwat = mi->mi_hiwat;
	q->q_lowat = mi->mi_lowat;
	q->q_flag |= QWANTR;
	spin_unlock_irq(&q->q_lock);
}

static void head_return(const struct head_state *head, queue_t *q, int i)
{
	spin_lock_irq(&q->q_lock);
	q->q_qinfo = head->qinfo[i];
	q->q_ptr = NULL;
	q->q_minpsz = head->minpsz[i];
	q->q_maxpsz = head->maxpsz[i];
	q->q_hiwat = head->hiwat[i];
	q->q_lowat = head->lowat[i];
	spin_unlock_irq(&q->q_lock);
}

/* Takes all messages off a queue, in order. */
static mblk_t *queue_empty(queue_t *q)
{
	mblk_t *first = NULL, **tail = &first, *mp;

	while ((mp = getq(q))) {
		*tail = mp;
		tail = &mp->b_next;
	}
	return first;
}

/*
 * Gives messages to a queue's put procedure, as they would have arrived. put()
 * is used because a driver's procedures are RCU readers wherever they run: its
 * close waits for them.
 */
static void queue_feed(queue_t *q, mblk_t *mp)
{
	while (mp) {
		mblk_t *next = mp->b_next;

		mp->b_next = NULL;
		put(q, mp);
		mp = next;
	}
}

/* The driver does not know the stream yet, and has not refused it either. */
static int linking_rput(queue_t *q, mblk_t *mp)
{
	if (!putq(q, mp))
		freemsg(mp);
	return 0;
}

static struct module_info linking_info = {
	.mi_idname = "linking",
};

static struct qinit linking_rinit = {
	.qi_putp = linking_rput,
	.qi_minfo = &linking_info,
};

/* These messages reached the head, and would not reach the driver. */
static int lower_error(struct stream *sd)
{
	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	return str_take_error(sd, false) ?: str_take_error(sd, true);
}

/* Makes the lower stream's head the driver's, which does not know it yet. */
int mux_lower_take(struct mux_link *link)
{
	const struct streamtab *tab = link->drv->tab;
	struct stream *sd = link->lower;
	int err = 0;

	if (mutex_lock_interruptible_nested(&sd->sd_ioctl_mutex,
					    SINGLE_DEPTH_NESTING))
		return -EINTR;
	err = lower_error(sd);
	if (err)
		goto unlock;
	/* Modules may have been pushed since the depth was looked at. */
	if (sd->sd_npush > link->npush) {
		err = -EAGAIN;
		goto unlock;
	}
	/* A reader may be copying from a message at this moment. */
	if (str_read_lock(sd)) {
		err = -EINTR;
		goto unlock;
	}
	head_enclose(sd);
	str_perim_lock(sd->sd_perim);
	/* The driver gets the messages that arrive from here on; earlier ones are not kept. */
	err = lower_error(sd);
	if (err) {
		str_perim_unlock(sd->sd_perim);
		head_disclose(sd);
		mutex_unlock(&sd->sd_read_mutex);
		goto unlock;
	}
	head_lend(&link->head, str_rq(sd), &linking_rinit,
		  tab->st_muxrinit->qi_minfo, 0);
	head_lend(&link->head, str_wq(sd), tab->st_muxwinit,
		  tab->st_muxwinit->qi_minfo, 1);
	str_set_flag(sd, STR_PLEX, 0);
	str_perim_unlock(sd->sd_perim);
	mutex_unlock(&sd->sd_read_mutex);
	/*
	 * No writer holds data any more: held data is sent before the driver's.
	 */
	str_hold_send(sd);
	/*
	 * No task reads any more: data that a reader was to fetch is sent up.
	 */
	str_errand_leave(sd);
unlock:
	mutex_unlock(&sd->sd_ioctl_mutex);
	return err;
}

/*
 * Moves hangups to the end of a chain of messages. A queue has them first, as
 * of high priority, but they were the last messages to come.
 */
static mblk_t *hangups_last(mblk_t *first)
{
	mblk_t *hangups = NULL, **end = &hangups, **at = &first, *mp;

	while ((mp = *at)) {
		if (DB_TYPE(mp) != M_HANGUP && DB_TYPE(mp) != M_UNHANGUP) {
			at = &mp->b_next;
			continue;
		}
		*at = mp->b_next;
		mp->b_next = NULL;
		*end = mp;
		end = &mp->b_next;
	}
	*at = hangups;
	return first;
}

/*
 * Gives the driver, which now knows the stream, the messages that arrived there
 * before.
 */
void mux_lower_begin(struct mux_link *link)
{
	struct stream *sd = link->lower;
	queue_t *q = str_rq(sd);
	mblk_t *mp;

	str_perim_lock(sd->sd_perim);
	mp = queue_empty(q);
	spin_lock_irq(&q->q_lock);
	q->q_qinfo = link->drv->tab->st_muxrinit;
	spin_unlock_irq(&q->q_lock);
	queue_feed(q, hangups_last(mp));
	str_perim_unlock(sd->sd_perim);
}

/*
 * Makes the lower stream's head a head again, after a grace period in which
 * the driver's procedures that still knew it have ended. Messages that its
 * queues hold are sent on: down to the stream's driver, or up to the head.
 */
void mux_lower_return(struct mux_link *link)
{
	struct stream *sd = link->lower;
	queue_t *rq = str_rq(sd), *wq = str_wq(sd);
	mblk_t *mp;

	queue_off(rq);
	queue_off(wq);
	str_perim_lock(sd->sd_perim);
	queue_forward(wq);
	mp = queue_empty(rq);
	head_return(&link->head, rq, 0);
	head_return(&link->head, wq, 1);
	/*
	 * A reader meanwhile sees none of the messages, or a hangup before the
	 * data.
	 */
	queue_feed(rq, mp);
	str_set_flag(sd, 0, STR_PLEX);
	str_perim_unlock(sd->sd_perim);
	if (READ_ONCE(rq->q_first))
		str_wake_reader(sd, EPOLLIN | EPOLLRDNORM | EPOLLPRI);
	str_errand_look_again(rq);
	head_disclose(sd);
}
