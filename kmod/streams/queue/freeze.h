/* SPDX-License-Identifier: GPL-2.0-only */
/* Queues that freezestr() holds */
#ifndef _STREAMS_FREEZE_H
#define _STREAMS_FREEZE_H

#include <linux/bitmap.h>
#include <linux/percpu.h>
#include <sys/stream.h>

/*
 * The queue this CPU has frozen. Interrupts are off until it is unfrozen, so a
 * CPU has at most one, and the task does not change CPU.
 */
struct frozen {
	queue_t *q;			/* NULL: none */
	unsigned long irq;		/* of its q_lock */
	DECLARE_BITMAP(back, 256);	/* bands to back-enable afterwards */
	bool enable;			/* the queue is to be enabled afterwards */
};

DECLARE_PER_CPU(struct frozen, str_frozen);

/* Takes q_lock, unless the caller has frozen the queue. */
static inline bool queue_hold(queue_t *q, unsigned long *irq)
	__acquires(&q->q_lock)
{
	if (unlikely(this_cpu_read(str_frozen.q) == q)) {
		__acquire(&q->q_lock);
		return true;
	}
	spin_lock_irqsave(&q->q_lock, *irq);
	return false;
}

static inline void queue_release(queue_t *q, unsigned long irq, bool frozen)
	__releases(&q->q_lock)
{
	if (frozen)
		__release(&q->q_lock);
	else
		spin_unlock_irqrestore(&q->q_lock, irq);
}

/* Records, with the queue frozen, what to do when it is unfrozen. */
void freeze_backenable(unsigned char pri);
void freeze_enable(void);

#endif /* _STREAMS_FREEZE_H */
