// SPDX-License-Identifier: GPL-2.0-only
/*
 * net.strsock.shortcut: whether bytes of a network namespace may take the short way
 *
 * With "established" packet filters do not see all. A task that may choose it may remove
 * their rules as well: it administers the namespace.
 */
#include <linux/capability.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/sysctl.h>
#include <linux/user_namespace.h>
#include <net/net_namespace.h>

#include "shortcut.h"

unsigned int strudp_net_id;
EXPORT_SYMBOL_GPL(strudp_net_id);

static const char * const shortcut_names[] = {
	[STRUDP_STRICT] = "strict",
	[STRUDP_ESTABLISHED] = "established",
	[STRUDP_OFF] = "off",
};

/* Stores a choice, and writes to the log when packet filters are to see less. */
static void shortcut_choose(struct strudp_net *own, int choice)
{
	if (xchg(&own->shortcut, choice) == choice || choice != STRUDP_ESTABLISHED)
		return;
	pr_info_ratelimited("strudp: net.strsock.shortcut=established in network namespace %u, by %s[%d]: rules of netfilter see the beginning of each flow on this host, and not all of it\n",
			    own->net->ns.inum, current->comm, task_pid_nr(current));
}

/* Reads or writes the name of the choice. The mode alone would let all of root's tasks write. */
static int shortcut_handle(CTL_TABLE_CONST struct ctl_table *table, int write, void *buffer,
			   size_t *len, loff_t *pos)
{
	struct strudp_net *own = container_of(table, struct strudp_net, table[0]);
	char name[16];
	struct ctl_table text = { .data = name, .maxlen = sizeof(name) };
	int choice, err;

	if (write && !ns_capable(own->net->user_ns, CAP_NET_ADMIN))
		return -EPERM;
	strscpy(name, shortcut_names[READ_ONCE(own->shortcut)], sizeof(name));
	err = proc_dostring(&text, write, buffer, len, pos);
	if (err || !write)
		return err;
	choice = match_string(shortcut_names, ARRAY_SIZE(shortcut_names), name);
	if (choice < 0)
		return choice;
	shortcut_choose(own, choice);
	return 0;
}

static int __net_init shortcut_net_init(struct net *net)
{
	struct strudp_net *own = net_generic(net, strudp_net_id);

	own->net = net;
	own->table[0] = (struct ctl_table){
		.procname = "shortcut",
		.mode = 0644,
		.proc_handler = shortcut_handle,
	};
	own->header = register_net_sysctl_sz(net, "net/strsock", own->table, 1);
	return own->header || !IS_ENABLED(CONFIG_SYSCTL) ? 0 : -ENOMEM;
}

/* No handler is running afterwards. */
static void __net_exit shortcut_net_exit(struct net *net)
{
	struct strudp_net *own = net_generic(net, strudp_net_id);

	if (own->header)
		unregister_net_sysctl_table(own->header);
}

static struct pernet_operations shortcut_net_ops = {
	.init = shortcut_net_init,
	.exit = shortcut_net_exit,
	.id = &strudp_net_id,
	.size = sizeof(struct strudp_net),
};

int __init strudp_shortcut_init(void)
{
	return register_pernet_subsys(&shortcut_net_ops);
}

/* No sock uses the setting any more. */
void strudp_shortcut_exit(void)
{
	unregister_pernet_subsys(&shortcut_net_ops);
}
