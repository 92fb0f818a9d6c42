/* SPDX-License-Identifier: GPL-2.0-only */
/* control.h - control messages of datagrams, see control.c */
#ifndef _CONTROL_H
#define _CONTROL_H

#include <stdint.h>
#include <sys/socket.h>

void control_choose(struct msghdr *msg, uint32_t r);
void control_put(struct msghdr *msg);

#endif /* _CONTROL_H */
