// SPDX-License-Identifier: LGPL-2.1-or-later
/* fdetach - detach a stream from its name */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>

#include "options.h"

static const char help[] =
	"Usage: fdetach NAME...\n"
	"Detach streams from files that they were attached to.\n"
	"\n"
	"  -h, --help     print this help and exit\n"
	"  -V, --version  print the version and exit\n"
	"\n"
	"Exit status: 0, 1 if a stream could not be detached, 2 for an error.\n";

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
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	int opt, status = 0;

	options_begin(argv);
	while ((opt = getopt_long(argc, argv, "hV", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'V':
			return options_version();
		default:
			fputs(help, stderr);
			return 2;
		}
	}
	if (optind == argc) {
		fputs(help, stderr);
		return 2;
	}
	for (; optind < argc; optind++) {
		if (!fdetach(argv[optind]))
			continue;
		fprintf(stderr, "fdetach: %s: %s\n", argv[optind], advice(errno));
		status = 1;
	}
	return status;
}
