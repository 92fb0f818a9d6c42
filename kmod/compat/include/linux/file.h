/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_FILE_H
#define _STRSOCK_COMPAT_LINUX_FILE_H

#include_next <linux/file.h>
#include "strsock_features.h"

#ifndef HAVE_RECEIVE_FD_UFD
#define receive_fd(file, ufd, flags)	receive_fd(file, flags)
#endif

#endif
