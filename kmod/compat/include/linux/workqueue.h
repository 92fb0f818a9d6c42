/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_WORKQUEUE_H
#define _STRSOCK_COMPAT_LINUX_WORKQUEUE_H

#include_next <linux/workqueue.h>
#include "strsock_features.h"

#ifndef HAVE_SYSTEM_PERCPU_WQ
#define system_percpu_wq	system_wq
#define system_dfl_wq		system_unbound_wq
#endif

/* Older kernels make a work queue per processor unless it is unbound. */
#ifndef HAVE_WQ_PERCPU
#define WQ_PERCPU		0
#endif

#endif
