// SPDX-License-Identifier: GPL-2.0-only
/*
 * ratelimit: a STREAMS module that limits the bytes passed in a second
 *
 * Each direction is a line on which messages follow one another: a message is passed when
 * its last byte has left the line at the rate. A line that was idle has saved time, as much
 * as the burst takes. Until then the message waits on its queue, and flow control holds up
 * the sender.
 *
 * All is done in the stream's perimeter, also the function of qtimeout(), without locks.
 * Only /proc/streams/open reads beside it, until a grace period after the close.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <sys/stream.h>
#include <sys/strparam.h>

#include "drivers/flush.h"
#include "side.h"

/* Bytes in a second, at most: a byte takes a nanosecond then. */
#define RATE_MOST	1000000000ULL
/* The part of a second's bytes that may pass at once, unless burst is set. */
#define BURST_PART	20

struct settings {
	u64 rate;			/* bytes per second; 0: any number */
	u64 burst;			/* bytes; 0: BURST_PART of rate */
	unsigned int dir;		/* BOTH, OUT, IN */
};

struct side {
	queue_t *q;
	u64 free;			/* ns, when the last message had left the line */
	u64 due;			/* ns, when the one on the line is to be passed */
	const mblk_t *on;		/* that one, not to be followed; or NULL */
	timeout_id_t timer;		/* waits for that time, or 0 */
};

struct limit {
	struct settings set;
	struct side out, in;
	struct rcu_head rcu;
};

static int limiter_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct limit *l;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	l = kzalloc(sizeof(*l), GFP_KERNEL_ACCOUNT);
	if (!l)
		return ENOSR;
	l->in.q = q;
	l->out.q = WR(q);
	q->q_ptr = l;
	WR(q)->q_ptr = l;
	qprocson(q);
	return 0;
}

/* Messages that wait are sent on at once by qprocsoff(). */
static int limiter_close(queue_t *q, int oflag, cred_t *cr)
{
	struct limit *l = q->q_ptr;

	qprocsoff(q);
	/* Nothing starts the timers any more. */
	if (l->out.timer)
		quntimeout(l->out.q, l->out.timer);
	if (l->in.timer)
		quntimeout(l->in.q, l->in.timer);
	kfree_rcu(l, rcu);
	return 0;
}

static struct side *side_of(queue_t *q)
{
	struct limit *l = q->q_ptr;

	return q == l->in.q ? &l->in : &l->out;
}

static u64 burst_of(const struct settings *set)
{
	return set->burst ?: set->rate / BURST_PART;
}

/* Returns the nanoseconds that bytes take. */
static u64 duration(const struct settings *set, u64 bytes)
{
	return div64_u64(min_t(u64, bytes, S64_MAX / NSEC_PER_SEC) * NSEC_PER_SEC, set->rate);
}

/* Returns the nanoseconds that an idle line saves: two ticks at least, as timers are late. */
static u64 saved(const struct settings *set)
{
	return max_t(u64, duration(set, burst_of(set)), 2 * TICK_NSEC);
}

/* Returns the time until the message may pass, in nanoseconds. */
static u64 line_wait(const struct settings *set, struct side *s, const mblk_t *mp,
		     u64 bytes)
{
	u64 now = ktime_get_ns();

	if (s->on != mp) {
		s->on = mp;
		s->due = max(s->free, now - min(saved(set), now)) + duration(set, bytes);
	}
	return s->due > now ? s->due - now : 0;
}

static void line_leave(struct side *s)
{
	s->free = s->due;
	s->on = NULL;
}

static bool limited(const struct limit *l, const struct side *s)
{
	return l->set.rate && l->set.dir != (s == &l->in ? OUT : IN);
}

static void limiter_over(void *arg)
{
	queue_t *q = arg;

	side_of(q)->timer = 0;
	qenable(q);
}

/* Waits until a message may pass; an hour at most, then it looks again. */
static void limiter_wait(struct side *s, u64 ns)
{
	u64 ticks = nsecs_to_jiffies64(ns) + 1;

	if (s->timer)
		return;
	s->timer = qtimeout(s->q, limiter_over, s->q, min_t(u64, ticks, 3600 * HZ));
	/* Without memory for a timer the queue is served again and again. */
	if (!s->timer)
		qenable(s->q);
}

static int limiter_srv(queue_t *q)
{
	struct limit *l = q->q_ptr;
	struct side *s = side_of(q);
	mblk_t *mp;

	while ((mp = getq(q))) {
		size_t bytes = limited(l, s) ? msgdsize(mp) : 0;
		u64 wait = bytes ? line_wait(&l->set, s, mp, bytes) : 0;

		if (wait) {
			limiter_wait(s, wait);
			goto back;
		}
		if (DB_TYPE(mp) < QPCTL && !bcanputnext(q, mp->b_band))
			goto back;
		if (bytes)
			line_leave(s);
		putnext(q, mp);
	}
	return 0;

back:
	/* putbq() makes it the first again, and does not enable the queue. */
	if (!putbq(q, mp))
		freemsg(mp);
	return 0;
}

static int setting_take(void *arg, const char *name, char *value)
{
	struct settings *set = arg;

	if (!strcmp(name, "rate"))
		return strparam_number(value, 0, RATE_MOST, &set->rate);
	if (!strcmp(name, "burst"))
		return strparam_number(value, 0, RATE_MOST, &set->burst);
	if (!strcmp(name, "dir"))
		return strparam_word(value, directions, &set->dir);
	return EINVAL;
}

/* Messages may wait by the old rate, and the line has debts at it. */
static void line_reset(struct side *s)
{
	s->free = 0;
	s->on = NULL;
	qenable(s->q);
}

static void limiter_set(queue_t *q, mblk_t *mp)
{
	struct limit *l = q->q_ptr;
	struct settings set = l->set;
	int err = strparam_each(mp, setting_take, &set);

	if (!err) {
		WRITE_ONCE(l->set.rate, set.rate);
		WRITE_ONCE(l->set.burst, set.burst);
		WRITE_ONCE(l->set.dir, set.dir);
		line_reset(&l->out);
		line_reset(&l->in);
	}
	strparam_answer(q, mp, err);
}

/*
 * High-priority messages never wait. Ioctls do not either: the task that waits for the
 * answer may be the reader that is to make room.
 */
static void pass_or_queue(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) >= QPCTL || DB_TYPE(mp) == M_IOCTL)
		putnext(q, mp);
	else if (!putq(q, mp))
		freemsg(mp);
}

static int limiter_wput(queue_t *q, mblk_t *mp)
{
	if (strparam_mine(q, mp)) {
		limiter_set(q, mp);
		return 0;
	}
	flush_side(q, mp, FLUSHW);
	pass_or_queue(q, mp);
	return 0;
}

static int limiter_rput(queue_t *q, mblk_t *mp)
{
	flush_side(q, mp, FLUSHR);
	pass_or_queue(q, mp);
	return 0;
}

/* Returns the settings, to a caller beside the procedures. */
static struct settings limiter_settings(const struct limit *l)
{
	return (struct settings){
		.rate = READ_ONCE(l->set.rate),
		.burst = READ_ONCE(l->set.burst),
		.dir = READ_ONCE(l->set.dir),
	};
}

static void limiter_like(queue_t *q, queue_t *model)
{
	struct limit *l = q->q_ptr;

	l->set = limiter_settings(model->q_ptr);
}

static void limiter_show(queue_t *q, struct seq_file *m)
{
	struct settings set = limiter_settings(q->q_ptr);

	seq_printf(m, ":rate=%llu:burst=%llu:dir=%s", set.rate, burst_of(&set),
		   directions[set.dir]);
}

static struct module_info limiter_info = {
	.mi_idname = "ratelimit",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 16384,
	.mi_lowat = 4096,
};

static struct qinit limiter_rinit = {
	.qi_putp = limiter_rput,
	.qi_srvp = limiter_srv,
	.qi_qopen = limiter_open,
	.qi_qclose = limiter_close,
	.qi_minfo = &limiter_info,
	.qi_show = limiter_show,
	.qi_like = limiter_like,
};

static struct qinit limiter_winit = {
	.qi_putp = limiter_wput,
	.qi_srvp = limiter_srv,
	.qi_minfo = &limiter_info,
};

static const struct streamtab limiter_tab = {
	.st_rdinit = &limiter_rinit,
	.st_wrinit = &limiter_winit,
};

static struct strmod limit = {
	.name = "ratelimit",
	.tab = &limiter_tab,
	.owner = THIS_MODULE,
};

static int __init strratelimiter_init(void)
{
	return strmod_register(&limit);
}

static void __exit strratelimiter_exit(void)
{
	strmod_unregister(&limit);
}

module_init(strratelimiter_init);
module_exit(strratelimiter_exit);

MODULE_DESCRIPTION("STREAMS module that limits how much is passed in a second");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-ratelimit");
