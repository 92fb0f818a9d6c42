// SPDX-License-Identifier: LGPL-2.1-or-later
/* The beginning and the end of connections of ticots and ticotsord */
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "frame.h"
#include "name.h"

/* Returns whether the other side belongs to that user. */
static bool peer_is_user(int fd, uid_t user)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) &&
	       cred.uid == user;
}

/* Makes the listener of that name look again. */
static void knock_at(const struct sockaddr_un *name, socklen_t len)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return;
	connect(fd, (const struct sockaddr *)name, len);
	close(fd);
}

void loop_wake_listener(struct endpoint *ep)
{
	struct sockaddr_un name;
	socklen_t len = sizeof(name);

	if (!getsockname(ep->fd, (struct sockaddr *)&name, &len))
		knock_at(&name, len);
}

/* Connects to the name that a user's endpoint has. Returns 0 or an errno. */
static int connect_as(struct endpoint *ep, const struct sockaddr_un *name,
		      socklen_t len, uid_t user)
{
	if (connect(ep->fd, (const struct sockaddr *)name, len))
		return errno;
	if (peer_is_user(ep->fd, user))
		return 0;
	/*
	 * The peer is another user's. The socket is connected to it, and cannot
	 * be used further.
	 */
	shutdown(ep->fd, SHUT_RDWR);
	ep->sock->spent = true;
	return EPERM;
}

int loop_call(struct endpoint *ep, const struct sock_addr *to,
	      const struct netbuf *udata)
{
	struct sock_end *s = ep->sock;
	struct loop_frame frame = { .what = LOOP_CALL, .addr_len = s->bound.len };
	struct sockaddr_un name;
	uid_t user[2];
	int n = loop_list_users(user), i, failed = ECONNREFUSED;
	socklen_t len = 0;

	if (s->borrowed)
		frame.addr_len = 0;
	for (i = 0; failed && !s->spent && i < n; i++) {
		len = loop_make_name(s->kind, user[i], to, &name);
		failed = connect_as(ep, &name, len, user[i]);
	}
	if (failed)
		return ECONNREFUSED;
	if (loop_send_frame(ep->fd, &frame, &s->bound, udata ? udata->buf : NULL,
			    udata ? udata->len : 0) < 0)
		return ECONNREFUSED;
	if (loop_peek_frame(ep->fd, &frame) == LOOP_LOOKED) {
		loop_drop_frame(ep->fd);
		knock_at(&name, len);
	}
	return 0;
}

void loop_send_farewell(int fd, int reason, const struct netbuf *udata)
{
	struct loop_frame frame = { .what = LOOP_DISCON, .value = reason };

	loop_send_frame(fd, &frame, NULL, udata ? udata->buf : NULL,
			udata ? udata->len : 0);
}

void loop_send_answer(struct endpoint *ep, struct endpoint *res, int fd,
		      const struct netbuf *udata)
{
	struct sock_end *s = res->sock;
	struct loop_frame frame = { .what = LOOP_ANSWER };

	/*
	 * The step binds an unbound endpoint to the address that the caller
	 * called.
	 */
	if (sock_state(s) == TS_UNBND) {
		s->bound = ep->sock->bound;
		s->borrowed = true;
	}
	frame.addr_len = s->bound.len;
	loop_send_frame(fd, &frame, &s->bound, udata ? udata->buf : NULL,
			udata ? udata->len : 0);
}

void loop_say_looked(struct sock_pending *p)
{
	struct loop_frame frame = { .what = LOOP_LOOKED };

	loop_send_frame(p->fd, &frame, NULL, NULL, 0);
}

int loop_hear_call(struct endpoint *ep, struct sock_pending *p)
{
	struct {
		struct loop_frame frame;
		char rest[SOCK_ADDR_MAX + SOCK_UDATA_MAX];
	} call;
	struct sockaddr_un name;
	socklen_t len = sizeof(name);
	ssize_t n;

	switch (loop_peek_frame(p->fd, &call.frame)) {
	case LOOP_NOTHING:
		return 0;
	case LOOP_CALL:
		break;
	default:
		return -1;
	}
	n = recv(p->fd, &call, sizeof(call), MSG_DONTWAIT);
	if (n < (ssize_t)sizeof(call.frame) ||
	    call.frame.addr_len > SOCK_ADDR_MAX ||
	    call.frame.addr_len > n - sizeof(call.frame))
		return -1;
	p->addr.len = call.frame.addr_len;
	memcpy(p->addr.bytes, call.rest, p->addr.len);
	p->udata_len = n - sizeof(call.frame) - p->addr.len;
	if (p->udata_len > sizeof(p->udata))
		return -1;
	memcpy(p->udata, call.rest + p->addr.len, p->udata_len);
	if (!p->addr.len)
		return 1;
	return !getpeername(p->fd, (struct sockaddr *)&name, &len) &&
	       loop_name_has_addr(ep->sock->kind, &p->addr, &name, len) ? 1 : -1;
}
