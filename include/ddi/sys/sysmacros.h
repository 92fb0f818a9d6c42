/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/sysmacros.h - the lesser and the greater of two */
#ifndef _DDI_SYS_SYSMACROS_H
#define _DDI_SYS_SYSMACROS_H

#include <linux/minmax.h>

/* Newer kernels have them too. */
#ifndef MIN
#define MIN(a, b)	((a) < (b) ? (a) : (b))
#define MAX(a, b)	((a) > (b) ? (a) : (b))
#endif

#endif /* _DDI_SYS_SYSMACROS_H */
