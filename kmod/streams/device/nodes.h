/* SPDX-License-Identifier: GPL-2.0-only */
/* The device numbers of nodes that load their modules when they are opened */
#ifndef _STREAMS_NODES_H
#define _STREAMS_NODES_H

#include <linux/device.h>
#include <linux/module.h>

/*
 * depmod, udev and systemd-tmpfiles make nodes before their modules are loaded, so
 * their numbers are fixed. The kernel assigns majors from 511 down, after 254 to 234
 * are used up, and 384 last. If it has assigned this one, streams.ko takes another,
 * and these nodes exist only while their modules are loaded.
 */
#define STR_NODES_MAJOR	384

/* The nodes' names, each at its minor number. */
#define STR_NODES_NAMES {						\
	"pipe", "udp", "udp6", "tcp", "udp_s", "rawip", "sctp",		\
	"ticlts", "ticots", "ticotsord", "dlpi",			\
	"echo", "loop", "mux", "nuls", "tcp6", "sctp6", "rawip6",	\
	"tee"								\
}

/* An open of the node with this minor number loads this module. */
#define STR_NODE(minor)		MODULE_ALIAS_CHARDEV(STR_NODES_MAJOR, minor)

/*
 * Declares several numbers, "[4-6]", in place of one. depmod tells udev of one
 * node for each module, the one with "devname:", and takes the first number
 * that it finds for that node; it does not take a pattern that begins with a
 * bracket.
 */
#define STR_NODES_ALSO(minors)						\
	MODULE_ALIAS("char-major-" __stringify(STR_NODES_MAJOR) "-" minors)

#endif /* _STREAMS_NODES_H */
