/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * conf.h - configuration files: lines of words
 *
 * A '#' begins a comment, empty lines count for nothing. Neither malloc nor
 * stdio is used: libraries read their files before the program that they were
 * loaded into has started.
 */
#ifndef STRSOCK_CONF_H
#define STRSOCK_CONF_H

#include <stdbool.h>
#include <stddef.h>

/* A file beyond these limits is refused with a message. */
#define CONF_MAX_FILE	65536
#define CONF_MAX_LINE	512

/* The first words of a line are kept, up to this number; all are counted. */
#define CONF_MAX_WORDS	8

struct conf_word {
	const char *text;	/* not terminated */
	size_t len;
};

/* The fault of a line. */
struct conf_fault {
	const char *reason;
	struct conf_word at;	/* the offending word; NULL: none */
};

/**
 * typedef conf_line_fn - takes a line that has words
 * @arg: the caller's own
 * @word: its words, for as long as the call lasts
 * @n: how many there are
 * @fault: to be set when the line makes no sense
 *
 * Return: whether it makes sense.
 */
typedef bool conf_line_fn(void *arg, const struct conf_word *word,
			  unsigned int n, struct conf_fault *fault);

/**
 * typedef conf_report_fn - receives one complaint about a file
 * @arg: the caller's own
 * @line: number of the bad line, from 1
 * @reason: the fault in it
 * @word: the offending word, not terminated, or NULL
 * @len: its length
 */
typedef void conf_report_fn(void *arg, unsigned int line, const char *reason,
			    const char *word, size_t len);

bool conf_same(const struct conf_word *word, const char *s);
int conf_read(const char *path, conf_line_fn *line, void *line_arg,
	      conf_report_fn *report, void *report_arg);

#endif /* STRSOCK_CONF_H */
