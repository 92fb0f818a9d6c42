/* SPDX-License-Identifier: GPL-2.0-only */
/* tpi-loop.h - primitives to and from the loopback transports */
#ifndef TPI_LOOP_H
#define TPI_LOOP_H

#include "streams-test.h"

#include <sys/ioctl.h>
#include <sys/tihdr.h>
#include <sys/xti_inet.h>

#define TICLTS		"/dev/streams/ticlts"
#define TICOTS		"/dev/streams/ticots"
#define TICOTSORD	"/dev/streams/ticotsord"

#define WAIT_MS		10000
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* The message received last. */
static struct {
	union {
		union T_primitives prim;
		char ctl[8192];
	};
	char data[70000];
	int ctl_len;
	int data_len;
	int hipri;
	int band;
} in;

/* The primitive to send next; after its fixed part comes what is put there. */
static union {
	union T_primitives prim;
	char bytes[4096];
} out;

static inline int endpoint(const char *device)
{
	int fd = open(device, O_RDWR | O_CLOEXEC);

	TRUE(fd >= 0);
	return fd;
}

static inline int send_prim(int fd, int size, const void *data, int len,
			    int flags)
{
	struct strbuf c = { .len = size, .buf = out.bytes };
	struct strbuf d = { .len = len, .buf = (char *)data };

	return putmsg(fd, &c, data ? &d : NULL, flags);
}

/* Takes the next message; false: none came in time. */
static inline bool arrives(int fd, int ms)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = sizeof(in.data), .buf = in.data };
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI | POLLRDBAND };
	int flags = MSG_ANY;

	if (poll(&p, 1, ms) != 1)
		return false;
	memset(&in, 0, sizeof(in.prim));
	IS(getpmsg(fd, &c, &d, &in.band, &flags), 0);
	in.ctl_len = c.len;
	in.data_len = d.len;
	in.hipri = flags == MSG_HIPRI;
	return true;
}

static inline void receive_prim(int fd, int type)
{
	TRUE(arrives(fd, WAIT_MS));
	TRUE(in.ctl_len >= (int)sizeof(in.prim.type));
	IS(in.prim.type, type);
}

static inline void receive_error(int fd, int prim, int tli, int unix_error)
{
	receive_prim(fd, T_ERROR_ACK);
	IS(in.hipri, 1);
	IS(in.ctl_len, sizeof(in.prim.error_ack));
	IS(in.prim.error_ack.ERROR_prim, prim);
	IS(in.prim.error_ack.TLI_error, tli);
	IS(in.prim.error_ack.UNIX_error, unix_error);
}

static inline void receive_ok(int fd, int prim)
{
	receive_prim(fd, T_OK_ACK);
	IS(in.hipri, 1);
	IS(in.prim.ok_ack.CORRECT_prim, prim);
}

/* Nothing is there to be read. */
static inline void receive_none(int fd)
{
	TRUE(!arrives(fd, 0));
}

/* What the message received last has at an offset is this. */
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

static inline int state_of(int fd)
{
	out.prim.type = T_INFO_REQ;
	IS(send_prim(fd, sizeof(out.prim.info_req), NULL, 0, RS_HIPRI), 0);
	receive_prim(fd, T_INFO_ACK);
	return in.prim.info_ack.CURRENT_state;
}

/* By which a T_CONN_RES names a stream. */
static inline unsigned int acceptor_id(int fd)
{
	out.prim.capability_req = (struct T_capability_req){
		.PRIM_type = T_CAPABILITY_REQ,
		.CAP_bits1 = TC1_ACCEPTOR_ID,
	};
	IS(send_prim(fd, sizeof(out.prim.capability_req), NULL, 0, RS_HIPRI), 0);
	receive_prim(fd, T_CAPABILITY_ACK);
	IS(in.prim.capability_ack.CAP_bits1, TC1_ACCEPTOR_ID);
	return in.prim.capability_ack.ACCEPTOR_id;
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

/* A bound endpoint; addr NULL: of any address. */
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

/* ... and its acknowledgment. */
static inline void call(int fd, const char *addr)
{
	send_conn_req(fd, addr, NULL);
	receive_ok(fd, T_CONN_REQ);
}

/* The next message is a T_CONN_IND; returns its SEQ_number. */
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

static inline void send_discon_req(int fd, int seq, const char *data)
{
	out.prim.discon_req = (struct T_discon_req){ T_DISCON_REQ, seq };
	IS(send_prim(fd, sizeof(out.prim.discon_req), data,
		     data ? strlen(data) : 0, 0), 0);
}

static inline void receive_discon(int fd, int reason, int seq)
{
	receive_prim(fd, T_DISCON_IND);
	IS(in.prim.discon_ind.DISCON_reason, reason);
	IS(in.prim.discon_ind.SEQ_number, seq);
}

/* T_DATA_REQ or T_EXDATA_REQ. */
static inline int put_data(int fd, int type, const void *data, int len, int more)
{
	out.prim.data_req = (struct T_data_req){ type, more };
	return send_prim(fd, sizeof(out.prim.data_req), data, len, 0);
}

static inline void send_ordrel(int fd)
{
	out.prim.type = T_ORDREL_REQ;
	IS(send_prim(fd, sizeof(out.prim.ordrel_req), NULL, 0, 0), 0);
}

/*
 * Two endpoints with a connection; the second has listened, and accepted it
 * itself.
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

/* The stream was ended by M_ERROR; it stays so. */
static inline bool is_ended(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && p.revents & POLLERR;
}

static inline void expect_ended(int fd)
{
	struct pollfd p = { .fd = fd, .events = 0 };

	IS(poll(&p, 1, WAIT_MS), 1);
	TRUE(p.revents & POLLERR);
	out.prim.type = T_INFO_REQ;
	FAILS(send_prim(fd, sizeof(out.prim.info_req), NULL, 0, RS_HIPRI),
	      EPROTO);
	close(fd);
}

#endif /* TPI_LOOP_H */
