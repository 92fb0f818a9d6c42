/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pushlist.h - modules to push, as text: NAME,NAME:SETTING=VALUE:SETTING=VALUE
 *
 * The language of rules, of variables and of tools.
 */
#ifndef STRSOCK_PUSHLIST_H
#define STRSOCK_PUSHLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stropts.h>

#define PUSHLIST_MOST	8	/* modules in a list of a rule, or a variable */
#define PUSHLIST_SIZE	512	/* bytes of a list, with a zero byte at its end */

/* A module of a list */
struct pushlist_entry {
	char name[STRNAMESZ];
	const char *text;	/* with its settings; not terminated */
	size_t len;
	bool set;		/* it has settings */
};

const char *pushlist_fault(const char *text, size_t len, unsigned int most);
bool pushlist_next(const char **list, struct pushlist_entry *entry);

#endif /* STRSOCK_PUSHLIST_H */
