// SPDX-License-Identifier: GPL-2.0-only
/* The list of modules */
#include <linux/kmod.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "outer.h"
#include "registry.h"

static DEFINE_MUTEX(registry_mutex);
static LIST_HEAD(mods);

/* A name may end up in paths and in listings. */
bool str_name_ok(const char *name)
{
	size_t len = strnlen(name, STRNAMESZ);

	return len && len < STRNAMESZ && !strpbrk(name, "/ \t\n");
}

/*
 * Checks the lower half of a multiplexing driver: messages are never put to its
 * write queue.
 */
static bool mux_ok(const struct streamtab *tab)
{
	if (!tab->st_muxrinit && !tab->st_muxwinit)
		return true;
	return tab->st_muxrinit && tab->st_muxwinit &&
	       tab->st_muxrinit->qi_putp && tab->st_muxrinit->qi_minfo &&
	       tab->st_muxwinit->qi_minfo;
}

bool str_tab_ok(const struct streamtab *tab)
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

/* Returns whether all flags are known, and none excludes another. */
bool str_flags_ok(unsigned int flags)
{
	return !(flags & ~(D_MTQPAIR | D_MTPERMOD | D_MTOUTPERIM | D_MTOCEXCL)) &&
	       (flags & (D_MTQPAIR | D_MTPERMOD)) != (D_MTQPAIR | D_MTPERMOD);
}

/**
 * strmod_register() - make a module known to I_PUSH
 * @mod: name, stream table and owner; stays the caller's, until unregistered
 *
 * Return: 0; -EINVAL when the name is empty, too long or holds a slash or
 * white space, a procedure that every module has is missing, the flags are
 * not those of perimeters or exclude each other, or a module that passes data on has
 * a service procedure; -EEXIST; -ENOMEM.
 * Context: may sleep.
 */
int strmod_register(struct strmod *mod)
{
	int err = 0;

	if (!str_name_ok(mod->name) || !str_tab_ok(mod->tab) || !str_flags_ok(mod->flags))
		return -EINVAL;
	/*
	 * The queue needs a put procedure: flow control there would not hold
	 * back data that bypasses it.
	 */
	if (mod->passes && (mod->tab->st_rdinit->qi_srvp || mod->tab->st_wrinit->qi_srvp))
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

	if (!str_name_ok(name))
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
