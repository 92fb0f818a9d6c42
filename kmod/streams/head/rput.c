// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages that arrive at the stream head
 *
 * The head's put procedure needs no perimeter: its data is under the read
 * queue's lock. So putnext() calls it at once while the perimeter is idle, as for a
 * putmsg() to a pipe without modules. A write() to such a pipe puts the message on the
 * queue itself, see write_send().
 */
#include "streams/message/mblk.h"
#include "streams/queue/queue.h"
#include "streams/trace.h"
#include "errand.h"
#include "flush.h"
#include "hold.h"
#include "ioc.h"
#include "lost.h"
#include "option.h"
#include "rput.h"
#include "signal.h"
#include "state.h"
#include "wake.h"

/* Frees a message that cannot be queued. */
static void rput_lose(const struct stream *sd, queue_t *q, mblk_t *mp)
{
	str_lost(q, READ_ONCE(sd->sd_flag) & STR_CLOSING ? "closed" :
		    DB_TYPE(mp) & QPCTL ? "priority" : "memory");
	freemsg(mp);
}

/* Puts a message on the read queue, or frees it if that is not possible. */
static void rput_queue(struct stream *sd, queue_t *q, mblk_t *mp)
{
	bool high = DB_TYPE(mp) & QPCTL;
	__poll_t bits = str_poll_bits(mp);
	unsigned long flags;
	bool queued = false, is_first;

	spin_lock_irqsave(&q->q_lock, flags);
	/*
	 * The head keeps one high-priority message at a time: a second one is
	 * dropped.
	 */
	if (!(sd->sd_flag & STR_CLOSING) &&
	    !(high && q->q_first && DB_TYPE(q->q_first) == M_PCPROTO)) {
		queued = __putq(q, mp);
		/*
		 * Without memory for the band, the message is put into a lower
		 * one rather than lost.
		 */
		if (unlikely(!queued && !high)) {
			mp->b_band = q->q_nband;
			bits = str_poll_bits(mp);
			queued = __putq(q, mp);
		}
	}
	is_first = q->q_first == mp;
	if (trace_streams_head_queue_enabled() && queued)
		trace_streams_head_queue(&sd->sd_entry, msgdsize(mp));
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (!queued)
		rput_lose(sd, q, mp);
	else if (!str_errand_reported(sd, mp))
		str_arrived(sd, bits, is_first);
}

/* A signal waits for its turn among the messages, if there are any. */
static void rput_signal(struct stream *sd, queue_t *q, mblk_t *mp)
{
	unsigned long flags;
	bool queued;

	spin_lock_irqsave(&q->q_lock, flags);
	queued = !(sd->sd_flag & STR_CLOSING) && __putq(q, mp);
	sd->sd_flag |= STR_SIGNALS;
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (queued)
		str_deliver_signal(sd);
	else
		freemsg(mp);
}

/*
 * Handles M_ERROR. A single byte is an error for both sides; two bytes are an
 * error for each: NOERROR leaves a side alone, 0 ends its error.
 */
static noinline void rput_error(struct stream *sd, mblk_t *mp)
{
	unsigned int set = 0, clear = 0;
	int rerr, werr;

	if (MBLKL(mp) < 1) {
		freemsg(mp);
		return;
	}
	rerr = mp->b_rptr[0];
	werr = MBLKL(mp) > 1 ? mp->b_rptr[1] : rerr;
	freemsg(mp);
	if (rerr != NOERROR) {
		WRITE_ONCE(sd->sd_rerror, rerr);
		*(rerr ? &set : &clear) |= STR_RERR;
	}
	if (werr != NOERROR) {
		WRITE_ONCE(sd->sd_werror, werr);
		*(werr ? &set : &clear) |= STR_WERR;
	}
	str_set_flag(sd, set, clear);
}

/* Answers an ioctl that no module or driver on the stream knows. */
static void rput_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (q->q_stream->sd_flag & STR_PIPE && MBLKL(mp) >= sizeof(*ioc)) {
		/* A pipe answers an unknown command as a native one does. */
		ioc->ioc_error = ioc->ioc_count == TRANSPARENT ? ENOTTY :
								 EINVAL;
		DB_TYPE(mp) = M_IOCNAK;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

int str_rput(queue_t *q, mblk_t *mp)
{
	struct stream *sd = q->q_stream;

	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		rput_queue(sd, q, mp);
		break;
	case M_SIG:
		rput_signal(sd, q, mp);
		break;
	case M_PCSIG:
		str_signal(sd, mp);
		freemsg(mp);
		break;
	case M_FLUSH:
		str_rput_flush(q, mp);
		break;
	case M_HANGUP:
		freemsg(mp);
		str_set_flag(sd, STR_HUP, 0);
		break;
	case M_UNHANGUP:
		freemsg(mp);
		str_set_flag(sd, 0, STR_HUP);
		break;
	case M_ERROR:
		rput_error(sd, mp);
		break;
	case M_SETOPTS:
		str_rput_setopts(sd, mp);
		break;
	case M_READ:
		/* The reader at a pipe's other end has to wait. */
		freemsg(mp);
		str_hold_hurry(sd);
		break;
	case M_IOCTL:
		rput_ioctl(q, mp);
		break;
	case M_IOCACK:
	case M_IOCNAK:
	case M_COPYIN:
	case M_COPYOUT:
		str_ioctl_reply(sd, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}
EXPORT_SYMBOL_GPL(str_rput);
