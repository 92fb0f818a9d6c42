/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* options.h - functions for the options that all tools have */
#ifndef _TOOLS_OPTIONS_H
#define _TOOLS_OPTIONS_H

#include <errno.h>
#include <stdio.h>

/* Makes getopt_long() begin its messages with the tool's name, like other messages. */
static inline void options_begin(char **argv)
{
	if (argv[0])
		argv[0] = program_invocation_short_name;
}

static inline int options_version(void)
{
	printf("%s " PACKAGE_VERSION "\n", program_invocation_short_name);
	return 0;
}

#endif /* _TOOLS_OPTIONS_H */
