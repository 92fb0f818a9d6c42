// SPDX-License-Identifier: GPL-2.0-only
/*
 * streamio-links.c - I_LINK, I_UNLINK, I_PLINK and I_PUNLINK, each result and
 * each error; and the results of all calls on a stream that is linked or broken
 *
 * Their behaviour is tested by mux.c. By root.
 */
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "streamio.h"
#include "../../../kmod/test/testmux.h"

/* A link of the control stream, and a persistent one */
static const struct kind {
	const char *link, *unlink;
	unsigned long make, end;
} kinds[] = {
	{ "I_LINK", "I_UNLINK", I_LINK, I_UNLINK },
	{ "I_PLINK", "I_PUNLINK", I_PLINK, I_PUNLINK },
};

static void tell(int up, int what, int n)
{
	IS(str(up, what, &n, sizeof(n)), 0);
}

/*
 * Breaks the multiplexor. The answer may be lost: the hangup or the error comes
 * first.
 */
static void break_mux(int up, unsigned char type, signed char reading, signed char writing)
{
	char data[] = { type, 0, reading, writing };

	str(up, TESTMUX_SEND, data, type == M_ERROR ? 4 : 2);
}

static void link_one(const struct kind *k)
{
	int null = open("/dev/null", O_RDWR), pipe[2];
	int up = device("mux"), low = device("echo"), other = device("echo"), id;

	IS(strpipe(pipe), 0);
	FAILS_WITH(k->link, EBADF, "not open", ioctl(up, k->make, -1));
	FAILS_WITH(k->link, EINVAL, "no multiplexor", ioctl(low, k->make, other));
	FAILS_WITH(k->link, EINVAL, "below a pipe", ioctl(pipe[0], k->make, low));
	FAILS_WITH(k->link, EINVAL, "a pipe", ioctl(up, k->make, pipe[0]));
	FAILS_WITH(k->link, EINVAL, "no stream", ioctl(up, k->make, null));
	FAILS_WITH(k->link, EINVAL, "itself", ioctl(up, k->make, up));
	GIVES(k->unlink, "MUXID_ALL, of none", ioctl(up, k->end, MUXID_ALL), 0);
	id = ioctl(up, k->make, low);
	GIVES(k->link, "a number above 0", id > 0, 1);
	FAILS_WITH(k->link, EINVAL, "linked already", ioctl(up, k->make, low));
	FAILS_WITH(k->unlink, EINVAL, "no such link", ioctl(up, k->end, id + 1));
	FAILS_WITH(k->unlink, EINVAL, "no multiplexor", ioctl(other, k->end, id));
	GIVES(k->unlink, "a link", ioctl(up, k->end, id), 0);
	FAILS_WITH(k->unlink, EINVAL, "ended already", ioctl(up, k->end, id));
	TRUE(ioctl(up, k->make, low) > 0);
	TRUE(ioctl(up, k->make, other) > 0);
	GIVES(k->unlink, "MUXID_ALL, of two", ioctl(up, k->end, MUXID_ALL), 0);
	GIVES(k->unlink, "the lower stream is as it was", write(low, "x", 1), 1);
}

static void linking(void)
{
	link_one(&kinds[0]);
	link_one(&kinds[1]);
}

static void hang_one_up(const struct kind *k)
{
	int up = device("testmux"), low = device("echo"), gone = probe(0), id;

	hang_up(gone);
	FAILS_WITH(k->link, ENXIO, "the lower one hung up", ioctl(up, k->make, gone));
	id = ioctl(up, k->make, low);
	TRUE(id > 0);
	break_mux(up, M_HANGUP, 0, 0);
	FAILS_WITH(k->link, ENXIO, "hung up", ioctl(up, k->make, device("echo")));
	FAILS_WITH(k->unlink, ENXIO, "hung up", ioctl(up, k->end, id));
	close(up);
	/* The link that is not persistent has ended with its control stream. */
	ioctl(device("testmux"), k->end, id);
	IS(write(low, "x", 1), 1);
}

static void hanging_up(void)
{
	hang_one_up(&kinds[0]);
	hang_one_up(&kinds[1]);
}

/* Runs a part at the same time as others: each waits 15 seconds. */
static void aside(void (*run)(const struct kind *k), const struct kind *k)
{
	if (fork())
		return;
	run(k);
	_exit(cover_failed);
}

static void join(void)
{
	int status;

	while (wait(&status) > 0) {
		test_checks++;
		cover_failed |= !!status;
	}
}

static void link_unanswered(const struct kind *k)
{
	int up = device("testmux"), low = device("echo");

	tell(up, TESTMUX_SILENT, 1);
	FAILS_WITH(k->link, ETIME, "no answer", ioctl(up, k->make, low));
	GIVES(k->link, "after it the stream is free", write(low, "x", 1), 1);
}

static void unlink_unanswered(const struct kind *k)
{
	int up = device("testmux"), low = device("echo"), id = ioctl(up, k->make, low);

	TRUE(id > 0);
	tell(up, TESTMUX_SILENT, 1);
	FAILS_WITH(k->unlink, ETIME, "no answer", ioctl(up, k->end, id));
	GIVES(k->unlink, "again", ioctl(up, k->end, id), 0);
}

static void interrupted(const struct kind *k)
{
	int up = device("testmux"), low = device("echo"), id;

	tell(up, TESTMUX_SILENT, 1);
	FAILS_WITH(k->link, EINTR, "a signal", INTERRUPTED(ioctl(up, k->make, low)));
	id = ioctl(up, k->make, low);
	GIVES(k->link, "after it, again", id > 0, 1);
	tell(up, TESTMUX_SILENT, 1);
	FAILS_WITH(k->unlink, EINTR, "a signal", INTERRUPTED(ioctl(up, k->end, id)));
	GIVES(k->unlink, "after it, again", ioctl(up, k->end, id), 0);
}

static void waiting(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		aside(link_unanswered, &kinds[i]);
		aside(unlink_unanswered, &kinds[i]);
		aside(interrupted, &kinds[i]);
	}
	join();
}

/* Keeps only these capabilities. */
static void only(unsigned int capabilities)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct sets[2] = {
		{ .effective = capabilities, .permitted = capabilities },
	};

	IS(syscall(SYS_capset, &head, sets), 0);
}

static void limited(const struct kind *k)
{
	struct rlimit none = { };
	int up = device("mux"), low = device("echo");

	only(1U << CAP_NET_ADMIN);
	IS(setrlimit(RLIMIT_NOFILE, &none), 0);
	FAILS_WITH(k->link, EAGAIN, "as many as files may be open", ioctl(up, k->make, low));
}

static void unprivileged(const struct kind *k)
{
	int up = device("mux"), low = device("echo");

	only(0);
	FAILS_WITH(k->link, EPERM, "no privileges", ioctl(up, k->make, low));
	FAILS_WITH(k->unlink, EPERM, "no privileges", ioctl(up, k->end, MUXID_ALL));
}

static void push(int fd, int n)
{
	while (n--)
		IS(ioctl(fd, I_PUSH, "nullmod"), 0);
}

static void limits(void)
{
	int top = device("testmux"), mid = device("mux"), low = device("echo"), i;

	push(low, 16);
	TRUE(ioctl(mid, I_LINK, low) > 0);
	push(mid, 7);
	for (i = 0; i < 2; i++) {
		FAILS_WITH(kinds[i].link, ELOOP, "25 one below another",
			   ioctl(top, kinds[i].make, mid));
		aside(limited, &kinds[i]);
	}
	aside(unprivileged, &kinds[1]);
	join();
}

/*
 * Errors that every call reports first: the stream is linked, or has an error.
 */
static char buf[4096];
static struct strbuf part = { .maxlen = 1, .len = 1, .buf = buf };
static struct strioctl ic = { .ic_cmd = TESTMUX_COUNT, .ic_timout = WAIT_SECONDS };

static const struct {
	const char *name;
	unsigned long cmd;
	void *arg;
} every[] = {
#define CMD(cmd, arg)	{ #cmd, cmd, (void *)(arg) }
	CMD(I_NREAD, buf), CMD(I_PUSH, "nullmod"), CMD(I_POP, 0), CMD(I_LOOK, buf),
	CMD(I_FLUSH, FLUSHRW), CMD(I_FLUSHBAND, &(struct bandinfo){ .bi_flag = FLUSHR }),
	CMD(I_SRDOPT, RNORM), CMD(I_GRDOPT, buf), CMD(I_STR, &ic),
	CMD(I_SETSIG, S_INPUT), CMD(I_GETSIG, buf),
	CMD(I_ESETSIG, &(struct strsigset){ .ss_events = S_INPUT }),
	CMD(I_EGETSIG, &(struct strsigset){ }), CMD(I_FIND, "nullmod"),
	CMD(I_LINK, 0), CMD(I_UNLINK, MUXID_ALL), CMD(I_PLINK, 0),
	CMD(I_PUNLINK, MUXID_ALL), CMD(I_RECVFD, buf), CMD(I_SENDFD, 0),
	CMD(I_PEEK, &(struct strpeek){ }), CMD(I_FDINSERT, &(struct strfdinsert){ }),
	CMD(I_SWROPT, 0), CMD(I_GWROPT, buf), CMD(I_LIST, NULL), CMD(I_CKBAND, 0),
	CMD(I_GETBAND, buf), CMD(I_ATMARK, ANYMARK), CMD(I_CANPUT, 0),
	CMD(I_SETCLTIME, &(int){ 15000 }), CMD(I_GETCLTIME, buf), CMD(I_ANCHOR, 0),
	CMD(I_SERROPT, RERRNORM), CMD(I_GERROPT, buf),
};

#define EVERY	(sizeof(every) / sizeof(*every))

/* Returns a testmux on which each call would succeed, as far as possible. */
static int ready(void)
{
	int fd = device("testmux");

	IS(ioctl(fd, I_PUSH, "nullmod"), 0);
	IS(ioctl(fd, I_SETSIG, S_INPUT), 0);
	test_nonblock(fd, true);
	return fd;
}

static void broken(void)
{
	int fd = ready();
	unsigned int i;

	break_mux(fd, M_ERROR, EDOM, EDOM);
	for (i = 0; i < EVERY; i++)
		FAILS_WITH(every[i].name, EDOM, "the stream's error",
			   ioctl(fd, every[i].cmd, every[i].arg));
	close(fd);
	fd = ready();
	break_mux(fd, M_ERROR, -1, ECHRNG);
	for (i = 0; i < EVERY; i++)
		FAILS_WITH(every[i].name, ECHRNG, "the stream's error of writing",
			   ioctl(fd, every[i].cmd, every[i].arg));
	close(fd);
}

#define LINKED(call, expr) do {						\
	errno = 0;							\
	long linked_got = (long)(expr);					\
	cover(call, "linked: EINVAL", linked_got == -1 && errno == EINVAL, \
	      __LINE__, "gives %ld (%s)", linked_got, strerror(errno));	\
} while (0)

static void linked(void)
{
	int up = device("mux"), fd = ready(), flags = 0, band = 0, any = MSG_ANY;
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLNVAL };
	unsigned int i;

	TRUE(ioctl(up, I_LINK, fd) > 0);
	for (i = 0; i < EVERY; i++)
		LINKED(every[i].name, ioctl(fd, every[i].cmd, every[i].arg));
	LINKED("read", read(fd, buf, 1));
	LINKED("write", write(fd, buf, 1));
	LINKED("getmsg", getmsg(fd, NULL, &part, &flags));
	LINKED("getpmsg", getpmsg(fd, NULL, &part, &band, &any));
	LINKED("putmsg", putmsg(fd, NULL, &part, 0));
	LINKED("putpmsg", putpmsg(fd, NULL, &part, 0, MSG_BAND));
	IS(poll(&p, 1, 0), 1);
	cover("poll", "linked: POLLNVAL", p.revents & POLLNVAL, __LINE__,
	      "gives %#x", p.revents);
}

static const struct test_case cases[] = {
	{ "linking", linking },
	{ "hanging-up", hanging_up },
	{ "waiting", waiting },
	{ "limits", limits },
	{ "broken", broken },
	{ "linked", linked },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
