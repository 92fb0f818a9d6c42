/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cover.h - which calls and errors a program of test cases covers
 *
 * Each case belongs to a call, and prints a line that tests/bats/cover.bash
 * makes a table of. A case that fails does not end the program, but its status
 * is 1 then.
 */
#ifndef COVER_H
#define COVER_H

#include "streams-test.h"

static int cover_failed __attribute__((unused));

/* The argument "what" names the result or error, and the condition for it. */
__attribute__((unused, format(printf, 5, 6)))
static void cover(const char *call, const char *what, bool good, int line,
		  const char *format, ...)
{
	va_list args;

	test_checks++;
	printf("case\t%s\t%s\t%s", call, good ? "ok" : "FAIL", what);
	if (!good) {
		cover_failed = 1;
		printf("\tline %d: ", line);
		va_start(args, format);
		vprintf(format, args);
		va_end(args);
	}
	putchar('\n');
	fflush(stdout);
}

/* Checks that the expression has the value. */
#define GIVES(call, what, expr, value) do {				\
	errno = 0;							\
	long gives_got = (long)(expr);					\
	cover(call, what, gives_got == (long)(value), __LINE__,		\
	      "%s is %ld (errno: %s), not %ld", #expr, gives_got,	\
	      strerror(errno), (long)(value));				\
} while (0)

/* Checks that the call fails with an error number. */
#define FAILS_WITH(call, error, when, expr) do {			\
	errno = 0;							\
	long fails_got = (long)(expr);					\
	cover(call, #error ": " when,					\
	      fails_got == -1 && errno == (error), __LINE__,		\
	      "%s gives %ld (errno: %s)", #expr, fails_got,		\
	      strerror(errno));						\
} while (0)

__attribute__((unused))
static int cover_main(int argc, char **argv, const struct test_case *cases)
{
	return test_main(argc, argv, cases) ?: cover_failed;
}

#endif /* COVER_H */
