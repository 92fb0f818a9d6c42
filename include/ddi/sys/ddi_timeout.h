/* SPDX-License-Identifier: GPL-2.0-only */
/* ddi/sys/ddi_timeout.h - timeout() and untimeout() */
#ifndef _DDI_SYS_DDI_TIMEOUT_H
#define _DDI_SYS_DDI_TIMEOUT_H

#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <sys/stream.h>

/*
 * Timers call the functions at any time, beside the procedures of the streams. A
 * function may call qenable() and whatever locks by itself; one that touches the
 * queue is called with qtimeout() instead.
 *
 * All is weak, so that the files of one module share it.
 */
struct ddi_timeout {
	struct list_head list;
	struct timer_list timer;
	void (*func)(void *arg);
	void *arg;
	timeout_id_t id;
	bool cancelled;
	int cpu;		/* where its function runs, or -1 */
};

struct ddi_timeouts {
	spinlock_t lock;	/* of all below and the calls listed */
	struct list_head list;	/* calls that have not been freed */
	timeout_id_t last;
};

extern struct ddi_timeouts ddi_timeouts;
struct ddi_timeouts ddi_timeouts __weak = {
	.lock = __SPIN_LOCK_UNLOCKED(ddi_timeouts.lock),
	.list = LIST_HEAD_INIT(ddi_timeouts.list),
};

void ddi_timeout_expired(struct timer_list *timer);
timeout_id_t timeout(void (*func)(void *arg), void *arg, clock_t ticks);
clock_t untimeout(timeout_id_t id);
bool ddi_timeouts_pending(void);

__weak void ddi_timeout_expired(struct timer_list *timer)
{
	struct ddi_timeout *t = container_of(timer, struct ddi_timeout, timer);

	spin_lock_bh(&ddi_timeouts.lock);
	if (!t->cancelled) {
		t->cpu = smp_processor_id();
		spin_unlock_bh(&ddi_timeouts.lock);
		t->func(t->arg);
		spin_lock_bh(&ddi_timeouts.lock);
	}
	list_del(&t->list);
	spin_unlock_bh(&ddi_timeouts.lock);
	kfree(t);
}

/* Returns 0 when there is no memory. */
__weak timeout_id_t timeout(void (*func)(void *arg), void *arg, clock_t ticks)
{
	struct ddi_timeout *t = kmalloc(sizeof(*t), GFP_ATOMIC);
	timeout_id_t id;

	if (!t)
		return 0;
	t->func = func;
	t->arg = arg;
	t->cancelled = false;
	t->cpu = -1;
	timer_setup(&t->timer, ddi_timeout_expired, 0);
	spin_lock_bh(&ddi_timeouts.lock);
	if (!++ddi_timeouts.last)
		ddi_timeouts.last++;
	id = ddi_timeouts.last;
	t->id = id;
	list_add(&t->list, &ddi_timeouts.list);
	mod_timer(&t->timer, jiffies + (ticks > 0 ? ticks : 0));
	spin_unlock_bh(&ddi_timeouts.lock);
	return id;
}

/*
 * Cancels a call, or waits until its function has returned, unless that is the
 * caller. Returns the ticks that were left; -1: the function was called.
 */
__weak clock_t untimeout(timeout_id_t id)
{
	struct ddi_timeout *t, *unused = NULL;
	clock_t left = -1;
	bool running;

	do {
		running = false;
		spin_lock_bh(&ddi_timeouts.lock);
		list_for_each_entry(t, &ddi_timeouts.list, list) {
			if (t->id != id || t->cancelled)
				continue;
			if (t->cpu >= 0) {
				running = !in_softirq() || t->cpu != smp_processor_id();
			} else {
				left = max_t(long, t->timer.expires - jiffies, 0);
				/* A timer that has expired frees it. */
				t->cancelled = true;
				if (timer_delete(&t->timer)) {
					list_del(&t->list);
					unused = t;
				}
			}
			break;
		}
		spin_unlock_bh(&ddi_timeouts.lock);
		if (running)
			cpu_relax();
	} while (running);
	kfree(unused);
	return left;
}

/* The module stays loaded as long as there are. */
__weak bool ddi_timeouts_pending(void)
{
	bool pending;

	spin_lock_bh(&ddi_timeouts.lock);
	pending = !list_empty(&ddi_timeouts.list);
	spin_unlock_bh(&ddi_timeouts.lock);
	return pending;
}

#endif /* _DDI_SYS_DDI_TIMEOUT_H */
