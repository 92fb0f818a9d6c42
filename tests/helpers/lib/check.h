/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check.h - the checks of a helper program, in cases that bats calls by name
 *
 * A program runs the case it is given by name and exits with 0, or with 1 after
 * it printed the expected and the actual value of the first check that fails.
 */
#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct test_case {
	const char *name;
	void (*run)(void);
};

static unsigned int test_checks __attribute__((unused));

__attribute__((unused, noreturn, format(printf, 3, 4)))
static void test_fail(const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("%s:%d: ", file, line);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	fflush(stdout);
	_exit(1);
}

/* Checks that the expression has the value. */
#define IS(expr, value) do {						\
	long is_want = (long)(value);					\
	errno = 0;							\
	long is_got = (long)(expr);					\
	test_checks++;							\
	if (is_got != is_want)						\
		test_fail(__FILE__, __LINE__,				\
			  "%s is %ld (errno: %s), not %ld", #expr,	\
			  is_got, strerror(errno), is_want);		\
} while (0)

/* Checks that the call fails with an error number. */
#define FAILS(expr, error) do {						\
	errno = 0;							\
	long fails_got = (long)(expr);					\
	test_checks++;							\
	if (fails_got != -1 || errno != (error))			\
		test_fail(__FILE__, __LINE__,				\
			  "%s gives %ld (errno: %s), not -1 and %s",	\
			  #expr, fails_got, strerror(errno), #error);	\
} while (0)

#define TRUE(expr) do {							\
	test_checks++;							\
	if (!(expr))							\
		test_fail(__FILE__, __LINE__, "not so: %s (errno: %s)",	\
			  #expr, strerror(errno));			\
} while (0)

__attribute__((unused))
static int test_main(int argc, char **argv, const struct test_case *cases)
{
	const struct test_case *c;

	/* A case may fork: no output may wait in a buffer. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (c = cases; argc == 2 && c->name; c++) {
		if (strcmp(c->name, argv[1]))
			continue;
		c->run();
		printf("%s: %u checks\n", c->name, test_checks);
		return test_checks ? 0 : 1;
	}
	fprintf(stderr, "Usage: %s CASE, one of:", argv[0]);
	for (c = cases; c->name; c++)
		fprintf(stderr, " %s", c->name);
	fputc('\n', stderr);
	return 2;
}

#endif /* CHECK_H */
