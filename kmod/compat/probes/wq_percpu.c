// SPDX-License-Identifier: GPL-2.0-only
/* 6.17, and late 6.12: a work queue per processor is asked for by a flag */
#include <linux/workqueue.h>

struct workqueue_struct *probe(void);
struct workqueue_struct *probe(void)
{
	return alloc_workqueue("probe", WQ_PERCPU, 0);
}
