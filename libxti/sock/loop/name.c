// SPDX-License-Identifier: LGPL-2.1-or-later
/* The names that sockets of the loopback transports have */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "name.h"

#define WHOLE_MAX	64	/* bytes of an address that a name holds unchanged */
#define TRIES		1000	/* addresses, until none is free */

/* Computes FNV-1a: addresses with different results are different. */
static uint64_t hash_bytes(const char *bytes, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;

	while (len--)
		h = (h ^ (unsigned char)*bytes++) * 0x100000001b3;
	return h;
}

socklen_t loop_make_name(const struct sock_kind *kind, uid_t user,
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
			      (unsigned long long)hash_bytes(addr->bytes, addr->len),
			      (unsigned long long)hash_bytes(addr->bytes + 1,
						       addr->len - 1));
	}
	return offsetof(struct sockaddr_un, sun_path) + n;
}

void loop_parse_name(struct sock_addr *addr)
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

bool loop_name_has_addr(const struct sock_kind *kind, const struct sock_addr *addr,
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
	       loop_make_name(kind, user, addr, &want) == len &&
	       !memcmp(&want, name, len);
}

int loop_list_users(uid_t user[2])
{
	user[0] = geteuid();
	user[1] = 0;
	return user[0] ? 2 : 1;
}

static int bind_as(struct endpoint *ep, const struct sock_addr *addr)
{
	struct sockaddr_un name;
	socklen_t len = loop_make_name(ep->sock->kind, geteuid(), addr, &name);

	return bind(ep->fd, (struct sockaddr *)&name, len) ? errno : 0;
}

int loop_bind(struct endpoint *ep, struct sock_addr *addr)
{
	int failed = EADDRINUSE, tries;

	if (addr->len)
		return bind_as(ep, addr);
	/* An address of a few bytes can be typed by a user. */
	addr->len = sizeof(uint32_t);
	for (tries = 0; failed == EADDRINUSE && tries < TRIES; tries++) {
		if (getrandom(addr->bytes, addr->len, GRND_NONBLOCK) < 0)
			return errno;
		failed = bind_as(ep, addr);
	}
	return failed;
}
