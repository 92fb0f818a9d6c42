/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel for the perimeter, on threads
 *
 * Included before each source. Each thread is a task and the softirqs and hard
 * interrupts on top of it, by turns. Preemption that is off is a read section of RCU.
 */
#ifndef _UNIT_THREADS_KERNEL_H
#define _UNIT_THREADS_KERNEL_H

#include <linux/types.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define __user
#define rcu_dereference_raw(p)	(p)
#define might_sleep()		((void)0)
#define mutex_init(m)		((void)(m))
#define schedule_timeout_killable(t)		((void)(t), sched_yield())
#define schedule_timeout_uninterruptible(t)	((void)(t), sched_yield())
#define signal_pending(task)	0
#define ERESTARTSYS		512
#define current			(&test_task)
#define in_serving_softirq()	test_softirq
#define in_hardirq()		test_hardirq
#undef rcu_read_lock
#undef rcu_read_unlock
#undef rcu_dereference
#undef DEFINE_PER_CPU
#undef this_cpu_read
#define rcu_read_lock()		preempt_disable()
#define rcu_read_unlock()	preempt_enable()
#define rcu_dereference(p)	(p)
#define DEFINE_PER_CPU(type, name)	__thread type name
#define __this_cpu_read(v)	(v)
#define __this_cpu_write(v, x)	((v) = (x))
#define this_cpu_read(v)	(v)

typedef struct { int unused; } wait_queue_head_t;
struct rcu_head { int unused; };
#define wake_up(w)		((void)(w))

extern __thread struct task_struct test_task;
extern __thread bool test_softirq, test_hardirq;
void preempt_disable(void);
void preempt_enable(void);
/* At each step that others see: now and then another thread is given time. */
void test_pause(void);

#define smp_mb__after_atomic()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define clear_bit(nr, p) \
	((void)__atomic_and_fetch(p, ~(1UL << (nr)), __ATOMIC_RELAXED))
#define xchg(p, v)							\
	({ test_pause();						\
	   typeof(*(p)) was_ = __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); \
	   test_pause();						\
	   was_; })
#define cmpxchg(p, old, new)						\
	({ typeof(*(p)) was_ = (old);					\
	   test_pause();						\
	   __atomic_compare_exchange_n(p, &was_, new, false,		\
				       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
	   test_pause();						\
	   was_; })

#define llist_entry(p, type, member) \
	((type *)((uintptr_t)(p) - offsetof(type, member)))
#define init_llist_head(head)	((void)((head)->first = NULL))
static inline bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct llist_node *first = READ_ONCE(head->first);

	do {
		node->next = first;
		test_pause();
	} while (!__atomic_compare_exchange_n(&head->first, &first, node, false,
					      __ATOMIC_SEQ_CST,
					      __ATOMIC_RELAXED));
	test_pause();
	return !first;
}

static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, NULL);
}

static inline struct llist_node *llist_reverse_order(struct llist_node *node)
{
	struct llist_node *all = NULL, *next;

	for (; node; node = next) {
		next = node->next;
		node->next = all;
		all = node;
	}
	return all;
}

struct completion {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	bool done;
};

#define init_completion(c) \
	((void)(*(c) = (struct completion){ PTHREAD_MUTEX_INITIALIZER, \
					    PTHREAD_COND_INITIALIZER }))
static inline void complete(struct completion *c)
{
	pthread_mutex_lock(&c->mutex);
	c->done = true;
	pthread_cond_signal(&c->cond);
	pthread_mutex_unlock(&c->mutex);
}

static inline void wait_for_completion(struct completion *c)
{
	pthread_mutex_lock(&c->mutex);
	while (!c->done)
		pthread_cond_wait(&c->cond, &c->mutex);
	pthread_mutex_unlock(&c->mutex);
}

#endif /* _UNIT_THREADS_KERNEL_H */
