// SPDX-License-Identifier: GPL-2.0-only
/*
 * STREAMS sockets of SOCK_STREAM
 *
 * The sock is the kernel's TCP: from before its first use it has the kernel's
 * own struct proto, so that all that comes of it (connections not yet
 * accepted, those that are closed and not over, its place in a BPF map) needs
 * nothing of this module. Ours are the socket's calls, which are counted, and
 * the list of sockets.
 */
#include <linux/hashtable.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <net/inet_common.h>
#include <net/inet_sock.h>
#include <net/protocol.h>
#include <net/tcp.h>
#include <sys/strio.h>

#include "streams/head/stat.h"
#include "tcp.h"

/* A socket that is listed: from its first use to its close(). */
struct strsock_tcp {
	struct hlist_node node;
	const struct socket *sock;	/* the key to find it by, and no more */
	struct sock *sk;		/* held: it may lose its socket */
	struct str_entry entry;
};

static DEFINE_MUTEX(streams_mutex);
static DEFINE_HASHTABLE(streams, 8);

/* The kernel's parts of a sock, until stream_use(). */
static struct proto prot;

static struct strsock_tcp *stream_find(const struct socket *sock)
{
	struct strsock_tcp *s;

	hash_for_each_possible(streams, s, node, (unsigned long)sock)
		if (s->sock == sock)
			return s;
	return NULL;
}

static void stream_show(struct seq_file *m, struct str_entry *e)
{
	struct sock *sk = container_of(e, struct strsock_tcp, entry)->sk;

	seq_printf(m, " queued=%d hiwat=%d modules=- port=%u",
		   max(tcp_inq(sk), 0), READ_ONCE(sk->sk_rcvbuf),
		   ntohs(READ_ONCE(inet_sk(sk)->inet_sport)));
}

/*
 * Before what needs a port or a peer, and thus before anything can come of the
 * sock. The module was held by it, and is by the socket and its operations.
 *
 * No call of the socket fails for want of room in a list. Memory is looked for
 * outside the mutex: finding some may need a server of the kernel's to accept.
 */
static void stream_use(struct socket *sock)
{
	struct strsock_tcp *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	struct sock *sk = sock->sk;

	mutex_lock(&streams_mutex);
	if (sk->sk_prot_creator == &prot) {
		sk->sk_prot_creator = &tcp_prot;
		module_put(THIS_MODULE);
	}
	if (s && !stream_find(sock)) {
		s->sock = sock;
		s->sk = sk;
		sock_hold(sk);
		hash_add(streams, &s->node, (unsigned long)sock);
		str_entry_add(&s->entry, STR_KIND_TCP, stream_show);
		s = NULL;
	}
	mutex_unlock(&streams_mutex);
	kfree(s);
}

static int stream_bind(struct socket *sock, struct sockaddr_unsized *addr,
		       int len)
{
	stream_use(sock);
	return inet_stream_ops.bind(sock, addr, len);
}

static int stream_connect(struct socket *sock, struct sockaddr_unsized *addr,
			  int len, int flags)
{
	stream_use(sock);
	return inet_stream_ops.connect(sock, addr, len, flags);
}

static int stream_listen(struct socket *sock, int backlog)
{
	stream_use(sock);
	return inet_stream_ops.listen(sock, backlog);
}

ACCEPT_OP(stream, &inet_stream_ops, stream_use)

static void stream_sent(size_t n)
{
	str_count_sent(STR_KIND_TCP, n);
}

static int stream_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	int ret;

	/* Connects as well. */
	if (unlikely(msg->msg_flags & MSG_FASTOPEN))
		stream_use(sock);
	ret = inet_sendmsg(sock, msg, len);
	if (ret > 0)
		stream_sent(ret);
	return ret;
}

SENDPAGE_OP(stream, &inet_stream_ops, stream_sent)

static int stream_recvmsg(struct socket *sock, struct msghdr *msg, size_t len,
			  int flags)
{
	int ret = inet_recvmsg(sock, msg, len, flags);

	if (ret > 0 && !(flags & (MSG_PEEK | MSG_ERRQUEUE)))
		str_count_rcvd(STR_KIND_TCP, ret);
	return ret;
}

static ssize_t stream_splice_read(struct socket *sock, loff_t *pos,
				  struct pipe_inode_info *pipe, size_t len,
				  unsigned int flags)
{
	ssize_t ret = inet_stream_ops.splice_read(sock, pos, pipe, len, flags);

	if (ret > 0)
		str_count_rcvd(STR_KIND_TCP, ret);
	return ret;
}

/*
 * An upper layer protocol puts operations of its own into the socket. kTLS
 * copies them, for all the sockets of the system, from those of the first
 * socket that it meets: were that ours, native sockets would come to call
 * this module, loaded or not. So there are none here, as in a kernel that was
 * built without.
 */
static int stream_setsockopt(struct socket *sock, int level, int name,
			     sockptr_t val, unsigned int len)
{
	if (level == SOL_TCP && name == TCP_ULP)
		return -ENOENT;
	return inet_stream_ops.setsockopt(sock, level, name, val, len);
}

static int stream_release(struct socket *sock)
{
	struct strsock_tcp *s;

	mutex_lock(&streams_mutex);
	s = stream_find(sock);
	if (s)
		hash_del(&s->node);
	mutex_unlock(&streams_mutex);
	if (s) {
		str_entry_del(&s->entry);
		sock_put(s->sk);
		kfree(s);
	}
	return inet_stream_ops.release(sock);
}

/* A sock is made: one requested by our protocol is of TCP. */
static int stream_init(struct sock *sk)
{
	sk->sk_protocol = IPPROTO_TCP;
	WRITE_ONCE(sk->sk_prot, &tcp_prot);
	return tcp_prot.init(sk);
}

/* inet_stream_ops of the running kernel, some of them replaced. */
static struct proto_ops ops;

static struct inet_protosw protosw = {
	.type = SOCK_STREAM,
	.protocol = IPPROTO_STREAMS,
	.prot = &prot,
	.ops = &ops,
	.flags = INET_PROTOSW_ICSK,
};

void __init strsock_tcp_init(void)
{
	/* The copy has the kernel's slab, to which the sock is thus freed. */
	prot = tcp_prot;
	prot.owner = THIS_MODULE;
	prot.init = stream_init;

	ops = inet_stream_ops;
	ops.owner = THIS_MODULE;
	ops.bind = stream_bind;
	ops.connect = stream_connect;
	ops.listen = stream_listen;
	ops.accept = stream_accept;
	ops.sendmsg = stream_sendmsg;
	SET_SENDPAGE(&ops, stream);
	ops.recvmsg = stream_recvmsg;
	ops.splice_read = stream_splice_read;
	ops.setsockopt = stream_setsockopt;
	ops.release = stream_release;
	inet_register_protosw(&protosw);
}

void strsock_tcp_exit(void)
{
	inet_unregister_protosw(&protosw);
}
