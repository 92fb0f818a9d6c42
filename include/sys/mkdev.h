/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/mkdev.h - major(), minor() and makedev(), which Linux has in sys/sysmacros.h */
#ifndef _SYS_MKDEV_H
#define _SYS_MKDEV_H

#include <sys/sysmacros.h>

#endif /* _SYS_MKDEV_H */
