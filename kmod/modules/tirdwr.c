// SPDX-License-Identifier: GPL-2.0-only
/*
 * tirdwr: read() and write() for a transport connection
 *
 * Between the stream head, which then sees data alone, and a provider of
 * connections or timod. A primitive that read() cannot express ends the stream with
 * EPROTO.
 */
#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <sys/stream.h>
#include <sys/strsun.h>

#include "streams/streams.h"
#include "tpi/tpi.h"

/* The time for which I_POP waits for the acknowledgement of its T_DISCON_REQ. */
#define BYE_TIME	HZ
/* Messages at the stream head that are changed with its queue frozen at once. */
#define STRIP_BATCH	64

struct tirdwr {
	bool eof;			/* T_ORDREL_IND came */
	bool gone;			/* T_DISCON_IND came */
	bool failed;			/* M_ERROR was sent up */
	bool closing;			/* later messages are dropped */
	mblk_t *bye;			/* for the T_ORDREL_REQ or T_DISCON_REQ */
	struct completion acked;	/* T_DISCON_REQ was */
};

static bool is_primitive(const mblk_t *mp)
{
	return DB_TYPE(mp) == M_PROTO || DB_TYPE(mp) == M_PCPROTO;
}

static bool is_data_ind(const mblk_t *mp)
{
	return tpi_type(mp) == T_DATA_IND &&
	       (!mp->b_cont || DB_TYPE(mp->b_cont) == M_DATA);
}

/*
 * Returns whether a primitive other than T_DATA_IND waits on the queue, which
 * is frozen.
 */
static bool head_has_other(const queue_t *head)
{
	const mblk_t *mp;

	for (mp = head->q_first; mp; mp = mp->b_next)
		if (is_primitive(mp) && !is_data_ind(mp))
			return true;
	return false;
}

/*
 * Puts the data of a T_DATA_IND in its place; false: memory is short. A
 * T_DATA_IND without data leaves no message: read() would return the end of the
 * file. The queue is frozen. The queue counts a message when it comes and when
 * it leaves, so that the message is taken out before its parts are separated.
 */
static bool head_strip(queue_t *head, mblk_t *mp)
{
	mblk_t *next = mp->b_next, *data = mp->b_cont;

	rmvq(head, mp);
	if (!data || !msgdsize(data))
		return true;
	unlinkb(mp);
	data->b_band = mp->b_band;
	data->b_flag = mp->b_flag;
	if (insq(head, next, data))
		return true;
	linkb(mp, data);
	/* The queue has the band already: no memory is needed for it. */
	insq(head, next, mp);
	return false;
}

/*
 * Strips up to STRIP_BATCH messages. Returns whether there may be more; err: a
 * positive errno, or 0.
 */
static bool head_strip_some(queue_t *head, int *err)
{
	mblk_t *mp, *next, *gone = NULL;
	int left = STRIP_BATCH;

	freezestr(head);
	*err = head_has_other(head) ? EPROTO : 0;
	for (mp = *err ? NULL : head->q_first; mp && left; mp = next) {
		next = mp->b_next;
		if (!is_primitive(mp))
			continue;
		if (!head_strip(head, mp)) {
			*err = ENOSR;
			break;
		}
		mp->b_next = gone;
		gone = mp;
		left--;
	}
	unfreezestr(head);
	while ((mp = gone)) {
		gone = mp->b_next;
		mp->b_next = NULL;
		freemsg(mp);
	}
	return !left;
}

/*
 * Makes plain data of the messages that wait at the stream head; a positive
 * error: a message waits there that read() cannot take. Readers copy from a
 * message that is on the queue, so they are kept away.
 */
static int head_make_plain(queue_t *q)
{
	struct stream *sd = q->q_stream;
	queue_t *head;
	int err;

	rcu_read_lock();
	/*
	 * The module may be pushed only below the stream head itself, and stays
	 * there.
	 */
	head = rcu_dereference(q->q_next);
	rcu_read_unlock();
	if (str_read_lock(sd))
		return EINTR;
	while (head_strip_some(head, &err))
		cond_resched();
	mutex_unlock(&sd->sd_read_mutex);
	return err;
}

static int tirdwr_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct tirdwr *t;
	int err;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);
	if (!t)
		return ENOSR;
	t->bye = allocb(sizeof(struct T_discon_req), BPRI_HI);
	if (!t->bye) {
		kfree(t);
		return ENOSR;
	}
	init_completion(&t->acked);
	q->q_ptr = t;
	WR(q)->q_ptr = t;
	qprocson(q);
	/* Messages pass through here from qprocson() on. */
	err = head_make_plain(q);
	if (!err)
		return 0;
	qprocsoff(q);
	freemsg(t->bye);
	kfree(t);
	return err;
}

/*
 * Ends the connection: by an orderly release if the other side has begun it,
 * else by a disconnect; see tirdwr(7).
 */
static void bye_send(queue_t *q, struct tirdwr *t)
{
	mblk_t *mp = t->bye;

	t->bye = NULL;
	DB_TYPE(mp) = M_PROTO;
	/* The message is sent whether there is room or not. */
	mp->b_flag |= MSGOBJECT;
	if (t->eof) {
		((struct T_ordrel_req *)mp->b_wptr)->PRIM_type = T_ORDREL_REQ;
		mp->b_wptr += sizeof(struct T_ordrel_req);
		putnext(WR(q), mp);
		return;
	}
	*(struct T_discon_req *)mp->b_wptr = (struct T_discon_req){
		.PRIM_type = T_DISCON_REQ,
		.SEQ_number = -1,
	};
	mp->b_wptr += sizeof(struct T_discon_req);
	putnext(WR(q), mp);
	/* The next reader would find a late answer; a stream that closes has no reader. */
	if (!(READ_ONCE(q->q_stream->sd_flag) & STR_CLOSING))
		wait_for_completion_killable_timeout(&t->acked, BYE_TIME);
}

static int tirdwr_close(queue_t *q, int oflag, cred_t *cr)
{
	struct tirdwr *t = q->q_ptr;

	WRITE_ONCE(t->closing, true);
	if (!READ_ONCE(t->gone))
		bye_send(q, t);
	qprocsoff(q);
	freemsg(t->bye);
	kfree(t);
	return 0;
}

/* Handles a message that read() and write() cannot express. */
static void tirdwr_fail(struct tirdwr *t, queue_t *wq, mblk_t *mp)
{
	t->failed = true;
	merror(wq, mp, EPROTO);
}

static int tirdwr_wput(queue_t *q, mblk_t *mp)
{
	struct tirdwr *t = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (t->failed || !msgdsize(mp))
			freemsg(mp);
		else
			putnext(q, mp);
		break;
	case M_PROTO:
	case M_PCPROTO:
		if (t->failed)
			freemsg(mp);
		else
			tirdwr_fail(t, q, mp);
		break;
	default:
		putnext(q, mp);
	}
	return 0;
}

/* Data is sent up without its control part; an empty message is dropped. */
static void tirdwr_data_up(queue_t *q, mblk_t *mp)
{
	if (msgdsize(mp))
		putnext(q, mp);
	else
		freemsg(mp);
}

/* An empty message of data, which read() takes for the end of file. */
static void eof_up(queue_t *q, mblk_t *mp)
{
	mp = mexchange(WR(q), mp, 0, M_DATA, M_NOTYPE);
	if (!mp)
		return;
	mp->b_band = 0;
	putnext(q, mp);
}

static void hangup_up(queue_t *q, mblk_t *mp)
{
	mp = mexchange(WR(q), mp, 0, M_HANGUP, M_NOTYPE);
	if (mp)
		putnext(q, mp);
}

static bool acks_bye(const mblk_t *mp)
{
	struct T_error_ack error;
	struct T_ok_ack ok;

	if (tpi_type(mp) == T_OK_ACK)
		return tpi_get(mp, &ok, sizeof(ok)) &&
		       ok.CORRECT_prim == T_DISCON_REQ;
	return tpi_type(mp) == T_ERROR_ACK &&
	       tpi_get(mp, &error, sizeof(error)) &&
	       error.ERROR_prim == T_DISCON_REQ;
}

static void primitive_up(queue_t *q, mblk_t *mp)
{
	struct tirdwr *t = q->q_ptr;
	mblk_t *data;

	switch (tpi_type(mp)) {
	case T_DATA_IND:
		data = mp->b_cont;
		/* The control part and the data may be of one object. */
		if (data)
			data->b_flag |= mp->b_flag & MSGOBJECT;
		freeb(mp);
		tirdwr_data_up(q, data);
		break;
	case T_ORDREL_IND:
		WRITE_ONCE(t->eof, true);
		eof_up(q, mp);
		break;
	case T_DISCON_IND:
		WRITE_ONCE(t->gone, true);
		hangup_up(q, mp);
		break;
	default:
		tirdwr_fail(t, WR(q), mp);
	}
}

static int tirdwr_rput(queue_t *q, mblk_t *mp)
{
	struct tirdwr *t = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (t->failed || READ_ONCE(t->closing))
			freemsg(mp);
		else
			tirdwr_data_up(q, mp);
		break;
	case M_PROTO:
	case M_PCPROTO:
		if (READ_ONCE(t->closing)) {
			if (acks_bye(mp) || tpi_type(mp) == T_DISCON_IND)
				complete(&t->acked);
			freemsg(mp);
		} else if (t->failed) {
			/*
			 * The close procedure needs to know that the connection
			 * has ended.
			 */
			if (tpi_type(mp) == T_DISCON_IND)
				WRITE_ONCE(t->gone, true);
			freemsg(mp);
		} else {
			primitive_up(q, mp);
		}
		break;
	case M_ERROR:
	case M_HANGUP:
		/*
		 * There is no peer any more that could be informed, or that
		 * waits for an answer.
		 */
		WRITE_ONCE(t->gone, true);
		complete(&t->acked);
		putnext(q, mp);
		break;
	default:
		putnext(q, mp);
	}
	return 0;
}

static struct module_info tirdwr_info = {
	.mi_idname = "tirdwr",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit tirdwr_rinit = {
	.qi_putp = tirdwr_rput,
	.qi_qopen = tirdwr_open,
	.qi_qclose = tirdwr_close,
	.qi_minfo = &tirdwr_info,
};

static struct qinit tirdwr_winit = {
	.qi_putp = tirdwr_wput,
	.qi_minfo = &tirdwr_info,
};

static const struct streamtab tirdwr_tab = {
	.st_rdinit = &tirdwr_rinit,
	.st_wrinit = &tirdwr_winit,
};

static struct strmod tirdwr = {
	.name = "tirdwr",
	.tab = &tirdwr_tab,
	.owner = THIS_MODULE,
};

static int __init tirdwr_init(void)
{
	return strmod_register(&tirdwr);
}

static void __exit tirdwr_exit(void)
{
	strmod_unregister(&tirdwr);
}

module_init(tirdwr_init);
module_exit(tirdwr_exit);

MODULE_DESCRIPTION("STREAMS module: read and write for a transport connection");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-tirdwr");
