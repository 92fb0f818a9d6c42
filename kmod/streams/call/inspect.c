// SPDX-License-Identifier: GPL-2.0-only
/* Reports what there is to read, without reading it */
#include <linux/uaccess.h>

#include "streams/head/reader.h"
#include "streams/queue/band.h"
#include "inspect.h"
#include "msgio.h"

long str_ioctl_nread(struct stream *sd, int __user *arg)
{
	queue_t *q = str_rq(sd);
	size_t bytes = 0;
	long msgs;

	spin_lock_irq(&q->q_lock);
	if (q->q_first)
		bytes = msgdsize(q->q_first);
	msgs = q->q_msgs;
	spin_unlock_irq(&q->q_lock);
	return put_user((int)min_t(size_t, bytes, INT_MAX), arg) ?:
	       min_t(long, msgs, INT_MAX);
}

/* FIONREAD: reports all bytes of data that can be read, as on a Linux pipe. */
long str_ioctl_fionread(struct stream *sd, int __user *arg)
{
	return put_user((int)min_t(size_t, str_bytes(sd), INT_MAX), arg);
}

/* I_CKBAND: returns whether the band has a message. */
long str_ioctl_ckband(struct stream *sd, unsigned long band)
{
	queue_t *q = str_rq(sd);
	struct qband *qb;
	mblk_t *last;

	if (band > 255)
		return -EINVAL;
	/* The look neither ends the ring nor waits for its users. */
	if (str_bytes_in_ring(sd))
		return !band;
	spin_lock_irq(&q->q_lock);
	qb = band_find(q, band);
	/* Messages of band 0 are behind all others. */
	last = band ? (qb ? qb->qb_last : NULL) : q->q_last;
	if (last && (DB_TYPE(last) & QPCTL || last->b_band != band))
		last = NULL;
	spin_unlock_irq(&q->q_lock);
	return !!last;
}

/* I_GETBAND: stores the band of the first message. */
long str_ioctl_getband(struct stream *sd, int __user *arg)
{
	queue_t *q = str_rq(sd);
	int band = -1;

	if (str_bytes_in_ring(sd))
		return put_user(0, arg);
	spin_lock_irq(&q->q_lock);
	if (q->q_first)
		band = q->q_first->b_band;
	spin_unlock_irq(&q->q_lock);
	return band < 0 ? -ENODATA : put_user(band, arg);
}

/*
 * I_ATMARK: returns whether the first message is marked (ANYMARK), or is the
 * last marked one (LASTMARK).
 */
long str_ioctl_atmark(struct stream *sd, unsigned long which)
{
	queue_t *q = str_rq(sd);
	bool marked = false;
	mblk_t *mp;

	if (!which || which & ~(ANYMARK | LASTMARK))
		return -EINVAL;
	spin_lock_irq(&q->q_lock);
	mp = q->q_first;
	if (mp && mp->b_flag & MSGMARK) {
		marked = true;
		if (!(which & ANYMARK)) {
			while ((mp = mp->b_next) && marked)
				marked = !(mp->b_flag & MSGMARK);
		}
	}
	spin_unlock_irq(&q->q_lock);
	return marked;
}

/* Converts a user's struct strbuf to the head's form. */
static struct strio_buf from_strbuf(const struct strbuf *buf)
{
	return (struct strio_buf){
		.maxlen = buf->maxlen,
		.len = buf->len,
		.buf = (unsigned long)buf->buf,
	};
}

/*
 * I_PEEK: shows the first message by a structure that was copied from the user,
 * and is copied back by the caller.
 */
long str_peek_parts(struct stream *sd, struct strpeek *peek)
{
	struct strio_msg msg = {
		.ctl = from_strbuf(&peek->ctlbuf),
		.data = from_strbuf(&peek->databuf),
		.flags = peek->flags & RS_HIPRI ? MSG_HIPRI : MSG_ANY,
	};
	long ret;

	if (peek->flags & ~RS_HIPRI)
		return -EINVAL;
	ret = str_peek(sd, &msg);
	if (ret <= 0)
		return ret;
	peek->ctlbuf.len = msg.ctl.len;
	peek->databuf.len = msg.data.len;
	peek->flags = msg.flags == MSG_HIPRI ? RS_HIPRI : 0;
	return ret;
}

long str_ioctl_peek(struct stream *sd, struct strpeek __user *arg)
{
	struct strpeek peek;
	long ret;

	if (copy_from_user(&peek, arg, sizeof(peek)))
		return -EFAULT;
	ret = str_peek_parts(sd, &peek);
	if (ret <= 0)
		return ret;
	return copy_to_user(arg, &peek, sizeof(peek)) ? -EFAULT : ret;
}
