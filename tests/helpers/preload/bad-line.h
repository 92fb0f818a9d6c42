/* SPDX-License-Identifier: GPL-2.0-only */
/* bad-line.h - prints the complaints of a reader of a configuration file */
#ifndef BAD_LINE_H
#define BAD_LINE_H

#include <stdio.h>

/* Reports a bad line: a conf_report_fn. */
static inline void bad_line(void *arg, unsigned int line, const char *reason,
			    const char *word, size_t len)
{
	(void)arg;
	printf("line %u: %s", line, reason);
	if (word)
		printf(" '%.*s'", (int)len, word);
	putchar('\n');
}

#endif /* BAD_LINE_H */
