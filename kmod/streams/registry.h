/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of modules and drivers */
#ifndef _STREAMS_REGISTRY_H
#define _STREAMS_REGISTRY_H

#include <sys/stream.h>

/* Found by name or minor, with a reference on its owner; NULL: none. */
const struct strmod *strmod_get(const char *name);
void strmod_put(const struct strmod *mod);
const struct strdrv *strdrv_get(int minor);
/* By the major number of its minor devices. */
const struct strdrv *strdrv_get_by_major(unsigned int major);
void strdrv_put(const struct strdrv *drv);

#endif /* _STREAMS_REGISTRY_H */
