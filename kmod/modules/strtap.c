// SPDX-License-Identifier: GPL-2.0-only
/*
 * tee: a STREAMS module that copies data to the readers of /dev/streams/tee
 *
 * The module passes on each message at once. A reader that has no room for a copy loses it,
 * so the program above never waits for a reader. The bytes are copied: a shared buffer would
 * tie the program's buffers, and the room that they take, to a reader.
 *
 * A user's readers get what the user's modules copy, and nothing else: a user that pushes the
 * module has made the stream, or may trace all processes. The readers are walked under RCU:
 * procedures are RCU readers.
 */
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <sys/strparam.h>
#include <sys/strsun.h>
#include <sys/tee.h>

#include "streams/device/nodes.h"
#include "streams/perim/perim.h"
#include "side.h"

/* The bytes of copies, with their memory, that wait for a reader */
#define TEE_HIWAT	1048576
#define TEE_LOWAT	262144
/* The readers of a user: a put procedure makes a copy for each. */
#define TEE_READERS	16

/* A user that has readers or modules */
struct tee_user {
	struct list_head list;		/* under users_lock */
	struct list_head readers;	/* written under users_lock, walked under RCU */
	kuid_t uid;
	unsigned int refs;		/* under users_lock */
	unsigned int nreaders;		/* under users_lock */
};

struct tee_reader {
	struct list_head list;
	struct tee_user *user;
	queue_t *rq;
	atomic64_t lost;		/* copies, since the last message */
};

struct tee {
	struct tee_user *user;
	unsigned int number;
	unsigned int dir;		/* BOTH, OUT, IN */
	atomic64_t lost;		/* copies, of all readers */
	struct rcu_head rcu;
};

static LIST_HEAD(users);
static DEFINE_MUTEX(users_lock);
static atomic_t tee_last;
static struct strdrv tee_driver;

/* Returns the record of a user, with a reference; NULL when memory is short. */
static struct tee_user *user_get(kuid_t uid)
{
	struct tee_user *u;

	lockdep_assert_held(&users_lock);
	list_for_each_entry(u, &users, list) {
		if (uid_eq(u->uid, uid)) {
			u->refs++;
			return u;
		}
	}
	u = kzalloc(sizeof(*u), GFP_KERNEL_ACCOUNT);
	if (!u)
		return NULL;
	u->uid = uid;
	u->refs = 1;
	INIT_LIST_HEAD(&u->readers);
	list_add(&u->list, &users);
	return u;
}

static void user_put(struct tee_user *u)
{
	lockdep_assert_held(&users_lock);
	if (--u->refs)
		return;
	list_del(&u->list);
	kfree(u);
}

static int tee_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct tee *t;

	/* A copy of a copy would be copied again. */
	if (sflag != MODOPEN || q->q_stream->sd_drv == &tee_driver)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	if (!side_may_see(q, cr))
		return EACCES;
	t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);
	if (!t)
		return ENOSR;
	mutex_lock(&users_lock);
	t->user = user_get(cr->euid);
	mutex_unlock(&users_lock);
	if (!t->user) {
		kfree(t);
		return ENOSR;
	}
	t->number = atomic_inc_return(&tee_last);
	q->q_ptr = t;
	WR(q)->q_ptr = t;
	qprocson(q);
	return 0;
}

static int tee_close(queue_t *q, int oflag, cred_t *cr)
{
	struct tee *t = q->q_ptr;

	qprocsoff(q);
	mutex_lock(&users_lock);
	user_put(t->user);
	mutex_unlock(&users_lock);
	kfree_rcu(t, rcu);
	return 0;
}

/* Returns the part of a message that has its data, or NULL. */
static const mblk_t *data_of(const mblk_t *mp)
{
	if (!datamsg(DB_TYPE(mp)))
		return NULL;
	while (mp && DB_TYPE(mp) != M_DATA)
		mp = mp->b_cont;
	return mp && msgdsize(mp) ? mp : NULL;
}

/* Sends a copy to a reader. Returns whether it had room, and memory sufficed. */
static bool reader_send(struct tee_reader *r, const struct tee *t, bool up, const mblk_t *data)
{
	struct tee_ctl *ctl;
	mblk_t *mp;

	/*
	 * A multiplexor above could lead the copy to a stream with this module, and so on. Copies
	 * also wait at the perimeter while a task changes the reader's stream.
	 */
	if (READ_ONCE(r->rq->q_stream->sd_linked) || !canputnext(r->rq) || str_perim_full(r->rq))
		return false;
	mp = allocb(sizeof(*ctl), BPRI_LO);
	if (!mp)
		return false;
	mp->b_cont = copymsg((mblk_t *)data);
	if (!mp->b_cont) {
		freeb(mp);
		return false;
	}
	DB_TYPE(mp) = M_PROTO;
	/* A copy counts for its memory. */
	mp->b_flag |= MSGOBJECT;
	ctl = (struct tee_ctl *)mp->b_wptr;
	*ctl = (struct tee_ctl){
		.number = t->number,
		.up = up,
		.lost = atomic64_xchg(&r->lost, 0),
	};
	mp->b_wptr += sizeof(*ctl);
	mp->b_cont->b_band = 0;
	putnext(r->rq, mp);
	return true;
}

static void tee_copy(struct tee *t, bool up, const mblk_t *mp)
{
	const mblk_t *data = t->dir == (up ? OUT : IN) ? NULL : data_of(mp);
	struct tee_reader *r;

	if (!data)
		return;
	rcu_read_lock();
	list_for_each_entry_rcu(r, &t->user->readers, list) {
		if (reader_send(r, t, up, data))
			continue;
		atomic64_inc(&r->lost);
		atomic64_inc(&t->lost);
	}
	rcu_read_unlock();
}

static int tee_setting(void *arg, const char *name, char *value)
{
	return strcmp(name, "dir") ? EINVAL : strparam_word(value, directions, arg);
}

static int tee_wput(queue_t *q, mblk_t *mp)
{
	struct tee *t = q->q_ptr;
	unsigned int dir = t->dir;
	int err;

	if (strparam_mine(q, mp)) {
		err = strparam_each(mp, tee_setting, &dir);
		if (!err)
			WRITE_ONCE(t->dir, dir);
		strparam_answer(q, mp, err);
		return 0;
	}
	tee_copy(t, false, mp);
	putnext(q, mp);
	return 0;
}

static int tee_rput(queue_t *q, mblk_t *mp)
{
	tee_copy(q->q_ptr, true, mp);
	putnext(q, mp);
	return 0;
}

/* The user that pushed the module on a listening socket has the copies of accepted ones. */
static void tee_like(queue_t *q, queue_t *model)
{
	const struct tee *from = model->q_ptr;
	struct tee *t = q->q_ptr;

	t->dir = READ_ONCE(from->dir);
	mutex_lock(&users_lock);
	from->user->refs++;
	user_put(t->user);
	t->user = from->user;
	mutex_unlock(&users_lock);
}

static void tee_show(queue_t *q, struct seq_file *m)
{
	const struct tee *t = q->q_ptr;

	seq_printf(m, ":number=%u:dir=%s:lost=%lld", t->number,
		   directions[READ_ONCE(t->dir)], (long long)atomic64_read(&t->lost));
}

/* Sets how much may wait for a reader, and that read() leaves control parts out. */
static mblk_t *reader_marks(void)
{
	mblk_t *mp = allocb_gfp(sizeof(struct stroptions), GFP_KERNEL_ACCOUNT);
	struct stroptions *so;

	if (!mp)
		return NULL;
	so = (struct stroptions *)mp->b_wptr;
	*so = (struct stroptions){
		.so_flags = SO_HIWAT | SO_LOWAT | SO_READOPT,
		.so_readopt = RNORM | RPROTDIS,
		.so_hiwat = TEE_HIWAT,
		.so_lowat = TEE_LOWAT,
	};
	mp->b_wptr += sizeof(*so);
	DB_TYPE(mp) = M_SETOPTS;
	return mp;
}

/* Has a reader found by the modules of its user. Returns an error number. */
static int reader_add(struct tee_reader *r, kuid_t uid)
{
	struct tee_user *u;
	int err = 0;

	mutex_lock(&users_lock);
	u = user_get(uid);
	if (!u) {
		err = ENOSR;
	} else if (u->nreaders == TEE_READERS) {
		user_put(u);
		err = EBUSY;
	} else {
		u->nreaders++;
		r->user = u;
		list_add_tail_rcu(&r->list, &u->readers);
	}
	mutex_unlock(&users_lock);
	return err;
}

static int reader_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct tee_reader *r;
	mblk_t *marks;
	int err;

	if (sflag == MODOPEN)
		return EINVAL;
	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	marks = r ? reader_marks() : NULL;
	if (!marks) {
		kfree(r);
		return ENOSR;
	}
	r->rq = q;
	q->q_ptr = r;
	WR(q)->q_ptr = r;
	qprocson(q);
	putnext(q, marks);
	err = reader_add(r, cr->euid);
	if (err) {
		qprocsoff(q);
		kfree(r);
	}
	return err;
}

static int reader_close(queue_t *q, int oflag, cred_t *cr)
{
	struct tee_reader *r = q->q_ptr;

	mutex_lock(&users_lock);
	list_del_rcu(&r->list);
	mutex_unlock(&users_lock);
	/* A module may have found the reader before. */
	synchronize_rcu();
	qprocsoff(q);
	mutex_lock(&users_lock);
	r->user->nreaders--;
	user_put(r->user);
	mutex_unlock(&users_lock);
	kfree(r);
	return 0;
}

static int reader_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		miocnak(q, mp, 0, EINVAL);
		break;
	case M_FLUSH:
		if (MBLKL(mp) >= 1 && *mp->b_rptr & FLUSHR) {
			*mp->b_rptr &= ~FLUSHW;
			qreply(q, mp);
			break;
		}
		fallthrough;
	default:
		freemsg(mp);
	}
	return 0;
}

static int reader_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

static struct module_info tee_info = {
	.mi_idname = "tee",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit tee_rinit = {
	.qi_putp = tee_rput,
	.qi_qopen = tee_open,
	.qi_qclose = tee_close,
	.qi_minfo = &tee_info,
	.qi_show = tee_show,
	.qi_like = tee_like,
};

static struct qinit tee_winit = {
	.qi_putp = tee_wput,
	.qi_minfo = &tee_info,
};

static const struct streamtab tee_tab = {
	.st_rdinit = &tee_rinit,
	.st_wrinit = &tee_winit,
};

static struct strmod tee = {
	.name = "tee",
	.tab = &tee_tab,
	.owner = THIS_MODULE,
};

static struct qinit reader_rinit = {
	.qi_putp = reader_rput,
	.qi_qopen = reader_open,
	.qi_qclose = reader_close,
	.qi_minfo = &tee_info,
};

static struct qinit reader_winit = {
	.qi_putp = reader_wput,
	.qi_minfo = &tee_info,
};

static const struct streamtab reader_tab = {
	.st_rdinit = &reader_rinit,
	.st_wrinit = &reader_winit,
};

static struct strdrv tee_driver = {
	.name = "tee",
	.tab = &reader_tab,
	.owner = THIS_MODULE,
};

static int __init strtap_init(void)
{
	int err = strdrv_register(&tee_driver);

	if (err)
		return err;
	err = strmod_register(&tee);
	if (err)
		strdrv_unregister(&tee_driver);
	return err;
}

static void __exit strtap_exit(void)
{
	strmod_unregister(&tee);
	strdrv_unregister(&tee_driver);
}

module_init(strtap_init);
module_exit(strtap_exit);

MODULE_DESCRIPTION("STREAMS module that copies data to readers");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-tee");
STR_NODE(18);
MODULE_ALIAS("devname:streams/tee");
