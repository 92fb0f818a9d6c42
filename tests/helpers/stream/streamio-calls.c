// SPDX-License-Identifier: GPL-2.0-only
/*
 * streamio-calls.c - getmsg(), putmsg(), read(), write() and poll() at the
 * stream head, each error; and the options that M_SETOPTS sets
 */
#include "streamio.h"
#include "streamio-setopts.h"

static char ctl[2000], data[70000];
static char *volatile nowhere = BAD_POINTER;

static struct strbuf room(char *buf, int maxlen)
{
	return (struct strbuf){ .maxlen = maxlen, .len = -7, .buf = buf };
}

static int take(int fd, int flags)
{
	struct strbuf c = room(ctl, sizeof(ctl)), d = room(data, sizeof(data));

	return getmsg(fd, &c, &d, &flags);
}

static int take_band(int fd, int band, int flags)
{
	struct strbuf c = room(ctl, sizeof(ctl)), d = room(data, sizeof(data));

	return getpmsg(fd, &c, &d, &band, &flags);
}

static int put(int fd, int clen, int dlen, int flags)
{
	struct strbuf c = { .len = clen, .buf = ctl }, d = { .len = dlen, .buf = data };

	return putmsg(fd, &c, &d, flags);
}

/* Returns a stream with an M_ERROR for reading and writing. */
static int broken(int reading, int writing)
{
	char error[2] = { reading, writing };
	int fd = probe(O_NONBLOCK);

	send_up(fd, M_ERROR, 0, 0, error, 2);
	return fd;
}

static void getting(void)
{
	struct strbuf bad = { .maxlen = 8, .buf = BAD_POINTER }, c, d;
	int fds[2], fifo[2], fd, null = open("/dev/null", O_RDWR), flags = 0, band = 0;

	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	IS(send_band(fds[1], "control", "data", 0, MSG_BAND), 0);
	GIVES("getmsg", "a message", take(fds[0], 0), 0);
	IS(send_band(fds[1], "control", "data", 4, MSG_BAND), 0);
	GIVES("getpmsg", "a message", take_band(fds[0], 0, MSG_ANY), 0);
	FAILS_WITH("getmsg", EAGAIN, "no message, O_NONBLOCK", take(fds[0], 0));
	FAILS_WITH("getpmsg", EAGAIN, "no message, O_NONBLOCK", take_band(fds[0], 0, MSG_ANY));
	IS(send_band(fds[1], NULL, "low", 1, MSG_BAND), 0);
	FAILS_WITH("getpmsg", EAGAIN, "none in such a band", take_band(fds[0], 2, MSG_BAND));
	FAILS_WITH("getmsg", EAGAIN, "none of high priority", take(fds[0], RS_HIPRI));
	FAILS_WITH("getmsg", EINVAL, "flags", take(fds[0], 2));
	FAILS_WITH("getpmsg", EINVAL, "flags 0", take_band(fds[0], 0, 0));
	FAILS_WITH("getpmsg", EINVAL, "two flags", take_band(fds[0], 0, MSG_ANY | MSG_BAND));
	FAILS_WITH("getpmsg", EINVAL, "high priority in a band", take_band(fds[0], 1, MSG_HIPRI));
	FAILS_WITH("getmsg", EBADF, "no descriptor", take(999, 0));
	FAILS_WITH("getpmsg", EBADF, "no descriptor", take_band(999, 0, MSG_ANY));
	FAILS_WITH("getmsg", ENOSTR, "no stream", take(null, 0));
	FAILS_WITH("getpmsg", ENOSTR, "no stream", take_band(null, 0, MSG_ANY));
	FAILS_WITH("getmsg", EFAULT, "bad buffer", getmsg(fds[0], NULL, &bad, &flags));
	flags = MSG_ANY;
	FAILS_WITH("getpmsg", EFAULT, "bad buffer", getpmsg(fds[0], NULL, &bad, &band, &flags));
	GIVES("getmsg", "the message is still there", take(fds[0], 0), 0);
	test_nonblock(fds[0], false);
	IS(ioctl(fds[1], I_SENDFD, null), 0);
	FAILS_WITH("getmsg", EBADMSG, "a passed file", take(fds[0], 0));
	FAILS_WITH("getpmsg", EBADMSG, "a passed file", take_band(fds[0], 0, MSG_ANY));
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	FAILS_WITH("getmsg", EINTR, "a signal", INTERRUPTED(take(fds[0], 0)));
	FAILS_WITH("getpmsg", EINTR, "a signal", INTERRUPTED(take_band(fds[0], 0, MSG_ANY)));
	close_pipe(fds);
	IS(test_fifo(fifo, 0), 0);
	FAILS_WITH("getmsg", EBADF, "not open for reading", take(fifo[1], 0));
	close_pipe(fifo);

	fd = broken(EDOM, -1);
	FAILS_WITH("getmsg", EDOM, "the stream's error", take(fd, 0));
	FAILS_WITH("getpmsg", EDOM, "the stream's error", take_band(fd, 0, MSG_ANY));
	close(fd);
	fd = broken(-1, EDOM);
	FAILS_WITH("getmsg", EAGAIN, "not the error of writing", take(fd, 0));
	close(fd);
	fd = probe(0);
	send_up(fd, M_DATA, 0, 0, "left", 4);
	hang_up(fd);
	c = room(ctl, 8);
	d = room(data, 8);
	flags = 0;
	GIVES("getmsg", "data left at a hangup", getmsg(fd, &c, &d, &flags) ?: d.len, 4);
	GIVES("getmsg", "then lengths of 0", getmsg(fd, &c, &d, &flags) ?: c.len | d.len, 0);
	close(fd);
}

static void putting(void)
{
	struct strbuf bad = { .len = 8, .buf = BAD_POINTER }, big = { .len = 65537, .buf = data };
	int fds[2], fifo[2], fd, null = open("/dev/null", O_RDWR);

	signal(SIGPIPE, SIG_IGN);
	IS(strpipe(fds), 0);
	GIVES("putmsg", "a message", put(fds[1], 3, 4, 0), 0);
	GIVES("putmsg", "no parts: nothing", put(fds[1], -1, -1, 0), 0);
	GIVES("putpmsg", "a message", send_band(fds[1], "c", "d", 200, MSG_BAND), 0);
	FAILS_WITH("putmsg", EINVAL, "RS_HIPRI without control", put(fds[1], -1, 4, RS_HIPRI));
	FAILS_WITH("putmsg", EINVAL, "flags", put(fds[1], 3, 4, 4));
	FAILS_WITH("putpmsg", EINVAL, "flags 0", send_band(fds[1], "c", "d", 0, 0));
	FAILS_WITH("putpmsg", EINVAL, "high priority in a band",
		   send_band(fds[1], "c", "d", 1, MSG_HIPRI));
	FAILS_WITH("putpmsg", EINVAL, "high priority without control",
		   send_band(fds[1], NULL, "d", 0, MSG_HIPRI));
	FAILS_WITH("putmsg", ERANGE, "control too long", put(fds[1], 1025, 4, 0));
	FAILS_WITH("putmsg", ERANGE, "data too long", putmsg(fds[1], NULL, &big, 0));
	FAILS_WITH("putpmsg", ERANGE, "data too long", putpmsg(fds[1], NULL, &big, 1, MSG_BAND));
	FAILS_WITH("putmsg", EFAULT, "bad buffer", putmsg(fds[1], &bad, NULL, 0));
	FAILS_WITH("putpmsg", EFAULT, "bad buffer", putpmsg(fds[1], NULL, &bad, 1, MSG_BAND));
	FAILS_WITH("putmsg", EBADF, "no descriptor", put(999, 3, 4, 0));
	FAILS_WITH("putpmsg", EBADF, "no descriptor", send_band(999, "c", "d", 1, MSG_BAND));
	FAILS_WITH("putmsg", ENOSTR, "no stream", put(null, 3, 4, 0));
	FAILS_WITH("putpmsg", ENOSTR, "no stream", send_band(null, "c", "d", 1, MSG_BAND));
	test_nonblock(fds[1], true);
	TRUE(fill_band(fds[1], 0) > 0);
	FAILS_WITH("putmsg", EAGAIN, "full, O_NONBLOCK", put(fds[1], 3, 1024, 0));
	TRUE(fill_band(fds[1], 5) > 0);
	FAILS_WITH("putpmsg", EAGAIN, "full, O_NONBLOCK",
		   send_band(fds[1], "c", "d", 5, MSG_BAND));
	GIVES("putmsg", "high priority in spite of it", put(fds[1], 3, -1, RS_HIPRI), 0);
	test_nonblock(fds[1], false);
	FAILS_WITH("putmsg", EINTR, "a signal", INTERRUPTED(put(fds[1], 3, 1024, 0)));
	FAILS_WITH("putpmsg", EINTR, "a signal",
		   INTERRUPTED(send_band(fds[1], "c", "d", 5, MSG_BAND)));
	close(fds[0]);
	FAILS_WITH("putmsg", EPIPE, "the other end closed", put(fds[1], 3, 4, 0));
	FAILS_WITH("putpmsg", EPIPE, "the other end closed",
		   send_band(fds[1], "c", "d", 5, MSG_BAND));
	close(fds[1]);
	IS(test_fifo(fifo, 0), 0);
	FAILS_WITH("putmsg", EBADF, "not open for writing", put(fifo[0], 3, 4, 0));
	close_pipe(fifo);

	fd = broken(-1, EDOM);
	FAILS_WITH("putmsg", EDOM, "the stream's error", put(fd, 3, 4, 0));
	FAILS_WITH("putpmsg", EDOM, "the stream's error", send_band(fd, "c", "d", 1, MSG_BAND));
	close(fd);
	fd = broken(EDOM, -1);
	GIVES("putmsg", "not the error of reading", put(fd, 3, 4, 0), 0);
	close(fd);
	fd = probe(0);
	FAILS_WITH("putmsg", ERANGE, "longer than the driver takes", put(fd, 3, 32769, 0));
	hang_up(fd);
	FAILS_WITH("putmsg", ENXIO, "hung up", put(fd, 3, 4, 0));
	FAILS_WITH("putpmsg", ENXIO, "hung up", send_band(fd, "c", "d", 1, MSG_BAND));
	close(fd);
}

static void reading(void)
{
	int fds[2], fd;

	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	FAILS_WITH("read", EAGAIN, "nothing, O_NONBLOCK", read(fds[0], data, 8));
	IS(send_band(fds[1], "control", "data", 0, MSG_BAND), 0);
	FAILS_WITH("read", EBADMSG, "a control part", read(fds[0], data, 8));
	IS(take(fds[0], 0), 0);
	IS(write(fds[1], "data", 4), 4);
	FAILS_WITH("read", EFAULT, "bad buffer", read(fds[0], nowhere, 4));
	GIVES("read", "the data still there", read(fds[0], data, 8), 4);
	IS(put(fds[1], -1, 0, 0), 0);
	IS(write(fds[1], "after", 5), 5);
	GIVES("read", "an empty message", read(fds[0], data, 8), 0);
	GIVES("read", "the one behind", read(fds[0], data, 8), 5);
	test_nonblock(fds[0], false);
	FAILS_WITH("read", EINTR, "a signal", INTERRUPTED(read(fds[0], data, 8)));
	close_pipe(fds);
	fd = broken(EDOM, -1);
	FAILS_WITH("read", EDOM, "the stream's error", read(fd, data, 8));
	close(fd);
	fd = probe(0);
	send_up(fd, M_DATA, 0, 0, "left", 4);
	hang_up(fd);
	GIVES("read", "data left at a hangup", read(fd, data, 8), 4);
	GIVES("read", "then the end", read(fd, data, 8), 0);
	close(fd);
}

static void writing(void)
{
	int fds[2], fd;

	signal(SIGPIPE, SIG_IGN);
	IS(strpipe(fds), 0);
	test_nonblock(fds[1], true);
	GIVES("write", "a message", write(fds[1], data, 4), 4);
	FAILS_WITH("write", EFAULT, "bad buffer", write(fds[1], nowhere, 4));
	while (write(fds[1], data, 4096) > 0)
		;
	FAILS_WITH("write", EAGAIN, "full, O_NONBLOCK", write(fds[1], data, 4096));
	test_nonblock(fds[1], false);
	FAILS_WITH("write", EINTR, "a signal", INTERRUPTED(write(fds[1], data, 4096)));
	close(fds[0]);
	FAILS_WITH("write", EPIPE, "the other end closed", write(fds[1], data, 4));
	close(fds[1]);
	fd = broken(-1, EDOM);
	FAILS_WITH("write", EDOM, "the stream's error", write(fd, data, 4));
	close(fd);
	fd = probe(0);
	hang_up(fd);
	FAILS_WITH("write", ENXIO, "hung up", write(fd, data, 4));
	close(fd);
}

static int events(int fd)
{
	struct pollfd p = {
		.fd = fd,
		.events = POLLIN | POLLPRI | POLLOUT | POLLRDNORM | POLLRDBAND |
			  POLLWRNORM | POLLWRBAND,
	};

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

#define CAN_WRITE	(POLLOUT | POLLWRNORM)

static void polling(void)
{
	int fd = probe(O_NONBLOCK), fds[2];

	GIVES("poll", "room", events(fd), CAN_WRITE);
	send_up(fd, M_DATA, 0, 0, "x", 1);
	GIVES("poll", "band 0", events(fd), POLLIN | POLLRDNORM | CAN_WRITE);
	send_up(fd, M_DATA, 2, 0, "x", 1);
	GIVES("poll", "a band", events(fd), POLLIN | POLLRDBAND | CAN_WRITE);
	send_up(fd, M_PCPROTO, 0, 0, "x", 1);
	GIVES("poll", "high priority", events(fd), POLLPRI | CAN_WRITE);
	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);
	IS(send_band(fd, NULL, "x", 2, MSG_BAND), 0);
	GIVES("poll", "room in a band that was used", events(fd), CAN_WRITE | POLLWRBAND);
	TRUE(fill_band(fd, 0) > 0);
	GIVES("poll", "room in that only", events(fd), POLLWRBAND);
	TRUE(fill_band(fd, 2) > 0);
	GIVES("poll", "no room", events(fd), 0);
	IS(str(fd, STRPROBE_RELEASE, NULL, 0), 0);
	GIVES("poll", "room again", events(fd), CAN_WRITE | POLLWRBAND);
	hang_up(fd);
	GIVES("poll", "hung up", events(fd), POLLHUP);
	close(fd);
	fd = probe(0);
	send_up(fd, M_DATA, 0, 0, "x", 1);
	hang_up(fd);
	GIVES("poll", "hung up, with something left", events(fd), POLLIN | POLLRDNORM | POLLHUP);
	close(fd);
	fd = broken(EIO, EIO);
	GIVES("poll", "an error, and nothing else", events(fd), POLLERR);
	close(fd);
	IS(strpipe(fds), 0);
	close(fds[1]);
	GIVES("poll", "a pipe's other end closed", events(fds[0]), POLLHUP);
	close(fds[0]);
}

static void set_blocks(int fd)
{
	struct strprobe seen;

	SETOPTS(fd, .so_flags = SO_WROFF | SO_TAIL, .so_wroff = 40, .so_tail = 24);
	IS(write(fd, data, 1000), 1000);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_WROFF, write()", seen.before >= 40 && seen.bytes == 1000, 1);
	GIVES("M_SETOPTS", "SO_TAIL, write()", seen.after >= 24, 1);
	IS(put(fd, -1, 1000, 0), 0);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_WROFF, putmsg()", seen.before >= 40 && seen.bytes == 1000, 1);
	GIVES("M_SETOPTS", "SO_TAIL, putmsg()", seen.after >= 24, 1);
	SETOPTS(fd, .so_flags = SO_MAXBLK, .so_maxblk = 300);
	IS(write(fd, data, 1000), 1000);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_MAXBLK, write()",
	      seen.largest == 300 && seen.blocks == 4 && seen.bytes == 1000, 1);
	IS(put(fd, -1, 700, 0), 0);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_MAXBLK, putmsg()",
	      seen.largest == 300 && seen.blocks == 3 && seen.bytes == 700, 1);
	SETOPTS(fd, .so_flags = SO_MAXBLK, .so_maxblk = -1);
	IS(write(fd, data, 1000), 1000);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_MAXBLK INFPSZ", seen.blocks, 1);
}

static void set_delimiters(int fd)
{
	struct strprobe seen;

	SETOPTS(fd, .so_flags = SO_DELIM);
	IS(write(fd, data, 10), 10);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_DELIM", seen.flag & MSGDELIM, MSGDELIM);
	SETOPTS(fd, .so_flags = SO_NODELIM);
	IS(write(fd, data, 10), 10);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_NODELIM", seen.flag & MSGDELIM, 0);
	SETOPTS(fd, .so_flags = SO_READOPT, .so_readopt = RNORM);
	send_up(fd, M_DATA, 0, MSGDELIM, "one", 3);
	send_up(fd, M_DATA, 0, 0, "two", 3);
	GIVES("M_SETOPTS", "read() stops at a delimiter", read(fd, data, 10), 3);
	GIVES("M_SETOPTS", "and continues behind", read(fd, data, 10), 3);
}

static void setting(void)
{
	int fd = probe(O_NONBLOCK), opt = -1, n;
	struct strprobe seen;

	SETOPTS(fd, .so_flags = SO_READOPT | SO_ERROPT, .so_readopt = RMSGN | RPROTDIS,
		.so_erropt = WERRNONPERSIST);
	GIVES("M_SETOPTS", "SO_READOPT", ioctl(fd, I_GRDOPT, &opt) ?: opt, RMSGN | RPROTDIS);
	GIVES("M_SETOPTS", "SO_ERROPT", ioctl(fd, I_GERROPT, &opt) ?: opt,
	      RERRNORM | WERRNONPERSIST);
	SETOPTS(fd, .so_flags = SO_READOPT, .so_readopt = RMSGN | RMSGD);
	GIVES("M_SETOPTS", "SO_READOPT, invalid", ioctl(fd, I_GRDOPT, &opt) ?: opt,
	      RMSGN | RPROTDIS);

	set_blocks(fd);
	set_delimiters(fd);
	SETOPTS(fd, .so_flags = SO_HIWAT | SO_LOWAT, .so_hiwat = 100, .so_lowat = 10);
	SETOPTS(fd, .so_flags = SO_HIWAT | SO_LOWAT | SO_BAND, .so_hiwat = 50, .so_band = 3);
	SETOPTS(fd, .so_flags = SO_MINPSZ, .so_minpsz = 7, .so_maxpsz = 99);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_MINPSZ", seen.head_min == 7 && seen.head_max == 65536, 1);
	SETOPTS(fd, .so_flags = SO_MAXPSZ, .so_minpsz = 8, .so_maxpsz = 99);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_MAXPSZ", seen.head_min == 7 && seen.head_max == 99, 1);
	GIVES("M_SETOPTS", "marks and packet sizes are not of writing", write(fd, data, 10), 10);
	SETOPTS(fd, .so_flags = SO_NDELON | SO_ISTTY | SO_TOSTOP | SO_COPYOPT);
	FAILS_WITH("M_SETOPTS", EAGAIN, "SO_NDELON: no data is not the end of file",
		   read(fd, data, 1));
	SETOPTS(fd, .so_flags = SO_NDELOFF | SO_ISNTTY | SO_TONSTOP);
	GIVES("M_SETOPTS", "a terminal's: no effect", write(fd, data, 10), 10);
	IS(send_up(fd, M_SETOPTS, 0, 0, "short", 5), 0);
	GIVES("M_SETOPTS", "one too short: no effect", ioctl(fd, I_NREAD, &n), 0);
	close(fd);
}

/*
 * SO_MREADON and SNDMREAD make M_READ report the number of bytes that a read()
 * waits for.
 */
static void notifying(void)
{
	int fd = probe(O_NONBLOCK), opt;
	struct strprobe seen;

	FAILS(read(fd, data, 100), EAGAIN);
	seen = look(fd);
	GIVES("M_SETOPTS", "no M_READ at first", seen.reads, 0);
	SETOPTS(fd, .so_flags = SO_MREADON);
	GIVES("I_GWROPT", "SO_MREADON is SNDMREAD", ioctl(fd, I_GWROPT, &opt) ?: opt, SNDMREAD);
	FAILS(read(fd, data, 123), EAGAIN);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_MREADON: M_READ", seen.reads, 1);
	GIVES("M_SETOPTS", "with the bytes wanted", seen.read_size, 123);
	send_up(fd, M_DATA, 0, 0, "there", 5);
	IS(read(fd, data, 5), 5);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_MREADON: not when there is something", seen.reads, 0);
	IS(str(fd, STRPROBE_ANSWER, NULL, 0), 0);
	GIVES("M_SETOPTS", "SO_MREADON: the answer to it is read", read(fd, data, 50), 50);
	GIVES("M_SETOPTS", "as it was sent", data[0] == 'r' && data[49] == 'r', 1);
	SETOPTS(fd, .so_flags = SO_MREADOFF);
	FAILS(read(fd, data, 100), EAGAIN);
	look(fd);
	FAILS(read(fd, data, 100), EAGAIN);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_MREADOFF", seen.reads, 0);
	IS(ioctl(fd, I_SWROPT, SNDMREAD), 0);
	GIVES("I_SWROPT", "SNDMREAD", read(fd, data, 77), 77);
	close(fd);
}

/*
 * Makes three writes. Returns whether they took less than the 10 ms for which
 * they are held.
 */
static bool in_time(int fd)
{
	long begun = now_ms();

	IS(write(fd, "ab", 2), 2);
	IS(write(fd, "cd", 2), 2);
	IS(write(fd, "ef", 2), 2);
	if (now_ms() - begun < 5)
		return true;
	usleep(100000);
	return false;
}

/* SO_STRHOLD and SNDHOLD make short writes be sent down together. */
static void holding(void)
{
	int fd = probe(O_NONBLOCK), fds[2], opt, n;
	struct strprobe seen;

	SETOPTS(fd, .so_flags = SO_STRHOLD);
	GIVES("I_GWROPT", "SO_STRHOLD is SNDHOLD", ioctl(fd, I_GWROPT, &opt) ?: opt, SNDHOLD);
	IS(write(fd, "a", 1), 1);
	/* A look from outside would send the data: the test pauses. */
	usleep(500000);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_STRHOLD: it is sent later without a call", seen.messages, 1);
	close(fd);

	/* The other end of a pipe does not look in between. */
	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	IS(ioctl(fds[1], I_SWROPT, SNDHOLD), 0);
	/*
	 * The writes are within the time that they are held, which a busy
	 * machine may miss.
	 */
	while (!in_time(fds[1]))
		IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	UNTIL(ioctl(fds[0], I_NREAD, &n));
	GIVES("I_SWROPT", "SNDHOLD: one message of three writes", ioctl(fds[0], I_NREAD, &n), 1);
	GIVES("I_SWROPT", "SNDHOLD: all bytes in order",
	      read(fds[0], data, 9) == 6 && !memcmp(data, "abcdef", 6), 1);
	IS(write(fds[1], "first", 5), 5);
	IS(send_band(fds[1], "ctl", "second", 0, MSG_BAND), 0);
	GIVES("I_SWROPT", "SNDHOLD: before what is put then",
	      ioctl(fds[0], I_NREAD, &n) == 2 && n == 5, 1);
	IS(read(fds[0], data, 5), 5);
	GIVES("I_SWROPT", "SNDHOLD: it was first", memcmp(data, "first", 5), 0);
	IS(take(fds[0], 0), 0);
	IS(write(fds[1], "short", 5), 5);
	IS(write(fds[1], data, 2000), 2000);
	GIVES("I_SWROPT", "SNDHOLD: before a long write",
	      ioctl(fds[0], I_NREAD, &n) == 2 && n == 5, 1);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(write(fds[1], "last", 4), 4);
	close(fds[1]);
	GIVES("I_SWROPT", "SNDHOLD: before the end", read(fds[0], data, 9), 4);
	GIVES("I_SWROPT", "SNDHOLD: then the end", read(fds[0], data, 9), 0);
	close(fds[0]);
}

static void *write_later(void *arg)
{
	int fd = *(int *)arg;

	UNTIL(thread_sleeps(getpid()));
	IS(write(fd, "4567", 4), 4);
	UNTIL(thread_sleeps(getpid()));
	IS(write(fd, "89", 2), 2);
	return arg;
}

/*
 * RFILL makes read() wait for all bytes, even with O_NONBLOCK once there are
 * some.
 */
static void filling(void)
{
	pthread_t thread;
	int fds[2];

	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	IS(ioctl(fds[0], I_SRDOPT, RFILL), 0);
	FAILS_WITH("I_SRDOPT", EAGAIN, "RFILL, nothing", read(fds[0], data, 10));
	IS(write(fds[1], "0123", 4), 4);
	pthread_create(&thread, NULL, write_later, &fds[1]);
	GIVES("I_SRDOPT", "RFILL, all of it", read(fds[0], data, 10), 10);
	GIVES("I_SRDOPT", "RFILL, in order", memcmp(data, "0123456789", 10), 0);
	pthread_join(thread, NULL);
	IS(write(fds[1], "some", 4), 4);
	GIVES("I_SRDOPT", "RFILL, a signal ends it", INTERRUPTED(read(fds[0], data, 10)), 4);
	IS(write(fds[1], "some", 4), 4);
	close(fds[1]);
	GIVES("I_SRDOPT", "RFILL, the end as well", read(fds[0], data, 10), 4);
	close(fds[0]);
}

static const struct test_case cases[] = {
	{ "getting", getting },
	{ "putting", putting },
	{ "reading", reading },
	{ "writing", writing },
	{ "polling", polling },
	{ "setting", setting },
	{ "notifying", notifying },
	{ "holding", holding },
	{ "filling", filling },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
