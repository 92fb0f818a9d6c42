// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * policy.c - which calls of this process use STREAMS
 *
 * Rules and environment are looked at once, when the library is loaded. The
 * hooks read flags and nothing else: they may run where a file cannot be read.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "log.h"
#include "policy.h"
#include "rules.h"
#include "setting.h"
#include "sys.h"

#ifndef SYSCONFDIR
#error "SYSCONFDIR is the directory of strsock.conf"
#endif

static const char installed[] = SYSCONFDIR "/strsock.conf";

struct strsock_policy strsock_policy;

/*
 * Finds the path of the executable, or NULL where /proc is not available. The
 * path is put into the buffer of PATH_MAX bytes, which is empty until then.
 */
static const char *executable(void *buffer)
{
	return rules_executable(AT_FDCWD, "/proc/self/exe", buffer);
}

static void read_rules(struct rules_verdict verdict[RULES_KINDS])
{
	const char *file = setting_file("STRSOCK_CONF", installed);
	char path[PATH_MAX];
	struct rules_program program = {
		.invoked = program_invocation_short_name,
		.exe = executable,
		.arg = path,
	};

	path[0] = '\0';
	setting_read(file, installed,
		     rules_read(file, &program, verdict, setting_bad_line,
				(void *)file),
		     "no rules in force");
}

/*
 * The lists of modules are kept here: most programs have none, and a program may write over
 * its environment.
 */
static char *lists;

/* Keeps a list. Returns it, or NULL if memory is short. */
static const char *keep(unsigned int kind, const char *list)
{
	char *copy;

	if (!lists) {
		lists = mmap(NULL, RULES_KINDS * PUSHLIST_SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (lists == MAP_FAILED) {
			lists = NULL;
			return NULL;
		}
	}
	copy = lists + kind * PUSHLIST_SIZE;
	strcpy(copy, list);
	return copy;
}

/*
 * Returns the list in a variable; NULL when it is unset, empty or wrong. A wrong list is
 * reported. A privileged program ignores the variable.
 */
static const char *list_said(const char *variable)
{
	const char *value = secure_getenv(variable), *fault;
	struct log_line line;

	if (!value || !*value)
		return NULL;
	fault = pushlist_fault(value, strlen(value), PUSHLIST_MOST);
	if (!fault)
		return value;
	log_begin(&line);
	log_text(&line, variable);
	log_text(&line, "=");
	log_text(&line, value);
	log_text(&line, " ignored: ");
	log_text(&line, fault);
	log_end(&line);
	return NULL;
}

/* Returns the modules for a kind: those of the variable if it says any, else the rule's. */
static const char *modules(unsigned int kind, const char *variable,
			   const struct rules_verdict *verdict)
{
	const char *list = list_said(variable);

	if (!list)
		list = verdict[kind].push;
	return *list ? keep(kind, list) : NULL;
}

/* Returns whether a kind is on STREAMS, unless a variable says so or not. */
static bool on_streams(int said, const struct rules_verdict *verdict)
{
	return said < 0 ? verdict->provider != RULES_NATIVE : said;
}

static void __attribute__((constructor)) decide(void)
{
	struct rules_verdict verdict[RULES_KINDS] = { };
	struct strsock_policy policy = { .pipe = false };
	int said;

	log_open();
	read_rules(verdict);
	policy.pipe = setting_flag("STRSOCK_PIPE", verdict[RULES_PIPE].provider != RULES_NATIVE);
	policy.duplex = setting_flag("STRSOCK_DUPLEX",
				     verdict[RULES_PIPE].provider == RULES_DUPLEX);
	said = setting_said("STRSOCK_UDP");
	policy.socket[INET_UDP] = on_streams(said, &verdict[RULES_UDP]);
	policy.socket[INET_UDP6] = on_streams(said, &verdict[RULES_UDP6]);
	said = setting_said("STRSOCK_TCP");
	policy.socket[INET_TCP] = on_streams(said, &verdict[RULES_TCP]);
	policy.socket[INET_TCP6] = on_streams(said, &verdict[RULES_TCP6]);
	policy.push_pipe = modules(RULES_PIPE, "STRSOCK_PUSH_PIPE", verdict);
	policy.push[INET_UDP] = modules(RULES_UDP, "STRSOCK_PUSH_UDP", verdict);
	policy.push[INET_UDP6] = modules(RULES_UDP6, "STRSOCK_PUSH_UDP", verdict);
	policy.push[INET_TCP] = modules(RULES_TCP, "STRSOCK_PUSH_TCP", verdict);
	policy.push[INET_TCP6] = modules(RULES_TCP6, "STRSOCK_PUSH_TCP", verdict);
	policy.require = setting_flag("STRSOCK_REQUIRE", false);
	policy.verbose = setting_flag("STRSOCK_VERBOSE", false);
	strsock_policy = policy;
}
