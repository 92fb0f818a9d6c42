// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waiting for a socket
 *
 * Nothing that is done to a socket's descriptor wakes a thread that waits for it.
 * Who waits has an event file of its own for that, as long as it waits; a process
 * with one thread has nobody who would wake it.
 */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else
#define __libc_single_threaded	false
#endif

#include "sock.h"

struct sock_waiter {
	struct sock_waiter *next;
	struct endpoint *ep;
	int event;			/* -1: nobody wakes */
};

static int waiter_begin(struct sock_waiter *w, struct endpoint *ep)
{
	struct sock_end *s = ep->sock;

	w->ep = ep;
	w->event = -1;
	if (__libc_single_threaded)
		return 0;
	w->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->event < 0)
		return TSYSERR;
	lock_take(&s->lock);
	w->next = s->waiters;
	s->waiters = w;
	lock_drop(&s->lock);
	return 0;
}

static void waiter_end(struct sock_waiter *w)
{
	struct sock_end *s = w->ep->sock;
	struct sock_waiter **at;
	int saved = errno;

	if (w->event < 0)
		return;
	lock_take(&s->lock);
	for (at = &s->waiters; *at; at = &(*at)->next)
		if (*at == w) {
			*at = w->next;
			break;
		}
	lock_drop(&s->lock);
	close(w->event);
	errno = saved;
}

/* The thread is cancelled while it waits, with the caller's reference. */
static void waiter_cancelled(void *arg)
{
	struct sock_waiter *w = arg;

	waiter_end(w);
	endpoint_put(w->ep);
}

int sock_wait(struct endpoint *ep, int fd, int events, unsigned int woken)
{
	struct pollfd p[2] = { { .fd = fd, .events = events } };
	struct sock_waiter w;
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
	/* After this thread can be found: a wakeup before that is in the count. */
	if (atomic_load(&ep->woken) == woken)
		ready = poll(p, w.event < 0 ? 1 : 2, -1);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_cleanup_pop(0);
	waiter_end(&w);
	pthread_setcancelstate(cancel, &cancel);
	if (ready < 0)
		return TSYSERR;
	return ready && p[0].revents & POLLNVAL ? TBADF : 0;
}

void sock_wake(struct endpoint *ep, bool in)
{
	static const uint64_t once = 1;
	struct sock_end *s = ep->sock;
	struct sock_waiter *w;
	int saved = errno, cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	atomic_fetch_add(&ep->woken, 1);
	lock_take(&s->lock);
	for (w = s->waiters; w; w = w->next)
		if (write(w->event, &once, sizeof(once)) < 0)
			break;
	lock_drop(&s->lock);
	pthread_setcancelstate(cancel, &cancel);
	errno = saved;
}

void sock_in_child(struct sock_end *s)
{
	atomic_store(&s->lock.word, 0);
	s->waiters = NULL;
}
