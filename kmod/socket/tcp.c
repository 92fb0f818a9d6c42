// SPDX-License-Identifier: GPL-2.0-only
/*
 * STREAMS sockets of SOCK_STREAM
 *
 * The sock is the kernel's TCP: from before its first use it has the kernel's
 * own struct proto, so that all that comes of it (connections not yet
 * accepted, those that are closed and not over, its place in a BPF map) needs
 * nothing of this module. Ours are the socket's calls. They count and list it,
 * and pass bytes to a peer on this host the short way: see tcp_send.c.
 */
#include <linux/module.h>
#include <linux/net.h>
#include <linux/seq_file.h>
#include <linux/tcp.h>
#include <net/inet_common.h>
#include <net/inet_sock.h>
#include <net/protocol.h>
#include <net/tcp.h>
#include <sys/strio.h>

#include "streams/head/stat.h"
#include "head_ioctl.h"
#include "show.h"
#include "tcp.h"
#include "tcp_head.h"
#include "tcp_head_ioctl.h"
#include "tcp_head_ops.h"
#include "tcp_native.h"
#include "tcp_opt.h"
#include "tcp_rcv.h"
#include "tcp_send.h"
#include "tcp_sock.h"
#include "tcp_way.h"

/* A sock has one of these copies of the kernel's protocols until stream_use(). */
static struct proto prot, prot6;

/* Prints which stream is the other end of a connection on this host, if it is listed. */
static void show_peer(struct seq_file *m, const struct strsock_tcp *peer)
{
	if (peer && peer->listed)
		seq_printf(m, " peer=%llu", READ_ONCE(peer->entry.number));
}

/*
 * Prints the bytes that a socket sent and received, by TCP and the short way. The
 * acknowledged ones count as sent.
 */
static void show_bytes(struct seq_file *m, const struct strsock_tcp *s)
{
	const struct strsock_tcp *peer = strsock_tcp_peer(s);
	const struct tcp_sock *tp = tcp_sk(s->sk);

	seq_printf(m, " sent_bytes=%llu received_bytes=%llu",
		   READ_ONCE(tp->bytes_acked) + (peer ? READ_ONCE(peer->arrived) : 0),
		   READ_ONCE(tp->bytes_received) + READ_ONCE(s->arrived) - READ_ONCE(s->counted));
}

static void tcp_show(struct seq_file *m, struct str_entry *e)
{
	struct strsock_tcp *s = container_of(e, struct strsock_tcp, entry);
	struct strsock_tcp_head *head;
	struct sock *sk = s->sk;

	seq_printf(m, " queued=%zu hiwat=%d modules=",
		   max(tcp_inq(sk), 0) + ring_bytes(&s->ring), READ_ONCE(sk->sk_rcvbuf));
	rcu_read_lock();
	head = smp_load_acquire(&s->head); /* its contents are read after the pointer */
	if (head)
		str_show_modules(m, &head->sd);
	else
		seq_putc(m, '-');
	rcu_read_unlock();
	seq_printf(m, " obstacle=%s port=%u",
		   READ_ONCE(s->peer) ? strsock_tcp_obstacle_name(READ_ONCE(s->obstacle)) :
					"peer",
		   ntohs(READ_ONCE(inet_sk(sk)->inet_sport)));
	strsock_show_names(m, sk);
	show_bytes(m, s);
	show_peer(m, strsock_tcp_peer(s));
}

static void stream_fdinfo(struct seq_file *m, struct socket *sock)
{
	const struct strsock_tcp *s = strsock_tcp_of(sock);

	if (s && s->listed)
		str_entry_fdinfo(m, &s->entry);
}

/* Returns whether a sock is that of an endpoint, whose stream is listed and counted. */
static bool is_endpoint(const struct sock *sk)
{
	return READ_ONCE(sk->sk_data_ready) == READ_ONCE(strsock_tcp_endpoint_ready);
}

/*
 * Before what needs a port or a peer, and thus before anything can come of the
 * sock. The module was held by it, and is by the socket and its operations.
 */
static struct strsock_tcp *stream_use(struct socket *sock)
{
	struct sock *sk = sock->sk;
	struct proto *ours = sk->sk_family == AF_INET6 ? &prot6 : &prot;
	struct proto *native = strsock_tcp_prot(sk);

	if (READ_ONCE(sk->sk_prot_creator) == ours) {
		__module_get(native->owner);
		if (cmpxchg(&sk->sk_prot_creator, ours, native) == ours)
			module_put(THIS_MODULE);
		else
			module_put(native->owner);
	}
	return strsock_tcp_of(sock) ?:
	       strsock_tcp_begin(sock, is_endpoint(sk) ? NULL : tcp_show);
}

static int stream_bind(struct socket *sock, struct sockaddr_unsized *addr,
		       int len)
{
	stream_use(sock);
	return strsock_tcp_native(sock->sk)->bind(sock, addr, len);
}

static int stream_connect(struct socket *sock, struct sockaddr_unsized *addr,
			  int len, int flags)
{
	struct strsock_tcp *s = stream_use(sock);
	int err;

	/* A reader that comes meanwhile looks for the peer as well. */
	if (s)
		WRITE_ONCE(s->local, true);
	err = strsock_tcp_native(sock->sk)->connect(sock, addr, len, flags);
	/* The connection may still be under way, or a signal may have ended the wait. */
	if (s)
		strsock_tcp_meet(s);
	return err;
}

static int stream_listen(struct socket *sock, int backlog)
{
	stream_use(sock);
	return strsock_tcp_native(sock->sk)->listen(sock, backlog);
}

static int stream_accepted(struct socket *listener, struct socket *sock)
{
	struct strsock_tcp *s = stream_use(sock);

	if (s)
		strsock_tcp_meet(s);
	return 0;
}

TRY_ACCEPT_OP(stream, strsock_tcp_native(sock->sk), stream_accepted)

static void stream_sent(size_t n)
{
	str_count_sent(STR_KIND_TCP, n);
}

static int stream_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	struct strsock_tcp *s = strsock_tcp_of(sock);
	size_t done = s ? strsock_tcp_put_ring(s, msg, len) : 0;
	int ret = 0;

	if (done < len || !len) {
		/* The call may connect the socket as well. */
		if (unlikely(msg->msg_flags & MSG_FASTOPEN))
			s = stream_use(sock);
		ret = strsock_tcp_native(sock->sk)->sendmsg(sock, msg, len - done);
		if (unlikely(s && msg->msg_flags & MSG_FASTOPEN))
			strsock_tcp_meet(s);
	}
	if (done)
		ret = done + max(ret, 0);
	if (ret > 0 && (!s || s->listed))
		stream_sent(ret);
	return ret;
}

SENDPAGE_OP(stream, &inet_stream_ops, stream_sent)

/* Returns the end of a socket that may have, or get, a peer on this host; or NULL. */
static struct strsock_tcp *stream_end(struct socket *sock)
{
	struct strsock_tcp *s = strsock_tcp_of(sock);

	/* Acquire: its names; a peer that it has got is seen under its mutex. */
	if (!s || !smp_load_acquire(&s->local) || strsock_tcp_is_gone(s) ||
	    unlikely(tcp_sk(sock->sk)->repair))
		return NULL;
	/* Bytes that arrive for a socket in a BPF map are not where TCP has them. */
	if (unlikely(READ_ONCE(sock->sk->sk_prot) != strsock_tcp_prot(sock->sk)) &&
	    !ring_bytes(&s->ring))
		return NULL;
	return s;
}

/*
 * Returns whether a reader of an endpoint asks only for bytes that TCP has brought, while
 * the ring has none. The ring is looked at last: bytes that it gets later come behind.
 */
static bool asks_tcp(const struct strsock_tcp *s, size_t len)
{
	if (likely(s->listed) || len > (size_t)max(tcp_inq(s->sk), 0))
		return false;
	smp_rmb(); /* see above */
	return !ring_bytes(&s->ring);
}

static int stream_recvmsg(struct socket *sock, struct msghdr *msg, size_t len,
			  int flags)
{
	struct strsock_tcp *s = stream_end(sock);
	int ret = s && !asks_tcp(s, len) ? strsock_tcp_recvmsg(s, sock, msg, len, flags) :
		      strsock_tcp_native(sock->sk)->recvmsg(sock, msg, len, flags);

	if (ret > 0 && (!s || s->listed) && !(flags & (MSG_PEEK | MSG_ERRQUEUE)))
		str_count_rcvd(STR_KIND_TCP, ret);
	return ret;
}

static ssize_t stream_splice_read(struct socket *sock, loff_t *pos,
				  struct pipe_inode_info *pipe, size_t len,
				  unsigned int flags)
{
	struct strsock_tcp *s = stream_end(sock);
	ssize_t ret;

	if (s)
		return strsock_tcp_splice(s, sock, pos, pipe, len, flags);
	ret = strsock_tcp_native(sock->sk)->splice_read(sock, pos, pipe, len, flags);
	if (ret > 0)
		str_count_rcvd(STR_KIND_TCP, ret);
	return ret;
}

static __poll_t stream_poll(struct file *file, struct socket *sock, poll_table *wait)
{
	__poll_t mask = strsock_tcp_native(sock->sk)->poll(file, sock, wait);
	struct strsock_tcp *s = strsock_tcp_of(sock);

	/* Bytes that the ring has since before SO_RCVLOWAT was set suffice for it. */
	return s && strsock_tcp_unread(s) ? mask | EPOLLIN | EPOLLRDNORM : mask;
}

/* The first STREAMS ioctl gives the socket a stream, and other operations. */
static int stream_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	if (!strsock_head_cmd(cmd))
		return strsock_tcp_opt_ioctl(sock, cmd, arg);
	stream_use(sock);
	return strsock_tcp_head_begin(sock, cmd, arg, false);
}

#ifdef CONFIG_COMPAT
static int stream_compat_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	if (!strsock_head_cmd(cmd))
		return strsock_tcp_native(sock->sk)->compat_ioctl(sock, cmd, arg);
	stream_use(sock);
	return strsock_tcp_head_begin(sock, cmd, arg, true);
}
#endif

static int stream_release(struct socket *sock)
{
	struct strsock_tcp *s = strsock_tcp_of(sock);
	struct sock *sk = sock->sk;
	int err;

	/* A connection that was not accepted after all has a socket without sock. */
	if (!sk)
		return 0;
	if (!s)
		return strsock_tcp_native(sk)->release(sock);
	/* The peer is told that not all was read, as by TCP. */
	if (strsock_tcp_leave(s)) {
		lock_sock(sk);
		sock_set_flag(sk, SOCK_LINGER);
		sk->sk_lingertime = 0;
		release_sock(sk);
	}
	if (s->listed)
		str_entry_del(&s->entry);
	err = strsock_tcp_native(sk)->release(sock);
	if (s->peer)
		strsock_tcp_put(s->peer);
	strsock_tcp_put(s);
	return err;
}

/* A sock is made: one requested by our protocol is of TCP. */
static int stream_init(struct sock *sk)
{
	struct proto *native = strsock_tcp_prot(sk);

	sk->sk_protocol = IPPROTO_TCP;
	WRITE_ONCE(strsock_tcp_data_ready, sk->sk_data_ready);
	WRITE_ONCE(sk->sk_prot, native);
	return native->init(sk);
}

static void replace_prot(struct proto *to, const struct proto *native)
{
	/* The copy has the kernel's slab, to which the sock is thus freed. */
	*to = *native;
	to->owner = THIS_MODULE;
	to->init = stream_init;
}

static void replace_ops(struct proto_ops *to, const struct proto_ops *native)
{
	*to = *native;
	to->owner = THIS_MODULE;
	to->bind = stream_bind;
	to->connect = stream_connect;
	to->listen = stream_listen;
	to->accept = stream_accept;
	to->sendmsg = stream_sendmsg;
	SET_SENDPAGE(to, stream);
	to->recvmsg = stream_recvmsg;
	to->splice_read = stream_splice_read;
	to->poll = stream_poll;
	to->ioctl = stream_ioctl;
#ifdef CONFIG_COMPAT
	to->compat_ioctl = stream_compat_ioctl;
#endif
	to->release = stream_release;
	to->show_fdinfo = stream_fdinfo;
	strsock_tcp_opt_init(to);
}

static struct inet_protosw protosw = {
	.type = SOCK_STREAM,
	.protocol = IPPROTO_STREAMS,
	.prot = &prot,
	.ops = &strsock_tcp_ops,
	.flags = INET_PROTOSW_ICSK,
};

#if IS_ENABLED(CONFIG_IPV6)
static struct inet_protosw protosw6 = {
	.type = SOCK_STREAM,
	.protocol = IPPROTO_STREAMS,
	.prot = &prot6,
	.ops = &strsock_tcp6_ops,
	.flags = INET_PROTOSW_ICSK,
};

static void tcp6_register(void)
{
	/* The call fails only for sockets that the kernel itself has for good. */
	if (strsock_tcp6_prot)
		inet6_register_protosw(&protosw6);
}

static void tcp6_unregister(void)
{
	if (strsock_tcp6_prot)
		inet6_unregister_protosw(&protosw6);
}
#else
static void tcp6_register(void)
{
}

static void tcp6_unregister(void)
{
}
#endif

/**
 * strsock_tcp_endpoints() - tell that a transport provider's sockets take the short way
 * @ready: the callback that reports what arrives for them; NULL: there are none any more
 */
void strsock_tcp_endpoints(void (*ready)(struct sock *sk))
{
	WRITE_ONCE(strsock_tcp_endpoint_ready, ready);
}
EXPORT_SYMBOL_GPL(strsock_tcp_endpoints);

/**
 * strsock_tcp_adopt() - let a TCP socket of the kernel take the short way
 * @sock: a new socket of a transport provider
 *
 * A socket that is not of the kernel's TCP, as a BPF program may have decided, stays as it is.
 */
void strsock_tcp_adopt(struct socket *sock)
{
	struct sock *sk = sock->sk;
	const struct proto_ops *native = strsock_tcp_native(sk);

	if (sock->ops != native || sk->sk_prot != strsock_tcp_prot(sk))
		return;
	WRITE_ONCE(strsock_tcp_data_ready, sk->sk_data_ready);
	__module_get(THIS_MODULE);
	sock->ops = sk->sk_family == AF_INET6 ? &strsock_tcp6_ops : &strsock_tcp_ops;
	module_put(native->owner);
}
EXPORT_SYMBOL_GPL(strsock_tcp_adopt);

/**
 * strsock_tcp_in_ring() - look for bytes that came the short way to an endpoint's socket
 * @sock: the socket
 *
 * Return: their number, or 0 as long as TCP has to bring some that precede them.
 */
size_t strsock_tcp_in_ring(struct socket *sock)
{
	const struct strsock_tcp *s = strsock_tcp_of(sock);

	return s ? strsock_tcp_unread(s) : 0;
}
EXPORT_SYMBOL_GPL(strsock_tcp_in_ring);

/**
 * strsock_tcp_next() - look for the next bytes of an endpoint's socket
 * @sock: the socket
 * @ring: set to whether they came the short way
 *
 * Return: as many as the next read may return, or 0. All are of TCP, or none is.
 */
size_t strsock_tcp_next(struct socket *sock, bool *ring)
{
	const struct strsock_tcp *s = strsock_tcp_of(sock);

	*ring = false;
	return s ? strsock_tcp_coming(s, ring) : max(tcp_inq(sock->sk), 0);
}
EXPORT_SYMBOL_GPL(strsock_tcp_next);

int __init strsock_tcp_init(void)
{
	int err = strsock_tcp_native_init();

	if (err)
		return err;
	strsock_tcp_sock_init();
	replace_prot(&prot, &tcp_prot);
	replace_ops(&strsock_tcp_ops, &inet_stream_ops);
	if (strsock_tcp6_prot) {
		replace_prot(&prot6, strsock_tcp6_prot);
		replace_ops(&strsock_tcp6_ops, strsock_tcp6_native);
	}
	strsock_tcp_head_ops_init();
	return 0;
}

void __init strsock_tcp_register(void)
{
	inet_register_protosw(&protosw);
	tcp6_register();
}

void strsock_tcp_unregister(void)
{
	inet_unregister_protosw(&protosw);
	tcp6_unregister();
}
