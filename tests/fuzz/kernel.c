// SPDX-License-Identifier: GPL-2.0-only
/* The kernel on one thread: the functions of include/kernel.h */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

struct task_struct fuzz_task;
struct net init_net = {
	.users = 1,
	.core.sysctl_somaxconn = 16,
	.ipv4 = { 64, 7200 * HZ },
};

unsigned long jiffies;

void fuzz_die(const char *why)
{
	fflush(stdout);
	fprintf(stderr, "fuzz: %s\n", why);
	abort();
}

/* Locks: one that is held is held by this thread. */
int mutex_trylock(struct mutex *m)
{
	if (m->held)
		return 0;
	m->held = 1;
	return 1;
}

void mutex_lock(struct mutex *m)
{
	fuzz_may_sleep();
	if (!mutex_trylock(m))
		fuzz_die("a mutex is taken twice");
}

int mutex_lock_killable(struct mutex *m)
{
	mutex_lock(m);
	return 0;
}

void mutex_unlock(struct mutex *m)
{
	if (!m->held)
		fuzz_die("a mutex is unlocked that is not held");
	m->held = 0;
}

void refcount_inc(refcount_t *r)
{
	if (r->n++ <= 0)
		fuzz_die("a reference to an object that has none left");
}

bool refcount_inc_not_zero(refcount_t *r)
{
	if (r->n)
		r->n++;
	return r->n;
}

bool refcount_dec_and_test(refcount_t *r)
{
	if (r->n <= 0)
		fuzz_die("a reference is dropped that does not exist");
	return !--r->n;
}

u32 jhash(const void *at, u32 len, u32 seed)
{
	const u8 *byte = at;

	while (len--)
		seed = seed * 31 + *byte++;
	return seed;
}

static struct fuzz_entry *xa_slot(struct xarray *xa, unsigned long index)
{
	struct fuzz_entry *e;

	for (e = xa->slot; e < xa->slot + ARRAY_SIZE(xa->slot); e++)
		if (e->index == index)
			return e;
	return NULL;
}

int xa_reserve(struct xarray *xa, unsigned long index, gfp_t gfp)
{
	struct fuzz_entry *e = xa_slot(xa, 0);

	fuzz_may_sleep();
	if (!e)
		return -ENOMEM;
	e->index = index;
	return 0;
}

void xa_release(struct xarray *xa, unsigned long index)
{
	xa_erase(xa, index);
}

void xa_store(struct xarray *xa, unsigned long index, void *entry, gfp_t gfp)
{
	xa_slot(xa, index)->entry = entry;
}

void xa_erase(struct xarray *xa, unsigned long index)
{
	*xa_slot(xa, index) = (struct fuzz_entry){ };
}

void *xa_load(struct xarray *xa, unsigned long index)
{
	const struct fuzz_entry *e = index ? xa_slot(xa, index) : NULL;

	return e ? e->entry : NULL;
}

void *kzalloc(size_t size, gfp_t gfp)
{
	void *p = kmalloc(size, gfp);

	if (p)
		memset(p, 0, size);
	return p;
}

void *kmemdup(const void *from, size_t size, gfp_t gfp)
{
	void *p = kmalloc(size, gfp);

	if (p)
		memcpy(p, from, size);
	return p;
}

mempool_t *fuzz_pool(size_t size)
{
	mempool_t *pool = kmalloc(sizeof(*pool), GFP_KERNEL);

	if (pool)
		pool->size = size;
	return pool;
}

/* Objects that wait for a grace period, oldest first */
static struct rcu_head *rcu_first, **rcu_last = &rcu_first;

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	*head = (struct rcu_head){ .func = func };
	*rcu_last = head;
	rcu_last = &head->next;
}

void fuzz_free_rcu(struct rcu_head *head, void *object)
{
	call_rcu(head, NULL);
	head->object = object;
	/* No reader: as early as can be. */
	if (!stub_rcu && !stub_locks)
		fuzz_grace();
}

void fuzz_grace(void)
{
	struct rcu_head *head;

	while ((head = rcu_first)) {
		rcu_first = head->next;
		if (!rcu_first)
			rcu_last = &rcu_first;
		if (head->func)
			head->func(head);
		else
			kfree(head->object);
	}
}

const struct cred *override_creds(const struct cred *cred)
{
	const struct cred *old = fuzz_task.cred;

	fuzz_task.cred = cred;
	return old;
}

void revert_creds(const struct cred *old)
{
	fuzz_task.cred = old;
}

bool capable(int cap)
{
	return !fuzz_task.cred->euid.val;
}

/* Work: queued, and delayed */
static LIST_HEAD(works);
static LIST_HEAD(delayed);
static struct tasklet_struct *tasklet;

struct workqueue_struct *alloc_workqueue(const char *name, int flags, int most)
{
	static struct workqueue_struct wq;

	return &wq;
}

bool queue_work(struct workqueue_struct *wq, struct work_struct *w)
{
	if (w->queued)
		return false;
	w->queued = true;
	list_add_tail(&w->list, &works);
	return true;
}

bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *w,
			unsigned long ticks)
{
	if (w->work.queued)
		return false;
	w->work.queued = true;
	list_add_tail(&w->work.list, &delayed);
	return true;
}

bool cancel_work_now(struct work_struct *w)
{
	if (!w->queued)
		return false;
	w->queued = false;
	list_del(&w->list);
	return true;
}

bool cancel_work_sync(struct work_struct *w)
{
	fuzz_may_sleep();
	return cancel_work_now(w);
}

static void work_run(struct work_struct *w)
{
	cancel_work_now(w);
	w->func(w);
	if (stub_locks || stub_rcu)
		fuzz_die("work that ends with a lock held");
}

bool flush_work(struct work_struct *w)
{
	fuzz_may_sleep();
	if (!w->queued)
		return false;
	work_run(w);
	return true;
}

void tasklet_setup(struct tasklet_struct *t,
		   void (*func)(struct tasklet_struct *t))
{
	*t = (struct tasklet_struct){ .func = func };
}

void tasklet_schedule(struct tasklet_struct *t)
{
	t->scheduled = true;
	tasklet = t;
}

void fuzz_softirq(void)
{
	struct tasklet_struct *t;

	while ((t = tasklet)) {
		tasklet = NULL;
		t->scheduled = false;
		preempt_disable();
		t->func(t);
		preempt_enable();
	}
}

bool fuzz_work(void)
{
	struct work_struct *w;

	fuzz_softirq();
	w = list_first_entry_or_null(&works, struct work_struct, list);
	if (!w)
		return false;
	work_run(w);
	fuzz_softirq();
	return true;
}

/* Work that a loop of queues and works makes for itself never ends. */
#define WORK_MOST	100000

void fuzz_settle(void)
{
	unsigned int n = 0;

	do {
		while (fuzz_work())
			if (++n > WORK_MOST)
				fuzz_die("work that never ends");
		fuzz_grace();
	} while (tasklet || !list_empty(&works) || rcu_first);
}

static LIST_HEAD(timers);

void mod_timer(struct timer_list *t, unsigned long when)
{
	timer_delete(t);
	t->set = true;
	list_add_tail(&t->list, &timers);
}

bool timer_delete(struct timer_list *t)
{
	if (!t->set)
		return false;
	t->set = false;
	list_del(&t->list);
	return true;
}

/* Those set now run off, as a softirq. */
static void timers_run(void)
{
	struct timer_list *t;
	LIST_HEAD(due);

	while ((t = list_first_entry_or_null(&timers, struct timer_list, list)))
		list_move_tail(&t->list, &due);
	while ((t = list_first_entry_or_null(&due, struct timer_list, list))) {
		timer_delete(t);
		preempt_disable();
		t->func(t);
		preempt_enable();
	}
	fuzz_softirq();
}

void fuzz_tick(void)
{
	struct work_struct *w;
	LIST_HEAD(due);

	jiffies += HZ;
	timers_run();
	while ((w = list_first_entry_or_null(&delayed, struct work_struct, list)))
		list_move_tail(&w->list, &due);
	while ((w = list_first_entry_or_null(&due, struct work_struct, list))) {
		work_run(w);
		fuzz_softirq();
	}
}

/* A sleep: all others run meanwhile. */
long schedule_timeout_killable(long ticks)
{
	fuzz_may_sleep();
	fuzz_settle();
	fuzz_tick();
	return 0;
}

long wait_for_completion_killable_timeout(struct completion *c, unsigned long t)
{
	fuzz_may_sleep();
	if (!c->done)
		fuzz_settle();
	if (!c->done)
		return 0;
	c->done--;
	return 1;
}

void wait_for_completion(struct completion *c)
{
	fuzz_may_sleep();
	if (!c->done)
		fuzz_settle();
	if (!c->done)
		fuzz_die("a wait that never ends");
	c->done--;
}

struct net *get_net(struct net *net)
{
	net->users++;
	return net;
}

void put_net(struct net *net)
{
	if (net->users-- <= 0)
		fuzz_die("a network namespace has no user left");
}
