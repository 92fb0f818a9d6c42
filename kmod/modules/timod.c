// SPDX-License-Identifier: GPL-2.0-only
/*
 * timod: ioctls for the Transport Provider Interface
 *
 * An ioctl's primitive is sent down, and the provider's answer becomes that of
 * the ioctl. The M_IOCTL is kept meanwhile; messages that do not answer it
 * pass. The stream head sends one ioctl at a time, but does not report when it
 * gave one up: its answer must not be taken for the next one's.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <sys/stream.h>
#include <sys/strsun.h>
#include <sys/timod.h>

#include "streams/head/stream.h"
#include "tpi/tpi.h"

/*
 * The requests that are sent without room for them, until there is some: a
 * program does not expect a refusal because its data waits.
 */
#define BEYOND_MOST	16

/* The step of a TI_GETMYNAME or TI_GETPEERNAME */
enum name_step {
	NAME_NONE,
	NAME_BUF,		/* the struct netbuf is being copied in */
	NAME_ADDR,		/* the provider is asked, or its answer copied */
	NAME_LEN,		/* the address' length is being copied out */
};

/* XTI's struct netbuf, of programs of either size. */
struct netbuf_lp64 {
	u32 maxlen;
	u32 len;
	u64 buf;
};

struct netbuf_ilp32 {
	u32 maxlen;
	u32 len;
	u32 buf;
};

struct timod {
	mblk_t *ioc;			/* waits for the provider, or NULL */
	t_scalar_t prim;		/* the primitive sent for it */
	t_scalar_t ack;			/* the answer to it, if not T_ERROR_ACK */
	bool lost;			/* but may not, after a flush */
	unsigned int beyond;		/* requests sent without room */
	enum name_step step;
	bool peer;			/* TI_GETPEERNAME */
	unsigned int name_id;		/* ioc_id of the one under way */
	unsigned long name_arg;		/* where the struct netbuf is */
	u32 maxlen;			/* of that struct netbuf */
	unsigned long buf;
};

/* The request and the answer of an ioctl. */
static const struct command {
	int cmd;
	t_scalar_t prim;
	t_scalar_t ack;
	unsigned char type;
	size_t size;			/* bytes of the primitive at least */
} commands[] = {
	{ TI_GETINFO, T_INFO_REQ, T_INFO_ACK, M_PCPROTO,
	  sizeof(struct T_info_req) },
	{ TI_SYNC, T_INFO_REQ, T_INFO_ACK, M_PCPROTO,
	  sizeof(struct T_info_req) },
	{ TI_CAPABILITY, T_CAPABILITY_REQ, T_CAPABILITY_ACK, M_PCPROTO,
	  sizeof(struct T_capability_req) },
	{ TI_GETADDRS, T_ADDR_REQ, T_ADDR_ACK, M_PROTO,
	  sizeof(struct T_addr_req) },
	{ TI_OPTMGMT, T_OPTMGMT_REQ, T_OPTMGMT_ACK, M_PROTO,
	  sizeof(struct T_optmgmt_req) },
	{ TI_BIND, T_BIND_REQ, T_BIND_ACK, M_PROTO,
	  sizeof(struct T_bind_req) },
	{ TI_UNBIND, T_UNBIND_REQ, T_OK_ACK, M_PROTO,
	  sizeof(struct T_unbind_req) },
};

static int timod_open(queue_t *q, dev_t *dev, int oflag, int sflag, cred_t *cr)
{
	struct timod *t;

	if (sflag != MODOPEN)
		return EINVAL;
	/* The module serves one more user of a minor device's stream. */
	if (q->q_ptr)
		return 0;
	t = kzalloc(sizeof(*t), GFP_KERNEL_ACCOUNT);
	if (!t)
		return ENOSR;
	q->q_ptr = t;
	WR(q)->q_ptr = t;
	qprocson(q);
	return 0;
}

static int timod_close(queue_t *q, int oflag, cred_t *cr)
{
	struct timod *t = q->q_ptr;

	qprocsoff(q);
	/*
	 * No caller waits for the ioctl: the stream head pops modules between
	 * ioctls.
	 */
	freemsg(t->ioc);
	kfree(t);
	return 0;
}

/* Returns whether an earlier request is still to be answered. */
static bool occupied(const struct timod *t)
{
	return t->ioc && !t->lost;
}

/* Returns whether another request may be sent; the stream head does not ask for an ioctl. */
static bool request_may(struct timod *t, queue_t *q)
{
	if (canputnext(q)) {
		t->beyond = 0;
		return true;
	}
	if (t->beyond == BEYOND_MOST)
		return false;
	t->beyond++;
	return true;
}

/*
 * Sends a request down. The provider's answer to it becomes the answer to the
 * ioctl.
 */
static void request_send(queue_t *q, mblk_t *ioc, mblk_t *req, t_scalar_t prim,
			 t_scalar_t ack)
{
	struct timod *t = q->q_ptr;

	freemsg(t->ioc);
	t->ioc = ioc;
	t->prim = prim;
	t->ack = ack;
	t->lost = false;
	req->b_flag |= MSGOBJECT;
	/* The answer may come before putnext() returns. */
	putnext(q, req);
}

static mblk_t *request_end(struct timod *t)
{
	mblk_t *mp = t->ioc;

	t->ioc = NULL;
	return mp;
}

/*
 * Takes the primitive out of an M_IOCTL, in a block that no other message
 * refers to.
 */
static mblk_t *request_take(mblk_t *mp)
{
	mblk_t *req = mp->b_cont, *copy;

	mp->b_cont = NULL;
	if (DB_REF(req) == 1)
		return req;
	copy = copymsg(req);
	freemsg(req);
	return copy;
}

static void request(queue_t *q, mblk_t *mp, const struct command *c)
{
	struct timod *t = q->q_ptr;
	mblk_t *req;
	int err;

	if (msgdsize(mp->b_cont) > STRCTLSZ)
		err = ERANGE;
	else
		err = miocpullup(mp, max(c->size, msgdsize(mp->b_cont)));
	if (!err && tpi_type(mp->b_cont) != c->prim)
		err = EINVAL;
	if (!err && (occupied(t) || (c->type == M_PROTO && !request_may(t, q))))
		err = EAGAIN;
	if (err) {
		miocnak(q, mp, 0, err);
		return;
	}
	req = request_take(mp);
	if (!req) {
		miocnak(q, mp, 0, ENOSR);
		return;
	}
	DB_TYPE(req) = c->type;
	t->step = NAME_NONE;
	request_send(q, mp, req, c->prim, c->ack);
}

/*
 * Handles TI_GETMYNAME and TI_GETPEERNAME: asks how much room the caller has
 * for the address.
 */
static void name_begin(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct timod *t = q->q_ptr;
	int err = 0;

	if (ioc->ioc_count != TRANSPARENT || !mp->b_cont ||
	    MBLKL(mp->b_cont) < sizeof(t->name_arg))
		err = EINVAL;
	else if (occupied(t))
		err = EAGAIN;
	if (err) {
		miocnak(q, mp, 0, err);
		return;
	}
	t->step = NAME_BUF;
	t->peer = ioc->ioc_cmd == TI_GETPEERNAME;
	t->name_id = ioc->ioc_id;
	t->name_arg = *(unsigned long *)mp->b_cont->b_rptr;
	mcopyin(mp, NULL, ioc->ioc_flag & IOC_ILP32 ?
		sizeof(struct netbuf_ilp32) : sizeof(struct netbuf_lp64), NULL);
	qreply(q, mp);
}

static void name_fail(struct timod *t, queue_t *q, mblk_t *mp, int err)
{
	t->step = NAME_NONE;
	miocnak(q, mp, 0, err);
}

static int timod_name_parse(struct timod *t, mblk_t *mp)
{
	const struct copyresp *resp = (struct copyresp *)mp->b_rptr;
	const struct netbuf_ilp32 *narrow;
	const struct netbuf_lp64 *wide;
	bool ilp32 = resp->cp_flag & IOC_ILP32;
	int err;

	err = miocpullup(mp, ilp32 ? sizeof(*narrow) : sizeof(*wide));
	if (err)
		return err;
	narrow = (struct netbuf_ilp32 *)mp->b_cont->b_rptr;
	wide = (struct netbuf_lp64 *)mp->b_cont->b_rptr;
	t->maxlen = ilp32 ? narrow->maxlen : wide->maxlen;
	t->buf = ilp32 ? narrow->buf : wide->buf;
	return 0;
}

/* Asks the provider for its addresses, when the struct netbuf has come. */
static void name_ask(struct timod *t, queue_t *q, mblk_t *mp)
{
	int err = occupied(t) || !request_may(t, q) ? EAGAIN : timod_name_parse(t, mp);
	mblk_t *req;

	req = err ? NULL : allocb(sizeof(struct T_addr_req), BPRI_MED);
	if (!req) {
		name_fail(t, q, mp, err ?: ENOSR);
		return;
	}
	DB_TYPE(req) = M_PROTO;
	((struct T_addr_req *)req->b_wptr)->PRIM_type = T_ADDR_REQ;
	req->b_wptr += sizeof(struct T_addr_req);
	t->step = NAME_ADDR;
	request_send(q, mp, req, T_ADDR_REQ, T_ADDR_ACK);
}

/* Has bytes copied to the caller, in answer to its M_IOCDATA. */
static void name_copy(struct timod *t, queue_t *q, mblk_t *mp,
		      unsigned long to, const void *from, size_t len)
{
	mblk_t *data = allocb(len, BPRI_MED);

	if (!data) {
		name_fail(t, q, mp, ENOSR);
		return;
	}
	memcpy(data->b_wptr, from, len);
	data->b_wptr += len;
	mcopyout(mp, NULL, len, (void *)to, data);
	qreply(q, mp);
}

static void name_copy_len(struct timod *t, queue_t *q, mblk_t *mp)
{
	t->step = NAME_LEN;
	/* The member is at the same place in both. */
	name_copy(t, q, mp, t->name_arg + offsetof(struct netbuf_lp64, len),
		  &t->maxlen, sizeof(t->maxlen));
}

/* Handles T_ADDR_ACK. */
static void name_answer(struct timod *t, queue_t *q, const mblk_t *answer)
{
	mblk_t *mp = request_end(t);
	struct T_addr_ack ack;
	const void *addr;
	t_scalar_t len;

	if (!tpi_get(answer, &ack, sizeof(ack))) {
		name_fail(t, q, mp, EPROTO);
		return;
	}
	len = t->peer ? ack.REMADDR_length : ack.LOCADDR_length;
	addr = tpi_span(answer,
			t->peer ? ack.REMADDR_offset : ack.LOCADDR_offset, len);
	if (!addr) {
		name_fail(t, q, mp, EPROTO);
	} else if (!len && t->peer) {
		name_fail(t, q, mp, ENOTCONN);
	} else if (len > t->maxlen) {
		name_fail(t, q, mp, ENAMETOOLONG);
	} else {
		t->maxlen = len;
		if (len)
			name_copy(t, q, mp, t->buf, addr, len);
		else
			name_copy_len(t, q, mp);
	}
}

static void name_iocdata(queue_t *q, mblk_t *mp)
{
	const struct copyresp *resp = (struct copyresp *)mp->b_rptr;
	struct timod *t = q->q_ptr;

	if (resp->cp_rval) {
		/* The head reports that the name could not be copied. */
		if (resp->cp_id == t->name_id)
			t->step = NAME_NONE;
		freemsg(mp);
		return;
	}
	if (t->step == NAME_NONE || resp->cp_id != t->name_id) {
		/*
		 * The head recognises by the ioctl's number whether a caller
		 * still waits.
		 */
		miocnak(q, mp, 0, EAGAIN);
		return;
	}
	switch (t->step) {
	case NAME_BUF:
		name_ask(t, q, mp);
		break;
	case NAME_ADDR:
		name_copy_len(t, q, mp);
		break;
	default:
		t->step = NAME_NONE;
		miocack(q, mp, 0, 0);
	}
}

/* Handles an ioctl of this module's; false: pass it on. */
static bool timod_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	int i;

	if (ioc->ioc_cmd == TI_GETMYNAME || ioc->ioc_cmd == TI_GETPEERNAME) {
		name_begin(q, mp);
		return true;
	}
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (commands[i].cmd == ioc->ioc_cmd) {
			request(q, mp, &commands[i]);
			return true;
		}
	}
	return false;
}

static bool is_name_iocdata(const mblk_t *mp)
{
	const struct copyresp *resp = (struct copyresp *)mp->b_rptr;

	return resp->cp_cmd == TI_GETMYNAME || resp->cp_cmd == TI_GETPEERNAME;
}

static int timod_wput(queue_t *q, mblk_t *mp)
{
	struct timod *t = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		if (timod_ioctl(q, mp))
			return 0;
		break;
	case M_IOCDATA:
		if (is_name_iocdata(mp)) {
			name_iocdata(q, mp);
			return 0;
		}
		break;
	case M_FLUSH:
		/* The request may have been on the provider's queue. */
		if (MBLKL(mp) >= 1 && *mp->b_rptr & FLUSHW)
			t->lost = true;
		break;
	}
	putnext(q, mp);
	return 0;
}

/* Returns whether a message from below is the answer that the ioctl waits for. */
static bool answers(const struct timod *t, const mblk_t *mp)
{
	struct T_error_ack error;
	struct T_ok_ack ok;

	if (!t->ioc)
		return false;
	switch (tpi_type(mp)) {
	case T_ERROR_ACK:
		return tpi_get(mp, &error, sizeof(error)) &&
		       error.ERROR_prim == t->prim;
	case T_OK_ACK:
		return t->ack == T_OK_ACK && tpi_get(mp, &ok, sizeof(ok)) &&
		       ok.CORRECT_prim == t->prim;
	default:
		return tpi_type(mp) == t->ack;
	}
}

/* Returns the value of ioctl() after a T_ERROR_ACK: see timod(7). */
static int error_value(const mblk_t *mp)
{
	struct T_error_ack ack = { };

	tpi_get(mp, &ack, sizeof(ack));
	/* A T_ERROR_ACK without an error cannot be reported as one. */
	if (!(ack.TLI_error & 0xff))
		return TSYSERR | EPROTO << 8;
	if (ack.TLI_error != TSYSERR)
		return ack.TLI_error & 0xff;
	return TSYSERR | (ack.UNIX_error & 0xff) << 8;
}

/* Gives the answer's bytes to the ioctl. */
static void request_answer(queue_t *wq, mblk_t *ioc, mblk_t *mp)
{
	mblk_t *own = mp, *bp;

	/* A caller of I_STR has no way to say how much room there is. */
	if (msgsize(mp) > TI_ANSWER_MAX) {
		freemsg(mp);
		miocnak(wq, ioc, 0, EPROTO);
		return;
	}
	if (DB_REF(mp) > 1 || mp->b_cont) {
		own = copymsg(mp);
		freemsg(mp);
	}
	if (!own) {
		miocnak(wq, ioc, 0, ENOSR);
		return;
	}
	for (bp = own; bp; bp = bp->b_cont)
		DB_TYPE(bp) = M_DATA;
	own->b_band = 0;
	freemsg(ioc->b_cont);
	ioc->b_cont = own;
	miocack(wq, ioc, msgsize(own), 0);
}

static void timod_answer(queue_t *q, mblk_t *mp)
{
	struct timod *t = q->q_ptr;

	if (tpi_type(mp) == T_ERROR_ACK) {
		int value = error_value(mp);

		if (t->step == NAME_ADDR)
			t->step = NAME_NONE;
		freemsg(mp);
		miocack(WR(q), request_end(t), 0, value);
	} else if (t->prim == T_ADDR_REQ && t->step == NAME_ADDR) {
		name_answer(t, WR(q), mp);
		freemsg(mp);
	} else {
		request_answer(WR(q), request_end(t), mp);
	}
}

static int timod_rput(queue_t *q, mblk_t *mp)
{
	struct timod *t = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		if (answers(t, mp)) {
			timod_answer(q, mp);
			return 0;
		}
		break;
	case M_ERROR:
	case M_HANGUP:
		/* The stream head itself ends the caller's wait. */
		freemsg(request_end(t));
		t->step = NAME_NONE;
		break;
	}
	putnext(q, mp);
	return 0;
}

static struct module_info timod_info = {
	.mi_idname = "timod",
	.mi_minpsz = 0,
	.mi_maxpsz = INFPSZ,
};

static struct qinit timod_rinit = {
	.qi_putp = timod_rput,
	.qi_qopen = timod_open,
	.qi_qclose = timod_close,
	.qi_minfo = &timod_info,
};

static struct qinit timod_winit = {
	.qi_putp = timod_wput,
	.qi_minfo = &timod_info,
};

static const struct streamtab timod_tab = {
	.st_rdinit = &timod_rinit,
	.st_wrinit = &timod_winit,
};

static struct strmod timod = {
	.name = "timod",
	.tab = &timod_tab,
	.owner = THIS_MODULE,
	.passes = true,
};

static int __init timod_init(void)
{
	return strmod_register(&timod);
}

static void __exit timod_exit(void)
{
	strmod_unregister(&timod);
}

module_init(timod_init);
module_exit(timod_exit);

MODULE_DESCRIPTION("STREAMS module: ioctls for transport providers");
MODULE_LICENSE("GPL");
MODULE_ALIAS("strmod-timod");
