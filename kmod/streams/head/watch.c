// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asking for the signals of a stream
 *
 * O_ASYNC, I_SETSIG and I_ESETSIG. A registration belongs to a process (or group)
 * and a file: it ends when that process closes the file, or the file is gone.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "errand.h"
#include "room.h"
#include "signal.h"
#include "watch.h"

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
	 * The flag is set before the registration is on the list: an event in
	 * between would signal no process.
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
		/*
		 * The process is signalled when the full state that exists now
		 * ends.
		 */
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

/* Removes a registration from its list. Called with sig_lock held. */
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
 * Removes the registrations of a file: that of pid; or, if pid is NULL, all, or
 * only those of processes that have ended.
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

/* Handles the close of a descriptor of the file by the current process. */
int str_file_flush(struct stream *sd, struct file *file)
{
	struct str_more *more = READ_ONCE(sd->sd_more);

	if (more && !hlist_empty(&more->sigs))
		sigs_remove(more, file, task_tgid(current), false);
	/*
	 * A task that exits closes all its files here before the first is
	 * released.
	 */
	if (current->flags & PF_EXITING)
		WRITE_ONCE(sd->sd_exit, jiffies ?: 1);
	return 0;
}
EXPORT_SYMBOL_GPL(str_file_flush);

/* Removes the registrations of a file that is gone. */
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
		/*
		 * The old registration is removed after the new one is added,
		 * so that no event is missed between.
		 */
		if (old)
			sig_remove(more, old);
	}
	spin_unlock_irq(&more->sig_lock);
	if (full) {
		sig_free_rcu(&s->rcu);
		return -EAGAIN;
	}
	str_errand_leave(sd);
	/* The process is signalled when the full state that exists now ends. */
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
	/* S_BANDURG only determines how S_RDBAND is reported. */
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

/* I_SETSIG: makes the caller receive SIGPOLL for these events; 0: for none. */
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

/*
 * Returns 0 if the caller may signal at least one of the processes, as kill()
 * decides.
 */
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

/* Returns the processes that ss_pid names, with a reference, or an error. */
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

/*
 * I_ESETSIG: registers another process or a group, as I_SETSIG registers the
 * caller.
 */
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
