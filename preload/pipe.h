/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pipe.h - STREAMS pipes for the hooks that need one
 */
#ifndef STRSOCK_PIPE_H
#define STRSOCK_PIPE_H

#include <stdbool.h>

bool pipe_is_fifo(int fd);
int pipe_push(const char *call, const int fds[2]);
int pipe_refuse(const char *call, int error);
void pipe_tell(const char *call, const char *provider, const int fds[2], int error);

#endif /* STRSOCK_PIPE_H */
