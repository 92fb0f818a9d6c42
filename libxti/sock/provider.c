// SPDX-License-Identifier: LGPL-2.1-or-later
/* The carrier that makes providers of the kernel's sockets */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/wait.h"
#include "sock/loop/conn.h"
#include "sock/loop/dgram.h"
#include "addr.h"
#include "conn.h"
#include "data.h"
#include "dgram.h"
#include "listen.h"
#include "option.h"
#include "pending.h"
#include "provider.h"
#include "renew.h"
#include "spill.h"
#include "state.h"
#include "uderr.h"

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

int sock_open_provider(const char *name, int oflag, int *fd)
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

/* Finds the kind of a socket; NULL: the socket is not of this library. */
static const struct sock_kind *find_kind(int fd)
{
	int domain, type, protocol, mark, orderly;
	unsigned int i;

	if (sock_get_int(fd, SOL_SOCKET, SO_DOMAIN, &domain) ||
	    sock_get_int(fd, SOL_SOCKET, SO_TYPE, &type) ||
	    sock_get_int(fd, SOL_SOCKET, SO_PROTOCOL, &protocol) ||
	    sock_get_int(fd, SOL_SOCKET, SO_OOBINLINE, &mark) || !mark)
		return NULL;
	if (sock_get_int(fd, SOL_SOCKET, SO_BROADCAST, &orderly))
		return NULL;
	for (i = 0; i < KINDS; i++)
		if (kinds[i].domain == domain && kinds[i].type == type &&
		    (kinds[i].protocol == protocol || type == SOCK_RAW) &&
		    (type != SOCK_SEQPACKET ||
		     kinds[i].serv_type == (orderly ? T_COTS_ORD : T_COTS)))
			return &kinds[i];
	return NULL;
}

static void sock_detach(struct endpoint *ep)
{
	struct sock_end *s = ep->sock;
	int cancel;

	if (!s)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	ep->sock = NULL;
	sock_pending_drop_all(s);
	if (s->listening >= 0)
		close(s->listening);
	sock_uderr_drop_all(s);
	free(s->spill);
	free(s->gathered);
	free(s);
	pthread_setcancelstate(cancel, &cancel);
}

static int sock_attach(struct endpoint *ep)
{
	const struct sock_kind *kind = find_kind(ep->fd);
	struct sock_end *s = ep->sock;

	if (!kind)
		return TBADF;
	/* The two kinds may be udp_s and udp, which count as one. */
	if (s && s->kind->service == kind->service && s->kind->opts == kind->opts &&
	    s->kind->serv_type == kind->serv_type) {
		/* Another process may have changed the socket's options. */
		s->controls = sock_option_controls(kind, ep->fd);
		return 0;
	}
	sock_detach(ep);
	s = calloc(1, sizeof(*s));
	if (!s)
		return xti_system(ENOMEM);
	s->kind = kind;
	s->listening = -1;
	s->rcvlowat = 1;
	s->controls = sock_option_controls(kind, ep->fd);
	if (kind->domain == AF_INET6)
		sock_get_int(ep->fd, SOL_IPV6, IPV6_V6ONLY, &s->v6only);
	ep->sock = s;
	return 0;
}

static void report_info(struct endpoint *ep, struct tpi_msg *ack)
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

static int answer_info_request(struct endpoint *ep, const struct tpi_req *req,
			       struct tpi_msg *ack)
{
	int type;

	/* The number may belong to another file by now. */
	if (sock_get_type(ep->fd, &type))
		return sock_errno(TSYSERR);
	if (req->cmd == TI_SYNC)
		sock_learn_state(ep);
	report_info(ep, ack);
	return 0;
}

static int answer_request(struct endpoint *ep, const struct tpi_req *req,
			  struct tpi_msg *ack)
{
	const union T_primitives *prim = req->prim;

	switch (prim->type) {
	case T_INFO_REQ:
		return answer_info_request(ep, req, ack);
	case T_ADDR_REQ:
		return sock_report_addrs(ep, ack);
	case T_BIND_REQ:
		return sock_bind(ep, req, ack);
	case T_UNBIND_REQ:
		return sock_unbind(ep);
	case T_OPTMGMT_REQ:
		return sock_option_manage(ep, req, ack);
	case T_CONN_REQ:
		return sock_connect(ep, req);
	case T_CONN_RES:
		return sock_accept(ep, req);
	case T_DISCON_REQ:
		return sock_disconnect(ep, req);
	default:
		return TNOTSUPPORT;
	}
}

/*
 * Calls on sockets are cancellation points, but these are made with locks held:
 * disable cancellation.
 */
static int sock_request(struct endpoint *ep, const struct tpi_req *req,
			struct tpi_msg *ack)
{
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = answer_request(ep, req, ack);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int sock_send(struct endpoint *ep, struct tpi_out *out)
{
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = ep->sock->kind->service->send(ep, out);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int sock_peek_type(struct endpoint *ep, int *type)
{
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = ep->sock->kind->service->peek_type(ep, type);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int sock_take_message(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
			     size_t size)
{
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = ep->sock->kind->service->take_message(ep, type, msg, data, size);
	pthread_setcancelstate(cancel, &cancel);
	return error;
}

static int sock_await_room(struct endpoint *ep, const struct tpi_out *out,
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

static int sock_await_input(struct endpoint *ep, unsigned int woken)
{
	struct pollfd p = {
		.fd = ep->fd,
		.events = ep->sock->kind->service->input_events(ep->sock),
	};

	return endpoint_wait(ep, &p, woken);
}

static bool sock_has_room(struct endpoint *ep, int band)
{
	struct pollfd p = { .fd = ep->fd, .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && p.revents & POLLOUT;
}

static int sock_check_same(const struct endpoint *ep, const struct endpoint *res)
{
	return ep->sock->kind == res->sock->kind ? 0 : TPROVMISMATCH;
}

const struct carrier sock_carrier = {
	.attach = sock_attach,
	.detach = sock_detach,
	.reset_in_child = sock_end_reset_lock,
	.request = sock_request,
	.send = sock_send,
	.await_room = sock_await_room,
	.has_room = sock_has_room,
	.peek_type = sock_peek_type,
	.take_message = sock_take_message,
	.await_input = sock_await_input,
	.check_same = sock_check_same,
};
