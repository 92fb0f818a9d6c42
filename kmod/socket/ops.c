// SPDX-License-Identifier: GPL-2.0-only
/* The system calls on STREAMS sockets, and how socket() finds them */
#include <linux/net.h>
#include <net/inet_common.h>
#include <net/protocol.h>
#include <net/sock.h>
#include <sys/strio.h>

#include "../tpi/udp.h"
#include "sock.h"

static int ops_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	struct sock *sk = sock->sk;
	int ret;

	if (unlikely(inet_send_prepare(sk)))
		return -EAGAIN;
	/* A socket in a BPF map has its operations replaced. */
	if (likely(READ_ONCE(sk->sk_prot) == &str_udp_prot))
		ret = strudp_sendmsg(sk, &str_sk(sk)->cache, msg, len);
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
	if (likely(READ_ONCE(sk->sk_prot) == &str_udp_prot))
		ret = str_sock_recvmsg(sk, msg, len, flags, &addr_len);
	else
		ret = READ_ONCE(sk->sk_prot)->recvmsg(sk, msg, len, flags,
						      &addr_len);
	if (ret < 0)
		return ret;
	msg->msg_namelen = addr_len;
	if (!(flags & (MSG_PEEK | MSG_ERRQUEUE)))
		str_count_rcvd(STR_KIND_UDP, ret);
	return ret;
}

/* inet_dgram_ops of the running kernel, two of them replaced. */
static struct proto_ops ops;

static struct inet_protosw protosw = {
	.type = SOCK_DGRAM,
	.protocol = IPPROTO_STREAMS,
	.prot = &str_udp_prot,
	.ops = &ops,
};

int __init str_ops_init(void)
{
	ops = inet_dgram_ops;
	ops.owner = THIS_MODULE;
	ops.sendmsg = ops_sendmsg;
	ops.recvmsg = ops_recvmsg;
	inet_register_protosw(&protosw);
	return 0;
}

void str_ops_exit(void)
{
	inet_unregister_protosw(&protosw);
}
