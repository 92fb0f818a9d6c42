/* SPDX-License-Identifier: GPL-2.0-only */
/* The ioctls of a socket that has a stream, or may get one */
#ifndef _SOCKET_HEAD_IOCTL_H
#define _SOCKET_HEAD_IOCTL_H

#include "head.h"

/* Executes a command of a stream head, of a program of either size. */
static inline long strsock_head_pass(struct stream *sd, struct file *file, unsigned int cmd,
				     unsigned long arg, bool compat)
{
	return compat ? str_compat_ioctl(sd, file, cmd, arg) : str_ioctl(sd, file, cmd, arg);
}

bool strsock_head_cmd(unsigned int cmd);
long strsock_head_ioctl(struct strsock_head *h, struct socket *sock, unsigned int cmd,
			unsigned long arg, bool compat);
/* Handles the first STREAMS call on a socket, which makes it a stream. */
long strsock_head_begin(struct socket *sock, unsigned int cmd, unsigned long arg,
			bool compat);
/*
 * A command the socket does not know is for its modules; err: the socket's
 * error.
 */
long strsock_head_ioctl_down(struct stream *sd, struct socket *sock, unsigned int cmd,
			     unsigned long arg, long err);
/* Returns whether a call is to wait for room. */
bool strsock_head_put_waits(const struct file *file, unsigned int cmd, unsigned long arg);

#endif /* _SOCKET_HEAD_IOCTL_H */
