// SPDX-License-Identifier: GPL-2.0-only
/* udp_steps.c - making, binding and connecting UDP sockets */
#include "udp_steps.h"
#include "addresses.h"
#include "child.h"
#include "descriptor_steps.h"
#include "epoll.h"
#include "fail.h"
#include "line.h"
#include "message_steps.h"
#include "option_steps.h"
#include "sequence.h"
#include "slots.h"
#include "socket_steps.h"
#include "step.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void play_socket(const struct step *s)
{
	static const int types[] = {
		SOCK_NONBLOCK, SOCK_NONBLOCK, SOCK_NONBLOCK, SOCK_NONBLOCK, SOCK_NONBLOCK,
		SOCK_NONBLOCK | SOCK_CLOEXEC, SOCK_CLOEXEC, 0,
	};
	int fd, type = SOCK_DGRAM | PICK(types, s->r[0]);
	int protocol = s->r[1] % 2 ? IPPROTO_UDP : 0;
	unsigned int i, slot = s->number < 2 ? s->slot : s->r[2] % SOCKETS;

	put(CALL, "socket(%s, %#x, %d) to slot %u",
	    kind->family == AF_INET ? "AF_INET" : "AF_INET6", type, protocol, slot);
	for (i = 0; i < SLOTS; i++)
		if (slots[i].fd >= 0 && slots[i].object == slot)
			break;
	if (s->child || child_is_there() || i < SLOTS || slot_fd(slot) >= 0) {
		put(RESULT, "not made: slot %u is in use", slot);
		return;
	}
	fd = socket(kind->family, type, protocol);
	put_result(NULL, fd < 0 ? fd : fd - first_fd);
	shared->port[slot] = 0;
	slot_fill(slot, fd, slot);
}

static void play_bind(const struct step *s)
{
	struct address a;

	put(CALL, "bind(slot %u", s->slot);
	address_choose(&a, s->r, true);
	put(CALL, ")");
	put_result(NULL, bind(slot_fd(s->slot), a.at, a.len));
	port_learn(s->slot);
}

/*
 * A native socket that is connected sends to where it could not be connected
 * (tests/diff/known: cork-address).
 */
static void connect_again(unsigned int slot)
{
	struct address peer;
	socklen_t len = sizeof(peer.bytes);
	int error = errno;

	if (!getpeername(slot_fd(slot), &peer.any, &len))
		connect(slot_fd(slot), &peer.any, len);
	errno = error;
}

static void play_connect(const struct step *s)
{
	struct address a;
	int ret;

	put(CALL, "connect(slot %u", s->slot);
	address_choose(&a, s->r, false);
	if (s->r[2] % 6 == 0) {
		a.any.sa_family = AF_UNSPEC;
		put(CALL, ", no: AF_UNSPEC");
	}
	put(CALL, ")");
	ret = connect(slot_fd(s->slot), a.at, a.len);
	if (ret)
		connect_again(s->slot);
	put_result(NULL, ret);
	port_learn(s->slot);
}

/* Operations that a datagram socket does not support. */
static void play_not_for_udp(const struct step *s)
{
	int fd = slot_fd(s->slot), pair[2];
	struct address a;
	socklen_t len = sizeof(a.bytes);

	switch (s->r[0] % 5) {
	case 0:
		put(CALL, "listen(slot %u)", s->slot);
		put_result(NULL, listen(fd, 5));
		break;
	case 1:
		put(CALL, "accept(slot %u)", s->slot);
		put_result(NULL, accept(fd, &a.any, &len));
		break;
	case 2:
		put(CALL, "accept4(slot %u, bad flags)", s->slot);
		put_result(NULL, accept4(fd, NULL, NULL, 1));
		break;
	case 3:
		put(CALL, "send(slot %u, MSG_OOB)", s->slot);
		put_result(NULL, send(fd, "x", 1, MSG_OOB | MSG_DONTWAIT));
		break;
	default:
		put(CALL, "recv(slot %u, MSG_OOB)", s->slot);
		put_result(NULL, recv(fd, pair, 1, MSG_OOB | MSG_DONTWAIT));
	}
}

const struct call udp_calls[] = {
	{ "socket", 40, play_socket },
	{ "bind", 40, play_bind },
	{ "connect", 60, play_connect },
	{ "notforudp", 10, play_not_for_udp },
	{}
};

static const struct call *const calls[] = {
	udp_calls, socket_calls, message_calls, option_calls, descriptor_calls, epoll_calls, NULL,
};

static const struct opening openings[] = {
	{ "socket", 0 }, { "socket", 1 }, { "bind", 0 }, { "bind", 1 }, {},
};

const struct kind udp_kind = {
	.name = "udp",
	.calls = calls,
	.openings = openings,
	.slots = SOCKETS,
	.family = AF_INET,
	.options = udp_option_lists,
};

const struct kind udp6_kind = {
	.name = "udp6",
	.calls = calls,
	.openings = openings,
	.slots = SOCKETS,
	.family = AF_INET6,
	.options = udp6_option_lists,
};
