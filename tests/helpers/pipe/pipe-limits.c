// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe-limits.c - limits on the memory of a user's pipes
 *
 * fs.pipe-user-pages-soft and -hard are 64 pages when the cases that need them run.
 */
#include <sys/bufmod.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "streams-test.h"

#define FIFOS		4	/* of 16 pages, that make 64 */
#define FIFO_BYTES	65536
#define SMALL_BYTES	8192	/* of a user that has more than the soft limit */

static char bytes[FIFO_BYTES];

static void become_nobody(void)
{
	IS(setgid(65534), 0);
	IS(setuid(65534), 0);
}

/* Returns the bytes that a pipe takes. */
static long room(int fd)
{
	static char block[4096];
	long n = 0, ret;

	test_nonblock(fd, true);
	while ((ret = write(fd, block, sizeof(block))) > 0)
		n += ret;
	return n;
}

static long room_of_next(bool native)
{
	int fds[2];
	long n;

	if (native ? pipe2(fds, 0) : test_fifo(fds, 0))
		return -errno;
	n = room(fds[1]);
	close(fds[0]);
	close(fds[1]);
	return n;
}

/* Native and STREAMS pipes count together, and are treated alike. */
static void limited(long next)
{
	int fds[FIFOS][2], i;

	for (i = 0; i < FIFOS; i++)
		IS(i & 1 ? pipe2(fds[i], 0) : test_fifo(fds[i], 0), 0);
	/* The sysctl that was set is seen within a tenth of a second. */
	UNTIL(room_of_next(false) == next);
	IS(room_of_next(true), next);
	for (i = 0; i < FIFOS; i++) {
		close(fds[i][0]);
		close(fds[i][1]);
	}
	IS(room_of_next(false), FIFO_BYTES);
	IS(room_of_next(true), FIFO_BYTES);
}

static void soft(void)
{
	become_nobody();
	limited(SMALL_BYTES);
}

static void gather(int fd)
{
	unsigned int chunk = FIFO_BYTES, flags = SB_NO_HEADER | SB_NO_DROPS;
	struct strioctl set[] = {
		{ SBIOCSCHUNK, 0, sizeof(chunk), (char *)&chunk },
		{ SBIOCSFLAGS, 0, sizeof(flags), (char *)&flags },
	};

	IS(ioctl(fd, I_STR, &set[0]), 0);
	IS(ioctl(fd, I_STR, &set[1]), 0);
}

/*
 * A module counts with the marks of its queues, 48 pages for bufmod. A popped module does
 * not count, but the messages that it left do until they are read. The limit has room for
 * two modules.
 */
static void pushed(void)
{
	int fds[2], i;

	become_nobody();
	IS(test_fifo(fds, O_NONBLOCK), 0);
	/* A change of the size reads the new limit. */
	IS(ioctl(fds[0], STRIO_SETPIPE_SZ, FIFO_BYTES), FIFO_BYTES);
	for (i = 0; i < 2; i++) {
		IS(ioctl(fds[0], I_PUSH, "bufmod"), 0);
		gather(fds[0]);
	}
	FAILS(ioctl(fds[0], I_PUSH, "bufmod"), EAGAIN);
	/* A module that holds no messages does not count. */
	IS(ioctl(fds[0], I_PUSH, "nullmod"), 0);
	IS(ioctl(fds[0], I_POP, 0), 0);
	while (write(fds[1], bytes, 1000) > 0)
		;
	IS(ioctl(fds[0], I_POP, 0), 0);
	IS(ioctl(fds[0], I_POP, 0), 0);
	FAILS(ioctl(fds[0], I_PUSH, "bufmod"), EAGAIN);
	while (read(fds[0], bytes, sizeof(bytes)) > 0)
		;
	IS(ioctl(fds[0], I_PUSH, "bufmod"), 0);
	IS(ioctl(fds[0], I_PUSH, "bufmod"), 0);
	FAILS(ioctl(fds[0], I_PUSH, "bufmod"), EAGAIN);
	close(fds[0]);
	close(fds[1]);
	IS(test_fifo(fds, 0), 0);
	IS(ioctl(fds[0], I_PUSH, "bufmod"), 0);
}

static void hard(void)
{
	become_nobody();
	limited(-ENFILE);
}

static int resize(const int fds[2], bool native, int bytes)
{
	return native ? fcntl(fds[1], F_SETPIPE_SZ, bytes) :
			ioctl(fds[1], STRIO_SETPIPE_SZ, bytes);
}

/*
 * All pipes together reach the limit: no pipe becomes larger; a pipe that
 * becomes smaller leaves its pages to others, native or not.
 */
static void resized(void)
{
	int fds[FIFOS][2], i;

	become_nobody();
	for (i = 0; i < FIFOS; i++)
		IS(i & 1 ? pipe2(fds[i], 0) : test_fifo(fds[i], 0), 0);
	for (i = 0; i < FIFOS; i++)
		FAILS(resize(fds[i], i & 1, 2 * FIFO_BYTES), EPERM);
	IS(resize(fds[0], false, FIFO_BYTES / 2), FIFO_BYTES / 2);
	FAILS(resize(fds[2], false, 2 * FIFO_BYTES), EPERM);
	FAILS(resize(fds[3], true, 2 * FIFO_BYTES), EPERM);
	IS(resize(fds[1], true, FIFO_BYTES / 2), FIFO_BYTES / 2);
	UNTIL(resize(fds[2], false, 2 * FIFO_BYTES) == 2 * FIFO_BYTES);
	IS(room(fds[2][1]), 2 * FIFO_BYTES);
	FAILS(resize(fds[3], true, 2 * FIFO_BYTES), EPERM);
	for (i = 0; i < FIFOS; i++) {
		close(fds[i][0]);
		close(fds[i][1]);
	}
	/* A pipe that was not made is not counted. */
	for (i = 0; i < FIFOS; i++)
		IS(i & 1 ? pipe2(fds[i], 0) : test_fifo(fds[i], 0), 0);
	UNTIL(resize(fds[0], false, FIFO_BYTES) == FIFO_BYTES);
	for (i = 0; i < FIFOS; i++)
		IS(room(fds[i][1]), FIFO_BYTES);
}

/* Both directions of a duplex pipe have the size, and are counted. */
static void resized_duplex(void)
{
	int fds[2], i;

	become_nobody();
	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], STRIO_GETPIPE_SZ), FIFO_BYTES);
	FAILS(ioctl(fds[0], STRIO_SETPIPE_SZ, 4 * FIFO_BYTES), EPERM);
	IS(ioctl(fds[0], STRIO_SETPIPE_SZ, 2 * FIFO_BYTES), 2 * FIFO_BYTES);
	for (i = 0; i < 2; i++)
		IS(room(fds[i]), 2 * FIFO_BYTES);
	FAILS(ioctl(fds[0], STRIO_SETPIPE_SZ, FIFO_BYTES), EBUSY);
	IS(ioctl(fds[1], STRIO_GETPIPE_SZ), 2 * FIFO_BYTES);
}

/*
 * Returns whether another duplex pipe, which counts twice as much, is refused.
 */
static bool duplex_refused(void)
{
	int fds[2], error;

	if (strpipe(fds)) {
		error = errno;
		IS(error, ENFILE);
		return true;
	}
	close(fds[0]);
	close(fds[1]);
	return false;
}

static void hard_duplex(void)
{
	int fds[2][2];

	become_nobody();
	IS(strpipe(fds[0]), 0);
	IS(strpipe(fds[1]), 0);
	UNTIL(duplex_refused());
	close(fds[0][0]);
	close(fds[0][1]);
	/* A pipe's memory is given back soon. */
	UNTIL(!duplex_refused());
}

/* Privileged users are not limited, and no user is where the limits are 0. */
static void unlimited(void)
{
	int fds[FIFOS][2], i;

	for (i = 0; i < FIFOS; i++)
		IS(test_fifo(fds[i], 0), 0);
	UNTIL(room_of_next(false) == FIFO_BYTES);
	IS(room_of_next(true), FIFO_BYTES);
}

static void unlimited_nobody(void)
{
	become_nobody();
	unlimited();
}

/*
 * Counts the messages at an end of a pipe: some code walks all of them with
 * interrupts off, and the user chooses their number.
 */
#define MESSAGES_MOST	1024

static void fill(int fd, int how, int band)
{
	struct strbuf ctl = { .len = 0, .buf = "c" }, data = { .len = 0, .buf = "d" };

	test_nonblock(fd, true);
	switch (how) {
	case 0:
		while (write(fd, "d", 1) > 0)
			;
		break;
	case 1:
		while (!putpmsg(fd, NULL, &data, band, MSG_BAND))
			;
		break;
	case 2:
		ctl.len = 1;
		while (!putpmsg(fd, &ctl, NULL, band, MSG_BAND))
			;
		break;
	case 3:
		IS(ioctl(fd, I_SWROPT, SNDZERO), 0);
		while (!write(fd, "", 0))
			;
		break;
	case 4:
		while (!ioctl(fd, I_SENDFD, 0))
			;
		break;
	}
}

static void messages(void)
{
	int fds[2], how, mode, band, bytes, n;

	for (how = 0; how < 5; how++) {
		for (mode = RNORM; mode <= RMSGN; mode++) {
			IS(strpipe(fds), 0);
			IS(ioctl(fds[0], I_SRDOPT, mode), 0);
			for (band = 255; band >= 0; band--)
				fill(fds[1], how, band);
			n = ioctl(fds[0], I_NREAD, &bytes);
			printf("sent in way %d, read in mode %d: %d messages\n", how, mode, n);
			TRUE(n > 0 && n <= MESSAGES_MOST);
			IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
			IS(ioctl(fds[0], I_NREAD, &bytes), 0);
			close(fds[0]);
			close(fds[1]);
		}
	}
}

/*
 * The number of rounds, far more than needed, and the bytes that may be left
 * above a mark
 */
#define ROUNDS		200
#define LEFT_MOST	1048576

/*
 * Pushes a module at an end, fills it from the other end or its own, and pops
 * it, which leaves its messages to the reader's end. Ends when no module can be
 * pushed.
 */
static void pushed_and_popped(const char *module, int end, int from, int reader)
{
	static char block[FIFO_BYTES];
	long written = 0, n;
	int round;

	for (round = 0; round < ROUNDS && !ioctl(end, I_PUSH, module); round++) {
		if (!strcmp(module, "bufmod"))
			gather(end);
		written += room(from);
		IS(ioctl(end, I_POP, 0), 0);
	}
	printf("%s: %d rounds, %ld bytes\n", module, round, written);
	TRUE(round < ROUNDS);
	TRUE(errno == EAGAIN);
	TRUE(written < LEFT_MOST);
	test_nonblock(reader, true);
	while ((n = read(reader, block, sizeof(block))) > 0)
		written -= n;
	IS(written, 0);
	IS(ioctl(end, I_PUSH, module), 0);
	IS(ioctl(end, I_POP, 0), 0);
}

static void popped(void)
{
	int fds[2];

	IS(strpipe(fds), 0);
	pushed_and_popped("bufmod", fds[0], fds[1], fds[0]);
	pushed_and_popped("srvmod", fds[0], fds[0], fds[1]);
	close(fds[0]);
	close(fds[1]);
	IS(test_fifo(fds, 0), 0);
	pushed_and_popped("bufmod", fds[1], fds[1], fds[0]);
	fds[0] = open("/dev/streams/echo", O_RDWR);
	TRUE(fds[0] >= 0);
	pushed_and_popped("srvmod", fds[0], fds[0], fds[0]);
}

/* Bytes of bands count when a pipe is to become smaller. */
static void resized_bands(void)
{
	static char block[4096];
	struct strbuf data = { .len = sizeof(block), .buf = block };
	int fds[2];

	IS(test_fifo(fds, O_NONBLOCK), 0);
	IS(resize(fds, false, 1 << 20), 1 << 20);
	while (!putpmsg(fds[1], NULL, &data, 1, MSG_BAND))
		;
	TRUE(resize(fds, false, 65536) == -1 && errno == EBUSY);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(resize(fds, false, 65536), 65536);
	close(fds[0]);
	close(fds[1]);
}

/* A message is no larger than its pipe; longer writes are sent in parts. */
static void small_pipe(void)
{
	static char block[8192];
	struct strbuf data = { .len = 4097, .buf = block };
	int fds[2];

	IS(test_fifo(fds, O_NONBLOCK), 0);
	IS(resize(fds, false, 4096), 4096);
	TRUE(putmsg(fds[1], NULL, &data, 0) == -1 && errno == ERANGE);
	data.len = 4096;
	IS(putmsg(fds[1], NULL, &data, 0), 0);
	IS(read(fds[0], block, sizeof(block)), 4096);
	IS(write(fds[1], block, sizeof(block)), 4096);
	close(fds[0]);
	close(fds[1]);
}

#define SPLICERS	8
#define SPLICED		60000

struct splicer {
	int socket[2], pipe;
	pthread_t thread;
};

static void *splicer_run(void *arg)
{
	struct splicer *s = arg;
	struct strio_splice call = { .in = s->socket[0], .out = s->pipe, .len = SPLICED };
	long n;

	for (; call.len; call.len -= n) {
		n = ioctl(s->pipe, STRIO_SPLICE, &call);
		TRUE(n > 0);
	}
	return NULL;
}

/* Tasks that found room, and then wait for a socket, do not all fill the room. */
static void splicers(void)
{
	static char block[SPLICED];
	struct splicer s[SPLICERS];
	int fds[2], i, n, left = SPLICERS * SPLICED;

	IS(test_fifo(fds, 0), 0);
	IS(ioctl(fds[0], I_NREAD, &n), 0);
	for (i = 0; i < SPLICERS; i++) {
		IS(socketpair(AF_UNIX, SOCK_STREAM, 0, s[i].socket), 0);
		n = 4 * SPLICED;
		IS(setsockopt(s[i].socket[1], SOL_SOCKET, SO_SNDBUF, &n, sizeof(n)), 0);
		s[i].pipe = fds[1];
		IS(pthread_create(&s[i].thread, NULL, splicer_run, &s[i]), 0);
	}
	for (i = 0; i < SPLICERS; i++)
		IS(send(s[i].socket[1], block, SPLICED, 0), SPLICED);
	while (left) {
		IS(ioctl(fds[0], FIONREAD, &n), 0);
		TRUE(n <= FIFO_BYTES + SPLICED);
		n = read(fds[0], block, 2048);
		TRUE(n > 0);
		left -= n;
	}
	for (i = 0; i < SPLICERS; i++)
		IS(pthread_join(s[i].thread, NULL), 0);
}

static const struct test_case cases[] = {
	{ "soft", soft },
	{ "pushed", pushed },
	{ "hard", hard },
	{ "hard-duplex", hard_duplex },
	{ "resized", resized },
	{ "resized-duplex", resized_duplex },
	{ "unlimited", unlimited },
	{ "unlimited-nobody", unlimited_nobody },
	{ "messages", messages },
	{ "popped", popped },
	{ "resized-bands", resized_bands },
	{ "small-pipe", small_pipe },
	{ "splicers", splicers },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
