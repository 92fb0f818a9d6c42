// SPDX-License-Identifier: LGPL-2.1-or-later
/* The library's state of a transport endpoint, found by its descriptor */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "carrier.h"
#include "endpoint.h"

#define TABLE_FIRST	16	/* entries */

/*
 * This lock is held with signals blocked: a signal handler may call fork(),
 * which takes it too.
 */
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
struct endpoint_table *_Atomic endpoint_table;
static struct endpoint *unused;

static void lock_table(sigset_t *mask)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, mask);
	pthread_mutex_lock(&table_lock);
}

static void unlock_table(const sigset_t *mask)
{
	pthread_mutex_unlock(&table_lock);
	pthread_sigmask(SIG_SETMASK, mask, NULL);
}

/* Makes room for a descriptor. The caller holds the table's lock. */
static int grow_table(int fd)
{
	struct endpoint_table *t = atomic_load(&endpoint_table), *bigger;
	size_t size = t ? t->size : TABLE_FIRST, i;

	if (t && fd < t->size)
		return 0;
	/*
	 * The size doubles: all outgrown tables together are no larger than the last
	 * one.
	 */
	while (size <= (size_t)fd)
		size *= 2;
	bigger = calloc(1, sizeof(*bigger) + size * sizeof(bigger->entry[0]));
	if (!bigger)
		return xti_system(ENOMEM);
	bigger->size = size;
	bigger->outgrown = t;
	for (i = 0; t && i < (size_t)t->size; i++)
		atomic_store(&bigger->entry[i], atomic_load(&t->entry[i]));
	atomic_store(&endpoint_table, bigger);
	return 0;
}

/* Drops a reference. The caller holds the table's lock. */
static void drop_ref(struct endpoint *ep)
{
	if (atomic_fetch_sub(&ep->refs, 1) != 1)
		return;
	if (ep->carrier)
		ep->carrier->detach(ep);
	ep->next = unused;
	unused = ep;
}

/* Takes an endpoint out of the table, whose lock the caller holds. */
static void remove_entry(int fd)
{
	struct endpoint_table *t = atomic_load(&endpoint_table);
	struct endpoint *ep = atomic_exchange(&t->entry[fd], NULL);

	atomic_store(&ep->closed, true);
	drop_ref(ep);
}

/* Returns an endpoint without references. The caller holds the table's lock. */
static struct endpoint *get_unused(void)
{
	struct endpoint *ep = unused;

	if (!ep)
		return calloc(1, sizeof(*ep));
	unused = ep->next;
	/*
	 * All fields but the references, which other threads read, are cleared.
	 */
	memset(&ep->fd, 0, sizeof(*ep) - offsetof(struct endpoint, fd));
	return ep;
}

/*
 * Makes an endpoint with a reference for the caller and one for the table, whose
 * lock the caller holds.
 */
static int add_entry(int fd, struct endpoint **made)
{
	struct endpoint *ep;
	int error = grow_table(fd);

	if (error)
		return error;
	ep = get_unused();
	if (!ep)
		return xti_system(ENOMEM);
	ep->fd = fd;
	atomic_store(&ep->refs, 2);
	/* The endpoint was closed by close(): the number belongs to another file now. */
	if (endpoint_entry(fd))
		remove_entry(fd);
	atomic_store(&atomic_load(&endpoint_table)->entry[fd], ep);
	*made = ep;
	return 0;
}

int endpoint_create(int fd, struct endpoint **made)
{
	sigset_t mask;
	int error;

	lock_table(&mask);
	error = add_entry(fd, made);
	unlock_table(&mask);
	return error;
}

int endpoint_obtain(int fd, struct endpoint **ep, bool *fresh)
{
	sigset_t mask;
	int error = 0;

	lock_table(&mask);
	*ep = endpoint_entry(fd);
	*fresh = !*ep;
	if (*fresh)
		error = add_entry(fd, ep);
	else
		endpoint_ref(*ep);
	unlock_table(&mask);
	return error;
}

struct endpoint *endpoint_find(int fd)
{
	struct endpoint *ep;

	/* If another thread has taken the place in the table, the endpoint was closed. */
	while ((ep = endpoint_entry(fd))) {
		if (!endpoint_ref(ep))
			continue;
		if (ep->fd == fd && !atomic_load_explicit(&ep->closed,
							  memory_order_relaxed))
			break;
		endpoint_put(ep);
	}
	return ep;
}

void endpoint_put_last(struct endpoint *ep)
{
	int saved = errno;
	sigset_t mask;

	lock_table(&mask);
	drop_ref(ep);
	unlock_table(&mask);
	errno = saved;
}

void endpoint_forget(struct endpoint *ep)
{
	sigset_t mask;

	lock_table(&mask);
	if (endpoint_entry(ep->fd) == ep)
		remove_entry(ep->fd);
	unlock_table(&mask);
}

/*
 * A child has the endpoints of its parent as they were, but not its other
 * threads, which may have held the locks.
 */
static sigset_t forker_mask;		/* under table_lock */

static void before_fork(void)
{
	sigset_t mask;

	lock_table(&mask);
	forker_mask = mask;
}

static void after_fork(void)
{
	sigset_t mask = forker_mask;

	unlock_table(&mask);
}

static void reset_in_child(void)
{
	struct endpoint_table *t = atomic_load(&endpoint_table);
	struct endpoint *ep;
	int fd;

	for (fd = 0; t && fd < t->size; fd++) {
		ep = endpoint_entry(fd);
		if (!ep)
			continue;
		atomic_store(&ep->out.word, 0);
		atomic_store(&ep->in.word, 0);
		atomic_store(&ep->gate.word, 0);
		atomic_store(&ep->number.word, 0);
		atomic_store(&ep->waiting.word, 0);
		/* The waiters' event files belong to the parent's threads too. */
		ep->waiters = NULL;
		if (ep->carrier)
			ep->carrier->reset_in_child(ep);
	}
	after_fork();
}

__attribute__((constructor))
static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, reset_in_child);
}
