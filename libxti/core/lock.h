/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lock.h - a mutex that is locked and unlocked without a call
 *
 * A message takes two locks: those of pthreads are a tenth of what the library
 * does for it. The word is 0 when the lock is free, 1 when it is taken, 2 when
 * another thread may also be waiting; see futex(2). The child of a fork() has to
 * free the locks that its parent's other threads held.
 *
 * A thread is not cancelled in these functions, and errno does not change.
 */
#ifndef _LIBXTI_LOCK_H
#define _LIBXTI_LOCK_H

#include <stdatomic.h>

#include "error.h"

struct lock {
	atomic_int word;
};

LOCAL void lock_wait(struct lock *l);
LOCAL void lock_wake(struct lock *l);

static inline void lock_take(struct lock *l)
{
	int none = 0;

	if (!atomic_compare_exchange_strong_explicit(&l->word, &none, 1,
						     memory_order_acquire,
						     memory_order_relaxed))
		lock_wait(l);
}

static inline void lock_drop(struct lock *l)
{
	if (atomic_exchange_explicit(&l->word, 0, memory_order_release) != 1)
		lock_wake(l);
}

#endif /* _LIBXTI_LOCK_H */
