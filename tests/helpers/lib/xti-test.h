/* SPDX-License-Identifier: GPL-2.0-only */
/* xti-test.h - code that the tests of libxti share */
#ifndef XTI_TEST_H
#define XTI_TEST_H

#include "streams-test.h"

#include <sys/time.h>
#include <xti.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* The errno of the call that failed last */
static int test_errno __attribute__((unused));

/* Checks that the call fails with a value of t_errno. */
#define TFAILS(expr, error) do {					\
	errno = 0;							\
	t_errno = 0;							\
	long tfails_got = (long)(expr);					\
	test_errno = errno;						\
	test_checks++;							\
	if (tfails_got != -1 || t_errno != (error))			\
		test_fail(__FILE__, __LINE__,				\
			  "%s gives %ld (%s, errno: %s), not -1 and %s",	\
			  #expr, tfails_got, t_strerror(t_errno),	\
			  strerror(errno), #error);			\
} while (0)

/* The call fails with TSYSERR, and errno has the error. */
#define TERRNO(expr, error) do {					\
	TFAILS(expr, TSYSERR);						\
	IS(test_errno, error);						\
} while (0)

/* The call succeeds; its result is compared with the value. */
#define TIS(expr, value) do {						\
	long tis_want = (long)(value);					\
	t_errno = 0;							\
	long tis_got = (long)(expr);					\
	test_checks++;							\
	if (tis_got != tis_want)					\
		test_fail(__FILE__, __LINE__,				\
			  "%s is %ld (%s, errno: %s), not %ld", #expr,	\
			  tis_got, t_strerror(t_errno), strerror(errno), tis_want); \
} while (0)

#define NETBUF(b, n)	{ .maxlen = sizeof(b), .len = (n), .buf = (b) }

/*
 * Returns whether the provider is made of the kernel's sockets; xti(7) lists
 * the differences.
 */
static inline bool on_sockets(void)
{
	const char *which = getenv("XTI_PROVIDER");

	return which && !strcmp(which, "sockets");
}

static inline void ignore_signal(int sig)
{
}

/*
 * Raises SIGALRM every ms milliseconds, which interrupts waiting calls; 0: ends
 * that.
 */
static inline void alarm_every(int ms)
{
	struct sigaction sa = { .sa_handler = ignore_signal, .sa_flags = SA_RESTART };
	struct itimerval it = {
		.it_value.tv_usec = ms * 1000, .it_interval.tv_usec = ms * 1000,
	};

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &it, NULL);
}

/*
 * The call waits until a signal comes. A signal that was too early is not the
 * last one.
 */
#define TINTERRUPTED(expr) do {						\
	alarm_every(100);						\
	TERRNO(expr, EINTR);						\
	alarm_every(0);							\
} while (0)

#endif /* XTI_TEST_H */
