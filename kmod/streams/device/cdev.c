// SPDX-License-Identifier: GPL-2.0-only
/* Device nodes under /dev/streams */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "streams/head/files.h"
#include "cdev.h"
#include "nodes.h"

#define CDEV_MINORS	256

/* The object that a minor number leads to */
struct node {
	const struct file_operations *fops;
	struct device *dev;
};

static dev_t cdev_first;
static struct cdev cdev;
struct class *cdev_class;
static DEFINE_XARRAY_ALLOC(nodes);
static DEFINE_MUTEX(nodes_mutex);
static const char *const fixed_names[] = STR_NODES_NAMES;

unsigned int cdev_major(void)
{
	return MAJOR(cdev_first);
}

static const struct file_operations *node_fops(unsigned int minor)
{
	const struct file_operations *fops = NULL;
	struct node *node;

	mutex_lock(&nodes_mutex);
	node = xa_load(&nodes, minor);
	if (node)
		fops = fops_get(node->fops);
	mutex_unlock(&nodes_mutex);
	return fops;
}

/*
 * Passes an open on to the object that the minor number leads to. A node may
 * have been made before its module is loaded. The kernel loads modules only for
 * a major number without a driver.
 */
static int cdev_open(struct inode *inode, struct file *file)
{
	unsigned int minor = iminor(inode);
	const struct file_operations *fops = node_fops(minor);

	if (!fops && minor < ARRAY_SIZE(fixed_names) &&
	    !request_module("char-major-%d-%u", STR_NODES_MAJOR, minor))
		fops = node_fops(minor);
	if (!fops)
		return -ENXIO;
	replace_fops(file, fops);
	return file->f_op->open ? file->f_op->open(inode, file) : 0;
}

static const struct file_operations cdev_fops = {
	.owner = THIS_MODULE,
	.open = cdev_open,
};

/* Gives a node its number: the fixed one, or any that no name has. */
static int node_number(const char *name, struct node *node, u32 *nr)
{
	int err;
	u32 n;

	for (n = 0; n < ARRAY_SIZE(fixed_names); n++)
		if (!strcmp(name, fixed_names[n])) {
			*nr = n;
			err = xa_insert(&nodes, n, node, GFP_KERNEL);
			return err == -EBUSY ? -EEXIST : err;
		}
	return xa_alloc(&nodes, nr, node, XA_LIMIT(n, CDEV_MINORS - 1), GFP_KERNEL);
}

static int node_add(const char *name, const struct file_operations *fops,
		    struct strdrv *drv, int *minor)
{
	struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);
	int err;
	u32 nr;

	if (!node)
		return -ENOMEM;
	node->fops = fops;
	mutex_lock(&nodes_mutex);
	err = node_number(name, node, &nr);
	mutex_unlock(&nodes_mutex);
	if (err) {
		kfree(node);
		return err;
	}
	*minor = nr;
	node->dev = device_create(cdev_class, NULL, cdev_first + nr, drv,
				  "streams!%s", name);
	if (IS_ERR(node->dev)) {
		err = PTR_ERR(node->dev);
		node->dev = NULL;
		str_cdev_node_del(nr);
		return err;
	}
	return 0;
}

/**
 * str_cdev_node_add_fops() - make /dev/streams/NAME
 * @name: its last component
 * @fops: the operations of a file opened by it
 * @minor: where its minor number is stored
 *
 * Return: 0, -EEXIST, -ENOSPC, -ENOMEM or device_create()'s error.
 * Context: may sleep.
 */
int str_cdev_node_add_fops(const char *name, const struct file_operations *fops,
			   int *minor)
{
	return node_add(name, fops, NULL, minor);
}
EXPORT_SYMBOL_GPL(str_cdev_node_add_fops);

int cdev_node_add(struct strdrv *drv)
{
	return node_add(drv->name, str_device_fops, drv, &drv->minor);
}

/**
 * str_cdev_node_del() - remove a node of /dev/streams
 * @minor: its minor number
 *
 * Context: may sleep.
 */
void str_cdev_node_del(int minor)
{
	struct node *node;

	mutex_lock(&nodes_mutex);
	node = xa_erase(&nodes, minor);
	mutex_unlock(&nodes_mutex);
	if (node && node->dev)
		device_destroy(cdev_class, cdev_first + minor);
	kfree(node);
}
EXPORT_SYMBOL_GPL(str_cdev_node_del);

/*
 * Lets every user make streams, as sockets and pipes. Minor devices are
 * restricted, as they lead to the streams of other users; so is their clone
 * device, which makes a stream that another task may open by its number.
 */
static char *nodes_devnode(CLASS_DEVNODE_DEVICE *dev, umode_t *mode)
{
	const struct strdrv *drv = dev_get_drvdata(dev);

	if (mode && !(drv && drv->minors))
		*mode = 0666;
	return NULL;
}

int __init cdev_init_nodes(void)
{
	int err;

	cdev_first = MKDEV(STR_NODES_MAJOR, 0);
	err = register_chrdev_region(cdev_first, CDEV_MINORS, "streams");
	if (err == -EBUSY)
		err = alloc_chrdev_region(&cdev_first, 0, CDEV_MINORS, "streams");
	if (err)
		return err;
	cdev_class = class_create("streams");
	if (IS_ERR(cdev_class)) {
		err = PTR_ERR(cdev_class);
		goto free_region;
	}
	cdev_class->devnode = nodes_devnode;
	cdev_init(&cdev, &cdev_fops);
	cdev.owner = THIS_MODULE;
	err = cdev_add(&cdev, cdev_first, CDEV_MINORS);
	if (err)
		goto free_class;
	return 0;

free_class:
	class_destroy(cdev_class);
free_region:
	unregister_chrdev_region(cdev_first, CDEV_MINORS);
	return err;
}

void cdev_exit_nodes(void)
{
	cdev_del(&cdev);
	class_destroy(cdev_class);
	unregister_chrdev_region(cdev_first, CDEV_MINORS);
	xa_destroy(&nodes);
}
