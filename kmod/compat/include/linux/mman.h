/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_MMAN_H
#define _STRSOCK_COMPAT_LINUX_MMAN_H

#include_next <linux/mman.h>
#include "strsock_features.h"

#ifndef HAVE_VM_FLAGS_INIT
static inline void vm_flags_init(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags = flags;
}
#endif

#endif
