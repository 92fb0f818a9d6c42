// SPDX-License-Identifier: GPL-2.0-only
/* Options of perftest, udptest and conntest; the transports are the program's. */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "sample.h"
#include "table.h"
#include "works.h"

static const struct option options[] = {
	{ "transport", required_argument, NULL, 't' },
	{ "work", required_argument, NULL, 'w' },
	{ "sizes", required_argument, NULL, 's' },
	{ "count", required_argument, NULL, 'n' },
	{ "time", required_argument, NULL, 'm' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "pairs", required_argument, NULL, 'k' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "push", required_argument, NULL, 'p' },
	{ "hiwat", required_argument, NULL, 'H' },
	{ "burst", required_argument, NULL, 'b' },
	{ "inet6", no_argument, NULL, '6' },
	{ "connect", no_argument, NULL, 'c' },
	{ "sctp", no_argument, NULL, 'S' },
	{ "observed", no_argument, NULL, 'o' },
	{ "link", required_argument, NULL, 'l' },
	{ "peer", required_argument, NULL, 'P' },
	{ "netns", required_argument, NULL, 'N' },
	{ "address", required_argument, NULL, 'a' },
	{ "timeout", required_argument, NULL, 'T' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static void help(const char *program)
{
	const struct transport *t;
	const struct work *w;

	printf("usage: %s [OPTION...]\n"
	       "Measures what a message costs; prints lines of JSON.\n\n"
	       "  -t, --transport NAME  the carrier of the messages:\n", program);
	for (t = transports; t->name; t++)
		printf("      %-11s %s\n", t->name, t->what);
	printf("  -w, --work NAME       the work to be measured:\n");
	for (w = works; w->name; w++)
		printf("      %-11s %s\n", w->name, w->what);
	printf("  -s, --sizes LIST      bytes of a message (1,64,4096)\n"
	       "  -n, --count N         the cost of N more messages; else by time.\n"
	       "                        Of N messages of 1 byte, fewer of large ones\n"
	       "  -m, --time MS         how long one measurement takes (200)\n"
	       "  -r, --repeat N        measurements of each size (1)\n"
	       "  -k, --pairs N         channels of many and memory (1000)\n"
	       "  -j, --jobs N          processes of jobs (1)\n"
	       "  -p, --push N          push nullmod N times\n"
	       "  -H, --hiwat BYTES     capacity of a channel\n"
	       "  -b, --burst N         of turn: N messages are sent, and then received;\n"
	       "                        fewer where they had more than %d bytes (1)\n"
	       "  -6, --inet6           sockets, tpi: over IPv6\n"
	       "  -c, --connect         datagrams: connect the sender\n"
	       "  -S, --sctp            connections: SCTP's, not TCP's\n"
	       "  -o, --observed        a packet socket watches meanwhile, and takes nothing\n"
	       "  -l, --link NAME       frames: the device that sends (lo)\n"
	       "  -P, --peer NAME       frames: the device that receives (lo)\n"
	       "  -N, --netns NAME      frames, UDP sockets, tpi: the receiver is in there\n"
	       "  -a, --address IP      UDP sockets, tpi: the receiver has this address\n"
	       "  -T, --timeout S       end the program after S seconds (600)\n"
	       "  -h, --help            print this\n\n"
	       "exit status: 2 for a wrong option, 3 if a kernel module is missing\n",
	       BURST_BYTES);
}

static long number(const char *option, const char *text, long least, long most)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < least || n > most)
		errx(2, "--%s needs a number from %ld to %ld, not '%s'", option,
		     least, most, text);
	return n;
}

/* Adds a cheap observer, for which datagrams must pass through IP. */
static void observe(void)
{
	struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog filter = { .len = 1, .filter = &none };
	struct sockaddr_ll all = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
	};
	/* The socket has no protocol until its filter is attached. */
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0)
		err(1, "--observed: a packet socket (root may make one)");
	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) ||
	    bind(fd, (struct sockaddr *)&all, sizeof(all)))
		err(1, "--observed");
}

/* Large messages need fewer of them to be measured as well. */
static unsigned long count_of(unsigned long count, size_t size)
{
	unsigned long n = count / (1 + size / 2048.0);

	return !count || n >= 64 ? n : 64;
}

static void run_sizes(const struct work *w, const struct work_options *o, const char *sizes)
{
	char *list = strdup(sizes), *at = list, *text;

	while ((text = strsep(&at, ","))) {
		size_t size = number("sizes", text, 1, DATA_MOST);
		struct work_options some = *o;

		if (o->transport->most && size > o->transport->most)
			errx(2, "--sizes: %s carries %zu bytes at most, not %zu",
			     o->transport->name, o->transport->most, size);
		some.count = count_of(o->count, size);
		w->run(&some, size);
	}
	free(list);
}

int main(int argc, char **argv)
{
	struct work_options o = {
		.transport = transports,
		.time_ms = 200,
		.repeat = 1,
		.pairs = 1000,
		.jobs = 1,
		.burst = 1,
	};
	struct rlimit limit;
	const struct work *w = works;
	const char *sizes = "1,64,4096";
	int c, timeout = 600;

	while ((c = getopt_long(argc, argv, "t:w:s:n:m:r:k:j:p:H:b:6cSol:P:N:a:T:h", options,
				NULL)) != -1) {
		switch (c) {
		case 't':
			o.transport = transport_find(transports, optarg);
			if (!o.transport)
				errx(2, "no transport '%s'; see --help", optarg);
			break;
		case 'w':
			for (w = works; w->name && strcmp(w->name, optarg);)
				w++;
			if (!w->name)
				errx(2, "no work '%s'; see --help", optarg);
			break;
		case 's':
			sizes = optarg;
			break;
		case 'n':
			o.count = number("count", optarg, 1, 1000000000);
			break;
		case 'm':
			o.time_ms = number("time", optarg, 1, 3600000);
			break;
		case 'r':
			o.repeat = number("repeat", optarg, 1, 100000);
			break;
		case 'k':
			o.pairs = number("pairs", optarg, 1, 300000);
			break;
		case 'j':
			o.jobs = number("jobs", optarg, 1, 256);
			break;
		case 'p':
			o.channel.push = number("push", optarg, 0, 64);
			break;
		case 'H':
			o.channel.hiwat = number("hiwat", optarg, 1, INT_MAX);
			break;
		case 'b':
			o.burst = number("burst", optarg, 1, 1024);
			break;
		case '6':
			o.channel.inet6 = true;
			break;
		case 'c':
			o.channel.connect = true;
			break;
		case 'S':
			o.channel.sctp = true;
			break;
		case 'o':
			observe();
			break;
		case 'l':
			o.channel.link = optarg;
			break;
		case 'P':
			o.channel.peer = optarg;
			break;
		case 'N':
			o.channel.netns = optarg;
			break;
		case 'a':
			o.channel.address = optarg;
			break;
		case 'T':
			timeout = number("timeout", optarg, 1, 86400);
			break;
		case 'h':
			help(argv[0]);
			return 0;
		default:
			fprintf(stderr, "see %s --help\n", argv[0]);
			return 2;
		}
	}
	if (optind < argc)
		errx(2, "what is '%s'? see --help", argv[optind]);
	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (o.count && o.transport->waits)
		busy_only();
	alarm(timeout);
	/* Page faults must not be part of the measurement. */
	mlockall(MCL_CURRENT | MCL_FUTURE);
	memset(out_data, 'd', sizeof(out_data));
	if (w->sized)
		run_sizes(w, &o, sizes);
	else
		w->run(&o, 0);
	return 0;
}
