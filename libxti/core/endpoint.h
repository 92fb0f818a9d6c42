/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * endpoint.h - the library's state of a transport endpoint
 *
 * An endpoint is found by its descriptor. Messages stay on the stream until
 * their reader wants them, so nothing is lost when another process continues
 * with the descriptor, after a call of t_sync().
 *
 * Locks, in the order in which a thread takes them. It holds none while it
 * waits for something to arrive:
 *
 *	out	held to send data of a connection, or its end, one thread after
 *		another; also while the thread waits for room
 *	in	held to look at the first message and take it; to make a request
 *		and take its answer
 *	gate	held to look at the state and send what belongs to it, but not
 *		while the thread waits for room; to make a request that changes
 *		the state, or to learn the state from the provider
 *
 * A thread is cancelled only where it waits, or before it has done anything.
 * None of the functions supports asynchronous cancelability.
 */
#ifndef _LIBXTI_CORE_ENDPOINT_H
#define _LIBXTI_CORE_ENDPOINT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "error.h"
#include "lock.h"

/* Each kind of TSDU may be in progress, one at a time. */
enum { TSDU_NORMAL, TSDU_EXPEDITED, TSDU_KINDS };

/*
 * The provider does not report the qlen of an endpoint that another process has
 * bound.
 */
#define QLEN_UNKNOWN	(~0U)

struct carrier;
struct sock_end;
struct waiter;

struct endpoint {
	atomic_uint refs;		/* to 0, and from there, under the table's lock */
	struct endpoint *next;		/* of those that are not in use */
	int fd;
	const struct carrier *carrier;	/* NULL: not known yet */
	struct sock_end *sock;		/* of the sockets' carrier */
	atomic_uint woken;		/* wakeups so far; see wait.h */
	struct lock waiting;		/* no other is taken with it */
	struct waiter *waiters;
	struct lock number;		/* held to have fd be another file, or none */
	atomic_bool closed;		/* the descriptor may be another's by now */
	atomic_bool timod;		/* timod is on the stream */
	atomic_int state;		/* T_UNBND ... */
	atomic_uint connections;	/* connections so far: tells which one "sent" is of */
	atomic_uint flow;		/* T_GODATA, T_GOEXDATA: wanted after TFLOW */
	atomic_bool releasing;		/* T_IDLE, and data may still be on its way */
	struct t_info info;
	t_scalar_t tidu;		/* bytes in one message at most */
	bool xti_options;		/* made of struct t_opthdr */

	struct lock in;
	unsigned int qlen;		/* or QLEN_UNKNOWN */
	unsigned int ocnt;		/* indications that t_listen() has given */
	struct {
		bool left;		/* a message's rest is still to be read */
		bool more;		/* and it is not the TSDU's last */
	} rest[TSDU_KINDS];

	struct lock gate;

	struct lock out;
	unsigned int sent_on;			/* of connections */
	unsigned long long sent[TSDU_KINDS];	/* bytes of a TSDU so far */
};

/*
 * Makes an endpoint for a new descriptor, in place of an older entry. Returns
 * TSYSERR on an error. The caller has a reference.
 */
LOCAL int endpoint_create(int fd, struct endpoint **ep);
/*
 * Finds the endpoint, or makes a fresh one of which nothing is known yet.
 * Returns TSYSERR on an error.
 */
LOCAL int endpoint_obtain(int fd, struct endpoint **ep, bool *fresh);
/* Finds the endpoint of a descriptor, or returns NULL. */
LOCAL struct endpoint *endpoint_find(int fd);

/*
 * The endpoints by descriptor. Each call looks up its endpoint, so without the
 * lock: tables that were outgrown, and endpoints that were closed, stay. A
 * closed endpoint is used again when no reference is left, so a lookup checks
 * that it found the endpoint it looked for.
 */
struct endpoint_table {
	struct endpoint_table *outgrown;
	long size;
	struct endpoint *_Atomic entry[];
};

LOCAL extern struct endpoint_table *_Atomic endpoint_table;

static inline struct endpoint *endpoint_entry(int fd)
{
	struct endpoint_table *t = atomic_load_explicit(&endpoint_table,
							memory_order_acquire);

	if (!t || fd < 0 || fd >= t->size)
		return NULL;
	return atomic_load_explicit(&t->entry[fd], memory_order_acquire);
}

/* Takes a reference, unless none is left. */
static inline bool endpoint_ref(struct endpoint *ep)
{
	unsigned int refs = atomic_load_explicit(&ep->refs, memory_order_relaxed);

	do {
		if (!refs)
			return false;
	} while (!atomic_compare_exchange_weak(&ep->refs, &refs, refs + 1));
	return true;
}

/*
 * Returns whether other threads are in one of the functions, with references of
 * their own.
 */
static inline bool endpoint_shared(struct endpoint *ep, unsigned int own)
{
	return atomic_load(&ep->refs) > own;
}

/*
 * Drops a reference that is not the last one. Returns false if the reference
 * may be the last.
 */
static inline bool endpoint_put_shared(struct endpoint *ep)
{
	unsigned int refs = atomic_load_explicit(&ep->refs, memory_order_relaxed);

	while (refs > 1)
		if (atomic_compare_exchange_weak(&ep->refs, &refs, refs - 1))
			return true;
	return false;
}

/* Drops a reference that may be the last one. errno does not change. */
LOCAL void endpoint_put_last(struct endpoint *ep);

static inline void endpoint_put(struct endpoint *ep)
{
	if (ep && !endpoint_put_shared(ep))
		endpoint_put_last(ep);
}

/* Takes the endpoint out of the table, so that lookups no longer find it. */
LOCAL void endpoint_forget(struct endpoint *ep);

/* Drops the reference and sets t_errno, at the end of a function of XTI. */
static inline int endpoint_result(struct endpoint *ep, int error)
{
	endpoint_put(ep);
	return error ? xti_result(error) : 0;
}

#endif /* _LIBXTI_CORE_ENDPOINT_H */
