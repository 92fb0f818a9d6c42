/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_UIO_H
#define _STRSOCK_COMPAT_LINUX_UIO_H

#include_next <linux/uio.h>
#include "strsock_features.h"

#ifndef HAVE_ITER_SOURCE_DEST
#define ITER_SOURCE	1	/* WRITE */
#define ITER_DEST	0	/* READ */
#endif

#endif
