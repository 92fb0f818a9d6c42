// SPDX-License-Identifier: LGPL-2.1-or-later
/* fdetach - detach a stream from its name */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>

static const char *advice(int error)
{
	switch (error) {
	case EINVAL:
		return "no stream is attached to it; findmnt -t strnamefs lists those that are";
	case EPERM:
		return "only its owner and the privileged may detach it";
	default:
		return strerror(error);
	}
}

int main(int argc, char **argv)
{
	int i, status = 0;

	if (argc > 1 && !strcmp(argv[1], "--"))
		argv++, argc--;
	if (argc < 2 || argv[1][0] == '-') {
		fputs("Usage: fdetach NAME...\n"
		      "Detach streams from files that they were attached to.\n",
		      argc == 2 && !strcmp(argv[1], "--help") ? stdout : stderr);
		return argc == 2 && !strcmp(argv[1], "--help") ? 0 : 2;
	}
	for (i = 1; i < argc; i++) {
		if (!fdetach(argv[i]))
			continue;
		fprintf(stderr, "fdetach: %s: %s\n", argv[i], advice(errno));
		status = 1;
	}
	return status;
}
