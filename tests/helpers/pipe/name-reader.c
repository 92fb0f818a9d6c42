// SPDX-License-Identifier: GPL-2.0-only
/*
 * name-reader.c - a stream opened by its name, for reading only
 *
 * Works in the current folder, which is empty.
 */
#include "streams-test.h"

#define NAME	"name"

static int by_name(int flags)
{
	int fd = open(NAME, flags | O_NONBLOCK);

	TRUE(fd >= 0);
	return fd;
}

static void reader(void)
{
	struct strioctl ic = { .ic_cmd = 1 };
	struct bandinfo band = { .bi_pri = 0, .bi_flag = FLUSHW };
	int fds[2], rd, wr;
	char buf[8];

	IS(strpipe(fds), 0);
	close(open(NAME, O_WRONLY | O_CREAT | O_EXCL, 0644));
	IS(fattach(fds[1], NAME), 0);
	rd = by_name(O_RDONLY);
	wr = by_name(O_RDWR);
	IS(ioctl(wr, I_PUSH, "nullmod"), 0);
	IS(write(wr, "sent", 4), 4);
	IS(write(fds[0], "back", 4), 4);

	FAILS(ioctl(rd, I_PUSH, "nullmod"), EACCES);
	FAILS(ioctl(rd, I_POP, 0), EACCES);
	FAILS(ioctl(rd, I_STR, &ic), EACCES);
	FAILS(ioctl(rd, I_FLUSH, FLUSHW), EACCES);
	FAILS(ioctl(rd, I_FLUSH, FLUSHRW), EACCES);
	FAILS(ioctl(rd, I_FLUSHBAND, &band), EACCES);
	/* The data and the module of other users are still there. */
	IS(read(fds[0], buf, sizeof(buf)), 4);
	IS(ioctl(rd, I_FIND, "nullmod"), 1);

	/* The user may flush the messages that it may read. */
	band.bi_flag = FLUSHR;
	IS(ioctl(rd, I_FLUSHBAND, &band), 0);
	IS(ioctl(rd, I_FLUSH, FLUSHR), 0);
	FAILS(read(rd, buf, sizeof(buf)), EAGAIN);

	/* A writer may do all of this. */
	IS(write(wr, "sent", 4), 4);
	IS(ioctl(wr, I_FLUSH, FLUSHRW), 0);
	FAILS(ioctl(wr, I_STR, &ic), EINVAL);
	IS(ioctl(wr, I_POP, 0), 0);
}

/* The owner of a pipe without a name may do all with its reading end. */
static void unnamed(void)
{
	int fds[2];

	IS(test_fifo(fds, 0), 0);
	IS(ioctl(fds[0], I_PUSH, "nullmod"), 0);
	IS(ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
	IS(ioctl(fds[0], I_POP, 0), 0);
}

static const struct test_case cases[] = {
	{ "reader", reader },
	{ "unnamed", unnamed },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
