// SPDX-License-Identifier: GPL-2.0-only
/* strpipe.ko: STREAMS pipes, their names, and connld */
#include <linux/fs.h>
#include <linux/module.h>

#include "streams/device/nodes.h"
#include "connld.h"
#include "device.h"
#include "file.h"
#include "limits.h"
#include "mount.h"
#include "namefs.h"
#include "pipe.h"
#include "pipefs.h"

static int __init strpipe_init(void)
{
	int err;

	err = strpipe_caches_init();
	if (err)
		return err;
	err = strpipe_files_init();
	if (err)
		goto no_caches;
	err = strpipe_fs_init();
	if (err)
		goto no_files;
	err = strpipe_mounts_init();
	if (err)
		goto no_pipefs;
	err = strpipe_namefs_init();
	if (err)
		goto no_pipefs;
	err = strpipe_connld_init();
	if (err)
		goto no_namefs;
	strpipe_limits_init();
	err = strpipe_device_init();
	if (err)
		goto no_limits;
	return 0;

no_limits:
	strpipe_limits_exit();
	strpipe_connld_exit();
no_namefs:
	strpipe_namefs_exit();
no_pipefs:
	strpipe_fs_exit();
no_files:
	strpipe_files_exit();
no_caches:
	strpipe_caches_exit();
	return err;
}

static void __exit strpipe_exit(void)
{
	strpipe_device_exit();
	strpipe_limits_exit();
	strpipe_connld_exit();
	strpipe_namefs_exit();
	strpipe_fs_exit();
	strpipe_files_exit();
	strpipe_caches_exit();
}

module_init(strpipe_init);
module_exit(strpipe_exit);

MODULE_DESCRIPTION("STREAMS pipes, their names, and connld");
MODULE_LICENSE("GPL");
STR_NODE(0);
MODULE_ALIAS("devname:streams/pipe");
MODULE_ALIAS_FS("strnamefs");
MODULE_ALIAS("strmod-connld");
