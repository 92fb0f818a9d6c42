// SPDX-License-Identifier: GPL-2.0-only
/* 6.17, and late 6.12: the shared work queue says that it is per processor */
#include <linux/workqueue.h>

bool probe(struct work_struct *work);
bool probe(struct work_struct *work)
{
	return queue_work(system_percpu_wq, work);
}
