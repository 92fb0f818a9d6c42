// SPDX-License-Identifier: GPL-2.0-only
/*
 * strlog(): messages about the system's streams, for readers of the log
 *
 * Each reader gets a copy. A reader misses it when its queue is full or memory
 * is short, and sees that by the sequence numbers.
 */
#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>

#include "strlog.h"

/*
 * The longest text that strlog() makes of its arguments; longer texts are cut
 * off.
 */
#define LOG_TEXT	256

static LIST_HEAD(readers);
static DEFINE_SPINLOCK(readers_lock);
static atomic_t numbers[3];		/* of traces, errors, console messages */

static const unsigned int kinds[] = { SL_TRACE, SL_ERROR, SL_CONSOLE };

void log_reader_add(struct log_reader *r)
{
	spin_lock_bh(&readers_lock);
	list_add_tail_rcu(&r->list, &readers);
	spin_unlock_bh(&readers_lock);
}

void log_reader_del(struct log_reader *r)
{
	spin_lock_bh(&readers_lock);
	list_del_rcu(&r->list);
	spin_unlock_bh(&readers_lock);
}

static bool id_fits(const struct trace_ids *id, const struct log_ctl *ctl)
{
	return (id->ti_mid == -1 || id->ti_mid == ctl->mid) &&
	       (id->ti_sid == -1 || id->ti_sid == ctl->sid) &&
	       (id->ti_level == -1 || ctl->level <= id->ti_level);
}

static bool reader_wants(const struct log_reader *r, unsigned int kind,
			 const struct log_ctl *ctl)
{
	const struct log_wants *wants;
	int i;

	if (!(READ_ONCE(r->kinds) & kind))
		return false;
	if (kind != SL_TRACE)
		return true;
	wants = rcu_dereference(r->wants);
	for (i = 0; wants && i < wants->n; i++)
		if (id_fits(&wants->ids[i], ctl))
			return true;
	return false;
}

static mblk_t *log_message(const struct log_ctl *ctl, const char *text,
			   size_t len)
{
	mblk_t *mp = allocb(sizeof(*ctl), BPRI_MED);
	mblk_t *data;

	if (!mp)
		return NULL;
	data = allocb(len + 1, BPRI_MED);
	if (!data) {
		freemsg(mp);
		return NULL;
	}
	DB_TYPE(mp) = M_PROTO;
	memcpy(mp->b_wptr, ctl, sizeof(*ctl));
	mp->b_wptr += sizeof(*ctl);
	memcpy(data->b_wptr, text, len);
	data->b_wptr[len] = '\0';
	data->b_wptr += len + 1;
	linkb(mp, data);
	return mp;
}

/*
 * Sends a message to the readers of a kind. Returns how many there are, and
 * stores how many of them missed it.
 */
static int send_kind(unsigned int kind, const struct log_ctl *ctl,
		     const char *text, size_t len, int *missed)
{
	struct log_reader *r;
	int n = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(r, &readers, list) {
		mblk_t *mp;

		if (!reader_wants(r, kind, ctl))
			continue;
		n++;
		mp = canputnext(r->rq) ? log_message(ctl, text, len) : NULL;
		if (mp)
			putnext(r->rq, mp);
		else
			(*missed)++;
	}
	rcu_read_unlock();
	return n;
}

bool log_send(struct log_ctl *ctl, const char *text, size_t len)
{
	int i, missed = 0;

	ctl->ltime = ktime_to_ms(ktime_get_boottime());
	ctl->ttime = ktime_get_real_seconds();
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!(ctl->flags & kinds[i]))
			continue;
		ctl->seq_no = atomic_inc_return(&numbers[i]);
		if (!send_kind(kinds[i], ctl, text, len, &missed) &&
		    kinds[i] == SL_CONSOLE)
			pr_notice("streams: %.*s\n", (int)len, text);
	}
	return !missed;
}

/* Converts the flags to a level of syslog(). */
static int log_pri(unsigned short flags)
{
	if (flags & SL_FATAL)
		return 2;
	if (flags & SL_ERROR)
		return 3;
	if (flags & SL_WARN)
		return 4;
	return flags & (SL_NOTE | SL_CONSOLE) ? 5 : 7;
}

/**
 * strlog() - write to the STREAMS log
 * @mid: the module's number, its mi_idnum
 * @sid: the number of its part, often the minor number of the stream
 * @level: of a trace; the lower the more important
 * @flags: the recipients: SL_TRACE, SL_ERROR, SL_CONSOLE, and the kind:
 *	SL_FATAL, SL_NOTIFY, SL_WARN, SL_NOTE
 * @fmt: as printk()'s, without a newline; at most 255 bytes are logged
 *
 * For SL_CONSOLE without a reader it is written to the kernel's log.
 *
 * Context: any. Return: 1, or 0 when a reader did not get it, for want of room
 * or memory. Source: SVR4.2 DDI/DKI strlog(D3).
 */
int strlog(short mid, short sid, char level, unsigned short flags,
	   const char *fmt, ...)
{
	struct log_ctl ctl = {
		.mid = mid,
		.sid = sid,
		.level = level,
		.flags = flags,
		.pri = log_pri(flags),
	};
	char text[LOG_TEXT];
	va_list args;
	int len;

	if (list_empty(&readers) && !(flags & SL_CONSOLE))
		return 1;
	va_start(args, fmt);
	len = vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return log_send(&ctl, text, len);
}
EXPORT_SYMBOL_GPL(strlog);
