// SPDX-License-Identifier: GPL-2.0-only
/* 6.17, and late 6.12: the shared work queues say whether they are per processor */
#include <linux/workqueue.h>

bool probe(struct work_struct *a, struct work_struct *b);
bool probe(struct work_struct *a, struct work_struct *b)
{
	return queue_work(system_percpu_wq, a) && queue_work(system_dfl_wq, b);
}
