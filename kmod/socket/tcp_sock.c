// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ends of TCP connections, and how the two on one host meet
 *
 * An end that is connected to this host waits in a table for the other one, under the
 * names that both know: whichever comes second, in connect() or accept(), finds the first.
 */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <net/dst.h>
#include <net/inet_sock.h>
#include <net/tcp.h>

#include "tcp_sock.h"

static DEFINE_SPINLOCK(meet_lock);	/* protects the table, and the writing of peer */
static DEFINE_HASHTABLE(waiting, 10);
static u32 meet_seed;
/*
 * A connection's ring is locked inside of sock locks, and its holders lock nothing. The writer
 * of a pipe, whose ring is of another class, locks its readers.
 */
static struct lock_class_key ring_key;

/*
 * Gives a socket its end, whose line show() writes, unless another call did; one without
 * show() is not listed. No call of the socket fails for want of memory: without an end it
 * has the kernel's TCP alone, and is in no list.
 */
struct strsock_tcp *strsock_tcp_begin(struct socket *sock,
				      void (*show)(struct seq_file *m, struct str_entry *e))
{
	void **place = &SOCK_INODE(sock)->i_private;
	struct sock *sk = sock->sk;
	struct strsock_tcp *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return NULL;
	refcount_set(&s->users, 1);
	s->sk = sk;
	s->listed = show;
	INIT_HLIST_NODE(&s->node);
	mutex_init(&s->read_mutex);
	ring_begin(&s->ring, STRSOCK_RING_LEAST, &s->read_mutex);
	lockdep_set_class(&s->ring.write_mutex, &ring_key);
	s->ring.charged = sk->sk_prot->memory_allocated;
	if (cmpxchg(place, NULL, s)) {
		ring_free(&s->ring);
		kfree(s);
		return strsock_tcp_of(sock);
	}
	sock_hold(sk);
	if (show)
		str_entry_add(&s->entry, STR_KIND_TCP, show);
	return s;
}

void strsock_tcp_put(struct strsock_tcp *s)
{
	if (!refcount_dec_and_test(&s->users))
		return;
	ring_free(&s->ring);
	mutex_destroy(&s->read_mutex);
	sock_put(s->sk);
	kfree(s);
}

static bool names_init(struct strsock_tcp_names *n, const struct sock *sk)
{
	const struct inet_sock *inet = inet_sk(sk);

	n->local_port = READ_ONCE(inet->inet_sport);
	n->remote_port = READ_ONCE(inet->inet_dport);
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		n->local = sk->sk_v6_rcv_saddr;
		n->remote = sk->sk_v6_daddr;
		return n->local_port && n->remote_port;
	}
#endif
	ipv6_addr_set_v4mapped(inet->inet_rcv_saddr, &n->local);
	ipv6_addr_set_v4mapped(inet->inet_daddr, &n->remote);
	return n->local_port && n->remote_port;
}

static bool names_mirror(const struct strsock_tcp_names *a, const struct strsock_tcp_names *b)
{
	return a->local_port == b->remote_port && a->remote_port == b->local_port &&
	       ipv6_addr_equal(&a->local, &b->remote) &&
	       ipv6_addr_equal(&a->remote, &b->local);
}

/* Ends that mirror each other have the same key, which no user can foresee. */
static u32 names_key(const struct strsock_tcp_names *n)
{
	u32 mixed[4];
	int i;

	for (i = 0; i < 4; i++)
		mixed[i] = (__force u32)(n->local.s6_addr32[i] ^ n->remote.s6_addr32[i]);
	mixed[0] += (__force u32)n->local_port * (__force u32)n->remote_port;
	return jhash2(mixed, ARRAY_SIZE(mixed), meet_seed);
}

/* Returns whether the route of a sock stays on this host. */
static bool sock_is_local(struct sock *sk)
{
	const struct dst_entry *dst;
	bool local;

	rcu_read_lock();
	dst = rcu_dereference(sk->sk_dst_cache);
	local = dst && dst->dev == sock_net(sk)->loopback_dev;
	rcu_read_unlock();
	return local;
}

/*
 * Returns whether the next byte that one sock expects is among those that the other has
 * sent and that are not acknowledged, or the one after. Each number only grows, so that
 * for the two ends of one connection the answer is always yes in this order.
 */
static bool sock_expects(const struct sock *sk, const struct sock *from)
{
	u32 first = READ_ONCE(tcp_sk(from)->snd_una), expected, next;

	smp_rmb(); /* in this order */
	expected = READ_ONCE(tcp_sk(sk)->rcv_nxt);
	smp_rmb(); /* in this order */
	next = READ_ONCE(tcp_sk(from)->snd_nxt);
	return expected - first <= next - first;
}

#define STATES_OF_DATA	(TCPF_ESTABLISHED | TCPF_FIN_WAIT1 | TCPF_FIN_WAIT2 | TCPF_CLOSE_WAIT)

static bool sock_is_connected(const struct sock *sk)
{
	return (1 << inet_sk_state_load(sk)) & STATES_OF_DATA && sk_hashed(sk);
}

/*
 * Returns whether two ends are those of one connection. Address translation may give
 * connections names that mirror those of others; their sequence numbers do not match.
 */
static bool ends_match(const struct strsock_tcp *a, const struct strsock_tcp *b)
{
	return a != b && names_mirror(&a->names, &b->names) &&
	       net_eq(sock_net(a->sk), sock_net(b->sk)) &&
	       !READ_ONCE(a->sk->sk_bound_dev_if) && !READ_ONCE(b->sk->sk_bound_dev_if) &&
	       sock_is_connected(a->sk) && sock_is_connected(b->sk) &&
	       sock_expects(a->sk, b->sk) && sock_expects(b->sk, a->sk);
}

static void ends_join(struct strsock_tcp *a, struct strsock_tcp *b)
{
	refcount_inc(&a->users);
	refcount_inc(&b->users);
	/* Release: a task that sees its peer sees what is in it. */
	smp_store_release(&a->peer, b);
	/* Release: the same. */
	smp_store_release(&b->peer, a);
}

/**
 * strsock_tcp_meet() - find the other end of a connection
 * @s: an end whose socket was connected, is being connected, or was accepted
 *
 * If there is no other end yet, this one waits to be found. Context: may sleep, to be
 * called by the socket's own calls.
 */
void strsock_tcp_meet(struct strsock_tcp *s)
{
	struct strsock_tcp_names names;
	struct strsock_tcp *other;
	int disconnects;

	if (READ_ONCE(s->peer))
		return;
	disconnects = READ_ONCE(s->sk->sk_disconnects);
	smp_rmb(); /* the names are of that connection, or of none */
	if (!sock_is_local(s->sk) || !names_init(&names, s->sk)) {
		WRITE_ONCE(s->local, false);
		return;
	}
	spin_lock(&meet_lock);
	/* Another call may have come first. */
	if (s->peer || s->gone)
		goto unlock;
	hash_del(&s->node);
	s->names = names;
	s->disconnects = disconnects;
	hash_for_each_possible(waiting, other, node, names_key(&names)) {
		if (!ends_match(s, other))
			continue;
		hash_del(&other->node);
		ends_join(s, other);
		break;
	}
	if (!s->peer)
		hash_add(waiting, &s->node, names_key(&names));
	/* Release: readers that see this look for the peer from now on. */
	smp_store_release(&s->local, true);
unlock:
	spin_unlock(&meet_lock);
}

/**
 * strsock_tcp_leave() - end the short way of an end
 * @s: the end of a socket that is closed
 *
 * Nothing is written to its ring from then on that a reader could miss, and it writes no
 * more to its peer's; what is in that stays to be read.
 *
 * Return: whether unread bytes are lost. Context: no call of the socket is in progress.
 */
bool strsock_tcp_leave(struct strsock_tcp *s)
{
	struct strring *ring = &s->ring;
	bool unread = !strsock_tcp_is_gone(s);

	spin_lock(&meet_lock);
	hash_del(&s->node);
	WRITE_ONCE(s->gone, true);
	spin_unlock(&meet_lock);
	smp_mb(); /* before a look into the ring: see ring_put() in tcp_send.c */
	unread = unread && ring_bytes(ring);
	/* A work item does not wait for a peer that allocates a larger ring. */
	if (mutex_trylock(&s->read_mutex)) {
		/* Release: as a reader does. The peer may keep this end for long. */
		smp_store_release(&ring->tail, smp_load_acquire(&ring->head));
		mutex_unlock(&s->read_mutex);
	}
	if (mutex_trylock(&ring->write_mutex)) {
		ring_trim(ring);
		mutex_unlock(&ring->write_mutex);
	}
	return unread;
}

void __init strsock_tcp_sock_init(void)
{
	meet_seed = get_random_u32();
}
