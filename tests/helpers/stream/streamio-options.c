// SPDX-License-Identifier: GPL-2.0-only
/*
 * streamio-options.c - what the stream head's options do: those that M_SETOPTS
 * sets, water marks and packet sizes among them, and SNDPIPE
 *
 * streamio-calls.c tests that they are accepted, and returned by ioctls.
 */
#include "streamio-setopts.h"
#include "../../../kmod/test/strtest.h"

static char data[70000];

static void mark(int fd, struct stroptions so)
{
	char body[2 + sizeof(so)] = { M_SETOPTS, 0 };

	memcpy(body + 2, &so, sizeof(so));
	IS(str(fd, STRTEST_SEND, body, sizeof(body)), 0);
}

/*
 * Returns a strtest, which sends back the written data as far as the head has
 * room.
 */
static int marked(struct stroptions so)
{
	int fd = open("/dev/streams/strtest", O_RDWR | O_NONBLOCK);

	TRUE(fd >= 0);
	mark(fd, so);
	return fd;
}

/* A message of this size counts as its bytes: its object is hardly larger. */
#define LEN	900

static int send_messages(int fd, int band, int n)
{
	struct strbuf d = { .len = LEN, .buf = data };
	int i = 0;

	while (i < n && putpmsg(fd, NULL, &d, band, MSG_BAND) == 0)
		i++;
	return i;
}

/* Returns the number of messages that have reached the head. */
static int at_head(int fd)
{
	int n;

	return ioctl(fd, I_NREAD, &n);
}

static int take(int fd)
{
	struct strbuf d = { .maxlen = LEN, .buf = data };
	int flags = 0;

	return getmsg(fd, NULL, &d, &flags) ?: d.len;
}

static void marks(void)
{
	int fd = marked((struct stroptions){ }), i;

	IS(send_messages(fd, 0, 8), 8);
	GIVES("M_SETOPTS", "without SO_HIWAT: 5,120 bytes", at_head(fd), 6);
	close(fd);
	fd = marked((struct stroptions){
		.so_flags = SO_HIWAT | SO_LOWAT, .so_hiwat = 2500, .so_lowat = 1500 });
	IS(send_messages(fd, 0, 5), 5);
	GIVES("M_SETOPTS", "SO_HIWAT: no more than a message above it", at_head(fd), 3);
	IS(take(fd), LEN);
	GIVES("M_SETOPTS", "SO_LOWAT: no more above it", at_head(fd), 2);
	IS(take(fd), LEN);
	GIVES("M_SETOPTS", "SO_LOWAT: at it the rest comes", at_head(fd), 3);
	for (i = 0; i < 3; i++)
		IS(take(fd), LEN);
	FAILS_WITH("M_SETOPTS", EAGAIN, "that was all", take(fd));
	close(fd);

	fd = marked((struct stroptions){ .so_flags = SO_HIWAT, .so_hiwat = 1 });
	IS(send_messages(fd, 0, 4), 4);
	GIVES("M_SETOPTS", "SO_HIWAT of 1: a message", at_head(fd), 1);
	mark(fd, (struct stroptions){ .so_flags = SO_HIWAT, .so_hiwat = 9000 });
	GIVES("M_SETOPTS", "SO_HIWAT: a higher one makes room at once", at_head(fd), 4);
	close(fd);
}

/* The water marks of one band are that band's alone. */
static void band_marks(void)
{
	int fd = marked((struct stroptions){
		.so_flags = SO_HIWAT | SO_LOWAT | SO_BAND, .so_hiwat = 1500,
		.so_lowat = 0, .so_band = 3 });

	IS(send_messages(fd, 3, 4), 4);
	GIVES("M_SETOPTS", "SO_BAND: that band's high water mark", at_head(fd), 2);
	IS(take(fd), LEN);
	GIVES("M_SETOPTS", "SO_BAND: its low water mark", at_head(fd), 1);
	IS(take(fd), LEN);
	GIVES("M_SETOPTS", "SO_BAND: the rest comes", at_head(fd), 2);
	IS(ioctl(fd, I_FLUSH, FLUSHRW), 0);
	IS(send_messages(fd, 4, 4), 4);
	GIVES("M_SETOPTS", "SO_BAND: not another band's", at_head(fd), 4);
	IS(ioctl(fd, I_FLUSH, FLUSHRW), 0);
	IS(send_messages(fd, 0, 4), 4);
	GIVES("M_SETOPTS", "SO_BAND: not band 0's", at_head(fd), 4);
	close(fd);
}

static void send_two(int fd)
{
	send_up(fd, M_DATA, 0, 0, "abcdef", 6);
	send_up(fd, M_DATA, 0, 0, "ghi", 3);
}

static void reading(void)
{
	int fd = probe(O_NONBLOCK);

	SETOPTS(fd, .so_flags = SO_READOPT, .so_readopt = RMSGN);
	send_two(fd);
	GIVES("M_SETOPTS", "SO_READOPT RMSGN: a part", read(fd, data, 4), 4);
	GIVES("M_SETOPTS", "SO_READOPT RMSGN: its rest", read(fd, data, 9), 2);
	GIVES("M_SETOPTS", "SO_READOPT RMSGN: the next", read(fd, data, 9), 3);
	SETOPTS(fd, .so_flags = SO_READOPT, .so_readopt = RMSGD);
	send_two(fd);
	GIVES("M_SETOPTS", "SO_READOPT RMSGD: a part", read(fd, data, 4), 4);
	GIVES("M_SETOPTS", "SO_READOPT RMSGD: its rest is gone", read(fd, data, 9), 3);
	SETOPTS(fd, .so_flags = SO_READOPT, .so_readopt = RNORM | RPROTDAT);
	send_up(fd, M_PROTO, 0, 0, "ctl", 3);
	send_two(fd);
	GIVES("M_SETOPTS", "SO_READOPT RNORM, RPROTDAT: all", read(fd, data, 99), 12);
	SETOPTS(fd, .so_flags = SO_READOPT, .so_readopt = RPROTDIS);
	send_up(fd, M_PROTO, 0, 0, "ctl", 3);
	FAILS_WITH("M_SETOPTS", EAGAIN, "SO_READOPT RPROTDIS: nothing", read(fd, data, 9));
	SETOPTS(fd, .so_flags = SO_READOPT, .so_readopt = RPROTNORM);
	send_up(fd, M_PROTO, 0, 0, "ctl", 3);
	FAILS_WITH("M_SETOPTS", EBADMSG, "SO_READOPT RPROTNORM", read(fd, data, 9));
	/* Options not mentioned keep their value. */
	SETOPTS(fd, .so_flags = SO_WROFF, .so_readopt = RPROTDIS);
	FAILS_WITH("M_SETOPTS", EBADMSG, "so_readopt without SO_READOPT", read(fd, data, 9));
	close(fd);
}

static void errors(void)
{
	int fd = probe(O_NONBLOCK);

	SETOPTS(fd, .so_flags = SO_ERROPT, .so_erropt = RERRNONPERSIST | WERRNONPERSIST);
	send_up(fd, M_ERROR, 0, 0, (char[]){ EDOM, EDOM }, 2);
	FAILS_WITH("M_SETOPTS", EDOM, "SO_ERROPT: reading, once", read(fd, data, 1));
	FAILS_WITH("M_SETOPTS", EAGAIN, "SO_ERROPT: then no more", read(fd, data, 1));
	FAILS_WITH("M_SETOPTS", EDOM, "SO_ERROPT: writing, once", write(fd, data, 1));
	GIVES("M_SETOPTS", "SO_ERROPT: then it succeeds", write(fd, data, 1), 1);
	SETOPTS(fd, .so_flags = SO_ERROPT, .so_erropt = RERRNORM | WERRNORM);
	send_up(fd, M_ERROR, 0, 0, (char[]){ EDOM }, 1);
	FAILS_WITH("M_SETOPTS", EDOM, "SO_ERROPT: it stays", read(fd, data, 1));
	FAILS_WITH("M_SETOPTS", EDOM, "SO_ERROPT: always", read(fd, data, 1));
	close(fd);
}

/*
 * Written data has room before and behind it; a message sent by I_FDINSERT has
 * it too.
 */
static void blocks(void)
{
	struct strfdinsert f = {
		.ctlbuf = { .len = 4, .buf = data }, .databuf = { .len = 9, .buf = data },
	};
	int fd = probe(O_NONBLOCK);
	struct strprobe seen;

	SETOPTS(fd, .so_flags = SO_WROFF | SO_TAIL, .so_wroff = 65535, .so_tail = 65535);
	IS(write(fd, data, 10), 10);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_WROFF: a page at most", seen.before, sysconf(_SC_PAGESIZE));
	GIVES("M_SETOPTS", "SO_TAIL: a page at most", seen.after >= sysconf(_SC_PAGESIZE) &&
	      seen.after < 65535, 1);
	SETOPTS(fd, .so_flags = SO_WROFF | SO_TAIL);
	IS(write(fd, data, 10), 10);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_WROFF 0", seen.before, 0);
	SETOPTS(fd, .so_flags = SO_TAIL, .so_tail = 500);
	f.fildes = fd;
	IS(ioctl(fd, I_FDINSERT, &f), 0);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_TAIL: I_FDINSERT", seen.after >= 500 && seen.bytes == 13, 1);
	/* Only the first block of a long message has room before it. */
	SETOPTS(fd, .so_flags = SO_WROFF | SO_MAXBLK, .so_wroff = 32, .so_maxblk = 1000);
	IS(write(fd, data, 3000), 3000);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_WROFF with SO_MAXBLK",
	      seen.before == 32 && seen.blocks == 3 && seen.largest == 1000, 1);
	/* A full block is a buffer of 16,376 bytes, which includes the room. */
	SETOPTS(fd, .so_flags = SO_WROFF | SO_MAXBLK | SO_TAIL, .so_wroff = 32, .so_maxblk = -1);
	IS(write(fd, data, 18000), 18000);
	seen = look(fd);
	GIVES("M_SETOPTS", "SO_WROFF: of a full block",
	      seen.before == 32 && seen.blocks == 2 && seen.largest == 16376 - 32, 1);
	close(fd);
}

static int put(int fd, int len)
{
	struct strbuf d = { .len = len, .buf = data };

	return putmsg(fd, NULL, &d, 0);
}

static int put_band(int fd, int len)
{
	struct strbuf c = { .len = 4, .buf = data }, d = { .len = len, .buf = data };

	return putpmsg(fd, &c, &d, 7, MSG_BAND);
}

static int fdinsert(int fd, int len)
{
	struct strfdinsert f = {
		.ctlbuf = { .len = 4, .buf = data }, .databuf = { .len = len, .buf = data },
		.fildes = fd,
	};

	return ioctl(fd, I_FDINSERT, &f);
}

/* The driver takes 32,768 bytes; a module above it takes any. */
static void packets(void)
{
	int fd = probe(O_NONBLOCK);
	struct strprobe seen;

	GIVES("putmsg", "the driver's largest", put(fd, 32768), 0);
	FAILS_WITH("putmsg", ERANGE, "above the driver's largest", put(fd, 32769));
	GIVES("putpmsg", "the driver's largest", put_band(fd, 32768), 0);
	FAILS_WITH("putpmsg", ERANGE, "above the driver's largest", put_band(fd, 32769));
	GIVES("I_FDINSERT", "the driver's largest", fdinsert(fd, 32768), 0);
	FAILS_WITH("I_FDINSERT", ERANGE, "above the driver's largest", fdinsert(fd, 32769));
	look(fd);
	GIVES("write", "more than the driver's largest", write(fd, data, 70000), 70000);
	seen = look(fd);
	GIVES("write", "is sent in as many messages", seen.messages, 3);
	GIVES("write", "the last of what is left", seen.bytes, 70000 - 2 * 32768);
	IS(ioctl(fd, I_PUSH, "nullmod"), 0);
	GIVES("putmsg", "as much as the module takes", put(fd, 65536), 0);
	seen = look(fd);
	GIVES("putmsg", "is sent whole", seen.messages == 1 && seen.bytes == 65536, 1);
	FAILS_WITH("putmsg", ERANGE, "not more than the system's largest", put(fd, 65537));
	IS(ioctl(fd, I_POP, 0), 0);
	FAILS_WITH("putmsg", ERANGE, "without the module", put(fd, 32769));
	/* With a least packet size write() does not divide its data. */
	IS(str(fd, STRPROBE_LEAST, NULL, 0), 0);
	FAILS_WITH("write", ERANGE, "below the driver's least", write(fd, data, 3));
	GIVES("write", "the driver's least", write(fd, data, 4), 4);
	FAILS_WITH("write", ERANGE, "above its largest, if it has a least",
		   write(fd, data, 32769));
	FAILS_WITH("putmsg", ERANGE, "below the driver's least", put(fd, 3));
	FAILS_WITH("putpmsg", ERANGE, "below the driver's least", put_band(fd, 3));
	FAILS_WITH("I_FDINSERT", ERANGE, "below the driver's least", fdinsert(fd, 3));
	GIVES("putmsg", "the driver's least", put(fd, 4), 0);
	close(fd);
}

static volatile sig_atomic_t pipes;

static void count(int sig)
{
	pipes++;
}

/* Counts the SIGPIPE that come with a call, which has to fail. */
#define SIGPIPES(expr, error) ({ pipes = 0; FAILS(expr, error); pipes; })

static void sigpipe(void)
{
	int fds[2], fd = probe(O_NONBLOCK), bad = probe(O_NONBLOCK);

	signal(SIGPIPE, count);
	hang_up(fd);
	GIVES("I_SWROPT", "no SNDPIPE: a hangup", SIGPIPES(write(fd, "x", 1), ENXIO), 0);
	IS(ioctl(fd, I_SWROPT, SNDPIPE), 0);
	GIVES("I_SWROPT", "SNDPIPE: a hangup, write", SIGPIPES(write(fd, "x", 1), ENXIO), 1);
	GIVES("I_SWROPT", "SNDPIPE: a hangup, putmsg", SIGPIPES(put(fd, 1), ENXIO), 1);
	IS(ioctl(bad, I_SWROPT, SNDPIPE), 0);
	send_up(bad, M_ERROR, 0, 0, (char[]){ EDOM }, 1);
	GIVES("I_SWROPT", "SNDPIPE: an error", SIGPIPES(write(bad, "x", 1), EDOM), 1);
	GIVES("I_SWROPT", "SNDPIPE: not of reading", SIGPIPES(read(bad, data, 1), EDOM), 0);
	close(fd);
	close(bad);

	IS(strpipe(fds), 0);
	close(fds[0]);
	GIVES("write", "SIGPIPE: the other end closed", SIGPIPES(write(fds[1], "x", 1), EPIPE), 1);
	GIVES("putmsg", "SIGPIPE: the other end closed", SIGPIPES(put(fds[1], 1), EPIPE), 1);
	GIVES("putpmsg", "SIGPIPE: the other end closed", SIGPIPES(put_band(fds[1], 1), EPIPE), 1);
	close(fds[1]);
}

static const struct test_case cases[] = {
	{ "marks", marks },
	{ "band-marks", band_marks },
	{ "reading", reading },
	{ "errors", errors },
	{ "blocks", blocks },
	{ "packets", packets },
	{ "sigpipe", sigpipe },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
