/* SPDX-License-Identifier: GPL-2.0-only */
/* tpi-loop.h - primitives to and from the loopback transports */
#ifndef TPI_LOOP_H
#define TPI_LOOP_H

#include "tpi-test.h"

#define TICLTS		"/dev/streams/ticlts"
#define TICOTS		"/dev/streams/ticots"
#define TICOTSORD	"/dev/streams/ticotsord"

static inline int endpoint(const char *device)
{
	int fd = open(device, O_RDWR | O_CLOEXEC);

	TRUE(fd >= 0);
	return fd;
}

/* Checks the bytes at an offset of the message received last. */
static inline void has_bytes(int offset, int length, const char *want)
{
	IS(length, strlen(want));
	TRUE(offset >= 0 && offset + length <= in.ctl_len);
	TRUE(!memcmp(in.ctl + offset, want, length));
}

static inline void has_data(const char *want)
{
	IS(in.data_len, want ? (int)strlen(want) : -1);
	if (want)
		TRUE(!memcmp(in.data, want, in.data_len));
}

static inline void send_bind(int fd, const char *addr, int qlen)
{
	int len = addr ? strlen(addr) : 0;

	out.prim.bind_req = (struct T_bind_req){
		.PRIM_type = T_BIND_REQ,
		.ADDR_length = len,
		.ADDR_offset = sizeof(out.prim.bind_req),
		.CONIND_number = qlen,
	};
	if (addr)
		memcpy(out.bytes + sizeof(out.prim.bind_req), addr, len);
	IS(send_prim(fd, sizeof(out.prim.bind_req) + len, NULL, 0, 0), 0);
}

/* Returns an endpoint bound to addr; NULL: to any address. */
static inline int bound(const char *device, const char *addr, int qlen)
{
	int fd = endpoint(device);

	send_bind(fd, addr, qlen);
	receive_prim(fd, T_BIND_ACK);
	IS(in.hipri, 1);
	IS(in.prim.bind_ack.CONIND_number, qlen);
	if (addr)
		has_bytes(in.prim.bind_ack.ADDR_offset,
			  in.prim.bind_ack.ADDR_length, addr);
	return fd;
}

static inline void send_conn_req(int fd, const char *addr, const char *data)
{
	out.prim.conn_req = (struct T_conn_req){
		.PRIM_type = T_CONN_REQ,
		.DEST_length = strlen(addr),
		.DEST_offset = sizeof(out.prim.conn_req),
	};
	memcpy(out.bytes + sizeof(out.prim.conn_req), addr, strlen(addr));
	IS(send_prim(fd, sizeof(out.prim.conn_req) + strlen(addr), data,
		     data ? strlen(data) : 0, 0), 0);
}

/* Sends a T_CONN_REQ and receives its acknowledgement. */
static inline void call(int fd, const char *addr)
{
	send_conn_req(fd, addr, NULL);
	receive_ok(fd, T_CONN_REQ);
}

/* Checks that the next message is a T_CONN_IND. Returns its SEQ_number. */
static inline int called(int fd)
{
	receive_prim(fd, T_CONN_IND);
	return in.prim.conn_ind.SEQ_number;
}

static inline void send_conn_res(int fd, unsigned int acceptor, int seq,
				 const char *data)
{
	out.prim.conn_res = (struct T_conn_res){
		.PRIM_type = T_CONN_RES,
		.ACCEPTOR_id = acceptor,
		.SEQ_number = seq,
	};
	IS(send_prim(fd, sizeof(out.prim.conn_res), data,
		     data ? strlen(data) : 0, 0), 0);
}

static inline int put_data(int fd, int type, const void *data, int len, int more)
{
	return put_data_flags(fd, type, more, data, len);
}

static inline void send_ordrel(int fd)
{
	out.prim.type = T_ORDREL_REQ;
	IS(send_prim(fd, sizeof(out.prim.ordrel_req), NULL, 0, 0), 0);
}

/*
 * Makes two endpoints with a connection; the second one has listened, and
 * accepted the connection itself.
 */
static inline void connected(const char *device, int fds[2])
{
	static int serial;
	char addr[20];
	int seq;

	snprintf(addr, sizeof(addr), "pair %d", serial++);
	fds[0] = bound(device, NULL, 0);
	fds[1] = bound(device, addr, 1);
	call(fds[0], addr);
	seq = called(fds[1]);
	send_conn_res(fds[1], acceptor_id(fds[1]), seq, NULL);
	receive_ok(fds[1], T_CONN_RES);
	receive_prim(fds[0], T_CONN_CON);
}

/* Returns whether M_ERROR has ended the stream, which is final. */
static inline bool is_ended(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && p.revents & POLLERR;
}

#endif /* TPI_LOOP_H */
