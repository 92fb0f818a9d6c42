// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp-native.c - native UDP beside STREAMS
 *
 * udp-native cost PORTS     nanoseconds of a native datagram to oneself while
 *                           PORTS ports are bound by STREAMS sockets
 * udp-native echo           native datagrams go there and back until SIGTERM;
 *                           how many did; fails when one is lost
 */
#include "streams-test.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <time.h>

#define ROUNDS		20
#define DATAGRAMS	200	/* of each */
#define BURST		20
#define FIRST_PORT	20000

static struct sockaddr_in at_port(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static int bound(int protocol, int port)
{
	struct sockaddr_in sin = at_port(port);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, protocol);

	TRUE(fd >= 0);
	IS(bind(fd, (struct sockaddr *)&sin, sizeof(sin)), 0);
	return fd;
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/*
 * All ports are consecutive, so that no two share a slot of the kernel's table:
 * sharing has a cost natively, too.
 */
static void cost(int ports)
{
	struct rlimit limit = { 4096, 4096 };
	struct sockaddr_in to = at_port(FIRST_PORT + 1);
	int a = bound(0, FIRST_PORT), b = bound(0, FIRST_PORT + 1), i, j;
	int64_t start, each, least = INT64_MAX;
	char data[64] = "";

	IS(setrlimit(RLIMIT_NOFILE, &limit), 0);
	for (i = 0; i < ports; i++)
		bound(IPPROTO_STREAMS, FIRST_PORT + 2 + i);
	/* In most rounds the machine is otherwise idle. */
	for (i = 0; i < ROUNDS; i++) {
		start = now();
		for (j = 0; j < DATAGRAMS; j++) {
			IS(sendto(a, data, sizeof(data), 0,
				  (struct sockaddr *)&to, sizeof(to)),
			   sizeof(data));
			IS(recv(b, data, sizeof(data), 0), sizeof(data));
		}
		each = (now() - start) / DATAGRAMS;
		if (each < least)
			least = each;
	}
	printf("%lld\n", (long long)least);
}

static void *echo(void *arg)
{
	int fd = *(int *)arg;
	long n;

	for (;;) {
		struct sockaddr_in from;
		socklen_t len = sizeof(from);

		IS(recvfrom(fd, &n, sizeof(n), 0, (struct sockaddr *)&from,
			    &len), sizeof(n));
		IS(sendto(fd, &n, sizeof(n), 0, (struct sockaddr *)&from, len),
		   sizeof(n));
	}
	return NULL;
}

static bool ended(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGTERM);
}

/*
 * Receives a burst of datagrams, each once. They may come in another order: sender and echo
 * may change their processors.
 */
static void receive_burst(int fd, long first)
{
	bool came[BURST] = {};
	int i;
	long n;

	for (i = 0; i < BURST; i++) {
		IS(recv(fd, &n, sizeof(n), 0), sizeof(n));
		TRUE(n >= first && n < first + BURST && !came[n - first]);
		came[n - first] = true;
	}
}

static void pass(void)
{
	int a = bound(0, FIRST_PORT), b = bound(0, FIRST_PORT + 1);
	struct sockaddr_in to = at_port(FIRST_PORT + 1);
	struct timeval patience = { WAIT_SECONDS, 0 };
	pthread_t thread;
	long sent = 0, back = 0;
	sigset_t end;

	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &end, NULL);
	IS(setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
	IS(pthread_create(&thread, NULL, echo, &b), 0);
	while (!ended()) {
		for (; sent < back + BURST; sent++)
			IS(sendto(a, &sent, sizeof(sent), 0,
				  (struct sockaddr *)&to, sizeof(to)),
			   sizeof(sent));
		receive_burst(a, back);
		back = sent;
	}
	printf("%ld datagrams came back\n", back);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "cost"))
		cost(atoi(argv[2]));
	else if (argc == 2 && !strcmp(argv[1], "echo"))
		pass();
	else
		return 2;
	return 0;
}
