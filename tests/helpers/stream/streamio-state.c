// SPDX-License-Identifier: GPL-2.0-only
/*
 * streamio-state.c - a driver's messages to the stream head: a hangup and an
 * error that it withdraws, M_FLUSH, and types that no stream head acts on
 *
 * A driver that hung up, or left an error, cannot be reached by an ioctl. So
 * ioctls that have it send two messages wait in modules above it, and reach it
 * as it has room.
 */
#include "streamio.h"
#include "waits.h"
#include "../../../kmod/test/strtest.h"

enum {
	M_BREAK = 0x08, M_DELAY = 0x0c, M_CTL = 0x0d, M_RSE = 0x11,
	M_FLUSH = 0x86, M_STOP = 0x87, M_START = 0x88, M_PCRSE = 0x8e,
	M_STOPI = 0x8f, M_STARTI = 0x90,
	FLUSHBAND = 4, MSGNOLOOP = 2,
	NOERROR = -1
};

#define MODULES	3
#define MESSAGE	1000

static char data[8192];
static volatile sig_atomic_t signals;

static void count(int sig)
{
	signals++;
}

static int events(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

/* Sends messages until there is no room. Returns their number. */
static int fill(int fd)
{
	int n = 0;

	while (write(fd, data, MESSAGE) == MESSAGE)
		n++;
	TRUE(errno == EAGAIN);
	return n;
}

/* Returns a strtest stream that is not read, below modules that are full. */
static int full(void)
{
	int fd = open("/dev/streams/strtest", O_RDWR | O_NONBLOCK), i;

	TRUE(fd >= 0);
	for (i = 0; i < MODULES; i++)
		IS(ioctl(fd, I_PUSH, "srvmod"), 0);
	TRUE(fill(fd) > 0);
	return fd;
}

/*
 * Makes the driver send up a message when the ioctl reaches it, which is later.
 */
static void send_later(int fd, unsigned char type, const void *body, int len)
{
	char all[16] = { type, 0 };

	if (len)
		memcpy(all + 2, body, len);
	FAILS(INTERRUPTED(str(fd, STRTEST_SEND, all, len + 2)), EINTR);
}

/* Makes room in the driver, which flushes all, and leaves the modules alone. */
static void move_on(int fd)
{
	struct bandinfo other = { .bi_pri = 7, .bi_flag = FLUSHW };

	IS(ioctl(fd, I_FLUSHBAND, &other), 0);
}

/* A hangup is withdrawn at once: S_HANGUP signals it all the same. */
static void unseen(void)
{
	int fd = full();

	signal(SIGPOLL, count);
	IS(ioctl(fd, I_SETSIG, S_HANGUP), 0);
	send_later(fd, M_HANGUP, NULL, 0);
	send_later(fd, M_UNHANGUP, NULL, 0);
	signals = 0;
	UNTIL((move_on(fd), signals));
	GIVES("M_HANGUP", "S_HANGUP", signals, 1);
	UNTIL((move_on(fd), (events(fd) & (POLLHUP | POLLOUT)) == POLLOUT));
	GIVES("M_UNHANGUP", "at once", events(fd) & POLLHUP, 0);
	GIVES("M_UNHANGUP", "at once, write", write(fd, "x", 1), 1);
	close(fd);
}

/*
 * Tests an error of both sides, then a second M_ERROR, and the rest of the
 * first.
 */
static int mended(unsigned char reading, unsigned char writing)
{
	int fd = full();

	signal(SIGPOLL, count);
	IS(ioctl(fd, I_SETSIG, S_ERROR), 0);
	send_later(fd, M_ERROR, (char[]){ ECHRNG, EDOM }, 2);
	send_later(fd, M_ERROR, (char[]){ reading, writing }, 2);
	signals = 0;
	UNTIL((move_on(fd), signals));
	GIVES("M_ERROR", "S_ERROR", signals > 0, 1);
	return fd;
}

static void sides(void)
{
	int fd = mended(0, NOERROR), n;

	GIVES("M_ERROR", "0 and NOERROR: read", read(fd, data, MESSAGE), MESSAGE);
	FAILS_WITH("M_ERROR", EDOM, "0 and NOERROR: write", write(fd, "x", 1));
	close(fd);
	fd = mended(NOERROR, 0);
	FAILS_WITH("M_ERROR", ECHRNG, "NOERROR and 0: read", read(fd, data, MESSAGE));
	GIVES("M_ERROR", "NOERROR and 0: write", write(fd, "x", 1), 1);
	close(fd);
	fd = mended(0, 0);
	GIVES("M_ERROR", "0 and 0: read", read(fd, data, MESSAGE), MESSAGE);
	GIVES("M_ERROR", "0 and 0: write", write(fd, "x", 1), 1);
	GIVES("M_ERROR", "0 and 0: any ioctl", ioctl(fd, I_NREAD, &n) > 0, 1);
	close(fd);
	/* Another error takes its place. */
	fd = mended(ENODEV, NOERROR);
	FAILS_WITH("M_ERROR", ENODEV, "the later one", read(fd, data, MESSAGE));
	FAILS_WITH("M_ERROR", EDOM, "the other side's as it was", write(fd, "x", 1));
	close(fd);
}

static int messages(int fd)
{
	int n;

	return ioctl(fd, I_NREAD, &n);
}

static void send_flush(int fd, unsigned char flag, const char *body, int len)
{
	IS(send_up(fd, M_FLUSH, 0, flag, body, len), 0);
}

/*
 * Queues messages at the head in four bands, one of high priority; and messages
 * in the driver.
 */
static int to_be_flushed(void)
{
	int fd = probe(O_NONBLOCK), i;

	for (i = 0; i < 4; i++)
		send_up(fd, M_DATA, i, 0, "x", 1);
	send_up(fd, M_PCPROTO, 0, 0, "x", 1);
	IS(messages(fd), 5);
	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	TRUE(fill_band(fd, 0) > 0);
	TRUE(fill_band(fd, 2) > 0);
	return fd;
}

/* Returns I_CANPUT of bands 0 and 2, as bits. */
static int room(int fd)
{
	return ioctl(fd, I_CANPUT, 0) | ioctl(fd, I_CANPUT, 2) << 1;
}

static void flushes(void)
{
	int fd = to_be_flushed();

	send_flush(fd, 0, "", 0);
	send_flush(fd, 0, (char[]){ FLUSHRW | FLUSHBAND }, 1);
	GIVES("M_FLUSH", "too short: no effect", messages(fd), 5);
	GIVES("M_FLUSH", "too short: none below", room(fd), 0);
	send_flush(fd, 0, (char[]){ FLUSHR | FLUSHBAND, 3 }, 2);
	GIVES("M_FLUSH", "FLUSHR, a band", messages(fd), 4);
	GIVES("M_FLUSH", "FLUSHR, that band", ioctl(fd, I_CKBAND, 3), 0);
	send_flush(fd, 0, (char[]){ FLUSHR | FLUSHBAND, 0 }, 2);
	GIVES("M_FLUSH", "FLUSHR, band 0 with high priority", messages(fd), 2);
	send_flush(fd, 0, (char[]){ FLUSHR }, 1);
	GIVES("M_FLUSH", "FLUSHR, all", messages(fd), 0);
	GIVES("M_FLUSH", "FLUSHR: written data stays", room(fd), 0);
	close(fd);

	fd = to_be_flushed();
	send_flush(fd, MSGNOLOOP, (char[]){ FLUSHW }, 1);
	GIVES("M_FLUSH", "MSGNOLOOP: not turned round", room(fd), 0);
	send_flush(fd, 0, (char[]){ FLUSHW | FLUSHBAND, 2 }, 2);
	GIVES("M_FLUSH", "FLUSHW, a band, is turned round", room(fd), 2);
	send_flush(fd, 0, (char[]){ FLUSHW }, 1);
	GIVES("M_FLUSH", "FLUSHW, all", room(fd), 3);
	GIVES("M_FLUSH", "FLUSHW: unread data stays", messages(fd), 5);
	TRUE(fill_band(fd, 0) > 0);
	/*
	 * M_FLUSH on its way down does not flush the read side a second time.
	 */
	send_flush(fd, 0, (char[]){ FLUSHRW }, 1);
	GIVES("M_FLUSH", "FLUSHRW", room(fd) | messages(fd) << 2, 3);
	close(fd);

	/* Options of reading spare no message. */
	fd = to_be_flushed();
	IS(ioctl(fd, I_SRDOPT, RFLUSHPCPROT), 0);
	GIVES("I_FLUSH", "RFLUSHPCPROT: high priority too",
	      ioctl(fd, I_FLUSH, FLUSHR) ?: messages(fd), 0);
	close(fd);
}

/* The messages have no effect, and those behind them are not lost. */
static void ignored(void)
{
	static const unsigned char types[] = {
		M_BREAK, M_DELAY, M_CTL, M_RSE, M_STOP, M_START, M_PCRSE,
		M_STOPI, M_STARTI, 0x02, 0x7f, 0x91, 0x93, 0xff
	};
	static const char *const modules[] = { "nullmod", "srvmod", "pipemod", "bufmod" };
	unsigned int i, j;
	int fd, n;

	for (j = 0; j <= sizeof(modules) / sizeof(*modules); j++) {
		fd = probe(O_NONBLOCK);
		for (i = 0; i < j; i++)
			IS(ioctl(fd, I_PUSH, modules[i]), 0);
		for (i = 0; i < sizeof(types); i++) {
			send_up(fd, types[i], 0, 0, "body", 4);
			IS(ioctl(fd, I_NREAD, &n), 0);
			IS(events(fd), POLLOUT);
		}
		FAILS(read(fd, data, 8), EAGAIN);
		for (i = 0; i < j; i++)
			IS(ioctl(fd, I_POP, 0), 0);
		/*
		 * Between messages of data these types neither join nor divide
		 * them.
		 */
		send_up(fd, M_DATA, 0, 0, "one", 3);
		for (i = 0; i < sizeof(types); i++)
			send_up(fd, types[i], 0, 0, "body", 4);
		send_up(fd, M_DATA, 0, 0, "two", 3);
		IS(ioctl(fd, I_NREAD, &n), 2);
		IS(read(fd, data, 8), 6);
		IS(memcmp(data, "onetwo", 6), 0);
		close(fd);
	}
}

static const struct test_case cases[] = {
	{ "unseen", unseen },
	{ "sides", sides },
	{ "flushes", flushes },
	{ "ignored", ignored },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
