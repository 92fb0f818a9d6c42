// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams of drivers
 *
 * Queues, bands, flow control, perimeters, bottom halves, bufcalls and messages are
 * the executive's own. The stream head is a simple one, and a driver is all that is
 * below it, so that joining and parting the queues is simple as well.
 */
#include <linux/types.h>

#include "streams/head/plumb.h"
#include "streams/module/calls.h"
#include "streams/queue/flow.h"
#include "streams/message/mblk.h"
#include "streams/queue/queue.h"
#include "streams/perim/sched.h"
#include "streams.h"

struct fuzz_stream fuzz_streams[STREAMS];
struct strdrv *fuzz_drivers[DRIVERS];
unsigned int fuzz_ndrivers;
struct strmod *fuzz_mods[DRIVERS];
unsigned int fuzz_nmods;
static int alive;

/* strsun.c's, of ioctls that a module makes */
static const struct cred first_cred;
struct task_struct init_task = { .cred = &first_cred };

static struct module_info head_info = {
	.mi_idname = "head",
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = STRHIGH,
	.mi_lowat = STRLOW,
};

static struct fuzz_stream *stream_of(const queue_t *q)
{
	return container_of(q->q_stream, struct fuzz_stream, sd);
}

/* All bytes can be read. */
static void touch(const mblk_t *mp)
{
	for (; mp; mp = mp->b_cont)
		if (MBLKL(mp) > 0)
			fuzz_touch(mp->b_rptr, MBLKL(mp));
}

static void head_flush(queue_t *q, mblk_t *mp)
{
	unsigned char what = MBLKL(mp) > 0 ? *mp->b_rptr : 0;

	if (what & FLUSHR)
		flushq(q, FLUSHDATA);
	if (what & FLUSHW && !(mp->b_flag & MSGNOLOOP)) {
		*mp->b_rptr = what & ~FLUSHR;
		mp->b_flag |= MSGNOLOOP;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static void head_options(queue_t *q, mblk_t *mp)
{
	const struct stroptions *so = (struct stroptions *)mp->b_rptr;

	if (MBLKL(mp) < (ssize_t)sizeof(*so)) {
		freemsg(mp);
		return;
	}
	if (so->so_flags & SO_LOWAT)
		strqset(q, QLOWAT, 0, 1);
	if (so->so_flags & SO_HIWAT)
		strqset(q, QHIWAT, 0, so->so_hiwat);
	if (so->so_flags & SO_LOWAT)
		strqset(q, QLOWAT, 0, so->so_lowat);
	freemsg(mp);
}

static int head_rput(queue_t *q, mblk_t *mp)
{
	struct fuzz_stream *s = stream_of(q);

	touch(mp);
	fuzz_arrived(s, mp);
	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		head_flush(q, mp);
		break;
	case M_SETOPTS:
		head_options(q, mp);
		break;
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
		if (s->closing || !putq(q, mp))
			freemsg(mp);
		break;
	case M_COPYIN:
	case M_COPYOUT:
		freemsg(s->copy);
		s->copy = mp;
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

static int head_wsrv(queue_t *q)
{
	return 0;
}

static struct qinit head_rinit = { .qi_putp = head_rput, .qi_minfo = &head_info };
static struct qinit head_winit = { .qi_srvp = head_wsrv, .qi_minfo = &head_info };

/* In place of the registry */
int strdrv_register(struct strdrv *drv)
{
	fuzz_drivers[fuzz_ndrivers++] = drv;
	return 0;
}

void strdrv_unregister(struct strdrv *drv)
{
}

int strmod_register(struct strmod *mod)
{
	fuzz_mods[fuzz_nmods++] = mod;
	return 0;
}

void strmod_unregister(struct strmod *mod)
{
}

unsigned int strid(queue_t *q)
{
	return stream_of(q)->id;
}

void qprocson(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);
	struct stream *sd = q->q_stream;
	queue_t *below;

	if (qp->joined)
		return;
	str_perim_lock(sd->sd_perim);
	qp->joined = true;
	below = str_wq(sd)->q_next;
	qp->wr.q_next = below;
	if (below)
		OTHERQ(below)->q_next = &qp->rd;
	qp->rd.q_next = str_rq(sd);
	str_wq(sd)->q_next = &qp->wr;
	str_perim_unlock(sd->sd_perim);
}

static void queue_stop(queue_t *q)
{
	unsigned long flags;

	spin_lock_irqsave(&q->q_lock, flags);
	q->q_flag |= QPROCSOFF;
	spin_unlock_irqrestore(&q->q_lock, flags);
}

static void queue_empty(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q))) {
		if (q->q_next)
			put(q->q_next, mp);
		else
			freemsg(mp);
	}
}

void qprocsoff(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);
	struct stream *sd = q->q_stream;
	queue_t *below;

	if (!qp->joined)
		return;
	queue_stop(&qp->rd);
	queue_stop(&qp->wr);
	str_perim_lock(sd->sd_perim);
	queue_empty(&qp->wr);
	queue_empty(&qp->rd);
	qp->joined = false;
	below = qp->wr.q_next;
	str_wq(sd)->q_next = below;
	if (below)
		OTHERQ(below)->q_next = str_rq(sd);
	qp->rd.q_next = NULL;
	qp->wr.q_next = NULL;
	str_perim_unlock(sd->sd_perim);
	while (test_bit(0, &qp->rd.q_sched) || test_bit(0, &qp->wr.q_sched)) {
		str_perim_pass(sd->sd_perim);
		fuzz_softirq();
	}
	pair_calls_end(qp);
}

static void pair_free(struct queue_pair *qp)
{
	queue_destroy(&qp->rd);
	queue_destroy(&qp->wr);
	fuzz_free_rcu(&qp->rcu, qp);
}

static void head_free(struct fuzz_stream *s)
{
	freemsg(s->copy);
	s->copy = NULL;
	perim_quiesce(&s->perim);
	fuzz_settle();
	queue_destroy(str_rq(&s->sd));
	queue_destroy(str_wq(&s->sd));
	kfree(s->sd.sd_errands);
	s->open = false;
	s->closing = false;
}

static struct queue_pair *pair_make(struct fuzz_stream *s,
				    const struct streamtab *tab)
{
	struct queue_pair *qp = kzalloc(sizeof(*qp), GFP_KERNEL);

	if (!qp)
		return NULL;
	queue_init(&qp->rd, tab->st_rdinit, QREADR, &s->perim, &s->sd);
	queue_init(&qp->wr, tab->st_wrinit, 0, &s->perim, &s->sd);
	INIT_LIST_HEAD(&qp->calls);
	return qp;
}

void fuzz_stream_push(struct fuzz_stream *s, const struct strmod *mod)
{
	struct queue_pair *qp;
	dev_t dev = 0;

	if (!s->open || s->npushed == PUSHED)
		return;
	qp = pair_make(s, mod->tab);
	if (!qp)
		return;
	if (qp->rd.q_qinfo->qi_qopen(&qp->rd, &dev, 0, MODOPEN, current_cred())) {
		qprocsoff(&qp->rd);
		pair_free(qp);
		return;
	}
	qprocson(&qp->rd);
	s->pushed[s->npushed++] = qp;
}

void fuzz_stream_pop(struct fuzz_stream *s)
{
	struct queue_pair *qp;

	if (!s->npushed)
		return;
	qp = s->pushed[--s->npushed];
	qp->rd.q_qinfo->qi_qclose(&qp->rd, 0, current_cred());
	qprocsoff(&qp->rd);
	pair_free(qp);
}

/* As the stream head: all of the bytes, or an error */
void fuzz_stream_copied(struct fuzz_stream *s, struct input *in)
{
	mblk_t *mp = s->copy, *data = NULL;
	struct copyresp *resp;
	struct copyreq req;

	if (!mp)
		return;
	s->copy = NULL;
	if (MBLKL(mp) < (ssize_t)sizeof(req))
		fuzz_die("a request for a copy that is too short");
	memcpy(&req, mp->b_rptr, sizeof(req));
	resp = (struct copyresp *)mp->b_rptr;
	resp->cp_rval = input_byte(in) & 7 ? NULL : (char *)1;
	if (req.cq_size > STRMSGSZ)
		fuzz_die("a copy of more than a message holds");
	if (!resp->cp_rval && DB_TYPE(mp) == M_COPYIN) {
		data = allocb(req.cq_size, BPRI_MED);
		if (data) {
			input_bytes(in, data->b_wptr, req.cq_size);
			data->b_wptr += req.cq_size;
		} else {
			resp->cp_rval = (char *)1;
		}
	} else if (DB_TYPE(mp) == M_COPYOUT && !resp->cp_rval &&
		   msgsize(mp->b_cont) < req.cq_size) {
		fuzz_die("fewer bytes than are to be copied to the user");
	}
	freemsg(mp->b_cont);
	mp->b_cont = data;
	DB_TYPE(mp) = M_IOCDATA;
	mp->b_wptr = mp->b_rptr + sizeof(*resp);
	putnext(str_wq(&s->sd), mp);
}

void fuzz_stream_open(struct fuzz_stream *s, struct strdrv *drv, int oflag)
{
	struct queue_pair *qp;
	dev_t dev = 0;

	if (s->open)
		return;
	memset(&s->sd, 0, sizeof(s->sd));
	str_perim_init(&s->perim);
	s->sd.sd_perim = &s->perim;
	queue_init(str_rq(&s->sd), &head_rinit, QREADR | QHEAD | QMTSAFE,
		   &s->perim, &s->sd);
	queue_init(str_wq(&s->sd), &head_winit, QHEAD | QMTSAFE, &s->perim,
		   &s->sd);
	qp = pair_make(s, drv->tab);
	if (!qp)
		return;
	s->pair = qp;
	s->open = true;
	s->id = 100 + (s - fuzz_streams);
	s->seq = 0;
	s->lossy = false;
	memset(s->owed, 0, sizeof(s->owed));
	if (qp->rd.q_qinfo->qi_qopen(&qp->rd, &dev, oflag, CLONEOPEN, current_cred())) {
		qprocsoff(&qp->rd);
		pair_free(qp);
		head_free(s);
	} else {
		qprocson(&qp->rd);
	}
}

void fuzz_stream_close(struct fuzz_stream *s, int oflag)
{
	struct queue_pair *qp = s->pair;

	if (!s->open)
		return;
	while (s->npushed)
		fuzz_stream_pop(s);
	s->closing = true;
	s->lossy = true;
	s->sd.sd_flag |= STR_CLOSING;
	flushq(str_rq(&s->sd), FLUSHALL);
	qp->rd.q_qinfo->qi_qclose(&qp->rd, oflag, current_cred());
	qprocsoff(&qp->rd);
	pair_free(qp);
	head_free(s);
}

void fuzz_stream_send(struct fuzz_stream *s, mblk_t *mp)
{
	if (!s->open)
		freemsg(mp);
	else if (mp)
		putnext(str_wq(&s->sd), mp);
}

/* Each close is made by the owner, and may wait for the default time of I_SETCLTIME. */
unsigned long str_close_time(const struct stream *sd)
{
	return msecs_to_jiffies(STRCLTIME);
}

void str_close_drain(queue_t *q, int oflag)
{
	unsigned long end = jiffies + str_close_time(q->q_stream);

	if (oflag & O_NONBLOCK)
		return;
	while (READ_ONCE(q->q_first) && time_before(jiffies, end))
		schedule_timeout_interruptible(max(1, HZ / 100));
}

bool fuzz_stream_read(struct fuzz_stream *s)
{
	mblk_t *mp = s->open ? getq(str_rq(&s->sd)) : NULL;

	freemsg(mp);
	return mp;
}

int fuzz_streams_start(void)
{
	fuzz_task.cred = &first_cred;
	return sched_init(perim_resume) ?: mblk_init() ?: calls_init();
}

void fuzz_begin(void)
{
	alive = stub_alive;
	stub_fail_at = 0;
}

void fuzz_end(void)
{
	struct fuzz_stream *s;

	stub_fail_at = 0;
	for (s = fuzz_streams; s < fuzz_streams + STREAMS; s++)
		fuzz_stream_close(s, O_NONBLOCK);
	fuzz_settle();
	fuzz_tick();
	fuzz_settle();
	if (stub_warnings)
		fuzz_die("a kernel warning");
	if (stub_locks || stub_rcu)
		fuzz_die("a lock is held at the end");
	if (stub_alive != alive)
		fuzz_die("an object was not freed");
}
