// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nodes of style 1: /dev/streams/net/NAME, for the names that the parameter links has
 *
 * A name is looked up when its node is opened, in the network namespace of the
 * opener: each namespace has its own device of that name, or none.
 */
#include <linux/netdevice.h>
#include <linux/module.h>

#include "node.h"

#define NODES	64

/* The executive makes a folder of the part before the "!". */
#define NODE_PREFIX	"net!"

#define NO_MINOR	(-1)	/* there is no node */

struct dlpi_node {
	struct strdrv drv;
	char name[sizeof(NODE_PREFIX) + IFNAMSIZ];
};

static char *links[NODES];
static unsigned int links_count;
module_param_array(links, charp, &links_count, 0444);
MODULE_PARM_DESC(links, "names of network devices that have a node of style 1");

static struct dlpi_node nodes[NODES];

static const char *node_link(const struct dlpi_node *node)
{
	return node->name + strlen(NODE_PREFIX);
}

const char *dlpi_node_link(int minor)
{
	unsigned int i;

	for (i = 0; i < links_count; i++) {
		if (nodes[i].drv.minor == minor)
			return node_link(&nodes[i]);
	}
	return NULL;
}

int __init dlpi_nodes_check(void)
{
	unsigned int i;

	for (i = 0; i < links_count; i++) {
		if (!dev_valid_name(links[i]) || strpbrk(links[i], "!")) {
			pr_err("strdlpi: links: '%s' cannot be the name of a device\n",
			       links[i]);
			return -EINVAL;
		}
	}
	return 0;
}

void __init dlpi_nodes_add(const struct strdrv *like)
{
	unsigned int i;
	int err;

	for (i = 0; i < links_count; i++) {
		struct dlpi_node *node = &nodes[i];

		/* The caller has checked the length of the name. */
		memcpy(node->name, NODE_PREFIX, strlen(NODE_PREFIX));
		memcpy(node->name + strlen(NODE_PREFIX), links[i], strlen(links[i]) + 1);
		node->drv.name = node->name;
		node->drv.tab = like->tab;
		node->drv.owner = like->owner;
		node->drv.minor = NO_MINOR;
		err = strdrv_register(&node->drv);
		if (err) {
			node->drv.minor = NO_MINOR;
			pr_warn("strdlpi: no node for '%s': error %d\n", links[i],
				-err);
		}
	}
}

void dlpi_nodes_del(void)
{
	unsigned int i;

	for (i = 0; i < links_count; i++) {
		if (nodes[i].drv.minor != NO_MINOR)
			strdrv_unregister(&nodes[i].drv);
	}
}
