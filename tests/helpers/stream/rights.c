// SPDX-License-Identifier: GPL-2.0-only
/*
 * rights.c - each command of a stream by each kind of descriptor
 *
 * The commands and their rights are those of the kernel's own table. Arguments are
 * invalid where that is possible: a command that is allowed fails with another error
 * than EBADF and EACCES, or succeeds. Works in the current folder, which is empty.
 */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "streams-test.h"
#include "../../../kmod/streams/head/rights.h"

#include "compat.h"

#define NAME	"name"
#define FIFO	"fifo"
#define TRANSPARENT	_IO('T', 200)

struct command {
	const char *name;
	unsigned int cmd;
};

#define COMMAND(cmd)	{ #cmd, cmd }

static const struct command commands[] = {
	/* A command that only a module or driver could know is transparent. */
	{ "transparent", TRANSPARENT },
	COMMAND(I_NREAD),
	COMMAND(I_PUSH),
	COMMAND(I_POP),
	COMMAND(I_LOOK),
	COMMAND(I_FLUSH),
	COMMAND(I_SRDOPT),
	COMMAND(I_GRDOPT),
	COMMAND(I_STR),
	COMMAND(I_SETSIG),
	COMMAND(I_GETSIG),
	COMMAND(I_FIND),
	COMMAND(I_LINK),
	COMMAND(I_UNLINK),
	COMMAND(I_RECVFD),
	COMMAND(I_PEEK),
	COMMAND(I_FDINSERT),
	COMMAND(I_SENDFD),
	COMMAND(I_SWROPT),
	COMMAND(I_GWROPT),
	COMMAND(I_LIST),
	COMMAND(I_PLINK),
	COMMAND(I_PUNLINK),
	COMMAND(I_ANCHOR),
	COMMAND(I_FLUSHBAND),
	COMMAND(I_CKBAND),
	COMMAND(I_GETBAND),
	COMMAND(I_ATMARK),
	COMMAND(I_SETCLTIME),
	COMMAND(I_GETCLTIME),
	COMMAND(I_CANPUT),
	COMMAND(I_SERROPT),
	COMMAND(I_GERROPT),
	COMMAND(I_ESETSIG),
	COMMAND(I_EGETSIG),
	COMMAND(FIONREAD),
	COMMAND(STRIO_ISASTREAM),
	COMMAND(STRIO_GETMSG),
	COMMAND(STRIO_PUTMSG),
};

/* A descriptor, and the rights that its kind gives */
struct holder {
	const char *kind;
	int fd;
	bool reads;
	bool writes;
	bool changes;
};

/* The descriptor of a socket, which cannot be sent because it could hold the stream. */
static int other;

/* A descriptor that may push on the stream in question. */
static int owner;

static enum str_right needed(unsigned int cmd)
{
	return cmd == TRANSPARENT ? STR_MAY_CHANGE : str_right_of(cmd);
}

static int expected(const struct holder *h, unsigned int cmd, int sides)
{
	switch (needed(cmd)) {
	case STR_MAY_READ:
		return h->reads ? 0 : EBADF;
	case STR_MAY_WRITE:
		return h->writes ? 0 : EBADF;
	case STR_MAY_CHANGE:
		return h->changes ? 0 : EACCES;
	case STR_MAY_FLUSH:
		if (sides & FLUSHR && !h->reads)
			return EBADF;
		return sides & FLUSHW && !h->changes ? EACCES : 0;
	default:
		return 0;
	}
}

/*
 * Calls of 32-bit programs are made too; their argument is in the lower 4 GiB.
 */
static bool compat;
static struct bandinfo *band;

/* Sets a harmless argument, which needs no right of its own. */
static unsigned long argument(unsigned int cmd, int sides)
{
	switch (cmd) {
	case I_FLUSH:
		return sides;
	case I_FLUSHBAND:
		*band = (struct bandinfo){ .bi_pri = 200, .bi_flag = sides };
		return (uintptr_t)band;
	case I_SENDFD:
	case I_LINK:
	case I_PLINK:
		return other;
	case I_SRDOPT:
	case I_SWROPT:
	case I_SERROPT:
	case I_SETSIG:
	case I_CKBAND:
	case I_CANPUT:
	case I_ATMARK:
	case I_UNLINK:
	case I_PUNLINK:
		return 0x7fff;
	default:
		return (uintptr_t)BAD_POINTER;
	}
}

static void check(const struct holder *h, const char *what, long ret, int want)
{
	int err = ret < 0 ? errno : 0;
	bool refused = err == EBADF || err == EACCES;

	test_checks++;
	if (want ? err != want : refused)
		test_fail(__FILE__, __LINE__, "%s by %s gives %ld (errno: %s), not %s",
			  what, h->kind, ret, err ? strerror(err) : "none",
			  want ? strerror(want) : "the right");
}

static void try_command(const struct holder *h, const struct command *c, int sides)
{
	unsigned long arg = argument(c->cmd, sides);
	int want = expected(h, c->cmd, sides);

	check(h, c->name, ioctl(h->fd, c->cmd, arg), want);
#ifdef __x86_64__
	if (compat)
		check(h, c->name, ioctl32(h->fd, c->cmd, arg), want);
#endif
}

/*
 * Tries calls that move data, of the kernel and of strsock; no data can be read
 * or written.
 */
static void try_data_calls(const struct holder *h)
{
	struct strio_splice tee = { .in = h->fd, .len = 1 };
	struct iovec none = { .iov_base = BAD_POINTER, .iov_len = 1 };
	int read_error = h->reads ? 0 : EBADF, write_error = h->writes ? 0 : EBADF;
	int pair[2];

	check(h, "readv()", readv(h->fd, &none, 1), read_error);
	check(h, "writev()", writev(h->fd, &none, 1), write_error);
	IS(pipe2(pair, O_NONBLOCK), 0);
	check(h, "splice() from it",
	      splice(h->fd, NULL, pair[1], NULL, 1, SPLICE_F_NONBLOCK), read_error);
	check(h, "splice() to it",
	      splice(pair[0], NULL, h->fd, NULL, 1, SPLICE_F_NONBLOCK), write_error);
	close(pair[0]);
	close(pair[1]);
	/* Only pipes know the commands of pipes. */
	if (ioctl(h->fd, STRIO_GETPIPE_SZ, 0) < 0)
		return;
	IS(test_fifo(pair, O_NONBLOCK), 0);
	tee.out = pair[1];
	check(h, "tee() from it", ioctl(h->fd, STRIO_TEE, &tee), read_error);
	check(h, "STREAMS splice() from it", ioctl(h->fd, STRIO_SPLICE, &tee), read_error);
	tee.in = pair[0];
	tee.out = h->fd;
	check(h, "tee() to it", ioctl(h->fd, STRIO_TEE, &tee), write_error);
	check(h, "STREAMS splice() to it", ioctl(h->fd, STRIO_SPLICE, &tee), write_error);
	close(pair[0]);
	close(pair[1]);
}

static void try_all(const struct holder *h)
{
	static const int sides[] = { FLUSHR, FLUSHW, FLUSHRW };
	unsigned int i, j;

	test_nonblock(h->fd, true);
	/* Without a module a command of modules is unknown. */
	if (!ioctl(owner, I_FIND, "nullmod"))
		IS(ioctl(owner, I_PUSH, "nullmod"), 0);
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (needed(commands[i].cmd) != STR_MAY_FLUSH) {
			try_command(h, &commands[i], 0);
			continue;
		}
		for (j = 0; j < 3; j++)
			try_command(h, &commands[i], sides[j]);
	}
	try_data_calls(h);
}

static bool is_read(int flags)
{
	return (flags & O_ACCMODE) != O_WRONLY;
}

static bool is_written(int flags)
{
	return (flags & O_ACCMODE) != O_RDONLY;
}

/*
 * Tries one descriptor in each way in which a process gets it from another one.
 */
static void try_handed_on(struct holder h)
{
	int status, fds[2], own = h.fd;
	struct strrecvfd got;
	pid_t pid;

	try_all(&h);
	h.fd = dup(own);
	try_all(&h);
	close(h.fd);
	pid = fork();
	TRUE(pid >= 0);
	if (!pid) {
		h.fd = own;
		try_all(&h);
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_SENDFD, own), 0);
	IS(ioctl(fds[1], I_RECVFD, &got), 0);
	h.fd = got.fd;
	try_all(&h);
	close(got.fd);
	close(fds[0]);
	close(fds[1]);
}

/*
 * Opens a path in each mode; a name gives the right to change only to those
 * opened for both.
 */
static void try_modes(const char *kind, const char *path, bool named)
{
	static const int modes[] = { O_RDWR, O_RDONLY, O_WRONLY };
	struct holder h;
	char text[64];
	int i, fds[3];

	/* All three are open at once: a FIFO then has a reader and a writer. */
	for (i = 0; i < 3; i++) {
		fds[i] = open(path, modes[i] | O_NONBLOCK);
		TRUE(fds[i] >= 0);
	}
	owner = fds[0];
	for (i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "%s, %s", kind,
			 i ? i == 1 ? "O_RDONLY" : "O_WRONLY" : "O_RDWR");
		h = (struct holder){ text, fds[i], is_read(modes[i]), is_written(modes[i]),
				     !named || !i };
		try_handed_on(h);
	}
	for (i = 0; i < 3; i++)
		close(fds[i]);
}

static void begin(void)
{
	other = socket(AF_UNIX, SOCK_DGRAM, 0);
	TRUE(other >= 0);
	band = mmap(NULL, sizeof(*band), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	TRUE(band != MAP_FAILED);
	compat = getenv("RIGHTS_COMPAT");
}

static void unnamed(void)
{
	char path[32];
	int fds[2];

	begin();
	IS(test_fifo(fds, 0), 0);
	owner = fds[0];
	try_handed_on((struct holder){ "a reading end", fds[0], true, false, true });
	try_handed_on((struct holder){ "a writing end", fds[1], false, true, true });
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[1]);
	try_modes("a writing end opened again", path, false);
	close(fds[0]);
	close(fds[1]);
	IS(strpipe(fds), 0);
	owner = fds[0];
	try_handed_on((struct holder){ "a full-duplex end", fds[0], true, true, true });
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	try_modes("a full-duplex end opened again", path, false);
}

static void named(void)
{
	char path[32];
	int fds[2], fd;

	begin();
	IS(strmkfifo(FIFO, 0666), 0);
	try_modes("the name of a FIFO", FIFO, true);
	fd = open(FIFO, O_RDWR);
	TRUE(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	try_modes("a FIFO's descriptor opened again", path, true);
	close(fd);
	IS(fdetach(FIFO), 0);

	IS(strpipe(fds), 0);
	close(open(NAME, O_WRONLY | O_CREAT | O_EXCL, 0666));
	IS(fattach(fds[1], NAME), 0);
	try_modes("the name of a full-duplex pipe", NAME, true);
	IS(fdetach(NAME), 0);
}

static void device(void)
{
	int fd;

	begin();
	try_modes("the node of a driver", "/dev/streams/echo", false);
	fd = open("/dev/streams/echo", O_RDWR);
	TRUE(fd >= 0);
	close(open(NAME, O_WRONLY | O_CREAT | O_EXCL, 0666));
	IS(fattach(fd, NAME), 0);
	try_modes("the name of a driver's stream", NAME, true);
	IS(fdetach(NAME), 0);
}

/* Another user writes, and may do no more; read() and getmsg() fail with EBADF. */
static void writer(void)
{
	struct strpeek peek = { .ctlbuf.maxlen = -1 };
	char secret[8] = "", path[32];
	int rd, wr;

	umask(0);
	IS(chmod(".", 0755), 0);
	IS(strmkfifo(FIFO, 0622), 0);
	rd = open(FIFO, O_RDONLY | O_NONBLOCK);
	wr = open(FIFO, O_WRONLY);
	TRUE(rd >= 0 && wr >= 0);
	IS(write(wr, "secret", 6), 6);
	IS(seteuid(65534), 0);
	IS(open(FIFO, O_RDONLY | O_NONBLOCK), -1);
	close(wr);
	wr = open(FIFO, O_WRONLY);
	TRUE(wr >= 0);
	peek.databuf = (struct strbuf){ .maxlen = sizeof(secret), .buf = secret };
	FAILS(ioctl(wr, I_PEEK, &peek), EBADF);
	IS(secret[0], 0);
	FAILS(ioctl(wr, I_SRDOPT, RMSGD), EBADF);
	FAILS(ioctl(wr, I_FLUSH, FLUSHR), EBADF);
	FAILS(ioctl(wr, I_FLUSH, FLUSHW), EACCES);
	FAILS(ioctl(wr, I_PUSH, "nullmod"), EACCES);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", wr);
	FAILS(open(path, O_RDWR), EACCES);
	IS(seteuid(0), 0);
	IS(read(rd, secret, sizeof(secret)), 6);
	IS(memcmp(secret, "secret", 6), 0);
	IS(fdetach(FIFO), 0);
}

/* Messages with control parts, and files, do not stop a reader that knows neither. */
static void stopper(void)
{
	struct strbuf ctl = { .buf = "control", .len = 7 }, data = { .buf = "and", .len = 3 };
	char text[32];
	int fds[2], form;

	for (form = 0; form < 2; form++) {
		IS(test_fifo(fds, O_NONBLOCK), 0);
		IS(write(fds[1], "one ", 4), 4);
		IS(putmsg(fds[1], &ctl, NULL, 0), 0);
		IS(ioctl(fds[1], I_SENDFD, fds[0]), -1);
		IS(ioctl(fds[1], I_SENDFD, 0), 0);
		IS(putmsg(fds[1], &ctl, &data, form ? RS_HIPRI : 0), 0);
		IS(write(fds[1], " two", 4), 4);
		IS(read(fds[0], text, sizeof(text)), 11);
		IS(memcmp(text, form ? "andone  two" : "one and two", 11), 0);
		FAILS(read(fds[0], text, sizeof(text)), EAGAIN);
		close(fds[1]);
		IS(read(fds[0], text, sizeof(text)), 0);
		close(fds[0]);
	}
}

static const struct test_case cases[] = {
	{ "unnamed", unnamed },
	{ "named", named },
	{ "device", device },
	{ "writer", writer },
	{ "stopper", stopper },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
