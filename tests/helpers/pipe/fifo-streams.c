// SPDX-License-Identifier: GPL-2.0-only
/*
 * fifo-streams.c - operations that only a FIFO of STREAMS supports
 *
 * Works in the current folder, where strfifo has made "fifo".
 */
#include <sys/ioctl.h>
#include <sys/stat.h>
#include "streams-test.h"

#define NAME	"fifo"

static int r, w;

static void open_both(void)
{
	r = open(NAME, O_RDONLY | O_NONBLOCK);
	w = open(NAME, O_WRONLY);
	TRUE(r >= 0 && w >= 0);
	test_nonblock(r, false);
}

static void messages(void)
{
	char control[8], bytes[8];
	struct strbuf ctl = { .buf = "ctl", .len = 3 };
	struct strbuf data = { .buf = "data", .len = 4 };
	int flags = 0, band = 0, n;

	open_both();
	IS(isastream(r), 1);
	IS(isastream(w), 1);
	IS(putmsg(w, &ctl, &data, 0), 0);
	IS(putpmsg(w, NULL, &data, 7, MSG_BAND), 0);
	IS(putmsg(w, &ctl, NULL, RS_HIPRI), 0);
	/* Each direction stays separate. */
	FAILS(putmsg(r, &ctl, &data, 0), EBADF);
	FAILS(getmsg(w, &ctl, &data, &flags), EBADF);
	IS(ioctl(r, I_NREAD, &n), 3);
	ctl = (struct strbuf){ .buf = control, .maxlen = sizeof(control) };
	data = (struct strbuf){ .buf = bytes, .maxlen = sizeof(bytes) };
	IS(getmsg(r, &ctl, &data, &flags), 0);
	IS(flags, RS_HIPRI);
	IS(ctl.len, 3);
	IS(data.len, -1);
	flags = MSG_ANY;
	IS(getpmsg(r, &ctl, &data, &band, &flags), 0);
	IS(flags, MSG_BAND);
	IS(band, 7);
	IS(data.len, 4);
	flags = 0;
	IS(getmsg(r, &ctl, &data, &flags), 0);
	IS(ctl.len, 3);
	IS(memcmp(control, "ctl", 3), 0);
	IS(memcmp(bytes, "data", 4), 0);
	/* At the end of the file both parts are empty. */
	close(w);
	IS(getmsg(r, &ctl, &data, &flags), 0);
	IS(ctl.len, 0);
	IS(data.len, 0);
}

/* The module belongs to the FIFO: it affects every opener, also later ones. */
static void modules(void)
{
	char buf[STRNAMESZ];
	int both;

	open_both();
	/* The right to change what others read and write needs both modes. */
	FAILS(ioctl(r, I_PUSH, "nullmod"), EACCES);
	FAILS(ioctl(w, I_PUSH, "nullmod"), EACCES);
	both = open(NAME, O_RDWR);
	TRUE(both >= 0);
	IS(ioctl(both, I_PUSH, "nullmod"), 0);
	close(both);
	IS(ioctl(r, I_LIST, NULL), 1);
	IS(ioctl(r, I_LOOK, buf), 0);
	IS(strcmp(buf, "nullmod"), 0);
	IS(write(w, "through", 7), 7);
	IS(read(r, buf, 8), 7);
	IS(memcmp(buf, "through", 7), 0);
	close(r);
	close(w);
	open_both();
	IS(ioctl(r, I_LIST, NULL), 1);
	IS(write(w, "again", 5), 5);
	IS(read(r, buf, 8), 5);
	FAILS(ioctl(r, I_POP, 0), EACCES);
	FAILS(ioctl(w, I_POP, 0), EACCES);
	both = open(NAME, O_RDWR);
	IS(ioctl(both, I_POP, 0), 0);
	IS(ioctl(w, I_LIST, NULL), 0);
	FAILS(ioctl(both, I_POP, 0), EINVAL);
}

static void descriptors(void)
{
	struct strrecvfd recv;
	struct stat a, b;

	open_both();
	IS(ioctl(w, I_SENDFD, 0), 0);
	IS(ioctl(r, I_RECVFD, &recv), 0);
	IS(fstat(0, &a), 0);
	IS(fstat(recv.fd, &b), 0);
	IS(a.st_ino, b.st_ino);
	/* A descriptor in flight when all users have left is closed. */
	IS(ioctl(w, I_SENDFD, 0), 0);
	close(r);
	close(w);
	FAILS(open(NAME, O_WRONLY | O_NONBLOCK), ENXIO);
	r = open(NAME, O_RDONLY | O_NONBLOCK);
	TRUE(r >= 0);
	FAILS(ioctl(r, I_RECVFD, &recv), ENXIO);
}

static void flushing(void)
{
	int n;

	open_both();
	IS(write(w, "gone", 4), 4);
	IS(ioctl(r, I_FLUSH, FLUSHR), 0);
	IS(ioctl(r, FIONREAD, &n), 0);
	IS(n, 0);
	IS(ioctl(r, I_SRDOPT, RMSGN), 0);
	IS(write(w, "one", 3), 3);
	IS(write(w, "two", 3), 3);
	{
		char buf[8];

		IS(read(r, buf, 8), 3);
		IS(read(r, buf, 8), 3);
		IS(memcmp(buf, "two", 3), 0);
	}
}

/* Returns how many writes of n bytes the empty FIFO takes. */
static int takes(size_t n)
{
	int writes = 0;

	test_nonblock(w, true);
	while (write(w, "x", n) == (ssize_t)n)
		writes++;
	TRUE(errno == EAGAIN);
	IS(ioctl(r, I_FLUSH, FLUSHR), 0);
	return writes;
}

/* A write that stays a message takes an object, and counts for 256 bytes. */
static void objects(void)
{
	open_both();
	/* Bytes are joined to earlier ones. */
	IS(takes(1), 65536);
	IS(ioctl(r, I_SRDOPT, RMSGN), 0);
	IS(takes(1), 256);
	IS(ioctl(r, I_SRDOPT, RMSGD), 0);
	IS(takes(1), 256);
	IS(ioctl(r, I_SRDOPT, RNORM), 0);
	IS(ioctl(w, I_SWROPT, SNDZERO), 0);
	IS(takes(0), 256);
}

static void signals_seen(int sig)
{
}

/* A reader that asked for SIGPOLL gets it when data arrives. */
static void signals(void)
{
	struct sigaction act = { .sa_handler = signals_seen };
	sigset_t set, old;
	int events;

	sigemptyset(&set);
	sigaddset(&set, SIGPOLL);
	IS(sigaction(SIGPOLL, &act, NULL), 0);
	IS(sigprocmask(SIG_BLOCK, &set, &old), 0);
	open_both();
	IS(ioctl(r, I_SETSIG, S_INPUT), 0);
	IS(ioctl(r, I_GETSIG, &events), 0);
	IS(events, S_INPUT);
	IS(write(w, "x", 1), 1);
	IS(sigpending(&set), 0);
	TRUE(sigismember(&set, SIGPOLL));
}

static const struct test_case cases[] = {
	{ "messages", messages },
	{ "modules", modules },
	{ "descriptors", descriptors },
	{ "flushing", flushing },
	{ "objects", objects },
	{ "signals", signals },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
