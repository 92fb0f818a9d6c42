/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of the kernel as the message and queue code of the executive uses,
 * in user space. The headers beside this one only lead here.
 */
#ifndef _UNIT_LINUX_TYPES_H
#define _UNIT_LINUX_TYPES_H

#include_next <linux/types.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

typedef unsigned int gfp_t;

#define __rcu
#define __init
#define __ro_after_init
#define __aligned(n)		__attribute__((aligned(n)))
#define __percpu
#define __acquires(lock)
#define __releases(lock)
#define __acquire(lock)		((void)0)
#define __release(lock)		((void)0)
#define EXPORT_SYMBOL_GPL(sym)	_Static_assert(__alignof__(sym) > 0, #sym)
#define noinline
#define static_assert(...)	_Static_assert(__VA_ARGS__, "")
#define likely(x)		(x)
#define unlikely(x)		(x)
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile typeof(x) *)&(x) = (v))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define swap(a, b) \
	do { typeof(a) tmp_ = (a); (a) = (b); (b) = tmp_; } while (0)
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define IS_ALIGNED(x, a)	(((x) & ((a) - 1)) == 0)

/* Warnings are counted: a test expects a certain number of them. */
extern int stub_warnings;
#define WARN_ON_ONCE(c)		((c) ? (stub_warnings++, true) : false)

struct list_head { struct list_head *next, *prev; };
struct llist_node { struct llist_node *next; };
struct llist_head { struct llist_node *first; };

/* atomic */
typedef struct { int counter; } atomic_t;

static inline int atomic_read(const atomic_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline int atomic_read_acquire(const atomic_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE);
}

static inline void atomic_set(atomic_t *v, int i)
{
	__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED);
}

static inline int atomic_inc_return(atomic_t *v)
{
	return __atomic_add_fetch(&v->counter, 1, __ATOMIC_SEQ_CST);
}

#define ATOMIC_INIT(i)		{ (i) }

static inline void atomic_inc(atomic_t *v)
{
	__atomic_add_fetch(&v->counter, 1, __ATOMIC_RELAXED);
}

static inline int atomic_dec_return(atomic_t *v)
{
	return __atomic_sub_fetch(&v->counter, 1, __ATOMIC_SEQ_CST);
}

static inline bool atomic_dec_and_test(atomic_t *v)
{
	return __atomic_sub_fetch(&v->counter, 1, __ATOMIC_SEQ_CST) == 0;
}

static inline bool atomic_sub_and_test(int n, atomic_t *v)
{
	return __atomic_sub_fetch(&v->counter, n, __ATOMIC_SEQ_CST) == 0;
}

static inline bool test_and_set_bit(int nr, unsigned long *p)
{
	return __atomic_fetch_or(p, 1UL << nr, __ATOMIC_SEQ_CST) >> nr & 1;
}

/* bitmap */
#define BITS_PER_LONG		(8 * (int)sizeof(long))
#define DECLARE_BITMAP(name, n) \
	unsigned long name[((n) + BITS_PER_LONG - 1) / BITS_PER_LONG]
#define bitmap_zero(p, n)	memset(p, 0, ((n) + 7) / 8)
#define bitmap_copy(to, from, n)	memcpy(to, from, sizeof(to))
#define bit_set(nr, p) \
	((p)[(nr) / BITS_PER_LONG] >> ((nr) % BITS_PER_LONG) & 1)
#define __set_bit(nr, p) \
	((p)[(nr) / BITS_PER_LONG] |= 1UL << ((nr) % BITS_PER_LONG))
static inline unsigned int next_bit(const unsigned long *p, unsigned int n,
				    unsigned int nr)
{
	while (nr < n && !bit_set(nr, p))
		nr++;
	return nr;
}

#define for_each_set_bit(nr, p, n) \
	for ((nr) = next_bit(p, n, 0); (nr) < (n); (nr) = next_bit(p, n, (nr) + 1))

/* Taking a lock twice, or releasing one that is not held, aborts. */
typedef struct { int held; } spinlock_t;

extern int stub_locks;		/* held now */
void spin_lock_init(spinlock_t *lock);
void stub_lock(spinlock_t *lock);
void stub_unlock(spinlock_t *lock);
/* Aborts unless the lock or mutex is held. */
void stub_held(int held);
#define lockdep_assert_held(l)		stub_held((l)->held)
#define spin_lock_irqsave(l, f)		((f) = 0, stub_lock(l))
#define spin_unlock_irqrestore(l, f)	((void)(f), stub_unlock(l))

/* Per CPU: there is one. */
#define DECLARE_PER_CPU(type, name)	extern type name
#define DEFINE_PER_CPU(type, name)	type name
#define this_cpu_ptr(p)			(p)
#define this_cpu_read(v)		(v)
#define this_cpu_write(v, val)		((v) = (val))

struct mutex { int held; };

/* The first task, for its credentials */
typedef struct { uid_t val; } kuid_t;
struct cred { kuid_t euid; };
struct nsproxy;
struct mm_struct;
struct task_struct {
	const struct cred *cred;
	struct nsproxy *nsproxy;
	struct mm_struct *mm;
	unsigned int flags;
};

extern struct task_struct init_task;
#define rcu_access_pointer(p)	(p)

/* RCU: rcu_dereference() outside of a read-side section aborts. */
extern int stub_rcu;
void *stub_deref(void *p);
#define rcu_read_lock()		((void)stub_rcu++)
#define rcu_read_unlock()	((void)stub_rcu--)
#define rcu_dereference(p)	((typeof(p))stub_deref(p))
#define rcu_read_lock_sched()	rcu_read_lock()
#define rcu_read_unlock_sched()	rcu_read_unlock()
#define rcu_read_lock_sched_held()	(stub_rcu > 0)
#define rcu_dereference_sched(p)	rcu_dereference(p)
#define rcu_dereference_check(p, c)	((c) ? (p) : (typeof(p))stub_deref(p))

/* Memory */
#define GFP_KERNEL		0x01u
#define GFP_ATOMIC		0x02u
#define __GFP_NOWARN		0x04u
#define __GFP_ACCOUNT		0x08u
#define __GFP_COMP		0x10u
#define SLAB_HWCACHE_ALIGN	1u
#define SLAB_ACCOUNT		2u
#define PAGE_SIZE		4096UL
#define PAGE_SHIFT		12
#define KMALLOC_MAX_SIZE	(4UL << 20)

struct kmem_cache;

static inline bool gfpflags_allow_blocking(gfp_t gfp)
{
	return gfp & GFP_KERNEL;
}

extern bool stub_init_on_free;

static inline bool want_init_on_free(void)
{
	return stub_init_on_free;
}

static inline bool want_init_on_alloc(gfp_t gfp)
{
	return false;
}

/*
 * The n-th allocation from now on fails, if n is not 0; it becomes 0 then.
 * How many are alive, and the flags of the last one.
 */
extern int stub_fail_at;
extern int stub_alive;
extern gfp_t stub_gfp;

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, unsigned int flags,
				     void (*ctor)(void *));
struct kmem_cache *kmem_cache_create_usercopy(const char *name,
					      unsigned int size,
					      unsigned int align,
					      unsigned int flags,
					      unsigned int useroffset,
					      unsigned int usersize,
					      void (*ctor)(void *));
void kmem_cache_destroy(struct kmem_cache *c);
void *kmem_cache_alloc(struct kmem_cache *c, gfp_t gfp);
void kmem_cache_free(struct kmem_cache *c, void *p);
void *kmalloc(size_t size, gfp_t gfp);
void *krealloc(void *p, size_t size, gfp_t gfp);
void kfree(void *p);
unsigned long __get_free_pages(gfp_t gfp, unsigned int order);
void free_pages(unsigned long addr, unsigned int order);

static inline unsigned int get_order(size_t size)
{
	unsigned int order = 0;

	while ((PAGE_SIZE << order) < size)
		order++;
	return order;
}

static inline unsigned int order_base_2(size_t n)
{
	unsigned int order = 0;

	while ((1UL << order) < n)
		order++;
	return order;
}

/* Socket buffers */
typedef struct {
	unsigned char *at;
	unsigned int size;
} skb_frag_t;

struct skb_shared_info {
	int nr_frags;
	struct sk_buff *frag_list;
	skb_frag_t frags[2];
};

struct sk_buff {
	struct sk_buff *next;
	unsigned char *head, *data, *tail, *end;
	unsigned int len;
	unsigned int data_len;
	int users;
	bool cloned;
	bool sum_is_unknown;	/* a reader has to compute the checksum */
	struct skb_shared_info shared_info;
};

#define skb_shinfo(skb)			((struct skb_shared_info *)&(skb)->shared_info)
#define skb_headlen(skb)		((skb)->len - (skb)->data_len)
#define skb_frag_address(frag)		((frag)->at)
#define skb_frag_size(frag)		((frag)->size)
#define skb_frags_readable(skb)		true
#define skb_linearize(skb)		0
#define skb_orphan(skb)			do { } while (0)
#define skb_unref(skb)			((skb) && !--(skb)->users)
#define skb_walk_frags(skb, iter)	\
	for (iter = skb_shinfo(skb)->frag_list; iter; iter = iter->next)
/* No option of the kernel's is set. */
#define IS_ENABLED(CONFIG_option)	0

static inline struct sk_buff *skb_get(struct sk_buff *skb)
{
	skb->users++;
	return skb;
}

static inline bool skb_is_nonlinear(const struct sk_buff *skb)
{
	return skb->data_len;
}

static inline bool skb_shared(const struct sk_buff *skb)
{
	return skb->users != 1;
}

static inline unsigned char *skb_end_pointer(const struct sk_buff *skb)
{
	return skb->end;
}

static inline void skb_set_tail_pointer(struct sk_buff *skb, int offset)
{
	skb->tail = skb->data + offset;
}

static inline unsigned char *skb_tail_pointer(const struct sk_buff *skb)
{
	return skb->tail;
}

struct sk_buff *stub_skb(size_t headroom, size_t len, size_t tailroom);
int skb_unclone(struct sk_buff *skb, gfp_t gfp);
void consume_skb(struct sk_buff *skb);

#define max_t(type, a, b)	max((type)(a), (type)(b))

static inline bool llist_empty(const struct llist_head *head)
{
	return !head->first;
}

/* One thread: nothing to order. */
#define smp_rmb()		do { } while (0)
#define smp_load_acquire(p)	READ_ONCE(*(p))

#endif /* _UNIT_LINUX_TYPES_H */
