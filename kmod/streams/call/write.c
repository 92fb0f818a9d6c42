// SPDX-License-Identifier: GPL-2.0-only
/*
 * write() in messages
 *
 * Data is copied from the user into messages before any lock is taken. A pipe
 * counts bytes, as Linux's does: a write of up to PIPE_BUF is sent whole or
 * waits, a longer one is sent in parts. Other streams ask the queue below, as
 * SVR4 does.
 */
#include <linux/sched/signal.h>

#include "streams/head/convert.h"
#include "streams/head/hold.h"
#include "streams/head/room.h"
#include "streams/head/wake.h"
#include "streams/message/copy.h"
#include "streams/message/mblk.h"
#include "streams/queue/queue.h"
#include "streams/trace.h"
#include "store.h"
#include "write.h"

/* The most bytes that are copied once more to save a message */
#define WRITE_SHORT	128

/* The user's data fills all but the room before it and behind it. */
static mblk_t *write_block_alloc(size_t size, size_t around, gfp_t gfp)
{
	return around ? allocb_gfp(size + around, gfp) :
			allocb_written(size, gfp);
}

/**
 * str_data_alloc() - make the next block of a message that is being written
 * @sd: the stream head
 * @left: bytes still to be written
 * @first: it is the message's first block, SO_WROFF
 *
 * Return: a block of up to @left bytes, as M_SETOPTS said (SO_MAXBLK, SO_WROFF
 * before the first, SO_TAIL after the last), not filled in yet; or NULL.
 */
mblk_t *str_data_alloc(struct stream *sd, size_t left, bool first)
{
	size_t wroff = first ? READ_ONCE(sd->sd_wroff) : 0;
	size_t tail = READ_ONCE(sd->sd_tail), size;
	size_t most = READ_ONCE(sd->sd_maxblk) ?: STR_WRITE_BLOCK;
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN;
	mblk_t *bp;

	/*
	 * A full block and its room share one buffer: both are a page at most.
	 */
	size = min3(left, most, STR_WRITE_BLOCK - wroff - tail);
	if (size < left)
		tail = 0;
	bp = write_block_alloc(size, wroff + tail, gfp);
	if (!bp && size > PAGE_SIZE) {
		size = PAGE_SIZE;
		bp = write_block_alloc(size, wroff, GFP_KERNEL_ACCOUNT);
	}
	if (bp) {
		bp->b_rptr += wroff;
		bp->b_wptr = bp->b_rptr + size;
	}
	return bp;
}

/*
 * Makes a message of *len bytes from the user. In a pipe the message has fewer
 * bytes when memory cannot be read: the whole pages before that are sent, as in
 * Linux's pipe.
 */
static mblk_t *write_message(struct stream *sd, struct iov_iter *from,
			     size_t *len)
{
	mblk_t *head = NULL, **tail = &head;
	size_t left = *len, size, got, keep;

	do {
		mblk_t *bp = str_data_alloc(sd, left, !head);

		if (!bp) {
			freemsg(head);
			return ERR_PTR(-ENOSR);
		}
		*tail = bp;
		tail = &bp->b_cont;
		size = MBLKL(bp);
		got = str_block_from_iter(bp, size, from);
		if (got != size)
			goto fault;
		left -= size;
	} while (left);
	return head;

fault:
	got += *len - left;
	keep = sd->sd_flag & STR_PIPE ? round_down(got, PAGE_SIZE) : 0;
	if (!keep) {
		freemsg(head);
		return ERR_PTR(-EFAULT);
	}
	iov_iter_revert(from, got - keep);
	adjmsg(head, -(ssize_t)(msgsize(head) - keep));
	*len = keep;
	return head;
}

/*
 * Returns whether a message of plain data may become part of the last one on
 * the queue. This is true only for a pipe read as bytes, as Linux's pipes are:
 * elsewhere getmsg() and read() distinguish messages.
 */
static bool write_joins(const queue_t *q, const mblk_t *mp)
{
	const mblk_t *last = q->q_last;

	return last && mp->b_flag == MSGBYTES && last->b_flag == MSGBYTES &&
	       !last->b_band && DB_TYPE(last) == M_DATA &&
	       !(q->q_stream->sd_ropt & (RMSGD | RMSGN));
}

/*
 * Adds a short message to the last one on the queue, so that many short writes
 * do not take an object each. A reader may be copying from the last message:
 * that reader looks no further than the end it found.
 */
static bool write_append(queue_t *q, mblk_t *mp, size_t len)
{
	mblk_t *last = q->q_last, *bp = last;

	if (len > WRITE_SHORT || !write_joins(q, mp))
		return false;
	while (bp->b_cont)
		bp = bp->b_cont;
	if (DB_TYPE(bp) != M_DATA || DB_REF(bp) != 1 ||
	    DB_LIM(bp) - bp->b_wptr < len)
		return false;
	memcpy(bp->b_wptr, mp->b_rptr, len);
	WRITE_ONCE(bp->b_wptr, bp->b_wptr + len);
	__q_appended(q, last, len);
	return true;
}

/*
 * Returns the room that a write of len bytes waits for; an empty write waits
 * for a byte.
 */
static size_t write_need(size_t len)
{
	return clamp_t(size_t, len, 1, PIPE_BUF);
}

/*
 * Sends a message that was found to have room. A message for a pipe without
 * modules between is put directly onto the other end's read queue, but only if
 * the room is still there: -EAGAIN when another writer took it.
 */
static int write_send(struct stream *sd, mblk_t *mp, size_t len)
{
	mblk_t *spare = NULL;
	unsigned long flags;
	bool is_first = false;
	int err = 0;
	queue_t *q;

	rcu_read_lock();
	q = str_write_target(sd);
	if (!q || !perim_idle(sd->sd_perim)) {
		putnext(str_wq(sd), mp);
		rcu_read_unlock();
		return 0;
	}
	spin_lock_irqsave(&q->q_lock, flags);
	if (unlikely(q->q_stream->sd_flag & STR_CLOSING))
		err = -EPIPE;
	else if (unlikely(!str_queue_room(q, write_need(len))))
		err = -EAGAIN;
	else if (write_append(q, mp, len))
		spare = mp;
	else if (unlikely(!__putq(q, mp)))
		err = -ENOSR;
	else
		is_first = q->q_first == mp;
	if (likely(!err))
		trace_streams_head_queue(&q->q_stream->sd_entry, len);
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (!err)
		str_arrived(q->q_stream, EPOLLIN | EPOLLRDNORM, is_first);
	freemsg(spare);
	rcu_read_unlock();
	return err;
}

/*
 * Returns the flag of a write's message: a packet or message of a pipe, or
 * bytes that may join others.
 */
static unsigned short write_flag(const struct stream *sd, size_t len,
				 unsigned int fflags)
{
	if (sd->sd_flag & STR_PIPE && fflags & O_DIRECT)
		return MSGPACKET;
	/* An empty write is an end of file of its own. */
	return sd->sd_flag & STR_LINUX && len ? MSGBYTES : MSGOBJECT;
}

/*
 * Returns how many bytes a pipe has room for, of more than PIPE_BUF: a write
 * that does not wait sends the part that fits (POSIX.1-2001 write()).
 */
static ssize_t write_some(struct stream *sd, size_t len)
{
	size_t room = 0;
	queue_t *q;

	rcu_read_lock();
	q = str_write_target(sd);
	if (q && !str_perim_full(str_wq(sd)))
		room = min(str_queue_room(q, 1), len);
	rcu_read_unlock();
	return room ?: -EAGAIN;
}

/* Makes a message of up to *len bytes of a write(). */
static mblk_t *write_build(struct stream *sd, struct iov_iter *from, size_t *len,
			   unsigned int fflags)
{
	mblk_t *mp = write_message(sd, from, len);

	if (IS_ERR(mp))
		return mp;
	mp->b_flag |= write_flag(sd, *len, fflags);
	if (unlikely(sd->sd_flag & STR_DELIM) && !iov_iter_count(from))
		mp->b_flag |= MSGDELIM;
	return mp;
}

/*
 * Waits for room, and sends up to len bytes as one message. Returns the bytes
 * sent. If the message is sent without another look at the room, it is made
 * before the first look: user memory may be missing for long, and other tasks
 * take the room meanwhile.
 */
static ssize_t write_part(struct stream *sd, struct iov_iter *from, size_t len,
			  unsigned int fflags, bool *slept)
{
	mblk_t *mp = NULL;
	ssize_t ret;

	if (!str_write_target(sd))
		mp = write_build(sd, from, &len, fflags);
	if (IS_ERR(mp))
		return PTR_ERR(mp);
	do {
		ret = str_write_wait(sd, 0, write_need(len), fflags, slept);
		/*
		 * A message whose room was taken by other writers is excluded.
		 */
		if (ret == -EAGAIN && !mp && len > PIPE_BUF)
			ret = write_some(sd, len);
		if (ret < 0)
			break;
		if (!mp) {
			len = min_t(size_t, len, ret);
			mp = write_build(sd, from, &len, fflags);
			if (IS_ERR(mp))
				return PTR_ERR(mp);
		}
		if (unlikely(sd->sd_wopt & SNDHOLD) &&
		    str_hold_write(sd, mp, len))
			return len;
		ret = write_send(sd, mp, len);
	} while (ret == -EAGAIN);
	if (ret < 0) {
		freemsg(mp);
		if (mp)
			iov_iter_revert(from, len);
		return ret;
	}
	return len;
}

/* Does what str_write() does, in messages. */
ssize_t str_write_queue(struct stream *sd, struct iov_iter *from,
			unsigned int fflags)
{
	size_t left = iov_iter_count(from), limit, least;
	ssize_t done = 0, n = str_ring_end(sd);
	bool slept = false;

	if (n)
		return n;
	str_packet_sizes(sd, &least, &limit);
	if (left < least || (left > limit && (least || !limit)))
		return -ERANGE;
	if (fflags & O_DIRECT && sd->sd_flag & STR_PIPE)
		limit = min_t(size_t, limit, PIPE_BUF);
	do {
		n = write_part(sd, from, min(left, limit), fflags, &slept);
		if (n < 0)
			break;
		done += n;
		left -= n;
	} while (left);
	if (slept)
		str_write_next(sd);
	else
		str_filled(sd);
	if (n < 0 && !done)
		return n;
	str_wrote(sd, 0);
	str_entry_sent(&sd->sd_entry, done);
	return done;
}

/*
 * The most blocks of a message that a function fills in: they hold as much as a
 * pipe's ring
 */
#define SOURCE_BLOCKS	DIV_ROUND_UP(RING_PAGES * PAGE_SIZE, STR_WRITE_BLOCK)

/*
 * Ends a message behind its first len bytes, at least one. The last block is
 * copied to one of its size if less than half of it is used.
 */
static void end_message(mblk_t **mpp, size_t len)
{
	mblk_t *mp = *mpp, *bp;

	for (; len > MBLKL(mp); mpp = &mp->b_cont, mp = *mpp)
		len -= MBLKL(mp);
	mp->b_wptr = mp->b_rptr + len;
	freemsg(mp->b_cont);
	mp->b_cont = NULL;
	bp = len < MBLKSIZE(mp) / 2 ? copyb(mp) : NULL;
	if (bp) {
		freeb(mp);
		*mpp = bp;
	}
}

/*
 * Makes a message of up to *len bytes that a function fills in. The message has
 * the bytes that the function returned.
 */
static mblk_t *source_message(struct stream *sd, struct str_source *source,
			      ssize_t *len)
{
	struct kvec kv[SOURCE_BLOCKS];
	mblk_t *head = NULL, **tail = &head;
	size_t left = *len;
	struct iov_iter to;
	int n;

	for (n = 0; n < SOURCE_BLOCKS && left; n++) {
		mblk_t *bp = str_data_alloc(sd, left, !head);

		if (!bp)
			break;
		kv[n] = (struct kvec){ bp->b_rptr, MBLKL(bp) };
		left -= MBLKL(bp);
		*tail = bp;
		tail = &bp->b_cont;
	}
	if (!head) {
		*len = -ENOMEM;
		return NULL;
	}
	iov_iter_kvec(&to, ITER_DEST, kv, n, *len - left);
	*len = source->fill(source, &to);
	if (*len <= 0) {
		freemsg(head);
		return NULL;
	}
	end_message(&head, *len);
	return head;
}

/*
 * Admits one caller at a time: a function may wait for bytes as long as a user
 * likes, with the room that was found, and its message is sent without another
 * look.
 */
static int fill_begin(struct stream *sd, unsigned int fflags)
{
	if (fflags & O_NONBLOCK)
		return mutex_trylock(&sd->sd_fill_mutex) ? 0 : -EAGAIN;
	return mutex_lock_interruptible(&sd->sd_fill_mutex) ? -ERESTARTSYS : 0;
}

/*
 * Does what str_fill() does, in one message. Bytes that were filled in cannot
 * be returned to their source: the message is sent even if other writers took
 * the room for it meanwhile.
 */
ssize_t str_fill_queue(struct stream *sd, struct str_source *source, size_t len,
		       unsigned int fflags)
{
	size_t limit, least;
	bool slept = false;
	ssize_t n;
	mblk_t *mp;
	int err;

	err = str_ring_end(sd);
	if (err)
		return err;
	str_packet_sizes(sd, &least, &limit);
	/* The message may have fewer bytes than a module demands. */
	if (least > 1 || !limit)
		return -ERANGE;
	err = fill_begin(sd, fflags);
	if (err)
		return err;
	len = min(len, limit);
	n = str_write_wait(sd, 0, write_need(len), fflags, &slept);
	if (n < 0)
		goto out;
	n = min_t(ssize_t, n, len);
	mp = source_message(sd, source, &n);
	if (mp) {
		mp->b_flag |= write_flag(sd, n, 0);
		str_unhold(sd);
		err = write_send(sd, mp, n);
		if (err == -EAGAIN) {
			putnext(str_wq(sd), mp);
		} else if (err) {
			freemsg(mp);
			n = err;
		}
	}
out:
	mutex_unlock(&sd->sd_fill_mutex);
	if (slept)
		str_write_next(sd);
	else
		str_filled(sd);
	if (n <= 0)
		return n;
	str_wrote(sd, 0);
	str_entry_sent(&sd->sd_entry, n);
	return n;
}
