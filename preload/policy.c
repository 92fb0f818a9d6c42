// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * policy.c - what this process shall do
 *
 * Rules and environment are looked at once, when the library is loaded. The
 * hooks read flags and nothing else: they may run where a file can not be read.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "policy.h"
#include "rules.h"
#include "sys.h"

#ifndef SYSCONFDIR
#error "SYSCONFDIR is the directory of strsock.conf"
#endif

#define DELETED " (deleted)"

struct strsock_policy strsock_policy;

/* A variable that is 0 or 1. Returns @unset when it is neither. */
static bool flag(const char *variable, bool unset)
{
	const char *value = secure_getenv(variable);
	struct log_line line;

	if (!value || !*value)
		return unset;
	if (!strcmp(value, "0"))
		return false;
	if (!strcmp(value, "1"))
		return true;
	log_begin(&line);
	log_text(&line, variable);
	log_text(&line, "=");
	log_text(&line, value);
	log_text(&line, " ignored: must be 0 or 1");
	log_end(&line);
	return unset;
}

static void report(void *file, unsigned int number, const char *reason,
		   const char *word, size_t len)
{
	struct log_line line;

	log_begin(&line);
	log_text(&line, file);
	log_text(&line, ":");
	log_number(&line, number);
	log_text(&line, ": ");
	log_text(&line, reason);
	if (word) {
		log_text(&line, " '");
		log_bytes(&line, word, len);
		log_text(&line, "'");
	}
	log_text(&line, "; line skipped");
	log_end(&line);
}

/* The path of the executable, or NULL where /proc is not to be had. */
static const char *executable(char *path, size_t size)
{
	size_t tail = strlen(DELETED);
	long len;

	len = sys_call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe",
		       (long)path, size - 1);
	if (len <= 0)
		return NULL;
	path[len] = '\0';
	/* A program replaced by an upgrade while it runs is the same program. */
	if ((size_t)len > tail && !strcmp(path + len - tail, DELETED))
		path[len - tail] = '\0';
	return path;
}

static void read_rules(enum rules_provider verdict[RULES_KINDS])
{
	struct rules_program program = { .invoked = program_invocation_short_name };
	const char *given = secure_getenv("STRSOCK_CONF");
	const char *file = given && *given ? given : SYSCONFDIR "/strsock.conf";
	struct log_line line;
	char path[PATH_MAX];
	int bad;

	program.exe = executable(path, sizeof(path));
	bad = rules_read(file, &program, verdict, report, (void *)file);
	if (bad >= 0 || (bad == -ENOENT && file != given))
		return;

	log_begin(&line);
	log_text(&line, file);
	log_text(&line, ": cannot be read (");
	log_error(&line, -bad);
	log_text(&line, "), no rules in force");
	log_end(&line);
}

static void __attribute__((constructor)) decide(void)
{
	enum rules_provider verdict[RULES_KINDS] = { RULES_UNSAID };
	struct strsock_policy policy = { .pipe = false };
	size_t len;

	len = strnlen(program_invocation_short_name, sizeof(policy.name) - 1);
	memcpy(policy.name, program_invocation_short_name, len);
	memcpy(strsock_policy.name, policy.name, sizeof(policy.name));
	log_open();

	read_rules(verdict);
	policy.pipe = flag("STRSOCK_PIPE", verdict[RULES_PIPE] != RULES_NATIVE);
	policy.udp = flag("STRSOCK_UDP", verdict[RULES_UDP] != RULES_NATIVE);
	policy.require = flag("STRSOCK_REQUIRE", false);
	policy.verbose = flag("STRSOCK_VERBOSE", false);
	strsock_policy = policy;
}
