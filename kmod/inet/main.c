// SPDX-License-Identifier: GPL-2.0-only
/* strinet: TCP, UDP, raw IP and SCTP for streams, over the kernel's sockets */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "streams/device/nodes.h"
#include "driver.h"
#include "end.h"

static int __init strinet_init(void)
{
	int err = strinet_end_init();

	if (err)
		return err;
	err = strinet_driver_init();
	if (err)
		strinet_end_exit();
	return err;
}

static void __exit strinet_exit(void)
{
	strinet_driver_exit();
	strinet_end_exit();
	/*
	 * A callback may have been called for a socket that has gone, or a task may
	 * have been preempted between finding it in the sock and entering it.
	 */
	synchronize_rcu();
	synchronize_rcu_tasks();
	rcu_barrier();
}

module_init(strinet_init);
module_exit(strinet_exit);

MODULE_DESCRIPTION("STREAMS transport providers: TCP, UDP, raw IP, SCTP");
MODULE_LICENSE("GPL");
STR_NODE(3);
MODULE_ALIAS("devname:streams/tcp");
STR_NODES_ALSO("[4-6]");
STR_NODES_ALSO("[1][5-7]");
