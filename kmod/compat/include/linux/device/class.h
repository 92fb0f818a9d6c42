/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_DEVICE_CLASS_H
#define _STRSOCK_COMPAT_LINUX_DEVICE_CLASS_H

#include_next <linux/device/class.h>
#include "strsock_features.h"

#ifndef HAVE_CLASS_CREATE_NAME_ONLY
#undef class_create
#define class_create(name)					\
({								\
	static struct lock_class_key __key;			\
	__class_create(THIS_MODULE, name, &__key);		\
})
#endif

/* The devnode() of a class takes a pointer to this type. */
#ifdef HAVE_CLASS_DEVNODE_CONST
#define CLASS_DEVNODE_DEVICE	const struct device
#else
#define CLASS_DEVNODE_DEVICE	struct device
#endif

#endif
