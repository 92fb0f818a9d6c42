/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rules.h - the configuration file: which programs use STREAMS for what
 *
 * Shared by the preload and its launcher, so that both read the same language.
 * Neither malloc nor stdio is used: the preload reads the rules before the
 * program it was loaded into has started.
 */
#ifndef STRSOCK_RULES_H
#define STRSOCK_RULES_H

#include <stddef.h>

/* What a rule can speak of. */
enum rules_kind {
	RULES_PIPE,		/* pipe - - */
	RULES_UDP,		/* inet dgram udp */
	RULES_KINDS
};

enum rules_provider {
	RULES_UNSAID,		/* no rule matched */
	RULES_STREAMS,
	RULES_NATIVE,
};

/* Limits of a file; beyond them it is refused with a message. */
#define RULES_MAX_FILE	65536
#define RULES_MAX_LINE	512

/* The names a program goes by. */
struct rules_program {
	const char *invoked;	/* last part of argv[0], or NULL */
	const char *exe;	/* absolute path of the executable, or NULL */
};

/**
 * typedef rules_report_fn - receives one complaint about a file
 * @arg: the caller's own
 * @line: number of the bad line, from 1
 * @reason: what is wrong with it
 * @word: the offending word, not terminated, or NULL
 * @len: its length
 */
typedef void rules_report_fn(void *arg, unsigned int line, const char *reason,
			     const char *word, size_t len);

int rules_read(const char *path, const struct rules_program *program,
	       enum rules_provider verdict[RULES_KINDS],
	       rules_report_fn *report, void *arg);

#endif /* STRSOCK_RULES_H */
