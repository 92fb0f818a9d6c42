/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sock.h - transport providers that the library makes of the kernel's sockets
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
#ifndef _LIBXTI_SOCK_H
#define _LIBXTI_SOCK_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "core/carrier.h"

#define SOCK_ADDR_MAX	128	/* bytes of the longest address */
#define SOCK_OPT_SIZE	512	/* bytes of all options: OPT_size */
#define SOCK_UDATA_MAX	1024	/* bytes sent with connecting, disconnecting */
#define SOCK_NO_SEQ	(-1)	/* a SEQ_number that no connection has */

struct sock_end;
struct sock_opts;

/* An address as the user has it. */
struct sock_addr {
	socklen_t len;
	union {
		char bytes[SOCK_ADDR_MAX];
		struct sockaddr sa;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	};
};

/* Functions shared by providers of one service. All are called as the carrier's. */
struct sock_service {
	int (*front)(struct endpoint *ep, int *type);
	int (*take)(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
		    size_t size);
	int (*send)(struct endpoint *ep, struct tpi_out *out);
	/* NULL: until the socket is writable. */
	int (*await_room)(struct endpoint *ep, const struct tpi_out *out,
			  unsigned int woken);
	/* poll()'s events of input. */
	int (*input)(const struct sock_end *s);
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
	bool told;
	bool looked;			/* ... has been told that there was nothing */
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

	/* Under "in", or while there is no connection and "gate" is held: */
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

/* sock.c: making and knowing endpoints */

/* A socket for a provider's name, or TBADNAME; TSYSERR. */
LOCAL int sock_open(const char *name, int oflag, int *fd);
/* Marks a socket as one of this library's; -1 with errno. */
LOCAL int sock_mark(int fd, const struct sock_kind *kind);
/* A new socket of that kind. -1 with errno. */
LOCAL int sock_make(const struct sock_kind *kind, int protocol);
/*
 * Puts a socket in the place of the endpoint's, whose number and flags it gets;
 * the original descriptor is closed. TBADF when another thread has closed the
 * endpoint.
 */
LOCAL int sock_replace(struct endpoint *ep, int fd);
/* A fresh socket with the options of the endpoint's, in its place; or TSYSERR. */
LOCAL int sock_renew(struct endpoint *ep, int protocol);
/* Whether it is a socket at all. */
LOCAL int sock_type(int fd, int *type);
/* The error for errno after a call on the socket: TBADF, again for EAGAIN, or TSYSERR. */
LOCAL int sock_errno(int again);
/* Copies a user's address; TBADADDR: it is not one of that kind of socket. */
LOCAL int sock_addr_of(const struct sock_kind *kind, const struct netbuf *from,
		       struct sock_addr *addr);

/* learn.c: makes the state that of the kernel's socket. */
LOCAL void sock_learn(struct endpoint *ep);
/* TCP's state of a connection: TCP_ESTABLISHED ...; 0: it is not known. */
LOCAL int sock_tcp_state(int fd);

/* After fork(): no other thread has its lock there. */
static inline void sock_in_child(struct sock_end *s)
{
	atomic_store(&s->lock.word, 0);
}

/* addr.c: T_BIND_REQ, T_UNBIND_REQ, T_ADDR_REQ */
LOCAL int sock_bind(struct endpoint *ep, const struct tpi_req *req,
		    struct tpi_msg *ack);
LOCAL int sock_unbind(struct endpoint *ep);
LOCAL int sock_addr(struct endpoint *ep, struct tpi_msg *ack);
/* Gives the socket the endpoint's address, if it has to have it; errno or 0. */
LOCAL int sock_rebind(struct endpoint *ep);
LOCAL bool sock_name(int fd, struct sock_addr *addr);
LOCAL bool sock_peer(int fd, struct sock_addr *addr);

/* conn.c: T_CONN_REQ, T_CONN_RES, T_DISCON_REQ; listen.c */
LOCAL int sock_conn_req(struct endpoint *ep, const struct tpi_req *req);
LOCAL int sock_conn_res(struct endpoint *ep, const struct tpi_req *req);
LOCAL int sock_discon_req(struct endpoint *ep, const struct tpi_req *req);
/* The connection has ended; abort: the peer is informed. */
LOCAL void sock_conn_over(struct endpoint *ep, bool abort);
LOCAL int sock_conn_front(struct endpoint *ep, int *type);
LOCAL int sock_conn_take(struct endpoint *ep, int type, struct tpi_msg *msg);
LOCAL int sock_take_release(struct endpoint *ep, struct tpi_msg *msg);
LOCAL int sock_listen_front(struct endpoint *ep, int *type);
LOCAL int sock_listen_take(struct endpoint *ep, int type, struct tpi_msg *msg,
			   void *data, size_t size);
LOCAL struct sock_pending *sock_pending_find(struct sock_end *s, t_scalar_t seq);
LOCAL void sock_pending_drop(struct sock_end *s, struct sock_pending *p);
LOCAL void sock_abort(int fd);

/* data.c, dgram.c */
LOCAL extern const struct sock_service sock_conn_service;
LOCAL extern const struct sock_service sock_dgram_service;
LOCAL void sock_dgram_forget(struct sock_end *s);
LOCAL void sock_add_uderr(struct sock_end *s, const struct sock_addr *dest,
			  int error);
/* Takes the data that the reader of a message left; TNODATA. */
LOCAL int sock_take_rest(struct sock_end *s, struct tpi_msg *msg, void *data,
			 size_t size);
typedef int sock_datagram_fn(struct endpoint *ep, struct tpi_msg *msg, void *data,
			     size_t size);
/* The carrier's take() of datagrams; datagram: takes one from the socket. */
LOCAL int sock_dgram_take(struct endpoint *ep, int type, struct tpi_msg *msg, void *data,
			  size_t size, sock_datagram_fn *datagram);

/* loop/conn.c, loop/dgram.c */
LOCAL extern const struct sock_service sock_loop_service, sock_loop_dgram_service;

/* option.c */
LOCAL int sock_optmgmt(struct endpoint *ep, const struct tpi_req *req,
		       struct tpi_msg *ack);
/* Sets the options that come with a connection: TBADOPT. */
LOCAL int sock_opt_apply(struct endpoint *ep, int fd, const struct netbuf *opt);
LOCAL void sock_opt_copy(struct endpoint *ep, int to);
LOCAL extern const struct sock_opts sock_tcp_opts, sock_tcp6_opts, sock_udp_opts,
	sock_udp6_opts, sock_raw_opts, sock_raw6_opts, sock_loop_opts;
/* Whether datagrams come with options, as the socket's options say. */
LOCAL bool sock_opt_controls(const struct sock_kind *kind, int fd);

/* cmsg.c: options of datagrams, as control messages */
LOCAL int sock_cmsg_make(const struct sock_kind *kind, const void *opt, size_t len,
			 struct msghdr *msg, size_t room, bool mapped, int *flags);
LOCAL size_t sock_cmsg_options(const struct sock_kind *kind, struct msghdr *msg,
			       char *to, size_t room);

/* An answer or indication, whose primitive follows; its parts come behind that. */
static inline void *sock_fill(struct tpi_msg *msg, size_t size)
{
	msg->len = size;
	return msg->prim;
}

/* Appends bytes; returns their offset, or 0 if there are none. */
LOCAL t_scalar_t sock_append(struct tpi_msg *msg, const void *from, size_t len);

#endif /* _LIBXTI_SOCK_H */
