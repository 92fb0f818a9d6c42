/* SPDX-License-Identifier: GPL-2.0-only */
/* The target's side of the sockets in sock.c */
#ifndef _FUZZ_SOCK_TARGET_H
#define _FUZZ_SOCK_TARGET_H

#include "input.h"

/* Says what sockets do. */
extern struct input *fuzz_input;

struct msghdr;
struct socket;
/* sendmsg(2) without waiting, in any context. */
int fuzz_sock_send(struct socket *sock, struct msghdr *msg);

/* An address of IPv4 for a primitive, mostly a whole one; returns its length. */
size_t fuzz_sock_addr(struct input *in, unsigned char *at);

/* Something happens to one of the sockets. */
void fuzz_sock_event(void);
/* There is room in the send buffers of all of them. */
void fuzz_sock_room(void);
/* All have been released. */
void fuzz_sock_end(void);

#endif /* _FUZZ_SOCK_TARGET_H */
