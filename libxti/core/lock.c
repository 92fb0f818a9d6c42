// SPDX-License-Identifier: LGPL-2.1-or-later
/* Waiting for a mutex */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lock.h"

void lock_wait(struct lock *l)
{
	int saved = errno;

	/* The new holder does not know whether other threads still wait. */
	while (atomic_exchange_explicit(&l->word, 2, memory_order_acquire))
		syscall(SYS_futex, &l->word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL,
			0);
	errno = saved;
}

void lock_wake(struct lock *l)
{
	int saved = errno;

	syscall(SYS_futex, &l->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = saved;
}
