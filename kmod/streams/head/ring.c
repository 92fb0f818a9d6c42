// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pages of a ring: the bytes of a pipe or a FIFO, until a call or module
 * needs them as messages. ringcopy.h copies bytes in and out.
 *
 * A page that was read stays in its place for the next round, and a writer
 * that comes to a place without a page takes the page that was read last: so
 * there are as many pages as were ever needed at a time, and those in use are
 * cache-warm.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "ring.h"

/**
 * ring_begin() - make a ring ready
 * @ring: the ring, zeroed; the caller sets where its pages are counted and how many it keeps
 * @size: bytes it holds: a power of two, of pages, RING_PAGES of them at most
 * @read_mutex: the mutex that its readers hold
 */
void ring_begin(struct strring *ring, size_t size, struct mutex *read_mutex)
{
	ring->size = size;
	ring->pages = ring->few;
	/*
	 * The positions start close to their wrap, so that every pipe soon
	 * passes it, not only those that carry gigabytes.
	 */
	ring->tail = RING_FIRST;
	ring->head = ring->tail;
	ring->head_seen = ring->tail;
	ring->tail_seen = ring->tail;
	ring->read_mutex = read_mutex;
	mutex_init(&ring->write_mutex);
	INIT_LIST_HEAD(&ring->idle);
}
EXPORT_SYMBOL_GPL(ring_begin);

/* Counts n more pages, or fewer. */
static void ring_count_pages(struct strring *ring, int n)
{
	ring->npages += n;
	if (ring->charged)
		atomic_long_add(n, ring->charged);
}

/* Returns the pages from that of the first unread byte to that of the next byte written. */
static unsigned int ring_span(unsigned int tail, unsigned int head)
{
	/*
	 * The difference is computed in the positions' own type, as they wrap;
	 * PAGE_MASK alone would widen it.
	 */
	unsigned int bytes = head - (tail & PAGE_MASK);

	return DIV_ROUND_UP(bytes, PAGE_SIZE);
}

static void ring_free_page(struct strring *ring, char **slot)
{
	if (*slot) {
		free_page((unsigned long)*slot);
		ring_count_pages(ring, -1);
	}
	*slot = NULL;
}

/* Frees spare pages, under write_mutex. Returns how many are in use. */
unsigned int ring_trim(struct strring *ring)
{
	/* Acquire: the reader has finished with the earlier pages. */
	unsigned int tail = smp_load_acquire(&ring->tail);
	unsigned int used = ring_span(tail, ring->head), i;

	lockdep_assert_held(&ring->write_mutex);
	for (i = used; ring->npages > used && i < ring->size >> PAGE_SHIFT; i++)
		ring_free_page(ring, ring_slot(ring, tail + i * PAGE_SIZE));
	return used;
}
EXPORT_SYMBOL_GPL(ring_trim);

/*
 * Rings that have grown to many pages are checked periodically; a ring that was not
 * written once around since the last check loses its unused pages. A shrinker would be
 * called when the machine is short of memory, but not when a cgroup is, and the pages are
 * charged to the writer's cgroup. The timer is not deferrable: it may be on another CPU,
 * and memory would be held back for as long as that CPU sleeps.
 */
#define REAP_PERIOD	round_jiffies_relative(2 * HZ)

static void reap(struct work_struct *work);

static DEFINE_MUTEX(reap_mutex);	/* write_mutex is taken before it */
static LIST_HEAD(reap_rings);
static DECLARE_DELAYED_WORK(reap_work, reap);

static void reap(struct work_struct *work)
{
	struct strring *ring, *next;

	mutex_lock(&reap_mutex);
	list_for_each_entry_safe(ring, next, &reap_rings, idle) {
		if (!mutex_trylock(&ring->write_mutex))
			continue;
		if (ring->head - ring->reaped < ring->size &&
		    ring_trim(ring) <= ring->keep)
			list_del_init(&ring->idle);
		ring->reaped = ring->head;
		mutex_unlock(&ring->write_mutex);
	}
	if (!list_empty(&reap_rings))
		schedule_delayed_work(&reap_work, REAP_PERIOD);
	mutex_unlock(&reap_mutex);
}

/*
 * Adds a ring to the list, under write_mutex; a ring leaves the list only under
 * its write_mutex.
 */
static void reap_watch(struct strring *ring)
{
	lockdep_assert_held(&ring->write_mutex);
	if (!list_empty(&ring->idle))
		return;
	mutex_lock(&reap_mutex);
	ring->reaped = ring->head - ring->size; /* the first look only looks */
	list_add_tail(&ring->idle, &reap_rings);
	schedule_delayed_work(&reap_work, REAP_PERIOD);
	mutex_unlock(&reap_mutex);
}

static void reap_forget(struct strring *ring)
{
	mutex_lock(&reap_mutex);
	list_del_init(&ring->idle);
	mutex_unlock(&reap_mutex);
}

/* The list has no ring left; the last check may still be due. */
void ring_exit(void)
{
	cancel_delayed_work_sync(&reap_work);
}

/*
 * Allocates a page for an empty place, when the ring has no spare page; NULL:
 * memory is short.
 */
static noinline char *ring_page_alloc(struct strring *ring, char **slot)
{
	/* A sender by TCP need not have the ring: no task is killed for it. */
	gfp_t gfp = GFP_KERNEL_ACCOUNT | (ring->charged ? __GFP_NORETRY | __GFP_NOWARN : 0);

	*slot = (char *)__get_free_page(gfp);
	if (!*slot)
		return NULL;
	ring_count_pages(ring, 1);
	/* More pages than it keeps are given back when they lie idle. */
	if (ring->npages > ring->keep)
		reap_watch(ring);
	return *slot;
}

/* Finds a page for an empty place, for ring_page(). */
char *ring_page_new(struct strring *ring, char **slot, unsigned int pos)
{
	/* Acquire: the reader has finished with the earlier pages. */
	unsigned int tail = smp_load_acquire(&ring->tail), back = tail;
	char **spare, *page;

	if (ring->npages <= ring_span(tail, pos))
		return ring_page_alloc(ring, slot);
	/* From there backwards all pages are spare, up to the empty place. */
	do {
		back -= PAGE_SIZE;
		spare = ring_slot(ring, back);
		if (unlikely(spare == slot))
			return ring_page_alloc(ring, slot);
		page = *spare;
	} while (!page);
	*slot = page;
	*spare = NULL;
	return page;
}
EXPORT_SYMBOL_GPL(ring_page_new);

static void ring_free_all_pages(struct strring *ring)
{
	unsigned int i;

	for (i = 0; i < ring->size >> PAGE_SHIFT && ring->npages; i++)
		ring_free_page(ring, &ring->pages[i]);
}

/* Frees the pages of a ring that no caller uses any more. */
void ring_free_pages(struct strring *ring)
{
	reap_forget(ring);
	ring_free_all_pages(ring);
}

/* Frees all that a ring has; its own memory belongs to another object. */
void ring_free(struct strring *ring)
{
	ring_free_pages(ring);
	if (ring->pages != ring->few)
		kfree(ring->pages);
	mutex_destroy(&ring->write_mutex);
}
EXPORT_SYMBOL_GPL(ring_free);

/*
 * Copies the unread bytes to a larger or smaller ring, all zero except its
 * size. The positions stay the same.
 */
static int ring_copy(struct strring *ring, struct strring *to)
{
	unsigned int pos = ring->tail, at, len;

	for (; pos != ring->head; pos += len) {
		char **slot = ring_slot(to, pos);

		at = offset_in_page(pos);
		len = min_t(unsigned int, ring->head - pos, PAGE_SIZE - at);
		/* The last bytes may share a page with the first. */
		if (!*slot) {
			*slot = (char *)__get_free_page(GFP_KERNEL_ACCOUNT);
			if (!*slot)
				return -ENOMEM;
			ring_count_pages(to, 1);
		}
		memcpy(*slot + at, *ring_slot(ring, pos) + at, len);
		cond_resched();
	}
	return 0;
}

/*
 * Changes how many bytes a ring holds, a power of two of pages, under both
 * mutexes. Returns 0, -ENOMEM, or -EBUSY: the ring has more unread bytes.
 */
int ring_resize(struct strring *ring, size_t size)
{
	struct strring new = { .size = size, .charged = ring->charged };
	int err;

	lockdep_assert_held(&ring->write_mutex);
	lockdep_assert_held(ring->read_mutex);
	if (ring->head - ring->tail > size)
		return -EBUSY;
	new.pages = kcalloc(size >> PAGE_SHIFT, sizeof(*new.pages),
			    GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!new.pages)
		return -ENOMEM;
	err = ring_copy(ring, &new);
	if (err) {
		ring_free_all_pages(&new);
		kfree(new.pages);
		return err;
	}
	ring_free_all_pages(ring);
	if (ring->pages != ring->few)
		kfree(ring->pages);
	ring->pages = new.pages;
	ring->npages = new.npages;
	/*
	 * The tail is copied, because by an older one a smaller ring would seem to hold more
	 * than it can.
	 */
	ring->tail_seen = ring->tail;
	/* Writers that asked for room without a mutex look again afterwards. */
	WRITE_ONCE(ring->size, size);
	if (ring->npages > ring->keep)
		reap_watch(ring);
	return 0;
}
EXPORT_SYMBOL_GPL(ring_resize);
