/* SPDX-License-Identifier: GPL-2.0-only */
/* Nodes of style 1 */
#ifndef _DLPI_NODE_H
#define _DLPI_NODE_H

#include <sys/stream.h>

/* Returns the name of the device that a node stands for, or NULL. */
const char *dlpi_node_link(int minor);
int __init dlpi_nodes_check(void);
void __init dlpi_nodes_add(const struct strdrv *like);
void dlpi_nodes_del(void);

#endif /* _DLPI_NODE_H */
