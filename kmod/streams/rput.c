// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages that arrive at the stream head
 *
 * The head's put procedure needs no perimeter: what it touches is under the
 * read queue's lock. It is also what a write to a pipe without modules calls.
 */
#include <linux/sched/signal.h>

#include "flow.h"
#include "head.h"
#include "queue.h"
#include "ring.h"

/*
 * Wakes who waits for something to read. wq_has_sleeper() orders the message
 * put on the queue before the look at the waiters, as the waiter orders its
 * place in the list before its look at the queue.
 */
void str_wake_reader(struct stream *sd, __poll_t bits)
{
	if (wq_has_sleeper(&sd->sd_rwait))
		wake_up_interruptible_sync_poll(&sd->sd_rwait, bits);
	if (unlikely(READ_ONCE(sd->sd_rfasync)))
		kill_fasync(&sd->sd_rfasync, SIGIO, POLL_IN);
}
EXPORT_SYMBOL_GPL(str_wake_reader);

/* The head's write service procedure: there is room below again. */
int str_wsrv(queue_t *q)
{
	struct stream *sd = q->q_stream;

	if (wq_has_sleeper(&sd->sd_wwait))
		wake_up_interruptible_sync_poll(&sd->sd_wwait, EPOLLOUT |
						EPOLLWRNORM | EPOLLWRBAND);
	if (unlikely(READ_ONCE(sd->sd_wfasync)))
		kill_fasync(&sd->sd_wfasync, SIGIO, POLL_OUT);
	return 0;
}

/* What poll() says of a message at the front of the read queue. */
__poll_t str_poll_bits(const mblk_t *mp)
{
	if (DB_TYPE(mp) & QPCTL)
		return EPOLLPRI;
	return mp->b_band ? EPOLLIN | EPOLLRDBAND : EPOLLIN | EPOLLRDNORM;
}

/* Puts a message on the read queue; it is freed when that cannot be. */
static void rput_queue(struct stream *sd, queue_t *q, mblk_t *mp)
{
	bool high = DB_TYPE(mp) & QPCTL;
	__poll_t bits = str_poll_bits(mp);
	unsigned long flags;
	bool queued = false;

	spin_lock_irqsave(&q->q_lock, flags);
	/* One high-priority message at a time: a second one is dropped. */
	if (!(sd->sd_flag & STR_CLOSING) &&
	    !(high && q->q_first && DB_TYPE(q->q_first) == M_PCPROTO))
		queued = __putq(q, mp);
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (queued)
		str_wake_reader(sd, bits);
	else
		freemsg(mp);
}

/* Throws away what is on the read queue; a message being read goes later. */
void str_flush(struct stream *sd, int what)
{
	queue_t *q = str_rq(sd);
	mblk_t *mp, *next, *gone = NULL;
	unsigned long flags;
	bool want = false;

	spin_lock_irqsave(&q->q_lock, flags);
	for (mp = q->q_first; mp; mp = next) {
		next = mp->b_next;
		if (mp == sd->sd_reading) {
			sd->sd_flag |= STR_FLUSHED;
			continue;
		}
		if (what == FLUSHDATA && !datamsg(DB_TYPE(mp)))
			continue;
		want |= __rmvq(q, mp);
		mp->b_next = gone;
		gone = mp;
	}
	spin_unlock_irqrestore(&q->q_lock, flags);
	while (gone) {
		mp = gone;
		gone = mp->b_next;
		mp->b_next = NULL;
		freemsg(mp);
	}
	if (want)
		backenable(q, 0);
}

/* Throws away all there is to read. Context: may sleep. */
void str_drop(struct stream *sd)
{
	str_ring_drop(sd);
	str_flush(sd, FLUSHALL);
}
EXPORT_SYMBOL_GPL(str_drop);

/* M_FLUSH: the read side here, then the write side on the message's way back. */
static void rput_flush(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < 1) {
		freemsg(mp);
		return;
	}
	if (*mp->b_rptr & FLUSHR)
		str_flush(q->q_stream, FLUSHDATA);
	if ((*mp->b_rptr & FLUSHW) && !(mp->b_flag & MSGNOLOOP)) {
		*mp->b_rptr &= ~FLUSHR;
		mp->b_flag |= MSGNOLOOP;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

/*
 * M_ERROR of one byte: an error for both sides; of two: one for each, NOERROR
 * leaves a side alone, 0 ends its error.
 */
static void rput_error(struct stream *sd, mblk_t *mp)
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

static void rput_setopts(struct stream *sd, mblk_t *mp)
{
	const struct stroptions *so = (struct stroptions *)mp->b_rptr;
	queue_t *q = str_rq(sd);
	unsigned long flags;
	unsigned char band;

	if (MBLKL(mp) < sizeof(*so)) {
		freemsg(mp);
		return;
	}
	spin_lock_irqsave(&q->q_lock, flags);
	if (so->so_flags & SO_READOPT)
		sd->sd_ropt = so->so_readopt & (RMSGD | RMSGN | RPROTDAT |
						RPROTDIS | RPROTNORM |
						RFLUSHPCPROT);
	if (so->so_flags & SO_WROFF)
		WRITE_ONCE(sd->sd_wroff,
			   min_t(unsigned int, so->so_wroff, PAGE_SIZE));
	if (so->so_flags & SO_ERROPT)
		sd->sd_eropt = so->so_erropt;
	spin_unlock_irqrestore(&q->q_lock, flags);
	if (so->so_flags & SO_MINPSZ)
		strqset(q, QMINPSZ, 0, so->so_minpsz);
	if (so->so_flags & SO_MAXPSZ)
		strqset(q, QMAXPSZ, 0, so->so_maxpsz);
	band = so->so_flags & SO_BAND ? so->so_band : 0;
	if (so->so_flags & SO_HIWAT)
		strqset(q, QHIWAT, band, so->so_hiwat);
	if (so->so_flags & SO_LOWAT)
		strqset(q, QLOWAT, band, so->so_lowat);
	freemsg(mp);
}

/*
 * M_SIG, M_PCSIG: SIGPOLL is for who asked for the stream's signals. Others
 * are for the process group of a terminal, which no stream is here.
 */
void str_signal(struct stream *sd, const mblk_t *mp)
{
	if (MBLKL(mp) >= 1 && *mp->b_rptr == SIGPOLL)
		kill_fasync(&sd->sd_rfasync, SIGIO, POLL_MSG);
}

/* An I_STR that met no module or driver who knows it. */
static void rput_ioctl(queue_t *q, mblk_t *mp)
{
	if (q->q_stream->sd_flag & STR_PIPE &&
	    MBLKL(mp) >= sizeof(struct iocblk)) {
		((struct iocblk *)mp->b_rptr)->ioc_error = EINVAL;
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
	case M_SIG:
		rput_queue(sd, q, mp);
		break;
	case M_PCSIG:
		str_signal(sd, mp);
		freemsg(mp);
		break;
	case M_FLUSH:
		rput_flush(q, mp);
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
		rput_setopts(sd, mp);
		break;
	case M_IOCTL:
		rput_ioctl(q, mp);
		break;
	case M_IOCACK:
	case M_IOCNAK:
		str_ioctl_reply(sd, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}
