// SPDX-License-Identifier: GPL-2.0-only
/* streams.ko: the STREAMS executive */
#include <linux/init.h>
#include <linux/module.h>

#include "streams/device/device.h"
#include "streams/device/sad.h"
#include "streams/head/plumb.h"
#include "streams/head/ring.h"
#include "streams/head/stat.h"
#include "streams/log/log.h"
#include "streams/message/keep.h"
#include "streams/message/mblk.h"
#include "streams/module/calls.h"
#include "streams/mux/mux.h"
#include "streams/perim/perim.h"
#include "streams/perim/sched.h"

static int __init streams_init(void)
{
	int err;

	err = mblk_init();
	if (err)
		return err;
	err = str_keep_init();
	if (err)
		goto free_mblk;
	err = plumb_init();
	if (err)
		goto free_mblk;
	err = calls_init();
	if (err)
		goto free_plumb;
	err = sched_init(perim_resume);
	if (err)
		goto free_calls;
	err = stat_init();
	if (err)
		goto free_sched;
	err = mux_init();
	if (err)
		goto free_stat;
	err = devices_init();
	if (err)
		goto free_mux;
	err = log_init();
	if (err)
		goto free_devices;
	err = sad_init();
	if (err)
		goto free_log;
	return 0;

free_log:
	log_exit();
free_devices:
	devices_exit();
free_mux:
	mux_exit();
free_stat:
	stat_exit();
free_sched:
	sched_exit();
free_calls:
	calls_exit();
free_plumb:
	plumb_exit();
free_mblk:
	str_keep_exit();
	mblk_exit();
	return err;
}

static void __exit streams_exit(void)
{
	sad_exit();
	log_exit();
	ring_exit();
	devices_exit();
	mux_exit();
	stat_exit();
	calls_exit();
	sched_exit();
	plumb_exit();
	str_keep_exit();
	mblk_exit();
}

module_init(streams_init);
module_exit(streams_exit);

MODULE_DESCRIPTION("STREAMS executive (SVR4.2)");
MODULE_LICENSE("GPL");
