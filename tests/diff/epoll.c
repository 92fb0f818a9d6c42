// SPDX-License-Identifier: GPL-2.0-only
/* epoll.c - one epoll instance for each sequence, level and edge */
#include "player.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

static int instance = -1;

/** epoll_begin - an instance, out of the way of what is looked at */
void epoll_begin(void)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);

	instance = fcntl(fd, F_DUPFD_CLOEXEC, 300);
	if (instance < 0)
		broken("epoll");
	close(fd);
}

/** epoll_end - the sequence is over */
void epoll_end(void)
{
	close(instance);
}

static void play_ctl(const struct step *s)
{
	static const uint32_t events[] = {
		EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT, EPOLLIN | EPOLLET,
		EPOLLOUT | EPOLLET, EPOLLIN | EPOLLOUT | EPOLLET,
		EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | EPOLLET,
		EPOLLIN | EPOLLET | EPOLLONESHOT, EPOLLIN | EPOLLOUT | EPOLLONESHOT, 0,
		EPOLLIN | EPOLLEXCLUSIVE,
	};
	static const int ops[] = {
		EPOLL_CTL_ADD, EPOLL_CTL_ADD, EPOLL_CTL_ADD, EPOLL_CTL_ADD,
		EPOLL_CTL_MOD, EPOLL_CTL_MOD, EPOLL_CTL_DEL, 77,
	};
	struct epoll_event event = {
		.events = PICK(events, s->r[0]), .data.u32 = s->slot,
	};
	int op = PICK(ops, s->r[1]);

	put(CALL, "epoll_ctl(%d, slot %u, %#x)", op, s->slot, event.events);
	put_result(NULL, epoll_ctl(instance, op, slot_fd(s->slot), &event));
}

static void play_wait(const struct step *s)
{
	struct epoll_event events[SLOTS];
	int i, n, most = s->r[0] % 4 ? SLOTS : 1;

	put(CALL, "epoll_wait(%d)", most);
	n = epoll_wait(instance, events, most, 0);
	put_result(NULL, n);
	for (i = 0; i < n; i++) {
		put(RESULT, " slot %u ", events[i].data.u32);
		put_events(RESULT, events[i].events);
	}
	if (shared->refused)
		put(CONTEXT, " refused");
	if (n < most)
		shared->refused = false;
}

const struct call epoll_calls[] = {
	{ "epoll_ctl", 40, play_ctl },
	{ "epoll_wait", 60, play_wait },
	{}
};
