/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strpipe.h - making a STREAMS pipe */
#ifndef _LIBSTREAMS_STRPIPE_H
#define _LIBSTREAMS_STRPIPE_H

__attribute__((visibility("hidden")))
int pipe_open(int fds[2], int flags);

#endif /* _LIBSTREAMS_STRPIPE_H */
