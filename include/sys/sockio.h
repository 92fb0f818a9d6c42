/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/sockio.h - SIOCATMARK, SIOCGIFCONF and the other ioctls of sockets
 *
 * Linux has these commands in <sys/ioctl.h>, and the structures of the interface
 * commands in <net/if.h>.
 */
#ifndef _SYS_SOCKIO_H
#define _SYS_SOCKIO_H

#include <sys/ioctl.h>

#endif /* _SYS_SOCKIO_H */
