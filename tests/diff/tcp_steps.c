// SPDX-License-Identifier: GPL-2.0-only
/*
 * tcp_steps.c - making, connecting and ending TCP sockets
 *
 * Slots 0 and 1, 2 and 3 are the ends of connections, of either family, slot 4 is any
 * socket. An observer of all packets begins and ends, so that the short way between two
 * ends on STREAMS begins and ends at any step.
 */
#include "tcp_steps.h"
#include "child.h"
#include "descriptor_steps.h"
#include "epoll.h"
#include "fail.h"
#include "line.h"
#include "sequence.h"
#include "slots.h"
#include "socket_steps.h"
#include "step.h"
#include "stream_steps.h"
#include "../helpers/lib/socket-options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <net/ethernet.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define ENDS	4	/* slots of connections */
#define ALONE	4	/* slot of any socket */
/* States of TCP, as tcpi_state has them */
#define FIN_WAIT1	4
#define FIN_WAIT2	5

#define NOBODY	1	/* a port that no socket is bound to */

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	};
	socklen_t len;
};

/* Returns the address of this host, also of IPv4 as IPv6 has it. */
static struct address loopback(int family, bool mapped)
{
	struct address a = {};

	a.any.sa_family = family;
	if (family == AF_INET) {
		a.len = sizeof(a.in);
		a.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return a;
	}
	a.len = sizeof(a.in6);
	inet_pton(AF_INET6, mapped ? "::ffff:127.0.0.1" : "::1", &a.in6.sin6_addr);
	return a;
}

static bool is_in_use(unsigned int slot)
{
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		if (slots[i].fd >= 0 && (i == slot || slots[i].object == slot))
			break;
	if (i == SLOTS && !child_is_there())
		return false;
	put(RESULT, "not made: slot %u is in use", slot);
	return true;
}

/* Returns the listening socket, and the address that a client connects to. */
static int listener(int family, int client, struct address *to)
{
	struct address own = loopback(family, false);
	int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, &own.any, own.len) || listen(fd, 1) ||
	    getsockname(fd, &own.any, &own.len))
		broken("a listening socket");
	*to = loopback(client, client != family);
	if (client == AF_INET)
		to->in.sin_port = own.in.sin_port;
	else
		to->in6.sin6_port = own.in.sin_port;
	return fd_away(fd);
}

/* Without Nagle's rule: when a small segment is sent does not depend on other's times. */
static void send_at_once(int fd)
{
	int on = 1;

	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		broken("TCP_NODELAY");
}

static void play_pair(const struct step *s)
{
	unsigned int slot = s->number < 2 ? s->slot : s->r[2] % 2 * 2;
	bool mapped = s->r[0] % 3 == 2, six = s->r[0] % 3 == 1;
	int family = six ? AF_INET6 : AF_INET, client = six || mapped ? AF_INET6 : AF_INET;
	struct pollfd p = { .events = POLLOUT };
	struct address to;
	int from, fd;

	put(CALL, "a connection of %s to slots %u and %u",
	    mapped ? "IPv6 to IPv4" : six ? "IPv6" : "IPv4", slot, slot + 1);
	if (s->child || is_in_use(slot) || is_in_use(slot + 1))
		return;
	from = listener(family, client, &to);
	fd = socket(client, SOCK_STREAM | SOCK_NONBLOCK, 0);
	put_result(NULL, fd < 0 ? fd : fd - first_fd);
	put_result("connect", connect(fd, &to.any, to.len));
	p.fd = fd;
	if (poll(&p, 1, 5000) != 1)
		broken("connecting");
	put_result("again", connect(fd, &to.any, to.len));
	slot_fill(slot, fd, slot);
	p = (struct pollfd){ .fd = from, .events = POLLIN };
	if (poll(&p, 1, 5000) != 1)
		broken("accepting");
	fd = accept4(from, NULL, NULL, SOCK_NONBLOCK);
	put_result("accept", fd < 0 ? fd : fd - first_fd);
	slot_fill(slot + 1, fd, slot + 1);
	close(from);
	shared->urgent[slot] = false;
	shared->urgent[slot + 1] = false;
	send_at_once(slot_fd(slot));
	send_at_once(slot_fd(slot + 1));
}

static void play_socket(const struct step *s)
{
	int family = s->r[0] % 2 ? AF_INET : AF_INET6, fd;

	put(CALL, "socket(%d) to slot %u", family, ALONE);
	if (s->child || is_in_use(ALONE))
		return;
	fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK, s->r[1] % 2 ? IPPROTO_TCP : 0);
	put_result(NULL, fd < 0 ? fd : fd - first_fd);
	slot_fill(ALONE, fd, ALONE);
}

/* Returns mostly the slot outside of the connections. */
static unsigned int any_slot(const struct step *s)
{
	return s->r[7] % 4 ? ALONE : s->slot;
}

static void play_listen(const struct step *s)
{
	unsigned int slot = any_slot(s);

	put(CALL, "listen(slot %u)", slot);
	put_result(NULL, listen(slot_fd(slot), s->r[0] % 3));
}

static void play_accept(const struct step *s)
{
	unsigned int slot = any_slot(s);

	put(CALL, "accept4(slot %u)", slot);
	if (!would_sleep(slot_fd(slot), POLLIN))
		put_result(NULL, accept4(slot_fd(slot), NULL, NULL, s->r[0] % 8 ? 0 : 1));
}

static void play_connect(const struct step *s)
{
	unsigned int slot = any_slot(s);
	int fd = slot_fd(slot), domain = 0;
	socklen_t len = sizeof(domain);
	struct address a;

	getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len);
	a = loopback(domain == AF_INET6 ? AF_INET6 : AF_INET, s->r[1] % 4 == 0);
	if (a.any.sa_family == AF_INET)
		a.in.sin_port = htons(NOBODY);
	else
		a.in6.sin6_port = htons(NOBODY);
	switch (s->r[0] % 8) {
	case 0:
		a.any.sa_family = AF_UNSPEC;
		break;
	case 1:
		a.any.sa_family = AF_UNIX;
		break;
	case 2:
		a.len = 3;
		break;
	}
	put(CALL, "connect(slot %u, family %d, length %d)", slot, a.any.sa_family, (int)a.len);
	put_result(NULL, connect(fd, &a.any, a.len));
}

static void play_names(const struct step *s)
{
	static const socklen_t lengths[] = { 128, 128, 128, 4, 0, -1 };
	struct sockaddr_storage name = {};
	socklen_t len = PICK(lengths, s->r[0]);
	bool peer = s->r[1] % 2;
	void *at = s->r[2] % 16 ? &name : (void *)16;
	int ret;

	put(CALL, "%s(slot %u, %d bytes%s)", peer ? "getpeername" : "getsockname", s->slot,
	    (int)len, at == &name ? "" : " at a bad address");
	ret = peer ? getpeername(slot_fd(s->slot), at, &len) :
		     getsockname(slot_fd(s->slot), at, &len);
	put_result(NULL, ret);
	put(RESULT, " length %d family %d", (int)len, name.ss_family);
}

/* TCP may delay the answer to an end. */
static void play_state(const struct step *s)
{
	struct tcp_info info = {};
	socklen_t len = sizeof(info);
	int ret;

	put(CALL, "TCP_INFO(slot %u)", s->slot);
	ret = getsockopt(slot_fd(s->slot), IPPROTO_TCP, TCP_INFO, &info, &len);
	put_result(NULL, ret);
	if (ret)
		return;
	if (info.tcpi_state == FIN_WAIT1)
		info.tcpi_state = FIN_WAIT2;
	put(RESULT, " state %d, %llu bytes received", info.tcpi_state,
	    (unsigned long long)info.tcpi_bytes_received);
}

static void play_queued(const struct step *s)
{
	static const unsigned long commands[] = { SIOCINQ, SIOCATMARK };
	unsigned int i = s->r[0] % COUNT(commands);
	int value = -1;

	put(CALL, "ioctl(slot %u, %s)", s->slot, i ? "SIOCATMARK" : "SIOCINQ");
	put_result(NULL, ioctl(slot_fd(s->slot), commands[i], &value));
	put(RESULT, " %d", value);
}

static void play_abort(const struct step *s)
{
	static const struct linger linger = { .l_onoff = 1 };

	put(CALL, "SO_LINGER(slot %u) of 0, and close", s->slot);
	put_result(NULL, setsockopt(slot_fd(s->slot), SOL_SOCKET, SO_LINGER, &linger,
				    sizeof(linger)));
	put_result("close", close(slot_fd(s->slot)));
	slots[s->slot].fd = -1;
}

/* Options that do not decide when TCP sends, nor how much fits. */
static const struct option options[] = {
	OPTION(SOL_SOCKET, SO_RCVLOWAT), OPTION(SOL_SOCKET, SO_RCVLOWAT),
	OPTION(SOL_SOCKET, SO_KEEPALIVE), OPTION(SOL_SOCKET, SO_OOBINLINE),
	OPTION(SOL_SOCKET, SO_PRIORITY), OPTION(SOL_SOCKET, SO_MARK),
	OPTION(SOL_SOCKET, SO_DONTROUTE), OPTION(SOL_SOCKET, SO_TIMESTAMP),
	OPTION(SOL_SOCKET, SO_PEEK_OFF),
	OPTION(SOL_SOCKET, SO_REUSEADDR), OPTION(SOL_SOCKET, SO_ACCEPTCONN),
	OPTION(SOL_SOCKET, SO_TYPE), OPTION(SOL_SOCKET, SO_PROTOCOL),
	OPTION(SOL_SOCKET, SO_DOMAIN), OPTION(SOL_SOCKET, SO_BROADCAST),
	OPTION(IPPROTO_IP, IP_TOS), OPTION(IPPROTO_IP, IP_TTL),
	OPTION(IPPROTO_IPV6, IPV6_V6ONLY), OPTION(IPPROTO_IPV6, IPV6_TCLASS),
	OPTION(IPPROTO_TCP, TCP_USER_TIMEOUT), OPTION(IPPROTO_TCP, TCP_KEEPIDLE),
	OPTION(IPPROTO_TCP, TCP_LINGER2), OPTION(IPPROTO_TCP, TCP_DEFER_ACCEPT),
	OPTION(IPPROTO_TCP, TCP_INQ), OPTION(IPPROTO_TCP, TCP_FASTOPEN),
};

/* Returns whether the option acts on bytes that come later (tests/diff/known: late). */
static bool is_for_readers(const struct option *o)
{
	if (o->level == IPPROTO_TCP)
		return o->name == TCP_INQ;
	return o->level == SOL_SOCKET && (o->name == SO_RCVLOWAT || o->name == SO_PEEK_OFF ||
					  o->name == SO_TIMESTAMP);
}

static void play_set(const struct step *s)
{
	static const int values[] = { 0, 1, 1, 2, 10, 100, 3000, -1 };
	static const socklen_t lengths[] = { 4, 4, 4, 4, 4, 4, 8, 1, 0, -1 };
	const struct option *o = &PICK(options, s->r[0]);
	socklen_t len = PICK(lengths, s->r[2]);
	int value[2] = { PICK(values, s->r[1]) }, unread = 0;

	put(CALL, "setsockopt(slot %u, %s, %d, %d bytes)", s->slot, o->label, value[0], (int)len);
	if (is_for_readers(o) && !ioctl(slot_fd(s->slot), FIONREAD, &unread) && unread) {
		put(RESULT, "not made: late");
		return;
	}
	put_result(NULL, setsockopt(slot_fd(s->slot), o->level, o->name, value, len));
}

static void play_get(const struct step *s)
{
	const struct option *o = &PICK(options, s->r[0]);
	int ret, value = 0;
	socklen_t len = sizeof(value);

	put(CALL, "getsockopt(slot %u, %s)", s->slot, o->label);
	ret = getsockopt(slot_fd(s->slot), o->level, o->name, &value, &len);
	put_result(NULL, ret);
	put(RESULT, " %d length %d", value, (int)len);
}

static int observer = -1;

static void stop_observing(void)
{
	if (observer >= 0)
		close(observer);
	observer = -1;
}

static void play_observe(const struct step *s)
{
	put(CALL, "an observer of all packets %s", observer < 0 ? "comes" : "ends");
	if (s->child) {
		put(RESULT, "not made: in the child");
		return;
	}
	if (observer >= 0) {
		stop_observing();
		return;
	}
	observer = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, htons(ETH_P_ALL));
	put_result(NULL, observer < 0 ? observer : 0);
	if (observer >= 0)
		observer = fd_away(observer);
}

static const struct call tcp_calls[] = {
	{ "pair", 60, play_pair },
	{ "socket", 20, play_socket },
	{ "listen", 10, play_listen },
	{ "accept", 10, play_accept },
	{ "connect", 20, play_connect },
	{ "names", 20, play_names },
	{ "shutdown", 12, play_shutdown },
	{ "error", 20, play_error },
	{ "state", 30, play_state },
	{ "queued", 20, play_queued },
	{ "abort", 6, play_abort },
	{ "setsockopt", 50, play_set },
	{ "getsockopt", 30, play_get },
	{ "observe", 40, play_observe },
	{}
};

static const struct call *const calls[] = {
	tcp_calls, stream_calls, descriptor_calls, epoll_calls, NULL,
};

static const struct opening openings[] = { { "pair", 0 }, { "pair", 2 }, {} };

const struct kind tcp_kind = {
	.name = "tcp",
	.end = stop_observing,
	.calls = calls,
	.openings = openings,
	.slots = ENDS + 1,
};
