// SPDX-License-Identifier: GPL-2.0-only
/* The sock of a STREAMS socket: its beginning, its port and its end */
#include <linux/net.h>
#include <linux/seq_file.h>
#include <net/inet_common.h>
#include <net/inet_sock.h>
#include <net/udp.h>

#include "udp/udp.h"
#include "head.h"
#include "native.h"
#include "show.h"
#include "sock.h"

/* Named for /proc/net/protocols and the slab. proto.c and inet6.c have their operations. */
struct proto strsock_udp_prot, strsock_udp6_prot;

static void sock_show(struct seq_file *m, struct str_entry *e)
{
	struct strsock *ss = container_of(e, struct strsock, entry);
	struct sock *sk = &ss->udp.inet.sk;
	struct strsock_head *head;

	seq_printf(m, " queued=%d hiwat=%d modules=", udp_rqueue_get(sk),
		   READ_ONCE(sk->sk_rcvbuf));
	rcu_read_lock();
	head = strsock_head_of(sk);
	if (head)
		str_show_modules(m, &head->sd);
	else
		seq_putc(m, '-');
	rcu_read_unlock();
	seq_printf(m, " obstacle=%s port=%u drops=%d", strudp_obstacle_name(&ss->cache),
		   ntohs(READ_ONCE(ss->udp.inet.inet_sport)),
		   sk_drops_read(sk));
	strsock_show_names(m, sk);
}

void strsock_fdinfo(struct seq_file *m, struct socket *sock)
{
	str_entry_fdinfo(m, &strsock_sk(sock->sk)->entry);
}

void strsock_begin(struct sock *sk)
{
	/* SO_PROTOCOL, IP and all other code see this value. */
	sk->sk_protocol = IPPROTO_UDP;
	str_entry_add(&strsock_sk(sk)->entry, STR_KIND_UDP, sock_show);
}

void strsock_forget(struct sock *sk)
{
	struct str_entry *e = &strsock_sk(sk)->entry;

	/*
	 * Nothing has begun when the kernel could not initialise the sock as
	 * its own UDP's.
	 */
	if (e->show) {
		str_entry_del(e);
		str_count(STR_KIND_UDP, STR_DROPPED, sk_drops_read(sk));
	}
	e->show = NULL;
	strudp_cache_drop(&strsock_sk(sk)->cache);
}

int strsock_autobind(struct sock *sk)
{
	struct inet_sock *inet = inet_sk(sk);
	int err = 0;

	lock_sock(sk);
	if (!inet->inet_num) {
		if (sk->sk_prot->get_port(sk, 0))
			err = -EAGAIN;
		else
			inet->inet_sport = htons(inet->inet_num);
	}
	release_sock(sk);
	return err;
}

/* STREAMS sockets are among the UDP sockets of /proc/net/sockstat. */
unsigned int strsock_proto_share(struct proto *prot, const struct proto *with)
{
	unsigned int own = 0;

#ifdef CONFIG_PROC_FS
	own = prot->inuse_idx;
	prot->inuse_idx = with->inuse_idx;
#endif
	return own;
}

void strsock_proto_unshare(struct proto *prot, unsigned int own)
{
#ifdef CONFIG_PROC_FS
	prot->inuse_idx = own;
#endif
}

/*
 * Releases a socket; also called once for a socket of AF_INET6 whose protocol
 * may already be the kernel's.
 */
int strsock_release(struct socket *sock)
{
	if (!sock->sk)
		return 0;
	strsock_forget(sock->sk);
	return strsock_native_ops(sock->sk)->release(sock);
}
