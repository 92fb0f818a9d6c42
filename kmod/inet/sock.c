// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sockets of an endpoint
 *
 * A socket whose connection is over is not used again: the kernel may have
 * something to send on it still. The endpoint gets a new one, with the options
 * and, as far as that can be, the address that the old one had.
 *
 * The callbacks are called in any context, most in softirqs and with the
 * sock's lock held. They find the endpoint by sk_user_data, under
 * sk_callback_lock, and wake its readers or queue its work item; when
 * strinet_sock_unhook() has returned none does so any more. The kernel clones a
 * listening sock with its callbacks, but not with its sk_user_data:
 * connections that were not accepted find NULL there.
 */
#include <linux/cgroup.h>
#include <linux/inet.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/net.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "socket/tcp.h"
#include "end.h"
#include "opt.h"
#include "sock.h"

/* The caller holds sk_callback_lock. */
static struct strinet_end *end_of(const struct sock *sk)
{
	uintptr_t data = (uintptr_t)rcu_dereference_check(__sk_user_data(sk),
				lockdep_is_held(&sk->sk_callback_lock));

	/* A sock with more flags has another owner. */
	return (data & ~SK_USER_DATA_PTRMASK) == SK_USER_DATA_NOCOPY ?
	       (struct strinet_end *)(data & SK_USER_DATA_PTRMASK) : NULL;
}

static void sock_kick(struct sock *sk)
{
	struct strinet_end *ep;

	read_lock_bh(&sk->sk_callback_lock);
	ep = end_of(sk);
	if (ep)
		strinet_end_kick(ep);
	read_unlock_bh(&sk->sk_callback_lock);
}

static void sock_data_ready(struct sock *sk)
{
	struct strinet_end *ep;

	read_lock_bh(&sk->sk_callback_lock);
	ep = end_of(sk);
	/*
	 * The arrival comes before the look for its readers: TCP holds no lock that orders
	 * them. Pairs with strinet_end_go_on() and str_errand_done().
	 */
	smp_mb();
	/* Connections must be reported even to a user that does not read. */
	if (ep && (sk->sk_state == TCP_LISTEN ||
		   (!READ_ONCE(ep->stopped) &&
		    !(strinet_end_is_read(ep) && str_errand_up(ep->rq)))))
		strinet_end_kick(ep);
	read_unlock_bh(&sk->sk_callback_lock);
}

static void sock_write_space(struct sock *sk)
{
	void (*write_space)(struct sock *sk) = NULL;
	struct strinet_end *ep;

	read_lock_bh(&sk->sk_callback_lock);
	ep = end_of(sk);
	if (ep) {
		write_space = ep->calls.write_space;
		/*
		 * The uncharging comes before the look at the flag; see
		 * strinet_send_blocked() for the other side.
		 */
		smp_mb();
		if (READ_ONCE(ep->blocked))
			strinet_end_kick(ep);
	}
	read_unlock_bh(&sk->sk_callback_lock);
	if (write_space)
		write_space(sk);
}

/* Tells TCP's short way which callback reports what arrives for an endpoint. */
void strinet_sock_begin(void)
{
	strsock_tcp_endpoints(sock_data_ready);
}

/* Returns whether a sock has another owner, such as a BPF program's map. */
static bool is_foreign(const struct sock *sk)
{
	uintptr_t data = (uintptr_t)rcu_access_pointer(__sk_user_data(sk));

	return data && ((data & ~SK_USER_DATA_PTRMASK) != SK_USER_DATA_NOCOPY ||
			sk->sk_data_ready != sock_data_ready);
}

/*
 * Makes the socket's events the endpoint's; they may have been another
 * endpoint's. This fails only for sockets that were just accepted.
 */
int strinet_sock_hook(struct strinet_end *ep, struct socket *sock)
{
	struct sock *sk = sock->sk;

	write_lock_bh(&sk->sk_callback_lock);
	if (is_foreign(sk)) {
		write_unlock_bh(&sk->sk_callback_lock);
		return -EBUSY;
	}
	__rcu_assign_sk_user_data_with_flags(sk, ep, SK_USER_DATA_NOCOPY);
	sk->sk_state_change = sock_kick;
	sk->sk_error_report = sock_kick;
	sk->sk_data_ready = sock_data_ready;
	sk->sk_write_space = sock_write_space;
	write_unlock_bh(&sk->sk_callback_lock);
	return 0;
}

void strinet_sock_unhook(struct strinet_end *ep, struct socket *sock)
{
	struct sock *sk = sock->sk;

	write_lock_bh(&sk->sk_callback_lock);
	if (is_foreign(sk)) {
		write_unlock_bh(&sk->sk_callback_lock);
		return;
	}
	rcu_assign_sk_user_data(sk, NULL);
	sk->sk_state_change = ep->calls.state_change;
	sk->sk_error_report = ep->calls.error_report;
	sk->sk_data_ready = ep->calls.data_ready;
	sk->sk_write_space = ep->calls.write_space;
	write_unlock_bh(&sk->sk_callback_lock);
}

/* Sets how long a close waits, as SO_LINGER does. */
static void set_linger(struct sock *sk, bool abort)
{
	lock_sock(sk);
	sk->sk_lingertime = 0;
	if (abort)
		sock_set_flag(sk, SOCK_LINGER);
	else
		sock_reset_flag(sk, SOCK_LINGER);
	release_sock(sk);
}

/* Closes a socket; only with INET_KEEP that may take long. */
void strinet_sock_end(struct strinet_end *ep, struct socket *sock,
		      enum inet_farewell how)
{
	strinet_sock_unhook(ep, sock);
	if (how != INET_KEEP)
		set_linger(sock->sk, how == INET_ABORT);
	sock_release(sock);
}

/* Makes the settings that all sockets of the endpoint have. */
static int sock_setup(struct strinet_end *ep, struct socket *sock)
{
	struct sock *sk = sock->sk;

	if (strinet_is_tcp(ep))
		strsock_tcp_adopt(sock);
	if (!strinet_is_clts(ep)) {
		/* Urgent data is read in its place in the stream. */
		lock_sock(sk);
		sock_set_flag(sk, SOCK_URGINLINE);
		release_sock(sk);
		return 0;
	}
	/* A T_UDERROR_IND reports the errors. */
	return strinet_is_in6(ep) ? strtpi_set_int(sock, SOL_IPV6, IPV6_RECVERR, 1) :
				    strtpi_set_int(sock, SOL_IP, IP_RECVERR, 1);
}

/**
 * strinet_sock_first() - make an endpoint's first socket
 * @ep: the endpoint
 *
 * In the network namespace, and with the credentials, of the caller. The
 * kernel charges the buffers of this one to the caller's cgroup, and those of
 * later ones join it.
 */
int strinet_sock_first(struct strinet_end *ep)
{
	const struct strinet_provider *p = ep->provider;
	struct socket *sock;
	int err;

	err = sock_create(p->domain, p->type, p->protocol, &sock);
	if (err)
		return err;
	err = sock_setup(ep, sock);
	if (err) {
		sock_release(sock);
		return err;
	}
	ep->calls.state_change = sock->sk->sk_state_change;
	ep->calls.data_ready = sock->sk->sk_data_ready;
	ep->calls.write_space = sock->sk->sk_write_space;
	ep->calls.error_report = sock->sk->sk_error_report;
	ep->first_dev_if = sock->sk->sk_bound_dev_if;
	ep->first_mark = sock->sk->sk_mark;
	ep->first_priority = sock->sk->sk_priority;
	tpi_kept_init(&ep->kept, sock->sk);
	ep->net = get_net(sock_net(sock->sk));
	ep->sock = sock;
	return 0;
}

/*
 * Moves a socket made by a worker to the cgroup of the endpoint's first socket,
 * as if it had been cloned: the worker's cgroup has other rules for packets.
 */
static void sock_join_cgroup(struct sock *sk, struct sock *like)
{
#ifdef CONFIG_SOCK_CGROUP_DATA
	struct cgroup *was = sock_cgroup_ptr(&sk->sk_cgrp_data);
	struct cgroup *cgrp = sock_cgroup_ptr(&like->sk_cgrp_data);

	cgroup_get(cgrp);
	cgroup_bpf_get(cgrp);
	sk->sk_cgrp_data = like->sk_cgrp_data;
	cgroup_bpf_put(was);
	cgroup_put(was);
#endif
}

#ifdef CONFIG_MEMCG
static bool sock_account_to(struct sock *sk, struct mem_cgroup *memcg, int bytes)
{
	if (bytes)
		__sk_mem_reclaim(sk, bytes);
	sk->sk_memcg = memcg;
	return !bytes || __sk_mem_schedule(sk, bytes, SK_MEM_RECV);
}
#endif

/*
 * Charges the buffers of a socket that a worker made or accepted, which no
 * memory cgroup is charged for, to that of another socket of the endpoint.
 * Bytes that the socket has been given already are taken back and given once
 * more. Returns 0 or -ENOMEM.
 */
static int sock_join_memcg(struct sock *sk, const struct sock *like)
{
	int err = 0;
#ifdef CONFIG_MEMCG
	struct mem_cgroup *memcg = like->sk_memcg;
	int bytes;

	if (!memcg)
		return 0;
	lock_sock(sk);
	if (sk->sk_memcg)
		goto unlock;
	/* The kernel charges a socket that a task accepts in the same way. */
	bytes = sk_mem_pages(max(0, sk->sk_forward_alloc +
				    atomic_read(&sk->sk_rmem_alloc))) << PAGE_SHIFT;
	css_get(&memcg->css);
	if (!sock_account_to(sk, memcg, bytes)) {
		css_put(&memcg->css);
		sk->sk_memcg = NULL;
		/*
		 * The bytes are in the buffer already; the socket is closed
		 * with them.
		 */
		if (!__sk_mem_schedule(sk, bytes, SK_MEM_RECV))
			sk->sk_forward_alloc += bytes;
		err = -ENOMEM;
	}
unlock:
	release_sock(sk);
#endif
	return err;
}

/*
 * Copies the values that a cgroup's BPF program gave to the first socket, but
 * not to this one.
 */
static int sock_like_first(struct strinet_end *ep, struct sock *sk)
{
	WRITE_ONCE(sk->sk_mark, ep->first_mark);
	WRITE_ONCE(sk->sk_priority, ep->first_priority);
	return ep->first_dev_if == sk->sk_bound_dev_if ? 0 :
	       sock_bindtoindex(sk, ep->first_dev_if, true);
}

/* Makes a socket in the namespace of the first one, still without callbacks. */
int strinet_sock_create(struct strinet_end *ep, int protocol, struct socket **res)
{
	struct socket *like = strinet_end_sock(ep);
	struct socket *sock;
	int err;

	err = __sock_create(ep->net, ep->provider->domain, ep->provider->type,
			    protocol, &sock, 0);
	if (err)
		return err;
	err = sock_setup(ep, sock) ?: sock_like_first(ep, sock->sk) ?:
	      sock_join_memcg(sock->sk, like->sk);
	if (err) {
		sock_release(sock);
		return err;
	}
	sock_join_cgroup(sock->sk, like->sk);
	strinet_opt_copy(ep, like, sock);
	*res = sock;
	return 0;
}

/**
 * strinet_sock_accept() - take a connection from the listening socket
 * @ep: the endpoint
 * @res: set to its socket
 *
 * As accept(2) does, as kernel_accept()'s may hold no network namespace.
 *
 * Return: 0 or an error, -EAGAIN: there is none.
 */
int strinet_sock_accept(struct strinet_end *ep, struct socket **res)
{
	struct socket *from = ep->listening, *sock;
	int err;

	err = sock_create_lite(ep->provider->domain, from->type,
			       ep->provider->protocol, &sock);
	if (err)
		return err;
	sock->ops = from->ops;
	/* The listening socket's reference has kept the module until here. */
	__module_get(sock->ops->owner);
	err = compat_accept(from, sock, O_NONBLOCK);
	if (!err)
		err = sock_join_memcg(sock->sk, from->sk);
	if (err) {
		sock_release(sock);
		return err;
	}
	/*
	 * TCP's socket was cloned from the listening one, SCTP's was made here.
	 */
	if (ep->provider->protocol == IPPROTO_SCTP)
		sock_join_cgroup(sock->sk, from->sk);
	*res = sock;
	return 0;
}

/**
 * strinet_sock_renew() - replace the socket by a new one
 * @ep: the endpoint
 * @how: the way to end the old one, not INET_KEEP
 *
 * Return: 0, or an error, and all is as it was.
 */
int strinet_sock_renew(struct strinet_end *ep, enum inet_farewell how)
{
	struct socket *sock;
	int err = strinet_sock_create(ep, ep->provider->protocol, &sock);

	if (err)
		return err;
	if (ep->sock) {
		/* The new endpoint may have the same address after this. */
		ep->sock->sk->sk_reuse = SK_CAN_REUSE;
		strinet_sock_end(ep, ep->sock, how);
	}
	ep->sock = sock;
	strinet_sock_hook(ep, sock);
	return 0;
}

/*
 * Where binding and connecting fail, IPv6 may have taken the sock to the interface of
 * a link-local address already.
 */
static void sock_interface(struct sock *sk, int dev_if)
{
	lock_sock(sk);
	sk->sk_bound_dev_if = dev_if;
	release_sock(sk);
}

/* Binds, and returns the address. */
int strinet_sock_bind(struct strinet_end *ep, struct socket *sock,
		      union tpi_addr *addr)
{
	int dev_if = sock->sk->sk_bound_dev_if;
	int err = kernel_bind(sock, &addr->unsized, ep->provider->addr_size);

	if (err)
		sock_interface(sock->sk, dev_if);
	if (!err && !strinet_sock_name(sock, addr))
		err = -EINVAL;
	return err;
}

/**
 * strinet_sock_rebind() - bind a new socket to the address of T_BIND_ACK
 * @ep: the endpoint
 *
 * Return: 0, or an error: another socket may have the address by now.
 */
int strinet_sock_rebind(struct strinet_end *ep)
{
	union tpi_addr addr = ep->bound;
	struct sock *sk = ep->sock->sk;
	unsigned char reuse = sk->sk_reuse;
	int err;

	if (!ep->rebind)
		return 0;
	sk->sk_reuse = SK_CAN_REUSE;
	err = strinet_sock_bind(ep, ep->sock, &addr);
	sk->sk_reuse = reuse;
	if (err == -EADDRINUSE && ep->any_port) {
		addr.in.sin_port = 0;
		err = strinet_sock_bind(ep, ep->sock, &addr);
		if (!err)
			ep->bound = addr;
	}
	if (!err)
		ep->rebind = false;
	return err;
}

/* Begins to connect, and does not wait for the result. */
int strinet_sock_connect(struct strinet_end *ep, union tpi_addr *addr)
{
	struct sock *sk = ep->sock->sk;
	int dev_if = sk->sk_bound_dev_if;
	int err = kernel_connect(ep->sock, &addr->unsized, ep->provider->addr_size,
				 O_NONBLOCK);

	if (err && err != -EINPROGRESS)
		sock_interface(sk, dev_if);
	return err;
}

static bool sock_addr(struct socket *sock, union tpi_addr *addr,
		      int (*get)(struct socket *sock, struct sockaddr *to))
{
	struct sockaddr_storage ss = {};

	if (get(sock, (struct sockaddr *)&ss) < 0)
		return false;
	memcpy(addr, &ss, sizeof(*addr));
	return true;
}

bool strinet_sock_name(struct socket *sock, union tpi_addr *addr)
{
	return sock_addr(sock, addr, kernel_getsockname);
}

bool strinet_sock_peer(struct socket *sock, union tpi_addr *addr)
{
	return sock_addr(sock, addr, kernel_getpeername);
}
