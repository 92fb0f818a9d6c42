// SPDX-License-Identifier: GPL-2.0-only
/* The list of modules and drivers */
#include <linux/ctype.h>
#include <linux/kmod.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "cdev.h"
#include "minor.h"
#include "outer.h"
#include "registry.h"
#include "sad.h"

static DEFINE_MUTEX(registry_mutex);
static LIST_HEAD(mods);
static LIST_HEAD(drvs);

/* Names end up in paths and in listings. */
static bool name_ok(const char *name)
{
	size_t len = strnlen(name, STRNAMESZ);

	return len && len < STRNAMESZ && !strpbrk(name, "/ \t\n");
}

/*
 * The lower half of a multiplexing driver: messages are never put to its write
 * queue.
 */
static bool mux_ok(const struct streamtab *tab)
{
	if (!tab->st_muxrinit && !tab->st_muxwinit)
		return true;
	return tab->st_muxrinit && tab->st_muxwinit &&
	       tab->st_muxrinit->qi_putp && tab->st_muxrinit->qi_minfo &&
	       tab->st_muxwinit->qi_minfo;
}

static bool tab_ok(const struct streamtab *tab)
{
	return tab && tab->st_rdinit && tab->st_wrinit &&
	       tab->st_rdinit->qi_putp && tab->st_wrinit->qi_putp &&
	       tab->st_rdinit->qi_qopen && tab->st_rdinit->qi_qclose &&
	       tab->st_rdinit->qi_minfo && tab->st_wrinit->qi_minfo &&
	       mux_ok(tab);
}

static struct strmod *mod_find(const char *name)
{
	struct strmod *mod;

	list_for_each_entry(mod, &mods, list)
		if (!strcmp(mod->name, name))
			return mod;
	return NULL;
}

/* Flags that exclude each other, or are unknown. */
static bool flags_ok(unsigned int flags)
{
	return !(flags & ~(D_MTQPAIR | D_MTPERMOD | D_MTOUTPERIM | D_MTOCEXCL)) &&
	       (flags & (D_MTQPAIR | D_MTPERMOD)) != (D_MTQPAIR | D_MTPERMOD);
}

/**
 * strmod_register() - make a module known to I_PUSH
 * @mod: name, stream table and owner; stays the caller's, until unregistered
 *
 * Return: 0; -EINVAL when the name is empty, too long or holds a slash or
 * white space, a procedure that every module has is missing, or the flags are
 * not those of perimeters or exclude each other; -EEXIST; -ENOMEM.
 * Context: may sleep.
 */
int strmod_register(struct strmod *mod)
{
	int err = 0;

	if (!name_ok(mod->name) || !tab_ok(mod->tab) || !flags_ok(mod->flags))
		return -EINVAL;
	mod->outer = outer_alloc(mod->flags);
	if (IS_ERR(mod->outer))
		return PTR_ERR(mod->outer);
	mutex_lock(&registry_mutex);
	if (mod_find(mod->name))
		err = -EEXIST;
	else
		list_add_tail(&mod->list, &mods);
	mutex_unlock(&registry_mutex);
	if (err)
		outer_free(mod->outer);
	return err;
}
EXPORT_SYMBOL_GPL(strmod_register);

/**
 * strmod_unregister() - forget a module
 * @mod: as it was registered
 *
 * To be called from the owner's exit function: while a stream has the module
 * pushed, the owner is referenced and not unloaded.
 * Context: may sleep.
 */
void strmod_unregister(struct strmod *mod)
{
	mutex_lock(&registry_mutex);
	list_del(&mod->list);
	mutex_unlock(&registry_mutex);
	outer_free(mod->outer);
}
EXPORT_SYMBOL_GPL(strmod_unregister);

static const struct strmod *mod_get(const char *name)
{
	struct strmod *mod;

	mutex_lock(&registry_mutex);
	mod = mod_find(name);
	if (mod && !try_module_get(mod->owner))
		mod = NULL;
	mutex_unlock(&registry_mutex);
	return mod;
}

const struct strmod *strmod_get(const char *name)
{
	const struct strmod *mod;

	if (!name_ok(name))
		return NULL;
	mod = mod_get(name);
	if (!mod && request_module("strmod-%s", name) == 0)
		mod = mod_get(name);
	return mod;
}

void strmod_put(const struct strmod *mod)
{
	module_put(mod->owner);
}

/* Whether a name is that of a driver's node, or of one of its minor devices. */
static bool drv_named(const struct strdrv *drv, const char *name)
{
	size_t len = strlen(drv->name);
	unsigned int nr;

	if (strncmp(name, drv->name, len))
		return false;
	name += len;
	if (!*name)
		return true;
	/* As %u prints it */
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
		cdev_node_del(drv->minor);
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

	if (!name_ok(drv->name) || !tab_ok(drv->tab) || !flags_ok(drv->flags) ||
	    drv->minors > STRMINORS)
		return -EINVAL;
	drv->outer = outer_alloc(drv->flags);
	if (IS_ERR(drv->outer))
		return PTR_ERR(drv->outer);
	mutex_lock(&registry_mutex);
	list_for_each_entry(other, &drvs, list)
		if (drv_named(other, drv->name) || drv_named(drv, other->name))
			err = -EEXIST;
	if (!err)
		err = drv_nodes_add(drv);
	if (!err)
		list_add_tail(&drv->list, &drvs);
	mutex_unlock(&registry_mutex);
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
	mutex_lock(&registry_mutex);
	minors_del(drv);
	cdev_node_del(drv->minor);
	list_del(&drv->list);
	mutex_unlock(&registry_mutex);
	outer_free(drv->outer);
	sad_forget(drv->minor);
}
EXPORT_SYMBOL_GPL(strdrv_unregister);

const struct strdrv *strdrv_get_by_major(unsigned int major)
{
	const struct strdrv *found = NULL;
	struct strdrv *drv;

	mutex_lock(&registry_mutex);
	list_for_each_entry(drv, &drvs, list)
		if (drv->minors && MAJOR(minors_dev(drv, 0)) == major &&
		    try_module_get(drv->owner))
			found = drv;
	mutex_unlock(&registry_mutex);
	return found;
}

const struct strdrv *strdrv_get(int minor)
{
	const struct strdrv *found = NULL;
	struct strdrv *drv;

	mutex_lock(&registry_mutex);
	list_for_each_entry(drv, &drvs, list)
		if (drv->minor == minor && try_module_get(drv->owner))
			found = drv;
	mutex_unlock(&registry_mutex);
	return found;
}

void strdrv_put(const struct strdrv *drv)
{
	module_put(drv->owner);
}
