/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes of a pipe or a FIFO, until a call or module needs them as messages, and those
 * of TCP sockets that meet on this host
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
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/uio.h>

#include "stream.h"

#define RING_PAGES	16	/* a ring of so few pages needs no array of its own */
#define RING_FIRST	-0x40000u	/* the first byte's position, a page's: it soon wraps */

/*
 * Fields are grouped by the side that writes them, so that reader and writer
 * share no cache line except when one needs the other's position. A side that
 * knows of enough bytes or room does not look.
 */
struct strring {
	/* The reader's fields, written under sd_read_mutex: */
	unsigned int tail;		/* bytes ever read, from RING_FIRST on */
	unsigned int head_seen;		/* head, when the reader looked last */
	/* Seldom written: */
	struct hrtimer patience;	/* until writers are woken in any case */
	unsigned int size;		/* bytes it holds, a power of two */
	char **pages;			/* unread bytes, or spare, or NULL */
	char *few[RING_PAGES];		/* pages, until the ring is resized */
	struct mutex *read_mutex;	/* the reader's */
	struct stream *sd;		/* the head that reads it; of TCP NULL */
	atomic_long_t *charged;		/* where its pages are counted; or NULL */
	unsigned int keep;		/* spare pages that are never given back */
	struct list_head idle;		/* has spare pages that may be idle */
	unsigned int npages;		/* there are */
	unsigned int reaped;		/* head, at the last look for idle ones */
	/*
	 * The writer's fields, written under write_mutex, which is taken before
	 * the other:
	 */
	unsigned int head;		/* bytes ever written, from RING_FIRST on */
	unsigned int tail_seen;		/* tail, when the writer looked last */
	struct ring_records *records;	/* of a full-duplex pipe; or NULL */
	struct mutex write_mutex;
};

void ring_begin(struct strring *ring, size_t size, struct mutex *read_mutex);
unsigned int ring_trim(struct strring *ring);
void ring_free(struct strring *ring);
void ring_free_pages(struct strring *ring);
int ring_resize(struct strring *ring, size_t size);
void ring_exit(void);

/* Returns the form of the data that a head reads. */
static inline enum str_form str_form_read(const struct stream *sd)
{
	/* Acquire: the bytes of a ring that has ended are on the read queue. */
	return smp_load_acquire(&sd->sd_form);
}

/*
 * Returns the form of the data that a stream writes: in a pipe, the form in
 * which the other end reads.
 */
static inline enum str_form str_form_written(const struct stream *sd)
{
	return sd->sd_mate ? str_form_read(sd->sd_mate) : STR_MESSAGES;
}

/* Returns whether a head is that of a FIFO that never used messages: it has had no module. */
static inline bool str_bytes_only(const struct stream *sd)
{
	return str_form_read(sd) == STR_BYTES;
}

/* Returns the number of unread bytes at some moment of the call (litmus test ring_bytes). */
static inline size_t ring_bytes(const struct strring *ring)
{
	unsigned int tail, head;

	do {
		/* Acquire: the head belongs to this tail, if the tail stays. */
		tail = smp_load_acquire(&ring->tail);
		/* Acquire: the tail is compared after the head was read. */
		head = smp_load_acquire(&ring->head);
	} while (unlikely(tail != READ_ONCE(ring->tail)));
	return head - tail;
}

/*
 * Returns room for as many bytes as asked, or all there is, under write_mutex.
 */
static inline size_t ring_room(struct strring *ring, size_t asked)
{
	lockdep_assert_held(&ring->write_mutex);
	if (ring->size - (ring->head - ring->tail_seen) < asked)
		/*
		 * Acquire: the reader has finished with the bytes that were
		 * there.
		 */
		ring->tail_seen = smp_load_acquire(&ring->tail);
	return ring->size - (ring->head - ring->tail_seen);
}

/*
 * Returns as many unread bytes as asked, or all there are, under sd_read_mutex.
 */
static inline size_t ring_unread(struct strring *ring, size_t asked)
{
	lockdep_assert_held(ring->read_mutex);
	if (ring->head_seen - ring->tail < asked)
		/* Acquire: the bytes are read after the position. */
		WRITE_ONCE(ring->head_seen, smp_load_acquire(&ring->head));
	return ring->head_seen - ring->tail;
}

/* Returns the place of the byte at a position. */
static inline char **ring_slot(struct strring *ring, unsigned int pos)
{
	return &ring->pages[(pos & (ring->size - 1)) >> PAGE_SHIFT];
}

char *ring_page_new(struct strring *ring, char **slot, unsigned int pos);
/* Returns the page for the byte at a position, under write_mutex; NULL: no memory. */
static inline char *ring_page(struct strring *ring, unsigned int pos)
{
	char **slot = ring_slot(ring, pos);

	return likely(*slot) ? *slot : ring_page_new(ring, slot, pos);
}

/*
 * Returns the room, for a caller without write_mutex. The result may be too
 * large, and is never too small: readers rely on a writer that found too little
 * room to wait for the room they make, see ring_freed(). So the head is read
 * before the tail; read after it, the head would count bytes that others wrote
 * into room not seen (litmus test ring_room_asked).
 */
static inline size_t ring_room_asked(const struct strring *ring)
{
	unsigned int head = READ_ONCE(ring->head), used, size;

	smp_mb(); /* the writer of a tail not seen here sees this head */
	used = head - READ_ONCE(ring->tail);
	/* Even bytes after that head may have been read meanwhile. */
	size = READ_ONCE(ring->size);
	return used <= size ? size - used : size;
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

#endif /* _STREAMS_RING_H */
