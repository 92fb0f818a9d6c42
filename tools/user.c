// SPDX-License-Identifier: LGPL-2.1-or-later
/* user.c - a user that an option names */
#include <err.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>

#include "user.h"

#define EXIT_MISUSE	2

uid_t user_number(const char *user)
{
	const struct passwd *found = getpwnam(user);
	unsigned long uid;
	char *end;

	if (found)
		return found->pw_uid;
	errno = 0;
	uid = strtoul(user, &end, 10);
	if (errno || *end || end == user || *user == '-' || (uid_t)uid != uid)
		errx(EXIT_MISUSE, "there is no user '%s'", user);
	return uid;
}
