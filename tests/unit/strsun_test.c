// SPDX-License-Identifier: GPL-2.0-only
/* Shorthand for messages and ioctls */
#include <sys/strsun.h>

#include "unit.h"

static const struct cred first_cred;
struct task_struct init_task = { .cred = &first_cred };

/* Messages sent up: the queue above keeps them. */
static mblk_t *sent;

static int keep(queue_t *q, mblk_t *mp)
{
	TRUE(!sent);
	sent = mp;
	return 0;
}

static mblk_t *take(void)
{
	mblk_t *mp = sent;

	sent = NULL;
	return mp;
}

static struct qinit keeps = { .qi_putp = keep };
static struct strperim perim;
static queue_t above = { .q_qinfo = &keeps, .q_flag = QREADR | QMTSAFE };
static queue_t pair[2] = {
	{ .q_flag = QREADR, .q_next = &above, .q_perim = &perim },
	{ .q_perim = &perim },
};

static queue_t *const wq = &pair[1];

/* M_ERROR of one byte was sent up. */
static bool error_came(int error)
{
	mblk_t *mp = take();
	bool good = mp && DB_TYPE(mp) == M_ERROR && MBLKL(mp) == 1 &&
		    *mp->b_rptr == error;

	freemsg(mp);
	return good;
}

static struct iocblk *ioc_of(mblk_t *mp)
{
	return (struct iocblk *)mp->b_rptr;
}

static struct copyreq *req_of(mblk_t *mp)
{
	return (struct copyreq *)mp->b_rptr;
}

static void made_anew(void)
{
	mblk_t *mp = chain(M_DATA, "one two"), *dup, *was = mp;
	unsigned int type;

	/* Used again, without the blocks that followed. */
	mp = mexchange(wq, mp, 8, M_PROTO, 7);
	TRUE(mp == was && !mp->b_cont && DB_TYPE(mp) == M_PROTO);
	TRUE(MBLKL(mp) == 8);
	memcpy(&type, mp->b_rptr, sizeof(type));
	TRUE(type == 7);
	/* Too small for a type: none is stored. */
	mp = mexchange(wq, mp, 2, M_ERROR, 7);
	TRUE(MBLKL(mp) == 2);
	/* Another block shares it: a new one is made. */
	dup = dupb(mp);
	mp = mexchange(wq, mp, 4, M_CTL, M_NOTYPE);
	TRUE(mp && mp->b_datap != dup->b_datap && DB_TYPE(dup) == M_ERROR);
	freeb(dup);
	/* Too small: another is made; without memory M_ERROR is sent up. */
	stub_fail_at = 1;
	TRUE(!mexchange(wq, mp, 100000, M_DATA, M_NOTYPE));
	TRUE(error_came(ENOSR));
	stub_fail_at = 1;
	TRUE(!mexchange(NULL, NULL, 1, M_DATA, M_NOTYPE));
	merror(wq, NULL, EIO);
	TRUE(error_came(EIO));
}

static void own_ioctl(void)
{
	mblk_t *a = mkiocb(0x1234), *b = mkiocb(1);

	TRUE(DB_TYPE(a) == M_IOCTL && ioc_of(a)->ioc_cmd == 0x1234);
	TRUE(!ioc_of(a)->ioc_count && ioc_of(a)->ioc_cr == &first_cred);
	TRUE((ioc_of(a)->ioc_flag & IOC_MODELS) == IOC_NONE);
	TRUE(ioc_of(a)->ioc_id != ioc_of(b)->ioc_id);
	freemsg(a);
	freemsg(b);
	stub_fail_at = 1;
	TRUE(!mkiocb(1));
}

static void one_block(void)
{
	mblk_t *mp = mkiocb(1);

	TRUE(miocpullup(mp, 1) == EINVAL);
	TRUE(!miocpullup(mp, 0));
	mp->b_cont = chain(M_DATA, "ab cd ef");
	ioc_of(mp)->ioc_count = 6;
	TRUE(miocpullup(mp, 7) == EINVAL);
	stub_fail_at = 1;
	TRUE(miocpullup(mp, 4) == ENOMEM);
	TRUE(looks(mp->b_cont, "ab cd ef"));
	TRUE(!miocpullup(mp, 4));
	TRUE(mblk_len(mp->b_cont) >= 4 && !memcmp(mp->b_cont->b_rptr, "abcd", 4));
	TRUE(msgdsize(mp->b_cont) == 6);
	ioc_of(mp)->ioc_count = TRANSPARENT;
	TRUE(miocpullup(mp, 1) == EINVAL);
	freemsg(mp);
}

static void answered(void)
{
	mblk_t *mp = mkiocb(1);

	mp->b_cont = chain(M_DATA, "data");
	miocack(wq, mp, 4, 9);
	mp = take();
	TRUE(DB_TYPE(mp) == M_IOCACK && ioc_of(mp)->ioc_count == 4);
	TRUE(ioc_of(mp)->ioc_rval == 9 && !ioc_of(mp)->ioc_error);
	TRUE(looks(mp->b_cont, "data"));
	miocnak(wq, mp, 0, EDOM);
	mp = take();
	TRUE(DB_TYPE(mp) == M_IOCNAK && ioc_of(mp)->ioc_error == EDOM);
	TRUE(!ioc_of(mp)->ioc_rval && !mp->b_cont);
	miocnak(wq, mp, 0, 0);
	mp = take();
	TRUE(ioc_of(mp)->ioc_error == EINVAL);
	freemsg(mp);
}

static void copies(void)
{
	mblk_t *mp = mkiocb(5), *arg;
	void *user = (void *)0x4000;
	struct copyresp *resp;
	unsigned int id = ioc_of(mp)->ioc_id;
	char to[8];

	ioc_of(mp)->ioc_count = TRANSPARENT;
	ioc_of(mp)->ioc_flag = IOC_ILP32;
	arg = allocb(sizeof(user), BPRI_MED);
	memcpy(arg->b_wptr, &user, sizeof(user));
	arg->b_wptr += sizeof(user);
	mp->b_cont = arg;
	/* The argument is where the user has it. */
	mcopyin(mp, &id, 24, NULL);
	TRUE(DB_TYPE(mp) == M_COPYIN && !mp->b_cont);
	TRUE(MBLKL(mp) == sizeof(struct copyreq));
	TRUE(req_of(mp)->cq_addr == user && req_of(mp)->cq_size == 24);
	TRUE(req_of(mp)->cq_private == (void *)&id);
	TRUE(req_of(mp)->cq_cmd == 5 && req_of(mp)->cq_id == id);
	TRUE(req_of(mp)->cq_flag == IOC_ILP32);
	/* As the stream head answers it. */
	DB_TYPE(mp) = M_IOCDATA;
	resp = (struct copyresp *)mp->b_rptr;
	resp->cp_flag = IOC_LP64;
	mp->b_cont = chain(M_DATA, "old");
	mcopyout(mp, NULL, 3, (void *)0x5000, block(M_DATA, "new"));
	TRUE(DB_TYPE(mp) == M_COPYOUT && looks(mp->b_cont, "new"));
	TRUE(req_of(mp)->cq_addr == (void *)0x5000);
	TRUE(req_of(mp)->cq_flag == IOC_LP64 && !req_of(mp)->cq_private);
	/* Without new data, the data that is there. */
	DB_TYPE(mp) = M_IOCDATA;
	mcopyout(mp, NULL, 3, (void *)0x5000, NULL);
	TRUE(looks(mp->b_cont, "new"));
	freemsg(mp);

	mcopymsg(chain(M_DATA, "ab @ cde"), to);
	TRUE(!memcmp(to, "abcde", 5));
}

const struct unit_test strsun_tests[] = {
	{ "mexchange, merror: a message is used again where it can be",
	  made_anew },
	{ "mkiocb: an ioctl of a module's own", own_ioctl },
	{ "miocpullup: the data in one block, or an error", one_block },
	{ "miocack, miocnak: the answer to an ioctl", answered },
	{ "mcopyin, mcopyout, mcopymsg: requests to copy", copies },
	{ }
};
