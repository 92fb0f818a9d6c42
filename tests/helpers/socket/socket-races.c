// SPDX-License-Identifier: GPL-2.0-only
/* Threads that use one STREAMS socket, which is a stream, at once */
#include "socket-streams.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#define SECONDS		3

static atomic_bool over;
static int shared;

static bool time_is_left(void)
{
	static struct timespec end;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!end.tv_sec)
		end.tv_sec = now.tv_sec + SECONDS;
	return now.tv_sec < end.tv_sec;
}

static void *peek(void *unused)
{
	char byte;

	while (!over)
		recv(shared, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	return unused;
}

/*
 * Takes an empty datagram. Returns false if the other thread is just handling
 * it.
 */
static bool takes(void)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = sizeof(in.data), .buf = in.data };
	int flags = 0;

	if (getmsg(shared, &c, &d, &flags)) {
		TRUE(errno == EAGAIN);
		return false;
	}
	IS(in.prim.type, T_UNITDATA_IND);
	IS(d.len, 0);
	return true;
}

/*
 * MSG_PEEK marks an empty datagram. The kernel then replaces the datagram by a
 * copy if another task, such as one in getmsg(), also refers to it.
 */
static void run_peeked(void)
{
	struct sockaddr_in name;
	long sent = 0, got = 0;
	pthread_t thread;
	int fd = sock(), i;

	shared = bound(&name);
	IS(fcntl(shared, F_SETFL, O_NONBLOCK), 0);
	IS(isastream(shared), 1);
	IS(connect(fd, (struct sockaddr *)&name, sizeof(name)), 0);
	IS(pthread_create(&thread, NULL, peek, NULL), 0);
	while (time_is_left()) {
		for (i = 0; i < 100; i++)
			sent += send(fd, "", 0, MSG_DONTWAIT) == 0;
		while (polled(shared) & POLLIN)
			got += takes();
	}
	over = true;
	IS(pthread_join(thread, NULL), 0);
	TRUE(sent > 0);
	IS(got, sent);
	IS(polled(shared) & POLLIN, 0);
	close(shared);
	close(fd);
}

static struct sockaddr_in peers[2];

static void *reconnect(void *unused)
{
	unsigned int i = 0;

	while (!over)
		connect(shared, (struct sockaddr *)&peers[i++ % 2],
			sizeof(peers[0]));
	return unused;
}

/*
 * A datagram with a destination is sent there, not to the address that the
 * socket is connected to.
 */
static void run_named(void)
{
	int ends[] = { bound(&peers[0]), bound(&peers[1]) };
	struct sockaddr_in name;
	pthread_t thread;
	long sent = 0;
	char byte;

	shared = bound(&name);
	IS(ioctl(shared, I_PUSH, "nullmod"), 0);
	IS(pthread_create(&thread, NULL, reconnect, NULL), 0);
	while (time_is_left()) {
		sent += send_to(shared, "x", 1, &peers[0]) == 1;
		while (recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1)
			;
		FAILS(recv(ends[1], &byte, 1, MSG_DONTWAIT), EAGAIN);
	}
	over = true;
	IS(pthread_join(thread, NULL), 0);
	TRUE(sent > 0);
	close(shared);
	close(ends[0]);
	close(ends[1]);
}

static const struct test_case cases[] = {
	{ "peeked", run_peeked },
	{ "named", run_named },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
