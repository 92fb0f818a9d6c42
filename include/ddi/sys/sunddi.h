/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/sunddi.h - results of DDI functions, and Solaris's names of some */
#ifndef _DDI_SYS_SUNDDI_H
#define _DDI_SYS_SUNDDI_H

#include <sys/ddi.h>

#define DDI_SUCCESS	0
#define DDI_FAILURE	(-1)

#define ddi_get_lbolt()	((clock_t)jiffies)
#define ddi_get_time()	ktime_get_real_seconds()

#endif /* _DDI_SYS_SUNDDI_H */
