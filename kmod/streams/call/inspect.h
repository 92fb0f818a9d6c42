/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages to read, looked at without reading them */
#ifndef _STREAMS_INSPECT_H
#define _STREAMS_INSPECT_H

#include "streams/head/stream.h"

long str_ioctl_nread(struct stream *sd, int __user *arg);
long str_ioctl_fionread(struct stream *sd, int __user *arg);
long str_ioctl_ckband(struct stream *sd, unsigned long band);
long str_ioctl_getband(struct stream *sd, int __user *arg);
long str_ioctl_atmark(struct stream *sd, unsigned long which);
long str_peek_parts(struct stream *sd, struct strpeek *peek);
long str_ioctl_peek(struct stream *sd, struct strpeek __user *arg);

#endif /* _STREAMS_INSPECT_H */
