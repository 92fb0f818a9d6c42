/* SPDX-License-Identifier: GPL-2.0-only */
/* streamio.h - code that the tests of the stream head share */
#ifndef STREAMIO_H
#define STREAMIO_H

#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>

#include "cover.h"
#include "../../../kmod/test/strprobe.h"

/* The message types and flags of sys/stream.h, which is for the kernel only */
enum {
	M_DATA = 0x00, M_PROTO = 0x01, M_SIG = 0x0b, M_SETOPTS = 0x10,
	M_PCPROTO = 0x83, M_PCSIG = 0x84, M_HANGUP = 0x89, M_ERROR = 0x8a,
	M_UNHANGUP = 0x92,
	MSGMARK = 1, MSGDELIM = 4
};

/* Opens a stream of the driver of that name. */
__attribute__((unused))
static int device(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/streams/%s", name);
	fd = open(path, O_RDWR);
	TRUE(fd >= 0);
	return fd;
}

__attribute__((unused))
static int probe(int flags)
{
	int fd = open("/dev/streams/strprobe", O_RDWR | flags);

	TRUE(fd >= 0);
	return fd;
}

__attribute__((unused))
static void close_pipe(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/* Sends I_STR; the data returned is stored in data. */
static int str(int fd, int cmd, void *data, int len)
{
	struct strioctl ic = {
		.ic_cmd = cmd, .ic_len = len, .ic_dp = data,
	};

	return ioctl(fd, I_STR, &ic);
}

/*
 * Makes the driver send up a message. Whether that I_STR fails depends on the
 * message.
 */
static int send_up(int fd, unsigned char type, unsigned char band,
		   unsigned char flag, const void *body, int len)
{
	char data[300] = { type, band, flag };

	if (len)
		memcpy(data + 3, body, len);
	return str(fd, STRPROBE_SEND, data, len + 3);
}

/* Returns the messages that came down since the last look. */
__attribute__((unused))
static struct strprobe look(int fd)
{
	struct strprobe seen;

	IS(str(fd, STRPROBE_LOOK, &seen, 0), 0);
	return seen;
}

__attribute__((unused))
static void hang_up(int fd)
{
	send_up(fd, M_HANGUP, 0, 0, "", 0);
}

static int send_band(int fd, const char *ctl, const char *data, int band, int flags)
{
	struct strbuf c = { .len = ctl ? (int)strlen(ctl) : -1, .buf = (char *)ctl };
	struct strbuf d = { .len = data ? (int)strlen(data) : -1, .buf = (char *)data };

	return putpmsg(fd, &c, &d, band, flags);
}

/* Sends messages of 1 KiB until there is no room. Returns their number. */
__attribute__((unused))
static int fill_band(int fd, int band)
{
	static char kib[1025];
	int n = 0;

	memset(kib, 'f', 1024);
	while (send_band(fd, NULL, kib, band, MSG_BAND) == 0)
		n++;
	return errno == EAGAIN ? n : -1;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

__attribute__((unused))
static long close_takes(int fd)
{
	long start = now_ms();

	close(fd);
	return now_ms() - start;
}

#endif /* STREAMIO_H */
