/* SPDX-License-Identifier: GPL-2.0-only */
/* socket-streams.h - STREAMS sockets, and their input and output */
#ifndef SOCKET_STREAMS_H
#define SOCKET_STREAMS_H

#include "tpi-address.h"

#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/udp.h>

static char buf[70000];

static inline int sock(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_STREAMS);

	TRUE(fd >= 0);
	return fd;
}

static inline struct sockaddr_in name_of(int fd)
{
	struct sockaddr_in sin = {};
	socklen_t len = sizeof(sin);

	IS(getsockname(fd, (struct sockaddr *)&sin, &len), 0);
	return sin;
}

/* Returns a socket bound to a free port of 127.0.0.1. */
static inline int bound(struct sockaddr_in *sin)
{
	int fd = sock();

	*sin = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	IS(bind(fd, (struct sockaddr *)sin, sizeof(*sin)), 0);
	*sin = name_of(fd);
	return fd;
}

static inline long send_to(int fd, const void *data, size_t len,
			   const struct sockaddr_in *sin)
{
	return sendto(fd, data, len, 0, (const struct sockaddr *)sin,
		      sizeof(*sin));
}

/* The data and the sender's address that a receive call returns. */
static inline long receive(int fd, int flags, struct sockaddr_in *from)
{
	socklen_t len = sizeof(*from);

	memset(from, 0, sizeof(*from));
	memset(buf, 0, 64);
	return recvfrom(fd, buf, sizeof(buf), flags, (struct sockaddr *)from,
			&len);
}

#define RECEIVES(fd, text, sender) do {					\
	struct sockaddr_in from_;					\
	IS(receive(fd, 0, &from_), strlen(text));			\
	IS(memcmp(buf, text, strlen(text)), 0);				\
	IS(from_.sin_port, (sender).sin_port);				\
	IS(from_.sin_addr.s_addr, (sender).sin_addr.s_addr);		\
} while (0)

static inline void lists(int fd, const char *names)
{
	char got[512] = "";
	struct str_mlist list[20];
	struct str_list l = { .sl_nmods = 20, .sl_modlist = list };
	int i, n;

	n = ioctl(fd, I_LIST, NULL);
	IS(ioctl(fd, I_LIST, &l), 0);
	IS(l.sl_nmods, n);
	for (i = 0; i < l.sl_nmods; i++) {
		strcat(got, list[i].l_name);
		strcat(got, " ");
	}
	if (strcmp(got, names))
		test_fail(__FILE__, __LINE__, "I_LIST: \"%s\", not \"%s\"",
			  got, names);
	test_checks++;
}

static inline int unitdata_req(int fd, const struct sockaddr_in *to,
			       const void *data, int len)
{
	return put_unitdata_req(fd, to, sizeof(*to), NULL, 0, data, len);
}

static inline int ioctl_int(int fd, unsigned long cmd)
{
	int value = -1;

	IS(ioctl(fd, cmd, &value) >= 0, 1);
	return value;
}

static inline short polled(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI | POLLOUT |
			    POLLRDNORM | POLLRDBAND | POLLWRNORM };

	poll(&p, 1, 0);
	return p.revents;
}

/* Sends a module's ioctl that has a number. */
static inline int str_number(int fd, int cmd, unsigned int number)
{
	struct strioctl ic = { .ic_cmd = cmd, .ic_len = sizeof(number),
			       .ic_dp = (char *)&number };

	return ioctl(fd, I_STR, &ic);
}

/*
 * Returns the datagrams that were dropped for want of room, or for another
 * reason.
 */
static inline unsigned int dropped(int fd)
{
	uint32_t info[SK_MEMINFO_VARS];
	socklen_t len = sizeof(info);

	IS(getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &len), 0);
	return info[SK_MEMINFO_DROPS];
}

static inline int switched(int fd, int level, int option, int on)
{
	return setsockopt(fd, level, option, &on, sizeof(on));
}

#endif
