// SPDX-License-Identifier: GPL-2.0-only
/*
 * match: a STREAMS module that looks for a pattern in the bytes that pass
 *
 * The search is that of Knuth, Morris and Pratt: a byte is looked at once, and what is kept
 * from message to message is how much of the pattern the last bytes are. The kernel's
 * textsearch keeps no such state between messages.
 *
 * All is done in the stream's perimeter. /proc/streams/open and the module of an accepted
 * socket read beside it: the settings under the lock, and the memory is freed after a grace
 * period.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/ratelimit.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <sys/stream.h>
#include <sys/strparam.h>

#include "streams/head/stream.h"
#include "side.h"

/* The bytes of a pattern, at most */
#define PATTERN_MOST	64

enum { COUNT, LOG, HANGUP };

static const char *const actions[] = { "count", "log", "hangup", NULL };

struct settings {
	unsigned int action;		/* COUNT, LOG, HANGUP */
	unsigned int dir;		/* BOTH, OUT, IN */
	unsigned int len;		/* of the pattern; 0: there is none */
	u8 pattern[PATTERN_MOST];
	u8 again[PATTERN_MOST];		/* fits still when the byte behind place i does not fit */
};

struct side {
	unsigned int fits;		/* the pattern's first bytes that have come */
	unsigned long seen;		/* patterns */
};

struct match {
	struct settings set;		/* written by procedures, under the lock */
	struct side out, in;
	spinlock_t lock;		/* also of callers beside the procedures */
	mblk_t *hangup;			/* NULL when it was sent */
	pid_t pid;			/* of the process that opened the stream */
	struct rcu_head rcu;
};

/* The text of a pattern, with %XX for bytes that are not letters or digits */
struct pattern_text {
	char text[3 * PATTERN_MOST + 1];
};

static int match_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct match *m;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	if (!side_may_see(q, cr))
		return EACCES;
	m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);
	if (!m)
		return ENOSR;
	m->hangup = allocb(0, BPRI_HI);
	if (!m->hangup) {
		kfree(m);
		return ENOSR;
	}
	DB_TYPE(m->hangup) = M_HANGUP;
	m->pid = pid_nr(q->q_stream->sd_entry.pid);
	spin_lock_init(&m->lock);
	q->q_ptr = m;
	WR(q)->q_ptr = m;
	qprocson(q);
	return 0;
}

static int match_close(queue_t *q, int oflag, cred_t *cr)
{
	struct match *m = q->q_ptr;

	qprocsoff(q);
	freemsg(m->hangup);
	kfree_rcu(m, rcu);
	return 0;
}

/* Returns how many places of the pattern fit when byte c follows those that fit. */
static unsigned int byte_step(const struct settings *set, unsigned int fits, u8 c)
{
	while (fits && set->pattern[fits] != c)
		fits = set->again[fits - 1];
	return fits + (set->pattern[fits] == c);
}

/* Returns how many patterns end in a block. */
static unsigned long block_search(const struct settings *set, struct side *s, const mblk_t *bp)
{
	const u8 *p = bp->b_rptr;
	unsigned long seen = 0;

	while (p < bp->b_wptr) {
		/* memchr() is faster where no part fits. */
		if (!s->fits) {
			p = memchr(p, set->pattern[0], bp->b_wptr - p);
			if (!p)
				break;
		}
		s->fits = byte_step(set, s->fits, *p++);
		if (s->fits == set->len) {
			s->fits = 0;
			seen++;
		}
	}
	return seen;
}

/* Returns how many patterns end in a message, and counts them. */
static unsigned long msg_search(const struct match *m, struct side *s, const mblk_t *mp, bool up)
{
	unsigned long seen = 0;

	if (!m->set.len || m->set.dir == (up ? OUT : IN) || !datamsg(DB_TYPE(mp)))
		return 0;
	/* A pattern does not go on in the next datagram. */
	if (side_datagram(mp, up))
		s->fits = 0;
	for (; mp; mp = mp->b_cont)
		if (DB_TYPE(mp) == M_DATA && mp->b_wptr > mp->b_rptr)
			seen += block_search(&m->set, s, mp);
	WRITE_ONCE(s->seen, s->seen + seen);
	return seen;
}

static struct pattern_text pattern_text(const struct settings *set)
{
	struct pattern_text t = { };
	char *p = t.text;
	unsigned int i;

	for (i = 0; i < set->len; i++) {
		u8 c = set->pattern[i];

		p += scnprintf(p, sizeof("%XX"), isascii(c) && isalnum(c) ? "%c" : "%%%02X", c);
	}
	return t;
}

static void match_log(const queue_t *q, const struct match *m, bool up)
{
	const struct str_entry *e = &q->q_stream->sd_entry;

	pr_notice_ratelimited("streams: match: %s %s on stream %llu of process %d (%*pE), user %u\n",
			      pattern_text(&m->set).text, up ? "passed up" : "passed down",
			      e->number, m->pid, (int)strnlen(e->comm, sizeof(e->comm)), e->comm,
			      from_kuid_munged(&init_user_ns, e->uid));
}

/* Looks into a message on its way. Returns it; or NULL when the stream is hung up. */
static mblk_t *msg_look(queue_t *q, struct side *s, mblk_t *mp, bool up)
{
	struct match *m = q->q_ptr;

	if (msg_search(m, s, mp, up)) {
		if (m->set.action == LOG)
			match_log(q, m, up);
		if (m->set.action == HANGUP && m->hangup) {
			putnext(up ? q : RD(q), m->hangup);
			m->hangup = NULL;
		}
	}
	if (m->hangup || !datamsg(DB_TYPE(mp)))
		return mp;
	freemsg(mp);
	return NULL;
}

/* Fills in how much fits still when a byte behind the first ones does not. */
static void pattern_prepare(struct settings *set)
{
	unsigned int i;

	set->again[0] = 0;
	for (i = 1; i < set->len; i++)
		set->again[i] = byte_step(set, set->again[i - 1], set->pattern[i]);
}

/* Reads a pattern, in which %XX is any byte. */
static int pattern_read(struct settings *set, const char *value)
{
	char hex[] = "00";
	unsigned int n = 0;

	if (!*value)
		return EINVAL;
	while (*value) {
		if (n == PATTERN_MOST)
			return ERANGE;
		if (*value != '%') {
			set->pattern[n++] = *value++;
			continue;
		}
		if (!isxdigit(value[1]) || !isxdigit(value[2]))
			return EINVAL;
		memcpy(hex, value + 1, 2);
		if (kstrtou8(hex, 16, &set->pattern[n++]))
			return EINVAL;
		value += 3;
	}
	set->len = n;
	pattern_prepare(set);
	return 0;
}

static int match_setting(void *arg, const char *name, char *value)
{
	struct settings *set = arg;

	if (!strcmp(name, "pattern"))
		return pattern_read(set, value);
	if (!strcmp(name, "action"))
		return strparam_word(value, actions, &set->action);
	if (!strcmp(name, "dir"))
		return strparam_word(value, directions, &set->dir);
	return EINVAL;
}

static void settings_store(struct match *m, const struct settings *set)
{
	unsigned long flags;

	spin_lock_irqsave(&m->lock, flags);
	m->set = *set;
	spin_unlock_irqrestore(&m->lock, flags);
	m->out.fits = 0;
	m->in.fits = 0;
}

static void match_set(queue_t *q, mblk_t *mp)
{
	struct match *m = q->q_ptr;
	struct settings set = m->set;
	int err = strparam_each(mp, match_setting, &set);

	if (!err)
		settings_store(m, &set);
	strparam_answer(q, mp, err);
}

static int match_wput(queue_t *q, mblk_t *mp)
{
	struct match *m = q->q_ptr;

	if (strparam_mine(q, mp)) {
		match_set(q, mp);
		return 0;
	}
	mp = msg_look(q, &m->out, mp, false);
	if (mp)
		putnext(q, mp);
	return 0;
}

static int match_rput(queue_t *q, mblk_t *mp)
{
	struct match *m = q->q_ptr;

	mp = msg_look(q, &m->in, mp, true);
	if (mp)
		putnext(q, mp);
	return 0;
}

/* Returns the settings, to a caller beside the procedures. */
static struct settings match_settings(struct match *m)
{
	struct settings set;
	unsigned long flags;

	spin_lock_irqsave(&m->lock, flags);
	set = m->set;
	spin_unlock_irqrestore(&m->lock, flags);
	return set;
}

static void match_like(queue_t *q, queue_t *model)
{
	struct settings set = match_settings(model->q_ptr);

	settings_store(q->q_ptr, &set);
}

static void match_show(queue_t *q, struct seq_file *f)
{
	struct match *m = q->q_ptr;
	struct settings set = match_settings(m);

	seq_printf(f, ":pattern=%s:action=%s:dir=%s:out=%lu:in=%lu",
		   pattern_text(&set).text, actions[set.action], directions[set.dir],
		   READ_ONCE(m->out.seen), READ_ONCE(m->in.seen));
}

static struct module_info match_info = {
	.mi_idname = "match",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit match_rinit = {
	.qi_putp = match_rput,
	.qi_qopen = match_open,
	.qi_qclose = match_close,
	.qi_minfo = &match_info,
	.qi_show = match_show,
	.qi_like = match_like,
};

static struct qinit match_winit = {
	.qi_putp = match_wput,
	.qi_minfo = &match_info,
};

static const struct streamtab match_tab = {
	.st_rdinit = &match_rinit,
	.st_wrinit = &match_winit,
};

static struct strmod match = {
	.name = "match",
	.tab = &match_tab,
	.owner = THIS_MODULE,
};

static int __init strmatch_init(void)
{
	return strmod_register(&match);
}

static void __exit strmatch_exit(void)
{
	strmod_unregister(&match);
}

module_init(strmatch_init);
module_exit(strmatch_exit);

MODULE_DESCRIPTION("STREAMS module that looks for a pattern");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-match");
