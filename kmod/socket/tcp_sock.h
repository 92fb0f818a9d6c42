/* SPDX-License-Identifier: GPL-2.0-only */
/* A STREAMS socket of TCP: what it has beside the kernel's sock */
#ifndef _SOCKET_TCP_SOCK_H
#define _SOCKET_TCP_SOCK_H

#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/refcount.h>
#include <net/sock.h>

#include "streams/head/ring.h"
#include "streams/head/stat.h"

struct strsock_tcp_head;

/* The two ends of a connection, as the end that has them in this order sees them. */
struct strsock_tcp_names {
	struct in6_addr local;		/* of IPv4 a mapped address */
	struct in6_addr remote;
	__be16 local_port;
	__be16 remote_port;
};

/*
 * Each end of a connection has the ring of what it receives the short way. Its peer
 * writes into the ring under the peer's socket lock and write_mutex; its readers hold
 * read_mutex, also when they read what TCP brought.
 */
struct strsock_tcp {
	refcount_t users;		/* the socket, and its peer */
	struct sock *sk;		/* held: it may lose its socket */
	struct strsock_tcp_head *head;	/* its stream, set once; NULL: it has none */
	struct str_entry entry;		/* its line in /proc/streams/open */
	/*
	 * The other end of the connection on this host, held; set once, and NULL before.
	 */
	struct strsock_tcp *peer;
	bool listed;			/* it is a socket of users, not of an endpoint */
	bool local;			/* it may get one: its route is on this host */
	bool gone;			/* it was closed */
	int disconnects;		/* of the sock, before the connection was made */
	bool readers_know;		/* of the peer: all its readers do, see tcp_send.c */
	bool mapped;			/* its program maps what TCP brings */
	u8 skipped;			/* messages since it looked for obstacles last */
	u8 obstacle;			/* the reason for which it sent by TCP, of tcp_way.c */
	u32 seen;			/* by rules of netfilter, in tcp_jiffies32 */
	u32 start;			/* the ring's bytes precede this sequence number */
	u64 arrived;			/* bytes that the peer put into the ring, ever */
	u64 counted;			/* of those, the ones that TCP_INFO has counted */
	u32 arrived_at;			/* when the last did, in tcp_jiffies32 */
	struct mutex read_mutex;
	struct hlist_node node;		/* in the table of ends without peer */
	struct strsock_tcp_names names;
	struct strring ring;
};

/* Returns the end of a socket; NULL: it is not in use yet, or there was no memory. */
static inline struct strsock_tcp *strsock_tcp_of(struct socket *sock)
{
	/*
	 * Acquire: the end's contents are read after the pointer. The inode's pointer is free
	 * for the socket's operations.
	 */
	return smp_load_acquire((struct strsock_tcp **)&SOCK_INODE(sock)->i_private);
}

/* Returns the other end of the connection, if it may be sent to the short way. */
static inline struct strsock_tcp *strsock_tcp_peer(const struct strsock_tcp *s)
{
	/* Acquire: the end's contents are read after the pointer. */
	return smp_load_acquire(&s->peer);
}

/*
 * Returns whether an end is no longer that of its connection: it was closed, or the sock
 * was disconnected, as connect() does when asked to and after a failure.
 */
static inline bool strsock_tcp_is_gone(const struct strsock_tcp *s)
{
	return READ_ONCE(s->gone) || READ_ONCE(s->sk->sk_disconnects) != s->disconnects;
}

/* Bytes that a ring holds at first, and once it was full. */
#define STRSOCK_RING_LEAST	(RING_PAGES * PAGE_SIZE)
#define STRSOCK_RING_MOST	(1024ul * 1024)

/*
 * Returns how many bytes may wait the short way between two socks: no more than the
 * administrator lets a buffer have, or than a program has asked for.
 */
static inline unsigned long strsock_tcp_limit(const struct sock *from, const struct sock *to)
{
	unsigned long limit = STRSOCK_RING_MOST;

	limit = min_t(unsigned long, limit, READ_ONCE(sock_net(from)->ipv4.sysctl_tcp_wmem[2]));
	limit = min_t(unsigned long, limit, READ_ONCE(sock_net(to)->ipv4.sysctl_tcp_rmem[2]));
	if (unlikely(from->sk_userlocks & SOCK_SNDBUF_LOCK))
		limit = min_t(unsigned long, limit, READ_ONCE(from->sk_sndbuf));
	if (unlikely(to->sk_userlocks & SOCK_RCVBUF_LOCK))
		limit = min_t(unsigned long, limit, READ_ONCE(to->sk_rcvbuf));
	return limit;
}

struct strsock_tcp *strsock_tcp_begin(struct socket *sock,
				      void (*show)(struct seq_file *m, struct str_entry *e));
void __init strsock_tcp_sock_init(void);
void strsock_tcp_meet(struct strsock_tcp *s);
bool strsock_tcp_leave(struct strsock_tcp *s);
void strsock_tcp_put(struct strsock_tcp *s);

#endif /* _SOCKET_TCP_SOCK_H */
