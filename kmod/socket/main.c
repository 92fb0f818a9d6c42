// SPDX-License-Identifier: GPL-2.0-only
/* strsock: STREAMS sockets */
#include <linux/in.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/rcupdate.h>

#include "sock.h"
#include "sthead.h"

static int __init strsock_init(void)
{
	int err = str_proto_init();

	if (err)
		return err;
	str_ops_init();
	err = sockmod_init();
	if (err)
		goto err_proto;
	err = str_inet6_init();
	if (err)
		goto err_sockmod;
	/* Sockets may exist from here on, so nothing may fail after this. */
	str_ops_register();
	str_stream_init();
	return 0;

err_sockmod:
	sockmod_exit();
err_proto:
	str_proto_exit();
	return err;
}

static void __exit strsock_exit(void)
{
	str_stream_exit();
	str_ops_unregister();
	str_inet6_exit();
	sockmod_exit();
	str_proto_exit();
	/* A hook may be running for a sock that is closed by now. */
	synchronize_rcu();
	rcu_barrier();
}

module_init(strsock_init);
module_exit(strsock_exit);

MODULE_DESCRIPTION("STREAMS sockets");
MODULE_LICENSE("GPL");
/* PF_INET and PF_INET6, protocol IPPROTO_STREAMS: socket() loads the module. */
MODULE_ALIAS_NET_PF_PROTO_TYPE(2, 253, 1);	/* SOCK_STREAM */
MODULE_ALIAS_NET_PF_PROTO_TYPE(2, 253, 2);	/* SOCK_DGRAM */
MODULE_ALIAS_NET_PF_PROTO_TYPE(10, 253, 2);
