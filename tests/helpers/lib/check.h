/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check.h - checks of a helper program, in groups that bats calls by name
 *
 * A program lists its groups; run with a group's name it makes that group's
 * checks, says what failed, and exits 1 if any did.
 */
#ifndef _CHECK_H
#define _CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waits.h"

struct check_group {
	const char *name;
	void (*run)(void);
};

static int checks_made, checks_failed;

#define CHECK(cond)							\
	do {								\
		checks_made++;						\
		if (!(cond)) {						\
			checks_failed++;				\
			printf("%s:%d: failed: %s (errno %s)\n",	\
			       __FILE__, __LINE__, #cond,		\
			       strerror(errno));			\
		}							\
	} while (0)

/* Checks the value of a call, and prints it when it is not the expected one. */
#define CHECK_IS(call, want)						\
	do {								\
		long got_ = (long)(call), want_ = (long)(want);		\
		checks_made++;						\
		if (got_ != want_) {					\
			checks_failed++;				\
			printf("%s:%d: %s is %ld, not %ld (errno %s)\n",	\
			       __FILE__, __LINE__, #call, got_, want_,	\
			       strerror(errno));			\
		}							\
	} while (0)

/* Checks that a call fails with an error. */
#define CHECK_FAILS(call, error)					\
	do {								\
		long got_;						\
									\
		errno = 0;						\
		got_ = (long)(call);					\
		checks_made++;						\
		if (got_ != -1 || errno != (error)) {			\
			checks_failed++;				\
			printf("%s:%d: %s is %ld (%s), not -1 (%s)\n",	\
			       __FILE__, __LINE__, #call, got_,		\
			       strerrorname_np(errno),			\
			       strerrorname_np(error));			\
		}							\
	} while (0)

/* Checks a call that must succeed for the rest of the group to make sense. */
#define NEED(cond)							\
	do {								\
		if (!(cond)) {						\
			printf("%s:%d: cannot go on: %s (errno %s)\n",	\
			       __FILE__, __LINE__, #cond,		\
			       strerror(errno));			\
			exit(1);					\
		}							\
	} while (0)

static int check_main(int argc, char **argv, const struct check_group *groups)
{
	const struct check_group *g;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (g = groups; argc == 2 && g->name; g++) {
		if (strcmp(g->name, argv[1]))
			continue;
		g->run();
		printf("%s: %d checks, %d failed\n", g->name, checks_made,
		       checks_failed);
		return checks_failed ? 1 : 0;
	}
	fprintf(stderr, "usage: %s GROUP, one of:", argv[0]);
	for (g = groups; g->name; g++)
		fprintf(stderr, " %s", g->name);
	fprintf(stderr, "\n");
	return 2;
}

#endif /* _CHECK_H */
