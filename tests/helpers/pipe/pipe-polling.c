// SPDX-License-Identifier: GPL-2.0-only
/* Results of poll(), epoll and select() on both ends in each state */
#include "pipe-check.h"

#include <sys/epoll.h>
#include <sys/select.h>

#define ALL	(POLLIN | POLLPRI | POLLOUT | POLLRDNORM | POLLRDBAND | POLLWRNORM | \
		 POLLWRBAND | POLLMSG | POLLRDHUP)

static char data[65536];

static unsigned int poll_of(int fd)
{
	struct pollfd p = { .fd = fd, .events = ALL };

	return poll(&p, 1, 0) < 0 ? 0xffff : p.revents;
}

static unsigned int epoll_of(int fd, unsigned int mode)
{
	int ep = epoll_create1(0);
	struct epoll_event ev = { .events = ALL | mode, .data.fd = fd };
	unsigned int events = 0;

	if (epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev))
		broken("epoll_ctl");
	if (epoll_wait(ep, &ev, 1, 0) == 1)
		events = ev.events;
	close(ep);
	return events;
}

static unsigned int select_of(int fd)
{
	struct timeval none = { 0, 0 };
	fd_set r, w, e;

	FD_ZERO(&r);
	FD_SET(fd, &r);
	w = r;
	e = r;
	select(fd + 1, &r, &w, &e, &none);
	return !!FD_ISSET(fd, &r) << 2 | !!FD_ISSET(fd, &w) << 1 | !!FD_ISSET(fd, &e);
}

static void say_state(const char *state, int fds[2])
{
	char name[80];
	int i;

	for (i = 0; i < 2; i++) {
		if (fds[i] < 0)
			continue;
		snprintf(name, sizeof(name), "%s, end %d", state, i);
		say(name, "poll%s", event_names(poll_of(fds[i])));
		say(name, "epoll%s edge%s", event_names(epoll_of(fds[i], 0)),
		    event_names(epoll_of(fds[i], EPOLLET)));
		say(name, "select %x", select_of(fds[i]));
	}
}

static void states(int fds[2])
{
	make_pipe(fds, O_NONBLOCK);
	say_state("empty", fds);
	write(fds[1], data, 1);
	say_state("one byte", fds);
	write(fds[1], data, 61440 - 1);
	say_state("one page of room", fds);
	write(fds[1], data, 4096);
	say_state("full", fds);
	read(fds[0], data, 4095);
	say_state("a byte less than a page read", fds);
	read(fds[0], data, 1);
	say_state("a page read", fds);
	drain(fds[0]);
	say_state("drained", fds);
}

static void ends(void)
{
	int fds[2];

	make_pipe(fds, O_NONBLOCK);
	close(fds[1]);
	fds[1] = -1;
	say_state("no writer, empty", fds);
	close(fds[0]);

	make_pipe(fds, O_NONBLOCK);
	write(fds[1], data, 10);
	close(fds[1]);
	fds[1] = -1;
	say_state("no writer, data", fds);
	drain(fds[0]);
	say_state("no writer, drained", fds);
	close(fds[0]);

	make_pipe(fds, O_NONBLOCK);
	close(fds[0]);
	fds[0] = -1;
	say_state("no reader, empty", fds);
	close(fds[1]);

	make_pipe(fds, O_NONBLOCK);
	fill(fds[1], 4096);
	close(fds[0]);
	fds[0] = -1;
	say_state("no reader, full", fds);
	close(fds[1]);
}

static void next(const char *name, int ep)
{
	struct epoll_event ev[4];
	int n = epoll_wait(ep, ev, 4, 0);

	if (n == 1)
		say(name, "%d %s", ev[0].data.fd, event_names(ev[0].events));
	else if (n == 2)
		say(name, "%d %s, %d %s", ev[0].data.fd, event_names(ev[0].events),
		    ev[1].data.fd, event_names(ev[1].events));
	else
		say(name, "%d", n);
}

/* Writers that come and go are edges for a reader. */
static void writer_edges(int fds[2], int ep)
{
	char path[32];
	int i;

	write(fds[1], data, 1);
	next("edge: write before close", ep);
	close(fds[1]);
	next("edge: last writer closed", ep);
	next("edge: not again", ep);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	fds[1] = open(path, O_WRONLY | O_NONBLOCK);
	next("edge: another writer", ep);
	i = open(path, O_WRONLY | O_NONBLOCK);
	next("edge: not the first", ep);
	close(i);
	next("edge: not the last", ep);
	close(fds[1]);
	next("edge: gone too", ep);
}

/* A pipe that is full when it is added has its first edge when the reader closes. */
static void full_edges(void)
{
	struct epoll_event ev = { .events = EPOLLOUT | EPOLLET, .data.fd = 1 };
	int fds[2], ep;

	make_pipe(fds, O_NONBLOCK);
	fill(fds[1], 4096);
	ep = epoll_create1(0);
	epoll_ctl(ep, EPOLL_CTL_ADD, fds[1], &ev);
	next("edge: added full", ep);
	close(fds[0]);
	next("edge: last reader closed", ep);
	close(fds[1]);
	close(ep);
}

/* An edge-triggered epoll reports these events, one by one. */
static void edges(void)
{
	int fds[2], ep[2], i;
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };

	make_pipe(fds, O_NONBLOCK);
	for (i = 0; i < 2; i++) {
		ep[i] = epoll_create1(0);
		ev.events = (i ? EPOLLOUT : EPOLLIN) | EPOLLET;
		ev.data.fd = i;
		epoll_ctl(ep[i], EPOLL_CTL_ADD, fds[i], &ev);
	}
	next("edge: nothing yet", ep[0]);
	next("edge: writable", ep[1]);
	next("edge: not again", ep[1]);
	write(fds[1], data, 1);
	next("edge: readable", ep[0]);
	next("edge: not again", ep[0]);
	write(fds[1], data, 1);
	next("edge: each write into data", ep[0]);
	read(fds[0], data, 1);
	next("edge: after a part was read", ep[0]);
	read(fds[0], data, 1);
	next("edge: after all was read", ep[0]);
	write(fds[1], data, 1);
	next("edge: readable again", ep[0]);
	drain(fds[0]);
	next("edge: never full, writable", ep[1]);
	fill(fds[1], 4096);
	next("edge: full", ep[1]);
	next("edge: full, reader", ep[0]);
	read(fds[0], data, 4096);
	next("edge: full except one page, writable", ep[1]);
	next("edge: not again", ep[1]);
	drain(fds[0]);
	next("edge: drained, writable", ep[1]);
	next("edge: not again", ep[1]);
	writer_edges(fds, ep[0]);
	close(fds[0]);
	close(ep[0]);
	close(ep[1]);

	full_edges();
}

/* The earliest edge is reported first, even if it is out of date by then. */
static void order(void)
{
	struct epoll_event ev = { .events = EPOLLOUT | EPOLLET, .data.fd = 1 };
	int fds[2], ep = epoll_create1(0);

	make_pipe(fds, O_NONBLOCK);
	epoll_ctl(ep, EPOLL_CTL_ADD, fds[1], &ev);
	say("full", "%ld", fill(fds[1], 4096));
	next("order: full", ep);
	read(fds[0], data, 1000);
	ev = (struct epoll_event){ .events = EPOLLIN };
	epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &ev);
	drain(fds[0]);
	write(fds[1], data, 1);
	next("order: read from when it was full, then written", ep);
	close(fds[0]);
	close(fds[1]);
	close(ep);
}

/* The same holds for packets: in an empty pipe, and in a full one. */
static void packet_edges(void)
{
	struct epoll_event ev = { .events = EPOLLOUT | EPOLLET };
	int fds[2], ep, begin;

	for (begin = 0; begin < 2; begin++) {
		make_pipe(fds, O_NONBLOCK);
		ep = epoll_create1(0);
		epoll_ctl(ep, EPOLL_CTL_ADD, fds[1], &ev);
		next("edge: writable", ep);
		if (begin)
			say("full of bytes", "%ld", fill(fds[1], 4096));
		fcntl(fds[1], F_SETFL, O_NONBLOCK | O_DIRECT);
		next("edge: packets from now on", ep);
		say_result("a packet", write(fds[1], data, 512));
		next("edge: a packet is none for its writer", ep);
		read(fds[0], data, 4096);
		next("edge: one read", ep);
		say("packets to full", "%ld", fill(fds[1], 4096));
		next("edge: full of packets", ep);
		read(fds[0], data, 4096);
		next("edge: room for one", ep);
		drain(fds[0]);
		next("edge: drained", ep);
		say_result("packets to full in one write", write(fds[1], data, 65536));
		next("edge: full, which no writer has met", ep);
		read(fds[0], data, 4096);
		next("edge: room for one", ep);
		drain(fds[0]);
		close(fds[0]);
		close(fds[1]);
		close(ep);
	}
}

/*
 * The events are level-triggered and one-shot, and a set sleeps until another
 * process writes.
 */
static void levels(void)
{
	int fds[2], ep = epoll_create1(0), i, n;
	struct epoll_event ev = { .events = EPOLLIN | EPOLLONESHOT };
	struct pollfd p;
	pid_t pid;

	make_pipe(fds, 0);
	epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &ev);
	write(fds[1], data, 2);
	say("one-shot", "%d then %d", epoll_wait(ep, &ev, 1, 0), epoll_wait(ep, &ev, 1, 0));
	ev.events = EPOLLIN;
	epoll_ctl(ep, EPOLL_CTL_MOD, fds[0], &ev);
	say("level", "%d then %d", epoll_wait(ep, &ev, 1, 0), epoll_wait(ep, &ev, 1, 0));
	drain((fcntl(fds[0], F_SETFL, O_NONBLOCK), fds[0]));
	say("level, drained", "%d", epoll_wait(ep, &ev, 1, 0));
	for (i = 0; i < 3; i++) {
		pid = must_fork();
		if (!pid) {
			UNTIL(process_sleeps(getppid()));
			_exit(write(fds[1], data, 1) != 1);
		}
		p = (struct pollfd){ .fd = fds[0], .events = POLLIN };
		if (i == 0) {
			say("sleeping in epoll_wait", "%d", epoll_wait(ep, &ev, 1, WAIT_LIMIT_MS));
		} else if (i == 1) {
			n = poll(&p, 1, WAIT_LIMIT_MS);
			say("sleeping in poll", "%d %s", n, event_names(p.revents));
		} else {
			struct timeval tv = { WAIT_SECONDS, 0 };
			fd_set r;

			FD_ZERO(&r);
			FD_SET(fds[0], &r);
			say("sleeping in select", "%d", select(fds[0] + 1, &r, NULL, NULL, &tv));
		}
		drain(fds[0]);
		say_end("writer", pid);
	}
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	fill(fds[1], 4096);
	pid = must_fork();
	if (!pid) {
		UNTIL(process_sleeps(getppid()));
		_exit(drain(fds[0]) != 65536);
	}
	p = (struct pollfd){ .fd = fds[1], .events = POLLOUT };
	n = poll(&p, 1, WAIT_LIMIT_MS);
	say("sleeping for room", "%d %s", n, event_names(p.revents));
	say_end("reader", pid);
	pid = must_fork();
	if (!pid) {
		UNTIL(process_sleeps(getppid()));
		_exit(0);
	}
	close(fds[1]);
	p = (struct pollfd){ .fd = fds[0], .events = POLLIN };
	n = poll(&p, 1, WAIT_LIMIT_MS);
	say("sleeping for the last close", "%d %s", n, event_names(p.revents));
	say_end("child", pid);
	close(fds[0]);
	close(ep);
}

int main(void)
{
	int fds[2];

	states(fds);
	close_pipe(fds);
	ends();
	edges();
	order();
	packet_edges();
	levels();
	return 0;
}
