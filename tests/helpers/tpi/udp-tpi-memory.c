// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp-tpi-memory.c - datagrams that wait are counted in net.ipv4.udp_mem
 *
 * Run as root, in a machine of its own, with a net.ipv4.udp_mem that is less than the
 * receive buffers of all receivers together, and an eighth of which is more than two.
 */
#include "udp-tpi.h"

#define SIZE		1000
#define RECEIVERS	40
#define MOST		300	/* datagrams to each: twice what the limit leaves a receiver */

static char datagram[SIZE];

/* Returns the protocol's pages, as the protocol counts them. */
static long pages_counted(void)
{
	FILE *f = fopen("/proc/net/sockstat", "r");
	char line[128];
	long pages = -1;

	TRUE(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "UDP: inuse %*d mem %ld", &pages) == 1)
			break;
	fclose(f);
	TRUE(pages >= 0);
	return pages;
}

/* The most pages that the kernel keeps apart on each processor, a MiB */
static long pages_apart(void)
{
	return (1 << 20) / sysconf(_SC_PAGESIZE) * sysconf(_SC_NPROCESSORS_ONLN);
}

/* Returns the bytes of all datagrams that wait. */
static long drain(int fd, bool stream)
{
	long bytes = 0;

	test_nonblock(fd, true);
	for (;;) {
		struct strbuf ctl = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
		struct strbuf data = { .maxlen = sizeof(in.data), .buf = in.data };
		int flags = 0;

		if (stream ? getmsg(fd, &ctl, &data, &flags) :
			     recv(fd, in.data, sizeof(in.data), 0) < 0)
			break;
		bytes += SIZE;
	}
	TRUE(errno == EAGAIN);
	return bytes;
}

/*
 * Sends more to receivers of a kind than they may hold, to each from a stream
 * of its own, which knows the path. Returns the bytes that the receivers kept.
 */
static long kept(int (*receiver)(struct sockaddr_in *))
{
	struct sockaddr_in to[RECEIVERS], from;
	long bytes = 0, before = pages_counted(), counted;
	int fd[RECEIVERS], sender[RECEIVERS], i, n;

	for (i = 0; i < RECEIVERS; i++) {
		fd[i] = receiver(&to[i]);
		sender[i] = bound(&from);
	}
	for (n = 0; n < MOST; n++)
		for (i = 0; i < RECEIVERS; i++)
			IS(put_datagram(sender[i], &to[i], NULL, 0, datagram, SIZE), 0);
	counted = pages_counted() - before;
	/*
	 * Half of the receivers are read; the others are closed with all their
	 * datagrams.
	 */
	for (i = 0; i < RECEIVERS / 2; i++)
		bytes += drain(fd[i], receiver == bound);
	for (i = 0; i < RECEIVERS; i++) {
		close(fd[i]);
		close(sender[i]);
	}
	UNTIL(pages_counted() <= before + pages_apart());
	bytes *= 2;
	printf("%d %s keep %ld bytes, %ld pages counted\n", RECEIVERS,
	       receiver == bound ? "streams" : "sockets", bytes, counted);
	return bytes;
}

static void run_limit(void)
{
	long sockets = kept(udp_socket), streams = kept(bound);

	TRUE(streams <= sockets + sockets / 4);
	/* All of the buffer is free again. */
	streams = kept(bound);
	TRUE(streams >= sockets / 2 && streams <= sockets + sockets / 4);
}

/* Returns the bytes of buffers that wait at the socket with that address. */
static long buffers_of(const struct sockaddr_in *sin)
{
	FILE *f = fopen("/proc/net/udp", "r");
	unsigned int port, queued;
	char line[256];
	long found = -1;

	TRUE(f);
	while (found < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, " %*u: %*x:%x %*x:%*x %*x %*x:%x", &port, &queued) == 2 &&
		    port == ntohs(sin->sin_port))
			found = queued;
	fclose(f);
	TRUE(found >= 0);
	return found;
}

/*
 * Returns whether 20 datagrams from a stream wait without buffers, as messages.
 */
static bool are_messages(void)
{
	struct sockaddr_in to, from;
	int fd = bound(&to), sender = bound(&from), i;
	long buffers;

	/* The first datagrams look up the path. */
	for (i = 0; i < 20; i++)
		IS(put_datagram(sender, &to, NULL, 0, datagram, SIZE), 0);
	IS(drain(fd, true), 20 * SIZE);
	for (i = 0; i < 20; i++)
		IS(put_datagram(sender, &to, NULL, 0, datagram, SIZE), 0);
	buffers = buffers_of(&to);
	IS(drain(fd, true), 20 * SIZE);
	IS(buffers_of(&to), 0);
	close(fd);
	close(sender);
	return !buffers;
}

/* Messages are used where there is memory, and again after memory was short. */
static void run_room(void)
{
	struct sockaddr_in sin;
	int fd[RECEIVERS], round, i;

	for (round = 0; round < 3; round++) {
		TRUE(are_messages());
		for (i = 0; i < RECEIVERS; i++)
			fd[i] = bound(&sin);
		TRUE(!are_messages());
		for (i = 0; i < RECEIVERS; i++)
			close(fd[i]);
	}
}

static const struct test_case cases[] = {
	{ "limit", run_limit },
	{ "memory-to-spare", run_room },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
