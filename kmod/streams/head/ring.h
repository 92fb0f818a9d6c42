/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes of a pipe or a FIFO, until a call or module needs them as messages
 *
 * A circle of pages between one writer and one reader at a time, which do not
 * wait for each other: each has a mutex of its own and a position that only it
 * moves. The first operation that needs messages, modules or packets turns the
 * bytes in the ring into messages on the stream head's read queue, for good.
 */
#ifndef _STREAMS_RING_H
#define _STREAMS_RING_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/uio.h>

#include "stream.h"

#define RING_PAGES	16	/* that need no array of their own */

/*
 * Fields are grouped by the side that writes them, so that reader and writer
 * share no cache line except when one needs the other's position. While a side
 * knows of enough bytes or room, it does not look.
 */
struct strring {
	/* The reader's, written under sd_read_mutex: */
	unsigned int tail;		/* bytes ever read */
	unsigned int head_seen;		/* head, when the reader looked last */
	/* Seldom written: */
	struct hrtimer patience;	/* until writers are woken in any case */
	bool on;			/* changes under both mutexes */
	bool polled;			/* once, for room; set for good */
	unsigned short sleeper;		/* CPU of the writer that slept last */
	unsigned int size;		/* bytes it holds, a power of two */
	char **pages;			/* unread bytes, or spare, or NULL */
	char *few[RING_PAGES];		/* pages, until the ring is resized */
	struct stream *sd;		/* the head that reads it */
	struct list_head idle;		/* has spare pages that may be idle */
	unsigned int npages;		/* there are */
	unsigned int reaped;		/* head, at the last look for idle ones */
	/* The writer's, under write_mutex, which is taken before the other: */
	unsigned int head;		/* bytes ever written */
	unsigned int tail_seen;		/* tail, when the writer looked last */
	struct ring_records *records;	/* of a full-duplex pipe; or NULL */
	struct mutex write_mutex;
};

void str_ring_init(struct stream *sd, struct strring *ring, size_t size);
void str_ring_destroy(struct stream *sd);
void str_ring_drop(struct stream *sd);
int str_ring_flush(struct stream *sd);
int ring_end(struct stream *sd);
int str_rings_end(struct stream *sd);
int ring_resize(struct stream *sd, size_t size);
void ring_exit(void);

/* Whether a head reads from a ring; not, for good, from its end on. */
static inline bool str_ring_on(const struct stream *sd)
{
	/*
	 * Acquire: off means that the read queue has the bytes that were in
	 * it.
	 */
	return sd->sd_ring && smp_load_acquire(&sd->sd_ring->on);
}

/* Whether it is a FIFO that never used messages: it has had no module. */
static inline bool str_bytes_only(const struct stream *sd)
{
	return sd->sd_mate == sd && str_ring_on(sd);
}

/* Whether one writes to a ring, its own or the other end's. */
static inline bool str_ring_written(const struct stream *sd)
{
	return sd->sd_mate && str_ring_on(sd->sd_mate);
}

/* Before whatever needs messages: 0, -ENOSR, or -ERESTARTSYS. */
static inline int str_ring_end(struct stream *sd)
{
	return str_ring_on(sd) || str_ring_written(sd) ? str_rings_end(sd) : 0;
}

/* Unread bytes, as many as there were at some moment of the call. */
static inline size_t ring_bytes(const struct strring *ring)
{
	unsigned int tail, head;

	do {
		/* Acquire: the head is that of this tail, if the tail stays. */
		tail = smp_load_acquire(&ring->tail);
		/* Acquire: the check whether it did is made after this. */
		head = smp_load_acquire(&ring->head);
	} while (unlikely(tail != READ_ONCE(ring->tail)));
	return head - tail;
}

/* Room for as many bytes as asked, or all there is, under write_mutex. */
static inline size_t ring_room(struct strring *ring, size_t asked)
{
	if (ring->size - (ring->head - ring->tail_seen) < asked)
		/*
		 * Acquire: the reader is done with the bytes that were there.
		 */
		ring->tail_seen = smp_load_acquire(&ring->tail);
	return ring->size - (ring->head - ring->tail_seen);
}

/* As many unread bytes as asked, or all there are, under sd_read_mutex. */
static inline size_t ring_unread(struct strring *ring, size_t asked)
{
	if (ring->head_seen - ring->tail < asked)
		/* Acquire: the bytes before the position. */
		WRITE_ONCE(ring->head_seen, smp_load_acquire(&ring->head));
	return ring->head_seen - ring->tail;
}

/* The place of the byte at a position. */
static inline char **ring_slot(struct strring *ring, unsigned int pos)
{
	return &ring->pages[(pos & (ring->size - 1)) >> PAGE_SHIFT];
}

char *ring_page_new(struct strring *ring, char **slot, unsigned int pos);
/* The page for the byte at a position, under write_mutex; NULL: no memory. */
static inline char *ring_page(struct strring *ring, unsigned int pos)
{
	char **slot = ring_slot(ring, pos);

	return likely(*slot) ? *slot : ring_page_new(ring, slot, pos);
}

/*
 * As many, or more, without write_mutex. Never fewer: readers rely on a writer
 * that found too little room to wait for the room they make, see ring_freed().
 * So the head is read first; read last, it would count bytes that others wrote
 * into room not seen.
 */
static inline size_t ring_room_asked(const struct strring *ring)
{
	unsigned int head = READ_ONCE(ring->head), used, size;

	smp_mb(); /* the writer of a tail not seen here sees this head */
	used = head - READ_ONCE(ring->tail);
	/* Meanwhile even bytes after that head may have been read. */
	size = READ_ONCE(ring->size);
	return used <= size ? size - used : size;
}

void ring_freed_wake(struct stream *sd, unsigned int before, unsigned int tail);

/* Bytes were read, or dropped: up to tail now. Wakes writers that wait for room. */
static inline void ring_freed(struct stream *sd, unsigned int tail)
{
	struct strring *ring = sd->sd_ring;
	unsigned int before = ring->tail;

	/* Release: the copy, before a writer may overwrite the bytes. */
	smp_store_release(&ring->tail, tail);
	smp_mb(); /* the room before the look for writers that wait */
	if (unlikely(waitqueue_active(&sd->sd_wwait) || READ_ONCE(sd->sd_wwatch)))
		ring_freed_wake(sd, before, tail);
}

/*
 * Copies unread bytes from a position on to kernel memory, under sd_read_mutex; returns
 * how many.
 */
static inline size_t ring_copy_out(struct strring *ring, unsigned int pos,
				   size_t len, struct iov_iter *to)
{
	size_t done = 0, at, n;

	while (done < len) {
		at = offset_in_page(pos + done);
		n = min(len - done, PAGE_SIZE - at);
		if (copy_to_iter(*ring_slot(ring, pos + done) + at, n, to) != n)
			break;
		done += n;
	}
	return done;
}

/* A message of len unread bytes from a position on, under both mutexes; NULL: no memory. */
static inline mblk_t *ring_message(struct strring *ring, unsigned int pos, size_t len,
				   unsigned short flag)
{
	mblk_t *mp = allocb_gfp(len, GFP_KERNEL_ACCOUNT);
	struct iov_iter to;
	struct kvec kv;

	if (!mp)
		return NULL;
	kv = (struct kvec){ mp->b_wptr, len };
	iov_iter_kvec(&to, ITER_DEST, &kv, 1, len);
	mp->b_wptr += ring_copy_out(ring, pos, len, &to);
	mp->b_flag = flag;
	return mp;
}

#endif /* _STREAMS_RING_H */
