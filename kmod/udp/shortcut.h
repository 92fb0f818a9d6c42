/* SPDX-License-Identifier: GPL-2.0-only */
/* The setting of a network namespace for the short ways of UDP and TCP: net.strsock.shortcut */
#ifndef _STRUDP_SHORTCUT_H
#define _STRUDP_SHORTCUT_H

#include <linux/sysctl.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

enum strudp_shortcut {
	STRUDP_STRICT,		/* only where no packet filter is */
	STRUDP_ESTABLISHED,	/* also for flows that packet filters have let through */
	STRUDP_OFF,		/* never */
};

/* The setting of a network namespace */
struct strudp_net {
	struct net *net;
	int shortcut;
	struct ctl_table_header *header;
	struct ctl_table table[2];
};

extern unsigned int strudp_net_id;

static __always_inline enum strudp_shortcut strudp_shortcut(const struct net *net)
{
	const struct strudp_net *own = net_generic(net, strudp_net_id);

	return READ_ONCE(own->shortcut);
}

int __init strudp_shortcut_init(void);
void strudp_shortcut_exit(void);

#endif /* _STRUDP_SHORTCUT_H */
