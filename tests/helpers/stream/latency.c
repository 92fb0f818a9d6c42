// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency.c - what takes the kernel longest for one call on a stream
 *
 * tests/latency measures how long each case keeps a processor from a task of
 * high priority. "list" prints the cases with their titles.
 */
#include "proc.h"
#include "udp-tpi.h"

#include <net/ethernet.h>
#include <net/if.h>
#include <sys/dlpi.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#define MANY		1000		/* streams, or processes */
#define TIMES		20		/* of what is repeated */
#define LARGE		0x100000	/* bytes of a call */
#define BUFFER		0x4000000	/* bytes of a receive buffer */
#define DATAGRAM	700		/* bytes that the shortest takes of it, at least */

static char block[LARGE];

static int device(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	TRUE(fd >= 0);
	return fd;
}

/*
 * The time between a line "begin" and a line "end" is measured; a line answers
 * each.
 */
static void mark(const char *word)
{
	puts(word);
	fflush(stdout);
	TRUE(getchar() == '\n');
}

/* Writes to the end of a FIFO or duplex pipe until it takes no more. */
static void fill_up(int fd, int size)
{
	test_nonblock(fd, true);
	while (write(fd, block, size) > 0)
		;
	TRUE(errno == EAGAIN);
	test_nonblock(fd, false);
}

static void busy(void)
{
	struct timespec t, start;

	mark("begin");
	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &t);
	while ((t.tv_sec - start.tv_sec) * 1000000000 + t.tv_nsec - start.tv_nsec < 5000000);
	mark("end");
	TRUE(true);
}

static void flush(void)
{
	int fds[2], i;

	IS(strpipe(fds), 0);
	mark("begin");
	for (i = 0; i < TIMES; i++) {
		fill_up(fds[0], 1);
		IS(ioctl(fds[1], I_FLUSH, FLUSHRW), 0);
	}
	mark("end");
}

static void drop(void)
{
	int fds[2], i;

	mark("begin");
	for (i = 0; i < TIMES; i++) {
		IS(strpipe(fds), 0);
		fill_up(fds[0], 1);
		fill_up(fds[1], 4096);
		close(fds[0]);
		close(fds[1]);
	}
	mark("end");
}

static void large_both(int fds[2])
{
	int i, n, done;
	pid_t pid;

	for (i = 0; i < TIMES; i++) {
		pid = fork();
		if (!pid)
			_exit(write(fds[1], block, LARGE) != LARGE);
		for (done = 0; done < LARGE; done += n) {
			n = read(fds[0], block, LARGE);
			TRUE(n > 0);
		}
		IS(waitpid(pid, &n, 0), pid);
		IS(n, 0);
	}
}

static void large(void)
{
	mark("begin");
	test_both_pipes(large_both);
	mark("end");
}

static void resized(void)
{
	int fds[2], i;

	IS(test_fifo(fds, 0), 0);
	mark("begin");
	for (i = 0; i < TIMES; i++) {
		TRUE(ioctl(fds[1], STRIO_SETPIPE_SZ, LARGE) >= LARGE);
		fill_up(fds[1], LARGE);
		IS(read(fds[0], block, LARGE), LARGE);
		TRUE(ioctl(fds[1], STRIO_SETPIPE_SZ, 4096) >= 4096);
	}
	TRUE(ioctl(fds[1], STRIO_SETPIPE_SZ, LARGE) >= LARGE);
	fill_up(fds[1], LARGE);
	mark("end");
}

static void pushed(void)
{
	int fds[2], i;

	IS(strpipe(fds), 0);
	while (ioctl(fds[0], I_PUSH, "nullmod") == 0)
		;
	while (ioctl(fds[1], I_PUSH, "nullmod") == 0)
		;
	mark("begin");
	for (i = 0; i < TIMES; i++) {
		fill_up(fds[0], 64);
		IS(ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
	}
	mark("end");
}

/* Starts many processes, and waits until each has done its work and waits. */
static void many(void (*run)(int fd), int fd, pid_t *pids)
{
	int ready[2], i;
	char c;

	IS(pipe(ready), 0);
	for (i = 0; i < MANY; i++) {
		pids[i] = fork();
		TRUE(pids[i] >= 0);
		if (pids[i])
			continue;
		close(ready[0]);
		if (run)
			run(fd);
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		close(ready[1]);
		poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, -1);
		for (;;)
			pause();
	}
	for (i = 0; i < MANY; i++)
		IS(read(ready[0], &c, 1), 1);
	close(ready[0]);
	close(ready[1]);
}

static void all_end(pid_t *pids)
{
	int i;

	for (i = 0; i < MANY; i++) {
		kill(pids[i], SIGKILL);
		IS(waitpid(pids[i], NULL, 0), pids[i]);
	}
}

static void waiters_on(int fds[2])
{
	static pid_t pids[MANY];

	many(NULL, fds[0], pids);
	mark("begin");
	IS(write(fds[1], "x", 1), 1);
	mark("end");
	all_end(pids);
}

static void waiters(void)
{
	int fds[2];

	IS(strpipe(fds), 0);
	waiters_on(fds);
}

static void native_waiters(void)
{
	int fds[2];

	IS(pipe(fds), 0);
	waiters_on(fds);
}

static void wants_signal(int fd)
{
	signal(SIGPOLL, SIG_IGN);
	IS(ioctl(fd, I_SETSIG, S_OUTPUT | S_HIPRI | S_INPUT), 0);
}

static void signals(void)
{
	struct strbuf ctl = { .len = 4, .buf = block };
	static pid_t pids[MANY];
	int fds[2], i;

	IS(strpipe(fds), 0);
	many(wants_signal, fds[0], pids);
	mark("begin");
	for (i = 0; i < TIMES; i++) {
		IS(putmsg(fds[1], &ctl, NULL, RS_HIPRI), 0);
		IS(ioctl(fds[1], I_FLUSH, FLUSHRW), 0);
	}
	mark("end");
	all_end(pids);
}

static void more_files(void)
{
	struct rlimit files = { 4 * MANY, 4 * MANY };

	IS(setrlimit(RLIMIT_NOFILE, &files), 0);
}

static void links(void)
{
	int up = device("/dev/streams/mux"), i;

	more_files();
	mark("begin");
	for (i = 0; i < MANY; i++) {
		int low = device("/dev/streams/echo");

		TRUE(ioctl(up, I_LINK, low) > 0);
		close(low);
	}
	IS(ioctl(up, I_UNLINK, MUXID_ALL), 0);
	mark("end");
}

static void listed(void)
{
	int fds[2], i;
	FILE *file;

	more_files();
	for (i = 0; i < MANY; i++)
		IS(strpipe(fds), 0);
	mark("begin");
	file = fopen("/proc/streams/open", "r");
	TRUE(file);
	while (fread(block, 1, LARGE, file) > 0)
		;
	fclose(file);
	mark("end");
}

static void options(void)
{
	struct {
		struct T_optmgmt_req req;
		struct T_opthdr opts[62];
	} *c = calloc(1, sizeof(*c));
	struct strbuf ctl = { .len = sizeof(*c), .buf = (char *)c };
	struct sockaddr_in sin;
	int fd = bound(&sin), i;

	c->req = (struct T_optmgmt_req){
		T_OPTMGMT_REQ, sizeof(c->opts), sizeof(c->req), T_CURRENT
	};
	for (i = 0; i < (int)COUNT(c->opts); i++)
		c->opts[i] = (struct T_opthdr){ sizeof(c->opts[i]), T_INET_IP, T_ALLOPT, 0 };
	mark("begin");
	for (i = 0; i < TIMES; i++) {
		IS(putmsg(fd, &ctl, NULL, 0), 0);
		TRUE(arrives(fd, WAIT_MS) || errno);
	}
	mark("end");
}

static void endpoints(void)
{
	struct sockaddr_in sin, first;
	int fds[MANY], i;

	more_files();
	mark("begin");
	for (i = 0; i < MANY; i++)
		fds[i] = bound(i ? &sin : &first);
	for (i = 0; i < TIMES; i++)
		IS(put_datagram(fds[i], &sin, NULL, 0, block, 60000), 0);
	for (i = 0; i < MANY; i++)
		close(fds[i]);
	mark("end");
}

static void crowded(void)
{
	struct sockaddr_in sin;
	int from = bound(&sin), to = bound(&sin), i;

	mark("begin");
	for (i = 0; i < 50 * TIMES; i++)
		put_datagram(from, &sin, NULL, 0, block, 1);
	IS(ioctl(to, I_FLUSH, FLUSHRW), 0);
	mark("end");
}

/*
 * Sets the receive buffer of sockets made from now on. Returns the previous
 * value.
 */
static long set_buffer(long size)
{
	static const char path[] = "/proc/sys/net/core/rmem_default";
	long was = number_in(path, "%ld");
	int fd = open(path, O_WRONLY);

	TRUE(fd >= 0);
	TRUE(dprintf(fd, "%ld\n", size) > 0);
	close(fd);
	return was;
}

/* Opens an endpoint with a buffer as large as an administrator may set. */
static int bound_large(struct sockaddr_in *sin)
{
	long was = set_buffer(BUFFER);
	int fd = bound(sin);

	set_buffer(was);
	return fd;
}

/* Sends as many datagrams as the buffer takes; the others are dropped. */
static void fill_buffer(const struct sockaddr_in *to)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), i;

	TRUE(fd >= 0);
	for (i = 0; i < BUFFER / DATAGRAM; i++)
		sendto(fd, block, 1, 0, (const struct sockaddr *)to, sizeof(*to));
	close(fd);
}

/*
 * Flushes the datagrams that come to fd, which has a large buffer and the
 * address to.
 */
static void flush_full(int fd, const struct sockaddr_in *to)
{
	int n;

	fill_buffer(to);
	TRUE(ioctl(fd, I_NREAD, &n) > BUFFER / DATAGRAM / 4);
	mark("begin");
	IS(ioctl(fd, I_FLUSH, FLUSHRW), 0);
	mark("end");
	IS(ioctl(fd, I_NREAD, &n), 0);
}

static void flushed(void)
{
	struct sockaddr_in sin;
	int fd = bound_large(&sin);

	flush_full(fd, &sin);
}

static void closed(void)
{
	struct sockaddr_in sin;
	int fd = bound_large(&sin);

	fill_buffer(&sin);
	mark("begin");
	close(fd);
	mark("end");
}

static void flushed_socket(void)
{
	struct sockaddr_in sin = loopback(0);
	socklen_t len = sizeof(sin);
	long was = set_buffer(BUFFER);
	int fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_STREAMS), n;

	set_buffer(was);
	TRUE(fd >= 0);
	IS(bind(fd, (struct sockaddr *)&sin, len), 0);
	IS(getsockname(fd, (struct sockaddr *)&sin, &len), 0);
	/* The socket has a stream from now on. */
	IS(ioctl(fd, I_NREAD, &n), 0);
	flush_full(fd, &sin);
}

/* A datagram is sent to all sockets that are bound to its port. */
static void broadcast(int protocol)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t len = sizeof(to);
	int fd, i, on = 1;

	more_files();
	for (i = 0; i < MANY; i++) {
		fd = socket(AF_INET, SOCK_DGRAM, protocol);
		TRUE(fd >= 0);
		IS(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)), 0);
		IS(setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)), 0);
		IS(bind(fd, (struct sockaddr *)&to, len), 0);
		IS(getsockname(fd, (struct sockaddr *)&to, &len), 0);
	}
	to.sin_addr.s_addr = inet_addr("127.255.255.255");
	mark("begin");
	for (i = 0; i < TIMES; i++)
		IS(sendto(fd, block, 1, 0, (struct sockaddr *)&to, len), 1);
	mark("end");
}

static void native_broadcast(void)
{
	broadcast(0);
}

static void streams_broadcast(void)
{
	broadcast(IPPROTO_STREAMS);
}

/* All sockets or streams receive the frames. */
static void seen(void)
{
	struct sockaddr_in to = loopback(9);
	int fd = socket(AF_INET, SOCK_DGRAM, 0), i;

	mark("begin");
	for (i = 0; i < TIMES; i++)
		sendto(fd, block, 1, 0, (struct sockaddr *)&to, sizeof(to));
	mark("end");
}

static void native_frames(void)
{
	int i;

	more_files();
	for (i = 0; i < MANY; i++)
		TRUE(socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)) >= 0);
	seen();
}

static void frames(void)
{
	int i;

	more_files();
	for (i = 0; i < MANY; i++) {
		int fd = device("/dev/streams/dlpi");
		dl_attach_req_t attach = { DL_ATTACH_REQ, if_nametoindex("lo") };
		dl_promiscon_req_t all = { DL_PROMISCON_REQ, DL_PROMISC_SAP };
		struct strbuf c = { .len = sizeof(attach), .buf = (char *)&attach };

		IS(putmsg(fd, &c, NULL, 0), 0);
		receive_prim(fd, DL_OK_ACK);
		c = (struct strbuf){ .len = sizeof(all), .buf = (char *)&all };
		IS(putmsg(fd, &c, NULL, 0), 0);
		receive_prim(fd, DL_OK_ACK);
	}
	seen();
}

static void killed(void)
{
	static pid_t pid;
	int ready[2], i;
	char c;

	IS(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		more_files();
		for (i = 0; i < MANY; i++) {
			int fds[2];

			IS(strpipe(fds), 0);
			IS(ioctl(fds[0], I_PUSH, "nullmod"), 0);
			fill_up(fds[0], 4096);
		}
		TRUE(write(ready[1], "", 1) == 1);
		for (;;)
			pause();
	}
	IS(read(ready[0], &c, 1), 1);
	mark("begin");
	kill(pid, SIGKILL);
	IS(waitpid(pid, NULL, 0), pid);
	mark("end");
}

static void names(void)
{
	int i;

	more_files();
	mark("begin");
	for (i = 0; i < MANY; i++) {
		int fd = device("/dev/streams/ticlts");

		put_bind_req(fd, &i, sizeof(i));
		receive_prim(fd, T_BIND_ACK);
	}
	mark("end");
}

static void passed(void)
{
	int fds[2], other[2], n;

	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	mark("begin");
	for (n = 0; n < MANY; n++) {
		IS(strpipe(other), 0);
		fill_up(other[0], 1);
		if (ioctl(fds[0], I_SENDFD, other[1]) < 0)
			break;
		close(other[0]);
		close(other[1]);
	}
	TRUE(n > 0);
	IS(ioctl(fds[1], I_FLUSH, FLUSHRW), 0);
	mark("end");
}

static const struct latency_case {
	struct test_case test;
	const char *title;
} cases[] = {
	{ { "flush", flush }, "I_FLUSH of as many messages of 1 byte as a pipe takes" },
	{ { "drop", drop }, "the close of a pipe that is full in both directions" },
	{ { "large", large }, "a write and a read of 1 MiB, on a duplex pipe and a FIFO" },
	{ { "resized", resized }, "a FIFO of 1 MiB is filled, emptied and resized" },
	{ { "pushed", pushed }, "messages through as many modules as can be pushed" },
	{ { "native-waiters", native_waiters },
	  "a byte in a native pipe wakes 1,000 processes in poll()" },
	{ { "waiters", waiters }, "a byte wakes 1,000 processes in poll()" },
	{ { "signals", signals }, "a message signals 1,000 processes" },
	{ { "links", links }, "1,000 streams are linked below a driver, and unlinked at once" },
	{ { "listed", listed }, "/proc/streams/open with 2,000 streams" },
	{ { "options", options }, "the longest list of options, each of which is all options" },
	{ { "endpoints", endpoints }, "1,000 bound endpoints, datagrams in fragments" },
	{ { "crowded", crowded }, "as many datagrams of 1 byte as an endpoint takes" },
	{ { "flushed", flushed }, "I_FLUSH of datagrams of 1 byte, 64 MiB with what they count" },
	{ { "closed", closed }, "the close of an endpoint with as many" },
	{ { "flushed-socket", flushed_socket }, "I_FLUSH of as many on a socket" },
	{ { "native-broadcast", native_broadcast },
	  "a datagram to 1,000 native sockets of one port" },
	{ { "broadcast", streams_broadcast }, "a datagram to 1,000 STREAMS sockets of one port" },
	{ { "native-frames", native_frames }, "a frame that 1,000 packet sockets see" },
	{ { "frames", frames }, "a frame that 1,000 data links see" },
	{ { "killed", killed }, "a process with 1,000 full pipes is killed" },
	{ { "names", names }, "1,000 names of ticlts" },
	{ { "passed", passed }, "as many files in flight as a pipe takes, each of a full pipe" },
	{ }
};

int main(int argc, char **argv)
{
	const struct test_case always[] = { { "busy", busy }, { } };
	const struct latency_case *c;

	for (c = cases; argc == 2 && c->title; c++) {
		const struct test_case one[] = { c->test, { } };

		if (!strcmp(argv[1], "list"))
			printf("%s:%s\n", c->test.name, c->title);
		else if (!strcmp(argv[1], c->test.name))
			return test_main(argc, argv, one);
	}
	if (argc == 2 && !strcmp(argv[1], "list"))
		return 0;
	return test_main(argc, argv, always);
}
