// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The options that an endpoint's socket has
 *
 * The kernel keeps their values. A new socket has an option's default.
 */
#include <limits.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

#include "core/options.h"
#include "option.h"

#define LINGER_SECONDS	15	/* that the provider chooses: T_UNSPEC */
#define LINGER_FOREVER	INT_MAX	/* seconds: T_INFINITE */
#define MINUTE		60	/* seconds */
#define KEEPIDLE_MAX	32767	/* seconds, the longest that the kernel has */
#define VALUE_MAX	40	/* bytes of the longest value */
#define ANSWER_MAX	4096	/* bytes of all options of one answer */

/* The peculiarities of an option */
enum {
	READONLY	= 0x01,
	BOOLEAN		= 0x02,	/* T_YES or T_NO */
	BYTES		= 0x04,	/* up to VALUE_MAX of them */
	LINGER		= 0x08,	/* struct t_linger */
	KEEPALIVE	= 0x10,	/* struct t_kpalive */
	NEGATED		= 0x20,	/* the socket option has the opposite meaning */
	BUFFER		= 0x40,	/* the kernel doubles the size that is requested */
	OWN		= 0x80,	/* not the socket's: XTI_RCVLOWAT of connections */
	CONTROL		= 0x100, /* datagrams come with something */
	ONE		= 0x200, /* always 1 */
	UNBOUND		= 0x400, /* only then can it be set; bind(2) itself may set it */
};

struct sock_opt {
	t_uscalar_t level;
	t_uscalar_t name;
	unsigned int flags;
	unsigned char size;	/* of its value in answers, bytes */
	t_uscalar_t min, max;	/* of a number */
	int so_level, so_name;
};

struct sock_opts {
	const struct sock_opt *opt;
	unsigned int n;
};

#define OPT(lvl, nm, bytes, flag, least, most, sol, so)				\
	{ .level = (lvl), .name = (nm), .size = (bytes), .flags = (flag),	\
	  .min = (least), .max = (most), .so_level = (sol), .so_name = (so) }
#define NUMBER(lvl, nm, flag, least, most, sol, so)				\
	OPT(lvl, nm, sizeof(t_uscalar_t), flag, least, most, sol, so)
#define YES_NO(lvl, nm, flag, sol, so)						\
	NUMBER(lvl, nm, BOOLEAN | (flag), 0, 1, sol, so)

#define GENERIC(lowat)								\
	YES_NO(XTI_GENERIC, XTI_DEBUG, 0, SOL_SOCKET, SO_DEBUG),		\
	OPT(XTI_GENERIC, XTI_LINGER, sizeof(struct t_linger), LINGER, 0, 0,	\
	    SOL_SOCKET, SO_LINGER),						\
	NUMBER(XTI_GENERIC, XTI_RCVBUF, BUFFER, 0, INT_MAX, SOL_SOCKET, SO_RCVBUF), \
	NUMBER(XTI_GENERIC, XTI_SNDBUF, BUFFER, 0, INT_MAX, SOL_SOCKET, SO_SNDBUF), \
	NUMBER(XTI_GENERIC, XTI_RCVLOWAT, lowat, 0, INT_MAX, SOL_SOCKET, SO_RCVLOWAT), \
	NUMBER(XTI_GENERIC, XTI_SNDLOWAT, READONLY | ONE, 0, 0, 0, 0)
#define IP									\
	NUMBER(T_INET_IP, T_IP_TOS, 0, 0, 255, SOL_IP, IP_TOS),			\
	OPT(T_INET_IP, T_IP_TTL, 1, 0, 1, 255, SOL_IP, IP_TTL),			\
	YES_NO(T_INET_IP, T_IP_REUSEADDR, 0, SOL_SOCKET, SO_REUSEADDR),		\
	YES_NO(T_INET_IP, T_IP_DONTROUTE, 0, SOL_SOCKET, SO_DONTROUTE),		\
	YES_NO(T_INET_IP, T_IP_BROADCAST, 0, SOL_SOCKET, SO_BROADCAST)
#define IP_OPTIONS_OPT								\
	OPT(T_INET_IP, T_IP_OPTIONS, 0, BYTES, 0, 0, SOL_IP, IP_OPTIONS)
#define IP_RECEIVED								\
	YES_NO(T_INET_IP, T_IP_RECVDSTADDR, CONTROL, SOL_IP, IP_PKTINFO),	\
	YES_NO(T_INET_IP, T_IP_RECVTTL, CONTROL, SOL_IP, IP_RECVTTL),		\
	YES_NO(T_INET_IP, T_IP_RECVTOS, CONTROL, SOL_IP, IP_RECVTOS)
#define IPV6_HEADER								\
	NUMBER(T_INET_IPV6, T_IPV6_UNICAST_HOPS, 0, 0, 255, SOL_IPV6,		\
	       IPV6_UNICAST_HOPS),						\
	NUMBER(T_INET_IPV6, T_IPV6_TCLASS, 0, 0, 255, SOL_IPV6, IPV6_TCLASS)
#define IPV6									\
	IPV6_HEADER,								\
	YES_NO(T_INET_IPV6, T_IPV6_V6ONLY, UNBOUND, SOL_IPV6, IPV6_V6ONLY)
#define IPV6_RECEIVED								\
	YES_NO(T_INET_IPV6, T_IPV6_RECVPKTINFO, CONTROL, SOL_IPV6, IPV6_RECVPKTINFO), \
	YES_NO(T_INET_IPV6, T_IPV6_RECVHOPLIMIT, CONTROL, SOL_IPV6, IPV6_RECVHOPLIMIT), \
	YES_NO(T_INET_IPV6, T_IPV6_RECVTCLASS, CONTROL, SOL_IPV6, IPV6_RECVTCLASS)
#define TCP									\
	YES_NO(T_INET_TCP, T_TCP_NODELAY, 0, SOL_TCP, TCP_NODELAY),		\
	NUMBER(T_INET_TCP, T_TCP_MAXSEG, READONLY, 0, 0, SOL_TCP, TCP_MAXSEG),	\
	OPT(T_INET_TCP, T_TCP_KEEPALIVE, sizeof(struct t_kpalive), KEEPALIVE,	\
	    0, 0, SOL_SOCKET, SO_KEEPALIVE)

static const struct sock_opt tcp_opt[] = { GENERIC(OWN), IP_OPTIONS_OPT, IP, TCP };

static const struct sock_opt tcp6_opt[] = { GENERIC(OWN), IP, IPV6, TCP };

static const struct sock_opt udp_opt[] = {
	GENERIC(0), IP_OPTIONS_OPT, IP, IP_RECEIVED,
	YES_NO(T_INET_UDP, T_UDP_CHECKSUM, NEGATED, SOL_SOCKET, SO_NO_CHECK),
};

static const struct sock_opt udp6_opt[] = {
	GENERIC(0), IP, IPV6, IPV6_RECEIVED,
	/* IPv6 has no datagrams without a checksum. */
	YES_NO(T_INET_UDP, T_UDP_CHECKSUM, READONLY | ONE, 0, 0),
};

static const struct sock_opt raw_opt[] = {
	GENERIC(0), IP_OPTIONS_OPT, IP, IP_RECEIVED,
};

/* The kernel has no options of IPv4 for raw sockets of IPv6. */
static const struct sock_opt raw6_opt[] = { GENERIC(0), IPV6_HEADER, IPV6_RECEIVED };

static const struct sock_opt loop_opt[] = { GENERIC(OWN) };

#define OPTS(array)	{ (array), sizeof(array) / sizeof((array)[0]) }

const struct sock_opts sock_tcp_opts = OPTS(tcp_opt);
const struct sock_opts sock_tcp6_opts = OPTS(tcp6_opt);
const struct sock_opts sock_udp_opts = OPTS(udp_opt);
const struct sock_opts sock_udp6_opts = OPTS(udp6_opt);
const struct sock_opts sock_raw_opts = OPTS(raw_opt);
const struct sock_opts sock_raw6_opts = OPTS(raw6_opt);
const struct sock_opts sock_loop_opts = OPTS(loop_opt);

union value {
	t_uscalar_t number;
	unsigned char byte;
	struct t_linger linger;
	struct t_kpalive kpalive;
	char bytes[VALUE_MAX];
};

static int get_value(int fd, int level, int name)
{
	int value = 0;
	socklen_t len = sizeof(value);

	getsockopt(fd, level, name, &value, &len);
	return value;
}

/* Sets an option of an int; returns 0 or an errno. */
static int set_int(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value)) ? errno : 0;
}

static t_uscalar_t number_now(const struct sock_opt *o, struct sock_end *s, int fd)
{
	int value;

	if (o->flags & ONE)
		return 1;
	if (o->flags & OWN)
		return s->rcvlowat;
	value = get_value(fd, o->so_level, o->so_name);
	if (o->flags & BUFFER)
		return value / 2;
	if (o->flags & NEGATED)
		return !value;
	return o->flags & BOOLEAN ? !!value : value;
}

/* Stores an option's value and returns its length. */
static size_t value_now(const struct sock_opt *o, struct sock_end *s, int fd,
			union value *v)
{
	struct linger linger = {};
	socklen_t len = sizeof(linger);

	memset(v, 0, sizeof(*v));
	if (o->flags & LINGER) {
		getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &len);
		v->linger.l_onoff = linger.l_onoff ? T_YES : T_NO;
		if (linger.l_onoff)
			v->linger.l_linger = linger.l_linger == LINGER_FOREVER ?
					     T_INFINITE : linger.l_linger;
	} else if (o->flags & KEEPALIVE) {
		v->kpalive.kp_onoff = get_value(fd, SOL_SOCKET, SO_KEEPALIVE) ? T_YES :
									  T_NO;
		v->kpalive.kp_timeout = get_value(fd, SOL_TCP, TCP_KEEPIDLE) / MINUTE;
	} else if (o->flags & BYTES) {
		len = sizeof(v->bytes);
		return getsockopt(fd, o->so_level, o->so_name, v->bytes, &len) ?
		       0 : len;
	} else if (o->size == 1) {
		v->byte = number_now(o, s, fd);
	} else {
		v->number = number_now(o, s, fd);
	}
	return o->size;
}

/*
 * Stores the value on a socket that was never changed, or the only value that
 * the option can have now, so that all options can be given their defaults.
 */
static size_t value_default(const struct sock_opt *o, struct endpoint *ep,
			    union value *v)
{
	struct sock_end fresh = { .rcvlowat = 1 };
	const struct sock_kind *kind = ep->sock->kind;
	size_t len;
	int fd;

	if (o->flags & READONLY ||
	    (o->flags & UNBOUND && sock_state(ep->sock) != TS_UNBND))
		return value_now(o, ep->sock, ep->fd, v);
	fd = socket(kind->domain, kind->type | SOCK_CLOEXEC, kind->protocol);
	len = value_now(o, &fresh, fd, v);
	if (fd >= 0)
		close(fd);
	return len;
}

/* Converts the value that a program asks for into the one that is set. */
static int check_linger(struct t_linger *l)
{
	if (l->l_onoff != T_YES && l->l_onoff != T_NO)
		return EINVAL;
	/* A value of seconds has no meaning with T_NO. */
	if (l->l_onoff == T_NO)
		l->l_linger = 0;
	else if (l->l_linger == T_UNSPEC)
		l->l_linger = LINGER_SECONDS;
	return l->l_linger >= 0 || l->l_linger == T_INFINITE ? 0 : EINVAL;
}

/* Checks a value of two numbers, or of the first one alone. */
static int check_kpalive(const char *value, size_t len, struct t_kpalive *kp)
{
	t_uscalar_t number;

	kp->kp_timeout = T_UNSPEC;
	if (len == sizeof(*kp)) {
		memcpy(kp, value, sizeof(*kp));
		/*
		 * The value may be a number of the same length: no structure
		 * has a time of 0.
		 */
		if (!kp->kp_timeout)
			kp->kp_timeout = T_UNSPEC;
	} else {
		if (options_number(value, len, &number))
			return EINVAL;
		kp->kp_onoff = number;
	}
	if (kp->kp_onoff != T_NO && kp->kp_onoff != T_YES &&
	    kp->kp_onoff != (T_YES | T_GARBAGE))
		return EINVAL;
	return !kp->kp_onoff || kp->kp_timeout == T_UNSPEC ||
	       (kp->kp_timeout >= 1 && kp->kp_timeout <= KEEPIDLE_MAX / MINUTE) ?
	       0 : EINVAL;
}

/*
 * Checks that the option can have a value. Returns 0, and the value in v; or
 * EINVAL.
 */
static int check_value(const struct sock_opt *o, const char *value, size_t len,
		       union value *v)
{
	memset(v, 0, sizeof(*v));
	if (o->flags & BYTES) {
		if (len > sizeof(v->bytes))
			return EINVAL;
		memcpy(v->bytes, value, len);
		return 0;
	}
	if (o->flags & LINGER) {
		if (len != sizeof(v->linger))
			return EINVAL;
		memcpy(&v->linger, value, len);
		return check_linger(&v->linger);
	}
	if (o->flags & KEEPALIVE)
		return check_kpalive(value, len, &v->kpalive);
	if (options_number(value, len, &v->number))
		return EINVAL;
	return v->number < o->min || v->number > o->max ? EINVAL : 0;
}

static int set_number(const struct sock_opt *o, struct sock_end *s, int fd,
		      t_uscalar_t number)
{
	int failed;

	if (o->flags & OWN) {
		s->rcvlowat = number ? number : 1;
		return 0;
	}
	/* A bound socket refuses even the option's current value. */
	if (o->flags & UNBOUND &&
	    (t_uscalar_t)get_value(fd, o->so_level, o->so_name) == number)
		return 0;
	failed = set_int(fd, o->so_level, o->so_name,
			 o->flags & NEGATED ? !number : (int)number);
	if (!failed && o->flags & UNBOUND)
		s->v6only = number;
	/* Datagrams carried by IPv4 come with IPv4's options. */
	if (!failed && o->so_level == SOL_IPV6 && o->flags & CONTROL)
		set_int(fd, SOL_IP, o->so_name == IPV6_RECVHOPLIMIT ? IP_RECVTTL :
		    o->so_name == IPV6_RECVTCLASS ? IP_RECVTOS : IP_PKTINFO,
		    number);
	return failed;
}

/* Sets an option; returns 0 or an errno. */
static int set_value(const struct sock_opt *o, struct sock_end *s, int fd,
		     const union value *v, size_t len)
{
	struct linger linger;
	int failed = 0;

	if (o->flags & LINGER) {
		linger.l_onoff = v->linger.l_onoff;
		linger.l_linger = v->linger.l_linger == T_INFINITE ?
				  LINGER_FOREVER : v->linger.l_linger;
		return setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger,
				  sizeof(linger)) ? errno : 0;
	}
	if (o->flags & KEEPALIVE) {
		if (v->kpalive.kp_onoff && v->kpalive.kp_timeout != T_UNSPEC)
			failed = set_int(fd, SOL_TCP, TCP_KEEPIDLE,
					 v->kpalive.kp_timeout * MINUTE);
		return failed ? failed : set_int(fd, SOL_SOCKET, SO_KEEPALIVE,
					     !!v->kpalive.kp_onoff);
	}
	if (o->flags & BYTES)
		return setsockopt(fd, o->so_level, o->so_name, v->bytes, len) ?
		       errno : 0;
	return set_number(o, s, fd, v->number);
}

bool sock_option_controls(const struct sock_kind *kind, int fd)
{
	unsigned int i;

	for (i = 0; i < kind->opts->n; i++)
		if (kind->opts->opt[i].flags & CONTROL &&
		    get_value(fd, kind->opts->opt[i].so_level,
			      kind->opts->opt[i].so_name))
			return true;
	return false;
}

/* The options of an answer, one after the other */
struct answer {
	struct endpoint *ep;
	int fd;			/* the socket whose options they are */
	char *buf;
	size_t len;
	bool full;
	t_scalar_t worst;	/* T_SUCCESS ... */
};

/* Orders statuses from the best to the worst: XTI, t_optmgmt(). */
static int rank_status(t_scalar_t status)
{
	static const t_scalar_t order[] = {
		T_SUCCESS, T_PARTSUCCESS, T_FAILURE, T_READONLY,
	};
	int i;

	for (i = 0; i < (int)(sizeof(order) / sizeof(order[0])); i++)
		if (order[i] == status)
			break;
	return i;
}

static void add_answer(struct answer *a, t_uscalar_t level, t_uscalar_t name,
		       t_scalar_t status, const void *value, size_t len)
{
	struct t_opthdr oh = {
		.len = sizeof(oh) + len, .level = level, .name = name,
		.status = status,
	};
	size_t step = T_ALIGN(oh.len);

	if (step > ANSWER_MAX - a->len) {
		a->full = true;
		return;
	}
	memset(a->buf + a->len, 0, step);
	memcpy(a->buf + a->len, &oh, sizeof(oh));
	if (len)
		memcpy(a->buf + a->len + sizeof(oh), value, len);
	a->len += step;
	if (rank_status(status) > rank_status(a->worst))
		a->worst = status;
}

static t_scalar_t negotiate_option(struct answer *a, const struct sock_opt *o,
				   const char *value, size_t len)
{
	struct sock_end *s = a->ep->sock;
	union value v;
	int failed;

	if (o->flags & READONLY)
		return T_READONLY;
	failed = check_value(o, value, len, &v);
	if (!failed)
		failed = set_value(o, s, a->fd, &v, len);
	if (failed)
		return failed == EACCES || failed == EPERM ? T_READONLY :
							     T_FAILURE;
	if (o->flags & BUFFER)
		s->buffers |= o->name == XTI_RCVBUF ? SOCK_RCVBUF_SET :
						      SOCK_SNDBUF_SET;
	if (o->flags & CONTROL && a->fd == a->ep->fd)
		s->controls = sock_option_controls(s->kind, a->fd);
	if (o->flags & (BOOLEAN | BYTES | LINGER | KEEPALIVE) || o->size == 1)
		return T_SUCCESS;
	/* Buffer sizes have limits, which then replace the value. */
	return number_now(o, s, a->fd) == v.number ? T_SUCCESS : T_PARTSUCCESS;
}

static void manage_one(struct answer *a, const struct sock_opt *o,
		       t_scalar_t action, const char *value, size_t len)
{
	t_scalar_t status = o->flags & READONLY ? T_READONLY : T_SUCCESS;
	union value v;

	switch (action) {
	case T_CURRENT:
		len = value_now(o, a->ep->sock, a->fd, &v);
		break;
	case T_DEFAULT:
		len = value_default(o, a->ep, &v);
		break;
	case T_CHECK:
		if (!(o->flags & READONLY) && len && check_value(o, value, len, &v))
			status = T_FAILURE;
		add_answer(a, o->level, o->name, status, value, len);
		return;
	default:
		if (!len) {
			len = value_default(o, a->ep, &v);
			value = v.bytes;
		}
		status = negotiate_option(a, o, value, len);
		len = value_now(o, a->ep->sock, a->fd, &v);
	}
	add_answer(a, o->level, o->name, status, &v, len);
}

/* Manages all options of a level; a read-only one does not make setting them fail. */
static void manage_level(struct answer *a, const struct sock_opts *opts,
			 t_uscalar_t level, t_scalar_t action)
{
	unsigned int i;

	for (i = 0; i < opts->n; i++)
		if (opts->opt[i].level == level &&
		    !(action == T_NEGOTIATE && opts->opt[i].flags & READONLY))
			manage_one(a, &opts->opt[i], action, NULL, 0);
}

/* Finds an option, or with T_ALLOPT a level. Returns NULL if there is none. */
static const struct sock_opt *find_option(const struct sock_opts *opts, t_uscalar_t level,
					  t_uscalar_t name)
{
	unsigned int i;

	for (i = 0; i < opts->n; i++)
		if (opts->opt[i].level == level &&
		    (name == T_ALLOPT || opts->opt[i].name == name))
			return &opts->opt[i];
	return NULL;
}

static int manage_list(struct answer *a, t_scalar_t action, const char *at,
		       size_t len)
{
	const struct sock_opts *opts = a->ep->sock->kind->opts;
	const struct sock_opt *o;
	struct t_opthdr oh;
	const char *value;
	size_t size;
	int got;

	while ((got = options_next(&at, &len, &oh, &value)) > 0) {
		size = oh.len - sizeof(oh);
		if (!find_option(opts, oh.level, T_ALLOPT))
			return TBADOPT;
		o = find_option(opts, oh.level, oh.name);
		if (oh.name == T_ALLOPT)
			manage_level(a, opts, oh.level, action);
		else if (o)
			manage_one(a, o, action, value, size);
		else
			add_answer(a, oh.level, oh.name, T_NOTSUPPORT, value,
				   action == T_CHECK || action == T_NEGOTIATE ? size : 0);
		if (a->full)
			return TBUFOVFLW;
	}
	return got ? TBADOPT : 0;
}

int sock_option_manage(struct endpoint *ep, const struct tpi_req *req,
		       struct tpi_msg *ack)
{
	const struct T_optmgmt_req *prim = req->prim;
	const struct netbuf *opt = req->part[0].from;
	struct answer a = { .ep = ep, .fd = ep->fd, .worst = T_SUCCESS };
	struct T_optmgmt_ack *done;
	int type, error;

	if (sock_get_type(ep->fd, &type))
		return sock_errno(TSYSERR);
	ack->heap = malloc(sizeof(*done) + ANSWER_MAX);
	if (!ack->heap)
		return xti_system(ENOMEM);
	ack->prim = ack->heap;
	a.buf = (char *)ack->heap + sizeof(*done);
	error = manage_list(&a, prim->MGMT_flags, opt->buf, opt->len);
	if (error)
		return error;
	done = sock_fill(ack, sizeof(*done));
	*done = (struct T_optmgmt_ack){
		.PRIM_type = T_OPTMGMT_ACK,
		.OPT_length = a.len,
		.OPT_offset = a.len ? sizeof(*done) : 0,
		.MGMT_flags = a.worst,
	};
	ack->len += a.len;
	return 0;
}

int sock_option_apply(struct endpoint *ep, int fd, const struct netbuf *opt)
{
	struct answer a = { .ep = ep, .fd = fd, .worst = T_SUCCESS };
	int error;

	if (!opt || !opt->len)
		return 0;
	a.buf = malloc(ANSWER_MAX);
	if (!a.buf)
		return xti_system(ENOMEM);
	error = manage_list(&a, T_NEGOTIATE, opt->buf, opt->len);
	free(a.buf);
	return !error && (a.worst == T_SUCCESS || a.worst == T_PARTSUCCESS) ?
	       0 : TBADOPT;
}

/*
 * Returns whether the user has set the option: the kernel adapts other buffers
 * to the connection.
 */
static bool is_set_by_user(const struct sock_opt *o, const struct sock_end *s)
{
	return !(o->flags & BUFFER) ||
	       s->buffers & (o->name == XTI_RCVBUF ? SOCK_RCVBUF_SET :
						     SOCK_SNDBUF_SET);
}

void sock_option_copy(struct endpoint *ep, int to)
{
	struct sock_end *s = ep->sock;
	const struct sock_opts *opts = s->kind->opts;
	union value was, is;
	unsigned int i;
	size_t len;

	for (i = 0; i < opts->n; i++) {
		const struct sock_opt *o = &opts->opt[i];

		if (o->flags & (READONLY | OWN) || !is_set_by_user(o, s))
			continue;
		len = value_now(o, s, ep->fd, &was);
		value_now(o, s, to, &is);
		/*
		 * The socket may have its value only because it was bound: the
		 * user's value is copied.
		 */
		if (o->flags & UNBOUND)
			was.number = s->v6only;
		if (!memcmp(&was, &is, sizeof(was)))
			continue;
		if (o->size == 1)
			was.number = was.byte;
		set_value(o, s, to, &was, len);
	}
}
