/* SPDX-License-Identifier: GPL-2.0-only */
/* I_STR */
#ifndef _STREAMS_STRIOCTL_H
#define _STREAMS_STRIOCTL_H

#include "streams/head/stream.h"

int str_ioctl_down(struct stream *sd, struct strioctl __user *arg);
int str_ioctl_str(struct stream *sd, struct strioctl *ic, int model);

#endif /* _STREAMS_STRIOCTL_H */
