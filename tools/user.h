/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* user.h - a user that an option names */
#ifndef _TOOLS_USER_H
#define _TOOLS_USER_H

#include <sys/types.h>

/* Returns the number of a user, given its name or number; ends the program if there is none. */
uid_t user_number(const char *user);

#endif /* _TOOLS_USER_H */
