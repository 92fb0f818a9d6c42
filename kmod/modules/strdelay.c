// SPDX-License-Identifier: GPL-2.0-only
/*
 * delay: a STREAMS module that passes messages later, and loses datagrams
 *
 * Each message waits on the module's queue behind a block that has the time when it is due.
 * The queue is in the order of these times, and a timer waits for the first. Flow control
 * holds up the sender when the queue is full.
 *
 * All is done in the stream's perimeter, also the function of qtimeout(), without locks.
 * Only /proc/streams/open reads beside it, until a grace period after the close.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <sys/stream.h>
#include <sys/strparam.h>

#include "drivers/flush.h"
#include "side.h"

/* Milliseconds, at most: an hour */
#define TIME_MOST	3600000ULL
/* The parts of one percent that loss is counted in */
#define LOSS_PARTS	1000U

static const char *const answers[] = { "no", "yes", NULL };

struct settings {
	u64 latency;			/* ms */
	u64 jitter;			/* ms; a message waits up to as much longer */
	u64 loss;			/* of datagrams, LOSS_PARTS for each of a hundred */
	unsigned int reorder;		/* datagrams may overtake: a place in answers */
	unsigned int dir;		/* BOTH, OUT, IN */
};

struct side {
	queue_t *q;
	u64 last;			/* ns, when the last message in order is due */
	u64 alarm;			/* ns, what the timer waits for */
	timeout_id_t timer;		/* or 0 */
	unsigned long lost;		/* datagrams */
};

struct delay {
	struct settings set;
	struct side out, in;
	mblk_t *marker;			/* put to the read queue by the close */
	bool closing;			/* nothing is held any more */
	struct rcu_head rcu;
};

/* The data of the block before a message that waits */
struct stamp {
	u64 due;			/* ns */
};

static int delay_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct delay *d;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);
	if (!d)
		return ENOSR;
	d->marker = allocb(0, BPRI_HI);
	if (!d->marker) {
		kfree(d);
		return ENOSR;
	}
	DB_TYPE(d->marker) = M_CTL;
	d->in.q = q;
	d->out.q = WR(q);
	q->q_ptr = d;
	WR(q)->q_ptr = d;
	qprocson(q);
	return 0;
}

static int delay_close(queue_t *q, int oflag, cred_t *cr)
{
	struct delay *d = q->q_ptr;

	/* The perimeter is entered to pass on what waits, without the stamps. */
	put(q, d->marker);
	/* The timers end here. */
	qprocsoff(q);
	kfree_rcu(d, rcu);
	return 0;
}

static struct side *delay_side(queue_t *q)
{
	struct delay *d = q->q_ptr;

	return q == d->in.q ? &d->in : &d->out;
}

/* Do the settings hold for this direction? */
static bool delayed(const struct delay *d, const struct side *s)
{
	return d->set.dir != (s == &d->in ? OUT : IN);
}

static u64 due_of(const mblk_t *held)
{
	return ((const struct stamp *)held->b_rptr)->due;
}

/* Takes the stamp off. */
static mblk_t *message_of(mblk_t *held)
{
	mblk_t *mp = unlinkb(held);

	freeb(held);
	return mp;
}

/* Passes on all that waits, whatever flow control says. */
static void side_release(struct side *s)
{
	mblk_t *held;

	while ((held = getq(s->q)))
		putnext(s->q, message_of(held));
}

static void delay_over(void *arg)
{
	queue_t *q = arg;

	delay_side(q)->timer = 0;
	qenable(q);
}

/* Waits until the first message is due. */
static void delay_wait(struct side *s, u64 due, u64 now)
{
	if (s->timer && s->alarm <= due)
		return;
	if (s->timer)
		quntimeout(s->q, s->timer);
	s->alarm = due;
	s->timer = qtimeout(s->q, delay_over, s->q, nsecs_to_jiffies64(due - now) + 1);
	/* Without memory for a timer the queue is served again and again. */
	if (!s->timer)
		qenable(s->q);
}

static int delay_srv(queue_t *q)
{
	struct side *s = delay_side(q);
	mblk_t *held;

	while ((held = getq(q))) {
		u64 due = due_of(held), now = ktime_get_ns();

		if (due > now)
			delay_wait(s, due, now);
		if (due > now || !bcanputnext(q, held->b_band)) {
			/* putbq() makes it the first again, and does not enable the queue. */
			if (!putbq(q, held))
				freemsg(held);
			break;
		}
		putnext(q, message_of(held));
	}
	return 0;
}

/* Returns a random number from 0 to most. */
static u64 chance(u64 most)
{
	return mul_u64_u32_shr(most + 1, get_random_u32(), 32);
}

/*
 * Returns when a message that came now is to be passed. It follows those that came before,
 * except datagrams that may overtake.
 */
static u64 due_time(struct delay *d, struct side *s, bool datagram)
{
	const struct settings *set = &d->set;
	u64 due = ktime_get_ns();

	if (delayed(d, s))
		due += set->latency * NSEC_PER_MSEC + chance(set->jitter * NSEC_PER_MSEC);
	if (datagram && set->reorder)
		return due;
	/* Messages that were flushed hold up none. */
	if (s->q->q_first)
		due = max(due, s->last);
	s->last = due;
	return due;
}

/* Makes a message one that waits. Returns NULL when memory is short. */
static mblk_t *message_hold(mblk_t *mp, u64 due)
{
	mblk_t *held = allocb(sizeof(struct stamp), BPRI_MED);

	if (!held)
		return NULL;
	/* A flush is to find it. */
	DB_TYPE(held) = datamsg(DB_TYPE(mp)) ? M_DATA : M_CTL;
	held->b_band = mp->b_band;
	/* The stamp counts, too. */
	held->b_flag = (mp->b_flag & MSGPACKET) | MSGOBJECT;
	((struct stamp *)held->b_wptr)->due = due;
	held->b_wptr += sizeof(struct stamp);
	linkb(held, mp);
	return held;
}

/* Queues a message before those of its band that are due later. */
static int queue_in_time(queue_t *q, mblk_t *held)
{
	mblk_t *place = NULL, *mp;

	for (mp = q->q_last; mp; mp = mp->b_prev) {
		if (mp->b_band > held->b_band)
			break;
		if (mp->b_band == held->b_band && due_of(mp) <= due_of(held))
			break;
		place = mp;
	}
	return insq(q, place, held);
}

/*
 * High-priority messages never wait. Ioctls do not either: the task that waits for the
 * answer may be the reader that is to make room.
 */
static void pass_or_hold(queue_t *q, mblk_t *mp)
{
	struct delay *d = q->q_ptr;
	struct side *s = delay_side(q);
	mblk_t *held;
	bool datagram;

	if (DB_TYPE(mp) >= QPCTL || DB_TYPE(mp) == M_IOCTL || d->closing) {
		putnext(q, mp);
		return;
	}
	datagram = side_datagram(mp, s == &d->in);
	if (datagram && delayed(d, s) && chance(100 * LOSS_PARTS - 1) < d->set.loss) {
		WRITE_ONCE(s->lost, s->lost + 1);
		freemsg(mp);
		return;
	}
	held = message_hold(mp, due_time(d, s, datagram));
	if (!held) {
		/* A message is not lost where memory is short: it comes early. */
		side_release(s);
		putnext(q, mp);
		return;
	}
	if (!queue_in_time(q, held))
		freemsg(held);
	else if (q->q_first == held)
		qenable(q);
}

/* Reads percent with up to three digits behind a point. */
static int percent_read(char *value, u64 *parts)
{
	char *whole = strsep(&value, "."), part[] = "000";
	u64 n, rest;
	int err;

	if (value) {
		size_t digits = strspn(value, "0123456789");

		if (!digits || value[digits] || digits > strlen(part))
			return EINVAL;
		memcpy(part, value, digits);
	}
	err = strparam_number(whole, 0, 100, &n) ?: strparam_number(part, 0, LOSS_PARTS - 1, &rest);
	if (err)
		return err;
	*parts = n * LOSS_PARTS + rest;
	return *parts > 100 * LOSS_PARTS ? ERANGE : 0;
}

static int delay_setting(void *arg, const char *name, char *value)
{
	struct settings *set = arg;

	if (!strcmp(name, "latency"))
		return strparam_number(value, 0, TIME_MOST, &set->latency);
	if (!strcmp(name, "jitter"))
		return strparam_number(value, 0, TIME_MOST, &set->jitter);
	if (!strcmp(name, "loss"))
		return percent_read(value, &set->loss);
	if (!strcmp(name, "reorder"))
		return strparam_word(value, answers, &set->reorder);
	if (!strcmp(name, "dir"))
		return strparam_word(value, directions, &set->dir);
	return EINVAL;
}

static void delay_set(queue_t *q, mblk_t *mp)
{
	struct delay *d = q->q_ptr;
	struct settings set = d->set;
	int err = strparam_each(mp, delay_setting, &set);

	if (!err) {
		WRITE_ONCE(d->set.latency, set.latency);
		WRITE_ONCE(d->set.jitter, set.jitter);
		WRITE_ONCE(d->set.loss, set.loss);
		WRITE_ONCE(d->set.reorder, set.reorder);
		WRITE_ONCE(d->set.dir, set.dir);
	}
	strparam_answer(q, mp, err);
}

static int delay_wput(queue_t *q, mblk_t *mp)
{
	if (strparam_mine(q, mp)) {
		delay_set(q, mp);
		return 0;
	}
	flush_side(q, mp, FLUSHW);
	pass_or_hold(q, mp);
	return 0;
}

static int delay_rput(queue_t *q, mblk_t *mp)
{
	struct delay *d = q->q_ptr;

	if (mp == d->marker) {
		/* Its memory may be that of the next message. */
		d->marker = NULL;
		freemsg(mp);
		/* Messages that come between now and qprocsoff() pass behind this. */
		d->closing = true;
		side_release(&d->out);
		side_release(&d->in);
		return 0;
	}
	flush_side(q, mp, FLUSHR);
	pass_or_hold(q, mp);
	return 0;
}

/* Returns the settings, to a caller beside the procedures. */
static struct settings delay_settings(const struct delay *d)
{
	return (struct settings){
		.latency = READ_ONCE(d->set.latency),
		.jitter = READ_ONCE(d->set.jitter),
		.loss = READ_ONCE(d->set.loss),
		.reorder = READ_ONCE(d->set.reorder),
		.dir = READ_ONCE(d->set.dir),
	};
}

static void delay_like(queue_t *q, queue_t *model)
{
	struct delay *d = q->q_ptr;

	d->set = delay_settings(model->q_ptr);
}

static void delay_show(queue_t *q, struct seq_file *m)
{
	const struct delay *d = q->q_ptr;
	struct settings set = delay_settings(d);

	seq_printf(m, ":latency=%llu:jitter=%llu:loss=%llu.%03llu:reorder=%s:dir=%s:lost=%lu",
		   set.latency, set.jitter, set.loss / LOSS_PARTS, set.loss % LOSS_PARTS,
		   answers[set.reorder], directions[set.dir],
		   READ_ONCE(d->out.lost) + READ_ONCE(d->in.lost));
}

static struct module_info delay_info = {
	.mi_idname = "delay",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
	.mi_hiwat = 65536,
	.mi_lowat = 16384,
};

static struct qinit delay_rinit = {
	.qi_putp = delay_rput,
	.qi_srvp = delay_srv,
	.qi_qopen = delay_open,
	.qi_qclose = delay_close,
	.qi_minfo = &delay_info,
	.qi_show = delay_show,
	.qi_like = delay_like,
};

static struct qinit delay_winit = {
	.qi_putp = delay_wput,
	.qi_srvp = delay_srv,
	.qi_minfo = &delay_info,
};

static const struct streamtab delay_tab = {
	.st_rdinit = &delay_rinit,
	.st_wrinit = &delay_winit,
};

static struct strmod delay = {
	.name = "delay",
	.tab = &delay_tab,
	.owner = THIS_MODULE,
};

static int __init strdelay_init(void)
{
	return strmod_register(&delay);
}

static void __exit strdelay_exit(void)
{
	strmod_unregister(&delay);
}

module_init(strdelay_init);
module_exit(strdelay_exit);

MODULE_DESCRIPTION("STREAMS module that passes messages later");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-delay");
