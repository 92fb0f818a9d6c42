/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of the stream head */
#ifndef _STREAMS_OPTION_H
#define _STREAMS_OPTION_H

#include "stream.h"

void str_rput_setopts(struct stream *sd, mblk_t *mp);
long str_ioctl_srdopt(struct stream *sd, unsigned long opt);
long str_ioctl_swropt(struct stream *sd, unsigned long opt);
long str_ioctl_serropt(struct stream *sd, unsigned long opt);
long str_ioctl_setcltime(struct stream *sd, const int __user *arg);
long str_ioctl_getcltime(struct stream *sd, int __user *arg);

#endif /* _STREAMS_OPTION_H */
