// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's UDP over IPv6, found by one of its sockets */
#include <linux/net.h>
#include <net/net_namespace.h>

#include "native.h"

struct proto *strsock_udp6_native;
const struct proto_ops *strsock_udp6_native_ops;

/* Reads both from a socket of the kernel's; without IPv6 there is none. */
int __init strsock_native_init(void)
{
	struct socket *sock;
	int err = sock_create_kern(&init_net, PF_INET6, SOCK_DGRAM, IPPROTO_UDP,
				   &sock);

	if (err)
		return err == -EAFNOSUPPORT ? 0 : err;
	strsock_udp6_native = sock->sk->sk_prot_creator;
	strsock_udp6_native_ops = sock->ops;
	sock_release(sock);
	return 0;
}
