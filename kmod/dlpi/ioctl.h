/* SPDX-License-Identifier: GPL-2.0-only */
/* The ioctls of the data link provider */
#ifndef _DLPI_IOCTL_H
#define _DLPI_IOCTL_H

#include <sys/stream.h>

void dlpi_ioctl(queue_t *q, mblk_t *mp);

#endif /* _DLPI_IOCTL_H */
