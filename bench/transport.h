/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * transport.h - transports of messages, as the measurements use them
 *
 * A channel has an end that sends and an end that receives; both are made in
 * one process, and fork() gives them to two. A new transport is a struct
 * transport of its own in a table.
 */
#ifndef BENCH_TRANSPORT_H
#define BENCH_TRANSPORT_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/* The ports of both families are at the same place. */
union address {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/* The user's options that concern transports. */
struct transport_options {
	int push;		/* nullmods pushed on the stream */
	int hiwat;		/* bytes a channel holds; 0: its default */
	bool inet6;		/* sockets, tpi: over IPv6 */
	bool connect;		/* datagrams: connect the sender, and send() */
	bool sctp;		/* connections: of SCTP, else of TCP */
	const char *link;	/* frames: the sender's device; NULL: loopback */
	const char *peer;	/* ... and the receiver's */
	const char *netns;	/* the receiver is in this namespace, ip-netns(8) */
	const char *address;	/* ... where UDP receives at this address */
};

struct channel {
	const struct transport *transport;
	const struct transport_options *options;
	int tx;
	int rx;
	union address to;	/* of datagrams: where rx is bound */
	unsigned char frame_to[8];	/* of frames: where rx is bound */
	int frame_link;		/* ... the sender's device */
	int map;		/* of sockets that BPF joins */
	bool more;		/* another message follows this one at once */
	size_t sent;		/* bytes of a TSDU that has not ended */
	unsigned long calls;	/* system calls made by send and receive */
};

struct transport {
	const char *name;
	const char *what;	/* for --help */
	bool lossy;		/* messages that find no room are lost */
	bool waits;		/* for timers of the protocol's, in turn too */
	size_t most;		/* bytes in one message; 0: no limit */
	/* Returns 0, or -1 with errno. */
	int (*open)(struct channel *c);
	/* send() sends all of the data. */
	void (*send)(struct channel *c, const void *data, size_t len);
	/* receive() takes one message, or @len bytes of a byte stream. */
	size_t (*receive)(struct channel *c, void *data, size_t len);
	void (*close)(struct channel *c);
};

/* Finds a transport in a table, whose last row has no name; NULL. */
const struct transport *transport_find(const struct transport *table, const char *name);

/* Opens the channel, or ends the program. */
void channel_open(struct channel *c, const struct transport *t,
		  const struct transport_options *options);
static inline void channel_close(struct channel *c)
{
	c->transport->close(c);
}

/* The tables use these functions, which most transports share. */
extern const struct sockaddr_in any_port;	/* of 127.0.0.1 */
extern const struct sockaddr_in6 any_port6;	/* of ::1 */
/* Returns the address to send from to this one. */
struct sockaddr_in beside(struct sockaddr_in sin);
void close_both(struct channel *c);
int push_modules(int fd, int count);
void grow_sockets(struct channel *c);
/* Enters the receiver's namespace; returns a descriptor of the old one, -1: none. */
int namespace_enter(const struct transport_options *o);
void namespace_leave(int back);

#endif /* BENCH_TRANSPORT_H */
