// SPDX-License-Identifier: GPL-2.0-only
/*
 * I_SENDFD and I_RECVFD: open files sent over a pipe
 *
 * The same open file arrives, with its offset and its flags. A file in flight
 * is charged to the user that sent it, with the limit of files in flight in
 * AF_UNIX sockets. Freeing the message, in any context, puts the file.
 *
 * Files in flight do not nest: an end of a pipe that is in flight takes no
 * files, and an end with files to be received is not sent. Nor does an end take
 * files while it has a name, which keeps it open: a file of the namespace of mounts
 * in which the name is would keep the name. So an end whose queue holds a file is
 * always referenced by something other than a message or a name, and when that
 * reference is dropped the queue is emptied. No cycle of messages can keep itself
 * alive.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/hashtable.h>
#include <linux/magic.h>
#include <linux/net.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "streams/head/errand.h"
#include "streams/head/files.h"
#include "streams/head/reader.h"
#include "streams/head/signal.h"
#include "streams/head/wake.h"
#include "streams/queue/flow.h"
#include "streams/queue/queue.h"
#include "passfp.h"

/* The objects that a user has left to the kernel */
struct passer {
	struct hlist_node node;
	kuid_t uid;
	unsigned long files;		/* all of it */
	unsigned long names;		/* of PASS_NAME */
};

/*
 * Names that an unprivileged user may have, whatever RLIMIT_NOFILE says: all
 * users share one limit of mounts.
 */
#define NAMES_MOST	1024

static DEFINE_HASHTABLE(passers, 6);
static DEFINE_SPINLOCK(passers_lock);

static struct passer *passer_find(kuid_t uid)
{
	struct passer *passer;

	hash_for_each_possible(passers, passer, node, __kuid_val(uid)) {
		if (uid_eq(passer->uid, uid))
			return passer;
	}
	return NULL;
}

/*
 * Returns whether the caller has no limit. The rule for files in flight and links is that
 * of AF_UNIX for files. CAP_SYS_ADMIN does not lift the limit of names: a helper that
 * makes names for others has it.
 */
static bool passer_unlimited(enum passer_kind kind)
{
	return capable(CAP_SYS_RESOURCE) ||
	       (kind != PASS_NAME && capable(CAP_SYS_ADMIN));
}

/*
 * In a user namespace, count to its creator: the numbers in it are not further
 * users. A namespace that root made was given numbers of its own, and its root
 * is counted for all of it.
 */
static kuid_t passer_uid(void)
{
	struct user_namespace *ns = current_user_ns(), *outermost = NULL;
	kuid_t root;

	for (; ns != &init_user_ns; ns = ns->parent)
		outermost = ns;
	if (!outermost)
		return current_uid();
	if (!uid_eq(outermost->owner, GLOBAL_ROOT_UID))
		return outermost->owner;
	root = make_kuid(outermost, 0);
	return uid_valid(root) ? root : outermost->owner;
}

/**
 * str_passer_get() - charge an object to the user that leaves it to the kernel
 * @kind: the kind of object
 *
 * Return: the argument for str_passer_put(), or an error pointer: -EAGAIN
 * beyond RLIMIT_NOFILE or the limit of the kind, for an unprivileged user,
 * -ENOMEM.
 */
struct passer *str_passer_get(enum passer_kind kind)
{
	struct passer *spare, *passer;
	kuid_t uid = passer_uid();
	unsigned long flags;
	bool exceeds;

	spare = kzalloc(sizeof(*spare), GFP_KERNEL_ACCOUNT);
	if (!spare)
		return ERR_PTR(-ENOMEM);
	spin_lock_irqsave(&passers_lock, flags);
	passer = passer_find(uid);
	if (!passer) {
		passer = spare;
		spare = NULL;
		passer->uid = uid;
		hash_add(passers, &passer->node, __kuid_val(uid));
	}
	passer->files++;
	passer->names += kind == PASS_NAME;
	exceeds = passer->files > rlimit(RLIMIT_NOFILE) ||
		  (kind == PASS_NAME && passer->names > NAMES_MOST);
	spin_unlock_irqrestore(&passers_lock, flags);
	kfree(spare);
	if (exceeds && !passer_unlimited(kind)) {
		str_passer_put(passer, kind);
		return ERR_PTR(-EAGAIN);
	}
	return passer;
}
EXPORT_SYMBOL_GPL(str_passer_get);

/**
 * str_passer_put() - drop one accounted item
 * @passer: from str_passer_get()
 * @kind: as it was given there
 *
 * Context: any.
 */
void str_passer_put(struct passer *passer, enum passer_kind kind)
{
	unsigned long flags;

	spin_lock_irqsave(&passers_lock, flags);
	passer->names -= kind == PASS_NAME;
	if (--passer->files)
		passer = NULL;
	else
		hash_del(&passer->node);
	spin_unlock_irqrestore(&passers_lock, flags);
	kfree(passer);
}
EXPORT_SYMBOL_GPL(str_passer_put);

/**
 * str_accept_alloc() - make something to wait on for a file's arrival
 *
 * Return: the object, to be put by the waiter, or NULL when memory is short.
 */
struct str_accept *str_accept_alloc(void)
{
	struct str_accept *accept = kzalloc(sizeof(*accept), GFP_KERNEL_ACCOUNT);

	if (!accept)
		return NULL;
	refcount_set(&accept->ref, 1);
	init_completion(&accept->done);
	return accept;
}
EXPORT_SYMBOL_GPL(str_accept_alloc);

void str_accept_put(struct str_accept *accept)
{
	if (refcount_dec_and_test(&accept->ref))
		kfree(accept);
}
EXPORT_SYMBOL_GPL(str_accept_put);

/* Guards sd_passed, sd_flying and sd_names of all streams. */
static DEFINE_SPINLOCK(passing_lock);

/*
 * Counts a file on its way to the read queue of one end of a pipe, unless it
 * would nest there. -EINVAL: the end could reference itself for ever; -EAGAIN:
 * the file may be sent when the files before it have been received.
 */
static int passing_begin(struct stream *to, struct stream *is)
{
	unsigned long flags;
	int err = 0;

	if (is == to)
		return -EINVAL;
	spin_lock_irqsave(&passing_lock, flags);
	if (to->sd_names) {
		err = -EINVAL;
	} else if (to->sd_flying || (is && is->sd_passed)) {
		err = -EAGAIN;
	} else {
		to->sd_passed++;
		if (is)
			is->sd_flying++;
	}
	spin_unlock_irqrestore(&passing_lock, flags);
	return err;
}

static void passing_end(struct stream *to, struct stream *is)
{
	unsigned long flags;

	spin_lock_irqsave(&passing_lock, flags);
	to->sd_passed--;
	if (is)
		is->sd_flying--;
	spin_unlock_irqrestore(&passing_lock, flags);
}

/**
 * str_name_begin() - note that a stream is about to be kept open by a name
 * @sd: the stream head
 *
 * Return: 0, or -EBUSY while files that were passed to it have not been received.
 */
int str_name_begin(struct stream *sd)
{
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&passing_lock, flags);
	if (sd->sd_passed)
		err = -EBUSY;
	else
		sd->sd_names++;
	spin_unlock_irqrestore(&passing_lock, flags);
	return err;
}
EXPORT_SYMBOL_GPL(str_name_begin);

/**
 * str_name_end() - note that a name no longer keeps a stream open
 * @sd: the stream head, of a name for which str_name_begin() succeeded
 */
void str_name_end(struct stream *sd)
{
	unsigned long flags;

	spin_lock_irqsave(&passing_lock, flags);
	sd->sd_names--;
	spin_unlock_irqrestore(&passing_lock, flags);
}
EXPORT_SYMBOL_GPL(str_name_end);

/* Runs in any context: a flush may run in the bottom half. */
static void passfp_free(char *arg)
{
	struct str_passfp *p = (struct str_passfp *)arg;

	passing_end(p->in, p->is);
	if (p->accept) {
		complete(&p->accept->done);
		str_accept_put(p->accept);
	}
	str_passer_put(p->passer, PASS_FILE);
	fput(p->file);
	kfree(p);
}

static mblk_t *passfp_alloc(struct stream *to, struct file *file,
			    struct str_accept *accept)
{
	struct stream *is = str_of_file(file);
	struct str_passfp *p;
	int err = -ENOSR;
	mblk_t *mp;

	/* Only a pipe's end has files on its queue. */
	if (is && !(READ_ONCE(is->sd_flag) & STR_PIPE))
		is = NULL;
	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return ERR_PTR(-ENOSR);
	p->passer = str_passer_get(PASS_FILE);
	if (IS_ERR(p->passer))
		goto no_passer;
	err = passing_begin(to, is);
	if (err)
		goto nested;
	p->frtn.free_func = passfp_free;
	p->frtn.free_arg = (char *)p;
	mp = esballoc((unsigned char *)p, 0, BPRI_HI, &p->frtn);
	if (!mp) {
		err = -ENOSR;
		goto no_message;
	}
	p->file = get_file(file);
	p->uid = current_euid();
	p->gid = current_egid();
	p->accept = accept;
	if (accept)
		refcount_inc(&accept->ref);
	p->in = to;
	p->is = is;
	DB_TYPE(mp) = M_PASSFP;
	mp->b_flag |= MSGOBJECT;
	return mp;

no_message:
	passing_end(to, is);
nested:
	str_passer_put(p->passer, PASS_FILE);
no_passer:
	kfree(p);
	return ERR_PTR(err);
}

/*
 * Returns the file that a message carries; NULL if the message was not made
 * here.
 */
static struct str_passfp *passfp_of(const mblk_t *mp)
{
	const frtn_t *frtn = mp->b_datap->db_frtnp;

	if (DB_TYPE(mp) != M_PASSFP || !frtn || frtn->free_func != passfp_free)
		return NULL;
	return (struct str_passfp *)frtn->free_arg;
}

/* Frees the message of a file that was never sent: the caller may try again. */
static void passfp_unsent(mblk_t *mp)
{
	struct str_passfp *p = passfp_of(mp);

	if (p->accept)
		str_accept_put(p->accept);
	p->accept = NULL;
	freemsg(mp);
}

/*
 * Queues a message at the other end, unless that end is full or has no reader.
 * is_first: set to whether the message is the first one there.
 */
static int passfp_queue(struct stream *sd, struct stream *to, mblk_t *mp,
			bool *is_first)
{
	queue_t *q = str_rq(to);
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&q->q_lock, flags);
	/*
	 * The end is checked here: the last reader sets the flag before it
	 * empties the queue, and no file may be left on a queue without a
	 * reader.
	 */
	if (READ_ONCE(sd->sd_flag) & (STR_HUP | STR_NOREADER | STR_CLOSING) ||
	    to->sd_flag & STR_CLOSING)
		err = -ENXIO;
	else if (q->q_count >= q->q_hiwat || !__putq(q, mp))
		err = -EAGAIN;
	*is_first = q->q_first == mp;
	spin_unlock_irqrestore(&q->q_lock, flags);
	return err;
}

/**
 * str_sendfd() - send an open file over a pipe
 * @sd: the stream head of the sending end
 * @file: the file; a reference of its own travels
 * @accept: completed when the file was received or dropped; or NULL
 *
 * Return: 0; -EAGAIN when the other end's read queue is full, when the other end
 * is in flight itself, or when @file is an end of a pipe that has files to be
 * received; -ENOSR when the user has too many files in flight or memory is short
 * (I_SENDFD: -EAGAIN too); -EINVAL when @sd is not a pipe, when @file is the end that
 * would receive it, or when that end has a name; -ENXIO after a hangup or when the
 * other end is closed; or M_ERROR's value.
 * POSIX.1-2001 ioctl(I_SENDFD).
 */
int str_sendfd(struct stream *sd, struct file *file, struct str_accept *accept)
{
	struct stream *to = sd->sd_mate;
	bool is_first;
	mblk_t *mp;
	int err;

	if (!to)
		return -EINVAL;
	err = str_take_error(sd, true);
	if (err)
		return err;
	/*
	 * The hangup is checked first: a broken pipe is reported as such, full
	 * or not.
	 */
	if (READ_ONCE(sd->sd_flag) & (STR_HUP | STR_NOREADER | STR_CLOSING))
		return -ENXIO;
	mp = passfp_alloc(to, file, accept);
	if (IS_ERR(mp))
		return PTR_ERR(mp);
	err = passfp_queue(sd, to, mp, &is_first);
	if (err)
		passfp_unsent(mp);
	else
		str_arrived(to, EPOLLIN | EPOLLRDNORM, is_first);
	return err;
}
EXPORT_SYMBOL_GPL(str_sendfd);

/*
 * Returns the first message, held on the queue, if it carries a file; NULL when
 * the queue is empty. The caller holds sd_read_mutex.
 */
static mblk_t *recvfd_first(struct stream *sd)
{
	queue_t *q = str_rq(sd);
	mblk_t *mp;

	lockdep_assert_held(&sd->sd_read_mutex);
	spin_lock_irq(&q->q_lock);
	mp = q->q_first;
	if (mp && !passfp_of(mp)) {
		mp = ERR_PTR(-EBADMSG);
	} else if (mp) {
		sd->sd_reading = mp;
		sd->sd_flag &= ~STR_FLUSHED;
	}
	spin_unlock_irq(&q->q_lock);
	return mp;
}

/*
 * Waits for a message. The caller holds sd_read_mutex, which is dropped for the
 * wait, and taken again unless the caller is killed: NULL.
 */
static mblk_t *recvfd_wait(struct stream *sd, unsigned int fflags)
{
	for (;;) {
		/* The flags are read before the queue: earlier messages are taken first. */
		unsigned int flag = READ_ONCE(sd->sd_flag);
		int err = str_take_error(sd, false);
		mblk_t *mp;

		if (err)
			return ERR_PTR(err);
		mp = recvfd_first(sd);
		if (mp)
			return mp;
		err = str_errand_fetch(sd, false);
		if (err < 0)
			return ERR_PTR(err);
		if (err)
			continue;
		if (flag & STR_READ_ENDS)
			return ERR_PTR(-ENXIO);
		if (fflags & O_NONBLOCK)
			return ERR_PTR(-EAGAIN);
		mutex_unlock(&sd->sd_read_mutex);
		err = wait_event_interruptible(sd->sd_rwait, str_read_ready(sd));
		if (str_read_lock(sd))
			return NULL;
		if (err)
			return ERR_PTR(err);
	}
}

/*
 * Gives the caller a descriptor of the file, and the user its number and the
 * sender's names. -EOVERFLOW: the sender has no name in the caller's user
 * namespace.
 */
static int recvfd_install(const struct str_passfp *p,
			  struct strrecvfd __user *arg)
{
	struct strrecvfd recv = { .fd = -1 };
	int fd;

	recv.uid = from_kuid(current_user_ns(), p->uid);
	recv.gid = from_kgid(current_user_ns(), p->gid);
	if (recv.uid == (uid_t)-1 || recv.gid == (gid_t)-1)
		return -EOVERFLOW;
	/*
	 * The copy comes first: a descriptor would have to be closed again
	 * after an error.
	 */
	if (copy_to_user(arg, &recv, sizeof(recv)))
		return -EFAULT;
	fd = receive_fd(p->file, NULL, 0);
	if (fd < 0)
		return fd;
	if (put_user(fd, &arg->fd)) {
		close_fd(fd);
		return -EFAULT;
	}
	return 0;
}

/* Releases the message, which stays on the queue unless it was received. */
static void recvfd_done(struct stream *sd, mblk_t *mp, bool done)
{
	queue_t *q = str_rq(sd);
	bool want = false, signal;

	spin_lock_irq(&q->q_lock);
	sd->sd_reading = NULL;
	if (done || sd->sd_flag & STR_FLUSHED)
		want = __rmvq(q, mp);
	else
		mp = NULL;
	signal = str_signal_first(q);
	spin_unlock_irq(&q->q_lock);
	freemsg(mp);
	if (unlikely(signal))
		str_deliver_signal(sd);
	if (want)
		backenable(q, 0);
}

/**
 * str_recvfd() - take an open file that was sent over a pipe
 * @sd: the stream head of the receiving end
 * @fflags: the file's O_NONBLOCK
 * @arg: the user's struct strrecvfd
 *
 * The message stays when the caller can do something about the error (-EFAULT,
 * -EMFILE); it is dropped with -EOVERFLOW, or it would block the queue for
 * ever.
 *
 * Return: 0; -EAGAIN, -EBADMSG when the first message carries no file, -EFAULT,
 * -EMFILE, -ENXIO after a hangup when nothing is left, -EOVERFLOW when the
 * sender's user or group has no number in the caller's user namespace,
 * -ERESTARTSYS; or M_ERROR's value. POSIX.1-2001 ioctl(I_RECVFD).
 */
int str_recvfd(struct stream *sd, unsigned int fflags, void __user *arg)
{
	struct str_passfp *p;
	mblk_t *mp;
	int err;

	if (str_read_lock(sd))
		return -EINTR;
	mp = recvfd_wait(sd, fflags);
	if (!mp)
		return -EINTR;
	if (IS_ERR(mp)) {
		err = PTR_ERR(mp);
	} else {
		p = passfp_of(mp);
		err = recvfd_install(p, arg);
		/* The completion, which comes after this, orders the store. */
		if (!err && p->accept)
			WRITE_ONCE(p->accept->taken, true);
		recvfd_done(sd, mp, !err || err == -EOVERFLOW);
	}
	mutex_unlock(&sd->sd_read_mutex);
	return err;
}

/*
 * The files without a name that hold no other file. All others of their kind
 * are refused, such as io_uring's (registered files) and fscontext's (a
 * parameter's file).
 */
static const char *const holds_none[] = {
	"[eventfd]", "[eventpoll]", "[pidfd]", "[signalfd]", "[timerfd]",
	"inotify",
};

/*
 * Returns whether a file may hold other files, so that a pipe's end could hold itself
 * through it: a socket with descriptors in its messages, or a file without a name of a
 * type that is not listed above.
 */
static bool holds_files(struct file *file)
{
	struct socket *sock = sock_from_file(file);
	unsigned int i;

	if (sock)
		return sock->ops->family == AF_UNIX;
	if (file_inode(file)->i_sb->s_magic != ANON_INODE_FS_MAGIC)
		return false;
	for (i = 0; i < ARRAY_SIZE(holds_none); i++) {
		if (!strcmp(file->f_path.dentry->d_name.name, holds_none[i]))
			return false;
	}
	return true;
}

/* I_SENDFD: sends the file of the descriptor that is the argument itself. */
long str_ioctl_sendfd(struct stream *sd, struct file *file, unsigned int fd)
{
	struct file *sent;
	int err;

	if (!sd->sd_mate)
		return -EINVAL;
	sent = fget(fd);
	if (!sent)
		return -EBADF;
	err = holds_files(sent) ? -EINVAL : str_sendfd(sd, sent, NULL);
	fput(sent);
	return err == -ENOSR ? -EAGAIN : err;
}

long str_ioctl_recvfd(struct stream *sd, struct file *file, void __user *arg)
{
	return str_recvfd(sd, file->f_flags, arg);
}
