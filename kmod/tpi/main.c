// SPDX-License-Identifier: GPL-2.0-only
/* strudp: UDP for streams */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "udp.h"
#include "udp_end.h"
#include "udp_skb.h"

static int __init strudp_init(void)
{
	int err = udp_rcv_init();

	if (err)
		return err;
	err = udp_driver_init();
	if (err)
		udp_rcv_exit();
	return err;
}

static void __exit strudp_exit(void)
{
	udp_driver_exit();
	strudp_hook_exit();
	/* A hook may be running for a sock that is closed by now. */
	synchronize_rcu();
	rcu_barrier();
	udp_rcv_exit();
	udp_skb_exit();
}

module_init(strudp_init);
module_exit(strudp_exit);

MODULE_DESCRIPTION("STREAMS transport provider: UDP");
MODULE_LICENSE("GPL");
