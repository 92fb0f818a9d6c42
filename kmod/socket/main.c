// SPDX-License-Identifier: GPL-2.0-only
/* strsock: STREAMS sockets */
#include <linux/in.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/rcupdate.h>

#include "inet6.h"
#include "ops.h"
#include "proto.h"
#include "sockmod.h"
#include "tcp.h"

static int __init strsock_init(void)
{
	int err = strsock_proto_init();

	if (err)
		return err;
	strsock_ops_init();
	err = strsock_sockmod_init();
	if (err)
		goto err_proto;
	err = strsock_tcp_init();
	if (err)
		goto err_sockmod;
	err = strsock_inet6_init();
	if (err)
		goto err_sockmod;
	/* Sockets may exist from here on, so nothing may fail after this. */
	strsock_ops_register();
	strsock_tcp_register();
	return 0;

err_sockmod:
	strsock_sockmod_exit();
err_proto:
	strsock_proto_exit();
	return err;
}

static void __exit strsock_exit(void)
{
	strsock_tcp_unregister();
	strsock_ops_unregister();
	strsock_inet6_exit();
	strsock_sockmod_exit();
	strsock_proto_exit();
	/* A hook may be running for a sock that is closed by now. */
	synchronize_rcu();
	rcu_barrier();
}

module_init(strsock_init);
module_exit(strsock_exit);

MODULE_DESCRIPTION("STREAMS sockets");
MODULE_LICENSE("GPL");
/* A socket() of PF_INET or PF_INET6 with IPPROTO_STREAMS loads the module. */
MODULE_ALIAS_NET_PF_PROTO_TYPE(2, 253, 1);	/* SOCK_STREAM */
MODULE_ALIAS_NET_PF_PROTO_TYPE(2, 253, 2);	/* SOCK_DGRAM */
MODULE_ALIAS_NET_PF_PROTO_TYPE(10, 253, 1);
MODULE_ALIAS_NET_PF_PROTO_TYPE(10, 253, 2);
