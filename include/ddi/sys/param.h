/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/param.h - sizes that modules count with */
#ifndef _DDI_SYS_PARAM_H
#define _DDI_SYS_PARAM_H

#include <sys/types.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <sys/sysmacros.h>

#define MAXPATHLEN	PATH_MAX
#define NBPP		PAGE_SIZE
#define PAGESIZE	PAGE_SIZE

#endif /* _DDI_SYS_PARAM_H */
