// SPDX-License-Identifier: GPL-2.0-only
/*
 * getmsg(), putmsg() and similar calls
 *
 * A message has a control part, its M_PROTO or M_PCPROTO blocks, which come
 * first, and a data part, its M_DATA blocks.
 */
#include <linux/uaccess.h>

#include "streams/head/convert.h"
#include "streams/head/errand.h"
#include "streams/head/hold.h"
#include "streams/head/reader.h"
#include "streams/head/room.h"
#include "streams/head/signal.h"
#include "streams/head/wake.h"
#include "streams/message/copy.h"
#include "streams/message/mblk.h"
#include "streams/queue/flow.h"
#include "streams/queue/queue.h"
#include "streams/trace.h"
#include "direct.h"
#include "msgio.h"
#include "write.h"

/* The progress of a getmsg() in one part of a message. */
struct part {
	size_t size;		/* bytes there are */
	size_t copied;		/* bytes given */
	bool present;
	bool taken;		/* nothing of it is left behind */
};

static bool block_is_data(const mblk_t *bp)
{
	return DB_TYPE(bp) == M_DATA;
}

/* Copies a block to the user, as far as there is room for its part. */
static int block_get(const mblk_t *bp, const struct strio_buf *buf,
		     struct part *part)
{
	char __user *to = u64_to_user_ptr(buf->buf);
	/* A writer may be appending to the last block of a pipe. */
	size_t n = mblk_len(bp);

	part->present = true;
	part->size += n;
	if (buf->maxlen < 0)
		return 0;
	n = min_t(size_t, n, buf->maxlen - part->copied);
	if (n && !str_block_to_user(to + part->copied, bp, n))
		return -EFAULT;
	part->copied += n;
	return 0;
}

static void part_got(struct strio_buf *buf, struct part *part)
{
	if (buf->maxlen >= 0) {
		buf->len = part->present ? part->copied : -1;
		part->taken = part->copied == part->size;
	}
	if (!part->present)
		part->taken = true;
}

/* Copies both parts to the user. */
static int parts_get(const mblk_t *mp, struct strio_msg *msg, struct part *ctl,
		     struct part *data)
{
	int err = 0;

	for (; mp && !err; mp = mp->b_cont)
		err = block_is_data(mp) ? block_get(mp, &msg->data, data) :
					  block_get(mp, &msg->ctl, ctl);
	if (err)
		return err;
	part_got(&msg->ctl, ctl);
	part_got(&msg->data, data);
	return 0;
}

/* Removes the bytes that parts_get() gave from a message; returns the rest. */
static mblk_t *msgio_parts_take(mblk_t *mp, struct part *ctl, struct part *data,
				mblk_t **gone)
{
	mblk_t *left = NULL, **tail = &left, *bp, *next;
	unsigned char band = mp->b_band;
	unsigned short flag = mp->b_flag;

	if (likely(ctl->taken && data->taken)) {
		*gone = mp;
		return NULL;
	}
	for (bp = mp; bp; bp = next) {
		struct part *part = block_is_data(bp) ? data : ctl;
		size_t n = min(part->copied, mblk_len(bp));

		next = bp->b_cont;
		bp->b_rptr += n;
		part->copied -= n;
		if (part->taken || (n && !mblk_len(bp))) {
			bp->b_cont = *gone;
			*gone = bp;
		} else {
			bp->b_cont = NULL;
			*tail = bp;
			tail = &bp->b_cont;
		}
	}
	if (left) {
		left->b_band = band;
		left->b_flag = flag;
	}
	return left;
}

/*
 * Returns whether I_PEEK shows a word as the first of the message's control
 * part; for the word -1: whether it shows no control part.
 */
static bool begins_with(const mblk_t *mp, s32 word)
{
	size_t n, done = 0;
	bool any = false;
	s32 first = 0;

	/* Nearly always the word is in the first block, as a whole. */
	if (likely(word != -1 && !block_is_data(mp) &&
		   mblk_len(mp) >= sizeof(first))) {
		memcpy(&first, mp->b_rptr, sizeof(first));
		return first == word;
	}
	for (; mp && done < sizeof(first); mp = mp->b_cont) {
		if (block_is_data(mp))
			continue;
		any = true;
		n = min(mblk_len(mp), sizeof(first) - done);
		memcpy((char *)&first + done, mp->b_rptr, n);
		done += n;
	}
	return word == -1 ? !any : any && first == word;
}

static bool getmsg_fits(const mblk_t *mp, const struct strio_msg *msg)
{
	if (msg->flags == MSG_ANY)
		return true;
	if (unlikely(msg->flags == STRIO_PEEKED))
		return begins_with(mp, msg->band);
	return DB_TYPE(mp) & QPCTL ||
	       (msg->flags == MSG_BAND && mp->b_band >= msg->band);
}

/*
 * Finds the first message, held for the caller to copy from, if its kind was
 * asked for. Returns 1, 0 when there is no message, or an error. The caller
 * holds sd_read_mutex.
 */
static int getmsg_first(struct stream *sd, const struct strio_msg *msg,
			mblk_t **mpp)
{
	queue_t *q = str_rq(sd);
	int ret = 0;
	mblk_t *mp;

	lockdep_assert_held(&sd->sd_read_mutex);
	spin_lock_irq(&q->q_lock);
	mp = q->q_first;
	if (mp && DB_TYPE(mp) == M_PASSFP) {
		ret = -EBADMSG;
	} else if (mp && getmsg_fits(mp, msg)) {
		sd->sd_reading = mp;
		sd->sd_flag &= ~STR_FLUSHED;
		*mpp = mp;
		ret = 1;
	} else if (msg->flags == STRIO_PEEKED) {
		/* The message had arrived: no reader waits for it. */
		ret = -EAGAIN;
	}
	spin_unlock_irq(&q->q_lock);
	return ret;
}

/*
 * Returns whether the first thing to read allows sending: nothing, data, or a
 * message that begins with a word. An error has to be reported to a reader.
 */
static bool peeked_is(struct stream *sd, s32 word)
{
	queue_t *q = str_rq(sd);
	bool is = true;
	mblk_t *mp;

	if (unlikely(READ_ONCE(sd->sd_flag) & STR_RERR))
		return false;
	/* No barrier is needed: a message that comes now counts as later. */
	if (!READ_ONCE(q->q_first))
		return true;
	spin_lock_irq(&q->q_lock);
	mp = q->q_first;
	if (mp && DB_TYPE(mp) != M_DATA)
		is = (DB_TYPE(mp) == M_PROTO || DB_TYPE(mp) == M_PCPROTO) &&
		     begins_with(mp, word);
	spin_unlock_irq(&q->q_lock);
	return is;
}

/* Releases the message; the part that was copied leaves the queue. */
static void getmsg_done(struct stream *sd, mblk_t *mp, struct part *ctl,
			struct part *data)
{
	bool high = DB_TYPE(mp) & QPCTL, want, signal;
	queue_t *q = str_rq(sd);
	mblk_t *gone = NULL;

	spin_lock_irq(&q->q_lock);
	sd->sd_reading = NULL;
	if (sd->sd_flag & STR_FLUSHED) {
		want = __rmvq(q, mp);
		gone = mp;
	} else if (DB_TYPE(mp) == M_DATA && data->copied < mblk_len(mp)) {
		/* The rest of the message stays on the queue. */
		mp->b_rptr += data->copied;
		want = __q_consumed(q, mp, data->copied);
	} else {
		want = __rmvq(q, mp);
		/* Data appended since belongs to the next message. */
		if (DB_TYPE(mp) == M_DATA && data->copied < msgdsize(mp))
			data->taken = false;
		mp = msgio_parts_take(mp, ctl, data, &gone);
		if (mp)
			__putbq(q, mp);
	}
	signal = str_signal_first(q);
	spin_unlock_irq(&q->q_lock);
	freemsg(gone);
	if (want)
		backenable(q, 0);
	if (unlikely(signal))
		str_deliver_signal(sd);
	if (unlikely(high))
		str_wake_uncovered(sd);
}

/* A copy has failed: the message is not changed. */
static void getmsg_abandon(struct stream *sd, mblk_t *mp)
{
	queue_t *q = str_rq(sd);
	bool want = false, uncovered, signal;

	spin_lock_irq(&q->q_lock);
	sd->sd_reading = NULL;
	if (sd->sd_flag & STR_FLUSHED)
		want = __rmvq(q, mp);
	else
		mp = NULL;
	signal = str_signal_first(q);
	uncovered = mp && msg_hipri(mp);
	spin_unlock_irq(&q->q_lock);
	freemsg(mp);
	if (want)
		backenable(q, 0);
	if (unlikely(signal))
		str_deliver_signal(sd);
	if (unlikely(uncovered))
		str_wake_uncovered(sd);
}

static bool getmsg_ready(struct stream *sd, const struct strio_msg *msg)
{
	queue_t *q = str_rq(sd);
	bool ready;

	spin_lock_irq(&q->q_lock);
	ready = str_errand_waits(sd) ||
		sd->sd_flag & STR_READ_STOPS ||
		(q->q_first && (DB_TYPE(q->q_first) == M_PASSFP ||
				getmsg_fits(q->q_first, msg)));
	spin_unlock_irq(&q->q_lock);
	return ready;
}

/*
 * Sleeps until there is a message of the kind asked for. The caller holds
 * sd_read_mutex, which is dropped for the sleep, and taken again unless -EINTR
 * is returned.
 */
static int getmsg_wait(struct stream *sd, unsigned int fflags,
		       const struct strio_msg *msg)
{
	int err;

	lockdep_assert_held(&sd->sd_read_mutex);
	if (fflags & O_NONBLOCK)
		return -EAGAIN;
	mutex_unlock(&sd->sd_read_mutex);
	str_unhold(sd);
	trace_streams_wait(str_rq(sd), NULL);
	err = wait_event_interruptible(sd->sd_rwait, getmsg_ready(sd, msg));
	trace_streams_wake(str_rq(sd), NULL);
	return str_read_lock(sd) ?: err;
}

/* Returns whether the arguments of a getmsg() are valid. */
bool str_getmsg_valid(const struct strio_msg *msg)
{
	switch (msg->flags) {
	case MSG_HIPRI:
	case MSG_ANY:
		return !msg->band;
	case MSG_BAND:
		return msg->band >= 0 && msg->band <= 255;
	case STRIO_PEEKED:
		return true;
	default:
		return false;
	}
}
EXPORT_SYMBOL_GPL(str_getmsg_valid);

/**
 * str_take() - take a message off the read queue, wherever it is there
 * @sd: the stream head; the caller holds sd_read_mutex
 * @fits: whether it is that one; called with the queue locked
 *
 * Return: the first that fits, or NULL.
 */
mblk_t *str_take(struct stream *sd, bool (*fits)(const mblk_t *mp))
{
	queue_t *q = str_rq(sd);
	bool want = false, signal;
	mblk_t *mp;

	lockdep_assert_held(&sd->sd_read_mutex);
	spin_lock_irq(&q->q_lock);
	for (mp = q->q_first; mp && !fits(mp);)
		mp = mp->b_next;
	if (mp)
		want = __rmvq(q, mp);
	signal = str_signal_first(q);
	spin_unlock_irq(&q->q_lock);
	if (want)
		backenable(q, 0);
	if (unlikely(signal))
		str_deliver_signal(sd);
	return mp;
}
EXPORT_SYMBOL_GPL(str_take);

/*
 * Reads from the driver when the queue is empty: the driver must be asked for
 * data, or another task is about to queue data. Returns as str_get_direct().
 */
static int getmsg_driver(struct stream *sd, struct strio_msg *msg,
			 struct strio_msg __user *result)
{
	int err;

	if (!str_errand_waits(sd) || READ_ONCE(str_rq(sd)->q_first))
		return -ENODATA;
	err = str_get_direct(sd, msg, result);
	if (err == -ENODATA)
		str_errand_fetch(sd, false);
	return err;
}

/**
 * str_getmsg() - take a message, or a part of it
 * @sd: the stream head
 * @msg: in: buffers, MSG_HIPRI, MSG_ANY or MSG_BAND with a band, STRIO_PEEKED
 *	with a word; out: lengths, band, MSG_HIPRI or MSG_BAND
 * @result: where @msg is copied then, before the message leaves the queue
 * @fflags: the file's O_NONBLOCK
 *
 * Return: MORECTL and MOREDATA, 0 without a remainder; after a hangup, when
 * nothing is left, 0 with both lengths 0. -EAGAIN, -EBADMSG, -EFAULT, -EINVAL,
 * -ERESTARTSYS, or M_ERROR's value. POSIX.1-2001 getmsg(), getpmsg().
 */
int str_getmsg(struct stream *sd, struct strio_msg *msg,
	       struct strio_msg __user *result, unsigned int fflags)
{
	struct part ctl = {}, data = {};
	mblk_t *mp = NULL;
	int err, more;

	if (!str_getmsg_valid(msg))
		return -EINVAL;
	err = str_ring_end(sd);
	if (err)
		return err;
	if (str_read_lock(sd))
		return -EINTR;
	for (;;) {
		/* The flags are read before the queue: earlier messages are drained. */
		unsigned int flag = READ_ONCE(sd->sd_flag);

		err = getmsg_driver(sd, msg, result);
		if (err != -ENODATA)
			goto out;
		err = str_take_error(sd, false);
		if (!err)
			err = getmsg_first(sd, msg, &mp);
		if (!err || err == -EAGAIN) {
			int fetched = str_errand_fetch(sd, false);

			if (fetched > 0)
				continue;
			err = fetched ?: err;
		}
		if (err)
			break;
		if (flag & (STR_HUP | STR_NOWRITER)) {
			msg->ctl.len = 0;
			msg->data.len = 0;
			if (!str_strio_to_user(result, msg))
				err = -EFAULT;
			break;
		}
		err = getmsg_wait(sd, fflags, msg);
		if (err == -EINTR)
			return err;
		if (err)
			break;
	}
	if (err <= 0)
		goto out;

	err = parts_get(mp, msg, &ctl, &data);
	msg->band = mp->b_band;
	msg->flags = DB_TYPE(mp) & QPCTL ? MSG_HIPRI : MSG_BAND;
	if (!err && !str_strio_to_user(result, msg))
		err = -EFAULT;
	if (err) {
		getmsg_abandon(sd, mp);
		goto out;
	}
	more = (ctl.taken ? 0 : MORECTL) | (data.taken ? 0 : MOREDATA);
	trace_streams_head_take(&sd->sd_entry, data.copied);
	str_entry_rcvd(&sd->sd_entry, data.copied);
	getmsg_done(sd, mp, &ctl, &data);
	err = more;
out:
	mutex_unlock(&sd->sd_read_mutex);
	return err;
}
EXPORT_SYMBOL_GPL(str_getmsg);

/*
 * Peeks at data that the driver has and the queue has not. Returns 1; 0: no
 * data; or an error.
 */
static int peek_driver(struct stream *sd, struct strio_msg *msg)
{
	struct part ctl = {}, data = {};
	mblk_t *mp;
	int ret;

	if (!sd->sd_drv || !sd->sd_drv->look || msg->flags != MSG_ANY)
		return 0;
	mp = sd->sd_drv->look(sd);
	if (IS_ERR_OR_NULL(mp))
		return PTR_ERR_OR_ZERO(mp);
	ret = parts_get(mp, msg, &ctl, &data) ?: 1;
	msg->flags = 0;
	freemsg(mp);
	return ret;
}

/**
 * str_peek() - look at the first message, leaving it there
 * @sd: the stream head
 * @msg: buffers; MSG_HIPRI: only at a high-priority message, else MSG_ANY
 *
 * Return: 1, or 0 when there is none such; -EBADMSG, -EFAULT, -EINVAL, or
 * M_ERROR's value. POSIX.1-2001 ioctl(I_PEEK).
 */
int str_peek(struct stream *sd, struct strio_msg *msg)
{
	struct part ctl = {}, data = {};
	mblk_t *mp = NULL;
	int err, fetched;

	/*
	 * Another reader may be copying the first message: that reader's result
	 * decides.
	 */
	if (str_read_lock(sd))
		return -EINTR;
	do {
		err = str_take_error(sd, false);
		if (!err)
			err = getmsg_first(sd, msg, &mp);
		/* Messages may have arrived at the driver meanwhile. */
		fetched = err ? 0 : str_errand_fetch(sd, false);
	} while (fetched > 0);
	if (fetched) {
		err = fetched;
	} else if (err > 0) {
		err = parts_get(mp, msg, &ctl, &data) ?: 1;
		msg->flags = DB_TYPE(mp) & QPCTL ? MSG_HIPRI : 0;
		getmsg_abandon(sd, mp);
	} else if (!err) {
		err = peek_driver(sd, msg);
	}
	mutex_unlock(&sd->sd_read_mutex);
	return err;
}

/* Makes the control part, in one block. */
static mblk_t *ctl_put(const struct strio_buf *buf, unsigned char type,
		       const struct str_insert *insert)
{
	mblk_t *bp = allocb_written(buf->len, GFP_KERNEL_ACCOUNT);

	if (!bp)
		return ERR_PTR(-ENOSR);
	bp->b_wptr = bp->b_rptr + buf->len;
	DB_TYPE(bp) = type;
	if (buf->len &&
	    !str_block_from_user(bp, u64_to_user_ptr(buf->buf), buf->len)) {
		freeb(bp);
		return ERR_PTR(-EFAULT);
	}
	if (insert)
		memcpy(bp->b_rptr + insert->offset, &insert->id,
		       sizeof(insert->id));
	return bp;
}

/* Makes the data part; a part of no bytes is an empty block. */
static mblk_t *data_put(struct stream *sd, const struct strio_buf *buf)
{
	const char __user *from = u64_to_user_ptr(buf->buf);
	mblk_t *head = NULL, **tail = &head, *bp;
	size_t done = 0;
	int err = 0;

	do {
		bp = str_data_alloc(sd, buf->len - done, !head);
		if (!bp) {
			err = -ENOSR;
			break;
		}
		*tail = bp;
		tail = &bp->b_cont;
		if (MBLKL(bp) &&
		    !str_block_from_user(bp, from + done, MBLKL(bp)))
			err = -EFAULT;
		done += MBLKL(bp);
	} while (!err && done < buf->len);
	if (!err)
		return head;
	freemsg(head);
	return ERR_PTR(err);
}

/*
 * Makes both parts in one object. Returns NULL if that is not possible, or
 * memory is short. A stream with M_SETOPTS's options wants separate blocks.
 */
static mblk_t *msgio_pair_put(const struct stream *sd, const struct strio_msg *msg,
			      unsigned char type)
{
	const void __user *ctl = u64_to_user_ptr(msg->ctl.buf);
	const void __user *data = u64_to_user_ptr(msg->data.buf);
	mblk_t *mp;

	if (READ_ONCE(sd->sd_wroff) | READ_ONCE(sd->sd_tail) |
	    READ_ONCE(sd->sd_maxblk))
		return NULL;
	mp = allocb_pair(msg->ctl.len, msg->data.len, GFP_KERNEL_ACCOUNT);
	if (!mp)
		return NULL;
	mp->b_wptr += msg->ctl.len;
	mp->b_cont->b_wptr += msg->data.len;
	DB_TYPE(mp) = type;
	if ((!msg->ctl.len ||
	     str_block_from_user(mp, ctl, msg->ctl.len)) &&
	    (!msg->data.len ||
	     str_block_from_user(mp->b_cont, data, msg->data.len)))
		return mp;
	freemsg(mp);
	return ERR_PTR(-EFAULT);
}

static mblk_t *putmsg_build(struct stream *sd, const struct strio_msg *msg,
			    const struct str_insert *insert, bool high)
{
	mblk_t *mp = NULL, *data;

	if (msg->ctl.len >= 0 && msg->data.len >= 0 && !insert) {
		mp = msgio_pair_put(sd, msg, high ? M_PCPROTO : M_PROTO);
		if (IS_ERR(mp))
			return mp;
		if (mp)
			goto built;
	}
	if (msg->ctl.len >= 0) {
		mp = ctl_put(&msg->ctl, high ? M_PCPROTO : M_PROTO, insert);
		if (IS_ERR(mp))
			return mp;
	}
	if (msg->data.len >= 0) {
		data = data_put(sd, &msg->data);
		if (IS_ERR(data)) {
			freemsg(mp);
			return data;
		}
		if (mp)
			linkb(mp, data);
		else
			mp = data;
	}
built:
	mp->b_band = msg->band;
	mp->b_flag |= MSGOBJECT;
	return mp;
}

/*
 * Makes the band before the message is sent: poll() and signals report the
 * bands that messages were sent in. If a queue has no memory for a band, the
 * caller gets the error, rather than a message being lost later.
 */
static int putmsg_band(struct stream *sd, unsigned char band)
{
	struct str_more *more = str_more(sd, GFP_KERNEL_ACCOUNT);

	if (!more || !str_bands_make(str_wq(sd), band))
		return -ENOSR;
	if (!test_bit(band, more->wbands))
		set_bit(band, more->wbands);
	return 0;
}

/* The flags of a putmsg() that select how the message is sent */
#define PUTMSG_HOW	(STRIO_PEEKED | STRIO_NOWAIT | STRIO_ROOM)

/* Returns whether the arguments of a putmsg() are valid. */
bool str_putmsg_valid(const struct strio_msg *msg)
{
	switch (msg->flags & ~PUTMSG_HOW) {
	case 0:
	case MSG_BAND:
		return msg->band >= 0 && msg->band <= 255;
	case MSG_HIPRI:
		return !msg->band && msg->ctl.len >= 0;
	default:
		return false;
	}
}

/**
 * str_putmsg() - send a message of a control and a data part
 * @sd: the stream head
 * @msg: parts (len -1: none), band; MSG_HIPRI, MSG_BAND, or 0 for putmsg()
 *	with no flag; with STRIO_PEEKED, STRIO_NOWAIT, STRIO_ROOM
 * @insert: the data that I_FDINSERT adds to the control part, which has room; or NULL
 * @fflags: the file's O_NONBLOCK
 *
 * Return: 0; -EAGAIN, -EBADMSG (STRIO_PEEKED), -EFAULT, -EINVAL, -ENOSR, -ENXIO
 * after a hangup, -EPIPE, -ERANGE outside the packet sizes of the queue below or
 * of the system, -ERESTARTSYS, or M_ERROR's value. POSIX.1-2001 putmsg(),
 * putpmsg().
 */
int str_putmsg(struct stream *sd, const struct strio_msg *msg,
	       const struct str_insert *insert, unsigned int fflags)
{
	u32 how = msg->flags & PUTMSG_HOW, kind = msg->flags & ~how;
	bool high = kind == MSG_HIPRI, slept = false;
	size_t least, most;
	ssize_t ret;
	mblk_t *mp;
	int err;

	if (!str_putmsg_valid(msg))
		return -EINVAL;
	err = str_ring_end(sd);
	if (err)
		return err;
	if (msg->ctl.len < 0 && msg->data.len < 0)
		return 0;
	str_packet_sizes(sd, &least, &most);
	if (msg->ctl.len > STRCTLSZ ||
	    (msg->data.len >= 0 && (msg->data.len < least ||
				    msg->data.len > most)))
		return -ERANGE;

	if (unlikely(msg->band)) {
		err = putmsg_band(sd, msg->band);
		if (err)
			return err;
	}
	if (unlikely(how & STRIO_ROOM))
		return str_wait_room(sd, msg->band, 1, fflags);
	if (how & STRIO_PEEKED && !peeked_is(sd, msg->ctl.maxlen))
		return -EBADMSG;
	if (how & STRIO_NOWAIT)
		fflags |= O_NONBLOCK;
	if (!high && !msg->band && !insert) {
		err = str_put_direct(sd, msg);
		if (err != -ENODATA)
			return err;
	}
	mp = putmsg_build(sd, msg, insert, high);
	if (IS_ERR(mp))
		return PTR_ERR(mp);
	/* A high-priority message is not held up by flow control. */
	if (high)
		ret = str_write_error(sd, 0) ?: str_write_throttle(sd, 0, fflags);
	else
		ret = str_write_wait(sd, msg->band, 1, fflags, &slept);
	if (ret < 0) {
		freemsg(mp);
	} else {
		str_unhold(sd);
		putnext(str_wq(sd), mp);
	}
	if (slept)
		str_write_next(sd);
	else
		str_filled(sd);
	if (ret < 0)
		return ret;
	str_wrote(sd, msg->band);
	str_entry_sent(&sd->sd_entry, max(msg->data.len, 0));
	return 0;
}
