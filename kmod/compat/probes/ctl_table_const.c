// SPDX-License-Identifier: GPL-2.0-only
/* 6.11: handlers of settings do not change the table */
#include <linux/sysctl.h>

static int handler(const struct ctl_table *table, int write, void *buffer, size_t *len,
		   loff_t *pos)
{
	return proc_dostring(table, write, buffer, len, pos);
}

proc_handler *probe(void);
proc_handler *probe(void)
{
	return handler;
}
