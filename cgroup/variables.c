// SPDX-License-Identifier: GPL-2.0-only
/*
 * variables.c - the variables that strsock(1) has set, and the file of rules that they name
 *
 * The launcher has checked both, and reported what is wrong.
 */
#include <stdlib.h>

#include "tools/say.h"
#include "variables.h"

#ifndef SYSCONFDIR
#error "SYSCONFDIR is the directory of strsock.conf"
#endif

/**
 * variables_said - read a variable that is 0 or 1
 * @name: its name
 *
 * Return: its value, or -1 where it is not set and the rules decide.
 */
int variables_said(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? *value == '1' : -1;
}

static void report(void *file, unsigned int line, const char *reason, const char *word,
		   size_t len)
{
	say("%s:%u: warning: %s '%.*s'", (char *)file, line, reason, (int)len, word ?: "");
}

/**
 * variables_rules - walk the rules; those that cannot be kept are reported
 * @each: called for each rule
 * @arg: its argument
 */
void variables_rules(rules_each_fn *each, void *arg)
{
	const char *file = getenv("STRSOCK_CONF");

	if (!file || !*file)
		file = SYSCONFDIR "/strsock.conf";
	rules_each(file, each, arg, report, (void *)file);
}
