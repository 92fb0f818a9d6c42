/* SPDX-License-Identifier: GPL-2.0-only */
/* A STREAMS socket: a sock of the kernel's UDP, its datagrams carried by us */
#ifndef _SOCKET_SOCK_H
#define _SOCKET_SOCK_H

#include <linux/container_of.h>
#include <linux/udp.h>
#include <net/inet_sock.h>
#include <net/rps.h>

#include "streams/head/stat.h"
#include "udp/udp.h"

struct seq_file;
struct socket;
struct strsock_head;

struct strsock {
	struct udp_sock udp;	/* has to be the first member */
	struct strudp_cache cache;
	struct str_entry entry;	/* its line in /proc/streams/open */
	struct strsock_head *head;	/* its stream; NULL: it has none */
	bool native;		/* it may get none: see strsock_head_exclude() */
};

static inline struct strsock *strsock_sk(struct sock *sk)
{
	return container_of(sk, struct strsock, udp.inet.sk);
}

/* Returns the sock's stream, for a caller that holds the socket's file or is under RCU. */
static inline struct strsock_head *strsock_head_of(struct sock *sk)
{
	/* The pointer is set once, after its contents, and freed with the socket. */
	return smp_load_acquire(&strsock_sk(sk)->head);
}

/*
 * Returns the stream for code called through the socket's hook or its
 * operations, which were read first; NULL in a hook: the socket is being
 * closed.
 */
static inline struct strsock_head *strsock_its_head(struct sock *sk)
{
	/* The barrier is the other half of that in head_publish(), head_life.c. */
	smp_rmb();
	return strsock_head_of(sk);
}

/* The protocols of STREAMS sockets, of AF_INET and of AF_INET6. */
extern struct proto strsock_udp_prot, strsock_udp6_prot;

/* Gives a sock a port that the kernel chooses. 0 or -EAGAIN. */
int strsock_autobind(struct sock *sk);

/* The kernel gives a sock without a port one before it sends. */
static inline int strsock_send_prepare(struct sock *sk)
{
	sock_rps_record_flow(sk);
	return likely(READ_ONCE(inet_sk(sk)->inet_num)) ? 0 :
							  strsock_autobind(sk);
}

/*
 * Makes a new sock, which the kernel has initialised as its own UDP's, a
 * STREAMS socket.
 */
void strsock_begin(struct sock *sk);
/* Makes the sock no STREAMS socket any more; may be called again. May sleep. */
void strsock_forget(struct sock *sk);
/*
 * Makes a protocol count its socks together with another's. Returns the value
 * to restore at the end.
 */
unsigned int strsock_proto_share(struct proto *prot, const struct proto *with);
void strsock_proto_unshare(struct proto *prot, unsigned int own);

/* Shows which stream a socket is, as its show_fdinfo operation. */
void strsock_fdinfo(struct seq_file *m, struct socket *sock);

int strsock_release(struct socket *sock);

#endif /* _SOCKET_SOCK_H */
