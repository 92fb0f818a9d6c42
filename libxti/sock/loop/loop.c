// SPDX-License-Identifier: LGPL-2.1-or-later
/* The loopback transports by sockets: names and frames */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "loop.h"

#define WHOLE_MAX	64	/* bytes of an address that a name holds unchanged */
#define TRIES		1000	/* addresses, until none is free */
#define SPILL_MAX	65536	/* bytes of the longest frame's data */

/* FNV-1a; addresses for which it differs differ. */
static uint64_t hash(const char *bytes, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;

	while (len--)
		h = (h ^ (unsigned char)*bytes++) * 0x100000001b3;
	return h;
}

socklen_t loop_name(const struct sock_kind *kind, uid_t user,
		    const struct sock_addr *addr, struct sockaddr_un *name)
{
	char *at = name->sun_path;
	int n;

	memset(name, 0, sizeof(*name));
	name->sun_family = AF_UNIX;
	/* A first byte of 0 makes it an abstract name. */
	n = 1 + snprintf(at + 1, sizeof(name->sun_path) - 1, "xti/%s/%u/%u/",
			 kind->name, user, addr->len);
	if (addr->len <= WHOLE_MAX) {
		memcpy(at + n, addr->bytes, addr->len);
		n += addr->len;
	} else {
		n += snprintf(at + n, sizeof(name->sun_path) - n, "%016llx%016llx",
			      (unsigned long long)hash(addr->bytes, addr->len),
			      (unsigned long long)hash(addr->bytes + 1,
						       addr->len - 1));
	}
	return offsetof(struct sockaddr_un, sun_path) + n;
}

void loop_addr(struct sock_addr *addr)
{
	struct sockaddr_un name;
	unsigned int len;
	char text[sizeof(name.sun_path) + 1] = "";
	size_t size = addr->len - offsetof(struct sockaddr_un, sun_path);
	int n = 0;

	if (addr->len > sizeof(name) ||
	    addr->len <= offsetof(struct sockaddr_un, sun_path) + 1) {
		addr->len = 0;
		return;
	}
	memcpy(&name, addr->bytes, addr->len);
	addr->len = 0;
	memcpy(text, name.sun_path + 1, size - 1);
	if (sscanf(text, "xti/%*15[^/]/%*u/%u/%n", &len, &n) != 1 || !n ||
	    len > WHOLE_MAX || len != size - 1 - n)
		return;
	memcpy(addr->bytes, name.sun_path + 1 + n, len);
	addr->len = len;
}

bool loop_is_name(const struct sock_kind *kind, const struct sock_addr *addr,
		  const struct sockaddr_un *name, socklen_t len)
{
	char known[16], text[sizeof(name->sun_path) + 1] = "";
	struct sockaddr_un want;
	unsigned int user;

	if (len <= offsetof(struct sockaddr_un, sun_path) + 1 ||
	    len > sizeof(*name) || name->sun_path[0])
		return false;
	memcpy(text, name->sun_path + 1,
	       len - offsetof(struct sockaddr_un, sun_path) - 1);
	return sscanf(text, "xti/%15[^/]/%u/", known, &user) == 2 &&
	       loop_name(kind, user, addr, &want) == len &&
	       !memcmp(&want, name, len);
}

int loop_users(uid_t user[2])
{
	user[0] = geteuid();
	user[1] = 0;
	return user[0] ? 2 : 1;
}

ssize_t loop_send(int fd, const struct loop_frame *frame,
		  const struct sock_addr *addr, const void *data, size_t len)
{
	struct iovec iov[3] = {
		{ (void *)frame, sizeof(*frame) },
		{ addr ? (void *)addr->bytes : NULL, frame->addr_len },
		{ (void *)data, len },
	};
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 3 };
	ssize_t n = sendmsg(fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);

	return n < 0 ? -1 : (ssize_t)len;
}

/* Keeps data that does not fit into the user's buffer. */
static bool spill_room(struct sock_end *s)
{
	if (!s->spill)
		s->spill = malloc(SPILL_MAX);
	return s->spill;
}

void loop_give(struct sock_end *s, struct tpi_msg *msg, void *data, size_t size,
	       const void *from, size_t len)
{
	size_t most = len < size ? len : size;

	if (most)
		memcpy(data, from, most);
	msg->data_len = most;
	msg->more = false;
	if (len > most && spill_room(s)) {
		memcpy(s->spill, (const char *)from + most, len - most);
		s->spilled = len - most;
		s->spill_at = 0;
		msg->more = true;
	}
}

/* The frame's address, if it has one, which is read first. */
static size_t addr_size(int fd, struct loop_frame *frame)
{
	ssize_t n = recv(fd, frame, sizeof(*frame), MSG_PEEK | MSG_DONTWAIT);

	return n == sizeof(*frame) && frame->addr_len <= SOCK_ADDR_MAX ?
	       frame->addr_len : 0;
}

ssize_t loop_take(struct endpoint *ep, int fd, struct loop_frame *frame,
		  struct sock_addr *addr, struct tpi_msg *msg, void *data,
		  size_t size, struct msghdr *m)
{
	struct sock_end *s = ep->sock;
	size_t head = sizeof(*frame) + addr_size(fd, frame), len;
	struct iovec iov[4] = {
		{ frame, sizeof(*frame) },
		{ addr->bytes, head - sizeof(*frame) },
		{ data, size },
		{ NULL, 0 },
	};
	ssize_t n;

	if (size < SPILL_MAX) {
		if (!spill_room(s)) {
			errno = ENOMEM;
			return -1;
		}
		iov[3] = (struct iovec){ s->spill, SPILL_MAX };
	}
	m->msg_iov = iov;
	m->msg_iovlen = iov[3].iov_len ? 4 : 3;
	n = recvmsg(fd, m, MSG_DONTWAIT);
	if (n <= 0)
		return n;
	/* The peer does not use this library: treat it as ended. */
	if ((size_t)n < head || frame->addr_len != head - sizeof(*frame)) {
		errno = EPROTO;
		return -1;
	}
	addr->len = frame->addr_len;
	len = n - head;
	msg->data_len = len < size ? len : size;
	s->spilled = len - msg->data_len;
	s->spill_at = 0;
	msg->more = s->spilled;
	return n;
}

static int bind_as(struct endpoint *ep, const struct sock_addr *addr)
{
	struct sockaddr_un name;
	socklen_t len = loop_name(ep->sock->kind, geteuid(), addr, &name);

	return bind(ep->fd, (struct sockaddr *)&name, len) ? errno : 0;
}

int loop_bind(struct endpoint *ep, struct sock_addr *addr)
{
	int failed = EADDRINUSE, tries;

	if (addr->len)
		return bind_as(ep, addr);
	/* One that a user of a few bytes can type */
	addr->len = sizeof(uint32_t);
	for (tries = 0; failed == EADDRINUSE && tries < TRIES; tries++) {
		if (getrandom(addr->bytes, addr->len, GRND_NONBLOCK) < 0)
			return errno;
		failed = bind_as(ep, addr);
	}
	return failed;
}
