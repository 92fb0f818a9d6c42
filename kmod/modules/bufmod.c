// SPDX-License-Identifier: GPL-2.0-only
/*
 * bufmod: a module that gathers messages that go up into larger ones
 *
 * A chunk is sent up when the next message does not fit, when the timeout
 * since its first message ends, or before anything that is not gathered. The
 * timer only enables the read queue; all else is done in the stream's
 * perimeter.
 */
#include <linux/align.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <sys/bufmod.h>
#include <sys/stream.h>

#include "drivers/flush.h"

#define SB_ALL_FLAGS	(SB_SEND_ON_WRITE | SB_NO_HEADER | SB_NO_PROTO_CVT | \
			 SB_DEFER_CHUNK | SB_NO_DROPS)
#define SB_MOST_CHUNK	65536
/* The most messages in a chunk: messages without data would never fill it. */
#define CHUNK_MOST	256
/*
 * The largest message, with its header, that is copied into a shared block of
 * this size: a block of its own would take several times as much memory.
 */
#define SMALL_MOST	256
#define SMALL_BLOCK	512
#define SB_MOST_SECONDS	(24 * 60 * 60)

struct bufmod {
	queue_t *rq;
	mblk_t *chunk;			/* the gathered data */
	mblk_t *last;			/* its last block */
	bool small;			/* which has room for small messages */
	size_t len;			/* bytes of it */
	unsigned int msgs;		/* messages in it */
	unsigned int size;		/* bytes that a chunk may have */
	unsigned int snap;		/* bytes kept of a message; 0: all */
	unsigned int flags;		/* SB_* */
	unsigned int drops;
	bool timed;			/* there is a timeout */
	struct sb_time time;		/* ... this one */
	struct timer_list timer;
	bool expired;			/* the timer ran off */
	mblk_t *marker;			/* put to the read queue by the close */
	bool closing;			/* nothing is kept back, or dropped */
};

static void bufmod_timer(struct timer_list *t)
{
	struct bufmod *b = container_of(t, struct bufmod, timer);

	WRITE_ONCE(b->expired, true);
	qenable(b->rq);
}

static int bufmod_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct bufmod *b;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	b = kzalloc(sizeof(*b), GFP_KERNEL_ACCOUNT);
	if (!b)
		return ENOSR;
	b->marker = allocb(0, BPRI_HI);
	if (!b->marker) {
		kfree(b);
		return ENOSR;
	}
	DB_TYPE(b->marker) = M_CTL;
	b->rq = q;
	b->size = SB_DFLT_CHUNK;
	timer_setup(&b->timer, bufmod_timer, 0);
	q->q_ptr = b;
	WR(q)->q_ptr = b;
	qprocson(q);
	return 0;
}

static void timer_start(struct bufmod *b)
{
	unsigned long wait;

	wait = b->time.tv_sec * HZ + DIV_ROUND_UP(b->time.tv_usec,
						  USEC_PER_SEC / HZ);
	WRITE_ONCE(b->expired, false);
	mod_timer(&b->timer, jiffies + wait);
}

static void timer_stop(struct bufmod *b)
{
	timer_delete(&b->timer);
	WRITE_ONCE(b->expired, false);
}

/* Sends up the chunk, or drops or queues it when there is no room. */
static void chunk_send(struct bufmod *b)
{
	queue_t *q = b->rq;
	mblk_t *mp = b->chunk;

	if (!(b->flags & SB_DEFER_CHUNK))
		timer_stop(b);
	if (!mp)
		return;
	b->chunk = NULL;
	/*
	 * A chunk with room left, or with few bytes, counts as much as its
	 * block.
	 */
	mp->b_flag |= MSGOBJECT;
	if (!q->q_first && canputnext(q)) {
		putnext(q, mp);
	} else if (!(b->flags & SB_NO_DROPS) && !b->closing) {
		b->drops += b->msgs;
		freemsg(mp);
	} else if (!putq(q, mp)) {
		b->drops += b->msgs;
		freemsg(mp);
	}
	b->len = 0;
	b->msgs = 0;
}

static int bufmod_close(queue_t *q, int oflag, cred_t *cr)
{
	struct bufmod *b = q->q_ptr;

	/* Popping loses nothing: the chunk is sent on before newer messages. */
	put(q, b->marker);
	qprocsoff(q);
	timer_delete_sync(&b->timer);
	kfree(b);
	return 0;
}

static size_t block_len(const mblk_t *bp)
{
	return bp->b_wptr > bp->b_rptr ? MBLKL(bp) : 0;
}

/*
 * Returns the first n bytes of a message of size bytes; NULL when memory is short. The rest
 * does not stay in memory behind a message that counts for little.
 */
static mblk_t *message_cut(mblk_t *mp, size_t size, size_t n)
{
	mblk_t *bp = mp, *copy;
	size_t left = n;

	if (size == n)
		return mp;
	while (left > block_len(bp)) {
		left -= block_len(bp);
		bp = bp->b_cont;
	}
	bp->b_wptr = bp->b_rptr + left;
	freemsg(bp->b_cont);
	bp->b_cont = NULL;
	if (size / 2 <= n)
		return mp;
	copy = copymsg(mp);
	freemsg(mp);
	return copy;
}

/* The place of a message in a chunk */
struct place {
	size_t orig;			/* bytes of the message */
	size_t head;			/* ... of the header, if there is one */
	size_t kept;			/* ... of the message here */
	size_t total;			/* ... with header and zero bytes behind */
};

static void header_fill(const struct bufmod *b, unsigned char *at,
			const struct place *place)
{
	struct sb_hdr *hdr = (struct sb_hdr *)at;
	struct timespec64 now;

	ktime_get_real_ts64(&now);
	hdr->sbh_origlen = place->orig;
	hdr->sbh_msglen = place->kept;
	hdr->sbh_totlen = place->total;
	hdr->sbh_drops = b->drops;
	hdr->sbh_timestamp.tv_sec = now.tv_sec;
	hdr->sbh_timestamp.tv_usec = now.tv_nsec / NSEC_PER_USEC;
}

static void chunk_link(struct bufmod *b, mblk_t *mp)
{
	if (b->chunk)
		b->last->b_cont = mp;
	else
		b->chunk = mp;
	for (b->last = mp; b->last->b_cont;)
		b->last = b->last->b_cont;
}

/* Returns a block for small messages at the end of the chunk, with room for n bytes. */
static mblk_t *chunk_block(struct bufmod *b, unsigned char band, size_t n)
{
	mblk_t *bp = b->last;

	if (b->chunk && b->small && DB_LIM(bp) - bp->b_wptr >= n)
		return bp;
	bp = allocb(SMALL_BLOCK, BPRI_MED);
	if (bp) {
		bp->b_band = band;
		chunk_link(b, bp);
		b->small = true;
	}
	return bp;
}

/* Adds a copy of a small message. */
static bool chunk_copy(struct bufmod *b, const mblk_t *mp,
		       const struct place *place)
{
	mblk_t *to = chunk_block(b, place->head ? 0 : mp->b_band,
				 place->total);
	size_t left = place->kept;

	if (!to)
		return false;
	memset(to->b_wptr, 0, place->total);
	if (place->head)
		header_fill(b, to->b_wptr, place);
	for (; left; mp = mp->b_cont) {
		size_t n = min(left, block_len(mp));

		memcpy(to->b_wptr + place->head + place->kept - left,
		       mp->b_rptr, n);
		left -= n;
	}
	to->b_wptr += place->total;
	return true;
}

/* Adds the message itself, between a header and zero bytes; consumes it. */
static bool chunk_whole(struct bufmod *b, mblk_t *mp, const struct place *place)
{
	size_t n = place->total - place->head - place->kept;
	mblk_t *hdr = place->head ? allocb(place->head, BPRI_MED) : NULL;
	mblk_t *pad = n ? allocb(n, BPRI_MED) : NULL;

	mp = message_cut(mp, place->orig, place->kept);
	if (!mp || (place->head && !hdr) || (n && !pad)) {
		freemsg(hdr);
		freemsg(mp);
		freemsg(pad);
		return false;
	}
	if (hdr) {
		header_fill(b, hdr->b_wptr, place);
		hdr->b_wptr += place->head;
		chunk_link(b, hdr);
	}
	chunk_link(b, mp);
	if (pad) {
		memset(pad->b_wptr, 0, n);
		pad->b_wptr += n;
		chunk_link(b, pad);
	}
	b->small = false;
	return true;
}

static bool chunk_add(struct bufmod *b, mblk_t *mp, const struct place *place)
{
	bool added;

	if (place->total > SMALL_MOST)
		return chunk_whole(b, mp, place);
	added = chunk_copy(b, mp, place);
	freemsg(mp);
	return added;
}

/* Handles a message of data. */
static void message_gather(struct bufmod *b, mblk_t *mp)
{
	bool pause = b->flags & SB_DEFER_CHUNK && !timer_pending(&b->timer);
	struct place place = { .orig = msgsize(mp) };

	place.kept = place.orig;
	if (b->snap)
		place.kept = min_t(size_t, place.orig, b->snap);
	place.total = place.kept;
	if (!(b->flags & SB_NO_HEADER)) {
		place.head = sizeof(struct sb_hdr);
		place.total = ALIGN(place.head + place.kept, sizeof(u64));
	}
	if (b->chunk && b->len + place.total > b->size)
		chunk_send(b);
	if (!chunk_add(b, mp, &place)) {
		b->drops++;
		return;
	}
	if (!b->msgs++ && b->timed && !timer_pending(&b->timer))
		timer_start(b);
	b->len += place.total;
	if (b->len >= b->size || b->msgs >= CHUNK_MOST ||
	    (b->timed && pause) || b->closing)
		chunk_send(b);
}

static void bufmod_proto(struct bufmod *b, queue_t *q, mblk_t *mp)
{
	mblk_t *bp;

	if (b->flags & SB_NO_PROTO_CVT) {
		chunk_send(b);
		if (!q->q_first && bcanputnext(q, mp->b_band))
			putnext(q, mp);
		else if (!putq(q, mp))
			freemsg(mp);
		return;
	}
	for (bp = mp; bp; bp = bp->b_cont)
		DB_TYPE(bp) = M_DATA;
	message_gather(b, mp);
}

static void chunk_drop(struct bufmod *b)
{
	timer_stop(b);
	freemsg(b->chunk);
	b->chunk = NULL;
	b->len = 0;
	b->msgs = 0;
}

/*
 * Handles M_FLUSH, of all or of one band. A chunk has the band of its first
 * block.
 */
static void bufmod_flush(struct bufmod *b, const mblk_t *mp)
{
	if (MBLKL(mp) < 1 || !(*mp->b_rptr & FLUSHR))
		return;
	if (!(*mp->b_rptr & FLUSHBAND) ||
	    (MBLKL(mp) > 1 && b->chunk && b->chunk->b_band == mp->b_rptr[1]))
		chunk_drop(b);
	flush_side(b->rq, mp, FLUSHR);
}

static int bufmod_rput(queue_t *q, mblk_t *mp)
{
	struct bufmod *b = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		message_gather(b, mp);
		break;
	case M_PROTO:
		bufmod_proto(b, q, mp);
		break;
	case M_FLUSH:
		bufmod_flush(b, mp);
		putnext(q, mp);
		break;
	case M_IOCACK:
	case M_IOCNAK:
	/*
	 * On a FIFO these messages come here too. No reader takes them, and a
	 * caller waits.
	 */
	case M_IOCTL:
	case M_IOCDATA:
		putnext(q, mp);
		break;
	case M_CTL:
		if (mp == b->marker) {
			b->closing = true;
			chunk_send(b);
			freemsg(mp);
			break;
		}
		fallthrough;
	default:
		/*
		 * Data that came first is read first, and data before the
		 * hangup.
		 */
		if (DB_TYPE(mp) != M_PCPROTO)
			chunk_send(b);
		if (DB_TYPE(mp) >= QPCTL || !q->q_first)
			putnext(q, mp);
		else if (!putq(q, mp))
			freemsg(mp);
	}
	return 0;
}

static int bufmod_rsrv(queue_t *q)
{
	struct bufmod *b = q->q_ptr;
	mblk_t *mp;

	while ((mp = getq(q))) {
		if (DB_TYPE(mp) < QPCTL && !bcanputnext(q, mp->b_band)) {
			if (!putbq(q, mp))
				freemsg(mp);
			break;
		}
		putnext(q, mp);
	}
	if (READ_ONCE(b->expired)) {
		WRITE_ONCE(b->expired, false);
		chunk_send(b);
	}
	return 0;
}

/* Returns the ioctl's data if it is valid for the command, or NULL. */
static void *ioctl_data(const mblk_t *mp, size_t len)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (ioc->ioc_count != len || !mp->b_cont || MBLKL(mp->b_cont) != len)
		return NULL;
	return mp->b_cont->b_rptr;
}

static void bufmod_ioctl_answer(queue_t *q, mblk_t *mp, int error, size_t count)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	ioc->ioc_count = error ? 0 : count;
	ioc->ioc_error = error;
	ioc->ioc_rval = 0;
	DB_TYPE(mp) = error ? M_IOCNAK : M_IOCACK;
	qreply(q, mp);
}

static int time_set(struct bufmod *b, const struct sb_time *time)
{
	if (time->tv_sec < 0 || time->tv_usec < 0 ||
	    time->tv_usec >= USEC_PER_SEC || time->tv_sec > SB_MOST_SECONDS)
		return EINVAL;
	chunk_send(b);
	timer_stop(b);
	b->time = *time;
	b->timed = true;
	/* A time of 0 means that there are no chunks. */
	if (!time->tv_sec && !time->tv_usec)
		b->size = 0;
	return 0;
}

static int time_get(const struct bufmod *b, struct sb_time *time)
{
	if (!b->timed)
		return EINVAL;
	*time = b->time;
	return 0;
}

static int number_set(struct bufmod *b, int cmd, unsigned int n)
{
	switch (cmd) {
	case SBIOCSCHUNK:
		if (n > SB_MOST_CHUNK)
			return EINVAL;
		chunk_send(b);
		b->size = n;
		break;
	case SBIOCSSNAP:
		b->snap = n;
		break;
	case SBIOCSFLAGS:
		if (n & ~SB_ALL_FLAGS)
			return EINVAL;
		chunk_send(b);
		timer_stop(b);
		b->flags = n;
		break;
	}
	return 0;
}

static unsigned int number_get(const struct bufmod *b, int cmd)
{
	return cmd == SBIOCGCHUNK ? b->size :
	       cmd == SBIOCGSNAP ? b->snap : b->flags;
}

/*
 * Handles an ioctl of this module's; false: pass it on. Only a command that asks for a value
 * returns data: libpcap relies on it.
 */
static bool bufmod_ioctl(struct bufmod *b, queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	size_t len = sizeof(unsigned int);
	struct sb_time *time;
	unsigned int *n;
	int err = EINVAL;

	switch (ioc->ioc_cmd) {
	case SBIOCSTIME:
		time = ioctl_data(mp, sizeof(*time));
		if (time)
			err = time_set(b, time);
		len = 0;
		break;
	case SBIOCGTIME:
		len = sizeof(*time);
		time = ioctl_data(mp, len);
		if (time)
			err = time_get(b, time);
		break;
	case SBIOCCTIME:
		timer_stop(b);
		b->timed = false;
		err = 0;
		len = 0;
		break;
	case SBIOCSCHUNK:
	case SBIOCSSNAP:
	case SBIOCSFLAGS:
		n = ioctl_data(mp, len);
		if (n)
			err = number_set(b, ioc->ioc_cmd, *n);
		len = 0;
		break;
	case SBIOCGCHUNK:
	case SBIOCGSNAP:
	case SBIOCGFLAGS:
		n = ioctl_data(mp, len);
		if (n) {
			*n = number_get(b, ioc->ioc_cmd);
			err = 0;
		}
		break;
	default:
		return false;
	}
	bufmod_ioctl_answer(q, mp, err, len);
	return true;
}

static int bufmod_wput(queue_t *q, mblk_t *mp)
{
	struct bufmod *b = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DATA:
	case M_PROTO:
		if (b->flags & SB_SEND_ON_WRITE)
			chunk_send(b);
		break;
	case M_FLUSH:
		bufmod_flush(b, mp);
		break;
	case M_IOCTL:
		if (bufmod_ioctl(b, q, mp))
			return 0;
		break;
	}
	putnext(q, mp);
	return 0;
}

static struct module_info bufmod_info = {
	.mi_idname = "bufmod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

/*
 * The write queue holds no messages. In the account of a pipe its mark stands
 * for the chunk that is being gathered, and for one chunk by which the read
 * queue exceeds its mark.
 */
static struct module_info bufmod_winfo = {
	.mi_idname = "bufmod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 2 * SB_MOST_CHUNK,
	.mi_lowat = SB_MOST_CHUNK,
};

static struct qinit bufmod_rinit = {
	.qi_putp = bufmod_rput,
	.qi_srvp = bufmod_rsrv,
	.qi_qopen = bufmod_open,
	.qi_qclose = bufmod_close,
	.qi_minfo = &bufmod_info,
};

static struct qinit bufmod_winit = {
	.qi_putp = bufmod_wput,
	.qi_minfo = &bufmod_winfo,
};

static const struct streamtab bufmod_tab = {
	.st_rdinit = &bufmod_rinit,
	.st_wrinit = &bufmod_winit,
};

static struct strmod bufmod = {
	.name = "bufmod",
	.tab = &bufmod_tab,
	.owner = THIS_MODULE,
};

static int __init bufmod_init(void)
{
	return strmod_register(&bufmod);
}

static void __exit bufmod_exit(void)
{
	strmod_unregister(&bufmod);
}

module_init(bufmod_init);
module_exit(bufmod_exit);

MODULE_DESCRIPTION("STREAMS module that gathers messages");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-bufmod");
