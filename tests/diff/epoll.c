// SPDX-License-Identifier: GPL-2.0-only
/* epoll.c - one epoll instance for each sequence, level and edge */
#include "epoll.h"
#include "line.h"
#include "sequence.h"
#include "slots.h"
#include "step.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define ALL	64	/* more than are ever registered */

static int instance = -1;

/** epoll_begin - an instance, with a descriptor out of the way of those compared */
void epoll_begin(void)
{
	instance = fd_away(epoll_create1(EPOLL_CLOEXEC));
	shared->unordered = false;
}

/** epoll_end - the sequence is over */
void epoll_end(void)
{
	close(instance);
}

/**
 * epoll_forget - a pipe is no longer open
 * @object: which
 */
void epoll_forget(unsigned int object)
{
	unsigned int i;

	shared->refused.pipe[object] = false;
	shared->moved.pipe[object] = false;
	shared->opened.pipe[object] = false;
	for (i = 0; i < SLOTS; i++) {
		shared->refused.edges[i] &= ~(1U << object);
		shared->moved.edges[i] &= ~(1U << object);
		shared->opened.edges[i] &= ~(1U << object);
	}
}

static void registered(struct stirred *stirred, unsigned int slot, bool edge)
{
	unsigned int object = 1U << slots[slot].object;

	if (edge)
		stirred->edges[slot] |= object;
	else
		stirred->edges[slot] &= ~object;
}

/* Prints the objects that are stirred, so that nothing else of an answer may differ. */
static void put_stirred(const struct stirred *stirred, const char *what)
{
	unsigned int i, object;
	bool any = false;

	for (i = 0; i < SLOTS; i++) {
		for (object = 0; object < SLOTS; object++)
			if (stirred->pipe[object] && stirred->edges[i] & 1U << object)
				break;
		if (object == SLOTS)
			continue;
		if (!any)
			put(CONTEXT, " %s", what);
		put(CONTEXT, " %u", i);
		any = true;
	}
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
	int ret, op = PICK(ops, s->r[1]);

	put(CALL, "epoll_ctl(%d, slot %u, %#x)", op, s->slot, event.events);
	ret = epoll_ctl(instance, op, slot_fd(s->slot), &event);
	put_result(NULL, ret);
	if (!ret) {
		bool edge = op != EPOLL_CTL_DEL && event.events & EPOLLET;

		registered(&shared->refused, s->slot, edge && event.events & EPOLLIN);
		registered(&shared->moved, s->slot, edge);
		registered(&shared->opened, s->slot, edge);
	}
}

/* Tells whether something may have been an edge natively alone, of any file. */
static bool is_stirred(void)
{
	const struct stirred *all[] = { &shared->refused, &shared->moved, &shared->opened };
	unsigned int i, object;

	for (i = 0; i < COUNT(all); i++)
		for (object = 0; object < SLOTS; object++)
			if (all[i]->pipe[object])
				return true;
	return false;
}

static int by_slot(const void *a, const void *b)
{
	const struct epoll_event *left = a, *right = b;

	return (int)left->data.u32 - (int)right->data.u32;
}

/*
 * Takes the events that wait. The number of events says nothing more than the
 * events do. Once some of them may differ, their order is that of edges which
 * one of the two has not had: all are asked for, lest one takes the place of
 * another.
 */
static void play_wait(const struct step *s)
{
	struct epoll_event events[ALL];
	int i, n, most;

	shared->unordered |= is_stirred();
	most = shared->unordered || s->r[0] % 4 ? ALL : 1;
	put_stirred(&shared->refused, "refused");
	put_stirred(&shared->moved, "moved");
	put_stirred(&shared->opened, "opened");
	if (shared->ended)
		put(CONTEXT, " ended");
	put(CALL, "epoll_wait(%d)", most);
	n = epoll_wait(instance, events, most, 0);
	if (n < 0)
		put_result(NULL, n);
	else if (shared->unordered)
		qsort(events, n, sizeof(events[0]), by_slot);
	for (i = 0; i < n; i++) {
		put(RESULT, "%sslot %u ", i ? " " : "", events[i].data.u32);
		put_events(RESULT, events[i].events);
	}
	if (n < most) {
		memset(shared->refused.pipe, 0, sizeof(shared->refused.pipe));
		memset(shared->moved.pipe, 0, sizeof(shared->moved.pipe));
		memset(shared->opened.pipe, 0, sizeof(shared->opened.pipe));
	}
}

const struct call epoll_calls[] = {
	{ "epoll_ctl", 40, play_ctl },
	{ "epoll_wait", 60, play_wait },
	{}
};
