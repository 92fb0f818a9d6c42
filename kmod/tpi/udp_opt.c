// SPDX-License-Identifier: GPL-2.0-only
/*
 * T_OPTMGMT_REQ: the options of the UDP provider
 *
 * Values are kept where the kernel keeps them, in the sock, and set through its
 * setsockopt() in the name of who opened the stream. Runs in the endpoint's
 * work item.
 */
#include <linux/in.h>
#include <linux/net.h>
#include <linux/sockptr.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include <sys/xti_inet.h>

#include "udp.h"
#include "udp_end.h"

/* Bytes of options in one answer: 4 KiB with what stands before them. */
#define ANSWER_MAX	(4096 - sizeof(struct T_optmgmt_ack))

#define OPT_READONLY	0x1
#define OPT_BOOL	0x2	/* T_YES or T_NO */
#define OPT_SPECIAL	0x4	/* not a number */

struct linger_value {
	t_scalar_t onoff;
	t_scalar_t seconds;
};

union opt_value {
	u32 number;
	struct linger_value linger;
	u8 bytes[IP_OPTIONS_MAX];
};

struct opt {
	u32 level;
	u32 name;
	u8 size;		/* of its value in answers, bytes */
	u8 flags;		/* OPT_READONLY ... */
	int so_level;		/* for setsockopt(); so_name 0: rcvopts */
	int so_name;
	u32 min;
	u32 max;
	unsigned int bit;	/* RCVOPT_DSTADDR ... */
};

#define NUMBER(lvl, nm, sol, so, least, most)				\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .so_level = (sol), .so_name = (so), .min = (least), .max = (most) }
#define BOOLEAN(lvl, nm, sol, so)					\
	{ .level = (lvl), .name = (nm), .size = sizeof(u32),		\
	  .flags = OPT_BOOL, .so_level = (sol), .so_name = (so), .max = 1 }
#define RECEIVED(nm, which)						\
	{ .level = T_INET_IP, .name = (nm), .size = sizeof(u32),	\
	  .flags = OPT_BOOL, .max = 1, .bit = (which) }

static const struct opt opts[] = {
	BOOLEAN(XTI_GENERIC, XTI_DEBUG, SOL_SOCKET, SO_DEBUG),
	{ .level = XTI_GENERIC, .name = XTI_LINGER,
	  .size = sizeof(struct linger_value), .flags = OPT_SPECIAL,
	  .so_level = SOL_SOCKET, .so_name = SO_LINGER },
	NUMBER(XTI_GENERIC, XTI_RCVBUF, SOL_SOCKET, SO_RCVBUF, 0, INT_MAX),
	NUMBER(XTI_GENERIC, XTI_SNDBUF, SOL_SOCKET, SO_SNDBUF, 0, INT_MAX),
	NUMBER(XTI_GENERIC, XTI_RCVLOWAT, SOL_SOCKET, SO_RCVLOWAT, 0, INT_MAX),
	{ .level = XTI_GENERIC, .name = XTI_SNDLOWAT, .size = sizeof(u32),
	  .flags = OPT_READONLY, .so_level = SOL_SOCKET,
	  .so_name = SO_SNDLOWAT },
	BOOLEAN(T_INET_UDP, T_UDP_CHECKSUM, SOL_SOCKET, SO_NO_CHECK),
	{ .level = T_INET_IP, .name = T_IP_OPTIONS, .flags = OPT_SPECIAL,
	  .so_level = SOL_IP, .so_name = IP_OPTIONS },
	NUMBER(T_INET_IP, T_IP_TOS, SOL_IP, IP_TOS, 0, 255),
	{ .level = T_INET_IP, .name = T_IP_TTL, .size = sizeof(u8),
	  .so_level = SOL_IP, .so_name = IP_TTL, .min = 1, .max = 255 },
	BOOLEAN(T_INET_IP, T_IP_REUSEADDR, SOL_SOCKET, SO_REUSEADDR),
	BOOLEAN(T_INET_IP, T_IP_DONTROUTE, SOL_SOCKET, SO_DONTROUTE),
	BOOLEAN(T_INET_IP, T_IP_BROADCAST, SOL_SOCKET, SO_BROADCAST),
	RECEIVED(T_IP_RECVDSTADDR, RCVOPT_DSTADDR),
	RECEIVED(T_IP_RECVTTL, RCVOPT_TTL),
	RECEIVED(T_IP_RECVTOS, RCVOPT_TOS),
};

/* The options of an answer, one after the other. */
struct answer {
	u8 *buf;		/* ANSWER_MAX bytes, zeroed */
	size_t len;
	bool full;
	t_scalar_t worst;	/* T_SUCCESS ... */
};

static bool level_known(u32 level)
{
	return level == XTI_GENERIC || level == T_INET_UDP ||
	       level == T_INET_IP;
}

static const struct opt *opt_find(u32 level, u32 name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(opts); i++)
		if (opts[i].level == level && opts[i].name == name)
			return &opts[i];
	return NULL;
}

/* Results of single options from the best to the worst: XTI, t_optmgmt(). */
static int status_rank(t_scalar_t status)
{
	switch (status) {
	case T_SUCCESS:
		return 0;
	case T_PARTSUCCESS:
		return 1;
	case T_FAILURE:
		return 2;
	case T_READONLY:
		return 3;
	default:
		return 4;
	}
}

static void answer_add(struct answer *a, u32 level, u32 name, t_scalar_t status,
		       const void *value, size_t len)
{
	struct T_opthdr oh = {
		.len = sizeof(oh) + len,
		.level = level,
		.name = name,
		.status = status,
	};
	size_t step = _TPI_ALIGN_OPT(oh.len);

	if (step > ANSWER_MAX - a->len) {
		a->full = true;
		return;
	}
	memcpy(a->buf + a->len, &oh, sizeof(oh));
	if (len)
		memcpy(a->buf + a->len + sizeof(oh), value, len);
	a->len += step;
	if (status_rank(status) > status_rank(a->worst))
		a->worst = status;
}

static u32 number_current(const struct udp_end *ep, const struct opt *o)
{
	const struct sock *sk = ep->sock->sk;
	const struct inet_sock *inet = inet_sk(sk);

	switch (o->so_name) {
	case SO_RCVLOWAT:
		return sk->sk_rcvlowat;
	/* The kernel doubles what it is asked for. */
	case SO_RCVBUF:
		return sk->sk_rcvbuf / 2;
	case SO_SNDBUF:
		return sk->sk_sndbuf / 2;
	case SO_SNDLOWAT:
		return 1;
	default:
		break;
	}
	if (o->name == T_IP_TOS)
		return inet->tos;
	if (inet->uc_ttl >= 0)
		return inet->uc_ttl;
	return READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl);
}

static bool bool_current(const struct udp_end *ep, const struct opt *o)
{
	const struct sock *sk = ep->sock->sk;

	if (o->bit)
		return ep->rcvopts & o->bit;
	switch (o->so_name) {
	case SO_DEBUG:
		return sock_flag(sk, SOCK_DBG);
	case SO_NO_CHECK:
		return !sk->sk_no_check_tx;
	case SO_REUSEADDR:
		return sk->sk_reuse;
	case SO_DONTROUTE:
		return sock_flag(sk, SOCK_LOCALROUTE);
	default:
		return sock_flag(sk, SOCK_BROADCAST);
	}
}

static size_t value_current(const struct udp_end *ep, const struct opt *o,
			    union opt_value *v)
{
	const struct sock *sk = ep->sock->sk;

	if (o->so_name == SO_LINGER && o->so_level == SOL_SOCKET) {
		v->linger.onoff = sock_flag(sk, SOCK_LINGER) ? T_YES : T_NO;
		v->linger.seconds = sk->sk_lingertime / HZ;
	} else if (o->flags & OPT_SPECIAL) {
		memcpy(v->bytes, ep->ip_options, ep->ip_options_len);
		return ep->ip_options_len;
	} else if (o->flags & OPT_BOOL) {
		v->number = bool_current(ep, o) ? T_YES : T_NO;
	} else if (o->size == sizeof(u8)) {
		v->bytes[0] = number_current(ep, o);
	} else {
		v->number = number_current(ep, o);
	}
	return o->size;
}

static size_t value_default(const struct udp_end *ep, const struct opt *o,
			    union opt_value *v)
{
	const struct sock *sk = ep->sock->sk;

	memset(v, 0, sizeof(*v));
	if (o->level == XTI_GENERIC && o->name == XTI_RCVBUF)
		v->number = ep->first_rcvbuf / 2;
	else if (o->level == XTI_GENERIC && o->name == XTI_SNDBUF)
		v->number = ep->first_sndbuf / 2;
	else if (o->level == XTI_GENERIC &&
		 (o->name == XTI_RCVLOWAT || o->name == XTI_SNDLOWAT))
		v->number = 1;
	else if (o->level == T_INET_UDP)
		v->number = T_YES;
	else if (o->level == T_INET_IP && o->name == T_IP_TTL)
		v->bytes[0] = READ_ONCE(sock_net(sk)->ipv4.sysctl_ip_default_ttl);
	return o->size;
}

static int so_set(struct udp_end *ep, const struct opt *o, void *value,
		  unsigned int len)
{
	struct socket *sock = ep->sock;
	sockptr_t ptr = KERNEL_SOCKPTR(value);

	if (o->so_level == SOL_SOCKET)
		return sock_setsockopt(sock, SOL_SOCKET, o->so_name, ptr, len);
	return READ_ONCE(sock->ops)->setsockopt(sock, o->so_level, o->so_name,
						ptr, len);
}

static int set_number(struct udp_end *ep, const struct opt *o, u32 number)
{
	int val = number;

	if (o->bit) {
		WRITE_ONCE(ep->rcvopts, number ? ep->rcvopts | o->bit :
						 ep->rcvopts & ~o->bit);
		return 0;
	}
	if (o->so_level == SOL_SOCKET && o->so_name == SO_NO_CHECK)
		val = !number;
	return so_set(ep, o, &val, sizeof(val));
}

static int set_ip_options(struct udp_end *ep, const struct opt *o,
			  const void *value, size_t len)
{
	u8 bytes[IP_OPTIONS_MAX];
	int err;

	if (len > sizeof(bytes))
		return -EINVAL;
	memcpy(bytes, value, len);
	err = so_set(ep, o, bytes, len);
	if (!err) {
		memcpy(ep->ip_options, value, len);
		ep->ip_options_len = len;
	}
	return err;
}

static int set_linger(struct udp_end *ep, const struct opt *o,
		      const void *value, size_t len)
{
	struct linger_value v;
	struct linger linger;

	if (len != sizeof(v))
		return -EINVAL;
	memcpy(&v, value, sizeof(v));
	if (v.seconds < 0 || (v.onoff != T_YES && v.onoff != T_NO))
		return -EINVAL;
	linger.l_onoff = v.onoff;
	linger.l_linger = v.seconds;
	return so_set(ep, o, &linger, sizeof(linger));
}

static int check_number(const struct opt *o, const void *value, size_t len,
			u32 *number)
{
	int err = tpi_opt_value(value, len, number);

	if (!err && (*number < o->min || *number > o->max))
		err = -EINVAL;
	return err;
}

static t_scalar_t set_status(int err)
{
	switch (err) {
	case 0:
		return T_SUCCESS;
	case -EACCES:
	case -EPERM:
		return T_READONLY;
	default:
		return T_FAILURE;
	}
}

static t_scalar_t opt_set(struct udp_end *ep, const struct opt *o,
			  const void *value, size_t len)
{
	union opt_value now;
	u32 number;
	int err;

	if (o->flags & OPT_READONLY)
		return T_READONLY;
	if (o->flags & OPT_SPECIAL) {
		err = o->name == XTI_LINGER && o->level == XTI_GENERIC ?
		      set_linger(ep, o, value, len) :
		      set_ip_options(ep, o, value, len);
		return set_status(err);
	}
	err = check_number(o, value, len, &number);
	if (!err)
		err = set_number(ep, o, number);
	if (err || o->flags & OPT_BOOL || o->size == sizeof(u8))
		return set_status(err);
	/* Buffers have limits, which the kernel puts in place of the value. */
	value_current(ep, o, &now);
	return now.number == number ? T_SUCCESS : T_PARTSUCCESS;
}

static t_scalar_t opt_check(const struct opt *o, const void *value, size_t len)
{
	struct linger_value v;
	u32 number;

	if (o->flags & OPT_READONLY)
		return T_READONLY;
	if (!len)
		return T_SUCCESS;
	if (o->name == XTI_LINGER && o->level == XTI_GENERIC) {
		if (len != sizeof(v))
			return T_FAILURE;
		memcpy(&v, value, sizeof(v));
		return v.seconds >= 0 && (v.onoff == T_YES || v.onoff == T_NO) ?
		       T_SUCCESS : T_FAILURE;
	}
	if (o->flags & OPT_SPECIAL)
		return len <= IP_OPTIONS_MAX ? T_SUCCESS : T_FAILURE;
	return check_number(o, value, len, &number) ? T_FAILURE : T_SUCCESS;
}

static t_scalar_t read_status(const struct opt *o)
{
	return o->flags & OPT_READONLY ? T_READONLY : T_SUCCESS;
}

static void opt_manage(struct udp_end *ep, const struct opt *o,
		       t_scalar_t action, const void *value, size_t len,
		       struct answer *a)
{
	t_scalar_t status;
	union opt_value v;

	switch (action) {
	case T_CURRENT:
		status = read_status(o);
		len = value_current(ep, o, &v);
		break;
	case T_DEFAULT:
		status = read_status(o);
		len = value_default(ep, o, &v);
		break;
	case T_CHECK:
		status = opt_check(o, value, len);
		answer_add(a, o->level, o->name, status, value, len);
		return;
	default:
		if (!len) {
			len = value_default(ep, o, &v);
			value = &v;
		}
		status = opt_set(ep, o, value, len);
		len = value_current(ep, o, &v);
	}
	answer_add(a, o->level, o->name, status, &v, len);
}

/* All options of a level; a read-only one is no failure of what sets them. */
static void level_manage(struct udp_end *ep, u32 level, t_scalar_t action,
			 struct answer *a)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(opts); i++) {
		if (opts[i].level != level)
			continue;
		if (action == T_NEGOTIATE && opts[i].flags & OPT_READONLY)
			continue;
		opt_manage(ep, &opts[i], action, NULL, 0, a);
	}
}

/* A TLI error, or 0. */
static int list_manage(struct udp_end *ep, t_scalar_t action, const void *at,
		       size_t len, struct answer *a)
{
	const struct opt *o;
	struct T_opthdr oh;
	const void *value;
	int ret;

	while ((ret = tpi_opt_next(&at, &len, &oh, &value)) > 0) {
		size_t size = oh.len - sizeof(oh);

		if (!level_known(oh.level))
			return TBADOPT;
		o = opt_find(oh.level, oh.name);
		if (oh.name == T_ALLOPT)
			level_manage(ep, oh.level, action, a);
		else if (o)
			opt_manage(ep, o, action, value, size, a);
		else
			answer_add(a, oh.level, oh.name, T_NOTSUPPORT, value,
				   action == T_CHECK || action == T_NEGOTIATE ?
				   size : 0);
		if (a->full)
			return TBUFOVFLW;
	}
	return ret ? TBADOPT : 0;
}

static bool action_known(t_scalar_t action)
{
	return action == T_NEGOTIATE || action == T_CHECK ||
	       action == T_DEFAULT || action == T_CURRENT;
}

/* Before any option is changed: memory may be short, and then none is. */
static mblk_t *optmgmt_ack_alloc(struct answer *a)
{
	size_t size = sizeof(struct T_optmgmt_ack) + ANSWER_MAX;
	mblk_t *mp = allocb_gfp(size, GFP_KERNEL | __GFP_NOWARN);

	if (!mp)
		return NULL;
	DB_TYPE(mp) = M_PCPROTO;
	memset(mp->b_rptr, 0, size);
	a->buf = mp->b_rptr + sizeof(struct T_optmgmt_ack);
	return mp;
}

/* In a block no larger than it needs, if there is memory for one. */
static mblk_t *optmgmt_ack_fill(mblk_t *mp, const struct answer *a)
{
	struct T_optmgmt_ack *ack = (struct T_optmgmt_ack *)mp->b_rptr;
	mblk_t *small;
	size_t size;

	ack->PRIM_type = T_OPTMGMT_ACK;
	ack->OPT_length = a->len;
	ack->OPT_offset = a->len ? sizeof(*ack) : 0;
	ack->MGMT_flags = a->worst;
	mp->b_wptr += sizeof(*ack) + a->len;
	size = MBLKL(mp);
	small = allocb_gfp(size, GFP_KERNEL | __GFP_NOWARN);
	if (!small)
		return mp;
	DB_TYPE(small) = DB_TYPE(mp);
	memcpy(small->b_wptr, mp->b_rptr, size);
	small->b_wptr += size;
	freeb(mp);
	return small;
}

/**
 * udp_optmgmt() - act on a T_OPTMGMT_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * Context: process, sleeps.
 * Return: the answer; TSYSERR with ENOSR when memory is short.
 * TPI version 2, T_OPTMGMT_REQ; XTI (XNS Issue 5), t_optmgmt().
 */
mblk_t *udp_optmgmt(struct udp_end *ep, mblk_t *mp)
{
	struct answer a = { .worst = T_SUCCESS };
	struct T_optmgmt_req req;
	int tli = TSYSERR;
	const void *list;
	mblk_t *ack;

	if (!tpi_get(mp, &req, sizeof(req)))
		return tpi_error_ack(mp, T_OPTMGMT_REQ, TSYSERR, EINVAL);
	if (!action_known(req.MGMT_flags))
		return tpi_error_ack(mp, T_OPTMGMT_REQ, TBADFLAG, 0);
	list = tpi_span(mp, req.OPT_offset, req.OPT_length);
	if (!list)
		return tpi_error_ack(mp, T_OPTMGMT_REQ, TBADOPT, 0);
	ack = optmgmt_ack_alloc(&a);
	if (ack)
		tli = list_manage(ep, req.MGMT_flags, list, req.OPT_length, &a);
	if (tli) {
		freemsg(ack);
		mp = tpi_error_ack(mp, T_OPTMGMT_REQ, tli,
				   tli == TSYSERR ? ENOSR : 0);
	} else {
		freemsg(mp);
		mp = optmgmt_ack_fill(ack, &a);
	}
	udp_end_fit_head(ep);
	return mp;
}
