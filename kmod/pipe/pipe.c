// SPDX-License-Identifier: GPL-2.0-only
/* A STREAMS pipe: its lifetime, readers and writers */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/pipe_fs_i.h>
#include <linux/sched/user.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "streams/head/convert.h"
#include "last.h"
#include "limits.h"
#include "pipe.h"

/*
 * The caches of pipes with one end and with two. The next larger size of kmalloc() would be
 * up to twice as much, and cleared whole each time where the kernel clears what it
 * allocates.
 */
static struct kmem_cache *pipe_cache[2];

/*
 * The capacity of one direction of a pipe, in bytes, as in Linux's pipe.
 * Writers are woken when there is room for another PIPE_BUF.
 */
#define PIPE_HIWAT	(16 * PAGE_SIZE)
#define PIPE_LOWAT(hi)	((hi) - PIPE_BUF)

/* The capacity for a user with pipes that may hold more pages than the soft limit. */
#define PIPE_SMALL	(2 * PAGE_SIZE)

/*
 * A resized pipe has at most this capacity; larger sizes are invalid. A size of more
 * pages fails for lack of memory, as the kernel allocates the array of a native pipe in
 * one piece.
 */
#define PIPE_SIZE_MOST	0x80000000UL
#define PIPE_PAGES_MOST	(KMALLOC_MAX_SIZE / sizeof(struct pipe_buffer))

/*
 * Prints what the files of an end sent and received. Bytes in a ring are counted by its
 * positions, which wrap, and their messages are not.
 */
static void show_moved(struct seq_file *m, const struct strpipe_end *end,
		       const struct strpipe_end *other)
{
	const struct str_entry *e = &end->sd.sd_entry;

	if (str_form_read(&other->sd) == STR_MESSAGES)
		seq_printf(m, " sent_messages=%lu", READ_ONCE(e->sent.msgs));
	if (str_form_read(&end->sd) == STR_MESSAGES)
		seq_printf(m, " received_messages=%lu", READ_ONCE(e->rcvd.msgs));
	seq_printf(m, " sent_bytes=%u received_bytes=%u",
		   (u32)(READ_ONCE(other->ring.head) - RING_FIRST + READ_ONCE(e->sent.bytes)),
		   (u32)(READ_ONCE(end->ring.tail) - RING_FIRST + READ_ONCE(e->rcvd.bytes)));
}

static void pipe_show(struct seq_file *m, struct str_entry *e)
{
	struct strpipe_end *end = container_of(e, struct strpipe_end,
					       sd.sd_entry);
	/* A FIFO has one end, which writes to itself. */
	const struct strpipe_end *other = end->pipe->ends == 1 ? end :
					  &end->pipe->end[end == end->pipe->end];

	seq_printf(m, " name=pipe:[%lu] mode=%s", end->ino,
		   end->pipe->ends == 1 ? "fifo" : "duplex");
	str_show(m, &end->sd);
	show_moved(m, end, other);
	str_entry_held(m, e);
	if (end->pipe->ends == 2)
		seq_printf(m, " peer=%llu", READ_ONCE(other->sd.sd_entry.number));
}

static void pipe_pages_sub(struct strpipe *pipe, unsigned long pages)
{
	atomic_long_sub(pages, &pipe->cred->user->pipe_bufs);
}

static int pipe_pages_add(struct strpipe *pipe, size_t hiwat)
{
	pipe->pages = pipe->ends * (hiwat / PAGE_SIZE);
	return strpipe_limit(atomic_long_add_return(pipe->pages,
						    &pipe->cred->user->pipe_bufs));
}

static void pipe_uncharge(struct strpipe *pipe)
{
	pipe_pages_sub(pipe, pipe->pages + pipe->module_pages);
	put_cred(pipe->cred);
}

/*
 * Returns the bytes beyond the room of an end, which popped modules have left there. Bytes
 * that a module leaves to the write queue of another one are not seen: no module here
 * keeps messages on such a queue.
 */
static long left_by_modules(struct strpipe_end *end)
{
	const queue_t *q = str_rq(&end->sd);
	long count = READ_ONCE(q->q_count) + READ_ONCE(q->q_above);

	return max(count - (long)READ_ONCE(q->q_hiwat), 0L);
}

/*
 * Charges the user of the pipe for its modules, as stream.sd_charge. A popped
 * module may leave its messages at the head, where they stay counted until the
 * next module is pushed or popped after they were read.
 */
static int pipe_charge_modules(struct stream *sd, long room)
{
	struct strpipe *pipe = container_of(sd, struct strpipe_end, sd)->pipe;
	long bytes, more, users;
	unsigned int i;
	int err = 0;

	if (room > 0)
		strpipe_limits_refresh();
	mutex_lock(&pipe->mutex);
	bytes = pipe->modules + room;
	for (i = 0; i < pipe->ends; i++)
		bytes += left_by_modules(&pipe->end[i]);
	more = (long)DIV_ROUND_UP(bytes, PAGE_SIZE) - pipe->module_pages;
	users = atomic_long_add_return(more, &pipe->cred->user->pipe_bufs);
	if (room > 0 && more > 0 && strpipe_limit(users)) {
		pipe_pages_sub(pipe, more);
		err = -EAGAIN;
	} else {
		pipe->modules += room;
		pipe->module_pages += more;
	}
	mutex_unlock(&pipe->mutex);
	return err;
}

/*
 * Charges a new pipe to the user that makes it. Returns the bytes for each
 * direction; 0: the user is at the limit.
 */
static size_t pipe_charge(struct strpipe *pipe)
{
	size_t hiwat;
	int over;

	strpipe_limits_refresh();
	hiwat = strpipe_size_limit(PIPE_HIWAT);
	pipe->cred = get_current_cred();
	over = pipe_pages_add(pipe, hiwat);
	if (unlikely(over & STRPIPE_LIMIT_SOFT)) {
		pipe_pages_sub(pipe, pipe->pages);
		hiwat = PIPE_SMALL;
		over = pipe_pages_add(pipe, hiwat);
	}
	if (likely(!(over & STRPIPE_LIMIT_HARD)))
		return hiwat;
	pipe_uncharge(pipe);
	return 0;
}

/*
 * Makes a pipe that is not open yet, with one reference. Errors: -ENFILE when the user is
 * at the limit, -ENOMEM.
 */
struct strpipe *strpipe_alloc(unsigned int ends)
{
	struct strpipe *pipe;
	unsigned int i;
	size_t hiwat;

	pipe = kmem_cache_zalloc(pipe_cache[ends - 1], GFP_KERNEL_ACCOUNT);
	if (!pipe)
		return ERR_PTR(-ENOMEM);
	pipe->ends = ends;
	hiwat = pipe_charge(pipe);
	if (!hiwat) {
		kmem_cache_free(pipe_cache[ends - 1], pipe);
		return ERR_PTR(-ENFILE);
	}
	kref_init(&pipe->ref);
	mutex_init(&pipe->mutex);
	mutex_init(&pipe->resize_mutex);
	str_perim_init(&pipe->perim);
	for (i = 0; i < ends; i++) {
		struct strpipe_end *end = &pipe->end[i];

		end->pipe = pipe;
		str_init(&end->sd, &pipe->perim);
		end->sd.sd_charge = pipe_charge_modules;
		str_entry_add(&end->sd.sd_entry, STR_KIND_PIPE, pipe_show);
	}
	for (i = 0; i < ends; i++) {
		struct strpipe_end *end = &pipe->end[i];

		str_pipe_connect(&end->sd, &pipe->end[ends - 1 - i].sd, hiwat,
				 PIPE_LOWAT(hiwat));
		str_ring_init(&end->sd, &end->ring, hiwat);
	}
	if (ends == 1) {
		pipe->end[0].sd.sd_flag |= STR_LINUX | STR_NOREADER |
					   STR_NOWRITER;
		/* A message with a control part does not stop a reader that knows only bytes. */
		pipe->end[0].sd.sd_ropt = RNORM | RPROTDIS;
	}
	return pipe;
}

static void pipe_free_rcu(struct rcu_head *rcu)
{
	struct strpipe *pipe = container_of(rcu, struct strpipe, rcu);

	kmem_cache_free(pipe_cache[pipe->ends - 1], pipe);
}

static void pipe_free(struct kref *ref)
{
	struct strpipe *pipe = container_of(ref, struct strpipe, ref);
	bool bytes_only = str_bytes_only(&pipe->end[0].sd);
	unsigned int i;

	for (i = 0; i < pipe->ends; i++) {
		strpipe_last_forget(&pipe->end[i].last);
		str_entry_del(&pipe->end[i].sd.sd_entry);
		str_dismantle(&pipe->end[i].sd, 0);
	}
	for (i = 0; i < pipe->ends; i++)
		str_ring_destroy(&pipe->end[i].sd);
	for (i = 0; i < pipe->ends; i++)
		str_destroy(&pipe->end[i].sd);
	pipe_uncharge(pipe);
	mutex_destroy(&pipe->resize_mutex);
	mutex_destroy(&pipe->mutex);
	/*
	 * Queues are walked under RCU, by callers that have had messages for
	 * them.
	 */
	if (bytes_only)
		pipe_free_rcu(&pipe->rcu);
	else
		call_rcu(&pipe->rcu, pipe_free_rcu);
}

void strpipe_put(struct strpipe *pipe)
{
	kref_put(&pipe->ref, pipe_free);
}

/* Returns the stream that an end's own files have an effect on: the other end of a duplex pipe. */
static struct stream *duplex_peer(struct strpipe_end *end)
{
	return end->pipe->ends == 2 ? end->sd.sd_mate : NULL;
}

/*
 * Counts a file that was opened on an end. The caller holds the pipe's mutex.
 */
static void count_opened(struct strpipe_end *end, fmode_t mode)
{
	struct stream *peer = duplex_peer(end);
	unsigned int clear = 0;

	lockdep_assert_held(&end->pipe->mutex);
	if (mode & FMODE_READ && !end->readers++)
		clear |= STR_NOREADER;
	if (mode & FMODE_WRITE && !end->writers++) {
		strpipe_last_forget(&end->last);
		clear |= STR_NOWRITER;
	}
	str_set_flag(peer ?: &end->sd, 0, clear);
	/* Linux wakes polling readers at the first opener of either side. */
	if (clear && !peer && wq_has_sleeper(&end->sd.sd_rwait))
		wake_up_interruptible_all(&end->sd.sd_rwait);
}

/**
 * strpipe_opened() - count a file that was opened on an end
 * @end: the end
 * @mode: FMODE_READ, FMODE_WRITE
 */
void strpipe_opened(struct strpipe_end *end, fmode_t mode)
{
	mutex_lock(&end->pipe->mutex);
	count_opened(end, mode);
	mutex_unlock(&end->pipe->mutex);
}

/**
 * strpipe_closed() - count a file that was closed on an end
 * @end: the end
 * @mode: FMODE_READ, FMODE_WRITE
 *
 * The last close of a reading file leaves writers with EPIPE, that of a
 * writing file leaves readers with the end of the file, behind all data that
 * modules hold. The last close of an end leaves them with both, whatever it was
 * open for, and drops the end's unread data. Its modules are popped with the
 * pipe, as the other end's data may still pass them.
 */
void strpipe_closed(struct strpipe_end *end, fmode_t mode)
{
	struct stream *peer = duplex_peer(end);
	/* Linux reports at each close that the side is missing. */
	fmode_t gone = peer ? mode : FMODE_READ | FMODE_WRITE;
	unsigned int set = 0;
	bool last;

	mutex_lock(&end->pipe->mutex);
	if (mode & FMODE_READ)
		end->readers--;
	if (mode & FMODE_WRITE)
		end->writers--;
	if (gone & FMODE_READ && !end->readers)
		set |= STR_NOREADER;
	if (gone & FMODE_WRITE && !end->writers)
		set |= STR_NOWRITER;
	last = !end->readers && !end->writers;
	if (last)
		set = STR_NOREADER | STR_NOWRITER;
	/* Messages that modules hold come before the end of the file. */
	if (set & STR_NOWRITER && (peer || !last) &&
	    strpipe_last_send(&end->last, &end->sd, peer ?: &end->sd))
		set &= ~STR_NOWRITER;
	if (set)
		str_set_flag(peer ?: &end->sd, set, 0);
	/*
	 * No file can reach the rest, whose memory need not wait for the inode.
	 * This is done under the mutex: another file of the end may be opened
	 * after it.
	 */
	if (last)
		str_drop(&end->sd);
	mutex_unlock(&end->pipe->mutex);
}

/**
 * strpipe_end_of() - find the pipe's end that a stream is
 * @sd: the stream head
 *
 * Return: the end, or NULL when it is not a pipe.
 */
struct strpipe_end *strpipe_end_of(struct stream *sd)
{
	if (!(READ_ONCE(sd->sd_flag) & STR_PIPE))
		return NULL;
	return container_of(sd, struct strpipe_end, sd);
}

/*
 * Wakes openers that wait for the other side of a FIFO, after a file was counted: those
 * that are counted later see it.
 */
void strpipe_tell_openers(struct strpipe *pipe)
{
	if (!READ_ONCE(pipe->opens[0]) && !READ_ONCE(pipe->opens[1]))
		return;
	/* The look for sleepers comes after the change they wait for. */
	smp_mb();
	wake_up_var(pipe->opens);
}

/**
 * strpipe_opened_by_name() - count a file whose inode is the name's
 * @end: the end
 * @mode: FMODE_READ, FMODE_WRITE
 *
 * Return: whether there are readers and writers at this moment, and how often
 * the end had been opened for reading and for writing until then.
 */
struct strpipe_openers strpipe_opened_by_name(struct strpipe_end *end,
					      fmode_t mode)
{
	struct strpipe *pipe = end->pipe;
	struct strpipe_openers seen;

	mutex_lock(&pipe->mutex);
	seen.opens[0] = pipe->opens[0];
	seen.opens[1] = pipe->opens[1];
	count_opened(end, mode);
	if (mode & FMODE_READ)
		pipe->opens[0]++;
	if (mode & FMODE_WRITE)
		pipe->opens[1]++;
	seen.both = end->readers && end->writers;
	mutex_unlock(&pipe->mutex);
	strpipe_tell_openers(pipe);
	return seen;
}

/**
 * strpipe_size() - report a pipe's capacity
 * @end: one of its ends
 *
 * Return: bytes, for each direction.
 */
long strpipe_size(struct strpipe_end *end)
{
	struct strpipe *pipe = end->pipe;

	return READ_ONCE(pipe->pages) / pipe->ends * PAGE_SIZE;
}

/* Has both directions hold at most size bytes, or changes neither. */
static int resize_ends(struct strpipe *pipe, size_t size)
{
	size_t old = strpipe_size(&pipe->end[0]);
	unsigned int i;
	int err;

	if (size / PAGE_SIZE > PIPE_PAGES_MOST)
		return -ENOMEM;
	for (i = 0; i < pipe->ends; i++) {
		err = str_pipe_resize(&pipe->end[i].sd, size, PIPE_LOWAT(size));
		if (!err)
			continue;
		while (i--)
			str_pipe_resize(&pipe->end[i].sd, old, PIPE_LOWAT(old));
		return err;
	}
	return 0;
}

/**
 * strpipe_resize() - change a pipe's capacity
 * @end: one of its ends
 * @bytes: for each direction; rounded up to a power of two, of pages
 *
 * Context: may sleep.
 * Return: bytes, for each direction; -EINVAL: there is no such size, -EPERM: more
 * than the caller may have, -EBUSY: more is unread; -ENOMEM, -ERESTARTSYS.
 */
long strpipe_resize(struct strpipe_end *end, unsigned long bytes)
{
	struct strpipe *pipe = end->pipe;
	unsigned long size, pages;
	long more, users;
	int err;

	if (bytes > PIPE_SIZE_MOST)
		return -EINVAL;
	size = roundup_pow_of_two(max_t(unsigned long, bytes, PAGE_SIZE));
	pages = pipe->ends * (size / PAGE_SIZE);
	strpipe_limits_read();
	if (mutex_lock_interruptible(&pipe->resize_mutex))
		return -ERESTARTSYS;
	more = pages - pipe->pages;
	err = -EPERM;
	/*
	 * The limit is checked before the pages are counted, which other users'
	 * new pipes would see.
	 */
	if (more > 0 && strpipe_size_limit(size) < size)
		goto unlock;
	users = atomic_long_add_return(more, &pipe->cred->user->pipe_bufs);
	if (more <= 0 || !strpipe_limit(users))
		err = resize_ends(pipe, size);
	if (err)
		pipe_pages_sub(pipe, more);
	else
		WRITE_ONCE(pipe->pages, pages);
unlock:
	mutex_unlock(&pipe->resize_mutex);
	return err ?: (long)size;
}

int __init strpipe_caches_init(void)
{
	static const char *const name[] = { "strpipe_fifo", "strpipe_duplex" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pipe_cache); i++) {
		struct strpipe *pipe;

		pipe_cache[i] = kmem_cache_create(name[i],
						  struct_size(pipe, end, i + 1),
						  0, SLAB_ACCOUNT, NULL);
		if (!pipe_cache[i]) {
			strpipe_caches_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

void strpipe_caches_exit(void)
{
	/* The barrier waits for pipe_free_rcu(). */
	rcu_barrier();
	kmem_cache_destroy(pipe_cache[1]);
	kmem_cache_destroy(pipe_cache[0]);
}
