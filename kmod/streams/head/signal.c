// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals when something happens on a stream
 *
 * SIGIO as Linux has it, for files with O_ASYNC; and SIGPOLL as System V has
 * it, for the processes that asked for it: see watch.c.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "streams/queue/flow.h"
#include "streams/queue/queue.h"
#include "signal.h"

/*
 * Returns whether F_SETOWN would let the registration signal p: a program run since may be
 * another user's.
 */
static bool sig_permitted(const struct str_sig *s, struct task_struct *p)
{
	const struct cred *from = s->cred, *to = __task_cred(p);

	return uid_eq(from->euid, GLOBAL_ROOT_UID) ||
	       uid_eq(from->euid, to->suid) || uid_eq(from->euid, to->uid) ||
	       uid_eq(from->uid, to->suid) || uid_eq(from->uid, to->uid);
}

/* Called under RCU. */
static void sig_send(const struct str_sig *s, int sig)
{
	struct task_struct *p;

	if (s->type == PIDTYPE_TGID) {
		p = pid_task(s->pid, PIDTYPE_TGID);
		if (p && sig_permitted(s, p))
			kill_pid(s->pid, sig, 1);
	} else {
		/*
		 * A change of the group during the walk may or may not be seen,
		 * as if it came before or after.
		 */
		do_each_pid_task(s->pid, PIDTYPE_PGID, p) {
			if (sig_permitted(s, p))
				kill_pid(task_tgid(p), sig, 1);
		} while_each_pid_task(s->pid, PIDTYPE_PGID, p);
	}
}

/*
 * Signals S_* events to the processes registered for them. SIGURG is sent
 * instead of SIGPOLL for S_RDBAND of a registration with S_BANDURG. Context:
 * any, no lock held: the walk may be long, so interrupts stay on.
 */
void str_notify(struct stream *sd, unsigned int events)
{
	struct str_more *more = READ_ONCE(sd->sd_more);
	struct str_sig *s;

	if (!more || hlist_empty(&more->sigs))
		return;
	rcu_read_lock();
	hlist_for_each_entry_rcu(s, &more->sigs, node) {
		unsigned int what = s->events & events;

		if (what)
			sig_send(s, what & S_RDBAND && s->events & S_BANDURG ?
				    SIGURG : SIGPOLL);
	}
	rcu_read_unlock();
}

/*
 * Reports that a message is now first on the read queue; bits: its poll()
 * events.
 */
void str_notify_read(struct stream *sd, __poll_t bits)
{
	if (bits & EPOLLPRI)
		str_notify(sd, S_HIPRI);
	else
		str_notify(sd, S_INPUT |
			       (bits & EPOLLRDBAND ? S_RDBAND : S_RDNORM));
}
EXPORT_SYMBOL_GPL(str_notify_read);

/*
 * Handles M_SIG and M_PCSIG. SIGPOLL is sent to tasks that asked for the
 * stream's signals. Other signals are for the process group of a terminal,
 * which no stream is here.
 */
void str_signal(struct stream *sd, const mblk_t *mp)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	if (!more || MBLKL(mp) < 1 || *mp->b_rptr != SIGPOLL)
		return;
	kill_fasync(&more->rfasync, SIGIO, POLL_MSG);
	str_notify(sd, S_MSG);
}

/* Handles and frees an M_SIG that reached the front of the read queue. */
void str_deliver_signal(struct stream *sd)
{
	queue_t *q = str_rq(sd);
	unsigned long flags;
	bool want = false;
	mblk_t *mp;

	do {
		spin_lock_irqsave(&q->q_lock, flags);
		mp = str_signal_first(q) ? q->q_first : NULL;
		if (mp)
			want |= __rmvq(q, mp);
		spin_unlock_irqrestore(&q->q_lock, flags);
		if (mp)
			str_signal(sd, mp);
		freemsg(mp);
	} while (mp);
	if (want)
		backenable(q, 0);
}
