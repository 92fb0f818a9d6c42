/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strsock.h - libstreams' additions to the historic STREAMS interface */
#ifndef _STRSOCK_H
#define _STRSOCK_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A full-duplex STREAMS pipe, as pipe() makes it on SVR4: data written to either
 * descriptor is read from the other. Returns 0, or -1 with errno.
 */
int strpipe(int fds[2]);

/*
 * A STREAMS FIFO of that name, as mkfifo() makes it on SVR4. Returns 0, or -1
 * with errno.
 */
int strmkfifo(const char *path, mode_t mode);

#ifdef __cplusplus
}
#endif

#endif /* _STRSOCK_H */
