/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * waits.h - waiting for other tasks, however slow the machine is
 *
 * The limit is for events that never happen: a test that reaches it fails.
 */
#ifndef WAITS_H
#define WAITS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAIT_SECONDS	280

/* A time limit for poll(), SO_RCVTIMEO and the like */
#define WAIT_LIMIT_MS	(WAIT_SECONDS * 1000)

static inline time_t waits_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* Polls for a condition that wakes no task. */
#define UNTIL(cond) do {						\
	time_t until_ = waits_now() + WAIT_SECONDS;			\
	while (!(cond)) {						\
		if (waits_now() > until_) {				\
			printf("%s:%d: not so within %d s: %s\n",	\
			       __FILE__, __LINE__, WAIT_SECONDS, #cond);	\
			fflush(stdout);					\
			_exit(1);					\
		}							\
		usleep(1000);						\
	}								\
} while (0)

/*
 * Returns the state of a task, as ps(1) shows it: R, S, D, Z, ...; 0: the task
 * is gone.
 */
static inline char task_state(pid_t pid, pid_t tid)
{
	char name[64], line[512], *p;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/task/%d/stat", pid, tid);
	file = fopen(name, "r");
	if (!file)
		return 0;
	line[fread(line, 1, sizeof(line) - 1, file)] = '\0';
	fclose(file);
	p = strrchr(line, ')');
	return p && p[1] == ' ' ? p[2] : 0;
}

/* A process that has begun a call sleeps in it; a process that ended does not. */
static inline bool process_sleeps(pid_t pid)
{
	return task_state(pid, pid) == 'S';
}

static inline bool process_ended(pid_t pid)
{
	return task_state(pid, pid) == 'Z';
}

static inline bool thread_sleeps(pid_t tid)
{
	return task_state(getpid(), tid) == 'S';
}

static inline pid_t thread_id(void)
{
	return syscall(SYS_gettid);
}

/* Returns whether a thread sleeps, or has ended. */
static inline bool thread_rests(pid_t tid)
{
	char state = task_state(getpid(), tid);

	return state == 'S' || !state;
}

struct thread_begun {
	void *(*run)(void *arg);
	void *arg;
	pid_t tid;
};

static inline void *thread_run(void *arg)
{
	struct thread_begun b = *(struct thread_begun *)arg;

	__atomic_store_n(&((struct thread_begun *)arg)->tid, thread_id(),
			 __ATOMIC_RELEASE);
	return b.run(b.arg);
}

/* Does what pthread_create() does, and stores the thread's number. */
static inline pthread_t thread_begin(void *(*run)(void *arg), void *arg, pid_t *tid)
{
	struct thread_begun b = { .run = run, .arg = arg };
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_run, &b)) {
		printf("no thread\n");
		exit(1);
	}
	UNTIL((*tid = __atomic_load_n(&b.tid, __ATOMIC_ACQUIRE)));
	return thread;
}

/* Starts a thread, and returns when it sleeps in its work. */
static inline pthread_t thread_asleep(void *(*run)(void *arg), void *arg)
{
	pid_t tid;
	pthread_t thread = thread_begin(run, arg, &tid);

	UNTIL(thread_rests(tid));
	return thread;
}

/* A thread that is signalled whenever it sleeps */
struct interrupter {
	pthread_t thread;
	pid_t tid;
	int sig;
	bool done;
};

static inline void *interrupter_run(void *arg)
{
	struct interrupter *i = arg;

	while (!__atomic_load_n(&i->done, __ATOMIC_ACQUIRE)) {
		if (thread_sleeps(i->tid))
			syscall(SYS_tgkill, getpid(), i->tid, i->sig);
		usleep(1000);
	}
	return NULL;
}

static inline void interrupter_ignore(int sig)
{
}

static inline void interrupter_start(struct interrupter *i, int sig, int flags)
{
	struct sigaction act = {
		.sa_handler = interrupter_ignore, .sa_flags = flags,
	};
	sigset_t only, old;

	*i = (struct interrupter){ .tid = thread_id(), .sig = sig };
	sigaction(sig, &act, NULL);
	sigfillset(&only);
	/* The signals are sent to the calling thread. */
	pthread_sigmask(SIG_BLOCK, &only, &old);
	if (pthread_create(&i->thread, NULL, interrupter_run, i)) {
		printf("no thread to interrupt from\n");
		exit(1);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static inline void interrupter_stop(struct interrupter *i)
{
	__atomic_store_n(&i->done, true, __ATOMIC_RELEASE);
	pthread_join(i->thread, NULL);
}

/* A signal interrupts the call when it sleeps. errno is the call's. */
#define INTERRUPTED_WITH(flags, expr) ({				\
	struct interrupter int_;					\
	int errno_;							\
	interrupter_start(&int_, SIGALRM, flags);			\
	long ret_ = (long)(expr);					\
	errno_ = errno;							\
	interrupter_stop(&int_);					\
	errno = errno_;							\
	ret_;								\
})

#define INTERRUPTED(expr)	INTERRUPTED_WITH(0, expr)

#endif /* WAITS_H */
