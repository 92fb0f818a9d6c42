/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/debug.h - ASSERT(), which checks where DEBUG is defined */
#ifndef _DDI_SYS_DEBUG_H
#define _DDI_SYS_DEBUG_H

#include <linux/bug.h>

#ifdef DEBUG
#define ASSERT(true)	((void)WARN(!(true), "assertion failed: %s\n", #true))
#else
#define ASSERT(true)	((void)sizeof(!(true)))
#endif

#endif /* _DDI_SYS_DEBUG_H */
