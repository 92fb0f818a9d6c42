// SPDX-License-Identifier: GPL-2.0-only
/* 6.2, and late 6.1: del_timer() has a name in the style of the others */
#include <linux/timer.h>

int probe(struct timer_list *timer);
int probe(struct timer_list *timer)
{
	return timer_delete(timer) + timer_delete_sync(timer);
}
