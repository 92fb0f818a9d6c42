/* SPDX-License-Identifier: GPL-2.0-only */
/* tpi-test.h - primitives to and from a transport provider, whichever it is */
#ifndef TPI_TEST_H
#define TPI_TEST_H

#include "streams-test.h"

#include <sys/ioctl.h>
#include <sys/tihdr.h>
#include <sys/xti_inet.h>

#define WAIT_MS		WAIT_LIMIT_MS
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* The message received last */
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

/* The primitive to send next; appended parts follow its fixed part. */
static union {
	union T_primitives prim;
	char bytes[4096];
} out;

static inline int send_prim(int fd, int size, const void *data, int len,
			    int flags)
{
	struct strbuf c = { .len = size, .buf = out.bytes };
	struct strbuf d = { .len = len, .buf = (char *)data };

	return putmsg(fd, &c, data ? &d : NULL, flags);
}

/* Sends a primitive that has only its type. */
static inline void put_simple(int fd, int type)
{
	out.prim.type = type;
	IS(send_prim(fd, sizeof(out.prim.type), NULL, 0, 0), 0);
}

/* Takes the next message. Returns false if no message came in time. */
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

/* Checks that there is no message to read. */
static inline void receive_none(int fd)
{
	TRUE(!arrives(fd, 0));
}

/*
 * Receives an acknowledgement, which comes before all messages that wait, but
 * maybe not yet.
 */
static inline void receive_ack(int fd, int type)
{
	struct pollfd p = { .fd = fd, .events = POLLPRI };

	IS(poll(&p, 1, WAIT_MS), 1);
	receive_prim(fd, type);
	IS(in.hipri, 1);
}

static inline int state_of(int fd)
{
	out.prim.type = T_INFO_REQ;
	IS(send_prim(fd, sizeof(out.prim.type), NULL, 0, RS_HIPRI), 0);
	receive_ack(fd, T_INFO_ACK);
	return in.prim.info_ack.CURRENT_state;
}

/* Returns the number by which a T_CONN_RES names a stream. */
static inline unsigned int acceptor_id(int fd)
{
	out.prim.capability_req = (struct T_capability_req){
		.PRIM_type = T_CAPABILITY_REQ,
		.CAP_bits1 = TC1_ACCEPTOR_ID,
	};
	IS(send_prim(fd, sizeof(out.prim.capability_req), NULL, 0, RS_HIPRI), 0);
	receive_ack(fd, T_CAPABILITY_ACK);
	IS(in.prim.capability_ack.CAP_bits1, TC1_ACCEPTOR_ID);
	TRUE(in.prim.capability_ack.ACCEPTOR_id);
	return in.prim.capability_ack.ACCEPTOR_id;
}

/* Sends T_DATA_REQ or T_EXDATA_REQ. */
static inline int put_data_flags(int fd, int type, int more, const void *data, int len)
{
	out.prim.data_req = (struct T_data_req){ type, more };
	return send_prim(fd, sizeof(out.prim.data_req), data, len, 0);
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

/* Checks that M_ERROR has ended the stream, which is final. */
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

#endif /* TPI_TEST_H */
