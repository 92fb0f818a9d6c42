// SPDX-License-Identifier: GPL-2.0-only
/* strudp: UDP for streams */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "streams/device/nodes.h"
#include "driver.h"
#include "hook.h"
#include "rcv.h"
#include "shortcut.h"
#include "skb.h"

/*
 * Undoes the initialisation when streams may have been open: one driver is registered before
 * the other.
 */
static void strudp_clear(void)
{
	strudp_hook_exit();
	/*
	 * A hook may be running for a sock that is closed by now, or a task may have
	 * been preempted between finding it in the sock and entering it.
	 */
	synchronize_rcu();
	synchronize_rcu_tasks();
	rcu_barrier();
	strudp_rcv_exit();
	strudp_skb_exit();
	strudp_shortcut_exit();
}

static int __init strudp_init(void)
{
	int err = strudp_shortcut_init();

	if (err)
		return err;
	err = strudp_rcv_init();
	if (err) {
		strudp_shortcut_exit();
		return err;
	}
	err = strudp_driver_init();
	if (err)
		strudp_clear();
	return err;
}

static void __exit strudp_exit(void)
{
	strudp_driver_exit();
	strudp_clear();
}

module_init(strudp_init);
module_exit(strudp_exit);

MODULE_DESCRIPTION("STREAMS transport provider: UDP");
MODULE_LICENSE("GPL");
STR_NODE(1);
MODULE_ALIAS("devname:streams/udp");
STR_NODES_ALSO("[2]");
