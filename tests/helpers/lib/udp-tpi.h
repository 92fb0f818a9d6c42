/* SPDX-License-Identifier: GPL-2.0-only */
/* udp-tpi.h - primitives to and from /dev/streams/udp, for udp-tpi*.c */
#ifndef UDP_TPI_H
#define UDP_TPI_H

#include "tpi-address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#ifndef DEVICE
#define DEVICE		"/dev/streams/udp"
#endif

static inline struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static inline int endpoint(void)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	TRUE(fd >= 0);
	return fd;
}

/* Returns an address in the message received last. */
static inline struct sockaddr_in address(int offset, int length)
{
	struct sockaddr_in sin;

	copy_address(offset, length, &sin, sizeof(sin));
	IS(sin.sin_family, AF_INET);
	return sin;
}

/* Sends T_BIND_REQ; NULL: for any address. */
static inline void send_bind(int fd, const struct sockaddr_in *sin)
{
	put_bind_req(fd, sin, sin ? sizeof(*sin) : 0);
}

static inline struct sockaddr_in bind_to(int fd, const struct sockaddr_in *sin)
{
	send_bind(fd, sin);
	receive_prim(fd, T_BIND_ACK);
	IS(in.hipri, 1);
	return address(in.prim.bind_ack.ADDR_offset,
		       in.prim.bind_ack.ADDR_length);
}

/* Returns an endpoint bound to a free port of 127.0.0.1. */
static inline int bound(struct sockaddr_in *sin)
{
	int fd = endpoint();

	*sin = loopback(0);
	*sin = bind_to(fd, sin);
	TRUE(sin->sin_port);
	return fd;
}

static inline int put_datagram(int fd, const struct sockaddr_in *to,
			       const void *opts, int opts_len,
			       const void *data, int len)
{
	return put_unitdata_req(fd, to, sizeof(*to), opts, opts_len, data, len);
}

/* Checks that the next message is this datagram. Returns its sender. */
static inline struct sockaddr_in receive_datagram(int fd, const void *data, int len)
{
	receive_unitdata(fd, data, len);
	return address(in.prim.unitdata_ind.SRC_offset,
		       in.prim.unitdata_ind.SRC_length);
}

static inline void receive_uderror(int fd, const struct sockaddr_in *to, int err)
{
	struct sockaddr_in sin;

	receive_prim(fd, T_UDERROR_IND);
	IS(in.prim.uderror_ind.ERROR_type, err);
	sin = address(in.prim.uderror_ind.DEST_offset,
		      in.prim.uderror_ind.DEST_length);
	IS(sin.sin_port, to->sin_port);
	IS(sin.sin_addr.s_addr, to->sin_addr.s_addr);
}

static inline int udp_socket(struct sockaddr_in *sin)
{
	socklen_t len = sizeof(*sin);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	TRUE(fd >= 0);
	*sin = loopback(0);
	IS(bind(fd, (struct sockaddr *)sin, len), 0);
	IS(getsockname(fd, (struct sockaddr *)sin, &len), 0);
	return fd;
}

/* An endpoint has the rights of the task that opened it, whichever task asks. */
static inline void rights_of_opener(unsigned short port)
{
	struct sockaddr_in sin = loopback(port);
	int roots = endpoint(), users;

	IS(seteuid(65534), 0);
	users = endpoint();
	send_bind(roots, &sin);
	receive_prim(roots, T_BIND_ACK);
	close(roots);
	IS(seteuid(0), 0);
	send_bind(users, &sin);
	receive_error(users, T_BIND_REQ, TACCES, 0);
	close(users);
}

#endif /* UDP_TPI_H */
