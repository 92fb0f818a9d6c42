/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of modules */
#ifndef _STREAMS_REGISTRY_H
#define _STREAMS_REGISTRY_H

#include <linux/module.h>

#include <sys/stream.h>

/*
 * Finds a module by name, and takes a reference on its owner. Returns NULL if
 * there is none.
 */
const struct strmod *strmod_get(const char *name);
void strmod_put(const struct strmod *mod);

/* Drops a driver's reference on its owner, which device/driver.h takes. */
static inline void strdrv_put(const struct strdrv *drv)
{
	module_put(drv->owner);
}

/*
 * Both return whether the registration of a module or driver is valid: a name
 * that may end up in paths and listings; the procedures that every one needs,
 * and flags of perimeters.
 */
bool str_name_ok(const char *name);
bool str_tab_ok(const struct streamtab *tab);
bool str_flags_ok(unsigned int flags);

#endif /* _STREAMS_REGISTRY_H */
