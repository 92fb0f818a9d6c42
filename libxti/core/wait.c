// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waiting for a descriptor
 *
 * A thread that waits has an event file for other threads to wake it by, as
 * long as it waits; in a process with one thread no other does. A stream or
 * socket itself cannot serve for that: other processes may share it, and a
 * wakeup of this one's threads would reach theirs.
 */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else
#define __libc_single_threaded	false
#endif

#include "wait.h"

struct waiter {
	struct waiter *next;
	struct endpoint *ep;
	int event;			/* -1: no other thread wakes this one */
};

static int waiter_begin(struct waiter *w, struct endpoint *ep)
{
	w->ep = ep;
	w->event = -1;
	if (__libc_single_threaded)
		return 0;
	w->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->event < 0)
		return TSYSERR;
	lock_take(&ep->waiting);
	w->next = ep->waiters;
	ep->waiters = w;
	lock_drop(&ep->waiting);
	return 0;
}

static void waiter_end(struct waiter *w)
{
	struct endpoint *ep = w->ep;
	struct waiter **at;
	int saved = errno;

	if (w->event < 0)
		return;
	lock_take(&ep->waiting);
	for (at = &ep->waiters; *at; at = &(*at)->next)
		if (*at == w) {
			*at = w->next;
			break;
		}
	lock_drop(&ep->waiting);
	close(w->event);
	errno = saved;
}

/* Ends the waiting of a thread that is cancelled, and drops its caller's reference. */
static void waiter_cancelled(void *arg)
{
	struct waiter *w = arg;

	waiter_end(w);
	endpoint_put(w->ep);
}

int endpoint_wait(struct endpoint *ep, struct pollfd *for_fd, unsigned int woken)
{
	struct pollfd p[2] = { *for_fd };
	struct waiter w;
	volatile int ready = 0;
	int cancel, error;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = waiter_begin(&w, ep);
	if (error) {
		pthread_setcancelstate(cancel, &cancel);
		return error;
	}
	p[1] = (struct pollfd){ .fd = w.event, .events = POLLIN };
	pthread_cleanup_push(waiter_cancelled, &w);
	pthread_setcancelstate(cancel, &cancel);
	/*
	 * Other threads can find this one by now: a wakeup before that is in
	 * the count.
	 */
	if (atomic_load(&ep->woken) == woken)
		ready = poll(p, w.event < 0 ? 1 : 2, -1);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_cleanup_pop(0);
	waiter_end(&w);
	pthread_setcancelstate(cancel, &cancel);
	if (ready < 0)
		return TSYSERR;
	for_fd->revents = ready ? p[0].revents : 0;
	return for_fd->revents & POLLNVAL ? TBADF : 0;
}

void endpoint_wake(struct endpoint *ep)
{
	static const uint64_t once = 1;
	struct waiter *w;
	int saved = errno, cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	atomic_fetch_add(&ep->woken, 1);
	lock_take(&ep->waiting);
	for (w = ep->waiters; w; w = w->next)
		if (write(w->event, &once, sizeof(once)) < 0)
			break;
	lock_drop(&ep->waiting);
	pthread_setcancelstate(cancel, &cancel);
	errno = saved;
}
