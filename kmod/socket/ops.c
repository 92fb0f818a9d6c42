// SPDX-License-Identifier: GPL-2.0-only
/* The system calls on STREAMS sockets, and how socket() finds them */
#include <linux/net.h>
#include <net/inet_common.h>
#include <net/protocol.h>
#include <net/rps.h>
#include <net/sock.h>
#include <net/udp.h>
#include <sys/strio.h>

#include "udp/send.h"
#include "head_ioctl.h"
#include "head_life.h"
#include "head_ops.h"
#include "native.h"
#include "ops.h"
#include "rcv.h"
#include "sock.h"

static int ops_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	struct sock *sk = sock->sk;
	int ret;

	if (unlikely(strsock_send_prepare(sk)))
		return -EAGAIN;
	/* A socket in a BPF map has its operations replaced. */
	if (likely(READ_ONCE(sk->sk_prot) == &strsock_udp_prot))
		ret = strudp_sendmsg(sk, &strsock_sk(sk)->cache, msg, len);
	else
		ret = READ_ONCE(sk->sk_prot)->sendmsg(sk, msg, len);
	if (ret >= 0)
		str_count_sent(STR_KIND_UDP, ret);
	return ret;
}

static int ops_recvmsg(struct socket *sock, struct msghdr *msg, size_t len,
		       int flags)
{
	struct sock *sk = sock->sk;
	int addr_len = 0;
	int ret;

	if (likely(!(flags & MSG_ERRQUEUE)))
		sock_rps_record_flow(sk);
	if (likely(READ_ONCE(sk->sk_prot) == &strsock_udp_prot))
		ret = strsock_recvmsg(sk, msg, len, flags, &addr_len);
	else
		ret = compat_proto_recvmsg(READ_ONCE(sk->sk_prot), sk, msg, len,
					   flags, &addr_len);
	if (ret < 0)
		return ret;
	msg->msg_namelen = addr_len;
	if (!(flags & (MSG_PEEK | MSG_ERRQUEUE)))
		str_count_rcvd(STR_KIND_UDP, ret);
	return ret;
}

/* The first STREAMS ioctl gives the socket a stream, and other operations. */
static int ops_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	return strsock_head_cmd(cmd) ? strsock_head_begin(sock, cmd, arg, false) :
				       strsock_native_ops(sock->sk)->ioctl(sock, cmd, arg);
}

#ifdef CONFIG_COMPAT
static int ops_compat_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	return strsock_head_cmd(cmd) ? strsock_head_begin(sock, cmd, arg, true) :
				       strsock_native_ops(sock->sk)->compat_ioctl(sock, cmd, arg);
}
#endif

void __init strsock_ops_make(struct proto_ops *ops, const struct proto_ops *native)
{
	*ops = *native;
	ops->owner = THIS_MODULE;
	ops->ioctl = ops_ioctl;
#ifdef CONFIG_COMPAT
	ops->compat_ioctl = ops_compat_ioctl;
#endif
	ops->release = strsock_release;
	ops->show_fdinfo = strsock_fdinfo;
}

/* inet_dgram_ops of the running kernel, some of them replaced. */
static struct proto_ops ops;

void strsock_inet(struct socket *sock)
{
	struct sock *sk = sock->sk;

	if (sk->sk_prot == &udp_prot)
		WRITE_ONCE(sk->sk_prot, &strsock_udp_prot);
	/* The caller has seen to it that it has no stream, and it gets none. */
	WRITE_ONCE(strsock_sk(sk)->native, true);
	WRITE_ONCE(sock->ops, &ops);
}

static struct inet_protosw protosw = {
	.type = SOCK_DGRAM,
	.protocol = IPPROTO_STREAMS,
	.prot = &strsock_udp_prot,
	.ops = &ops,
};

/*
 * An AF_INET6 socket may need the operations before strsock_ops_register() is
 * called.
 */
void __init strsock_ops_init(void)
{
	strsock_ops_make(&ops, &inet_dgram_ops);
	ops.sendmsg = ops_sendmsg;
	ops.recvmsg = ops_recvmsg;
	strsock_head_ops_init(&strsock_head_ops, &ops);
}

void __init strsock_ops_register(void)
{
	inet_register_protosw(&protosw);
}

void strsock_ops_unregister(void)
{
	inet_unregister_protosw(&protosw);
}
