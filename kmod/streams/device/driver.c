// SPDX-License-Identifier: GPL-2.0-only
/* The list of drivers */
#include <linux/ctype.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "streams/module/outer.h"
#include "streams/module/registry.h"
#include "cdev.h"
#include "driver.h"
#include "minor.h"
#include "sad.h"

static DEFINE_MUTEX(drivers_mutex);
static LIST_HEAD(drivers);

/* Returns whether a name is that of a driver's node, or of one of its minor devices. */
static bool drv_named(const struct strdrv *drv, const char *name)
{
	size_t len = strlen(drv->name);
	unsigned int nr;

	if (strncmp(name, drv->name, len))
		return false;
	name += len;
	if (!*name)
		return true;
	/* The minor number has the form that %u prints. */
	return isdigit(*name) && (*name != '0' || !name[1]) &&
	       !kstrtouint(name, 10, &nr) && nr < drv->minors;
}

static int drv_nodes_add(struct strdrv *drv)
{
	int err = cdev_node_add(drv);

	if (err)
		return err;
	err = minors_add(drv);
	if (err)
		str_cdev_node_del(drv->minor);
	return err;
}

/**
 * strdrv_register() - make a driver known under /dev/streams
 * @drv: name, stream table and owner; stays the caller's, until unregistered
 *
 * With @drv->minors it has as many minor devices, NAME0 and on; then all its
 * nodes belong to root. To be called when the owner's init function can no
 * longer fail: a stream may be open when this returns.
 *
 * Return: 0; -EINVAL as strmod_register(), or when there are more than 256 minor
 * devices; -EEXIST when another has a node of that name; -ENOSPC when there are
 * no more minor numbers; -EBUSY when there are no more major numbers; -ENOMEM.
 * Context: may sleep.
 */
int strdrv_register(struct strdrv *drv)
{
	struct strdrv *other;
	int err = 0;

	if (!str_name_ok(drv->name) || !str_tab_ok(drv->tab) || !str_flags_ok(drv->flags) ||
	    drv->minors > STRMINORS)
		return -EINVAL;
	drv->outer = outer_alloc(drv->flags);
	if (IS_ERR(drv->outer))
		return PTR_ERR(drv->outer);
	mutex_lock(&drivers_mutex);
	list_for_each_entry(other, &drivers, list)
		if (drv_named(other, drv->name) || drv_named(drv, other->name))
			err = -EEXIST;
	if (!err)
		err = drv_nodes_add(drv);
	if (!err)
		list_add_tail(&drv->list, &drivers);
	mutex_unlock(&drivers_mutex);
	if (err)
		outer_free(drv->outer);
	return err;
}
EXPORT_SYMBOL_GPL(strdrv_register);

/**
 * strdrv_unregister() - forget a driver
 * @drv: as it was registered
 *
 * To be called from the owner's exit function; an open stream keeps a
 * reference to the owner.
 * Context: may sleep.
 */
void strdrv_unregister(struct strdrv *drv)
{
	mutex_lock(&drivers_mutex);
	minors_del(drv);
	str_cdev_node_del(drv->minor);
	list_del(&drv->list);
	mutex_unlock(&drivers_mutex);
	outer_free(drv->outer);
	sad_forget(drv->minor);
}
EXPORT_SYMBOL_GPL(strdrv_unregister);

const struct strdrv *strdrv_get_by_major(unsigned int major)
{
	const struct strdrv *found = NULL;
	struct strdrv *drv;

	mutex_lock(&drivers_mutex);
	list_for_each_entry(drv, &drivers, list)
		if (drv->minors && MAJOR(minors_dev(drv, 0)) == major &&
		    try_module_get(drv->owner))
			found = drv;
	mutex_unlock(&drivers_mutex);
	return found;
}

const struct strdrv *strdrv_get(int minor)
{
	const struct strdrv *found = NULL;
	struct strdrv *drv;

	mutex_lock(&drivers_mutex);
	list_for_each_entry(drv, &drivers, list)
		if (drv->minor == minor && try_module_get(drv->owner))
			found = drv;
	mutex_unlock(&drivers_mutex);
	return found;
}
