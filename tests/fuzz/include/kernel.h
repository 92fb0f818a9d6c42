/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel for transport providers in user space, on one thread
 *
 * The compiler includes this before each kernel source of a target; the kernel's
 * headers that have no file beside this one or in tests/unit/include are empty. A call
 * that may sleep aborts the program where sleeping is not allowed, as do all misuses
 * that tests/unit/stub.c finds.
 */
#ifndef _FUZZ_KERNEL_H
#define _FUZZ_KERNEL_H

#include <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef int64_t ktime_t;
struct hrtimer { ktime_t expires; };
typedef unsigned int __poll_t;
typedef unsigned int fmode_t;

#define ERESTARTSYS		512
#define U32_MAX			((u32)~0U)
#define static_assert(...)	_Static_assert(__VA_ARGS__, "")
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define __user
#define __force
#define __exit
#define __cacheline_aligned
#define ____cacheline_aligned_in_smp
#define __maybe_unused		__attribute__((__unused__))
#define fallthrough		__attribute__((__fallthrough__))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define ALIGN(n, to)		(((n) + (to) - 1) & ~((to) - 1))
#define BIT(n)			(1UL << (n))
#define MODULE_DESCRIPTION(s)	_Static_assert(1, "")
#define MODULE_LICENSE(s)	_Static_assert(1, "")
#define MODULE_ALIAS(s)		_Static_assert(1, "")
#define MODULE_ALIAS_CHARDEV(major, minor)	_Static_assert(1, "")
#define module_init(f)		int fuzz_##f(void) { return f(); }
#define module_exit(f)		void fuzz_##f(void) { f(); }
#define clamp(v, lo, hi)	min(max(v, lo), hi)
#define clamp_t(type, v, lo, hi) \
	min_t(type, max_t(type, v, lo), hi)
#define typeof_member(type, member)	typeof(((type *)0)->member)
#define sizeof_field(type, member)	sizeof(((type *)0)->member)

struct module;
#define THIS_MODULE		((struct module *)NULL)
static inline void __module_get(struct module *m) { }
static inline void module_put(struct module *m) { }

/* Ends the program: a finding. */
void fuzz_die(const char *why) __attribute__((__noreturn__));

/* Contexts: a lock held, or preemption off, is counted by stub_locks. */
static inline void fuzz_may_sleep(void)
{
	if (stub_locks || stub_rcu)
		fuzz_die("a sleep where none is allowed");
}

#define might_sleep()		fuzz_may_sleep()
#define cond_resched()		fuzz_may_sleep()
#define preempt_disable()	((void)stub_locks++)
#define preempt_enable()	((void)stub_locks--)
#define local_bh_disable()	preempt_disable()
#define local_bh_enable()	preempt_enable()
#define pagefault_disable()	((void)0)
#define pagefault_enable()	((void)0)
#define in_serving_softirq()	0
#define in_hardirq()		0
#define in_task()		1

/* Locks */
#define DEFINE_SPINLOCK(name)	spinlock_t name
#define spin_lock(l)		stub_lock(l)
#define spin_unlock(l)		stub_unlock(l)
#define spin_lock_bh(l)		stub_lock(l)
#define spin_unlock_bh(l)	stub_unlock(l)
typedef spinlock_t rwlock_t;
#define read_lock_bh(l)		stub_lock(l)
#define read_unlock_bh(l)	stub_unlock(l)
#define write_lock_bh(l)	stub_lock(l)
#define write_unlock_bh(l)	stub_unlock(l)

#define DEFINE_MUTEX(name)	struct mutex name
#define mutex_init(m)		((void)((m)->held = 0))
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
int mutex_lock_killable(struct mutex *m);
#define mutex_lock_interruptible(m)	mutex_lock_killable(m)
int mutex_trylock(struct mutex *m);

/* Atomics */
typedef struct { s64 counter; } atomic64_t;
#define smp_mb()			((void)0)
#define smp_wmb()			((void)0)
#define smp_mb__after_atomic()		((void)0)
#define smp_store_release(p, v)		WRITE_ONCE(*(p), v)
#define smp_store_mb(x, v)		WRITE_ONCE(x, v)
#define xchg(p, v) \
	({ typeof(*(p)) old_ = *(p); *(p) = (v); old_; })
#define atomic_dec(v)			((void)(v)->counter--)
#define atomic_add(i, v)		((void)((v)->counter += (i)))
#define atomic_sub(i, v)		((void)((v)->counter -= (i)))
#define atomic64_inc_return(v)		(++(v)->counter)
#define cmpxchg(p, old, new) \
	({ typeof(*(p)) was_ = *(p); *(p) = was_ == (old) ? (new) : was_; was_; })

#define test_bit(nr, p)		(*(p) >> (nr) & 1)
#define set_bit(nr, p)		((void)(*(p) |= 1UL << (nr)))
#define clear_bit(nr, p)	((void)(*(p) &= ~(1UL << (nr))))
#define hweight32(w)		__builtin_popcount(w)

typedef struct { long n; } atomic_long_t;
#define atomic_long_read(a)		((a)->n)
#define atomic_long_add(i, a)		((void)((a)->n += (i)))

typedef struct { int n; } refcount_t;
#define refcount_set(r, i)		((void)((r)->n = (i)))
void refcount_inc(refcount_t *r);
bool refcount_inc_not_zero(refcount_t *r);
bool refcount_dec_and_test(refcount_t *r);
#define refcount_read(r)		((r)->n)

/* Lists */
#define LIST_HEAD(name)		struct list_head name = { &name, &name }
#define list_entry(p, type, member)	container_of(p, type, member)
#define list_for_each_entry(p, head, member)				\
	for ((p) = list_entry((head)->next, typeof(*(p)), member);	\
	     &(p)->member != (head);					\
	     (p) = list_entry((p)->member.next, typeof(*(p)), member))
#define list_for_each_entry_safe(p, n, head, member)			\
	for ((p) = list_entry((head)->next, typeof(*(p)), member),	\
	     (n) = list_entry((p)->member.next, typeof(*(p)), member);	\
	     &(p)->member != (head);					\
	     (p) = (n), (n) = list_entry((n)->member.next, typeof(*(p)), member))
#define list_first_entry_or_null(head, type, member)			\
	(list_empty(head) ? NULL : list_entry((head)->next, type, member))

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline void list_add_tail(struct list_head *item, struct list_head *head)
{
	item->prev = head->prev;
	item->next = head;
	head->prev->next = item;
	head->prev = item;
}

static inline void list_add(struct list_head *item, struct list_head *head)
{
	list_add_tail(item, head->next);
}

static inline void list_del_init(struct list_head *item)
{
	item->prev->next = item->next;
	item->next->prev = item->prev;
	INIT_LIST_HEAD(item);
}

/* A later use is found. */
static inline void list_del(struct list_head *item)
{
	item->prev->next = item->next;
	item->next->prev = item->prev;
	item->next = NULL;
	item->prev = NULL;
}

static inline void list_move_tail(struct list_head *item, struct list_head *head)
{
	list_del(item);
	list_add_tail(item, head);
}

/* Moves the items of from in front of those of to. */
static inline void list_splice_init(struct list_head *from, struct list_head *to)
{
	while (!list_empty(from)) {
		struct list_head *last = from->prev;

		list_del(last);
		list_add(last, to);
	}
}

/* Also of NULL, as a number */
#define llist_entry(p, type, member) \
	((type *)((uintptr_t)(p) - offsetof(type, member)))
#define init_llist_head(head)		((void)((head)->first = NULL))
static inline bool llist_add(struct llist_node *node, struct llist_head *head)
{
	node->next = head->first;
	head->first = node;
	return !node->next;
}

static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	struct llist_node *all = head->first;

	head->first = NULL;
	return all;
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

#define llist_for_each_entry_safe(p, n, node, member)			\
	for ((p) = llist_entry(node, typeof(*(p)), member);		\
	     (uintptr_t)(p) + offsetof(typeof(*(p)), member) &&		\
	     ((n) = llist_entry((p)->member.next, typeof(*(p)), member), 1); \
	     (p) = (n))

struct hlist_node { struct hlist_node *next, **pprev; };
struct hlist_head { struct hlist_node *first; };
#define INIT_HLIST_NODE(n)	((void)((n)->pprev = NULL))
#define hash_hashed(n)		(!!(n)->pprev)
#define DEFINE_HASHTABLE(name, bits)	struct hlist_head name[1 << (bits)]
static inline void hlist_add_head(struct hlist_node *n, struct hlist_head *h)
{
	n->next = h->first;
	n->pprev = &h->first;
	if (n->next)
		n->next->pprev = &n->next;
	h->first = n;
}

static inline void hash_del(struct hlist_node *n)
{
	*n->pprev = n->next;
	if (n->next)
		n->next->pprev = n->pprev;
	n->pprev = NULL;
}

#define hash_add(table, n, key) \
	hlist_add_head(n, &(table)[(key) % ARRAY_SIZE(table)])
#define hlist_entry_or_null(n, type, member) \
	((n) ? container_of(n, type, member) : NULL)
#define hash_for_each_possible(table, p, member, key)			\
	for ((p) = hlist_entry_or_null(					\
		(table)[(key) % ARRAY_SIZE(table)].first, typeof(*(p)), member); \
	     (p);							\
	     (p) = hlist_entry_or_null((p)->member.next, typeof(*(p)), member))

u32 jhash(const void *at, u32 len, u32 seed);
#define get_random_u32()	4U

/* Objects by their number; the few that a target has. */
struct xarray {
	struct fuzz_entry { unsigned long index; void *entry; } slot[16];
};

#define DEFINE_XARRAY(name)	struct xarray name
#define xa_init(xa)		((void)memset(xa, 0, sizeof(*(xa))))
#define xa_destroy(xa)		((void)(xa))
#define xa_lock(xa)		((void)stub_locks++)
#define xa_unlock(xa)		((void)stub_locks--)
int xa_reserve(struct xarray *xa, unsigned long index, gfp_t gfp);
void xa_release(struct xarray *xa, unsigned long index);
void xa_store(struct xarray *xa, unsigned long index, void *entry, gfp_t gfp);
void xa_erase(struct xarray *xa, unsigned long index);
void *xa_load(struct xarray *xa, unsigned long index);

/* Memory */
#define GFP_KERNEL_ACCOUNT	(GFP_KERNEL | __GFP_ACCOUNT)
void *kzalloc(size_t size, gfp_t gfp);
void *kmemdup(const void *from, size_t size, gfp_t gfp);

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
	void *object;			/* to be freed */
};

/* At the end of the operation. */
void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void fuzz_free_rcu(struct rcu_head *head, void *object);
#define kfree_rcu(p, member)		fuzz_free_rcu(&(p)->member, p)
#define synchronize_rcu()		fuzz_may_sleep()
#define synchronize_rcu_tasks()		fuzz_may_sleep()
#define rcu_barrier()			fuzz_grace()
#define rcu_dereference_raw(p)		(p)
#define rcu_assign_pointer(p, v)	((void)((p) = (v)))
#define RCU_INIT_POINTER(p, v)		((void)((p) = (v)))
void fuzz_grace(void);

/* Per CPU */
#define __this_cpu_read(v)	(v)
#define __this_cpu_write(v, x)	((void)((v) = (x)))
#define this_cpu_add(v, n)	((void)(n))
#define per_cpu_ptr(p, cpu)	(p)
#define get_cpu_ptr(p)		(p)
#define put_cpu_ptr(p)		((void)(p))
#define for_each_possible_cpu(cpu) \
	for ((cpu) = 0; (cpu) < 1; (cpu)++)

/* Tasks */
enum pid_type { PIDTYPE_TGID, PIDTYPE_PGID };
typedef struct { gid_t val; } kgid_t;
#define GLOBAL_ROOT_UID		((kuid_t){ 0 })
#define uid_eq(a, b)		((a).val == (b).val)
#define TASK_COMM_LEN		16
#define PF_KTHREAD		1
extern struct task_struct fuzz_task;
#define current			(&fuzz_task)
#define current_cred()		(fuzz_task.cred)
#define get_cred(c)		(c)
#define put_cred(c)		((void)(c))
const struct cred *override_creds(const struct cred *cred);
void revert_creds(const struct cred *old);
#define signal_pending(task)	0
#define CAP_SYS_ADMIN		21
bool capable(int cap);

/* Waiting: the event has happened, or happens when work is done. */
struct completion { unsigned int done; };
#define init_completion(c)	((void)((c)->done = 0))
#define complete(c)		((void)(c)->done++)
long wait_for_completion_killable_timeout(struct completion *c, unsigned long t);
void wait_for_completion(struct completion *c);
long schedule_timeout_killable(long ticks);
#define schedule_timeout_uninterruptible(t)	schedule_timeout_killable(t)
#define schedule_timeout_interruptible(t)	schedule_timeout_killable(t)
typedef struct { struct list_head list; } wait_queue_head_t;
#define waitqueue_active(w)			0
#define wq_has_sleeper(w)			0
/* Nothing here watches a queue. */
#define wake_up(w)			fuzz_die("a queue without a waiter is watched")
#define wake_up_interruptible_sync_poll(w, e)	((void)0)
#define wake_up_interruptible_poll(w, e)	((void)0)
typedef struct { int unused; } poll_table;

/* Time stands still until a target has it pass. */
#define HZ			250
extern unsigned long jiffies;
#define time_before(a, b)	((long)((a) - (b)) < 0)

/* Work, which a target has done: see streams.h */
struct work_struct {
	struct list_head list;		/* of those queued */
	void (*func)(struct work_struct *work);
	bool queued;
};

struct delayed_work { struct work_struct work; };
struct workqueue_struct { int unused; };
#define INIT_WORK(w, f) \
	((void)(*(w) = (struct work_struct){ .func = (f) }))
#define INIT_DELAYED_WORK(w, f)	INIT_WORK(&(w)->work, f)
#define to_delayed_work(w)	container_of(w, struct delayed_work, work)
#define WQ_UNBOUND		0
#define WQ_MEM_RECLAIM		0
#define WQ_PERCPU		0
#define cpu_relax()		fuzz_die("a lock that no task releases")
struct workqueue_struct *alloc_workqueue(const char *name, int flags, int most);
#define destroy_workqueue(wq)	((void)(wq))
#define schedule_work(w)	queue_work(NULL, w)
bool queue_work(struct workqueue_struct *wq, struct work_struct *w);
bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *w,
			unsigned long ticks);
bool cancel_work_sync(struct work_struct *w);
#define cancel_delayed_work(w)		cancel_work_now(&(w)->work)
#define cancel_delayed_work_sync(w)	cancel_work_sync(&(w)->work)
bool cancel_work_now(struct work_struct *w);
bool flush_work(struct work_struct *w);

struct timer_list {
	struct list_head list;		/* of those that are set */
	void (*func)(struct timer_list *t);
	bool set;
};

#define timer_setup(t, f, flags) \
	((void)(*(t) = (struct timer_list){ .func = (f) }))
#define timer_pending(t)	((t)->set)
#define timer_delete_sync(t)	timer_delete(t)
void mod_timer(struct timer_list *t, unsigned long when);
bool timer_delete(struct timer_list *t);
#define msecs_to_jiffies(ms)	((ms) / (1000 / HZ))
#define MAX_JIFFY_OFFSET	(LONG_MAX / 2)
#define USEC_PER_SEC		1000000L
#define NSEC_PER_USEC		1000L
struct timespec64 { s64 tv_sec; long tv_nsec; };
static inline void ktime_get_real_ts64(struct timespec64 *t)
{
	*t = (struct timespec64){ };
}

struct tasklet_struct {
	void (*func)(struct tasklet_struct *t);
	bool scheduled;
};

void tasklet_setup(struct tasklet_struct *t,
		   void (*func)(struct tasklet_struct *t));
void tasklet_schedule(struct tasklet_struct *t);
#define tasklet_kill(t)		((void)(t))

typedef struct { size_t size; } mempool_t;
#define mempool_create_kmalloc_pool(n, bytes)	fuzz_pool(bytes)
#define mempool_destroy(p)	kfree(p)
#define mempool_alloc(p, gfp)	kmalloc((p)->size, gfp)
#define mempool_free(e, p)	kfree(e)
mempool_t *fuzz_pool(size_t size);

/* Files, as far as the head's header names them */
struct seq_file;
struct rb_node { struct rb_node *left, *right; };
struct file { unsigned int f_flags; };
struct kiocb { struct file *ki_filp; int ki_flags; };
struct fasync_struct;
struct iov_iter;
struct vm_area_struct;
#define IOCB_NOWAIT		1
#define IOCB_NOSIGNAL		2
#define EPOLLIN			0x001
#define EPOLLPRI		0x002
#define EPOLLRDNORM		0x040
#define EPOLLRDBAND		0x080
#define O_NONBLOCK		04000

#define MINORBITS		20
struct file_operations {
	struct module *owner;
	long (*unlocked_ioctl)(struct file *file, unsigned int cmd,
			       unsigned long arg);
	long (*compat_ioctl)(struct file *file, unsigned int cmd,
			     unsigned long arg);
	void *llseek;
};

#define noop_llseek		NULL
unsigned long copy_from_user(void *to, const void __user *from, size_t n);
unsigned long copy_to_user(void __user *to, const void *from, size_t n);
/* Of rings, which streams here do not have */
struct iov_iter;
struct page;
size_t copy_to_iter(const void *from, size_t n, struct iov_iter *to);
void *page_address(const struct page *page);
#define offset_in_page(p)	((unsigned long)(p) & (PAGE_SIZE - 1))

/* Network namespaces */
struct net {
	int users;
	struct { int sysctl_somaxconn; } core;
	struct { int sysctl_ip_default_ttl, sysctl_tcp_keepalive_time; } ipv4;
	struct { struct udp_mib *udp_statistics; } mib;
};

struct nsproxy { struct net *net_ns; };
extern struct net init_net;
struct net *get_net(struct net *net);
void put_net(struct net *net);
#define net_eq(a, b)		((a) == (b))
#define net_hash_mix(net)	0U

#include "fuzz_sock.h"

#endif /* _FUZZ_KERNEL_H */
