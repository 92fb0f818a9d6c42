/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_FILE_H
#define _STRSOCK_COMPAT_LINUX_FILE_H

#include_next <linux/file.h>
#include "strsock_features.h"

#ifdef HAVE_RECEIVE_FD_UFD
#define receive_fd(file, flags)	receive_fd(file, NULL, flags)
#endif

#endif
