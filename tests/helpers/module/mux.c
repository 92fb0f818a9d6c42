// SPDX-License-Identifier: GPL-2.0-only
/*
 * mux.c - multiplexors: I_LINK, I_UNLINK, I_PLINK, I_PUNLINK
 *
 * The rules are those of POSIX.1-2001 ioctl() and close(), on a stream; the
 * rights to use I_PLINK are in strmux(4).
 */
#include "stream-device.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "../../../kmod/test/strtest.h"
#include "../../../kmod/test/testmux.h"

/* The constants of sys/stream.h, which is for the kernel only */
#define M_HANGUP	0x89
#define M_ERROR		0x8a

static void goes_round(int fd, const char *text)
{
	IS(write(fd, text, strlen(text)), strlen(text));
	is_read(fd, text);
}

static void linking(void)
{
	int up = dev(DEVICE("mux")), low = dev(DEVICE("echo")), id;

	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	goes_round(up, "through the multiplexor");
	IS(ioctl(up, I_UNLINK, id), 0);
	/* The lower stream is unchanged. */
	goes_round(low, "by itself");
	/* The stream may be linked again, and its descriptor be closed then. */
	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	close(low);
	goes_round(up, "with no descriptor below");
	IS(ioctl(up, I_UNLINK, MUXID_ALL), 0);
	FAILS(ioctl(up, I_UNLINK, id), EINVAL);
	/* MUXID_ALL succeeds when no stream is linked. */
	IS(ioctl(up, I_UNLINK, MUXID_ALL), 0);
}

/* Calls on the lower stream's own descriptor fail meanwhile. */
static void lower(void)
{
	int up = dev(DEVICE("mux")), low = dev(DEVICE("echo")), id;
	struct pollfd p = { .fd = low, .events = POLLIN | POLLOUT };
	char text[8] = "x";
	struct strbuf buf = { .maxlen = 8, .len = 2, .buf = text };
	struct strioctl ic = { .ic_cmd = 1 };
	int n, flags = 0;
	char c = 'c';

	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	FAILS(read(low, &c, 1), EINVAL);
	FAILS(write(low, &c, 1), EINVAL);
	FAILS(getmsg(low, NULL, &buf, &flags), EINVAL);
	FAILS(putmsg(low, NULL, &buf, 0), EINVAL);
	FAILS(ioctl(low, I_NREAD, &n), EINVAL);
	FAILS(ioctl(low, I_PUSH, "nullmod"), EINVAL);
	FAILS(ioctl(low, I_POP, 0), EINVAL);
	FAILS(ioctl(low, I_FLUSH, FLUSHRW), EINVAL);
	FAILS(ioctl(low, I_STR, &ic), EINVAL);
	FAILS(ioctl(low, I_GRDOPT, &n), EINVAL);
	FAILS(ioctl(low, I_LIST, NULL), EINVAL);
	FAILS(ioctl(low, I_LINK, up), EINVAL);
	FAILS(ioctl(low, I_UNLINK, MUXID_ALL), EINVAL);
	FAILS(ioctl(low, I_CANPUT, 0), EINVAL);
	IS(isastream(low), 1);
	/* Linux reports POLLNVAL to a caller that asks for it, POLLERR to all. */
	IS(poll(&p, 1, 0), 1);
	IS(p.revents, POLLERR);
	p.events |= POLLNVAL;
	IS(poll(&p, 1, 0), 1);
	IS(p.revents, POLLERR | POLLNVAL);

	IS(ioctl(up, I_UNLINK, id), 0);
	p.events = POLLIN | POLLOUT;
	IS(poll(&p, 1, 0), 1);
	IS(p.revents, POLLOUT);
	IS(ioctl(low, I_PUSH, "nullmod"), 0);
	goes_round(low, "a stream again");
}

struct sleeper {
	int fd;
	ssize_t got;
	int error;
};

static void *sleeping_reader(void *arg)
{
	struct sleeper *s = arg;
	char c;

	s->got = read(s->fd, &c, 1);
	s->error = errno;
	return NULL;
}

/* A reader asleep when its stream is linked wakes up. */
static void sleeper(void)
{
	int up = dev(DEVICE("mux"));
	struct sleeper s = { .fd = dev(DEVICE("echo")) };
	pthread_t thread;

	thread = thread_asleep(sleeping_reader, &s);
	TRUE(ioctl(up, I_LINK, s.fd) > 0);
	IS(pthread_join(thread, NULL), 0);
	IS(s.got, -1);
	IS(s.error, EINVAL);
}

static void errors(void)
{
	int up = dev(DEVICE("mux")), other = dev(DEVICE("mux"));
	int low = dev(DEVICE("echo")), fds[2], id, file;
	void *forged[3] = { &up, &low, NULL };	/* a struct linkblk */

	FAILS(ioctl(up, I_LINK, -1), EBADF);
	FAILS(ioctl(up, I_LINK, 1000000), EBADF);
	FAILS(ioctl(up, I_PLINK, -1), EBADF);
	/* Another driver and a pipe do not multiplex. */
	FAILS(ioctl(low, I_LINK, up), EINVAL);
	FAILS(ioctl(low, I_UNLINK, MUXID_ALL), EINVAL);
	FAILS(ioctl(low, I_PUNLINK, MUXID_ALL), EINVAL);
	IS(strpipe(fds), 0);
	FAILS(ioctl(fds[0], I_LINK, low), EINVAL);
	FAILS(ioctl(fds[0], I_PLINK, low), EINVAL);
	FAILS(ioctl(fds[0], I_UNLINK, MUXID_ALL), EINVAL);
	FAILS(ioctl(fds[0], I_PUNLINK, MUXID_ALL), EINVAL);
	/* Neither a pipe nor a file that is not a stream can be below. */
	FAILS(ioctl(up, I_LINK, fds[0]), EINVAL);
	FAILS(ioctl(up, I_PLINK, fds[0]), EINVAL);
	file = open("/dev/null", O_RDWR);
	FAILS(ioctl(up, I_LINK, file), EINVAL);
	file = open(DEVICE("echo"), O_PATH);
	FAILS(ioctl(up, I_LINK, file), EBADF);
	/* Neither the stream itself nor one of the same driver can be below. */
	FAILS(ioctl(up, I_LINK, up), EINVAL);
	FAILS(ioctl(up, I_LINK, other), EINVAL);
	/* A user cannot send the driver the link requests directly. */
	FAILS(send_ioctl(up, I_LINK, forged, sizeof(forged)), EINVAL);
	FAILS(send_ioctl(up, I_UNLINK, forged, sizeof(forged)), EINVAL);
	FAILS(send_ioctl(up, I_PLINK, forged, sizeof(forged)), EINVAL);
	FAILS(send_ioctl(up, I_PUNLINK, forged, sizeof(forged)), EINVAL);
	/* A stream that is linked cannot be linked again, here or elsewhere. */
	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	FAILS(ioctl(up, I_LINK, low), EINVAL);
	FAILS(ioctl(other, I_LINK, low), EINVAL);
	FAILS(ioctl(other, I_PLINK, low), EINVAL);
	/*
	 * A link cannot be ended if it does not exist, is another stream's, or
	 * of the other kind.
	 */
	FAILS(ioctl(up, I_UNLINK, 0), EINVAL);
	FAILS(ioctl(up, I_UNLINK, id + 1), EINVAL);
	FAILS(ioctl(up, I_UNLINK, -2), EINVAL);
	FAILS(ioctl(other, I_UNLINK, id), EINVAL);
	FAILS(ioctl(up, I_PUNLINK, id), EINVAL);
	FAILS(ioctl(up, I_PUNLINK, 0), EINVAL);
	IS(ioctl(up, I_UNLINK, id), 0);
}

/*
 * After a hangup of either stream I_LINK returns ENXIO, after an error its
 * value.
 */
static void broken(void)
{
	int up = dev(DEVICE("mux")), test = dev(DEVICE("testmux")), id;
	int low = dev(DEVICE("strtest")), echo = dev(DEVICE("echo"));
	/* The driver sends up a message: type, band, bytes. */
	char hangup[] = { (char)M_HANGUP, 0 };
	char error[] = { (char)M_ERROR, 0, EIO, EIO };

	/* The answer comes after the hangup, which ends the wait for it. */
	send_ioctl(low, STRTEST_SEND, hangup, sizeof(hangup));
	FAILS(ioctl(up, I_LINK, low), ENXIO);
	FAILS(ioctl(up, I_PLINK, low), ENXIO);
	/* The control stream itself breaks, with a link to end. */
	low = dev(DEVICE("nuls"));
	id = ioctl(test, I_LINK, low);
	TRUE(id > 0);
	send_ioctl(test, TESTMUX_SEND, error, sizeof(error));
	FAILS(ioctl(test, I_LINK, echo), EIO);
	FAILS(ioctl(test, I_PLINK, echo), EIO);
	FAILS(ioctl(test, I_UNLINK, id), EIO);
	close(test);
	IS(write(low, "free", 4), 4);
	test = dev(DEVICE("testmux"));
	id = ioctl(test, I_LINK, low);
	TRUE(id > 0);
	send_ioctl(test, TESTMUX_SEND, hangup, sizeof(hangup));
	FAILS(ioctl(test, I_LINK, echo), ENXIO);
	FAILS(ioctl(test, I_UNLINK, id), ENXIO);
	close(test);
	IS(write(low, "free", 4), 4);
	goes_round(echo, "never linked");
}

/* The driver's answers, and a driver that does not answer. */
static void refused(void)
{
	int up = dev(DEVICE("testmux")), low = dev(DEVICE("echo")), n, id;

	goes_round(low, "before");
	IS(write(low, "waits", 5), 5);
	TRUE(readable(low, WAIT_LIMIT_MS));
	n = EPROTO;
	IS(send_ioctl(up, TESTMUX_NAK, &n, sizeof(n)), 0);
	FAILS(ioctl(up, I_LINK, low), EPROTO);
	FAILS(ioctl(up, I_PLINK, low), EPROTO);
	/* The lower stream is unchanged, and has the same messages. */
	is_read(low, "waits");
	goes_round(low, "after");
	n = 0;
	IS(send_ioctl(up, TESTMUX_NAK, &n, sizeof(n)), 0);
	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	n = EBUSY;
	IS(send_ioctl(up, TESTMUX_NAK, &n, sizeof(n)), 0);
	FAILS(ioctl(up, I_UNLINK, id), EBUSY);
	FAILS(ioctl(up, I_UNLINK, MUXID_ALL), EBUSY);
	FAILS(write(low, "x", 1), EINVAL);
	/* A close is not refused. */
	close(up);
	goes_round(low, "free again");
}

static void silent(void)
{
	int up = dev(DEVICE("testmux")), low = dev(DEVICE("echo")), n = 1;

	IS(send_ioctl(up, TESTMUX_SILENT, &n, sizeof(n)), 0);
	FAILS(ioctl(up, I_LINK, low), ETIME);
	IS(send_ioctl(up, TESTMUX_COUNT, NULL, 0), 0);
	goes_round(low, "forgotten");
}

static void interrupted(void)
{
	int up = dev(DEVICE("testmux")), low = dev(DEVICE("echo")), n = 1;

	IS(send_ioctl(up, TESTMUX_SILENT, &n, sizeof(n)), 0);
	FAILS(INTERRUPTED(ioctl(up, I_LINK, low)), EINTR);
	IS(send_ioctl(up, TESTMUX_COUNT, NULL, 0), 0);
	goes_round(low, "forgotten");
}

/*
 * The driver has not answered the link yet: the ioctl is interrupted, and the
 * link kept.
 */
static void link_unanswered(int up, int cmd, int low)
{
	int n = 1;

	IS(send_ioctl(up, TESTMUX_LATE, &n, sizeof(n)), 0);
	FAILS(INTERRUPTED(ioctl(up, cmd, low)), EINTR);
	FAILS(write(low, "x", 1), EINVAL);
	FAILS(ioctl(up, cmd, low), EINVAL);
	/* The link has no number, so unlinking all does not undo it. */
	IS(ioctl(up, I_UNLINK, MUXID_ALL), 0);
	FAILS(write(low, "x", 1), EINVAL);
}

static void late(void)
{
	int count = dev(DEVICE("testmux")), low = dev(DEVICE("echo")), up;

	up = dev(DEVICE("testmux"));
	link_unanswered(up, I_LINK, low);
	IS(send_ioctl(up, TESTMUX_NOW, NULL, 0), 0);
	IS(send_ioctl(count, TESTMUX_COUNT, NULL, 0), 1);
	/* The upper stream may send to the link; the echo waits. */
	IS(write(up, "kept", 4), 4);
	TRUE(!readable(up, 0));
	close(up);
	IS(send_ioctl(count, TESTMUX_COUNT, NULL, 0), 0);
	is_read(low, "kept");
	goes_round(low, "free");
	/* A driver that never looks at its messages is closed. */
	up = dev(DEVICE("testmux"));
	link_unanswered(up, I_LINK, low);
	close(up);
	goes_round(low, "free again");
}

/* The link belongs to the control stream until the driver has acknowledged it. */
static void late_persistent(void)
{
	int count = dev(DEVICE("testmux")), low = dev(DEVICE("echo")), up, n = 1;

	up = dev(DEVICE("testmux"));
	link_unanswered(up, I_PLINK, low);
	IS(send_ioctl(up, TESTMUX_NOW, NULL, 0), 0);
	IS(send_ioctl(count, TESTMUX_COUNT, NULL, 0), 1);
	close(up);
	IS(send_ioctl(count, TESTMUX_COUNT, NULL, 0), 0);
	goes_round(low, "free");
	up = dev(DEVICE("testmux"));
	link_unanswered(up, I_PLINK, low);
	close(up);
	goes_round(low, "free again");
	/*
	 * The driver did not refuse the link: it is a persistent link like
	 * others.
	 */
	up = dev(DEVICE("testmux"));
	link_unanswered(up, I_PLINK, low);
	IS(send_ioctl(up, TESTMUX_SILENT, &n, sizeof(n)), 0);
	close(up);
	FAILS(write(low, "x", 1), EINVAL);
	IS(ioctl(count, I_PUNLINK, MUXID_ALL), 0);
	goes_round(low, "free at last");
}

/*
 * The driver released a link without an answer: the link can be ended all the
 * same.
 */
static void unlink_unanswered(void)
{
	int up = dev(DEVICE("testmux")), low = dev(DEVICE("echo")), n = 1, id;

	id = ioctl(up, I_PLINK, low);
	TRUE(id > 0);
	IS(send_ioctl(up, TESTMUX_SILENT, &n, sizeof(n)), 0);
	FAILS(INTERRUPTED(ioctl(up, I_PUNLINK, id)), EINTR);
	FAILS(write(low, "x", 1), EINVAL);
	n = EBUSY;
	IS(send_ioctl(up, TESTMUX_NAK, &n, sizeof(n)), 0);
	FAILS(ioctl(up, I_PUNLINK, id), EBUSY);
	n = 0;
	IS(send_ioctl(up, TESTMUX_NAK, &n, sizeof(n)), 0);
	IS(ioctl(up, I_PUNLINK, id), 0);
	goes_round(low, "free");
	/* In an answer to the first request EINVAL is a refusal. */
	id = ioctl(up, I_PLINK, low);
	n = EINVAL;
	IS(send_ioctl(up, TESTMUX_NAK, &n, sizeof(n)), 0);
	FAILS(ioctl(up, I_PUNLINK, id), EINVAL);
	FAILS(write(low, "x", 1), EINVAL);
	n = 0;
	IS(send_ioctl(up, TESTMUX_NAK, &n, sizeof(n)), 0);
	IS(ioctl(up, I_PUNLINK, MUXID_ALL), 0);
	goes_round(low, "free again");
}

/*
 * Messages waiting to be read when a stream is linked are passed to the driver,
 * in order.
 */
static void waiting(void)
{
	int up = dev(DEVICE("mux")), low = dev(DEVICE("echo")), id;

	IS(write(low, "first", 5), 5);
	IS(write(low, "second", 6), 6);
	UNTIL(ioctl(low, I_NREAD, &id) == 2);
	IS(ioctl(up, I_SRDOPT, RMSGD), 0);
	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	IS(write(up, "third", 5), 5);
	is_read(up, "first");
	is_read(up, "second");
	is_read(up, "third");
	/*
	 * Messages that the driver has not passed on return to the lower
	 * stream.
	 */
	IS(route(up, 0, MUX_UP), 0);
	IS(write(up, "fourth", 6), 6);
	IS(ioctl(up, I_UNLINK, id), 0);
	is_read(low, "fourth");
}

/*
 * Each upper stream has a route to its lower one, which can be changed at any
 * time.
 */
static void routes(void)
{
	int a = dev(DEVICE("mux")), b = dev(DEVICE("mux"));
	int low1 = dev(DEVICE("echo")), low2 = dev(DEVICE("nuls")), id1, id2;

	id1 = ioctl(a, I_LINK, low1);
	id2 = ioctl(a, I_LINK, low2);
	TRUE(id1 > 0 && id2 > 0 && id1 != id2);
	goes_round(a, "a by echo");
	/* Data that b writes waits for a route. */
	IS(write(b, "early", 5), 5);
	IS(route(b, id1, MUX_DOWN), 0);
	is_read(a, "early");
	IS(route(b, id1, MUX_UP), 0);
	goes_round(b, "b by echo");
	IS(write(a, "crosses", 7), 7);
	is_read(b, "crosses");
	IS(route(b, id2, MUX_DOWN | MUX_UP), 0);
	IS(write(b, "gone", 4), 4);
	/* No event reports that nuls has received it: the test pauses. */
	TRUE(!readable(b, 100));

	FAILS(route(b, 1000000, MUX_DOWN), ENXIO);
	FAILS(route(b, id1, 0), EINVAL);
	FAILS(route(b, id1, 4), EINVAL);
	FAILS(send_ioctl(b, MUX_ROUTE, &id1, sizeof(id1)), EINVAL);
	FAILS(send_ioctl(b, 12345, NULL, 0), EINVAL);
	close(b);
	IS(route(a, id1, MUX_UP), 0);
	goes_round(a, "a again");
}

/* The writer's data arrives, in order, while the reader is slow. */
static void flow(void)
{
	int up = dev(DEVICE("mux")), low = dev(DEVICE("echo"));
	unsigned int n = test_scaled(200000), i;
	char *data;
	pid_t pid;

	TRUE(ioctl(up, I_LINK, low) > 0);
	close(low);
	pid = fork();
	TRUE(pid >= 0);
	if (!pid) {
		for (i = 0; i < n; i++)
			if (write(up, &i, sizeof(i)) != sizeof(i))
				_exit(1);
		_exit(0);
	}
	data = malloc(n * sizeof(i));
	TRUE(data);
	/* The writer is held up, or has finished. */
	UNTIL(process_sleeps(pid) || process_ended(pid));
	for (size_t got = 0; got < n * sizeof(i);) {
		ssize_t r = read(up, data + got, n * sizeof(i) - got);

		if (r <= 0)
			test_fail(__FILE__, __LINE__, "read %zd after %zu: %s",
				  r, got, strerror(errno));
		got += r;
	}
	for (i = 0; i < n; i++)
		if (memcmp(data + i * sizeof(i), &i, sizeof(i)))
			test_fail(__FILE__, __LINE__, "number %u is wrong", i);
	IS(waitpid(pid, NULL, 0), pid);
	free(data);
}

static void closing(void)
{
	int up = dev(DEVICE("testmux")), count = dev(DEVICE("testmux"));
	int low[20], i;

	for (i = 0; i < 20; i++) {
		low[i] = dev(DEVICE("echo"));
		TRUE(ioctl(up, I_LINK, low[i]) > 0);
	}
	IS(send_ioctl(count, TESTMUX_COUNT, NULL, 0), 20);
	close(low[0]);
	close(up);
	IS(send_ioctl(count, TESTMUX_COUNT, NULL, 0), 0);
	for (i = 1; i < 20; i++)
		goes_round(low[i], "not linked");
}

/* A persistent link outlives its control stream, until I_PUNLINK. */
static void persistent(void)
{
	int up = dev(DEVICE("mux")), low = dev(DEVICE("echo")), id, id2;

	id = ioctl(up, I_PLINK, low);
	TRUE(id > 0);
	FAILS(ioctl(up, I_UNLINK, id), EINVAL);
	IS(ioctl(up, I_UNLINK, MUXID_ALL), 0);
	FAILS(write(low, "x", 1), EINVAL);
	close(up);
	FAILS(write(low, "x", 1), EINVAL);
	up = dev(DEVICE("mux"));
	IS(route(up, id, MUX_DOWN | MUX_UP), 0);
	goes_round(up, "from another control stream");
	IS(ioctl(up, I_PUNLINK, id), 0);
	FAILS(ioctl(up, I_PUNLINK, id), EINVAL);
	goes_round(low, "by itself");

	id = ioctl(up, I_PLINK, low);
	close(low);
	low = dev(DEVICE("echo"));
	id2 = ioctl(up, I_PLINK, low);
	TRUE(id > 0 && id2 > 0 && id != id2);
	IS(ioctl(up, I_PUNLINK, MUXID_ALL), 0);
	FAILS(ioctl(up, I_PUNLINK, id2), EINVAL);
	goes_round(low, "all of them");
	IS(ioctl(up, I_PUNLINK, MUXID_ALL), 0);
}

/* Two drivers would form a cycle: testmux below mux, mux below testmux. */
static void cycle(void)
{
	int mux = dev(DEVICE("mux")), test = dev(DEVICE("testmux"));
	int mux2 = dev(DEVICE("mux")), test2 = dev(DEVICE("testmux"));
	int low = dev(DEVICE("echo")), id;

	id = ioctl(mux, I_LINK, test);
	TRUE(id > 0);
	FAILS(ioctl(test, I_LINK, mux), EINVAL);
	FAILS(ioctl(test2, I_LINK, mux), EINVAL);
	FAILS(ioctl(test2, I_LINK, mux2), EINVAL);
	FAILS(ioctl(test2, I_PLINK, mux2), EINVAL);
	/* A stream below the lower one of two is not a cycle. */
	TRUE(ioctl(test2, I_LINK, low) > 0);
	IS(ioctl(mux, I_UNLINK, id), 0);
	IS(ioctl(test2, I_UNLINK, MUXID_ALL), 0);
	id = ioctl(test, I_LINK, mux2);
	TRUE(id > 0);
	FAILS(ioctl(mux, I_LINK, test2), EINVAL);
	IS(ioctl(test, I_UNLINK, id), 0);
}

/* Three levels work: echo below mux below testmux. */
static void levels(void)
{
	int top = dev(DEVICE("testmux")), mid = dev(DEVICE("mux"));
	int low = dev(DEVICE("echo"));

	TRUE(ioctl(mid, I_LINK, low) > 0);
	goes_round(mid, "two");
	TRUE(ioctl(top, I_LINK, mid) > 0);
	goes_round(top, "three");
	close(mid);
	close(low);
	goes_round(top, "known to no other stream");
}

static void push(int fd, int n)
{
	while (n--)
		IS(ioctl(fd, I_PUSH, "nullmod"), 0);
}

/* A driver has at most 24 modules and drivers below it. */
static void depth(void)
{
	int top = dev(DEVICE("testmux")), mid = dev(DEVICE("mux"));
	int low = dev(DEVICE("echo")), id;

	push(low, 16);
	TRUE(ioctl(mid, I_LINK, low) > 0);
	push(mid, 6);
	id = ioctl(top, I_LINK, mid);
	TRUE(id > 0);
	push(top, 16);
	goes_round(top, "through 40 modules and drivers");
	IS(ioctl(top, I_UNLINK, id), 0);
	push(mid, 1);
	FAILS(ioctl(top, I_LINK, mid), ELOOP);
	FAILS(ioctl(top, I_PLINK, mid), ELOOP);
	goes_round(mid, "not linked");
	/* The limit also counts below streams that are linked already. */
	IS(ioctl(mid, I_UNLINK, MUXID_ALL), 0);
	id = ioctl(top, I_LINK, mid);
	TRUE(id > 0);
	mid = dev(DEVICE("mux"));
	FAILS(ioctl(mid, I_LINK, low), ELOOP);
	goes_round(low, "not linked");
	IS(ioctl(low, I_POP, 0), 0);
	TRUE(ioctl(mid, I_LINK, low) > 0);
}

/* Modules are on the control stream and on the lower stream. */
static void modules(void)
{
	int up = dev(DEVICE("mux")), low = dev(DEVICE("echo")), id;

	IS(ioctl(up, I_PUSH, "nullmod"), 0);
	IS(ioctl(low, I_PUSH, "srvmod"), 0);
	IS(ioctl(low, I_PUSH, "nullmod"), 0);
	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	goes_round(up, "through four");
	IS(ioctl(up, I_POP, 0), 0);
	goes_round(up, "through three");
	IS(ioctl(up, I_UNLINK, id), 0);
	IS(ioctl(low, I_LIST, NULL), 3);
	goes_round(low, "its own");
}

/*
 * A user other than root cannot make persistent links, end links of other
 * users, or make too many links.
 */
static void unprivileged(void)
{
	struct rlimit few = { .rlim_cur = 10, .rlim_max = 10 };
	int up = dev(DEVICE("mux")), mine, low = dev(DEVICE("echo")), id, fd, i;

	id = ioctl(up, I_LINK, low);
	TRUE(id > 0);
	IS(setuid(65534), 0);
	mine = dev(DEVICE("mux"));
	FAILS(ioctl(mine, I_PLINK, low), EPERM);
	FAILS(ioctl(mine, I_PUNLINK, MUXID_ALL), EPERM);
	FAILS(route(mine, id, MUX_DOWN), EPERM);
	IS(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (i = 0; i < 10; i++) {
		fd = dev(DEVICE("echo"));
		TRUE(ioctl(mine, I_LINK, fd) > 0);
		close(fd);
	}
	fd = dev(DEVICE("echo"));
	FAILS(ioctl(mine, I_LINK, fd), EAGAIN);
	IS(ioctl(mine, I_UNLINK, MUXID_ALL), 0);
	TRUE(ioctl(mine, I_LINK, fd) > 0);
}

#define LINKERS		20	/* threads that link at once, as each link waits for RCU */
#define LINKS_FEW	2000
#define LINKS_MANY	16000

/* The memory is shared with the process that ends. */
static struct {
	struct rusage before;
	bool ready;
} *linked;

static void *link_many(void *arg)
{
	int up = dev(DEVICE("mux")), low;
	long n = *(long *)arg / LINKERS;

	while (n--) {
		low = dev(DEVICE("echo"));
		TRUE(ioctl(up, I_LINK, low) > 0);
		close(low);
	}
	return NULL;
}

static void hold_links(long n)
{
	pthread_t thread[LINKERS];
	int i;

	for (i = 0; i < LINKERS; i++)
		IS(pthread_create(&thread[i], NULL, link_many, &n), 0);
	for (i = 0; i < LINKERS; i++)
		IS(pthread_join(thread[i], NULL), 0);
	IS(getrusage(RUSAGE_SELF, &linked->before), 0);
	linked->ready = true;
	for (;;)
		pause();
}

static long system_ms(const struct rusage *usage)
{
	return usage->ru_stime.tv_sec * 1000 + usage->ru_stime.tv_usec / 1000;
}

/* Returns the milliseconds of processor time that the end of a process with n links takes. */
static long end_of_links(long n)
{
	struct rusage after;
	int status;
	pid_t pid;

	linked->ready = false;
	pid = fork();
	TRUE(pid >= 0);
	if (!pid)
		hold_links(n);
	UNTIL(linked->ready);
	kill(pid, SIGKILL);
	IS(wait4(pid, &status, 0, &after), pid);
	return system_ms(&after) - system_ms(&linked->before);
}

/*
 * Eight times as many links take some eight times as long to end, and not sixty-four.
 * A time of few ticks is not exact, and counts as 60 ms.
 */
static void many(void)
{
	struct rlimit files = { 20000, 20000 };
	long few, lots;

	IS(setrlimit(RLIMIT_NOFILE, &files), 0);
	linked = mmap(NULL, sizeof(*linked), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	TRUE(linked != MAP_FAILED);
	few = end_of_links(LINKS_FEW);
	lots = end_of_links(LINKS_MANY);
	printf("%d links: %ld ms, %d links: %ld ms\n", LINKS_FEW, few, LINKS_MANY, lots);
	TRUE(lots <= 16 * (few > 60 ? few : 60));
}

/*
 * Several tasks link and unlink streams under traffic: no task hangs, and no
 * data is broken.
 */
static volatile bool storm_over;

static void *storm_writer(void *arg)
{
	int fd = *(int *)arg;
	char data[64] = "";

	while (!storm_over) {
		if (write(fd, data, sizeof(data)) < 0 && errno != EINVAL &&
		    errno != EAGAIN)
			test_fail(__FILE__, __LINE__, "write: %s",
				  strerror(errno));
		while (read(fd, data, sizeof(data)) > 0)
			;
	}
	return NULL;
}

static void *storm_linker(void *arg)
{
	int low = *(int *)arg, up = dev(DEVICE("mux")), id;
	unsigned long n = test_scaled(40);

	while (n--) {
		id = ioctl(up, I_LINK, low);
		if (id > 0 && n % 3)
			ioctl(up, I_UNLINK, id);
		if (n % 3 == 0) {
			close(up);
			up = dev(DEVICE("mux"));
		}
	}
	close(up);
	return NULL;
}

/* Reads until this text, which is behind all earlier writes. */
static void last_is(int fd, const char *text)
{
	size_t at = 0;
	char c;

	while (at < strlen(text)) {
		TRUE(readable(fd, WAIT_LIMIT_MS));
		IS(read(fd, &c, 1), 1);
		at = c == text[at] ? at + 1 : 0;
	}
}

static void storm(void)
{
	pthread_t writers[2], linkers[4];
	int low[2], i;

	for (i = 0; i < 2; i++) {
		low[i] = open(DEVICE("echo"), O_RDWR | O_NONBLOCK);
		IS(pthread_create(&writers[i], NULL, storm_writer, &low[i]), 0);
	}
	for (i = 0; i < 4; i++)
		IS(pthread_create(&linkers[i], NULL, storm_linker,
				  &low[i % 2]), 0);
	for (i = 0; i < 4; i++)
		IS(pthread_join(linkers[i], NULL), 0);
	storm_over = true;
	for (i = 0; i < 2; i++) {
		char drop[4096];

		IS(pthread_join(writers[i], NULL), 0);
		while (read(low[i], drop, sizeof(drop)) > 0)
			;
		UNTIL(write(low[i], "alive", 5) == 5);
		last_is(low[i], "alive");
	}
}

static const struct test_case cases[] = {
	{ "linking", linking },
	{ "lower", lower },
	{ "sleeper", sleeper },
	{ "errors", errors },
	{ "broken", broken },
	{ "refused", refused },
	{ "silent", silent },
	{ "interrupted", interrupted },
	{ "late", late },
	{ "late_persistent", late_persistent },
	{ "unlink_unanswered", unlink_unanswered },
	{ "waiting", waiting },
	{ "routes", routes },
	{ "flow", flow },
	{ "closing", closing },
	{ "persistent", persistent },
	{ "cycle", cycle },
	{ "levels", levels },
	{ "depth", depth },
	{ "modules", modules },
	{ "unprivileged", unprivileged },
	{ "many", many },
	{ "storm", storm },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
