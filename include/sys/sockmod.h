/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/sockmod.h - the module sockmod, which is at the bottom of a socket's stream
 *
 * A socket is made by socket(), never by pushing sockmod on a transport, and its
 * requests are the calls of <sys/socket.h>: sockmod has no ioctl commands of its
 * own. This file gives a program that includes it those calls.
 */
#ifndef _SYS_SOCKMOD_H
#define _SYS_SOCKMOD_H

#include <sys/socket.h>
#include <sys/sockio.h>

#endif /* _SYS_SOCKMOD_H */
