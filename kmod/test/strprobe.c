// SPDX-License-Identifier: GPL-2.0-only
/*
 * strprobe: a driver that reports the messages the stream head sent down, and
 * sends up any message it is given
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <sys/stream.h>

#include "drivers/flush.h"
#include "strprobe.h"

struct probe {
	struct strprobe seen;
	bool hold;
	bool answer;
	bool say;
};

static int strprobe_open(queue_t *q, dev_t *dev, int oflag, int sflag,
			 cred_t *cr)
{
	struct probe *p;

	if (sflag == MODOPEN)
		return EINVAL;
	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return ENOSR;
	q->q_ptr = p;
	WR(q)->q_ptr = p;
	qprocson(q);
	return 0;
}

static int strprobe_close(queue_t *q, int oflag, cred_t *cr)
{
	qprocsoff(q);
	kfree(q->q_ptr);
	return 0;
}

static void strprobe_flush_down(queue_t *q, mblk_t *mp)
{
	flush_side(q, mp, FLUSHW);
	*mp->b_rptr &= ~FLUSHW;
	if (*mp->b_rptr & FLUSHR)
		qreply(q, mp);
	else
		freemsg(mp);
}

static void note_message(struct strprobe *seen, const mblk_t *mp)
{
	const mblk_t *bp = mp;

	seen->messages++;
	seen->type = DB_TYPE(mp);
	seen->band = mp->b_band;
	seen->flag = mp->b_flag;
	seen->bytes = msgsize(mp);
	seen->blocks = 0;
	seen->largest = 0;
	seen->before = mp->b_rptr - DB_BASE(mp);
	for (;; bp = bp->b_cont) {
		seen->blocks++;
		seen->largest = max_t(unsigned int, seen->largest, MBLKL(bp));
		if (!bp->b_cont)
			break;
	}
	seen->after = DB_LIM(bp) - bp->b_wptr;
}

/*
 * Returns the packet sizes of the read queue above, which is the stream head's
 * if no module is pushed.
 */
static void note_head(queue_t *q, struct strprobe *seen)
{
	queue_t *above = RD(backq(q));

	strqget(above, QMINPSZ, 0, &seen->head_min);
	strqget(above, QMAXPSZ, 0, &seen->head_max);
}

/* Sends up a message that the data describes: type, band, flag, bytes. */
static int strprobe_send_up(queue_t *q, const mblk_t *data)
{
	mblk_t *mp;

	if (!data || MBLKL(data) < 3)
		return EINVAL;
	mp = allocb(MBLKL(data) - 3, BPRI_MED);
	if (!mp)
		return ENOSR;
	DB_TYPE(mp) = data->b_rptr[0];
	mp->b_band = data->b_rptr[1];
	mp->b_flag = data->b_rptr[2];
	memcpy(mp->b_wptr, data->b_rptr + 3, MBLKL(data) - 3);
	mp->b_wptr += MBLKL(data) - 3;
	putnext(RD(q), mp);
	return 0;
}

static void read_down(queue_t *q, mblk_t *mp)
{
	struct probe *p = q->q_ptr;
	size_t size = 0;
	mblk_t *data;

	p->seen.reads++;
	if (MBLKL(mp) >= sizeof(size))
		memcpy(&size, mp->b_rptr, sizeof(size));
	p->seen.read_size = size;
	freemsg(mp);
	data = p->answer ? allocb(size, BPRI_MED) : NULL;
	if (!data)
		return;
	memset(data->b_wptr, 'r', size);
	data->b_wptr += size;
	putnext(RD(q), data);
}

/* Puts the answer's data in place of the request's. */
static int strprobe_give(mblk_t *mp, const void *what, size_t size)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	mblk_t *data = allocb(size, BPRI_MED);

	if (!data)
		return ENOSR;
	memcpy(data->b_wptr, what, size);
	data->b_wptr += size;
	freemsg(unlinkb(mp));
	linkb(mp, data);
	ioc->ioc_count = size;
	return 0;
}

static void strprobe_ioctl_down(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct probe *p = q->q_ptr;
	unsigned int id;

	ioc->ioc_error = 0;
	ioc->ioc_rval = 0;
	ioc->ioc_count = 0;
	switch (ioc->ioc_cmd) {
	case STRPROBE_SEND:
		ioc->ioc_error = strprobe_send_up(q, mp->b_cont);
		break;
	case STRPROBE_LOOK:
		note_head(q, &p->seen);
		ioc->ioc_error = strprobe_give(mp, &p->seen, sizeof(p->seen));
		memset(&p->seen, 0, sizeof(p->seen));
		break;
	case STRPROBE_HOLD:
		p->hold = true;
		break;
	case STRPROBE_RELEASE:
		p->hold = false;
		flushq(q, FLUSHALL);
		break;
	case STRPROBE_ANSWER:
		p->answer = true;
		break;
	case STRPROBE_LEAST:
		ioc->ioc_error = strqset(q, QMINPSZ, 0, 4);
		break;
	case STRPROBE_SAY:
		p->say = true;
		break;
	case STRPROBE_ID:
		id = strid(q);
		ioc->ioc_error = strprobe_give(mp, &id, sizeof(id));
		break;
	default:
		ioc->ioc_error = EINVAL;
		DB_TYPE(mp) = M_IOCNAK;
		qreply(q, mp);
		return;
	}
	DB_TYPE(mp) = M_IOCACK;
	qreply(q, mp);
}

static int strprobe_wput(queue_t *q, mblk_t *mp)
{
	struct probe *p = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		strprobe_flush_down(q, mp);
		break;
	case M_IOCTL:
		strprobe_ioctl_down(q, mp);
		break;
	case M_READ:
		read_down(q, mp);
		break;
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		note_message(&p->seen, mp);
		if (p->hold && putq(q, mp))
			break;
		if (p->say)
			strprobe_send_up(q, mp);
		fallthrough;
	default:
		freemsg(mp);
	}
	return 0;
}

/*
 * Held messages stay on the queue; a service procedure makes flow control see
 * it.
 */
static int strprobe_wsrv(queue_t *q)
{
	return 0;
}

static int strprobe_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info strprobe_info = {
	.mi_idname = "strprobe",
	.mi_minpsz = 0,
	.mi_maxpsz = 32768,
	.mi_hiwat = 4096,
	.mi_lowat = 1024,
};

static struct qinit strprobe_rinit = {
	.qi_putp = strprobe_rput,
	.qi_qopen = strprobe_open,
	.qi_qclose = strprobe_close,
	.qi_minfo = &strprobe_info,
};

static struct qinit strprobe_winit = {
	.qi_putp = strprobe_wput,
	.qi_srvp = strprobe_wsrv,
	.qi_minfo = &strprobe_info,
};

static const struct streamtab strprobe_tab = {
	.st_rdinit = &strprobe_rinit,
	.st_wrinit = &strprobe_winit,
};

static struct strdrv strprobe = {
	.name = "strprobe",
	.tab = &strprobe_tab,
	.owner = THIS_MODULE,
};

static int __init strprobe_init(void)
{
	return strdrv_register(&strprobe);
}

static void __exit strprobe_exit(void)
{
	strdrv_unregister(&strprobe);
}

module_init(strprobe_init);
module_exit(strprobe_exit);

MODULE_DESCRIPTION("STREAMS test driver that tells what it was sent");
MODULE_LICENSE("GPL");
