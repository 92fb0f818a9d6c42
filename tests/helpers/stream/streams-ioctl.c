// SPDX-License-Identifier: GPL-2.0-only
/* streams-ioctl.c - the stream head's ioctls, poll() and signals, on pipes */
#include "streams-test.h"
#include <sched.h>
#include <sys/epoll.h>
#include <time.h>

#define MODULE	"nullmod"

static int put_message(int fd, const char *ctl, const char *data, int band, int flags)
{
	struct strbuf c = { .len = ctl ? (int)strlen(ctl) : -1, .buf = (char *)ctl };
	struct strbuf d = { .len = data ? (int)strlen(data) : -1, .buf = (char *)data };

	return putpmsg(fd, &c, &d, band, flags);
}

static void nread(void)
{
	int fds[2], n = -1;

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_NREAD, &n), 0);
	IS(n, 0);
	IS(ioctl(fds[0], FIONREAD, &n), 0);
	IS(n, 0);
	IS(write(fds[1], "12345", 5), 5);
	IS(write(fds[1], "678", 3), 3);
	IS(put_message(fds[1], "control", "data", 0, MSG_BAND), 0);
	/*
	 * The results are the messages, the bytes of data in the first, and the
	 * bytes of data in all.
	 */
	IS(ioctl(fds[0], I_NREAD, &n), 3);
	IS(n, 5);
	IS(ioctl(fds[0], FIONREAD, &n), 0);
	IS(n, 12);
	IS(ioctl(fds[1], I_NREAD, &n), 0);
	FAILS(ioctl(fds[0], I_NREAD, BAD_POINTER), EFAULT);
	FAILS(ioctl(fds[0], FIONREAD, BAD_POINTER), EFAULT);
	/* A first message without data counts 0 bytes, but counts. */
	IS(put_message(fds[1], "urgent", NULL, 0, MSG_HIPRI), 0);
	IS(ioctl(fds[0], I_NREAD, &n), 4);
	IS(n, 0);
}

static void read_modes(void)
{
	char data[16];
	int fds[2], opt;

	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	IS(ioctl(fds[0], I_GRDOPT, &opt), 0);
	IS(opt, RNORM | RPROTNORM);
	/* Bytes of messages run into one another. */
	IS(write(fds[1], "abcdef", 6), 6);
	IS(write(fds[1], "ghi", 3), 3);
	IS(read(fds[0], data, 4), 4);
	IS(read(fds[0], data, 16), 5);
	IS(memcmp(data, "efghi", 5), 0);
	/* In this mode messages are read, and their rest is kept. */
	IS(ioctl(fds[0], I_SRDOPT, RMSGN), 0);
	IS(ioctl(fds[0], I_GRDOPT, &opt), 0);
	IS(opt, RMSGN | RPROTNORM);
	IS(write(fds[1], "abcdef", 6), 6);
	IS(write(fds[1], "ghi", 3), 3);
	IS(read(fds[0], data, 4), 4);
	IS(read(fds[0], data, 16), 2);
	IS(memcmp(data, "ef", 2), 0);
	IS(read(fds[0], data, 16), 3);
	/* In this mode messages are read, and their rest is dropped. */
	IS(ioctl(fds[0], I_SRDOPT, RMSGD), 0);
	IS(write(fds[1], "abcdef", 6), 6);
	IS(write(fds[1], "ghi", 3), 3);
	IS(read(fds[0], data, 4), 4);
	IS(read(fds[0], data, 16), 3);
	IS(memcmp(data, "ghi", 3), 0);
	FAILS(read(fds[0], data, 16), EAGAIN);
}

static void read_options(void)
{
	static const int good[] = { RPROTDAT, RPROTDIS, RPROTNORM };
	int fds[2], opt;
	unsigned int i;

	IS(strpipe(fds), 0);
	for (i = 0; i < 3; i++) {
		IS(ioctl(fds[0], I_SRDOPT, RMSGN | good[i]), 0);
		IS(ioctl(fds[0], I_GRDOPT, &opt), 0);
		IS(opt, RMSGN | good[i]);
	}
	/* The mode for control parts keeps its value when not named. */
	IS(ioctl(fds[0], I_SRDOPT, RPROTDIS), 0);
	IS(ioctl(fds[0], I_SRDOPT, RMSGD), 0);
	IS(ioctl(fds[0], I_GRDOPT, &opt), 0);
	IS(opt, RMSGD | RPROTDIS);
	FAILS(ioctl(fds[0], I_SRDOPT, RMSGD | RMSGN), EINVAL);
	FAILS(ioctl(fds[0], I_SRDOPT, RPROTDAT | RPROTDIS), EINVAL);
	FAILS(ioctl(fds[0], I_SRDOPT, 0x80), EINVAL);
	FAILS(ioctl(fds[0], I_SRDOPT, -1L), EINVAL);
	FAILS(ioctl(fds[0], I_GRDOPT, BAD_POINTER), EFAULT);
	IS(ioctl(fds[0], I_GRDOPT, &opt), 0);
	IS(opt, RMSGD | RPROTDIS);
}

static void write_options(void)
{
	int fds[2], opt = -1, n;
	char c;

	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	IS(ioctl(fds[1], I_GWROPT, &opt), 0);
	IS(write(fds[1], "", 0), 0);
	if (opt & SNDZERO)
		IS(read(fds[0], &c, 1), 0);
	/* A write of no bytes sends nothing, or an empty message. */
	IS(ioctl(fds[1], I_SWROPT, 0), 0);
	IS(write(fds[1], "", 0), 0);
	FAILS(read(fds[0], &c, 1), EAGAIN);
	IS(ioctl(fds[1], I_SWROPT, SNDZERO), 0);
	IS(ioctl(fds[1], I_GWROPT, &opt), 0);
	IS(opt, SNDZERO);
	IS(write(fds[1], "", 0), 0);
	IS(write(fds[1], "x", 1), 1);
	IS(ioctl(fds[0], I_NREAD, &n), 2);
	IS(read(fds[0], &c, 1), 0);
	IS(read(fds[0], &c, 1), 1);
	FAILS(ioctl(fds[1], I_SWROPT, 0x10), EINVAL);
	FAILS(ioctl(fds[1], I_SWROPT, -1L), EINVAL);
	FAILS(ioctl(fds[1], I_GWROPT, BAD_POINTER), EFAULT);
}

static int waiting(int fd)
{
	int n = -1;

	IS(ioctl(fd, FIONREAD, &n), 0);
	return n;
}

static void flush(void)
{
	int fds[2], modules;

	IS(strpipe(fds), 0);
	IS(write(fds[1], "to 0", 4), 4);
	IS(write(fds[0], "to one", 6), 6);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(waiting(fds[0]), 0);
	IS(waiting(fds[1]), 6);
	IS(write(fds[1], "to 0", 4), 4);
	IS(ioctl(fds[0], I_FLUSH, FLUSHW), 0);
	IS(waiting(fds[0]), 4);
	IS(waiting(fds[1]), 0);
	IS(write(fds[0], "to one", 6), 6);
	IS(ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
	IS(waiting(fds[0]), 0);
	IS(waiting(fds[1]), 0);
	FAILS(ioctl(fds[0], I_FLUSH, 0), EINVAL);
	FAILS(ioctl(fds[0], I_FLUSH, 4), EINVAL);
	FAILS(ioctl(fds[0], I_FLUSH, -1L), EINVAL);
	close(fds[0]);
	close(fds[1]);

	/* A FIFO has one queue, with modules or without. */
	IS(test_fifo(fds, 0), 0);
	for (modules = 0; modules < 3; modules++) {
		IS(write(fds[1], "data", 4), 4);
		/* The writer does not read. */
		FAILS(ioctl(fds[1], I_FLUSH, FLUSHRW), EBADF);
		IS(waiting(fds[0]), 4);
		IS(ioctl(fds[1], I_FLUSH, FLUSHW), 0);
		/*
		 * The module holds no messages, and the reader gets those that
		 * left it.
		 */
		IS(waiting(fds[0]), modules ? 4 : 0);
		IS(ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
		IS(waiting(fds[0]), 0);
		IS(write(fds[1], "data", 4), 4);
		IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
		IS(waiting(fds[0]), 0);
		IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	}
}

/* M_FLUSH passes through modules to the other end. */
static void flush_modules(void)
{
	int fds[2];

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	IS(write(fds[0], "to one", 6), 6);
	IS(waiting(fds[1]), 6);
	IS(ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
	IS(waiting(fds[1]), 0);
	IS(write(fds[0], "more", 4), 4);
	IS(waiting(fds[1]), 4);
}

/* Room that a flush makes wakes a writer that waits for it. */
static void flush_full(int fds[2])
{
	struct pollfd p = { .fd = fds[1], .events = POLLOUT };
	char data[4096] = "";

	test_nonblock(fds[1], true);
	while (write(fds[1], data, sizeof(data)) > 0)
		;
	TRUE(errno == EAGAIN);
	IS(poll(&p, 1, 0), 0);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(poll(&p, 1, 0), 1);
	IS(write(fds[1], data, sizeof(data)), sizeof(data));
}

static void flush_full_both(void)
{
	test_both_pipes(flush_full);
}

static void canput(void)
{
	int fds[2];
	char data[4096] = "";

	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_CANPUT, 0), 1);
	IS(ioctl(fds[1], I_CANPUT, 255), 1);
	FAILS(ioctl(fds[1], I_CANPUT, 256), EINVAL);
	FAILS(ioctl(fds[1], I_CANPUT, -1L), EINVAL);
	test_nonblock(fds[1], true);
	while (write(fds[1], data, sizeof(data)) > 0)
		;
	IS(ioctl(fds[1], I_CANPUT, 0), 0);
	IS(ioctl(fds[1], I_CANPUT, 1), 1);
	IS(ioctl(fds[0], I_CANPUT, 0), 1);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(ioctl(fds[1], I_CANPUT, 0), 1);
}

static void peek(void)
{
	char ctl[16], data[16];
	struct strpeek p = {
		.ctlbuf = { .maxlen = 16, .len = -7, .buf = ctl },
		.databuf = { .maxlen = 4, .len = -7, .buf = data },
	};
	int fds[2], n;

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_PEEK, &p), 0);
	IS(p.ctlbuf.len, -7);
	IS(put_message(fds[1], "control", "datadata", 3, MSG_BAND), 0);
	IS(ioctl(fds[0], I_PEEK, &p), 1);
	IS(p.ctlbuf.len, 7);
	IS(memcmp(ctl, "control", 7), 0);
	IS(p.databuf.len, 4);
	IS(memcmp(data, "data", 4), 0);
	IS(p.flags, 0);
	/* The message stays. */
	IS(ioctl(fds[0], I_PEEK, &p), 1);
	IS(ioctl(fds[0], I_NREAD, &n), 1);
	IS(n, 8);
	p.ctlbuf.maxlen = -1;
	p.ctlbuf.len = -7;
	p.databuf.maxlen = 0;
	IS(ioctl(fds[0], I_PEEK, &p), 1);
	IS(p.ctlbuf.len, -7);
	IS(p.databuf.len, 0);
	p.flags = RS_HIPRI;
	IS(ioctl(fds[0], I_PEEK, &p), 0);
	IS(put_message(fds[1], "urgent", NULL, 0, MSG_HIPRI), 0);
	p.ctlbuf.maxlen = 16;
	IS(ioctl(fds[0], I_PEEK, &p), 1);
	IS(p.flags, RS_HIPRI);
	IS(p.ctlbuf.len, 6);
	IS(p.databuf.len, -1);
	p.flags = 0;
	IS(ioctl(fds[0], I_PEEK, &p), 1);
	IS(p.flags, RS_HIPRI);
	p.flags = 2;
	FAILS(ioctl(fds[0], I_PEEK, &p), EINVAL);
	FAILS(ioctl(fds[0], I_PEEK, BAD_POINTER), EFAULT);
	p.flags = 0;
	p.ctlbuf.buf = BAD_POINTER;
	FAILS(ioctl(fds[0], I_PEEK, &p), EFAULT);
	IS(ioctl(fds[0], I_NREAD, &n), 2);
}

/* No module of a pipe knows any I_STR command. */
static void str(int fds[2])
{
	static char data[65537];
	struct strioctl ic = { .ic_cmd = 0x1234, .ic_timout = WAIT_SECONDS };
	int modules;

	for (modules = 0; modules < 3; modules++) {
		ic = (struct strioctl){ .ic_cmd = 0x1234, .ic_timout = WAIT_SECONDS };
		FAILS(ioctl(fds[0], I_STR, &ic), EINVAL);
		FAILS(ioctl(fds[1], I_STR, &ic), EINVAL);
		ic.ic_len = 65536;
		ic.ic_dp = data;
		FAILS(ioctl(fds[0], I_STR, &ic), EINVAL);
		ic.ic_timout = -1;
		FAILS(ioctl(fds[0], I_STR, &ic), EINVAL);
		IS(ioctl(fds[0], I_PUSH, MODULE), 0);
	}
	ic.ic_dp = BAD_POINTER;
	FAILS(ioctl(fds[0], I_STR, &ic), EFAULT);
	FAILS(ioctl(fds[0], I_STR, BAD_POINTER), EFAULT);
	ic.ic_dp = data;
	ic.ic_len = 65537;
	FAILS(ioctl(fds[0], I_STR, &ic), EINVAL);
	ic.ic_len = -1;
	FAILS(ioctl(fds[0], I_STR, &ic), EINVAL);
	ic.ic_len = 0;
	ic.ic_timout = -2;
	FAILS(ioctl(fds[0], I_STR, &ic), EINVAL);
	IS(waiting(fds[0]), 0);
}

static void str_both(void)
{
	int fds[2];
	struct strioctl ic = { .ic_cmd = 1, .ic_timout = WAIT_SECONDS };

	test_both_pipes(str);
	IS(strpipe(fds), 0);
	close(fds[1]);
	FAILS(ioctl(fds[0], I_STR, &ic), ENXIO);
}

static void unknown(int fds[2])
{
	FAILS(ioctl(fds[0], 0x5300 | 0xee, 0), ENOTTY);
	FAILS(ioctl(fds[0], 0x12345678, 0), ENOTTY);
	IS(ioctl(fds[0], STRIO_ISASTREAM), 1);
}

static void unknown_both(void)
{
	test_both_pipes(unknown);
}

/*
 * poll()
 */
static int events(int fd)
{
	struct pollfd p = {
		.fd = fd,
		.events = POLLIN | POLLPRI | POLLOUT | POLLRDNORM | POLLRDBAND |
			  POLLWRNORM,
	};

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

#define CAN_WRITE	(POLLOUT | POLLWRNORM)

static void polling(void)
{
	char data[4096] = "";
	int fds[2];

	IS(strpipe(fds), 0);
	test_nonblock(fds[1], true);
	IS(events(fds[0]), CAN_WRITE);
	IS(write(fds[1], "x", 1), 1);
	IS(events(fds[0]), POLLIN | POLLRDNORM | CAN_WRITE);
	IS(put_message(fds[1], NULL, "y", 1, MSG_BAND), 0);
	IS(events(fds[0]), POLLIN | POLLRDBAND | CAN_WRITE);
	IS(put_message(fds[1], "urgent", NULL, 0, MSG_HIPRI), 0);
	IS(events(fds[0]), POLLPRI | CAN_WRITE);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(events(fds[0]), CAN_WRITE);
	while (write(fds[1], data, sizeof(data)) > 0)
		;
	IS(events(fds[1]), 0);
	IS(events(fds[0]), POLLIN | POLLRDNORM | CAN_WRITE);
	close(fds[1]);
	IS(events(fds[0]), POLLIN | POLLRDNORM | POLLHUP);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(events(fds[0]), POLLHUP);
}

/*
 * Signals
 */
static volatile sig_atomic_t signals;

/*
 * Runs on one processor, where no other thread of the test runs before this one
 * sleeps.
 */
static void run_alone(void)
{
	struct sched_param first = { .sched_priority = 1 };
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	IS(sched_setaffinity(0, sizeof(one), &one), 0);
	IS(sched_setscheduler(0, SCHED_FIFO, &first), 0);
}

static void *write_one(void *arg)
{
	IS(write(*(int *)arg, "x", 1), 1);
	return NULL;
}

static long microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/*
 * A writer waits in a full FIFO, and is notified of a page's room half a
 * millisecond after that was made, or sooner: when the FIFO's bytes become
 * messages. The writer is notified once: a poller that has seen the room
 * meanwhile is not woken for it again.
 */
static void bytes_end(void)
{
	struct epoll_event ev = { .events = EPOLLOUT | EPOLLET }, got;
	static char data[65536];
	int fds[2], ep, i, n;
	pthread_t writer;
	long start;

	run_alone();
	for (i = 0; i < 20; i++) {
		ep = epoll_create1(0);
		TRUE(ep >= 0);
		IS(test_fifo(fds, 0), 0);
		IS(write(fds[1], data, sizeof(data)), sizeof(data));
		writer = thread_asleep(write_one, &fds[1]);
		IS(read(fds[0], data, 4096), 4096);
		IS(epoll_ctl(ep, EPOLL_CTL_ADD, fds[1], &ev), 0);
		IS(epoll_wait(ep, &got, 1, 0), 1);
		TRUE(ioctl(fds[0], I_NREAD, &n) > 0);
		/* The time may have been over before the check. */
		epoll_wait(ep, &got, 1, 0);
		for (start = microseconds(); microseconds() - start < 2000;)
			IS(epoll_wait(ep, &got, 1, 0), 0);
		pthread_join(writer, NULL);
		close(ep);
		close(fds[0]);
		close(fds[1]);
	}
}

static void count_signal(int sig)
{
	signals++;
}

static void sigio(int fds[2])
{
	char data[4096];
	int seen;

	signal(SIGIO, count_signal);
	signals = 0;
	IS(fcntl(fds[0], F_SETOWN, getpid()), 0);
	IS(fcntl(fds[0], F_SETFL, fcntl(fds[0], F_GETFL) | O_ASYNC), 0);
	IS(write(fds[1], "x", 1), 1);
	IS(signals, 1);
	IS(read(fds[0], data, 1), 1);
	seen = signals;
	IS(fcntl(fds[0], F_SETFL, fcntl(fds[0], F_GETFL) & ~O_ASYNC), 0);
	IS(write(fds[1], "x", 1), 1);
	IS(signals, seen);
	IS(read(fds[0], data, 1), 1);

	/* There is room for a writer. */
	test_nonblock(fds[1], true);
	while (write(fds[1], data, sizeof(data)) > 0)
		;
	seen = signals;
	IS(fcntl(fds[1], F_SETOWN, getpid()), 0);
	IS(fcntl(fds[1], F_SETFL, fcntl(fds[1], F_GETFL) | O_ASYNC), 0);
	IS(read(fds[0], data, sizeof(data)), sizeof(data));
	TRUE(signals > seen);
}

static void sigio_both(void)
{
	test_both_pipes(sigio);
}

/* The argument of random calls; one with a random length fills in all that a pipe may hold. */
static union {
	unsigned char bytes[4096];
	int ints[1024];
	uint64_t words[512];
	unsigned char room[3 * 65536];
} arg;

static void random_argument(unsigned int *seed)
{
	int j;

	for (j = 0; j < 32; j++)
		arg.ints[j] = rand_r(seed) % 3 ? rand_r(seed) % 5 - 1 :
						  (int)(rand_r(seed) * 2654435761u);
	for (j = 0; j < 16; j++) {
		if (!(rand_r(seed) % 3))
			arg.words[j] = (uintptr_t)(rand_r(seed) & 1 ? arg.bytes + 512 :
						   (unsigned char *)-4096L);
	}
	if (!(rand_r(seed) % 4))
		strcpy((char *)arg.bytes, MODULE);
}

/* The pipes still work. */
static void still_work(const int pipes[4])
{
	int j;

	for (j = 0; j < 4; j += 2) {
		ioctl(pipes[j], I_FLUSH, FLUSHRW);
		ioctl(pipes[j + 1], I_FLUSH, FLUSHRW);
		while (read(pipes[j], arg.bytes, sizeof(arg.bytes)) >= 0)
			;
		IS(ioctl(pipes[j], I_SRDOPT, RNORM | RPROTNORM), 0);
		/* No SNDHOLD */
		IS(ioctl(pipes[j + 1], I_SWROPT, 0), 0);
		IS(write(pipes[j + 1], "alive", 5), 5);
		IS(read(pipes[j], arg.bytes, 5), 5);
		IS(memcmp(arg.bytes, "alive", 5), 0);
	}
}

/*
 * Makes random calls; the kernel has to survive them, and so has this program.
 */
static void fuzz(void)
{
	static const unsigned int commands[] = {
		I_NREAD, I_PUSH, I_POP, I_LOOK, I_FLUSH, I_SRDOPT, I_GRDOPT, I_STR,
		I_SETSIG, I_GETSIG, I_FIND, I_LINK, I_UNLINK, I_RECVFD, I_PEEK,
		I_FDINSERT, I_SENDFD, I_SWROPT, I_GWROPT, I_LIST, I_PLINK, I_PUNLINK,
		I_ANCHOR, I_FLUSHBAND, I_CKBAND, I_GETBAND, I_ATMARK, I_SETCLTIME,
		I_GETCLTIME, I_CANPUT, I_SERROPT, I_GERROPT, I_ESETSIG, I_EGETSIG,
		FIONREAD, STRIO_ISASTREAM, STRIO_GETMSG, STRIO_PUTMSG, STRIO_PIPE,
	};
	const unsigned int n = sizeof(commands) / sizeof(*commands);
	unsigned long rounds = test_scaled(200000), i, done = 0;
	unsigned int seed = 20;
	int pipes[4], j;

	/*
	 * Each wait ends by itself: no call blocks, and I_STR gets an answer.
	 */
	IS(strpipe(pipes), 0);
	IS(test_fifo(pipes + 2, 0), 0);
	for (j = 0; j < 4; j++)
		test_nonblock(pipes[j], true);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGPOLL, SIG_IGN);
	signal(SIGURG, SIG_IGN);
	for (i = 0; i < rounds; i++) {
		unsigned int cmd = commands[rand_r(&seed) % n];
		int fd = pipes[rand_r(&seed) & 3];
		unsigned long value;

		random_argument(&seed);
		value = rand_r(&seed) & 1 ? (uintptr_t)&arg : (uintptr_t)rand_r(&seed) % 300;
		if (!(rand_r(&seed) % 8))
			value = (unsigned long)rand_r(&seed) << 33;
		/* A read with RFILL waits even with O_NONBLOCK. */
		if (cmd == I_SRDOPT)
			value &= ~RFILL;
		if (ioctl(fd, cmd, value) >= 0)
			done++;
		if (!(rand_r(&seed) % 8) && write(fd, arg.bytes, rand_r(&seed) % 4096) >= 0)
			done++;
		if (!(rand_r(&seed) % 4) && read(fd, arg.bytes, rand_r(&seed) % 4096) >= 0)
			done++;
	}
	printf("%lu calls, %lu without an error\n", rounds, done);
	TRUE(done > rounds / 20);
	still_work(pipes);
}

static const struct test_case cases[] = {
	{ "nread", nread },
	{ "read-modes", read_modes },
	{ "read-options", read_options },
	{ "write-options", write_options },
	{ "flush", flush },
	{ "flush-modules", flush_modules },
	{ "flush-full", flush_full_both },
	{ "canput", canput },
	{ "peek", peek },
	{ "str", str_both },
	{ "unknown", unknown_both },
	{ "poll", polling },
	{ "bytes-end", bytes_end },
	{ "sigio", sigio_both },
	{ "fuzz", fuzz },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
