// SPDX-License-Identifier: GPL-2.0-only
/* strudp: UDP for streams */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "udp.h"
#include "udp_end.h"
#include "udp_skb.h"

static int __init strudp_init(void)
{
	return udp_driver_init();
}

static void __exit strudp_exit(void)
{
	udp_driver_exit();
	strudp_hook_exit();
	/* A hook may be running for a sock that is closed by now. */
	synchronize_rcu();
	rcu_barrier();
	udp_skb_exit();
}

module_init(strudp_init);
module_exit(strudp_exit);

MODULE_DESCRIPTION("STREAMS transport provider: UDP");
MODULE_LICENSE("GPL");
