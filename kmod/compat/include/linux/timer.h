/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_TIMER_H
#define _STRSOCK_COMPAT_LINUX_TIMER_H

#include_next <linux/timer.h>
#include "strsock_features.h"

#ifndef HAVE_TIMER_DELETE
#define timer_delete		del_timer
#define timer_delete_sync	del_timer_sync
#endif

#endif
