/* SPDX-License-Identifier: GPL-2.0-only */
/* inet.h - primitives to and from the providers over kernel sockets */
#ifndef INET_H
#define INET_H

/* The device that endpoint() opens. */
static const char *inet_device = "/dev/streams/tcp";

#define DEVICE inet_device

#include "udp-tpi.h"

#include <linux/sockios.h>
#include <netinet/tcp.h>

/* Checks the data of the message received last. */
#define DATA_IS(text) do {						\
	IS(in.data_len, strlen(text));					\
	TRUE(!memcmp(in.data, text, strlen(text)));			\
} while (0)

/* Waits until an endpoint is in a state that it reaches by itself. */
static inline void becomes(int fd, int state)
{
	UNTIL(state_of(fd) == state);
}

/* Binds an endpoint so that it listens. Returns its address. */
static inline struct sockaddr_in listen_at(int fd, const struct sockaddr_in *at,
					   unsigned int qlen)
{
	struct T_bind_req *req = &out.prim.bind_req;

	*req = (struct T_bind_req){
		.PRIM_type = T_BIND_REQ,
		.ADDR_length = sizeof(*at),
		.ADDR_offset = sizeof(*req),
		.CONIND_number = qlen,
	};
	memcpy(req + 1, at, sizeof(*at));
	IS(send_prim(fd, sizeof(*req) + sizeof(*at), NULL, 0, 0), 0);
	receive_prim(fd, T_BIND_ACK);
	IS(in.prim.bind_ack.CONIND_number, qlen);
	return address(in.prim.bind_ack.ADDR_offset, in.prim.bind_ack.ADDR_length);
}

static inline int listener(struct sockaddr_in *sin, unsigned int qlen)
{
	int fd = endpoint();

	*sin = loopback(0);
	*sin = listen_at(fd, sin, qlen);
	TRUE(sin->sin_port);
	return fd;
}

static inline void put_conn_req(int fd, const struct sockaddr_in *to)
{
	struct T_conn_req *req = &out.prim.conn_req;

	*req = (struct T_conn_req){
		.PRIM_type = T_CONN_REQ,
		.DEST_length = sizeof(*to),
		.DEST_offset = sizeof(*req),
	};
	memcpy(req + 1, to, sizeof(*to));
	IS(send_prim(fd, sizeof(*req) + sizeof(*to), NULL, 0, 0), 0);
}

static inline void connect_to(int fd, const struct sockaddr_in *to)
{
	struct sockaddr_in sin;

	put_conn_req(fd, to);
	receive_ok(fd, T_CONN_REQ);
	receive_prim(fd, T_CONN_CON);
	IS(in.hipri, 0);
	sin = address(in.prim.conn_con.RES_offset, in.prim.conn_con.RES_length);
	IS(sin.sin_port, to->sin_port);
	IS(sin.sin_addr.s_addr, to->sin_addr.s_addr);
}

/* Returns an endpoint that is bound and connected. */
static inline int connected(const struct sockaddr_in *to)
{
	int fd = endpoint();

	bind_to(fd, NULL);
	connect_to(fd, to);
	return fd;
}

/* Returns the sequence number of the connection indicated next. */
static inline int receive_conn_ind(int fd, struct sockaddr_in *from)
{
	struct sockaddr_in sin;

	receive_prim(fd, T_CONN_IND);
	sin = address(in.prim.conn_ind.SRC_offset, in.prim.conn_ind.SRC_length);
	if (from)
		*from = sin;
	return in.prim.conn_ind.SEQ_number;
}

static inline void put_conn_res(int fd, int seq, unsigned int acceptor)
{
	out.prim.conn_res = (struct T_conn_res){
		.PRIM_type = T_CONN_RES,
		.ACCEPTOR_id = acceptor,
		.SEQ_number = seq,
	};
	IS(send_prim(fd, sizeof(out.prim.conn_res), NULL, 0, 0), 0);
}

static inline void accept_on(int fd, int seq, int acceptor)
{
	put_conn_res(fd, seq, acceptor_id(acceptor));
	receive_ack(fd, T_OK_ACK);
	IS(in.prim.ok_ack.CORRECT_prim, T_CONN_RES);
}

static inline void put_data(int fd, const char *text)
{
	IS(put_data_flags(fd, T_DATA_REQ, 0, text, strlen(text)), 0);
}

static inline void receive_data(int fd, const char *text)
{
	receive_prim(fd, T_DATA_IND);
	IS(in.hipri, 0);
	DATA_IS(text);
}

static inline void put_discon(int fd, int seq)
{
	send_discon_req(fd, seq, NULL);
}

/*
 * Waits until the data of a connection has arrived or has no room: the number
 * of bytes that wait (SIOCINQ, SIOCOUTQ) does not change any more. No event
 * reports that.
 */
static inline void settles(int sock, int request)
{
	int last = -1, now, same = 0;

	for (; same < 20; same = now == last ? same + 1 : 0, last = now) {
		IS(ioctl(sock, request, &now), 0);
		usleep(10000);
	}
}

/* Makes a native socket that listens, and one that connects to it. */
static inline int native_listener(struct sockaddr_in *sin, int protocol)
{
	socklen_t len = sizeof(*sin);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, protocol);

	TRUE(fd >= 0);
	*sin = loopback(0);
	IS(bind(fd, (struct sockaddr *)sin, len), 0);
	IS(listen(fd, 64), 0);
	IS(getsockname(fd, (struct sockaddr *)sin, &len), 0);
	return fd;
}

static inline int native_connect(const struct sockaddr_in *to, int protocol)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, protocol);

	TRUE(fd >= 0);
	IS(connect(fd, (struct sockaddr *)to, sizeof(*to)), 0);
	return fd;
}

static inline int native_accept(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int conn;

	IS(poll(&p, 1, WAIT_MS), 1);
	conn = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
	TRUE(conn >= 0);
	return conn;
}

/* Checks that exactly these bytes arrive, and no more yet. */
static inline void native_receive(int fd, const char *text)
{
	char buf[256];

	IS(recv(fd, buf, strlen(text), MSG_WAITALL), strlen(text));
	TRUE(!memcmp(buf, text, strlen(text)));
}

/* Makes a connection with a stream at one end, and a socket at the other. */
static inline void socket_pair(int *stream, int *sock, int protocol)
{
	struct sockaddr_in sin;
	int fd = native_listener(&sin, protocol);

	*stream = connected(&sin);
	*sock = native_accept(fd);
	close(fd);
}

static inline void native_reset(int fd)
{
	struct linger linger = { .l_onoff = 1 };

	IS(setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)), 0);
	close(fd);
}

#endif /* INET_H */
