// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the library keeps of a transport endpoint, found by its descriptor */
#include <stdlib.h>
#include <string.h>

#include "endpoint.h"

#define TABLE_FIRST	16	/* entries */

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct endpoint **table;		/* by descriptor */
static int table_size;

/* Room for a descriptor; the lock is held. */
static int table_grow(int fd)
{
	int size = table_size ? table_size : TABLE_FIRST;
	struct endpoint **bigger;

	if (fd < table_size)
		return 0;
	while (size <= fd)
		size = size > fd / 2 ? fd + 1 : size * 2;
	bigger = realloc(table, size * sizeof(*table));
	if (!bigger)
		return xti_system(ENOMEM);
	memset(bigger + table_size, 0, (size - table_size) * sizeof(*table));
	table = bigger;
	table_size = size;
	return 0;
}

static void endpoint_free(struct endpoint *ep)
{
	pthread_mutex_destroy(&ep->in);
	pthread_mutex_destroy(&ep->gate);
	pthread_mutex_destroy(&ep->out);
	free(ep);
}

/* Drops a reference; the lock is held. */
static void unref(struct endpoint *ep)
{
	if (!--ep->refs)
		endpoint_free(ep);
}

static void remove_entry(int fd)
{
	struct endpoint *ep = table[fd];

	table[fd] = NULL;
	atomic_store(&ep->closed, true);
	unref(ep);
}

/* With a reference for the caller and one for the table, whose lock is held. */
static int add_entry(int fd, struct endpoint **made)
{
	struct endpoint *ep;
	int error = table_grow(fd);

	if (error)
		return error;
	ep = calloc(1, sizeof(*ep));
	if (!ep)
		return xti_system(ENOMEM);
	ep->fd = fd;
	ep->refs = 2;
	pthread_mutex_init(&ep->in, NULL);
	pthread_mutex_init(&ep->gate, NULL);
	pthread_mutex_init(&ep->out, NULL);
	/* Closed by close(): the number is another file's now. */
	if (table[fd])
		remove_entry(fd);
	table[fd] = ep;
	*made = ep;
	return 0;
}

int endpoint_create(int fd, struct endpoint **made)
{
	int error;

	pthread_mutex_lock(&table_lock);
	error = add_entry(fd, made);
	pthread_mutex_unlock(&table_lock);
	return error;
}

int endpoint_obtain(int fd, struct endpoint **ep, bool *fresh)
{
	int error = 0;

	pthread_mutex_lock(&table_lock);
	*ep = fd < table_size ? table[fd] : NULL;
	*fresh = !*ep;
	if (*fresh)
		error = add_entry(fd, ep);
	else
		(*ep)->refs++;
	pthread_mutex_unlock(&table_lock);
	return error;
}

struct endpoint *endpoint_find(int fd)
{
	struct endpoint *ep = NULL;

	pthread_mutex_lock(&table_lock);
	if (fd >= 0 && fd < table_size)
		ep = table[fd];
	if (ep)
		ep->refs++;
	pthread_mutex_unlock(&table_lock);
	return ep;
}

int endpoint_get(int fd, struct endpoint **ep)
{
	*ep = endpoint_find(fd);
	return *ep ? 0 : TBADF;
}

void endpoint_put(struct endpoint *ep)
{
	if (!ep)
		return;
	pthread_mutex_lock(&table_lock);
	unref(ep);
	pthread_mutex_unlock(&table_lock);
}

void endpoint_forget(struct endpoint *ep)
{
	pthread_mutex_lock(&table_lock);
	if (table[ep->fd] == ep)
		remove_entry(ep->fd);
	pthread_mutex_unlock(&table_lock);
}

int endpoint_result(struct endpoint *ep, int error)
{
	int saved = errno;

	endpoint_put(ep);
	errno = saved;
	return xti_result(error);
}

/*
 * A child has the endpoints of its parent as they were, and none of its other
 * threads, who may have held the locks.
 */
static void before_fork(void)
{
	pthread_mutex_lock(&table_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&table_lock);
}

static void in_child(void)
{
	int fd;

	for (fd = 0; fd < table_size; fd++) {
		if (!table[fd])
			continue;
		pthread_mutex_init(&table[fd]->in, NULL);
		pthread_mutex_init(&table[fd]->gate, NULL);
		pthread_mutex_init(&table[fd]->out, NULL);
	}
	pthread_mutex_unlock(&table_lock);
}

__attribute__((constructor))
static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}
