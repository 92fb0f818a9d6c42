// SPDX-License-Identifier: LGPL-2.1-or-later
/* Facts about a socket, and the parts of messages, for all providers made of sockets */
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

#include "end.h"

void sock_end_reset_lock(struct endpoint *ep)
{
	if (ep->sock)
		atomic_store(&ep->sock->lock.word, 0);
}

int sock_get_int(int fd, int level, int name, int *value)
{
	socklen_t len = sizeof(*value);

	return getsockopt(fd, level, name, value, &len);
}

int sock_get_type(int fd, int *type)
{
	return sock_get_int(fd, SOL_SOCKET, SO_TYPE, type);
}

bool sock_get_name(int fd, struct sock_addr *addr)
{
	addr->len = sizeof(addr->bytes);
	memset(addr->bytes, 0, sizeof(addr->bytes));
	return !getsockname(fd, &addr->sa, &addr->len);
}

bool sock_get_peer(int fd, struct sock_addr *addr)
{
	addr->len = sizeof(addr->bytes);
	memset(addr->bytes, 0, sizeof(addr->bytes));
	return !getpeername(fd, &addr->sa, &addr->len);
}

int sock_get_tcp_state(int fd)
{
	/* The first byte has the state. */
	unsigned char info[8];
	socklen_t len = sizeof(info);

	return getsockopt(fd, SOL_TCP, TCP_INFO, info, &len) ? 0 : info[0];
}

void sock_abort(int fd)
{
	static const struct linger now = { .l_onoff = 1 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}

int sock_errno(int again)
{
	return errno == ENOTSOCK ? TBADF : xti_stream(again);
}

int sock_copy_addr(const struct sock_kind *kind, const struct netbuf *from,
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

t_scalar_t sock_append(struct tpi_msg *msg, const void *from, size_t len)
{
	size_t at = msg->len;

	if (!len)
		return 0;
	memcpy((char *)msg->prim + at, from, len);
	msg->len = at + len;
	return at;
}
