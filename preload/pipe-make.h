/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pipe-make.h - a STREAMS pipe, as pipe2(2) makes one
 */
#ifndef STRSOCK_PIPE_MAKE_H
#define STRSOCK_PIPE_MAKE_H

#include <fcntl.h>
#include <stdbool.h>

/*
 * STREAMS pipes have these flags of pipe2(); another flag selects a native
 * pipe.
 */
#define PIPE_FLAGS	(O_NONBLOCK | O_CLOEXEC | O_DIRECT)

int pipe_make(int fds[2], int access, int flags);
bool pipe_error_is_final(int error);

#endif /* STRSOCK_PIPE_MAKE_H */
