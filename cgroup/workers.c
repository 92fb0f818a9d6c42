// SPDX-License-Identifier: GPL-2.0-only
/*
 * workers.c - threads that answer calls
 *
 * A caller may keep the thread that answers it waiting: its memory may be a file of a slow
 * file system, and a caller that gets no time takes no descriptor. So one thread at least
 * waits for the next call at any time; where there may be no further one, it has the kernel
 * make the call.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "answer.h"
#include "workers.h"

#define STACK	(64 * 1024)

static int announced;			/* where calls are announced */
static struct workers_slot *slots;	/* one of each thread */
static atomic_uint started;		/* threads */
static atomic_uint waiting;		/* ... that wait for a call */

static bool start_thread(void);

static void *work(void *arg)
{
	struct workers_slot *slot = arg;

	for (;;) {
		memset(slot, 0, sizeof(*slot));
		/* A caller that was killed is announced no more. */
		if (ioctl(announced, SECCOMP_IOCTL_NOTIF_RECV, slot))
			continue;
		if (atomic_fetch_sub(&waiting, 1) > 1 || start_thread())
			answer_call(announced, &slot->call);
		else
			answer_natively(announced, slot->call.id);
		atomic_fetch_add(&waiting, 1);
	}
	return NULL;
}

/* Returns whether a further thread waits for calls. */
static bool start_thread(void)
{
	unsigned int mine = atomic_fetch_add(&started, 1);
	pthread_attr_t attr;
	pthread_t thread;
	int err = EAGAIN;

	if (mine < WORKERS_MOST && !pthread_attr_init(&attr)) {
		pthread_attr_setstacksize(&attr, STACK);
		atomic_fetch_add(&waiting, 1);
		err = pthread_create(&thread, &attr, work, &slots[mine]);
		if (err)
			atomic_fetch_sub(&waiting, 1);
		pthread_attr_destroy(&attr);
	}
	if (err)
		atomic_fetch_sub(&started, 1);
	return !err;
}

/**
 * workers_check_sizes - compare the kernel's structures with those known here
 *
 * Return: 0, or a negative error.
 */
int workers_check_sizes(void)
{
	struct seccomp_notif_sizes sizes;

	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes))
		return -errno;
	return sizes.seccomp_notif <= sizeof(struct workers_slot) &&
	       sizes.seccomp_notif_resp == sizeof(struct seccomp_notif_resp) ? 0 : -EOPNOTSUPP;
}

/**
 * workers_run - answer calls until no process is left that can make any
 * @listener: the descriptor that announces them
 * @shared: memory for WORKERS_MOST calls, zero, in which others see the calls that are not
 *	answered yet
 *
 * Return: whether all went well.
 */
bool workers_run(int listener, struct workers_slot *shared)
{
	struct pollfd end = { .fd = listener };

	announced = listener;
	slots = shared;
	if (!start_thread())
		return false;
	/* Only the end is waited for here, not a call. */
	while (poll(&end, 1, -1) < 1 || !(end.revents & POLLHUP))
		;
	return true;
}
