// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals when something happens on a stream
 *
 * SIGIO as Linux has it, for files with O_ASYNC; and SIGPOLL as System V has
 * it, for the processes that asked for it with I_SETSIG or I_ESETSIG. Such a
 * registration belongs to a process (or group) and a file: it ends when that
 * process closes the file, or the file is gone.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "streams/queue/flow.h"
#include "streams/queue/queue.h"
#include "errand.h"
#include "room.h"
#include "signal.h"

/*
 * Registrations on one stream: an event signals all of them before the caller
 * continues. A group may have as many processes as the user can start, so that
 * few groups may be registered.
 */
#define SIGS_MOST	1024
#define SIG_GROUPS_MOST	16

#define S_ALL	(S_INPUT | S_HIPRI | S_OUTPUT | S_MSG | S_ERROR | S_HANGUP | \
		 S_RDNORM | S_RDBAND | S_WRBAND | S_BANDURG)
#define S_READ	(S_ALL & ~(S_OUTPUT | S_WRBAND))
#define S_WRITE	(S_OUTPUT | S_WRBAND | S_ERROR | S_HANGUP)

/*
 * A registration: the process or group that wants signals. Changed under
 * sig_lock, walked under RCU; one that is on the list stays as it is.
 */
struct str_sig {
	struct hlist_node node;
	const struct file *file;	/* that made the request; never dereferenced */
	struct pid *pid;
	enum pid_type type;		/* PIDTYPE_TGID or PIDTYPE_PGID */
	unsigned int events;		/* S_INPUT ... */
	const struct cred *cred;	/* of the task that registered */
	struct rcu_head rcu;
};

/*
 * Sending
 */

/*
 * Whether F_SETOWN would let it signal p: a program run since may be another
 * user's.
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
		 * A change of the group meanwhile has the same effect as a
		 * moment later.
		 */
		do_each_pid_task(s->pid, PIDTYPE_PGID, p) {
			if (sig_permitted(s, p))
				kill_pid(task_tgid(p), sig, 1);
		} while_each_pid_task(s->pid, PIDTYPE_PGID, p);
	}
}

/*
 * Signals S_* events to the processes registered for them. SIGURG instead of
 * SIGPOLL is for S_RDBAND of a registration with S_BANDURG. Context: any, no
 * lock held: the walk may be long, so interrupts stay on.
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

/* A message is first on the read queue now; bits: its poll() events. */
void str_notify_read(struct stream *sd, __poll_t bits)
{
	if (bits & EPOLLPRI)
		str_notify(sd, S_HIPRI);
	else
		str_notify(sd, S_INPUT |
			       (bits & EPOLLRDBAND ? S_RDBAND : S_RDNORM));
}
EXPORT_SYMBOL_GPL(str_notify_read);

/* There may be room below again; bands that were found full before have it. */
void str_notify_write(struct stream *sd)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	if (!more)
		return;
	kill_fasync(&more->wfasync, SIGIO, POLL_OUT);
	if (hlist_empty(&more->sigs))
		return;
	if (test_and_clear_bit(STR_WFULL_NORM, &more->wfull) &&
	    str_writable(sd, 0))
		str_notify(sd, S_OUTPUT);
	if (test_and_clear_bit(STR_WFULL_BAND, &more->wfull) &&
	    str_band_writable(sd))
		str_notify(sd, S_WRBAND);
}

/*
 * M_SIG, M_PCSIG: SIGPOLL is for tasks that asked for the stream's signals.
 * Others are for the process group of a terminal, which no stream is here.
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
void str_front(struct stream *sd)
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

/*
 * Asking
 */
int str_fasync(struct stream *sd, int fd, struct file *file, int on)
{
	struct str_more *more = READ_ONCE(sd->sd_more);
	int ret = 0;

	if (!more && !on)
		return 0;
	more = str_more(sd, GFP_KERNEL_ACCOUNT);
	if (!more)
		return -ENOMEM;
	/*
	 * Before it is on the list, or an event in between would signal no
	 * one.
	 */
	if (on && file->f_mode & FMODE_READ)
		WRITE_ONCE(sd->sd_rwatch, true);
	if (on && file->f_mode & FMODE_WRITE)
		WRITE_ONCE(sd->sd_wwatch, true);
	if (file->f_mode & FMODE_READ)
		ret = fasync_helper(fd, file, on, &more->rfasync);
	str_errand_leave(sd);
	if (ret >= 0 && file->f_mode & FMODE_WRITE) {
		ret = fasync_helper(fd, file, on, &more->wfasync);
		if (ret < 0 && file->f_mode & FMODE_READ)
			fasync_helper(-1, file, 0, &more->rfasync);
		/* Signal the end of a full state that exists now. */
		if (ret >= 0 && on)
			str_writable(sd, 0);
	}
	return ret;
}
EXPORT_SYMBOL_GPL(str_fasync);

static void sig_free_rcu(struct rcu_head *rcu)
{
	struct str_sig *s = container_of(rcu, struct str_sig, rcu);

	put_pid(s->pid);
	put_cred(s->cred);
	kfree(s);
}

/* Takes a registration off its list. Called with sig_lock held. */
static void sig_remove(struct str_more *more, struct str_sig *s)
{
	hlist_del_rcu(&s->node);
	more->nsigs--;
	if (s->type == PIDTYPE_PGID)
		more->nsig_groups--;
	call_rcu(&s->rcu, sig_free_rcu);
}

static struct str_sig *sig_find(struct str_more *more, const struct file *file,
				const struct pid *pid, enum pid_type type)
{
	struct str_sig *s;

	hlist_for_each_entry(s, &more->sigs, node) {
		if (s->file == file && s->pid == pid && s->type == type)
			return s;
	}
	return NULL;
}

/*
 * Takes out those of a file: pid's; or if that is NULL, all, or only those of
 * processes that have ended.
 */
static void sigs_remove(struct str_more *more, const struct file *file,
			const struct pid *pid, bool dead)
{
	struct hlist_node *next;
	struct str_sig *s;

	spin_lock_irq(&more->sig_lock);
	hlist_for_each_entry_safe(s, next, &more->sigs, node) {
		/* A leader's number is also its group's, which stays. */
		if (s->file != file ||
		    (pid && (s->pid != pid || s->type != PIDTYPE_TGID)) ||
		    (dead && pid_has_task(s->pid, s->type)))
			continue;
		sig_remove(more, s);
	}
	spin_unlock_irq(&more->sig_lock);
}

/* A descriptor of the file was closed, by the current process. */
int str_file_flush(struct stream *sd, struct file *file)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	if (more && !hlist_empty(&more->sigs))
		sigs_remove(more, file, task_tgid(current), false);
	/* All files of a task that exits come here before the first is closed. */
	if (current->flags & PF_EXITING)
		WRITE_ONCE(sd->sd_exit, jiffies ?: 1);
	return 0;
}
EXPORT_SYMBOL_GPL(str_file_flush);

/* The file is gone. */
void str_signal_forget(struct str_more *more, struct file *file)
{
	if (!hlist_empty(&more->sigs))
		sigs_remove(more, file, NULL, false);
}

/* Stores a request, in the place of an earlier one. */
static int sig_store(struct stream *sd, struct file *file, struct pid *pid,
		     enum pid_type type, unsigned int events)
{
	struct str_more *more = str_more(sd, GFP_KERNEL_ACCOUNT);
	bool group = type == PIDTYPE_PGID, full;
	struct str_sig *s, *old;

	s = more ? kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT) : NULL;
	if (!s)
		return -EAGAIN;
	s->file = file;
	s->pid = get_pid(pid);
	s->type = type;
	s->events = events;
	s->cred = get_current_cred();
	sigs_remove(more, file, NULL, true);

	if (events & S_READ)
		WRITE_ONCE(sd->sd_rwatch, true);
	if (events & S_WRITE)
		WRITE_ONCE(sd->sd_wwatch, true);
	spin_lock_irq(&more->sig_lock);
	old = sig_find(more, file, pid, type);
	full = !old && (more->nsigs >= SIGS_MOST ||
			(group && more->nsig_groups >= SIG_GROUPS_MOST));
	if (!full) {
		hlist_add_head_rcu(&s->node, &more->sigs);
		more->nsigs++;
		more->nsig_groups += group;
		/* After the new one, so that no event is missed between. */
		if (old)
			sig_remove(more, old);
	}
	spin_unlock_irq(&more->sig_lock);
	if (full) {
		sig_free_rcu(&s->rcu);
		return -EAGAIN;
	}
	str_errand_leave(sd);
	/* Signal the end of a full state that exists now. */
	if (events & S_OUTPUT)
		str_writable(sd, 0);
	if (events & S_WRBAND)
		str_band_writable(sd);
	return 0;
}

static int sig_forget(struct stream *sd, struct file *file, struct pid *pid,
		      enum pid_type type)
{
	struct str_more *more = READ_ONCE(sd->sd_more);
	struct str_sig *s = NULL;

	if (more) {
		spin_lock_irq(&more->sig_lock);
		s = sig_find(more, file, pid, type);
		if (s)
			sig_remove(more, s);
		spin_unlock_irq(&more->sig_lock);
	}
	return s ? 0 : -EINVAL;
}

static int sig_set(struct stream *sd, struct file *file, struct pid *pid,
		   enum pid_type type, unsigned long events)
{
	/* S_BANDURG says only how S_RDBAND is reported. */
	if (events & ~S_ALL || events == S_BANDURG)
		return -EINVAL;
	return events ? sig_store(sd, file, pid, type, events) :
			sig_forget(sd, file, pid, type);
}

static int sig_get(struct stream *sd, struct file *file, struct pid *pid,
		   enum pid_type type, int *events)
{
	struct str_more *more = READ_ONCE(sd->sd_more);
	struct str_sig *s = NULL;

	if (more) {
		spin_lock_irq(&more->sig_lock);
		s = sig_find(more, file, pid, type);
		if (s)
			*events = s->events;
		spin_unlock_irq(&more->sig_lock);
	}
	return s ? 0 : -EINVAL;
}

/* I_SETSIG: the caller wants SIGPOLL for these events; 0: no longer any. */
long str_ioctl_setsig(struct stream *sd, struct file *file,
		      unsigned long events)
{
	return sig_set(sd, file, task_tgid(current), PIDTYPE_TGID, events);
}

long str_ioctl_getsig(struct stream *sd, struct file *file, int __user *arg)
{
	int err, events;

	err = sig_get(sd, file, task_tgid(current), PIDTYPE_TGID, &events);
	return err ?: put_user(events, arg);
}

/* Whether the caller may signal at least one of them, as for kill(). */
static int sig_allowed(struct pid *pid, enum pid_type type)
{
	const struct cred *cred = current_cred();
	struct task_struct *p;
	int err = -ESRCH;

	rcu_read_lock();
	do_each_pid_task(pid, type, p) {
		const struct cred *to = __task_cred(p);

		err = -EPERM;
		if (uid_eq(cred->euid, to->suid) ||
		    uid_eq(cred->euid, to->uid) ||
		    uid_eq(cred->uid, to->suid) ||
		    uid_eq(cred->uid, to->uid) ||
		    ns_capable(to->user_ns, CAP_KILL)) {
			err = 0;
			break;
		}
	} while_each_pid_task(pid, type, p);
	rcu_read_unlock();
	return err;
}

/* The processes that ss_pid names, with a reference; or an error. */
static struct pid *sigset_pid(pid_t nr, enum pid_type *type)
{
	struct pid *pid;
	int err;

	*type = nr < 0 ? PIDTYPE_PGID : PIDTYPE_TGID;
	if (!nr)
		return get_pid(task_tgid(current));
	if (nr == INT_MIN)
		return ERR_PTR(-ESRCH);
	pid = find_get_pid(abs(nr));
	if (!pid)
		return ERR_PTR(-ESRCH);
	err = sig_allowed(pid, *type);
	if (err) {
		put_pid(pid);
		return ERR_PTR(err);
	}
	return pid;
}

/* I_ESETSIG: as I_SETSIG, for another process or a group. */
long str_ioctl_esetsig(struct stream *sd, struct file *file,
		       struct strsigset __user *arg)
{
	struct strsigset set;
	enum pid_type type;
	struct pid *pid;
	long err;

	if (copy_from_user(&set, arg, sizeof(set)))
		return -EFAULT;
	pid = sigset_pid(set.ss_pid, &type);
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	err = sig_set(sd, file, pid, type, (unsigned int)set.ss_events);
	put_pid(pid);
	return err;
}

long str_ioctl_egetsig(struct stream *sd, struct file *file,
		       struct strsigset __user *arg)
{
	struct strsigset set;
	enum pid_type type;
	struct pid *pid;
	long err;

	if (copy_from_user(&set, arg, sizeof(set)))
		return -EFAULT;
	pid = sigset_pid(set.ss_pid, &type);
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	err = sig_get(sd, file, pid, type, &set.ss_events);
	put_pid(pid);
	if (!err && copy_to_user(arg, &set, sizeof(set)))
		err = -EFAULT;
	return err;
}
