// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frozen queues: only the module that froze a queue changes it
 *
 * freezestr() is the queue's own lock, left to the module. Those functions
 * that are for a frozen queue (insq, rmvq, strqget, strqset) know that it
 * holds the lock. A queue that they would enable is enabled when the lock is
 * free.
 */
#include <linux/bitops.h>
#include <linux/export.h>

#include "flow.h"
#include "freeze.h"

DEFINE_PER_CPU(struct frozen, str_frozen);

void freeze_backenable(unsigned char pri)
{
	__set_bit(pri, this_cpu_ptr(&str_frozen)->back);
}

void freeze_enable(void)
{
	this_cpu_write(str_frozen.enable, true);
}

/**
 * freezestr() - keep all others from changing a queue
 * @q: the queue
 *
 * Until unfreezestr() the caller alone may look at the messages on the queue,
 * and change it by insq(), rmvq(), strqget() and strqset(). Nothing else of
 * this interface may be called meanwhile, and nothing that sleeps; interrupts
 * are off. One queue at a time.
 *
 * Context: any. Source: SVR4.2 DDI/DKI freezestr(D3).
 */
void freezestr(queue_t *q)
	__acquires(&q->q_lock)
{
	struct frozen *f;
	unsigned long irq;

	spin_lock_irqsave(&q->q_lock, irq);
	f = this_cpu_ptr(&str_frozen);
	/*
	 * The record has room for one queue: a second frozen queue of this CPU
	 * would be forgotten.
	 */
	WARN_ON_ONCE(f->q);
	f->q = q;
	f->irq = irq;
}
EXPORT_SYMBOL_GPL(freezestr);

/**
 * unfreezestr() - let others change a queue again
 * @q: the queue that was frozen
 *
 * Queues for which insq(), rmvq() or strqset() made room or work are enabled
 * now.
 *
 * Context: as it was left by freezestr(). Source: SVR4.2 DDI/DKI
 * unfreezestr(D3).
 */
void unfreezestr(queue_t *q)
	__releases(&q->q_lock)
{
	struct frozen *f = this_cpu_ptr(&str_frozen);
	DECLARE_BITMAP(back, 256);
	unsigned long irq = f->irq;
	bool enable = f->enable;
	int pri;

	if (WARN_ON_ONCE(f->q != q)) {
		__release(&q->q_lock);
		return;
	}
	bitmap_copy(back, f->back, 256);
	bitmap_zero(f->back, 256);
	f->enable = false;
	f->q = NULL;
	spin_unlock_irqrestore(&q->q_lock, irq);
	if (enable)
		qenable(q);
	for_each_set_bit(pri, back, 256)
		backenable(q, pri);
}
EXPORT_SYMBOL_GPL(unfreezestr);
