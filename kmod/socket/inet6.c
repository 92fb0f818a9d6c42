// SPDX-License-Identifier: GPL-2.0-only
/*
 * STREAMS sockets of AF_INET6
 *
 * The kernel's UDP over IPv6, which also speaks to IPv4, with a few of its
 * operations replaced. The kernel exports neither its protocol nor its system
 * calls, but each of its sockets has both. The kernel queues datagrams that
 * arrive for a socket without a stream.
 */
#include <linux/in6.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/skmsg.h>
#include <net/inet_common.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/protocol.h>
#include <net/rps.h>
#include <net/sock.h>
#include <net/udp.h>
#include <sys/strio.h>

#include "udp/send.h"
#include "head_life.h"
#include "head_ops.h"
#include "inet6.h"
#include "native.h"
#include "ops.h"
#include "proto.h"
#include "rcv.h"
#include "sock.h"

#if IS_ENABLED(CONFIG_IPV6)

/* A sock of AF_INET6: the kernel keeps its part at the end, padded or not. */
struct strsock6 {
	struct strsock str;	/* has to be the first member */
	struct ipv6_pinfo inet6;	/* has to be the last one */
};

static int inet6_init(struct sock *sk)
{
	int err = strsock_udp6_native->init(sk);

	if (!err)
		strsock_begin(sk);
	return err;
}

static void inet6_destroy(struct sock *sk)
{
	strsock_forget(sk);
	strsock_udp6_native->destroy(sk);
}

#ifdef CONFIG_BPF_SYSCALL
/*
 * A socket is added to a BPF map. The kernel derives the operations of all such
 * sockets of AF_INET6 from those of the last one, and must not derive them
 * from ours: from then on the socket has the kernel's own.
 */
static int inet6_update_bpf(struct sock *sk, struct sk_psock *psock,
			    bool restore)
{
	if (!restore && strsock_head_of(sk))
		return -EOPNOTSUPP;
	psock->sk_proto = strsock_udp6_native;
	return strsock_udp6_native->psock_update_sk_prot(sk, psock, restore);
}
#endif

static unsigned int own_inuse;

/*
 * The destination of a datagram that IPv4 is to carry. No check here returns
 * an error: the kernel reports the errors of other destinations.
 */
static bool sock6_dest_is_mapped(const struct sock *sk, const struct msghdr *msg,
				 struct sockaddr_in *sin)
{
	const struct sockaddr_in6 *sin6 = msg->msg_name;
	struct in6_addr to;

	if (ipv6_only_sock(sk))
		return false;
	/* Another call may connect it meanwhile. */
	to = sk->sk_v6_daddr;
	sin->sin_port = READ_ONCE(inet_sk(sk)->inet_dport);
	if (sin6) {
		if (msg->msg_namelen < SIN6_LEN_RFC2133 ||
		    sin6->sin6_family != AF_INET6)
			return false;
		to = sin6->sin6_addr;
		sin->sin_port = sin6->sin6_port;
	} else if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED ||
		   READ_ONCE(udp_sk(sk)->pending)) {
		return false;
	}
	sin->sin_family = AF_INET;
	sin->sin_addr.s_addr = to.s6_addr32[3];
	return ipv6_addr_v4mapped(&to);
}

/* Sends a datagram as the kernel passes it to its own UDP over IPv4. */
static int send_mapped(struct sock *sk, struct msghdr *msg, size_t len,
		       struct sockaddr_in *sin)
{
	void *name = msg->msg_name;
	int name_len = msg->msg_namelen;
	int ret;

	msg->msg_name = sin;
	msg->msg_namelen = sizeof(*sin);
	ret = strudp_sendmsg(sk, &strsock_sk(sk)->cache, msg, len);
	msg->msg_name = name;
	msg->msg_namelen = name_len;
	return ret;
}

/* A socket in a BPF map, or of AF_INET by now, has other operations. */
static bool sock6_is_ours(const struct sock *sk)
{
	return READ_ONCE(sk->sk_prot) == &strsock_udp6_prot;
}

static int sock6_ops_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	struct sock *sk = sock->sk;
	struct sockaddr_in sin;
	int ret;

	if (unlikely(!sock6_is_ours(sk)))
		ret = strsock_udp6_native_ops->sendmsg(sock, msg, len);
	else if (unlikely(strsock_send_prepare(sk)))
		return -EAGAIN;
	else if (sock6_dest_is_mapped(sk, msg, &sin))
		ret = send_mapped(sk, msg, len, &sin);
	else
		ret = strudp_sendmsg6(sk, &strsock_sk(sk)->cache, msg, len);
	if (ret >= 0)
		str_count_sent(STR_KIND_UDP, ret);
	return ret;
}

static int sock6_ops_recvmsg(struct socket *sock, struct msghdr *msg, size_t len,
			     int flags)
{
	struct sock *sk = sock->sk;
	int addr_len = 0;
	int ret;

	if (sock6_is_ours(sk)) {
		if (likely(!(flags & MSG_ERRQUEUE)))
			sock_rps_record_flow(sk);
		ret = strsock_recvmsg6(sk, msg, len, flags, &addr_len);
		if (ret >= 0)
			msg->msg_namelen = addr_len;
	} else {
		ret = strsock_udp6_native_ops->recvmsg(sock, msg, len, flags);
	}
	if (ret >= 0 && !(flags & (MSG_PEEK | MSG_ERRQUEUE)))
		str_count_rcvd(STR_KIND_UDP, ret);
	return ret;
}

/*
 * IPV6_ADDRFORM makes a socket one of AF_INET, with the kernel's operations.
 * It becomes the STREAMS socket of AF_INET that it would have been: its own
 * operations reference the module, and its memory is freed by the protocol
 * that knows it. The kernel then drops a reference to its IPv6, which its own
 * sockets have and ours do not have.
 */
static int ops_setsockopt(struct socket *sock, int level, int optname,
			  sockptr_t optval, unsigned int optlen)
{
	struct sock *sk = sock->sk;
	int err;

	if (level != SOL_IPV6 || optname != IPV6_ADDRFORM)
		return strsock_udp6_native_ops->setsockopt(sock, level, optname, optval,
					      optlen);
	/* The stream is of the socket's family. */
	err = strsock_head_exclude(sk);
	if (err)
		return err;
	__module_get(strsock_udp6_native_ops->owner);
	err = strsock_udp6_native_ops->setsockopt(sock, level, optname, optval, optlen);
	if (err) {
		module_put(strsock_udp6_native_ops->owner);
		return err;
	}
	lock_sock(sk);
	if (sk->sk_family == AF_INET)
		strsock_inet(sock);
	release_sock(sk);
	return 0;
}

/* inet6_dgram_ops of the running kernel, some of them replaced. */
static struct proto_ops ops;

static struct inet_protosw protosw = {
	.type = SOCK_DGRAM,
	.protocol = IPPROTO_STREAMS,
	.prot = &strsock_udp6_prot,
	.ops = &ops,
};

static int prot_register(void)
{
	int err;

	strsock_udp6_prot = *strsock_udp6_native;
	strscpy(strsock_udp6_prot.name, "UDPv6-STREAMS", sizeof(strsock_udp6_prot.name));
	strsock_udp6_prot.owner = THIS_MODULE;
	strsock_udp6_prot.obj_size = sizeof(struct strsock6);
	proto_set_ipv6_pinfo(&strsock_udp6_prot, offsetof(struct strsock6, inet6));
	strsock_udp6_prot.slab = NULL;
	strsock_udp6_prot.init = inet6_init;
	strsock_udp6_prot.destroy = inet6_destroy;
	strsock_udp6_prot.setsockopt = strsock_setsockopt;
	strsock_udp6_prot.getsockopt = strsock_getsockopt;
#ifdef CONFIG_BPF_SYSCALL
	strsock_udp6_prot.psock_update_sk_prot = inet6_update_bpf;
#endif
	err = proto_register(&strsock_udp6_prot, 1);
	if (!err)
		own_inuse = strsock_proto_share(&strsock_udp6_prot, strsock_udp6_native);
	return err;
}

static void prot_unregister(void)
{
	strsock_proto_unshare(&strsock_udp6_prot, own_inuse);
	proto_unregister(&strsock_udp6_prot);
}

int __init strsock_inet6_init(void)
{
	int err = strsock_native_init();

	if (err || !strsock_udp6_native)
		return err;
	err = prot_register();
	if (err)
		return err;
	strsock_ops_make(&ops, strsock_udp6_native_ops);
	ops.sendmsg = sock6_ops_sendmsg;
	ops.recvmsg = sock6_ops_recvmsg;
	ops.setsockopt = ops_setsockopt;
	strsock_head_ops_init(&strsock_head6_ops, &ops);
	err = inet6_register_protosw(&protosw);
	if (err)
		prot_unregister();
	return err;
}

void strsock_inet6_exit(void)
{
	if (!strsock_udp6_native)
		return;
	inet6_unregister_protosw(&protosw);
	prot_unregister();
}

#else

int __init strsock_inet6_init(void)
{
	return 0;
}

void strsock_inet6_exit(void)
{
}

#endif
