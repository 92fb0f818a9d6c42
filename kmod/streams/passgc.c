// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pipes that only messages hold
 *
 * A pipe's end that was sent over that very pipe, or over one that was sent
 * over it, is held by a message that nobody can receive when all descriptors
 * are closed. The collector finds such ends, as the one of AF_UNIX sockets
 * does, and empties their queues: then the files go the usual way.
 *
 * An end is alive if it has an open file that is not in flight, or one to which
 * more refer than messages do, or is held by its name; and so is every end in
 * flight on the read queue of a live one. All messages come and go under the
 * collector's lock, and take their reference before and put it after, so that
 * what is counted there is never less than what is. A file is received by means
 * of a descriptor of the end whose queue it is on, which keeps that end alive
 * meanwhile.
 */
#include <linux/file.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/workqueue.h>

#include "passfp.h"

/*
 * How long a pipe may be garbage: longer when there is much to look at, so that
 * the collector takes a hundredth of a processor's time; but not longer than
 * PASSGC_REST, as the clock counts also what others run meanwhile.
 */
#define PASSGC_PERIOD	HZ
#define PASSGC_SHARE	100
#define PASSGC_REST	(10UL * HZ)

/*
 * How many files may be in flight that are ends of pipes, of all who are not
 * privileged: all are looked at with interrupts off.
 */
#define PASSGC_MOST	65536

/* A file in flight that is an end of a pipe, while the collector looks. */
struct edge {
	struct stream *in;
	struct stream *is;
	struct file *file;
};

static LIST_HEAD(flying);		/* struct str_passfp */
static unsigned int flying_count;
static DEFINE_SPINLOCK(flying_lock);
static str_held_fn *held;		/* set once, by who makes pipes */

static void passgc_run(struct work_struct *work);
static DECLARE_DELAYED_WORK(passgc_work, passgc_run);

/* A file that is a pipe's end is about to be in flight. */
void passgc_add(struct str_passfp *p)
{
	unsigned long flags;

	spin_lock_irqsave(&flying_lock, flags);
	list_add_tail(&p->list, &flying);
	flying_count++;
	spin_unlock_irqrestore(&flying_lock, flags);
	schedule_delayed_work(&passgc_work, PASSGC_PERIOD);
}

/* Whether there may be no more; a few too many do no harm. */
bool passgc_full(void)
{
	return READ_ONCE(flying_count) >= PASSGC_MOST;
}

/* ... and is so no more. Context: any. */
void passgc_del(struct str_passfp *p)
{
	unsigned long flags;

	spin_lock_irqsave(&flying_lock, flags);
	list_del(&p->list);
	flying_count--;
	spin_unlock_irqrestore(&flying_lock, flags);
}

/**
 * str_passgc_ask() - tell the collector how to learn who holds a pipe's end
 * @fn: tells; asked only while files of pipes are in flight
 */
void str_passgc_ask(str_held_fn *fn)
{
	WRITE_ONCE(held, fn);
}
EXPORT_SYMBOL_GPL(str_passgc_ask);

static int by_file(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->is != y->is)
		return x->is < y->is ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return 0;
}

static int by_queue(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->in != y->in)
		return x->in < y->in ? -1 : 1;
	return 0;
}

/* The first of the edges, sorted by queue, that leave a stream's. */
static unsigned int edges_from(const struct edge *e, unsigned int n,
			       const struct stream *in)
{
	unsigned int low = 0, high = n;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (e[mid].in < in)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Marks as candidates the ends that only messages hold, as far as can be told
 * of each alone. Edges sorted by file.
 */
static void mark_held_by_messages(const struct edge *e, unsigned int n)
{
	unsigned int i = 0, last;

	while (i < n) {
		struct stream *is = e[i].is;
		unsigned int files = 0;
		bool live = false;

		while (i < n && e[i].is == is) {
			struct file *file = e[i].file;

			for (last = i; i < n && e[i].file == file;)
				i++;
			live |= file_count(file) > i - last;
			files++;
		}
		is->sd_garbage = !live && !held(is, files);
	}
}

/*
 * What is on the queue of a live one is alive. Edges sorted by queue; todo has
 * room for as many streams as there are edges.
 */
static void unmark_reachable(const struct edge *e, unsigned int n,
			     struct stream **todo)
{
	unsigned int i, top = 0;

	for (i = 0; i < n; i++) {
		if (e[i].in->sd_garbage || !e[i].is->sd_garbage)
			continue;
		e[i].is->sd_garbage = false;
		todo[top++] = e[i].is;
	}
	while (top) {
		const struct stream *in = todo[--top];

		for (i = edges_from(e, n, in); i < n && e[i].in == in; i++) {
			if (!e[i].is->sd_garbage)
				continue;
			e[i].is->sd_garbage = false;
			todo[top++] = e[i].is;
		}
	}
}

/* One file of each end that is garbage, with a reference, into files. */
static unsigned int take_garbage(const struct edge *e, unsigned int n,
				 struct file **files)
{
	unsigned int i, count = 0;

	for (i = 0; i < n; i++) {
		if (!e[i].is->sd_garbage)
			continue;
		e[i].is->sd_garbage = false;
		files[count++] = get_file(e[i].file);
	}
	return count;
}

/* Returns how many files it stored; with flying_lock held. */
static unsigned int passgc_find(struct edge *e, void **room)
{
	struct str_passfp *p;
	unsigned int n = 0;

	list_for_each_entry(p, &flying, list)
		e[n++] = (struct edge){ p->in, p->is, p->file };
	sort(e, n, sizeof(*e), by_file, NULL);
	mark_held_by_messages(e, n);
	sort(e, n, sizeof(*e), by_queue, NULL);
	unmark_reachable(e, n, (struct stream **)room);
	return take_garbage(e, n, (struct file **)room);
}

static void passgc_run(struct work_struct *work)
{
	unsigned int n = READ_ONCE(flying_count), count = 0, i;
	struct edge *e;
	u64 began;
	void **room;

	if (!n)
		return;
	began = ktime_get_ns();
	/* More may come meanwhile. */
	n += n / 8 + 8;
	e = kvmalloc_array(n, sizeof(*e), GFP_KERNEL);
	room = kvmalloc_array(n, sizeof(*room), GFP_KERNEL);
	if (e && room && held) {
		spin_lock_irq(&flying_lock);
		if (flying_count <= n)
			count = passgc_find(e, room);
		spin_unlock_irq(&flying_lock);
	}
	for (i = 0; i < count; i++) {
		struct file *file = room[i];

		str_drop(str_of_file(file));
		fput(file);
	}
	kvfree(e);
	kvfree(room);
	/* Whatever a file that was sent meanwhile has asked for. */
	mod_delayed_work(system_percpu_wq, &passgc_work, PASSGC_PERIOD +
			 min(nsecs_to_jiffies((ktime_get_ns() - began) *
					      PASSGC_SHARE), PASSGC_REST));
}

void passgc_exit(void)
{
	cancel_delayed_work_sync(&passgc_work);
}
