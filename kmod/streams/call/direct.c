// SPDX-License-Identifier: GPL-2.0-only
/* putmsg() and getmsg() between a user and a driver: see direct.h */
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/uaccess.h>

#include "streams/head/hold.h"
#include "streams/head/state.h"
#include "streams/head/wake.h"
#include "streams/message/copy.h"
#include "streams/perim/qflag.h"
#include "streams/trace.h"
#include "direct.h"

/* Returns whether data passed now would overtake nothing, and no module would change it. */
static bool is_straight(const struct stream *sd)
{
	return !READ_ONCE(sd->sd_nown) && perim_idle(sd->sd_perim);
}

/* Offers the driver the user's own bytes. */
static int put_bytes(struct str_errands *e, const void *ctl,
		     const struct strio_msg *msg)
{
	const char __user *data = u64_to_user_ptr(msg->data.buf);
	size_t len = msg->data.len;
	struct iov_iter from;

	if (!access_ok(data, len))
		return -ENODATA;
	iov_iter_ubuf(&from, ITER_SOURCE, (void __user *)data, len);
	return e->ops->put(e->rq, ctl, msg->ctl.len, &from);
}

/**
 * str_put_now() - offer a driver the parts of a message
 * @sd: the stream head, of a driver that has errands
 * @msg: its parts, as of str_putmsg(): band 0, and of no high priority
 *
 * Context: process, with no lock; sleeps.
 * Return: 0; -ENODATA: it has to be a message; -EFAULT, -ERESTARTSYS.
 */
int str_put_now(struct stream *sd, const struct strio_msg *msg)
{
	unsigned char ctl[STR_DIRECT_CTL] __aligned(sizeof(u64));
	struct str_errands *e = sd->sd_errands;
	int err;

	if (msg->ctl.len <= 0 || msg->ctl.len > sizeof(ctl) ||
	    msg->data.len < 0 || msg->data.len > STRMSGSZ)
		return -ENODATA;
	str_unhold(sd);
	/* The message is queued behind the held data. */
	if (str_write_broken(sd) || !is_straight(sd))
		return -ENODATA;
	if (!str_copy_in(ctl, sizeof(ctl), u64_to_user_ptr(msg->ctl.buf),
			 msg->ctl.len))
		return -EFAULT;
	err = put_bytes(e, ctl, msg);
	if (!err)
		str_entry_sent(&sd->sd_entry, msg->data.len);
	return err;
}

/* Copies the remaining bytes; false: the user's memory is not mapped. */
static bool get_tell(const struct str_get *g, struct strio_msg *msg,
		     struct strio_msg __user *result)
{
	if (!g->given && g->len &&
	    !str_copy_out(u64_to_user_ptr(msg->data.buf), g->data, sizeof(g->data),
			  g->len))
		return false;
	if (!str_copy_out(u64_to_user_ptr(msg->ctl.buf), g->ctl, sizeof(g->ctl),
			  g->ctllen))
		return false;
	msg->ctl.len = g->ctllen;
	msg->data.len = g->len;
	msg->band = 0;
	msg->flags = MSG_BAND;
	return str_strio_to_user(result, msg);
}

/*
 * Makes a message of the data given; NULL: memory is short, or the user's
 * memory is unmapped.
 */
static mblk_t *get_message(const struct str_get *g, const struct strio_msg *msg)
{
	const char __user *from = u64_to_user_ptr(msg->data.buf);
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN;
	mblk_t *mp = allocb_gfp(g->ctllen, gfp), *bp;
	size_t done = 0, n;

	if (!mp)
		return NULL;
	memcpy(mp->b_wptr, g->ctl, g->ctllen);
	mp->b_wptr += g->ctllen;
	DB_TYPE(mp) = M_PROTO;
	do {
		n = min_t(size_t, g->len - done, STR_WRITE_BLOCK);
		bp = allocb_gfp(n ?: 1, gfp);
		if (!bp)
			goto free;
		linkb(mp, bp);
		if (!g->given)
			memcpy(bp->b_wptr, g->data + done, n);
		else if (!str_block_from_user(bp, from + done, n))
			goto free;
		bp->b_wptr += n;
		done += n;
	} while (done < g->len);
	return mp;

free:
	freemsg(mp);
	return NULL;
}

/*
 * Puts data that could not be reported to the user at the front of the queue. A
 * datagram may be lost in this case, as others are. A stream of bytes is not
 * read beyond a gap before EIO has reported it.
 */
static void get_back(struct stream *sd, const struct str_get *g,
		     const struct strio_msg *msg)
{
	mblk_t *mp = get_message(g, msg);

	if (mp && putbq(str_rq(sd), mp)) {
		str_arrived(sd, EPOLLIN | EPOLLRDNORM, true);
		return;
	}
	freemsg(mp);
	if (g->given) {
		WRITE_ONCE(sd->sd_rerror, EIO);
		str_set_flag(sd, STR_RERR, 0);
	}
}

/* Returns whether the caller asks for a whole message of band 0 and ordinary priority. */
static bool get_asks(const struct strio_msg *msg)
{
	if (msg->ctl.maxlen < STR_DIRECT_CTL || msg->data.maxlen <= 0)
		return false;
	switch (msg->flags) {
	case MSG_ANY:
		return true;
	case MSG_BAND:
		return !msg->band;
	case STRIO_PEEKED:
		/* A band of -1 asks for a message without a control part. */
		return msg->band != -1;
	default:
		return false;
	}
}

/**
 * str_get_direct() - ask a driver for a message before it is one
 * @sd: the stream head, of a driver that has errands, with nothing on its queue
 * @msg: as of str_getmsg()
 * @result: where @msg is copied then
 *
 * Context: process, with sd_read_mutex; sleeps.
 * Return: 0; -ENODATA: it is to be looked for on the queue; -EFAULT, and it is the
 * first there, see get_back(); -ERESTARTSYS.
 */
int str_get_direct(struct stream *sd, struct strio_msg *msg,
		   struct strio_msg __user *result)
{
	void __user *to = u64_to_user_ptr(msg->data.buf);
	struct str_errands *e = sd->sd_errands;
	/*
	 * The driver writes the fields in use: the structure is too large to be
	 * cleared each time.
	 */
	struct str_get g __uninitialized;
	int err;

	lockdep_assert_held(&sd->sd_read_mutex);
	if (!get_asks(msg) || !access_ok(to, msg->data.maxlen) ||
	    READ_ONCE(sd->sd_flag) & (STR_RERR | STR_CLOSING | STR_PLEX) ||
	    !is_straight(sd))
		return -ENODATA;
	g.word = msg->flags == STRIO_PEEKED ? msg->band : -1;
	g.given = false;
	iov_iter_ubuf(&g.to, ITER_DEST, to, msg->data.maxlen);
	err = e->ops->get(e->rq, &g);
	if (err)
		return err;
	if (!get_tell(&g, msg, result)) {
		get_back(sd, &g, msg);
		return -EFAULT;
	}
	trace_streams_head_take(&sd->sd_entry, g.len);
	str_entry_rcvd(&sd->sd_entry, g.len);
	return 0;
}

bool str_get_is_next(queue_t *rq)
{
	struct stream *sd = rq->q_stream;

	return str_errand_waits(sd) && !READ_ONCE(str_rq(sd)->q_first) &&
	       is_straight(sd);
}
EXPORT_SYMBOL_GPL(str_get_is_next);

size_t str_up_waits(queue_t *rq)
{
	struct stream *sd = rq->q_stream;

	return is_straight(sd) ? READ_ONCE(str_rq(sd)->q_count) : SIZE_MAX;
}
EXPORT_SYMBOL_GPL(str_up_waits);

/**
 * str_put_up() - pass data from a driver up its stream
 * @rq: the driver's read queue
 * @mp: the message; consumed
 *
 * As putnext(), but past modules that would only pass it on.
 *
 * Context: as putnext(), and under RCU.
 */
void str_put_up(queue_t *rq, mblk_t *mp)
{
	struct stream *sd = rq->q_stream;
	queue_t *head = str_rq(sd);

	if (likely(READ_ONCE(head->q_flag) & QMTSAFE && is_straight(sd)))
		head->q_qinfo->qi_putp(head, mp);
	else
		putnext(rq, mp);
}
EXPORT_SYMBOL_GPL(str_put_up);
