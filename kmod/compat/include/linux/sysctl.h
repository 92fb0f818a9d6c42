/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_SYSCTL_H
#define _STRSOCK_COMPAT_LINUX_SYSCTL_H

#include_next <linux/sysctl.h>
#include "strsock_features.h"

/* Handlers of settings have a table that is const, or not. */
#ifdef HAVE_CTL_TABLE_CONST
#define CTL_TABLE_CONST		const
#else
#define CTL_TABLE_CONST
#endif

#endif
