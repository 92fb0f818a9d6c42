// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's own TCP is found: of IPv6 it exports nothing, but each socket has it. */
#include <linux/net.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "tcp_native.h"

struct proto *strsock_tcp6_prot;
const struct proto_ops *strsock_tcp6_native;
struct proto_ops strsock_tcp_ops, strsock_tcp6_ops;
void (*strsock_tcp_data_ready)(struct sock *sk);
void (*strsock_tcp_endpoint_ready)(struct sock *sk);

/**
 * strsock_tcp_native_init() - find the kernel's TCP over IPv6
 *
 * Return: 0, also without IPv6, or an error of socket(2).
 */
int __init strsock_tcp_native_init(void)
{
	struct socket *sock;
	int err;

	if (!IS_ENABLED(CONFIG_IPV6))
		return 0;
	err = sock_create_kern(&init_net, PF_INET6, SOCK_STREAM, IPPROTO_TCP, &sock);
	if (err)
		return err == -EAFNOSUPPORT ? 0 : err;
	strsock_tcp6_prot = sock->sk->sk_prot_creator;
	strsock_tcp6_native = sock->ops;
	sock_release(sock);
	return 0;
}
