// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * policy.c - which sockets of this process use STREAMS
 *
 * Table and environment are looked at once, when the library is loaded, as
 * socket() may be called where a file cannot be read.
 */
#include "log.h"
#include "policy.h"
#include "setting.h"
#include "sock2path.h"

#ifndef SYSCONFDIR
#error "SYSCONFDIR is the directory of sock2path"
#endif

static const char installed[] = SYSCONFDIR "/sock2path";

struct strsock_policy strsock_policy;

static void __attribute__((constructor)) decide(void)
{
	const char *file = setting_file("SOCK2PATH", installed);
	struct strsock_policy policy = {};

	log_open();
	setting_read(file, installed,
		     sock2path_read(file, setting_bad_line, (void *)file),
		     "the built-in table is in force");
	policy.socket[INET_UDP] = setting_flag("STRSOCK_UDP", true);
	policy.socket[INET_UDP6] = policy.socket[INET_UDP];
	policy.socket[INET_TCP] = setting_flag("STRSOCK_TCP", true);
	policy.socket[INET_TCP6] = policy.socket[INET_TCP];
	policy.require = setting_flag("STRSOCK_REQUIRE", false);
	policy.verbose = setting_flag("STRSOCK_VERBOSE", false);
	strsock_policy = policy;
}
