/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * end.h - endpoints whose provider is made of a socket of the kernel's
 *
 * An endpoint's descriptor is a socket, which the program can wait for. The
 * kernel keeps the state of a socket: its address, its connection, its options,
 * the data that has arrived. The library keeps the rest, for this process, in a
 * struct sock_end: the state that was reported to the endpoint's user,
 * connections that no endpoint has accepted yet, and data that was read from
 * the socket and not delivered yet.
 *
 * Where another socket has to take the descriptor's place, it does so by dup3(),
 * as for t_accept(): see sock_replace().
 */
#ifndef _LIBXTI_SOCK_END_H
#define _LIBXTI_SOCK_END_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "core/endpoint.h"
#include "core/tpi.h"

#define SOCK_ADDR_MAX	128	/* bytes of the longest address */
#define SOCK_OPT_SIZE	512	/* bytes of all options: OPT_size */
#define SOCK_UDATA_MAX	1024	/* bytes sent with connecting, disconnecting */
#define SOCK_NO_SEQ	(-1)	/* a SEQ_number that no connection has */

struct sock_end;
struct sock_opts;

/* An address in the form that the user has */
struct sock_addr {
	socklen_t len;
	union {
		char bytes[SOCK_ADDR_MAX];
		struct sockaddr sa;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	};
};

/*
 * The functions of a provider that depend on its service; each does what the
 * carrier's function of that name does.
 */
struct sock_service {
	int (*peek_type)(struct endpoint *ep, int *type);
	int (*take_message)(struct endpoint *ep, int type, struct tpi_msg *msg,
			    void *data, size_t size);
	int (*send)(struct endpoint *ep, struct tpi_out *out);
	/*
	 * Without this function, NULL, the sender waits until the socket is
	 * writable.
	 */
	int (*await_room)(struct endpoint *ep, const struct tpi_out *out,
			  unsigned int woken);
	/* Returns the events for which poll() waits for input. */
	int (*input_events)(const struct sock_end *s);
};

/* A provider */
struct sock_kind {
	const char *name;		/* below /dev */
	int domain;
	int type;
	int protocol;
	t_scalar_t addr;		/* as in struct T_info_ack */
	t_scalar_t tsdu;
	t_scalar_t etsdu;
	t_scalar_t connect;		/* and DDATA_size */
	t_scalar_t tidu;
	t_scalar_t serv_type;
	t_scalar_t flags;
	const struct sock_service *service;
	const struct sock_opts *opts;
};

/* A connection that a T_CONN_IND reported, or is to report */
struct sock_pending {
	struct sock_pending *next;
	int fd;
	t_scalar_t seq;
	bool reported;			/* by a T_CONN_IND */
	bool told_nothing;		/* the caller knows that no call was found */
	bool silent;			/* the caller has not sent its address yet: ticots */
	struct sock_addr addr;
	size_t udata_len;
	char udata[SOCK_UDATA_MAX];
};

/* A T_UDERROR_IND that waits */
struct sock_uderr {
	struct sock_uderr *next;
	int error;
	struct sock_addr dest;
};

struct sock_end {
	const struct sock_kind *kind;
	atomic_int state;		/* TS_UNBND ... as reported to the user */
	atomic_int lost;		/* errno that ended the connection, or 0 */

	/*
	 * The fields below are used under "in", or under "gate" while there is
	 * no connection.
	 */
	struct sock_addr bound;		/* by T_BIND_REQ */
	struct sock_addr peer;		/* of ticots: the kernel has a name for it */
	bool any_port;			/* which T_BIND_REQ left open */
	bool borrowed;			/* bound belongs to the endpoint that accepted it */
	bool rebind;			/* the socket does not have it yet */
	bool spent;			/* the socket's connection is over */
	unsigned int qlen;
	unsigned int npending;
	unsigned int nsilent;		/* besides those */
	struct sock_pending *pending;	/* oldest first */
	unsigned int last_seq;
	int listening;			/* beside a connection on the same endpoint; -1 */
	unsigned char buffers;		/* SOCK_RCVBUF_SET ...: by the user */
	unsigned int rcvlowat;		/* of connections; without effect */
	bool controls;			/* datagrams come with options */
	int v6only;			/* IPV6_V6ONLY as set last, whatever is bound */
	char *spill;			/* data that a datagram's reader had no room for */
	size_t spilled, spill_at;	/* bytes, and how many of them were read */
	char *gathered;			/* of a record that is not whole, by "out" */
	size_t ngathered;

	struct lock lock;		/* no other is taken with it */
	struct sock_uderr *errors;	/* oldest first */
	atomic_uint nerrors;
};

#define SOCK_RCVBUF_SET	0x1
#define SOCK_SNDBUF_SET	0x2

static inline int sock_state(struct sock_end *s)
{
	return atomic_load_explicit(&s->state, memory_order_relaxed);
}

static inline bool sock_is_inet(const struct sock_kind *kind)
{
	return kind->domain != AF_UNIX;
}

/* Frees the lock after fork(): the child has no other thread that could hold it. */
LOCAL void sock_end_reset_lock(struct endpoint *ep);

/*
 * Finds the socket's type. Returns -1 with errno when the number is not a
 * socket's.
 */
LOCAL int sock_get_type(int fd, int *type);
/* Stores an int option of the socket. Returns -1 with errno on an error. */
LOCAL int sock_get_int(int fd, int level, int name, int *value);
/* Stores the socket's own name. Returns false if the socket has no name. */
LOCAL bool sock_get_name(int fd, struct sock_addr *addr);
/*
 * Stores the name of the socket's peer. Returns false if the socket has no
 * peer.
 */
LOCAL bool sock_get_peer(int fd, struct sock_addr *addr);
/* Returns TCP's state of a connection, TCP_ESTABLISHED ..., or 0 when it is not known. */
LOCAL int sock_get_tcp_state(int fd);
/* Closes a connection that is not needed; the peer is informed. */
LOCAL void sock_abort(int fd);
/* Returns the error for errno after a call on the socket: TBADF, again for EAGAIN, or TSYSERR. */
LOCAL int sock_errno(int again);

/*
 * Copies a user's address. Returns TBADADDR if an address of this kind of
 * socket has another form.
 */
LOCAL int sock_copy_addr(const struct sock_kind *kind, const struct netbuf *from,
			 struct sock_addr *addr);

/* Begins an answer or indication with its primitive; other parts follow it. */
static inline void *sock_fill(struct tpi_msg *msg, size_t size)
{
	msg->len = size;
	return msg->prim;
}

/* Appends bytes to a message. Returns their offset, or 0 for no bytes. */
LOCAL t_scalar_t sock_append(struct tpi_msg *msg, const void *from, size_t len);

#endif /* _LIBXTI_SOCK_END_H */
