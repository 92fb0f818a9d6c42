/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/errno.h - error numbers */
#ifndef _DDI_SYS_ERRNO_H
#define _DDI_SYS_ERRNO_H

#include <linux/errno.h>

#endif /* _DDI_SYS_ERRNO_H */
