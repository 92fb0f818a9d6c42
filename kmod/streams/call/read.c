// SPDX-License-Identifier: GPL-2.0-only
/*
 * read() of messages
 *
 * One reader at a time has sd_read_mutex and copies from the first message
 * while that stays on the queue; only readers take messages off it, except a
 * flush, which leaves the one being read (sd_reading) marked. A function that
 * may not have the mutex is lent the message: others wait as for the mutex.
 */
#include <linux/sched/signal.h>

#include "streams/head/convert.h"
#include "streams/head/errand.h"
#include "streams/head/hold.h"
#include "streams/head/reader.h"
#include "streams/head/signal.h"
#include "streams/head/wake.h"
#include "streams/message/copy.h"
#include "streams/message/mblk.h"
#include "streams/queue/flow.h"
#include "streams/queue/queue.h"
#include "streams/trace.h"
#include "read.h"
#include "store.h"

/* One message's share of a read(). */
struct read_step {
	struct str_sink *sink;	/* uses the bytes in place of the reader's memory */
	bool rest;		/* so does what a packet has more than fits */
	size_t copied;
	bool stop;		/* the read() ends with this message */
	bool want;		/* writers wait for the room it made */
	bool uncovered;		/* of high priority no more, or gone: poll() sees more */
	bool signal;		/* a signal is first now */
};

/*
 * Copies the size bytes that a message had when it was looked at: a writer may
 * append to its last block meanwhile.
 */
static size_t copy_blocks(const mblk_t *mp, size_t size, struct iov_iter *to)
{
	size_t copied = 0;

	for (; mp && iov_iter_count(to) && copied < size; mp = mp->b_cont) {
		size_t len = min(mblk_len(mp), size - copied), n;

		n = str_block_to_iter(mp, len, to);
		copied += n;
		if (n < len)
			break;
	}
	return copied;
}

/* Gives the bytes of blocks to a function; returns the bytes used, or an error. */
static ssize_t sink_blocks(const mblk_t *mp, size_t size, struct str_sink *sink)
{
	size_t used = 0;

	for (; mp && used < size; mp = mp->b_cont) {
		size_t len = min(mblk_len(mp), size - used);
		struct kvec kv = { mp->b_rptr, len };
		struct iov_iter from;
		ssize_t n;

		if (!len)
			continue;
		iov_iter_kvec(&from, ITER_SOURCE, &kv, 1, len);
		n = sink->use(sink, &from);
		if (n < 0)
			return used ?: n;
		used += n;
		if (n < len)
			break;
	}
	return used;
}

/* Returns whether a block of the control part is shared with a module or another stream. */
static bool control_is_shared(const mblk_t *mp)
{
	for (; mp; mp = mp->b_cont)
		if (DB_TYPE(mp) != M_DATA && DB_REF(mp) > 1)
			return true;
	return false;
}

/*
 * Gives the first message blocks of its own for those of its control part that are
 * shared. Data is not copied: it may be long, and interrupts are off. Returns as
 * read_control().
 */
static int control_unshare(queue_t *q, mblk_t *mp, struct read_step *step)
	__must_hold(&q->q_lock)
{
	mblk_t **at = &mp, *bp, *own, *gone = NULL;
	int err = 1;

	step->want |= __rmvq(q, mp);
	for (; (bp = *at); at = &(*at)->b_cont) {
		if (DB_TYPE(bp) == M_DATA || DB_REF(bp) == 1)
			continue;
		own = copyb(bp);
		if (!own) {
			err = -ENOSR;
			break;
		}
		own->b_cont = bp->b_cont;
		*at = own;
		bp->b_cont = gone;
		gone = bp;
	}
	/* The call cannot fail, as the queue has the band. */
	__putbq(q, mp);
	spin_unlock_irq(&q->q_lock);
	freemsg(gone);
	spin_lock_irq(&q->q_lock);
	return err;
}

/*
 * RPROTDAT: makes the control part of the first message data. Returns as
 * read_control().
 */
static int control_to_data(queue_t *q, mblk_t *mp, struct read_step *step)
	__must_hold(&q->q_lock)
{
	mblk_t *bp;

	if (unlikely(control_is_shared(mp)))
		return control_unshare(q, mp, step);
	step->uncovered |= DB_TYPE(mp) == M_PCPROTO;
	q->q_data += msgsize(mp) - msgdsize(mp);
	for (bp = mp; bp; bp = bp->b_cont)
		DB_TYPE(bp) = M_DATA;
	return 0;
}

/*
 * Handles a first message that is not data, according to the read options.
 * Called and returns with the queue locked. Returns 1 to look again at the
 * queue, 0 to read the message, or an error.
 */
static int read_control(struct stream *sd, queue_t *q, mblk_t *mp,
			struct read_step *step)
	__must_hold(&q->q_lock)
{
	mblk_t *bp, *ctl = NULL;

	switch (DB_TYPE(mp)) {
	case M_SIG:
		step->want |= __rmvq(q, mp);
		spin_unlock_irq(&q->q_lock);
		str_signal(sd, mp);
		freemsg(mp);
		spin_lock_irq(&q->q_lock);
		return 1;
	case M_PROTO:
	case M_PCPROTO:
		break;
	default:
		/* The message is a passed file, which has no data part. */
		if (sd->sd_flag & STR_LINUX && sd->sd_ropt & RPROTDIS)
			break;
		return -EBADMSG;
	}

	if (sd->sd_ropt & RPROTDAT)
		return control_to_data(q, mp, step);
	if (!(sd->sd_ropt & RPROTDIS))
		return -EBADMSG;

	/* The control part is dropped, and the data part is read. */
	step->uncovered |= DB_TYPE(mp) == M_PCPROTO;
	step->want |= __rmvq(q, mp);
	ctl = mp;
	for (bp = ctl; bp->b_cont && DB_TYPE(bp->b_cont) != M_DATA;)
		bp = bp->b_cont;
	mp = bp->b_cont;
	bp->b_cont = NULL;
	if (mp) {
		mp->b_band = ctl->b_band;
		mp->b_flag = ctl->b_flag;
		__putbq(q, mp);
	}
	spin_unlock_irq(&q->q_lock);
	freemsg(ctl);
	spin_lock_irq(&q->q_lock);
	return 1;
}

/*
 * Takes n bytes off the front of the first message, which has more. Blocks that
 * become empty are given to the caller to free, as they would count. Returns
 * whether writers wait for the room.
 */
static bool take_front(queue_t *q, mblk_t *mp, size_t n, mblk_t **gone)
{
	mblk_t *bp = mp, *last;
	bool want;

	if (likely(n < mblk_len(mp))) {
		mp->b_rptr += n;
		return __q_consumed(q, mp, n);
	}
	want = __rmvq(q, mp);
	do {
		n -= mblk_len(bp);
		last = bp;
		bp = bp->b_cont;
	} while (n >= mblk_len(bp));
	last->b_cont = NULL;
	*gone = mp;
	bp->b_rptr += n;
	bp->b_band = mp->b_band;
	bp->b_flag = mp->b_flag;
	__putbq(q, bp);
	return want;
}

/*
 * Called and returns with the queue locked. Returns 1 when its first message is data,
 * 0 when it is empty, or an error.
 */
static int data_is_first(struct stream *sd, queue_t *q, struct read_step *step)
	__must_hold(&q->q_lock)
{
	int err;

	do {
		if (!q->q_first)
			return 0;
		if (DB_TYPE(q->q_first) == M_DATA)
			return 1;
		err = read_control(sd, q, q->q_first, step);
	} while (err > 0);
	return err ?: 1;
}

/* Returns whether a read() ends with a message. */
static bool read_ends(const struct stream *sd, const mblk_t *mp)
{
	return mp->b_flag & (MSGDELIM | MSGPACKET | MSGMARK) ||
	       sd->sd_ropt & (RMSGD | RMSGN);
}

/*
 * Reads from the first message. Returns 1 when there was a message, 0 when the
 * queue is empty, or an error. first: nothing has been read so far.
 */
static int read_message(struct stream *sd, struct iov_iter *to, bool first,
			struct read_step *step)
{
	queue_t *q = str_rq(sd);
	mblk_t *mp, *gone = NULL;
	size_t size, room;
	int err;

	spin_lock_irq(&q->q_lock);
	err = data_is_first(sd, q, step);
	mp = q->q_first;
	if (err <= 0) {
		spin_unlock_irq(&q->q_lock);
		return err;
	}
	/*
	 * An empty message is an end of file of its own, after the bytes read
	 * before. A read() also stops before a marked message, which I_ATMARK
	 * reports.
	 */
	size = msgsize(mp);
	if (!first && (!size || mp->b_flag & MSGMARK)) {
		spin_unlock_irq(&q->q_lock);
		step->stop = true;
		return 1;
	}
	sd->sd_reading = mp;
	sd->sd_flag &= ~STR_FLUSHED;
	spin_unlock_irq(&q->q_lock);

	room = iov_iter_count(to);
	err = 1;
	if (unlikely(step->sink)) {
		ssize_t used;

		if (step->sink->unlocked)
			str_lend_message(sd);
		used = sink_blocks(mp, min(size, room), step->sink);
		if (step->sink->unlocked)
			str_take_back_message(sd);
		if (used < 0)
			err = used;
		else
			step->copied = used;
		to->count -= step->copied;
	} else {
		step->copied = copy_blocks(mp, size, to);
		/*
		 * The whole pages before memory that cannot be written are
		 * read, as from Linux's pipe.
		 */
		if (step->copied < min(size, room))
			step->copied = round_down(step->copied, PAGE_SIZE);
		if (step->copied < min(size, room) && !step->copied)
			err = -EFAULT;
	}

	spin_lock_irq(&q->q_lock);
	sd->sd_reading = NULL;
	if (!size || read_ends(sd, mp) || step->copied < min(size, room))
		step->stop = true;
	if (sd->sd_flag & STR_FLUSHED || step->copied == msgsize(mp) ||
	    (err > 0 && !step->rest &&
	     (mp->b_flag & MSGPACKET || sd->sd_ropt & RMSGD))) {
		step->want |= __rmvq(q, mp);
		gone = mp;
	} else {
		step->want |= take_front(q, mp, step->copied, &gone);
	}
	step->signal = str_signal_first(q);
	spin_unlock_irq(&q->q_lock);
	freemsg(gone);
	return err;
}

/* SNDMREAD: reports downwards how much a read() that has to wait asks for. */
static void read_notify(struct stream *sd, size_t n)
{
	mblk_t *mp = allocb_gfp(sizeof(n), GFP_KERNEL_ACCOUNT);

	if (!mp)
		return;
	DB_TYPE(mp) = M_READ;
	memcpy(mp->b_wptr, &n, sizeof(n));
	mp->b_wptr += sizeof(n);
	putnext(str_wq(sd), mp);
}

/*
 * Returns whether a read() that has got this many bytes need not wait for more.
 */
static bool read_enough(const struct stream *sd, ssize_t done,
			unsigned int fflags)
{
	return READ_ONCE(sd->sd_flag) & (STR_HUP | STR_NOWRITER) ||
	       (done && (fflags & STR_SPLICE ||
			 !(READ_ONCE(sd->sd_ropt) & RFILL)));
}

/*
 * Does what str_read() does, from messages. The bytes are given to a function, if there is
 * one, in place of the memory, of which only the size counts.
 */
static ssize_t read_queue(struct stream *sd, struct iov_iter *to,
			  struct str_sink *sink, unsigned int fflags)
{
	bool want = false, slept = false, notified = false, uncovered = false;
	ssize_t ret = 0;
	int err = str_ring_end(sd), fetched;

	if (err)
		return err;
	if (str_read_lock(sd))
		return -EINTR;
	/*
	 * The look at the errand comes before that at the queue: another task may be about
	 * to put data there.
	 */
	if (str_errand_waits(sd) && !READ_ONCE(str_rq(sd)->q_first))
		str_errand_fetch(sd, false);
	for (;;) {
		struct read_step step = {
			.sink = sink,
			.rest = fflags & STR_SPLICE,
		};

		err = str_take_error(sd, false);
		if (!err)
			err = read_message(sd, to, !ret, &step);
		want |= step.want;
		uncovered |= step.uncovered;
		ret += step.copied;
		if (unlikely(step.signal))
			str_deliver_signal(sd);
		if (err < 0 || step.stop || !iov_iter_count(to))
			break;
		/*
		 * The caller of a function calls it again, after it has looked
		 * for signals.
		 */
		if (err > 0 && sink && ret)
			break;
		if (err > 0)
			continue;
		fetched = str_errand_fetch(sd, false);
		if (fetched < 0) {
			err = fetched;
			break;
		}
		if (fetched)
			continue;
		if (read_enough(sd, ret, fflags)) {
			/* The last writer may have written before it left. */
			if (!ret && READ_ONCE(str_rq(sd)->q_first))
				continue;
			break;
		}
		if (unlikely(sd->sd_wopt & SNDMREAD) && !notified) {
			notified = true;
			read_notify(sd, iov_iter_count(to));
			continue;
		}
		/*
		 * A read() waits to fill a buffer it has begun to fill, RFILL.
		 */
		if (fflags & O_NONBLOCK && !ret) {
			err = -EAGAIN;
			break;
		}
		mutex_unlock(&sd->sd_read_mutex);
		if (want)
			backenable(str_rq(sd), 0);
		want = false;
		str_unhold(sd);
		err = str_read_wait(sd);
		if (err && !ret)
			return err;
		slept = true;
		if (str_read_lock(sd)) {
			err = -EINTR;
			goto unlocked;
		}
		if (err)
			break;
	}
	mutex_unlock(&sd->sd_read_mutex);
unlocked:
	if (want)
		backenable(str_rq(sd), 0);
	if (slept && str_readable(sd))
		str_read_next(sd);
	if (unlikely(uncovered))
		str_wake_uncovered(sd);
	if (ret > 0) {
		trace_streams_head_take(&sd->sd_entry, ret);
		str_entry_rcvd(&sd->sd_entry, ret);
	}
	return ret ?: min(err, 0);
}

ssize_t str_read_queue(struct stream *sd, struct iov_iter *to,
		       unsigned int fflags)
{
	return read_queue(sd, to, NULL, fflags);
}

/* Does what str_use() does, from messages, without waiting. */
ssize_t str_use_queue(struct stream *sd, struct str_sink *sink, size_t len)
{
	struct iov_iter room = { .count = len };

	return read_queue(sd, &room, sink, O_NONBLOCK | STR_SPLICE);
}

/*
 * Copies from the messages that a read() would take, which stay. A flush leaves
 * the message that is copied, as for a reader, and no other task takes any.
 */
static ssize_t copy_messages(struct stream *sd, struct iov_iter *to,
			     struct read_step *step)
{
	mblk_t *mp = NULL, *gone = NULL;
	queue_t *q = str_rq(sd);
	ssize_t done = 0;
	int err;

	spin_lock_irq(&q->q_lock);
	err = data_is_first(sd, q, step);
	if (err > 0)
		mp = q->q_first;
	while (mp && DB_TYPE(mp) == M_DATA && iov_iter_count(to)) {
		size_t size = msgsize(mp), n;

		if (done && (!size || mp->b_flag & MSGMARK))
			break;
		sd->sd_reading = mp;
		sd->sd_flag &= ~STR_FLUSHED;
		spin_unlock_irq(&q->q_lock);
		n = copy_blocks(mp, size, to);
		spin_lock_irq(&q->q_lock);
		done += n;
		if (sd->sd_flag & STR_FLUSHED) {
			step->want |= __rmvq(q, mp);
			step->signal = str_signal_first(q);
			gone = mp;
			break;
		}
		if (n < size || !size || read_ends(sd, mp))
			break;
		mp = mp->b_next;
	}
	sd->sd_reading = NULL;
	spin_unlock_irq(&q->q_lock);
	freemsg(gone);
	if (!err)
		return -EAGAIN;
	return err < 0 ? err : done;
}

/* Does what str_copy() does, from messages. */
ssize_t str_copy_queue(struct stream *sd, struct iov_iter *to)
{
	struct read_step step = {};
	ssize_t n = str_ring_end(sd);
	bool end;

	if (n)
		return n;
	if (str_read_lock(sd))
		return -EINTR;
	/* Acquire: the last writer may have written before it left. */
	end = smp_load_acquire(&sd->sd_flag) & (STR_HUP | STR_NOWRITER);
	n = str_take_error(sd, false) ?: copy_messages(sd, to, &step);
	mutex_unlock(&sd->sd_read_mutex);
	if (step.want)
		backenable(str_rq(sd), 0);
	if (unlikely(step.signal))
		str_deliver_signal(sd);
	if (unlikely(step.uncovered))
		str_wake_uncovered(sd);
	return n == -EAGAIN && end ? 0 : n;
}
