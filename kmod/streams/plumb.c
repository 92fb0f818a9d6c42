// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plumbing: queues joined to a stream and taken out of it
 *
 * The chain of q_next changes inside the perimeter only, where no put or
 * service procedure of the stream runs. Others walk it under RCU: queues are
 * freed after a grace period.
 */
#include <linux/slab.h>

#include "flow.h"
#include "head.h"
#include "queue.h"
#include "registry.h"

/* The queues of one module or driver on one stream. */
struct queue_pair {
	queue_t rd;
	queue_t wr;
	const struct strmod *mod;	/* NULL: a driver, the head refers to it */
	bool joined;
	struct rcu_head rcu;
};

static_assert(offsetof(struct queue_pair, wr) == sizeof(queue_t));

static struct queue_pair *pair_of(queue_t *q)
{
	return container_of(RD(q), struct queue_pair, rd);
}

static struct queue_pair *pair_alloc(struct stream *sd,
				     const struct streamtab *tab)
{
	struct queue_pair *qp = kzalloc(sizeof(*qp), GFP_KERNEL_ACCOUNT);

	if (!qp)
		return NULL;
	queue_init(&qp->rd, tab->st_rdinit, QREADR, sd->sd_perim, sd);
	queue_init(&qp->wr, tab->st_wrinit, 0, sd->sd_perim, sd);
	return qp;
}

static void pair_free(struct queue_pair *qp)
{
	queue_destroy(&qp->rd);
	queue_destroy(&qp->wr);
	kfree_rcu(qp, rcu);
}

static queue_t *next_of(queue_t *q)
{
	/* Plumbing is the only writer, and in the perimeter. */
	return rcu_dereference_protected(q->q_next, true);
}

/* Joins a module below the head, or a driver to a head without anything. */
static void pair_join(struct stream *sd, struct queue_pair *qp)
{
	queue_t *below = next_of(str_wq(sd));

	rcu_assign_pointer(qp->rd.q_next, str_rq(sd));
	if (below == str_rq(sd)) {
		/* A FIFO: what goes down comes up again here. */
		rcu_assign_pointer(qp->wr.q_next, &qp->rd);
	} else if (below) {
		rcu_assign_pointer(qp->wr.q_next, below);
		rcu_assign_pointer(OTHERQ(below)->q_next, &qp->rd);
	}
	rcu_assign_pointer(str_wq(sd)->q_next, &qp->wr);
	qp->joined = true;
}

/* Takes a module or driver out of its stream, wherever it stands. */
static void pair_part(struct queue_pair *qp)
{
	queue_t *above = next_of(&qp->rd), *below = next_of(&qp->wr);

	if (below == &qp->rd) {
		/* The lowest module of a FIFO: the next one up turns round now. */
		below = above;
	} else if (below) {
		rcu_assign_pointer(OTHERQ(below)->q_next, above);
	}
	rcu_assign_pointer(OTHERQ(above)->q_next, below);
	qp->joined = false;
}

/* Nobody enables the queue from now on; waits until it is not enabled. */
void queue_off(queue_t *q)
{
	unsigned long flags;

	spin_lock_irqsave(&q->q_lock, flags);
	q->q_flag |= QPROCSOFF;
	spin_unlock_irqrestore(&q->q_lock, flags);
}

void queue_settle(queue_t *q)
{
	/* Each turn in the perimeter comes behind what was in its inbox. */
	while (test_bit(0, &q->q_sched)) {
		perim_lock(q->q_perim);
		perim_unlock(q->q_perim);
		cond_resched();
	}
}

/* What a queue still holds goes on to the next, flow control or not. */
void queue_forward(queue_t *q)
{
	queue_t *next = next_of(q);
	mblk_t *mp;

	while ((mp = getq(q))) {
		if (next)
			next->q_qinfo->qi_putp(next, mp);
		else
			freemsg(mp);
	}
}

/**
 * qprocson() - let messages reach a module or driver
 * @q: its read queue
 *
 * Called from its open procedure when it is ready for them; done for it after
 * the open procedure if it is not.
 * Context: process, may sleep. SVR4.2 DDI/DKI qprocson(D3).
 */
void qprocson(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);

	if (qp->joined)
		return;
	perim_lock(q->q_perim);
	pair_join(q->q_stream, qp);
	perim_unlock(q->q_perim);
}
EXPORT_SYMBOL_GPL(qprocson);

/**
 * qprocsoff() - let no more messages reach a module or driver
 * @q: its read queue
 *
 * Called from its close procedure before it frees what its other procedures
 * use: none of them runs any more when this returns. What its queues still
 * hold has been passed on, nothing is lost; a close procedure that wants it
 * thrown away flushes its queues first.
 * Context: process, may sleep. SVR4.2 DDI/DKI qprocsoff(D3).
 */
void qprocsoff(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);

	if (!qp->joined)
		return;
	queue_off(&qp->rd);
	queue_off(&qp->wr);
	perim_lock(q->q_perim);
	/* In a FIFO the write queue's next may be the read queue. */
	queue_forward(&qp->wr);
	queue_forward(&qp->rd);
	pair_part(qp);
	perim_unlock(q->q_perim);
	queue_settle(&qp->rd);
	queue_settle(&qp->wr);
}
EXPORT_SYMBOL_GPL(qprocsoff);

/*
 * The write queue of the next module or driver of this stream, or NULL. It
 * stays under sd_ioctl_mutex; what is beyond the middle of a pipe, where
 * everything is a read queue, is the other end's to pop.
 */
queue_t *str_module_below(queue_t *q)
{
	rcu_read_lock();
	q = rcu_dereference(q->q_next);
	if (q && q->q_flag & QREADR)
		q = NULL;
	rcu_read_unlock();
	return q;
}

const char *str_queue_name(queue_t *q)
{
	return q->q_qinfo->qi_minfo->mi_idname;
}

static int pair_open(struct stream *sd, struct queue_pair *qp, int oflag,
		     int sflag)
{
	dev_t dev = sd->sd_dev;
	int err;

	err = qp->rd.q_qinfo->qi_qopen(&qp->rd, &dev, oflag, sflag,
				       current_cred());
	if (err) {
		qprocsoff(&qp->rd);
		pair_free(qp);
		/* The DDI has positive errors; anything else is a bug of its. */
		return err > 0 && err <= MAX_ERRNO ? -err : -ENXIO;
	}
	qprocson(&qp->rd);
	return 0;
}

static void pair_close(struct queue_pair *qp, int oflag)
{
	qp->rd.q_qinfo->qi_qclose(&qp->rd, oflag, current_cred());
	qprocsoff(&qp->rd);
	pair_free(qp);
}

int str_push(struct stream *sd, const char *name, int oflag)
{
	const struct strmod *mod;
	struct queue_pair *qp;
	int err;

	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	if (sd->sd_npush >= NSTRPUSH || sd->sd_flag & STR_PLEX)
		return -EINVAL;
	mod = strmod_get(name);
	if (!mod)
		return -EINVAL;
	qp = pair_alloc(sd, mod->tab);
	if (!qp) {
		strmod_put(mod);
		return -ENOSR;
	}
	qp->mod = mod;
	err = pair_open(sd, qp, oflag, MODOPEN);
	if (err) {
		strmod_put(mod);
		return err;
	}
	sd->sd_npush++;
	/*
	 * Who waited for room further on may have some here, and will not be
	 * enabled when there is room there: that enables this module first.
	 */
	backenable(&qp->wr, 0);
	backenable(&qp->rd, 0);
	return 0;
}

int str_pop(struct stream *sd, int oflag)
{
	const struct strmod *mod;
	struct queue_pair *qp;
	queue_t *q;

	if (!sd->sd_npush || sd->sd_flag & STR_PLEX)
		return -EINVAL;
	q = str_module_below(str_wq(sd));
	qp = pair_of(q);
	mod = qp->mod;
	sd->sd_npush--;
	pair_close(qp, oflag);
	strmod_put(mod);
	/* Writers may find more room below than there was. */
	str_wsrv(str_wq(sd));
	return 0;
}

int str_open_driver(struct stream *sd, const struct strdrv *drv, dev_t dev,
		    int oflag)
{
	struct queue_pair *qp = pair_alloc(sd, drv->tab);

	if (!qp)
		return -ENOSR;
	sd->sd_drv = drv;
	sd->sd_dev = dev;
	/* Each open makes a stream, as through a clone device. */
	return pair_open(sd, qp, oflag, CLONEOPEN);
}

/**
 * str_dismantle() - close what is on a stream, top down
 * @sd: the stream head, used by nobody any more
 * @oflag: the file's flags
 *
 * Context: may sleep. POSIX.1-2001 close(), on a stream.
 */
void str_dismantle(struct stream *sd, int oflag)
{
	queue_t *q;

	/* From now on the head throws away what comes up. */
	str_set_flag(sd, STR_CLOSING, 0);
	mutex_lock(&sd->sd_ioctl_mutex);
	while (sd->sd_npush)
		str_pop(sd, oflag);
	q = str_module_below(str_wq(sd));
	if (q)
		pair_close(pair_of(q), oflag);
	mutex_unlock(&sd->sd_ioctl_mutex);
}
EXPORT_SYMBOL_GPL(str_dismantle);
