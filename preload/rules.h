/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rules.h - the configuration file: which programs use STREAMS for what
 *
 * The preload and its launcher share this reader, so that both read the same
 * language.
 */
#ifndef STRSOCK_RULES_H
#define STRSOCK_RULES_H

#include "conf.h"
#include "pushlist.h"

/* The kinds of descriptor that a rule can name. */
enum rules_kind {
	RULES_PIPE,		/* pipe - - */
	RULES_UDP,		/* inet dgram udp */
	RULES_UDP6,		/* inet6 dgram udp */
	RULES_TCP,		/* inet stream tcp */
	RULES_TCP6,		/* inet6 stream tcp */
	RULES_KINDS
};

enum rules_provider {
	RULES_UNSAID,		/* no rule matched */
	RULES_STREAMS,
	RULES_NATIVE,
	RULES_DUPLEX,		/* for pipes alone: full-duplex STREAMS pipes */
};

/* The decision of the rules for one kind */
struct rules_verdict {
	enum rules_provider provider;
	char push[PUSHLIST_SIZE];	/* the modules to push, or empty */
};

/* The names of a program. */
struct rules_program {
	const char *invoked;	/* last part of argv[0], or NULL */
	/*
	 * Returns the absolute path of the executable, or NULL; called only if there is
	 * a rule.
	 */
	const char *(*exe)(void *arg);
	void *arg;
};

/* A line of the file */
struct rules_rule {
	struct conf_word program;	/* a pattern */
	bool matches[RULES_KINDS];
	enum rules_provider provider;
	struct conf_word modules;	/* to push; text NULL: none */
};

/**
 * typedef rules_each_fn - receives a rule
 * @arg: the caller's own
 * @rule: for as long as the call lasts
 * @fault: to be set when it cannot be used
 *
 * Return: whether it can.
 */
typedef bool rules_each_fn(void *arg, const struct rules_rule *rule, struct conf_fault *fault);

const char *rules_executable(int dir, const char *link, char *path);
bool rules_names(const struct conf_word *pattern, const struct rules_program *program);
int rules_each(const char *path, rules_each_fn *each, void *each_arg,
	       conf_report_fn *report, void *arg);
int rules_read(const char *path, const struct rules_program *program,
	       struct rules_verdict verdict[RULES_KINDS],
	       conf_report_fn *report, void *arg);

#endif /* STRSOCK_RULES_H */
