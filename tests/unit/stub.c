// SPDX-License-Identifier: GPL-2.0-only
/* Stand-ins for the kernel; see include/linux/types.h */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/types.h>

int stub_warnings;
int stub_locks;
int stub_rcu;
int stub_fail_at;
int stub_alive;
gfp_t stub_gfp;
bool stub_init_on_free;

static void die(const char *why)
{
	printf("Bail out! %s\n", why);
	fflush(stdout);
	abort();
}

void spin_lock_init(spinlock_t *lock)
{
	lock->held = 0;
}

void stub_lock(spinlock_t *lock)
{
	if (lock->held++)
		die("a lock is taken twice");
	stub_locks++;
}

void stub_unlock(spinlock_t *lock)
{
	if (--lock->held)
		die("a lock is left that is not held");
	stub_locks--;
}

void stub_held(int held)
{
	if (!held)
		die("a lock is not held");
}

void *stub_deref(void *p)
{
	if (!stub_rcu)
		die("rcu_dereference() without rcu_read_lock()");
	return p;
}

static void *stub_alloc(size_t size, size_t align, gfp_t gfp)
{
	void *p;

	stub_gfp = gfp;
	if (stub_locks && gfpflags_allow_blocking(gfp))
		die("an allocation that may sleep under a lock");
	if (stub_fail_at && --stub_fail_at == 0)
		return NULL;
	p = aligned_alloc(align, (size + align - 1) & ~(align - 1));
	if (!p)
		die("out of memory");
	memset(p, 0xa5, size);
	stub_alive++;
	return p;
}

static void stub_free(void *p)
{
	stub_alive--;
	free(p);
}

/* Objects carry no tag of their cache, so that ASan sees their true ends. */
struct kmem_cache {
	unsigned int size;
	unsigned int user_at;	/* where users' data is in an object */
	unsigned int user;	/* bytes of it */
	int alive;
};

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, unsigned int flags,
				     void (*ctor)(void *))
{
	struct kmem_cache *c = stub_alloc(sizeof(*c), 8, GFP_KERNEL);

	if (c)
		*c = (struct kmem_cache) { .size = size };
	return c;
}

struct kmem_cache *kmem_cache_create_usercopy(const char *name,
					      unsigned int size,
					      unsigned int align,
					      unsigned int flags,
					      unsigned int useroffset,
					      unsigned int usersize,
					      void (*ctor)(void *))
{
	struct kmem_cache *c;

	if (useroffset + usersize > size)
		die("the user-copy region is larger than the object");
	c = kmem_cache_create(name, size, align, flags, ctor);
	if (c) {
		c->user_at = useroffset;
		c->user = usersize;
	}
	return c;
}

void kmem_cache_destroy(struct kmem_cache *c)
{
	if (!c)
		return;
	if (c->alive)
		die("a cache is destroyed that has objects");
	stub_free(c);
}

void *kmem_cache_alloc(struct kmem_cache *c, gfp_t gfp)
{
	void *p = stub_alloc(c->size, 8, gfp);

	if (p)
		c->alive++;
	return p;
}

void kmem_cache_free(struct kmem_cache *c, void *p)
{
	unsigned int i;

	if (malloc_usable_size(p) != c->size)
		die("an object is given to a cache it is not of");
	for (i = 0; stub_init_on_free && i < c->user; i++)
		if (((char *)p)[c->user_at + i])
			die("an object is freed with a user's data in it");
	c->alive--;
	stub_free(p);
}

void *kmalloc(size_t size, gfp_t gfp)
{
	return stub_alloc(size, 8, gfp);
}

void *krealloc(void *p, size_t size, gfp_t gfp)
{
	void *n = stub_alloc(size, 8, gfp);
	size_t old = p ? malloc_usable_size(p) : 0;

	if (!n)
		return NULL;
	if (p) {
		memcpy(n, p, min(old, size));
		stub_free(p);
	}
	return n;
}

void kfree(void *p)
{
	if (p)
		stub_free(p);
}

unsigned long __get_free_pages(gfp_t gfp, unsigned int order)
{
	if (order > 10)
		die("an order the page allocator does not have");
	return (unsigned long)stub_alloc(PAGE_SIZE << order, PAGE_SIZE, gfp);
}

void free_pages(unsigned long addr, unsigned int order)
{
	if (malloc_usable_size((void *)addr) != PAGE_SIZE << order)
		die("pages are freed with another order");
	stub_free((void *)addr);
}

struct sk_buff *stub_skb(size_t headroom, size_t len, size_t tailroom)
{
	struct sk_buff *skb = stub_alloc(sizeof(*skb), 8, GFP_KERNEL);

	memset(skb, 0, sizeof(*skb));
	skb->head = stub_alloc(headroom + len + tailroom, 8, GFP_KERNEL);
	skb->data = skb->head + headroom;
	skb->tail = skb->data + len;
	skb->end = skb->tail + tailroom;
	skb->len = len;
	skb->users = 1;
	return skb;
}

/* The clone is assumed to be freed afterwards. */
int skb_unclone(struct sk_buff *skb, gfp_t gfp)
{
	size_t size = skb->end - skb->head;
	unsigned char *head;

	if (!skb->cloned)
		return 0;
	head = stub_alloc(size, 8, gfp);
	if (!head)
		return -ENOMEM;
	memcpy(head, skb->head, size);
	skb->data = head + (skb->data - skb->head);
	skb->tail = head + (skb->tail - skb->head);
	skb->end = head + size;
	stub_free(skb->head);
	skb->head = head;
	skb->cloned = false;
	return 0;
}

void str_skb_free(struct sk_buff *skb)
{
	struct sk_buff *next, *list = skb_shinfo(skb)->frag_list;

	if (skb->users)
		die("a socket buffer is freed before its last reference is dropped");
	for (; list; list = next) {
		next = list->next;
		consume_skb(list);
	}
	stub_free(skb->head);
	stub_free(skb);
}

void consume_skb(struct sk_buff *skb)
{
	if (skb_unref(skb))
		str_skb_free(skb);
}
