// SPDX-License-Identifier: GPL-2.0-only
/* strpipe.ko: STREAMS pipes, their names, and connld */
#include <linux/fs.h>
#include <linux/module.h>

#include "pipe.h"

static int __init strpipe_init(void)
{
	int err;

	err = pipe_caches_init();
	if (err)
		return err;
	err = file_kinds_init();
	if (err)
		goto no_caches;
	err = pipefs_init();
	if (err)
		goto no_files;
	err = namefs_init();
	if (err)
		goto no_pipefs;
	err = connld_init();
	if (err)
		goto no_namefs;
	limits_init();
	err = control_init();
	if (err)
		goto no_limits;
	return 0;

no_limits:
	limits_exit();
	connld_exit();
no_namefs:
	namefs_exit();
no_pipefs:
	pipefs_exit();
no_files:
	file_kinds_exit();
no_caches:
	pipe_caches_exit();
	return err;
}

static void __exit strpipe_exit(void)
{
	control_exit();
	limits_exit();
	connld_exit();
	namefs_exit();
	pipefs_exit();
	file_kinds_exit();
	pipe_caches_exit();
}

module_init(strpipe_init);
module_exit(strpipe_exit);

MODULE_DESCRIPTION("STREAMS pipes, their names, and connld");
MODULE_LICENSE("GPL");
MODULE_ALIAS_FS("strnamefs");
MODULE_ALIAS("strmod-connld");
