// SPDX-License-Identifier: GPL-2.0-only
/* strudp: UDP for streams */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "udp.h"

static int __init strudp_init(void)
{
	return 0;
}

static void __exit strudp_exit(void)
{
	strudp_hook_exit();
	/* A hook may be running for a sock that is closed by now. */
	synchronize_rcu();
	rcu_barrier();
}

module_init(strudp_init);
module_exit(strudp_exit);

MODULE_DESCRIPTION("STREAMS transport provider: UDP");
MODULE_LICENSE("GPL");
