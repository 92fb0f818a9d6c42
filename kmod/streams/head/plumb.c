// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plumbing: queues joined to a stream and taken out of it
 *
 * The chain of q_next changes inside the perimeter only, where no put or
 * service procedure of the stream runs. Others walk it under RCU: queues are
 * freed after a grace period.
 */
#include <linux/cred.h>
#include <linux/ratelimit.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "streams/module/calls.h"
#include "streams/module/outer.h"
#include "streams/module/qwait.h"
#include "streams/module/registry.h"
#include "streams/perim/pair.h"
#include "streams/perim/perim.h"
#include "streams/perim/perimset.h"
#include "streams/queue/band.h"
#include "streams/queue/flow.h"
#include "streams/queue/queue.h"
#include "streams/trace.h"
#include "errand.h"
#include "flush.h"
#include "hold.h"
#include "plumb.h"
#include "ring.h"
#include "state.h"
#include "wake.h"

/* kmalloc()'s next larger size is nearly twice as much. */
static struct kmem_cache *pair_cache[2];	/* [1]: with a perimeter */

static struct queue_pair *pair_alloc(struct stream *sd,
				     const struct streamtab *tab,
				     struct strouter *outer)
{
	struct queue_pair *qp = kmem_cache_zalloc(pair_cache[outer_own(outer)],
						  GFP_KERNEL_ACCOUNT);
	unsigned int flag = 0;
	struct strperim *p;

	if (!qp)
		return NULL;
	init_waitqueue_head(&qp->ran_wait);
	INIT_LIST_HEAD(&qp->waiters);
	INIT_LIST_HEAD(&qp->calls);
	pair_writers_init(qp, outer);
	p = pair_perim(qp, sd->sd_perim);
	if (p != sd->sd_perim) {
		flag |= QPERIM;
		WRITE_ONCE(sd->sd_perim->mixed, true);
	}
	queue_init(&qp->rd, tab->st_rdinit, QREADR | flag, p, sd);
	queue_init(&qp->wr, tab->st_wrinit, flag, p, sd);
	/* The user of a pipe is charged for the marks, so bands above 0 hold a quarter at most. */
	if (sd->sd_flag & STR_PIPE) {
		qp->rd.q_abovehi = qp->rd.q_hiwat / 4;
		qp->wr.q_abovehi = qp->wr.q_hiwat / 4;
	}
	outer_enter(qp);
	return qp;
}

static void pair_free_rcu(struct rcu_head *rcu)
{
	struct queue_pair *qp = container_of(rcu, struct queue_pair, rcu);

	kmem_cache_free(pair_cache[qp->has_own], qp);
}

/* Frees a pair; none of the module's code runs any more. */
static void pair_free(struct queue_pair *qp)
{
	pair_calls_end(qp);
	outer_leave(qp);
	queue_destroy(&qp->rd);
	queue_destroy(&qp->wr);
	call_rcu(&qp->rcu, pair_free_rcu);
}

static queue_t *next_of(queue_t *q)
{
	/* Only plumbing writes this field, in the perimeter. */
	return rcu_dereference_protected(q->q_next, true);
}

/* Joins a module below the head, or a driver to a head that has none. */
static void pair_join(struct stream *sd, struct queue_pair *qp)
{
	queue_t *below = next_of(str_wq(sd));

	rcu_assign_pointer(qp->rd.q_next, str_rq(sd));
	if (below == str_rq(sd)) {
		/* In a FIFO, messages sent down come up again here. */
		rcu_assign_pointer(qp->wr.q_next, &qp->rd);
	} else if (below) {
		rcu_assign_pointer(qp->wr.q_next, below);
		rcu_assign_pointer(OTHERQ(below)->q_next, &qp->rd);
	}
	rcu_assign_pointer(str_wq(sd)->q_next, &qp->wr);
	qp->joined = true;
}

/* Takes a module or driver out of its stream, wherever it is. */
static void pair_part(struct queue_pair *qp)
{
	queue_t *above = next_of(&qp->rd), *below = next_of(&qp->wr);

	if (below == &qp->rd) {
		/*
		 * The lowest module of a FIFO is taken out: messages now turn
		 * round at the next one up.
		 */
		below = above;
	} else if (below) {
		rcu_assign_pointer(OTHERQ(below)->q_next, above);
	}
	rcu_assign_pointer(OTHERQ(above)->q_next, below);
	qp->joined = false;
}

/*
 * Disables a queue: no caller can enable it from now on. Waits until it is not
 * enabled.
 */
void queue_off(queue_t *q)
{
	unsigned long flags;

	spin_lock_irqsave(&q->q_lock, flags);
	q->q_flag |= QPROCSOFF;
	spin_unlock_irqrestore(&q->q_lock, flags);
}

void queue_settle(queue_t *q)
{
	while (test_bit(0, &q->q_sched)) {
		/*
		 * The owner that leaves the perimeter serves the enabled
		 * queues.
		 */
		str_perim_pass(q->q_perim);
		cond_resched();
	}
}

/* Sends a queue's messages on to the next, whatever flow control says. */
void queue_forward(queue_t *q)
{
	queue_t *next = next_of(q);
	mblk_t *mp;

	while ((mp = getq(q))) {
		if (next)
			put(next, mp);
		else
			freemsg(mp);
	}
}

/* Locks the perimeters that a pair and its neighbours to be, or NULL, run in. */
static void pair_lock(struct queue_pair *qp, struct perimset *set,
		      queue_t *above, queue_t *below)
{
	perimset_init(set);
	perimset_add(set, qp->rd.q_stream->sd_perim);
	perimset_add(set, qp->rd.q_perim);
	if (above)
		perimset_add(set, above->q_perim);
	if (below)
		perimset_add(set, below->q_perim);
	perimset_lock(set);
}

/*
 * Handles the messages that wait in the perimeters for a pair that is about to
 * be taken out. First come messages sent before all perimeters were held, then
 * those the pair sent its neighbours itself: these are older than the messages
 * on its queues, and than those that bypass it later.
 */
static void pair_catch_up(struct queue_pair *qp, queue_t *above, queue_t *below)
{
	perim_puts(qp->rd.q_perim, &qp->rd, &qp->wr);
	if (above)
		perim_puts(above->q_perim, above, above);
	if (below)
		perim_puts(below->q_perim, below, below);
}

/*
 * If a pair has a perimeter of its own, a sender that found it before it was
 * taken out may still leave a message for it. Such messages are handled, and
 * what they queue is sent on.
 */
static void pair_drain(struct queue_pair *qp)
{
	synchronize_rcu();
	str_perim_lock(qp->rd.q_perim);
	queue_forward(&qp->wr);
	queue_forward(&qp->rd);
	str_perim_unlock(qp->rd.q_perim);
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
	struct stream *sd = q->q_stream;
	struct perimset set;

	if (qp->joined)
		return;
	mutex_lock(&sd->sd_perim->plumb);
	pair_lock(qp, &set, NULL, next_of(str_wq(sd)));
	pair_join(sd, qp);
	perimset_unlock(&set, q->q_perim);
	mutex_unlock(&sd->sd_perim->plumb);
}
EXPORT_SYMBOL_GPL(qprocson);

/**
 * qprocsoff() - let no more messages reach a module or driver
 * @q: its read queue
 *
 * Called from its close procedure before that frees memory that its other
 * procedures use: none of them runs any more when this returns, nor do
 * functions of qtimeout(), qbufcall() and qwriter(). Messages its queues still
 * hold have been passed on, and none is lost; a close procedure that wants
 * them dropped flushes its queues first.
 * Context: process, may sleep. SVR4.2 DDI/DKI qprocsoff(D3).
 */
void qprocsoff(queue_t *q)
{
	struct queue_pair *qp = pair_of(q);
	struct strperim *stream = q->q_stream->sd_perim;
	struct perimset set;
	bool others;

	if (!qp->joined)
		return;
	queue_off(&qp->rd);
	queue_off(&qp->wr);
	mutex_lock(&stream->plumb);
	pair_lock(qp, &set, next_of(&qp->rd), next_of(&qp->wr));
	others = set.n > 1;
	pair_catch_up(qp, next_of(&qp->rd), next_of(&qp->wr));
	/* The write queue's next may be the read queue, in a FIFO. */
	queue_forward(&qp->wr);
	queue_forward(&qp->rd);
	pair_part(qp);
	/*
	 * The pair's own perimeter is first: messages that wait in it are sent on before
	 * newer ones.
	 */
	perimset_unlock(&set, q->q_perim);
	if (others)
		pair_drain(qp);
	mutex_unlock(&stream->plumb);
	queue_settle(&qp->rd);
	queue_settle(&qp->wr);
	/*
	 * The close procedure frees the data that those functions use. Calls
	 * end first: they may ask for writers.
	 */
	pair_calls_end(qp);
	outer_settle(qp);
}
EXPORT_SYMBOL_GPL(qprocsoff);

/*
 * Returns the write queue of the next module or driver of this stream, or NULL.
 * The queue stays while sd_ioctl_mutex is held. Modules beyond the middle of a
 * pipe, where everything is a read queue, are popped by the other end only.
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
EXPORT_SYMBOL_GPL(str_module_below);

const char *str_queue_name(queue_t *q)
{
	return q->q_qinfo->qi_minfo->mi_idname;
}

const char *str_module_name(queue_t *q)
{
	return pair_of(q)->mod->name;
}
EXPORT_SYMBOL_GPL(str_module_name);

static int pair_call_open(struct queue_pair *qp, dev_t *dev, int oflag,
			  int sflag)
{
	struct pair_waiter waiter;
	int err;

	pair_wait_begin(qp, &waiter, MAX_SCHEDULE_TIMEOUT);
	outer_open_lock(qp->outer);
	err = qp->rd.q_qinfo->qi_qopen(&qp->rd, dev, oflag, sflag,
				       current_cred());
	outer_open_unlock(qp->outer);
	pair_wait_end(qp, &waiter);
	/*
	 * The DDI has positive errors, Linux negative ones; -1 stands for
	 * SVR3's OPENFAIL.
	 */
	if (err < 0)
		err = -err == 1 ? ENXIO : -err;
	return err < 0 || err > MAX_ERRNO ? -ENXIO : -err;
}

static int pair_open(struct stream *sd, struct queue_pair *qp, int oflag,
		     int sflag)
{
	dev_t dev = sd->sd_dev;
	int err = pair_call_open(qp, &dev, oflag, sflag);

	if (err) {
		qprocsoff(&qp->rd);
		pair_free(qp);
		return err;
	}
	/* The stream has the minor number that the driver chose. */
	if (sflag == CLONEOPEN && sd->sd_drv->minors)
		sd->sd_dev = dev;
	qprocson(&qp->rd);
	return 0;
}

/*
 * Returns whether the calling task may be made to wait when it closes a stream: its user
 * opened the stream, or root did. Other users' tasks were passed the stream.
 */
static bool close_is_owners(const struct stream *sd)
{
	const struct cred *cred = current_cred();
	kuid_t uid = sd->sd_entry.uid;

	return uid_eq(uid, cred->euid) || uid_eq(uid, cred->uid) ||
	       uid_eq(uid, GLOBAL_ROOT_UID);
}

/*
 * Returns the part of a time that a task that exits may still wait. No signal reaches
 * the task, so the times of all its streams run at once, from the moment when it released
 * them. A stream that was released by the end of another stream has no time, and neither
 * does a task that was ended by a signal: a signal ends such a wait.
 */
static unsigned long exit_patience(const struct stream *sd, unsigned int ms)
{
	unsigned long begin = READ_ONCE(sd->sd_exit), end;

	if (current->exit_code & 0x7f || !begin)
		return 0;
	end = begin + msecs_to_jiffies(min_t(unsigned int, ms, STRCLTIME)) + 1;
	return time_before(jiffies, end) ? end - jiffies : 0;
}

/**
 * str_close_patience() - how long the last close of a stream may wait now
 * @sd: the stream head
 * @ms: milliseconds that a close() by its owner waits
 *
 * A kernel thread closes the files of all users, one after the other, and a
 * task that was passed the stream did not ask for its output: neither waits.
 *
 * Return: jiffies.
 */
unsigned long str_close_patience(const struct stream *sd, unsigned int ms)
{
	if (!ms || current->flags & PF_KTHREAD || !close_is_owners(sd))
		return 0;
	if (current->flags & PF_EXITING)
		return exit_patience(sd, ms);
	/* The current tick is partly over, so one more is added. */
	return msecs_to_jiffies(ms) + 1;
}

/* Returns how long a close may wait by the time that I_SETCLTIME has set, in jiffies. */
unsigned long str_close_time(const struct stream *sd)
{
	return str_close_patience(sd, sd->sd_more ? sd->sd_more->cltime : STRCLTIME);
}
EXPORT_SYMBOL_GPL(str_close_time);

/* The close procedure of a popped module may wait until a signal comes. */
static unsigned long pop_patience(const struct stream *sd)
{
	return sd->sd_flag & STR_CLOSING ? str_close_time(sd) : MAX_SCHEDULE_TIMEOUT;
}

static void pair_close(struct queue_pair *qp, int oflag)
{
	struct strperim *stream = qp->rd.q_stream->sd_perim;
	struct pair_waiter waiter;

	/*
	 * Earlier messages, perhaps an ioctl whose caller no longer waits, are
	 * handled before the close procedure withdraws what others know of the
	 * pair. Later they might publish it again.
	 */
	if (!perim_idle(stream))
		str_perim_pass(stream);
	if (qp->rd.q_perim != stream && !perim_idle(qp->rd.q_perim))
		str_perim_pass(qp->rd.q_perim);
	/* Functions that the close procedure left to qwriter() run here. */
	outer_settle(qp);
	pair_wait_begin(qp, &waiter, pop_patience(qp->rd.q_stream));
	outer_open_lock(qp->outer);
	qp->rd.q_qinfo->qi_qclose(&qp->rd, oflag, current_cred());
	outer_open_unlock(qp->outer);
	pair_wait_end(qp, &waiter);
	qprocsoff(&qp->rd);
	pair_free(qp);
}

/* The room of a module's queues, which are in use until it is popped. */
static long module_room(const struct strmod *mod)
{
	const struct streamtab *tab = mod->tab;

	return tab->st_rdinit->qi_minfo->mi_hiwat + tab->st_wrinit->qi_minfo->mi_hiwat;
}

/*
 * Counts room in the stream's account, or with a negative number the end of its
 * use. Returns 0, or -EAGAIN.
 */
static int charge_room(struct stream *sd, long room)
{
	return sd->sd_charge && room ? sd->sd_charge(sd, room) : 0;
}

/*
 * Counts a module that changes or keeps data, pushed or popped. A module with a
 * perimeter of its own may have data waiting there.
 */
static void count_own(struct stream *sd, const struct strmod *mod, int n)
{
	if (mod->passes && !mod->flags)
		return;
	WRITE_ONCE(sd->sd_nown, sd->sd_nown + n);
	if (n < 0)
		str_errand_look_again(str_rq(sd));
}

int str_push(struct stream *sd, const char *name, int oflag)
{
	const struct strmod *mod;
	struct queue_pair *qp;
	long room;
	int err;

	if (READ_ONCE(sd->sd_flag) & STR_HUP)
		return -ENXIO;
	if (sd->sd_npush >= NSTRPUSH || sd->sd_flag & STR_PLEX)
		return -EINVAL;
	/*
	 * A popped module leaves its messages to the next queues whatever flow
	 * control says. A module pushed and popped again and again would leave
	 * them without a limit.
	 */
	if (band_overfull(str_rq(sd)) || str_overfull(str_wq(sd)))
		return -EAGAIN;
	mod = strmod_get(name);
	if (!mod)
		return -EINVAL;
	room = module_room(mod);
	err = charge_room(sd, room);
	if (err)
		goto put_mod;
	qp = pair_alloc(sd, mod->tab, mod->outer);
	if (!qp) {
		err = -ENOSR;
		goto uncharge;
	}
	qp->mod = mod;
	qp->room = room;
	/* The module is counted before it has any messages. */
	count_own(sd, mod, 1);
	err = pair_open(sd, qp, oflag, MODOPEN);
	if (err) {
		pr_info_ratelimited("streams: I_PUSH: the open procedure of %s failed with error %d\n",
				    mod->name, -err);
		count_own(sd, mod, -1);
		goto uncharge;
	}
	sd->sd_npush++;
	/*
	 * A queue that waited for room further on may have room here. Room
	 * there enables this module, which is now the nearer one, so the queue
	 * is enabled here.
	 */
	backenable(&qp->wr, 0);
	backenable(&qp->rd, 0);
	/*
	 * Data that has arrived is for this module now, unless it just passes
	 * it on.
	 */
	if (sd->sd_nown)
		str_errand_leave(sd);
	trace_streams_push(&qp->rd, NULL);
	return 0;

uncharge:
	charge_room(sd, -room);
put_mod:
	strmod_put(mod);
	return err;
}
EXPORT_SYMBOL_GPL(str_push);

/**
 * str_push_like() - push the modules of another stream, with their settings
 * @sd: the stream, which no task uses yet
 * @model: the other one, whose sd_ioctl_mutex is the caller's, too
 *
 * The modules that no caller may pop are left out.
 * Return: 0, or the error of the first module that cannot be pushed.
 */
int str_push_like(struct stream *sd, struct stream *model)
{
	int i, n = model->sd_npush - model->sd_floor, err = 0;

	while (n-- && !err) {
		queue_t *q = str_wq(model);
		const struct qinit *read;

		for (i = 0; i <= n; i++)
			q = str_module_below(q);
		read = RD(q)->q_qinfo;
		err = str_push(sd, str_module_name(q), O_RDWR);
		if (!err && read->qi_like)
			read->qi_like(RD(str_module_below(str_wq(sd))), RD(q));
	}
	return err;
}
EXPORT_SYMBOL_GPL(str_push_like);

int str_pop(struct stream *sd, int oflag)
{
	const struct strmod *mod;
	struct queue_pair *qp;
	queue_t *q;
	long room;

	if (!sd->sd_npush || sd->sd_flag & STR_PLEX)
		return -EINVAL;
	q = str_module_below(str_wq(sd));
	qp = pair_of(q);
	mod = qp->mod;
	room = qp->room;
	sd->sd_npush--;
	trace_streams_pop(&qp->rd, NULL);
	pair_close(qp, oflag);
	count_own(sd, mod, -1);
	charge_room(sd, -room);
	strmod_put(mod);
	/* Writers may find more room below than there was. */
	str_wsrv(str_wq(sd));
	return 0;
}

int str_open_driver(struct stream *sd, const struct strdrv *drv, dev_t dev,
		    int oflag, int sflag)
{
	struct queue_pair *qp = pair_alloc(sd, drv->tab, drv->outer);

	if (!qp)
		return -ENOSR;
	sd->sd_drv = drv;
	sd->sd_dev = dev;
	return pair_open(sd, qp, oflag, sflag);
}
EXPORT_SYMBOL_GPL(str_open_driver);

static int pair_open_again(struct stream *sd, struct queue_pair *qp, int oflag,
			   int sflag)
{
	dev_t dev = sd->sd_dev;
	int err = pair_call_open(qp, &dev, oflag, sflag);

	/*
	 * The other users of the driver need this, whatever the driver returned
	 * to this one.
	 */
	WARN_ON_ONCE(!qp->joined);
	return err;
}

/**
 * str_reopen() - inform a stream's modules and driver of one more user
 * @sd: the stream head, open
 * @oflag: the new file's flags
 *
 * The open procedures of modules, from the top, and of the driver are called
 * once more.
 *
 * Return: 0; the error of the first that refuses; -EINVAL for a stream that is
 * linked below a multiplexor, -EIO after a hangup or error; -ERESTARTSYS, or
 * -EAGAIN when it would wait for an ioctl and has O_NONBLOCK.
 * Context: may sleep. POSIX.1-2001 open(), on a stream.
 */
int str_reopen(struct stream *sd, int oflag)
{
	queue_t *q, *below;
	int err = 0;

	/* An I_STR may hold the mutex for long. */
	if (oflag & O_NONBLOCK) {
		if (!mutex_trylock(&sd->sd_ioctl_mutex))
			return -EAGAIN;
	} else if (mutex_lock_interruptible(&sd->sd_ioctl_mutex)) {
		return -ERESTARTSYS;
	}
	if (sd->sd_flag & STR_PLEX)
		err = -EINVAL;
	q = str_module_below(str_wq(sd));
	while (!err && (below = str_module_below(q))) {
		err = pair_open_again(sd, pair_of(q), oflag, MODOPEN);
		q = below;
	}
	mutex_unlock(&sd->sd_ioctl_mutex);
	/* The driver, which stays, may act at any later time. */
	if (!err)
		err = pair_open_again(sd, pair_of(q), oflag, 0);
	if (!err && READ_ONCE(sd->sd_flag) & STR_PLEX)
		err = -EINVAL;
	if (!err && READ_ONCE(sd->sd_flag) & (STR_HUP | STR_RERR | STR_WERR))
		err = -EIO;
	return err;
}

/**
 * str_close_drain() - wait until a module or driver has sent its remaining output
 * @q: its write queue; the stream is being closed
 * @oflag: the file's flags
 *
 * The wait is no longer than I_SETCLTIME set and str_close_patience() allows. The end of
 * a pipe does not wait: it has no receiver any more.
 */
void str_close_drain(queue_t *q, int oflag)
{
	struct stream *sd = q->q_stream;
	unsigned long end;

	if (oflag & O_NONBLOCK ||
	    sd->sd_flag & (STR_PIPE | STR_HUP | STR_WERR))
		return;
	end = jiffies + str_close_time(sd);
	while (READ_ONCE(q->q_first) && time_before(jiffies, end) &&
	       !signal_pending(current))
		schedule_timeout_interruptible(max(1, HZ / 100));
}
EXPORT_SYMBOL_GPL(str_close_drain);

/**
 * str_dismantle() - close the modules and driver of a stream, top down
 * @sd: the stream head, without users
 * @oflag: the file's flags
 *
 * Without O_NONBLOCK each module and the driver have some time for their output
 * (I_SETCLTIME), unless a signal comes or the stream is broken.
 *
 * Context: may sleep. POSIX.1-2001 close(), on a stream.
 */
void str_dismantle(struct stream *sd, int oflag)
{
	queue_t *q;

	if (str_bytes_only(sd))
		return;
	/* The head drops messages that come up from now on. */
	str_set_flag(sd, STR_CLOSING, 0);
	str_errand_leave(sd);
	str_hold_send(sd);
	/* A pipe's end was emptied when its last file was closed. */
	if (!(sd->sd_flag & STR_PIPE))
		str_flush(sd, FLUSHALL, -1);
	mutex_lock(&sd->sd_ioctl_mutex);
	while (sd->sd_npush) {
		str_close_drain(str_module_below(str_wq(sd)), oflag);
		str_pop(sd, oflag);
	}
	q = str_module_below(str_wq(sd));
	if (q) {
		str_close_drain(q, oflag);
		pair_close(pair_of(q), oflag);
	}
	mutex_unlock(&sd->sd_ioctl_mutex);
}
EXPORT_SYMBOL_GPL(str_dismantle);

int __init plumb_init(void)
{
	static const char *const name[] = { "strpair", "strpair_own" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pair_cache); i++) {
		struct queue_pair *qp;

		pair_cache[i] = kmem_cache_create(name[i],
						  struct_size(qp, own, i),
						  __alignof__(*qp),
						  SLAB_ACCOUNT, NULL);
		if (!pair_cache[i]) {
			plumb_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

void plumb_exit(void)
{
	/* The barrier waits for pair_free_rcu(). */
	rcu_barrier();
	kmem_cache_destroy(pair_cache[1]);
	kmem_cache_destroy(pair_cache[0]);
}
