/* SPDX-License-Identifier: GPL-2.0-only */
/* Device nodes under /dev/streams */
#ifndef _STREAMS_CDEV_H
#define _STREAMS_CDEV_H

#include <linux/fs.h>

#include <sys/stream.h>

/* Adds a node that is not a STREAMS driver's: the control device of pipes. */
int str_cdev_node_add_fops(const char *name, const struct file_operations *fops,
			   int *minor);
/* Adds a STREAMS driver's node. */
int cdev_node_add(struct strdrv *drv);
void str_cdev_node_del(int minor);

/*
 * The class of all nodes. Nodes of a driver with minor devices belong to root
 * alone.
 */
extern struct class *cdev_class;

/* Returns the major number of all nodes. */
unsigned int cdev_major(void);

int __init cdev_init_nodes(void);
void cdev_exit_nodes(void);

#endif /* _STREAMS_CDEV_H */
