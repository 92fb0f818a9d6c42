// SPDX-License-Identifier: GPL-2.0-only
/* strpipe.ko: STREAMS pipes */
#include <linux/module.h>

#include "pipe.h"

static int __init strpipe_init(void)
{
	int err = pipefs_init();

	if (err)
		return err;
	err = control_init();
	if (err)
		pipefs_exit();
	return err;
}

static void __exit strpipe_exit(void)
{
	control_exit();
	pipefs_exit();
}

module_init(strpipe_init);
module_exit(strpipe_exit);

MODULE_DESCRIPTION("STREAMS pipes");
MODULE_LICENSE("GPL");
