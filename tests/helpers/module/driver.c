// SPDX-License-Identifier: GPL-2.0-only
/*
 * driver - what a stream head does with a driver's messages
 *
 * On /dev/streams/strtest, which sends back what is written and, on request,
 * any message (kmod/test/strtest.h).
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <stropts.h>
#include <strsock.h>

#include "../../../kmod/test/strtest.h"
#include "check.h"
#include "waits.h"

/* Message types, of sys/stream.h, which is for the kernel only. */
enum {
	M_DATA = 0x00, M_PROTO = 0x01, M_SIG = 0x0b, M_SETOPTS = 0x10,
	M_PCSIG = 0x84, M_FLUSH = 0x86, M_HANGUP = 0x89, M_ERROR = 0x8a,
	M_UNHANGUP = 0x92
};

static int dev(int flags)
{
	int fd = open("/dev/streams/strtest", O_RDWR | flags);

	TRUE(fd >= 0);
	return fd;
}

static int str(int fd, int cmd, void *data, int *len, int timeout)
{
	struct strioctl ic = {
		.ic_cmd = cmd, .ic_timout = timeout, .ic_len = *len,
		.ic_dp = data,
	};
	int ret = ioctl(fd, I_STR, &ic);

	*len = ic.ic_len;
	return ret;
}

/* Makes the driver send up a message. */
static int send_up(int fd, unsigned char type, unsigned char band,
		   const void *body, int len)
{
	char data[300] = { type, band };
	int all = len + 2;

	memcpy(data + 2, body, len);
	return str(fd, STRTEST_SEND, data, &all, 0);
}

static short polled(int fd)
{
	struct pollfd p = {
		.fd = fd,
		.events = POLLIN | POLLPRI | POLLOUT | POLLRDNORM | POLLRDBAND,
	};

	TRUE(poll(&p, 1, 0) >= 0);
	return p.revents;
}

/* Waits until one of the events is reported. */
static void await(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	TRUE(poll(&p, 1, WAIT_LIMIT_MS) == 1);
	TRUE(p.revents & events);
}

/* Writes, and waits for the echo. */
static void write_through(int fd, const char *text)
{
	IS(write(fd, text, strlen(text)), strlen(text));
	await(fd, POLLIN);
}

/* Waits until the driver has seen everything sent to it before. */
static void all_seen(int fd)
{
	int len = 0;

	IS(str(fd, STRTEST_ECHO, NULL, &len, 0), STRTEST_RVAL);
}

static void g_echo(void)
{
	int fd = dev(O_NONBLOCK);
	char buf[9000] = "";

	FAILS(read(fd, buf, 1), EAGAIN);
	write_through(fd, "hello");
	IS(ioctl(fd, I_NREAD, &(int){ 0 }), 1);
	IS(read(fd, buf, sizeof(buf)), 5);
	TRUE(!memcmp(buf, "hello", 5));
	/* Data longer than the driver's largest packet is sent in parts. */
	IS(write(fd, buf, 8193), 8193);
	await(fd, POLLIN);
	IS(read(fd, buf, 8192), 8192);
	await(fd, POLLIN);
	IS(read(fd, buf, 8192), 1);
	close(fd);
}

static void g_i_str(void)
{
	char data[64] = "payload", big = 0;
	int fd = dev(0), len = 7;
	struct timespec a, b;

	IS(str(fd, STRTEST_ECHO, data, &len, 0), STRTEST_RVAL);
	IS(len, 7);
	TRUE(!memcmp(data, "payload", 7));
	len = 0;
	IS(str(fd, STRTEST_ECHO, NULL, &len, -1), STRTEST_RVAL);
	data[0] = EDOM;
	len = 1;
	FAILS(str(fd, STRTEST_NAK, data, &len, 0), EDOM);
	data[0] = 0;
	len = 1;
	FAILS(str(fd, STRTEST_NAK, data, &len, 0), EINVAL);
	len = 0;
	FAILS(str(fd, 0x1234, data, &len, 0), EINVAL);
	clock_gettime(CLOCK_MONOTONIC, &a);
	FAILS(str(fd, STRTEST_SILENT, data, &len, 1), ETIME);
	clock_gettime(CLOCK_MONOTONIC, &b);
	TRUE(b.tv_sec - a.tv_sec >= 1);
	len = -1;
	FAILS(str(fd, STRTEST_ECHO, data, &len, 0), EINVAL);
	len = 65537;
	FAILS(str(fd, STRTEST_ECHO, &big, &len, 0), EINVAL);
	len = 0;
	FAILS(str(fd, STRTEST_ECHO, data, &len, -2), EINVAL);
	len = 8;
	FAILS(str(fd, STRTEST_ECHO, (void *)8, &len, 0), EFAULT);
	FAILS(ioctl(fd, I_STR, (void *)8), EFAULT);
	close(fd);
}

static void g_hangup(void)
{
	struct strbuf ctl = { .maxlen = 0 }, data = { .maxlen = 8 };
	char buf[8];
	int fd = dev(0), flags = 0, len = 0;

	data.buf = buf;
	write_through(fd, "left");
	/* The answer may come before or after the hangup is seen. */
	send_up(fd, M_HANGUP, 0, "", 0);
	IS(polled(fd), POLLIN | POLLRDNORM | POLLHUP);
	IS(read(fd, buf, sizeof(buf)), 4);
	IS(read(fd, buf, sizeof(buf)), 0);
	IS(getmsg(fd, &ctl, &data, &flags), 0);
	IS(ctl.len, 0);
	IS(data.len, 0);
	IS(polled(fd), POLLHUP);
	FAILS(write(fd, "x", 1), ENXIO);
	FAILS(ioctl(fd, I_PUSH, "nullmod"), ENXIO);
	FAILS(ioctl(fd, I_FLUSH, FLUSHRW), ENXIO);
	FAILS(str(fd, STRTEST_ECHO, NULL, &len, 0), ENXIO);
	close(fd);
}

static void g_error(void)
{
	char both = EIO, sides[2] = { (char)-1, EDOM }, end[2] = { 0, 0 };
	int fd = dev(O_NONBLOCK);
	char buf[8];

	write_through(fd, "abc");
	/* The error is for writing: only writing fails. */
	send_up(fd, M_ERROR, 0, sides, 2);
	FAILS(write(fd, "x", 1), EDOM);
	FAILS(write(fd, "x", 1), EDOM);
	IS(polled(fd), POLLERR);
	IS(read(fd, buf, sizeof(buf)), 3);
	close(fd);

	/* The error is for both sides: both fail. */
	fd = dev(O_NONBLOCK);
	send_up(fd, M_ERROR, 0, &both, 1);
	FAILS(read(fd, buf, 1), EIO);
	FAILS(write(fd, buf, 1), EIO);
	IS(polled(fd), POLLERR);
	close(fd);

	/* NOERROR leaves both sides alone. */
	fd = dev(O_NONBLOCK);
	IS(send_up(fd, M_ERROR, 0, end, 2), 0);
	FAILS(read(fd, buf, 1), EAGAIN);
	IS(write(fd, buf, 1), 1);
	close(fd);
}

static volatile sig_atomic_t got;

static void on_signal(int sig)
{
	got = sig;
}

static void g_signals(void)
{
	char poll = SIGPOLL, urg = SIGURG;
	char buf[8];
	int fd = dev(O_NONBLOCK);

	signal(SIGPOLL, on_signal);
	signal(SIGURG, on_signal);
	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC);
	write_through(fd, "x");
	UNTIL(got == SIGPOLL);
	IS(read(fd, buf, 8), 1);
	got = 0;
	/* M_PCSIG is delivered at once, M_SIG when it is read. */
	IS(send_up(fd, M_PCSIG, 0, &poll, 1), 0);
	IS(got, SIGPOLL);
	write_through(fd, "y");
	IS(send_up(fd, M_SIG, 0, &poll, 1), 0);
	got = 0;
	IS(read(fd, buf, 8), 1);
	IS(got, SIGPOLL);
	/*
	 * Other signals are for a terminal's process group, and the stream is
	 * not a terminal.
	 */
	got = 0;
	IS(send_up(fd, M_PCSIG, 0, &urg, 1), 0);
	IS(got, 0);
	close(fd);
}

/* Messages held in the driver fill it; the writer waits; the driver drains in order. */
static void g_flow(void)
{
	int fd = dev(O_NONBLOCK), len = 0, n, status;
	unsigned char buf[512], seen = 0;
	size_t total = 0, got_back = 0;
	pid_t pid;

	IS(str(fd, STRTEST_HOLD, NULL, &len, 0), 0);
	memset(buf, 1, sizeof(buf));
	while (write(fd, buf, sizeof(buf)) > 0)
		total += sizeof(buf);
	TRUE(errno == EAGAIN);
	IS(total, 4096);
	IS(ioctl(fd, I_CANPUT, 0), 0);
	IS(ioctl(fd, I_CANPUT, 1), 1);
	IS(polled(fd) & POLLOUT, 0);

	/* A sleeping writer is woken when the driver continues. */
	fcntl(fd, F_SETFL, 0);
	pid = fork();
	TRUE(pid >= 0);
	if (!pid) {
		memset(buf, 2, sizeof(buf));
		_exit(write(fd, buf, sizeof(buf)) != sizeof(buf));
	}
	UNTIL(process_sleeps(pid));
	IS(str(fd, STRTEST_RELEASE, NULL, &len, 0), 0);
	while (got_back < total + sizeof(buf)) {
		n = read(fd, buf, sizeof(buf));
		TRUE(n > 0);
		TRUE(buf[0] >= seen);
		seen = buf[0];
		got_back += n;
	}
	IS(seen, 2);
	TRUE(wait(&status) > 0 && !status);
	close(fd);
}

/*
 * A full driver still takes messages of bands and high priority, which pass the
 * others.
 */
static void g_bands(void)
{
	struct strbuf data = { .len = 1, .buf = (char[]){ 'n' } };
	struct strbuf ctl = { .len = 1, .buf = (char[]){ 'h' } };
	char cbuf[8], dbuf[8];
	struct strbuf c = { .maxlen = 8, .buf = cbuf };
	struct strbuf d = { .maxlen = 8, .buf = dbuf };
	int fd = dev(O_NONBLOCK), len = 0, band, flags;

	IS(str(fd, STRTEST_HOLD, NULL, &len, 0), 0);
	IS(putpmsg(fd, NULL, &data, 0, MSG_BAND), 0);
	data.buf[0] = '3';
	IS(putpmsg(fd, NULL, &data, 3, MSG_BAND), 0);
	data.buf[0] = '7';
	IS(putpmsg(fd, NULL, &data, 7, MSG_BAND), 0);
	IS(putmsg(fd, &ctl, NULL, RS_HIPRI), 0);
	await(fd, POLLPRI);
	IS(polled(fd) & (POLLIN | POLLPRI), POLLPRI);
	IS(str(fd, STRTEST_RELEASE, NULL, &len, 0), 0);
	UNTIL(ioctl(fd, I_NREAD, &(int){ 0 }) == 4);

	band = 0;
	flags = MSG_ANY;
	IS(getpmsg(fd, &c, &d, &band, &flags), 0);
	IS(flags, MSG_HIPRI);
	IS(c.len, 1);
	IS(d.len, -1);
	band = 5;
	flags = MSG_BAND;
	IS(getpmsg(fd, &c, &d, &band, &flags), 0);
	IS(band, 7);
	IS(dbuf[0], '7');
	band = 5;
	flags = MSG_BAND;
	FAILS(getpmsg(fd, &c, &d, &band, &flags), EAGAIN);
	IS(polled(fd) & (POLLIN | POLLRDBAND | POLLRDNORM),
	   POLLIN | POLLRDBAND);
	IS(read(fd, dbuf, 8), 2);
	TRUE(!memcmp(dbuf, "3n", 2));
	close(fd);
}

static void g_flush(void)
{
	int fd = dev(O_NONBLOCK), len = 0;
	char buf[8];

	/* Some messages wait in the driver, and some in the head. */
	write_through(fd, "head");
	IS(str(fd, STRTEST_HOLD, NULL, &len, 0), 0);
	IS(write(fd, "driver", 6), 6);
	IS(ioctl(fd, I_FLUSH, FLUSHW), 0);
	IS(str(fd, STRTEST_RELEASE, NULL, &len, 0), 0);
	IS(read(fd, buf, 8), 4);
	FAILS(read(fd, buf, 8), EAGAIN);
	write_through(fd, "head");
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);
	all_seen(fd);
	FAILS(read(fd, buf, 8), EAGAIN);
	FAILS(ioctl(fd, I_FLUSH, 0), EINVAL);
	FAILS(ioctl(fd, I_FLUSH, 4), EINVAL);
	close(fd);
}

/* Modules with service procedures are pushed and popped in between. */
/* A writer that waits continues when the module pushed meanwhile has room. */
static void pushed_with_a_writer_waiting(void)
{
	char buf[4096] = "";
	int fds[2], status;
	pid_t pid;

	TRUE(strpipe(fds) == 0);
	pid = fork();
	TRUE(pid >= 0);
	if (!pid) {
		int i;

		close(fds[0]);
		/* The alarm ends a thread that is never woken. */
		alarm(WAIT_SECONDS);
		for (i = 0; i < 20; i++)
			if (write(fds[1], buf, sizeof(buf)) != sizeof(buf))
				_exit(1);
		_exit(0);
	}
	/* The queue is full, and the writer sleeps. */
	while (ioctl(fds[1], I_CANPUT, 0) == 1)
		usleep(1000);
	UNTIL(process_sleeps(pid));
	IS(ioctl(fds[1], I_PUSH, "srvmod"), 0);
	close(fds[1]);
	while (read(fds[0], buf, sizeof(buf)) > 0)
		;
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	close(fds[0]);
}

static void g_modules(void)
{
	struct str_mlist names[8];
	struct str_list list = { .sl_nmods = 8, .sl_modlist = names };
	int fd = dev(O_NONBLOCK), i, n;
	char buf[2000], name[STRNAMESZ];

	for (i = 0; i < 3; i++)
		IS(ioctl(fd, I_PUSH, "srvmod"), 0);
	IS(ioctl(fd, I_PUSH, "nullmod"), 0);
	IS(ioctl(fd, I_LOOK, name), 0);
	TRUE(!strcmp(name, "nullmod"));
	IS(ioctl(fd, I_LIST, NULL), 5);
	IS(ioctl(fd, I_LIST, &list), 0);
	IS(list.sl_nmods, 5);
	TRUE(!strcmp(names[0].l_name, "nullmod"));
	TRUE(!strcmp(names[4].l_name, "strtest"));
	IS(write(fd, buf, sizeof(buf)), sizeof(buf));
	for (n = 0; n < (int)sizeof(buf);) {
		await(fd, POLLIN);
		i = read(fd, buf, sizeof(buf));
		TRUE(i > 0);
		n += i;
	}
	for (i = 0; i < 4; i++)
		IS(ioctl(fd, I_POP, 0), 0);
	FAILS(ioctl(fd, I_POP, 0), EINVAL);
	FAILS(ioctl(fd, I_LOOK, name), EINVAL);
	close(fd);

	/* A stream is closed while every queue has messages. */
	fd = dev(O_NONBLOCK);
	for (i = 0; i < 3; i++)
		IS(ioctl(fd, I_PUSH, "srvmod"), 0);
	while (write(fd, buf, sizeof(buf)) > 0)
		;
	TRUE(errno == EAGAIN);
	close(fd);

	pushed_with_a_writer_waiting();
}

static const struct test_case groups[] = {
	{ "echo", g_echo },
	{ "i_str", g_i_str },
	{ "hangup", g_hangup },
	{ "error", g_error },
	{ "signals", g_signals },
	{ "flow", g_flow },
	{ "bands", g_bands },
	{ "flush", g_flush },
	{ "modules", g_modules },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, groups);
}
