/* SPDX-License-Identifier: GPL-2.0-only */
/* The bottom of a socket's stream */
#ifndef _SOCKET_SOCKMOD_H
#define _SOCKET_SOCKMOD_H

#include <sys/stream.h>

extern struct strdrv strsock_head_driver;

int __init strsock_sockmod_init(void);
void strsock_sockmod_exit(void);

#endif /* _SOCKET_SOCKMOD_H */
