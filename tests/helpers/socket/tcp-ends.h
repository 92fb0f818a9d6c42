/* SPDX-License-Identifier: GPL-2.0-only */
/* tcp-ends.h - connections of which either end is a socket or an endpoint */
#ifndef TCP_ENDS_H
#define TCP_ENDS_H

#include "tcp-same.h"

#include <stropts.h>
#include <sys/tihdr.h>
#include <xti.h>

/* Given as a protocol: the end is an endpoint of /dev/streams/tcp or tcp6. */
#define ENDPOINT	(-1)

/* The most bytes that one putmsg() to an endpoint takes */
#define TIDU		65536

static inline int endpoint_open(void)
{
	int fd = t_open(spelling == AS_INET ? "/dev/streams/tcp" : "/dev/streams/tcp6", O_RDWR,
			NULL);

	TRUE(fd >= 0);
	return fd;
}

/* Binds an endpoint to the loopback address, and returns its address. */
static inline struct name endpoint_bind(int fd, int qlen)
{
	struct name at = spelled(inet(INADDR_LOOPBACK, 0));
	struct t_bind req = { .addr = { sizeof(at.in6), at.len, &at }, .qlen = qlen };
	struct t_bind got = { .addr = { sizeof(at.in6), 0, &at } };

	TRUE(!t_bind(fd, &req, &got));
	at.len = got.addr.len;
	return at;
}

/* Makes an end that listens, and returns its address. */
static inline struct name end_listen(int proto, int *fd)
{
	if (proto == ENDPOINT) {
		*fd = endpoint_open();
		return endpoint_bind(*fd, 1);
	}
	*fd = stream_of(proto, 0);
	bind_local(*fd);
	TRUE(!listen(*fd, 1));
	return spelled(name_of(*fd));
}

static inline int end_connect(int proto, struct name at)
{
	struct t_call call = { .addr = { at.len, at.len, &at } };
	int fd;

	if (proto == ENDPOINT) {
		fd = endpoint_open();
		TRUE(!t_bind(fd, NULL, NULL));
		TRUE(!t_connect(fd, &call, NULL));
	} else {
		fd = stream_of(proto, 0);
		TRUE(!connect(fd, &at.sa, at.len));
	}
	return fd;
}

static inline int end_accept(int proto, int listener)
{
	struct t_call *call;
	int fd;

	if (proto != ENDPOINT) {
		fd = accept(listener, NULL, NULL);
		TRUE(fd >= 0);
		return fd;
	}
	call = t_alloc(listener, T_CALL, T_ALL);
	TRUE(call && !t_listen(listener, call));
	fd = endpoint_open();
	TRUE(!t_accept(listener, fd, call));
	t_free(call, T_CALL);
	return fd;
}

/* Makes a connection as connected() does, of ends of the two protocols. */
static inline void ends_connected(int fds[2], bool asks)
{
	const int proto[2] = { proto_a, proto_b };
	int listener;
	struct name at = end_listen(proto[asks], &listener);

	fds[!asks] = end_connect(proto[!asks], at);
	fds[asks] = end_accept(proto[asks], listener);
	close(listener);
}

/* Sends bytes by a T_DATA_REQ or T_EXDATA_REQ. */
static inline ssize_t endpoint_put(int fd, t_scalar_t type, bool more, const void *data,
				   size_t len)
{
	struct T_data_req req = { .PRIM_type = type, .MORE_flag = more };
	struct strbuf ctl = { .len = sizeof(req), .buf = (char *)&req };
	struct strbuf body = { .len = len, .buf = (char *)data };

	return putmsg(fd, &ctl, &body, 0) ? -1 : (ssize_t)len;
}

/*
 * Receives what one getmsg() gives; *type is set to the primitive, or to 0 if the bytes
 * are the rest of a message. Returns the bytes, or -1.
 */
static inline ssize_t endpoint_get(int fd, t_scalar_t *type, void *data, size_t len)
{
	union T_primitives prim = {};
	struct strbuf ctl = { .maxlen = sizeof(prim), .buf = (char *)&prim };
	struct strbuf body = { .maxlen = len, .buf = data };
	int flags = 0;

	*type = 0;
	if (getmsg(fd, &ctl, &body, &flags) < 0)
		return -1;
	if (ctl.len > 0)
		*type = prim.type;
	return body.len > 0 ? body.len : 0;
}

static inline void endpoint_ordrel(int fd)
{
	struct T_ordrel_req req = { .PRIM_type = T_ORDREL_REQ };
	struct strbuf ctl = { .len = sizeof(req), .buf = (char *)&req };

	TRUE(!putmsg(fd, &ctl, NULL, 0));
}

/* Ends what an end sends. */
static inline void end_shutdown(int proto, int fd)
{
	if (proto == ENDPOINT)
		endpoint_ordrel(fd);
	else
		TRUE(!shutdown(fd, SHUT_WR));
}

#endif /* TCP_ENDS_H */
