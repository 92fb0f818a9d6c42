/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of modules */
#ifndef _STREAMS_REGISTRY_H
#define _STREAMS_REGISTRY_H

#include <linux/module.h>

#include <sys/stream.h>

/* Found by name, with a reference on its owner; NULL: none. */
const struct strmod *strmod_get(const char *name);
void strmod_put(const struct strmod *mod);

/* A driver's reference on its owner, as device/driver.h gives one. */
static inline void strdrv_put(const struct strdrv *drv)
{
	module_put(drv->owner);
}

/*
 * Whether what a module or driver registers can be used: a name that may end up in
 * paths and listings, the procedures that all have, flags of perimeters.
 */
bool str_name_ok(const char *name);
bool str_tab_ok(const struct streamtab *tab);
bool str_flags_ok(unsigned int flags);

#endif /* _STREAMS_REGISTRY_H */
