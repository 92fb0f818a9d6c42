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
#include <string.h>

#include "log.h"
#include "policy.h"
#include "rules.h"
#include "setting.h"
#include "sys.h"

#ifndef SYSCONFDIR
#error "SYSCONFDIR is the directory of strsock.conf"
#endif

#define DELETED " (deleted)"

static const char installed[] = SYSCONFDIR "/strsock.conf";

struct strsock_policy strsock_policy;

/*
 * Finds the path of the executable, or NULL where /proc is not available. The
 * path is put into the buffer of PATH_MAX bytes, which is empty until then.
 */
static const char *executable(void *buffer)
{
	size_t tail = strlen(DELETED);
	char *path = buffer;
	long len;

	if (*path)
		return path;
	len = sys_call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe",
		       (long)path, PATH_MAX - 1);
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

static void __attribute__((constructor)) decide(void)
{
	enum rules_provider verdict[RULES_KINDS] = { RULES_UNSAID };
	struct strsock_policy policy = { .pipe = false };
	int said;

	log_open();
	read_rules(verdict);
	policy.pipe = setting_flag("STRSOCK_PIPE", verdict[RULES_PIPE] != RULES_NATIVE);
	policy.duplex = setting_flag("STRSOCK_DUPLEX", verdict[RULES_PIPE] == RULES_DUPLEX);
	said = setting_said("STRSOCK_UDP");
	policy.socket[INET_UDP] = said < 0 ? verdict[RULES_UDP] != RULES_NATIVE : said;
	policy.socket[INET_UDP6] = said < 0 ? verdict[RULES_UDP6] != RULES_NATIVE : said;
	said = setting_said("STRSOCK_TCP");
	policy.socket[INET_TCP] = said < 0 ? verdict[RULES_TCP] != RULES_NATIVE : said;
	policy.socket[INET_TCP6] = said < 0 ? verdict[RULES_TCP6] != RULES_NATIVE : said;
	policy.require = setting_flag("STRSOCK_REQUIRE", false);
	policy.verbose = setting_flag("STRSOCK_VERBOSE", false);
	strsock_policy = policy;
}
