// SPDX-License-Identifier: LGPL-2.1-or-later
/* Endpoints whose provider is made of the kernel's sockets */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sock.h"
#include "core/wait.h"

#define MAX_UDP		65507	/* bytes of a datagram over IPv4 */
#define MAX_UDP6	65527
#define MAX_RAW		65535
#define TIDU		65536

#define STREAM_KIND(nm, family, proto, size, most, urgent, flag, options)	\
	{ .name = (nm), .domain = (family), .type = SOCK_STREAM,		\
	  .protocol = (proto), .addr = (size), .tsdu = (most),			\
	  .etsdu = (urgent), .connect = T_INVALID, .tidu = TIDU,		\
	  .serv_type = T_COTS_ORD, .flags = XPG4_1 | (flag),			\
	  .service = &sock_conn_service, .opts = (options) }
#define DATAGRAM_KIND(nm, family, kind, proto, size, most, options)		\
	{ .name = (nm), .domain = (family), .type = (kind),			\
	  .protocol = (proto), .addr = (size), .tsdu = (most),			\
	  .etsdu = T_INVALID, .connect = T_INVALID, .tidu = (most),		\
	  .serv_type = T_CLTS, .flags = XPG4_1 | SENDZERO,			\
	  .service = &sock_dgram_service, .opts = (options) }

#define LOOP_KIND(nm, kind, most, urgent, udata, serv, serves)			\
	{ .name = (nm), .domain = AF_UNIX, .type = (kind),			\
	  .addr = SOCK_ADDR_MAX, .tsdu = (most), .etsdu = (urgent),		\
	  .connect = (udata), .tidu = TIDU, .serv_type = (serv),		\
	  .flags = XPG4_1 | SENDZERO, .service = (serves),			\
	  .opts = &sock_loop_opts }

#define IN4	sizeof(struct sockaddr_in)
#define IN6	sizeof(struct sockaddr_in6)

static const struct sock_kind kinds[] = {
	STREAM_KIND("tcp", AF_INET, IPPROTO_TCP, IN4, 0, T_INFINITE, EXPINLINE,
		    &sock_tcp_opts),
	STREAM_KIND("tcp6", AF_INET6, IPPROTO_TCP, IN6, 0, T_INFINITE, EXPINLINE,
		    &sock_tcp6_opts),
	DATAGRAM_KIND("udp", AF_INET, SOCK_DGRAM, IPPROTO_UDP, IN4, MAX_UDP,
		      &sock_udp_opts),
	DATAGRAM_KIND("udp_s", AF_INET, SOCK_DGRAM, IPPROTO_UDP, IN4, MAX_UDP,
		      &sock_udp_opts),
	DATAGRAM_KIND("udp6", AF_INET6, SOCK_DGRAM, IPPROTO_UDP, IN6, MAX_UDP6,
		      &sock_udp6_opts),
	DATAGRAM_KIND("rawip", AF_INET, SOCK_RAW, IPPROTO_RAW, IN4, MAX_RAW,
		      &sock_raw_opts),
	DATAGRAM_KIND("rawip6", AF_INET6, SOCK_RAW, IPPROTO_RAW, IN6, MAX_RAW,
		      &sock_raw6_opts),
	LOOP_KIND("ticlts", SOCK_DGRAM, TIDU, T_INVALID, T_INVALID, T_CLTS,
		  &sock_loop_dgram_service),
	LOOP_KIND("ticots", SOCK_SEQPACKET, T_INFINITE, T_INFINITE,
		  SOCK_UDATA_MAX, T_COTS, &sock_loop_service),
	LOOP_KIND("ticotsord", SOCK_SEQPACKET, T_INFINITE, T_INFINITE,
		  SOCK_UDATA_MAX, T_COTS_ORD, &sock_loop_service),
};

#define KINDS	(sizeof(kinds) / sizeof(kinds[0]))

int sock_errno(int again)
{
	return errno == ENOTSOCK ? TBADF : xti_stream(again);
}

t_scalar_t sock_append(struct tpi_msg *msg, const void *from, size_t len)
{
	size_t at = msg->len;

	if (!len)
		return 0;
	memcpy((char *)msg->prim + at, from, len);
	msg->len = at + len;
	return at;
}

int sock_addr_of(const struct sock_kind *kind, const struct netbuf *from,
		 struct sock_addr *addr)
{
	if (!sock_is_inet(kind)) {
		if (!from->len || from->len > SOCK_ADDR_MAX)
			return TBADADDR;
		memcpy(addr->bytes, from->buf, from->len);
		addr->len = from->len;
		return 0;
	}
	if (from->len != (unsigned int)kind->addr)
		return TBADADDR;
	memcpy(addr->bytes, from->buf, from->len);
	addr->len = from->len;
	return addr->sa.sa_family == kind->domain ? 0 : TBADADDR;
}

/*
 * By SO_OOBINLINE the library knows its own again, after execve() too: no other
 * program has it without a reason. TCP's urgent data is read where it stands in the
 * stream; on other sockets it means nothing.
 */
int sock_mark(int fd, const struct sock_kind *kind)
{
	static const int on = 1;
	int level = kind->domain == AF_INET6 ? SOL_IPV6 : SOL_IP;
	int name = kind->domain == AF_INET6 ? IPV6_RECVERR : IP_RECVERR;

	if (setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on)))
		return -1;
	/* SO_BROADCAST marks ticotsord: no such socket has broadcasts. */
	if (!sock_is_inet(kind) && kind->serv_type == T_COTS_ORD)
		return setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on));
	if (kind->serv_type != T_CLTS || !sock_is_inet(kind))
		return 0;
	/* T_UDERROR_IND reports them. */
	if (setsockopt(fd, level, name, &on, sizeof(on)))
		return -1;
	/* Of those that IPv4 carries */
	if (kind->domain == AF_INET6)
		setsockopt(fd, SOL_IP, IP_RECVERR, &on, sizeof(on));
	return 0;
}

int sock_make(const struct sock_kind *kind, int protocol)
{
	int fd = socket(kind->domain, kind->type | SOCK_CLOEXEC, protocol);
	int saved;

	if (fd < 0 || !sock_mark(fd, kind))
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

int sock_open(const char *name, int oflag, int *fd)
{
	unsigned int i;

	for (i = 0; i < KINDS; i++)
		if (!strcmp(kinds[i].name, name))
			break;
	if (i == KINDS)
		return TBADNAME;
	*fd = sock_make(&kinds[i], kinds[i].protocol);
	if (*fd < 0)
		return errno == EPROTONOSUPPORT || errno == EAFNOSUPPORT ?
		       TBADNAME : TSYSERR;
	if (oflag & O_NONBLOCK)
		fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) | O_NONBLOCK);
	if (!(oflag & O_CLOEXEC))
		fcntl(*fd, F_SETFD, 0);
	return 0;
}

int sock_replace(struct endpoint *ep, int fd)
{
	int flags = fcntl(ep->fd, F_GETFL), kept = fcntl(ep->fd, F_GETFD);
	int error = 0;

	if (flags >= 0 && flags & O_NONBLOCK)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	lock_take(&ep->number);
	/* Closed by another thread: the number may belong to another file by now. */
	if (atomic_load(&ep->closed) || flags < 0)
		error = TBADF;
	else if (dup3(fd, ep->fd, kept & FD_CLOEXEC ? O_CLOEXEC : 0) < 0)
		error = TSYSERR;
	lock_drop(&ep->number);
	if (!error) {
		close(fd);
		/* Other threads wait for the previous socket. */
		endpoint_wake(ep);
	}
	return error;
}

int sock_renew(struct endpoint *ep, int protocol)
{
	static const struct linger none;
	int fd = sock_make(ep->sock->kind, protocol), error;

	if (fd < 0)
		return TSYSERR;
	sock_opt_copy(ep, fd);
	/* The kernel sends the old one's remaining data: this task does not wait for it. */
	setsockopt(ep->fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
	error = sock_replace(ep, fd);
	if (error)
		close(fd);
	return error;
}

static int get_int(int fd, int level, int name, int *value)
{
	socklen_t len = sizeof(*value);

	return getsockopt(fd, level, name, value, &len);
}

int sock_type(int fd, int *type)
{
	return get_int(fd, SOL_SOCKET, SO_TYPE, type);
}

/* NULL: not of this library. */
static const struct sock_kind *kind_of(int fd)
{
	int domain, type, protocol, mark, orderly;
	unsigned int i;

	if (get_int(fd, SOL_SOCKET, SO_DOMAIN, &domain) ||
	    get_int(fd, SOL_SOCKET, SO_TYPE, &type) ||
	    get_int(fd, SOL_SOCKET, SO_PROTOCOL, &protocol) ||
	    get_int(fd, SOL_SOCKET, SO_OOBINLINE, &mark) || !mark)
		return NULL;
	if (get_int(fd, SOL_SOCKET, SO_BROADCAST, &orderly))
		return NULL;
	for (i = 0; i < KINDS; i++)
		if (kinds[i].domain == domain && kinds[i].type == type &&
		    (kinds[i].protocol == protocol || type == SOCK_RAW) &&
		    (type != SOCK_SEQPACKET ||
		     kinds[i].serv_type == (orderly ? T_COTS_ORD : T_COTS)))
			return &kinds[i];
	return NULL;
}

static void detach(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;
	int cancel;

	if (!s)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	ep->sock = NULL;
	while (s->pending)
		sock_pending_drop(s, s->pending);
	if (s->listening >= 0)
		close(s->listening);
	sock_dgram_forget(s);
	free(s->spill);
	free(s->gathered);
	free(s);
	pthread_setcancelstate(cancel, &cancel);
}

static int attach(struct endpoint *ep)
{
	const struct sock_kind *kind = kind_of(ep->fd);
	struct sock_end *s = ep->sock;

	if (!kind)
		return TBADF;
	/* udp_s is udp. */
	if (s && s->kind->service == kind->service && s->kind->opts == kind->opts &&
	    s->kind->serv_type == kind->serv_type) {
		/* Another process may have changed its options. */
		s->controls = sock_opt_controls(kind, ep->fd);
		return 0;
	}
	detach(ep);
	s = calloc(1, sizeof(*s));
	if (!s)
		return xti_system(ENOMEM);
	s->kind = kind;
	s->listening = -1;
	s->rcvlowat = 1;
	s->controls = sock_opt_controls(kind, ep->fd);
	if (kind->domain == AF_INET6)
		get_int(ep->fd, SOL_IPV6, IPV6_V6ONLY, &s->v6only);
	ep->sock = s;
	return 0;
}

static void info(struct endpoint *ep, struct tpi_msg *ack)
{
	const struct sock_kind *kind = ep->sock->kind;
	struct T_info_ack *info = sock_fill(ack, sizeof(*info));

	*info = (struct T_info_ack){
		.PRIM_type = T_INFO_ACK,
		.TSDU_size = kind->tsdu,
		.ETSDU_size = kind->etsdu,
		.CDATA_size = kind->connect,
		.DDATA_size = kind->connect,
		.ADDR_size = kind->addr,
		.OPT_size = SOCK_OPT_SIZE,
		.TIDU_size = kind->tidu,
		.SERV_type = kind->serv_type,
		.CURRENT_state = sock_state(ep->sock),
		.PROVIDER_flag = kind->flags,
	};
}

static int info_req(struct endpoint *ep, const struct tpi_req *req,
		    struct tpi_msg *ack)
{
	int type;

	/* Whether the number is still a socket's at all. */
	if (sock_type(ep->fd, &type))
		return sock_errno(TSYSERR);
	if (req->cmd == TI_SYNC)
		sock_learn(ep);
	info(ep, ack);
	return 0;
}

static int act(struct endpoint *ep, const struct tpi_req *req,
	       struct tpi_msg *ack)
{
	const union T_primitives *prim = req->prim;

	switch (prim->type) {
	case T_INFO_REQ:
		return info_req(ep, req, ack);
	case T_ADDR_REQ:
		return sock_addr(ep, ack);
	case T_BIND_REQ:
		return sock_bind(ep, req, ack);
	case T_UNBIND_REQ:
		return sock_unbind(ep);
	case T_OPTMGMT_REQ:
		return sock_optmgmt(ep, req, ack);
	case T_CONN_REQ:
		return sock_conn_req(ep, req);
	case T_CONN_RES:
		return sock_conn_res(ep, req);
	case T_DISCON_REQ:
		return sock_discon_req(ep, req);
	default:
		return TNOTSUPPORT;
	}
}

/*
 * Calls on sockets are cancellation points, but these are made with locks held:
 * disable cancellation.
 */
static int request(struct endpoint *ep, const struct tpi_req *req,
		   struct tpi_msg *ack)
{
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = act(ep, req, ack);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int send_out(struct endpoint *ep, struct tpi_out *out)
{
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = ep->sock->kind->service->send(ep, out);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int front(struct endpoint *ep, int *type)
{
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = ep->sock->kind->service->front(ep, type);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int take(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
		size_t size)
{
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = ep->sock->kind->service->take(ep, type, msg, data, size);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int await_room(struct endpoint *ep, const struct tpi_out *out,
		      unsigned int woken)
{
	const struct sock_service *service = ep->sock->kind->service;
	struct pollfd p = { .fd = ep->fd, .events = POLLOUT };
	int flags = fcntl(ep->fd, F_GETFL), cancel, error;

	if (flags < 0)
		return TBADF;
	if (flags & O_NONBLOCK)
		return TFLOW;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = service->await_room ? service->await_room(ep, out, woken) :
				      endpoint_wait(ep, &p, woken);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int await_input(struct endpoint *ep, unsigned int woken)
{
	struct pollfd p = {
		.fd = ep->fd,
		.events = ep->sock->kind->service->input(ep->sock),
	};

	return endpoint_wait(ep, &p, woken);
}

static bool has_room(struct endpoint *ep, int band)
{
	struct pollfd p = { .fd = ep->fd, .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && p.revents & POLLOUT;
}

static int same(const struct endpoint *ep, const struct endpoint *res)
{
	return ep->sock->kind == res->sock->kind ? 0 : TPROVMISMATCH;
}

const struct carrier sock_carrier = {
	.attach = attach,
	.detach = detach,
	.request = request,
	.send = send_out,
	.await_room = await_room,
	.has_room = has_room,
	.front = front,
	.take = take,
	.await_input = await_input,
	.same = same,
};
