// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions called later: when there is memory, or after a time
 *
 * Each call is a delayed work. A bufcall's work allocates the memory with an
 * allocation that may sleep, which makes the system reclaim some. It then
 * frees the memory and calls the function. If the allocation fails it tries
 * again, at longer and longer intervals. The function of qtimeout() and
 * qbufcall() runs in the queue's perimeter, that of bufcall() at once, with
 * softirqs off.
 *
 * A call in the list waits for its time, or runs. The caller that cancels it
 * marks it under the lock; its work, or its turn in the perimeter, then frees
 * it.
 */
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/mempool.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "streams/perim/pair.h"
#include "streams/perim/perim.h"
#include "streams/perim/qflag.h"
#include "calls.h"
#include "qwait.h"

/*
 * The number of calls kept in reserve: bufcall() is needed when memory is
 * short.
 */
#define CALLS_RESERVE	64

/* Longest pause between two tries for memory. */
#define CALL_PAUSE_MOST	(HZ / 10 ?: 1)

struct str_call {
	struct perim_call perim_call;
	struct list_head list;		/* in calls, or in qp->calls */
	queue_t *q;			/* NULL: bufcall() */
	unsigned long id;
	void (*func)(void *arg);
	void *arg;
	size_t size;			/* bytes wanted, when buf */
	bool buf;
	bool taken_back;
	struct task_struct *runner;	/* of a bufcall() that runs */
	unsigned long when;		/* jiffies, of qtimeout() */
	unsigned long pause;		/* jiffies, until the next try */
	struct delayed_work work;
};

static DEFINE_SPINLOCK(calls_lock);
static LIST_HEAD(calls);
static unsigned long calls_id;
static mempool_t *calls_pool;
static struct workqueue_struct *calls_wq;

static struct list_head *call_list(queue_t *q)
{
	return q ? &pair_of(q)->calls : &calls;
}

static struct str_call *call_find(queue_t *q, unsigned long id)
{
	struct str_call *c;

	list_for_each_entry(c, call_list(q), list)
		if (c->id == id)
			return c;
	return NULL;
}

/*
 * Takes a call off the list, unless it was cancelled; a cancelled call is only
 * freed.
 */
static void call_drop(struct str_call *c)
{
	unsigned long flags;

	spin_lock_irqsave(&calls_lock, flags);
	list_del(&c->list);
	spin_unlock_irqrestore(&calls_lock, flags);
	mempool_free(c, calls_pool);
}

/* Runs a call in its turn in the perimeter. */
static void call_in_perim(struct perim_call *pc)
{
	struct str_call *c = container_of(pc, struct str_call, perim_call);
	void (*func)(void *arg) = c->func;
	void *arg = c->arg;
	queue_t *q = c->q;
	unsigned long flags;
	bool run;

	spin_lock_irqsave(&calls_lock, flags);
	run = !c->taken_back;
	list_del(&c->list);
	spin_unlock_irqrestore(&calls_lock, flags);
	/* The call is freed first, as the function may want another one. */
	mempool_free(c, calls_pool);
	if (!run)
		return;
	func(arg);
	if (q->q_flag & QWATCHED)
		perim_ran(q);
}

/* Runs the function of a bufcall(). */
static void call_here(struct str_call *c)
{
	unsigned long flags;
	bool run;

	local_bh_disable();
	spin_lock_irqsave(&calls_lock, flags);
	run = !c->taken_back;
	if (run)
		c->runner = current;
	spin_unlock_irqrestore(&calls_lock, flags);
	if (run)
		c->func(c->arg);
	call_drop(c);
	local_bh_enable();
}

/*
 * Returns whether there is memory for a buffer of that size, which may be made
 * by reclaim.
 */
static bool memory_there(size_t size)
{
	mblk_t *mp = allocb_gfp(size, GFP_KERNEL | __GFP_NOWARN);

	if (!mp)
		return false;
	freeb(mp);
	return testb(size, BPRI_MED);
}

static void call_work(struct work_struct *work)
{
	struct str_call *c = container_of(to_delayed_work(work),
					  struct str_call, work);

	if (!READ_ONCE(c->taken_back) && c->buf && !memory_there(c->size)) {
		c->pause = min_t(unsigned long, c->pause * 2, CALL_PAUSE_MOST);
		queue_delayed_work(calls_wq, &c->work, c->pause);
		return;
	}
	if (c->q)
		perim_call(c->q->q_perim, &c->perim_call);
	else
		call_here(c);
}

static unsigned long call_make(queue_t *q, void (*func)(void *arg), void *arg,
			       bool buf, size_t size, unsigned long ticks)
{
	struct str_call *c = mempool_alloc(calls_pool,
					   GFP_ATOMIC | __GFP_NOWARN);
	unsigned long flags, id;

	if (!c)
		return 0;
	memset(c, 0, sizeof(*c));
	c->perim_call.func = call_in_perim;
	c->q = q;
	c->func = func;
	c->arg = arg;
	c->buf = buf;
	c->size = size;
	c->pause = 1;
	c->when = jiffies + ticks;
	INIT_DELAYED_WORK(&c->work, call_work);
	spin_lock_irqsave(&calls_lock, flags);
	if (q) {
		if (pair_of(q)->calls_ending) {
			spin_unlock_irqrestore(&calls_lock, flags);
			mempool_free(c, calls_pool);
			return 0;
		}
		pair_of(q)->called = true;
	}
	id = ++calls_id ?: ++calls_id;
	c->id = id;
	list_add_tail(&c->list, call_list(q));
	/*
	 * The work is queued under the lock: once it is released, any task may
	 * cancel the call.
	 */
	queue_delayed_work(calls_wq, &c->work, ticks);
	spin_unlock_irqrestore(&calls_lock, flags);
	return id;
}

/*
 * Cancels a call under the lock. Returns whether the call existed, and will not
 * run. *gone: the call is off the list, and the caller must free it.
 */
static bool call_take_back(struct str_call *c, bool *gone)
{
	*gone = false;
	if (!c || c->taken_back || c->runner)
		return false;
	if (cancel_delayed_work(&c->work)) {
		list_del(&c->list);
		*gone = true;
	} else {
		c->taken_back = true;
	}
	return true;
}

/*
 * Returns the jiffies left of a queue's call, or -1: the call ran, or does not
 * exist.
 */
static clock_t call_end(queue_t *q, unsigned long id)
{
	struct str_call *c;
	unsigned long flags;
	clock_t left = -1;
	bool gone;

	spin_lock_irqsave(&calls_lock, flags);
	c = call_find(q, id);
	if (call_take_back(c, &gone))
		left = max(0L, (long)(c->when - jiffies));
	spin_unlock_irqrestore(&calls_lock, flags);
	if (gone)
		mempool_free(c, calls_pool);
	/*
	 * The function may be running, unless the caller owns the perimeter:
	 * wait until it has returned.
	 */
	if (left < 0 && !str_perim_owned(q->q_perim))
		str_perim_pass(q->q_perim);
	return left;
}

/**
 * bufcall() - have a function called when a buffer can be allocated
 * @size: bytes of the buffer
 * @pri: as for allocb()
 * @func: the function; it must not sleep
 * @arg: its argument
 *
 * The function is called once, soon, when memory for the buffer was there a
 * moment ago; allocb() may fail again, and bufcall() be called again then.
 * Beside procedures of the stream: use qbufcall() in a module.
 *
 * Context: any. Return: the call's number for unbufcall(), or 0 when there is
 * not even memory to remember it. Source: SVR4.2 DDI/DKI bufcall(D3).
 */
bufcall_id_t bufcall(size_t size, unsigned int pri, void (*func)(void *arg),
		     void *arg)
{
	return call_make(NULL, func, arg, true, size, 1);
}
EXPORT_SYMBOL_GPL(bufcall);

/**
 * unbufcall() - cancel a bufcall()
 * @id: its number; one that ran, or 0, is ignored
 *
 * When this returns the function does not run, unless it is the caller.
 *
 * Context: any but a hard interrupt; no lock held that the function takes.
 * Source: SVR4.2 DDI/DKI unbufcall(D3).
 */
void unbufcall(bufcall_id_t id)
{
	for (;;) {
		struct str_call *c;
		unsigned long flags;
		bool gone, busy;

		spin_lock_irqsave(&calls_lock, flags);
		c = call_find(NULL, id);
		call_take_back(c, &gone);
		busy = c && !gone && c->runner && c->runner != current;
		spin_unlock_irqrestore(&calls_lock, flags);
		if (gone)
			mempool_free(c, calls_pool);
		if (!busy)
			return;
		cpu_relax();
	}
}
EXPORT_SYMBOL_GPL(unbufcall);

/**
 * qbufcall() - have a function called in a queue's perimeter when a buffer can
 * be allocated
 * @q: the queue
 * @size: bytes of the buffer
 * @pri: as for allocb()
 * @func: the function; it must not sleep
 * @arg: its argument
 *
 * As bufcall(), but no procedure of the queue's perimeter runs beside it. It
 * is cancelled when the module is popped, or the driver closed.
 *
 * Context: any. Return: as bufcall(), for qunbufcall(). Source: Solaris
 * qbufcall(9F).
 */
bufcall_id_t qbufcall(queue_t *q, size_t size, unsigned int pri,
		      void (*func)(void *arg), void *arg)
{
	return call_make(q, func, arg, true, size, 1);
}
EXPORT_SYMBOL_GPL(qbufcall);

/**
 * qunbufcall() - cancel a qbufcall()
 * @q: the queue it was made for
 * @id: its number; one that ran, or 0, is ignored
 *
 * When this returns the function does not run and will not.
 *
 * Context: in the queue's perimeter, or where sleeping is allowed. Source:
 * Solaris qunbufcall(9F).
 */
void qunbufcall(queue_t *q, bufcall_id_t id)
{
	call_end(q, id);
}
EXPORT_SYMBOL_GPL(qunbufcall);

/**
 * qtimeout() - have a function called in a queue's perimeter after a time
 * @q: the queue
 * @func: the function; it must not sleep
 * @arg: its argument
 * @ticks: jiffies; HZ of them are a second
 *
 * No procedure of the queue's perimeter runs beside it. It is cancelled when
 * the module is popped, or the driver closed.
 *
 * Context: any. Return: the call's number for quntimeout(), or 0 when memory
 * is short. Source: Solaris qtimeout(9F).
 */
timeout_id_t qtimeout(queue_t *q, void (*func)(void *arg), void *arg,
		      clock_t ticks)
{
	return call_make(q, func, arg, false, 0, max_t(clock_t, ticks, 0));
}
EXPORT_SYMBOL_GPL(qtimeout);

/**
 * quntimeout() - cancel a qtimeout()
 * @q: the queue it was made for
 * @id: its number
 *
 * When this returns the function does not run and will not.
 *
 * Context: as qunbufcall(). Return: jiffies that were left, or -1 when it ran
 * already. Source: Solaris quntimeout(9F).
 */
clock_t quntimeout(queue_t *q, timeout_id_t id)
{
	return call_end(q, id);
}
EXPORT_SYMBOL_GPL(quntimeout);

void pair_calls_end(struct queue_pair *qp)
{
	struct str_call *c, *next;
	unsigned long flags;
	LIST_HEAD(gone);
	bool mine, called, left;

	/* No call is added after qprocsoff(). */
	if (qp->calls_ending && !qp->called)
		return;
	do {
		spin_lock_irqsave(&calls_lock, flags);
		qp->calls_ending = true;
		called = qp->called;
		list_for_each_entry_safe(c, next, &qp->calls, list) {
			call_take_back(c, &mine);
			if (mine)
				list_add(&c->list, &gone);
		}
		left = !list_empty(&qp->calls);
		spin_unlock_irqrestore(&calls_lock, flags);
		list_for_each_entry_safe(c, next, &gone, list)
			mempool_free(c, calls_pool);
		INIT_LIST_HEAD(&gone);
		/*
		 * The work items of the calls run, and find the calls
		 * cancelled.
		 */
		if (left)
			schedule_timeout_uninterruptible(1);
	} while (left);
	if (!called)
		return;
	/* A call that was taken off the list may still run. */
	str_perim_pass(qp->rd.q_perim);
}

int __init calls_init(void)
{
	calls_pool = mempool_create_kmalloc_pool(CALLS_RESERVE,
						 sizeof(struct str_call));
	if (!calls_pool)
		return -ENOMEM;
	calls_wq = alloc_workqueue("streams_calls",
				   WQ_MEM_RECLAIM | WQ_PERCPU, 0);
	if (!calls_wq) {
		mempool_destroy(calls_pool);
		return -ENOMEM;
	}
	return 0;
}

void calls_exit(void)
{
	destroy_workqueue(calls_wq);
	mempool_destroy(calls_pool);
}
