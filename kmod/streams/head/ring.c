// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pages of a ring: the bytes of a pipe or a FIFO, until a call or module
 * needs them as messages. call/io.c copies bytes in and out.
 *
 * A page that was read stays in its place for the next round, and a writer
 * that comes to a place without a page takes the page that was read last: so
 * there are as many pages as were ever needed at a time, and those in use are
 * cache-warm.
 */
#include <linux/limits.h>
#include <linux/pipe_fs_i.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/uio.h>
#include <linux/workqueue.h>

#include "streams/message/copy.h"
#include "streams/message/mblk.h"
#include "streams/queue/queue.h"
#include "records.h"
#include "ring.h"
#include "room.h"
#include "wake.h"

/* More pages than this are watched, to be given back when they lie idle. */
#define RING_KEEP	2

/*
 * How long writers wait for more room than they need; no wait is known to be
 * best.
 */
#define RING_PATIENCE	ns_to_ktime(500 * NSEC_PER_USEC)

/* Pages from that of the first unread byte to that of the next byte written. */
static unsigned int ring_span(unsigned int tail, unsigned int head)
{
	/* Positions wrap as what they are; PAGE_MASK alone would widen them. */
	unsigned int bytes = head - (tail & PAGE_MASK);

	return DIV_ROUND_UP(bytes, PAGE_SIZE);
}

static void ring_free_page(struct strring *ring, char **slot)
{
	if (*slot) {
		free_page((unsigned long)*slot);
		ring->npages--;
	}
	*slot = NULL;
}

/* Frees spare pages, under write_mutex. Returns how many are in use. */
static unsigned int ring_trim(struct strring *ring)
{
	/* Acquire: the reader is done with the pages before it. */
	unsigned int tail = smp_load_acquire(&ring->tail);
	unsigned int used = ring_span(tail, ring->head), i;

	for (i = used; ring->npages > used && i < ring->size >> PAGE_SHIFT; i++)
		ring_free_page(ring, ring_slot(ring, tail + i * PAGE_SIZE));
	return used;
}

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
		    ring_trim(ring) <= RING_KEEP)
			list_del_init(&ring->idle);
		ring->reaped = ring->head;
		mutex_unlock(&ring->write_mutex);
	}
	if (!list_empty(&reap_rings))
		schedule_delayed_work(&reap_work, REAP_PERIOD);
	mutex_unlock(&reap_mutex);
}

/* Under write_mutex, without which no ring leaves the list. */
static void reap_watch(struct strring *ring)
{
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

/* No ring is left; the last check may still be due. */
void ring_exit(void)
{
	cancel_delayed_work_sync(&reap_work);
}

/* A new page for an empty place, when none is spare; NULL: no memory. */
static noinline char *ring_page_alloc(struct strring *ring, char **slot)
{
	*slot = (char *)__get_free_page(GFP_KERNEL_ACCOUNT);
	if (*slot && ++ring->npages > RING_KEEP)
		reap_watch(ring);
	return *slot;
}

/* A page for an empty place, as ring_page(). */
char *ring_page_new(struct strring *ring, char **slot, unsigned int pos)
{
	/* Acquire: the reader is done with the pages before it. */
	unsigned int tail = smp_load_acquire(&ring->tail), back = tail;
	char **spare, *page;

	if (ring->npages <= ring_span(tail, pos))
		return ring_page_alloc(ring, slot);
	/* Backwards from there all are spare, as far as the empty place. */
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

/*
 * Unread bytes at which sleeping writers are woken: half of the ring, so that
 * writer and reader work at the same time. On one CPU they cannot, and the
 * fewer turns they take, the better. With Linux's rule, which wakes a writer as
 * soon as a full pipe has room, messages of 512 B to 4 KiB between two processes
 * of one CPU take 30 to 56 % more instructions on 6.1, and as many within 6 % on
 * 6.12 and 7.2 (bench/run --mode counted --works pipe-two).
 */
static unsigned int ring_lowat(const struct strring *ring)
{
	/* Not above the number that leaves room for PIPE_BUF. */
	return READ_ONCE(ring->sleeper) == raw_smp_processor_id() ?
	       0 : min_t(unsigned int, ring->size / 2, ring->size - PIPE_BUF);
}

/*
 * For ring_freed(), which found that writers may wait: the reader was at position before,
 * and is at tail now. Writers wait because there was no room for PIPE_BUF bytes. They are
 * woken at the low water mark, lest they be woken for each page, fill it and sleep again;
 * or, if the reader does not get that far, RING_PATIENCE after there was room for them.
 * Pollers and tasks that want signals are woken at once: epoll_wait() may be called right
 * after. epoll_wait() returns files in the order of their wakeups, so pollers are woken by
 * those reads of a full ring that wake them in the kernel's pipe, see
 * PIPE_WAKES_STILL_FULL. However much they have written since, they saw less room than
 * there was before.
 */
void ring_freed_wake(struct stream *sd, unsigned int before, unsigned int tail)
{
	struct strring *ring = sd->sd_ring;
	unsigned int head = READ_ONCE(ring->head), lowat = ring_lowat(ring);
	bool full, some, wake;

	full = head - before + PIPE_BUF > ring->size;
	some = full && head - tail + PIPE_BUF <= ring->size;
	if (READ_ONCE(sd->sd_wwatch))
		wake = some;
	else if (READ_ONCE(ring->polled))
		wake = full && (some || PIPE_WAKES_STILL_FULL);
	else
		wake = head - before > lowat && head - tail <= lowat;
	if (wake) {
		hrtimer_try_to_cancel(&ring->patience);
		str_wsrv(str_wq(sd));
	} else if (some && !hrtimer_is_queued(&ring->patience)) {
		hrtimer_start(&ring->patience, RING_PATIENCE, HRTIMER_MODE_REL_SOFT);
	}
}

/* Runs in a soft interrupt, because waking may send signals for many registrations. */
static enum hrtimer_restart ring_patience_over(struct hrtimer *timer)
{
	struct strring *ring = container_of(timer, struct strring, patience);

	str_wsrv(str_wq(ring->sd));
	return HRTIMER_NORESTART;
}

static void ring_free_pages(struct strring *ring)
{
	unsigned int i;

	for (i = 0; i < ring->size >> PAGE_SHIFT && ring->npages; i++)
		ring_free_page(ring, &ring->pages[i]);
}

static void ring_free_array(struct strring *ring)
{
	if (ring->pages != ring->few)
		kfree(ring->pages);
}

/*
 * Copies the unread bytes to a larger or smaller ring, all zero except its
 * size, under both mutexes. The positions stay the same.
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
			to->npages++;
		}
		memcpy(*slot + at, *ring_slot(ring, pos) + at, len);
		cond_resched();
	}
	return 0;
}

/* Takes the pages of a ring that was copied, under both mutexes. */
static void ring_take(struct strring *ring, struct strring *from)
{
	ring_free_pages(ring);
	ring_free_array(ring);
	ring->pages = from->pages;
	ring->npages = from->npages;
	/* From an older tail a smaller ring would seem to hold more than it can. */
	ring->tail_seen = ring->tail;
	/* Writers that ask for room without a mutex look again afterwards. */
	WRITE_ONCE(ring->size, from->size);
	if (ring->npages > RING_KEEP)
		reap_watch(ring);
}

/*
 * Takes write_mutex, then sd_read_mutex. A reader may hold the latter while it copies
 * to memory that may be missing for long: no writer waits for that meanwhile. The ring
 * of a full-duplex pipe has no such reader.
 */
static int ring_lock_both(struct stream *sd)
{
	struct strring *ring = sd->sd_ring;

	for (;;) {
		if (mutex_lock_interruptible(&ring->write_mutex))
			return -ERESTARTSYS;
		if (records_kept(sd) && ring->on) {
			mutex_lock(&sd->sd_read_mutex);
			return 0;
		}
		if (mutex_trylock(&sd->sd_read_mutex))
			return 0;
		mutex_unlock(&ring->write_mutex);
		if (mutex_lock_interruptible(&sd->sd_read_mutex))
			return -ERESTARTSYS;
		mutex_unlock(&sd->sd_read_mutex);
	}
}

/**
 * ring_resize() - change how many bytes a stream's ring holds
 * @sd: the stream head
 * @size: a power of two, of pages
 *
 * A stream that no longer has a ring is left alone. The caller wakes writers.
 *
 * Context: may sleep.
 * Return: 0; -EBUSY: more is unread; -ENOMEM, -ERESTARTSYS.
 */
int ring_resize(struct stream *sd, size_t size)
{
	struct strring *ring = sd->sd_ring, new = { .size = size };
	int err = -EBUSY;

	new.pages = kcalloc(size >> PAGE_SHIFT, sizeof(*new.pages),
			    GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!new.pages)
		return -ENOMEM;
	if (ring_lock_both(sd)) {
		kfree(new.pages);
		return -ERESTARTSYS;
	}
	if (!ring->on)
		err = 0;
	else if (ring->head - ring->tail <= size)
		err = ring_copy(ring, &new);
	if (!err && ring->on) {
		ring_take(ring, &new);
		new.pages = NULL;
	}
	mutex_unlock(&sd->sd_read_mutex);
	mutex_unlock(&ring->write_mutex);
	if (new.pages) {
		ring_free_pages(&new);
		kfree(new.pages);
	}
	return err;
}

/* The unread bytes, as messages of a page, and a last one, under both mutexes. */
static int ring_messages(struct strring *ring, mblk_t **list)
{
	unsigned int pos = ring->tail, len;

	for (; pos != ring->head; pos += len, list = &(*list)->b_next) {
		len = min_t(unsigned int, ring->head - pos, PAGE_SIZE);
		*list = ring_message(ring, pos, len, MSGBYTES);
		if (!*list)
			return -ENOSR;
	}
	return 0;
}

/* The ring's bytes are now messages: they are queued, as all later ones. */
static void ring_off(struct stream *sd, mblk_t *mp)
{
	struct strring *ring = sd->sd_ring;
	mblk_t *next;

	for (; mp; mp = next) {
		next = mp->b_next;
		mp->b_next = NULL;
		putq(str_rq(sd), mp);
	}
	/* Release: a task that sees it off finds everything on the queue. */
	smp_store_release(&ring->on, false);
	/* Waiters are woken now; tasks that asked meanwhile saw the room. */
	hrtimer_cancel(&ring->patience);
	ring_free_pages(ring);
	reap_forget(ring);
	kfree(ring->records);
	ring->records = NULL;
}

/*
 * A task that sleeps until something happens to the ring continues with the
 * queue. A poller sees no change: only select() asks for EPOLLNVAL, and it
 * looks again.
 */
static void wake_sleepers(struct wait_queue_head *wait)
{
	__wake_up(wait, TASK_INTERRUPTIBLE, 0, poll_to_key(EPOLLNVAL));
}

/**
 * ring_end() - turn a stream's ring into messages
 * @sd: the stream head that reads it
 *
 * Nothing is lost or reordered.
 *
 * Context: may sleep.
 * Return: 0, -ENOSR, or -ERESTARTSYS.
 */
int ring_end(struct stream *sd)
{
	struct strring *ring = sd->sd_ring;
	struct stream *from = sd->sd_mate;
	mblk_t *mp = NULL;
	bool full;
	int err;

	err = ring_lock_both(sd);
	if (err)
		return err;
	/* Only a writer that found no room is woken. */
	full = !str_writable(from, 0);
	if (ring->on) {
		err = records_kept(sd) ? records_messages(ring, &mp) :
					 ring_messages(ring, &mp);
		if (err)
			str_free_list(mp);
		else
			ring_off(sd, mp);
	}
	mutex_unlock(&sd->sd_read_mutex);
	mutex_unlock(&ring->write_mutex);
	wake_sleepers(&sd->sd_rwait);
	wake_sleepers(&from->sd_wwait);
	if (full && str_writable(from, 0))
		str_wsrv(str_wq(from));
	else
		str_filled(from);
	return err;
}

/* Both rings of a full-duplex pipe, or that of a FIFO; as ring_end(). */
int str_rings_end(struct stream *sd)
{
	int err = str_ring_on(sd) ? ring_end(sd) : 0;

	return err ?: str_ring_written(sd) ? ring_end(sd->sd_mate) : 0;
}

/**
 * str_ring_init() - pass a pipe's bytes through a ring
 * @sd: the head that reads them, connected
 * @ring: the ring, zeroed; lives as long as the head
 * @size: bytes it holds: a power of two, of pages, RING_PAGES of them at most
 */
void str_ring_init(struct stream *sd, struct strring *ring, size_t size)
{
	ring->size = size;
	ring->pages = ring->few;
	ring->on = true;
	/* Soon the positions wrap, not only in pipes that saw gigabytes. */
	ring->tail = -4 * size;
	ring->head = ring->tail;
	ring->head_seen = ring->tail;
	ring->tail_seen = ring->tail;
	mutex_init(&ring->write_mutex);
	INIT_LIST_HEAD(&ring->idle);
	hrtimer_setup(&ring->patience, ring_patience_over, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_SOFT);
	ring->sd = sd;
	/* Release: /proc may be looking. */
	smp_store_release(&sd->sd_ring, ring);
}
EXPORT_SYMBOL_GPL(str_ring_init);

/* Drops the unread bytes before a position, under sd_read_mutex. */
static void ring_drop_unread(struct stream *sd, unsigned int head)
{
	struct strring *ring = sd->sd_ring;
	unsigned int n = head - ring->tail;

	ring_freed(sd, head);
	if (n && records_kept(sd))
		records_take(ring, n);
}

/* Drops all unread bytes, and releases both mutexes. */
static void ring_drop(struct stream *sd)
{
	struct strring *ring = sd->sd_ring;

	/* Bytes that became messages meanwhile are no longer in the ring. */
	if (ring->on) {
		WRITE_ONCE(ring->head_seen, ring->head);
		ring_drop_unread(sd, ring->head);
		ring_trim(ring);
	}
	mutex_unlock(&sd->sd_read_mutex);
	mutex_unlock(&ring->write_mutex);
}

/* Drops all unread bytes: 0, or -ERESTARTSYS. Context: may sleep. */
int str_ring_flush(struct stream *sd)
{
	if (!str_ring_on(sd))
		return 0;
	if (ring_lock_both(sd))
		return -ERESTARTSYS;
	ring_drop(sd);
	return 0;
}

/*
 * The same when no file of the head is open any more, so that no caller has its mutex
 * for long. The other end of a full-duplex pipe may still write.
 */
void str_ring_drop(struct stream *sd)
{
	struct strring *ring = sd->sd_ring;

	if (!str_ring_on(sd))
		return;
	mutex_lock(&sd->sd_read_mutex);
	if (ring->on) {
		/* Acquire: the bytes before the position. */
		unsigned int head = smp_load_acquire(&ring->head);

		ring_drop_unread(sd, head);
	}
	WRITE_ONCE(ring->head_seen, ring->tail);
	mutex_unlock(&sd->sd_read_mutex);
	if (!mutex_trylock(&ring->write_mutex))
		return;
	if (ring->on)
		ring_trim(ring);
	mutex_unlock(&ring->write_mutex);
}

/* The stream has no users any more. */
void str_ring_destroy(struct stream *sd)
{
	struct strring *ring = sd->sd_ring;

	if (!ring)
		return;
	hrtimer_cancel(&ring->patience);
	reap_forget(ring);
	ring_free_pages(ring);
	ring_free_array(ring);
	kfree(ring->records);
	mutex_destroy(&ring->write_mutex);
}
EXPORT_SYMBOL_GPL(str_ring_destroy);
