/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_NET_NET_NAMESPACE_H
#define _STRSOCK_COMPAT_NET_NET_NAMESPACE_H

#include_next <net/net_namespace.h>
#include "strsock_features.h"

#ifndef HAVE_NET_SYSCTL_SIZED
/* The table has an entry more, of zeroes, which ends it for kernels without its size. */
static inline struct ctl_table_header *register_net_sysctl_sz(struct net *net, const char *path,
							      struct ctl_table *table,
							      size_t size)
{
	return register_net_sysctl(net, path, table);
}
#endif

#endif
