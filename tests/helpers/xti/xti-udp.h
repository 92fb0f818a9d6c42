/* SPDX-License-Identifier: GPL-2.0-only */
/* xti-udp.h - endpoints of /dev/streams/udp, and datagrams to and from them */
#ifndef XTI_UDP_H
#define XTI_UDP_H

#include "xti-test.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#define DEVICE	"/dev/streams/udp"
#define MAX	65507

static char big[MAX + 1] __attribute__((unused)), got[MAX + 1] __attribute__((unused));

static inline struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static inline struct netbuf netbuf(void *buf, unsigned int maxlen, unsigned int len)
{
	return (struct netbuf){ .maxlen = maxlen, .len = len, .buf = buf };
}

static inline int endpoint(void)
{
	int fd = t_open(DEVICE, O_RDWR | O_CLOEXEC, NULL);

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "t_open: %s", t_strerror(t_errno));
	return fd;
}

/* Returns an endpoint bound to a free port of 127.0.0.1. */
static inline int bound(struct sockaddr_in *sin)
{
	struct t_bind bind = { .addr = netbuf(sin, sizeof(*sin), sizeof(*sin)) };
	int fd = endpoint();

	*sin = loopback(0);
	TIS(t_bind(fd, &bind, &bind), 0);
	TRUE(sin->sin_port);
	return fd;
}

static inline int native(struct sockaddr_in *sin)
{
	socklen_t len = sizeof(*sin);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	*sin = loopback(0);
	IS(bind(fd, (struct sockaddr *)sin, len), 0);
	IS(getsockname(fd, (struct sockaddr *)sin, &len), 0);
	return fd;
}

static inline int send_to(int fd, struct sockaddr_in *to, const void *data, unsigned int len)
{
	struct t_unitdata u = {
		.addr = netbuf(to, sizeof(*to), sizeof(*to)),
		.udata = netbuf((void *)data, len, len),
	};

	return t_sndudata(fd, &u);
}

static inline int receive_from(int fd, struct sockaddr_in *from, void *data, unsigned int room,
			       unsigned int *len, int *flags)
{
	struct t_unitdata u = {
		.addr = netbuf(from, from ? sizeof(*from) : 0, 0),
		.udata = netbuf(data, room, 0),
	};
	int ret = t_rcvudata(fd, &u, flags);

	*len = u.udata.len;
	return ret;
}

#endif /* XTI_UDP_H */
