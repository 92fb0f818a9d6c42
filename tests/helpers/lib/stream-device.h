/* SPDX-License-Identifier: GPL-2.0-only */
/* stream-device.h - drivers below /dev/streams: opened, asked by I_STR, read */
#ifndef STREAM_DEVICE_H
#define STREAM_DEVICE_H

#include "streams-test.h"

#include <sys/loop.h>
#include <sys/mux.h>

#define DEVICE(name)	"/dev/streams/" name

/* The seconds for which send_ioctl() waits for the answer */
#ifndef IOCTL_SECONDS
#define IOCTL_SECONDS	WAIT_SECONDS
#endif

static inline int dev(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "open %s: %s", path,
			  strerror(errno));
	return fd;
}

static inline int send_ioctl(int fd, int cmd, void *data, int len)
{
	struct strioctl ic = {
		.ic_cmd = cmd,
		.ic_timout = IOCTL_SECONDS,
		.ic_len = len,
		.ic_dp = data,
	};

	return ioctl(fd, I_STR, &ic);
}

/* Returns whether a descriptor becomes readable within ms milliseconds. */
static inline bool readable(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1 && p.revents & POLLIN;
}

static inline void is_read(int fd, const char *want)
{
	char data[64] = "";
	ssize_t n;

	TRUE(readable(fd, WAIT_LIMIT_MS));
	n = read(fd, data, sizeof(data) - 1);
	IS(n, strlen(want));
	IS(strcmp(data, want), 0);
}

/* Joins two streams of loop: the close of one is a hangup of the other. */
static inline void loop_pair(int fds[2])
{
	int n;

	fds[0] = dev(LOOP_DEVICE);
	fds[1] = dev(LOOP_DEVICE);
	n = send_ioctl(fds[1], LOOP_GET, NULL, 0);
	IS(send_ioctl(fds[0], LOOP_SET, &n, sizeof(n)), 0);
}

/* Joins an upper stream of the driver mux with a lower one. */
static inline int route(int fd, int muxid, int flags)
{
	struct mux_route r = { .mr_muxid = muxid, .mr_flags = flags };

	return send_ioctl(fd, MUX_ROUTE, &r, sizeof(r));
}

#endif /* STREAM_DEVICE_H */
