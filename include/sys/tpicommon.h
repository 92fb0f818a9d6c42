/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/tpicommon.h - definitions that TPI and its users share: error numbers,
 * option headers
 */
#ifndef _SYS_TPICOMMON_H
#define _SYS_TPICOMMON_H

#include <sys/tpi.h>

#endif /* _SYS_TPICOMMON_H */
