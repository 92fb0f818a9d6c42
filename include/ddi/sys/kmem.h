/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/kmem.h - memory */
#ifndef _DDI_SYS_KMEM_H
#define _DDI_SYS_KMEM_H

#include <linux/mm.h>
#include <linux/slab.h>
#include <sys/types.h>

#define KM_SLEEP	0	/* waits until there is some; in open and close only */
#define KM_NOSLEEP	1	/* NULL if there is none */

static inline void *kmem_alloc(size_t size, int flag)
{
	if (flag & KM_NOSLEEP)
		return kmalloc(size, GFP_ATOMIC);
	return kvmalloc(size, GFP_KERNEL | __GFP_NOFAIL);
}

static inline void *kmem_zalloc(size_t size, int flag)
{
	if (flag & KM_NOSLEEP)
		return kzalloc(size, GFP_ATOMIC);
	return kvzalloc(size, GFP_KERNEL | __GFP_NOFAIL);
}

static inline void kmem_free(void *ptr, size_t size)
{
	kvfree(ptr);
}

#endif /* _DDI_SYS_KMEM_H */
