/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/netconfig.h - the name some System V programs use for netconfig.h */
#ifndef _SYS_NETCONFIG_H
#define _SYS_NETCONFIG_H

#include <netconfig.h>

#endif /* _SYS_NETCONFIG_H */
