// SPDX-License-Identifier: LGPL-2.1-or-later
/* strfifo - make STREAMS FIFOs that have names */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strsock.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/strio.h>

#include "options.h"

static const char usage[] =
	"Usage: strfifo [-m MODE] NAME...\n"
	"Make STREAMS FIFOs. fdetach NAME and rm NAME take one away.\n"
	"  -m, --mode=MODE  permissions, in octal (default: 666 less the umask)\n"
	"  -h, --help       print this help and exit\n"
	"  -V, --version    print the version and exit\n";

static const char *advice(int error)
{
	if (error == EPERM)
		return "; it takes CAP_SYS_ADMIN, or strname-helper(8)";
	return "";
}

static int complain(const char *name)
{
	int error = errno, fd;

	/*
	 * The error does not show whether the device or the name is missing:
	 * find out.
	 */
	if (error == ENOENT || error == ENXIO) {
		fd = open(STRIO_PIPE_DEVICE, O_ACCMODE | O_CLOEXEC);
		if (fd < 0) {
			fprintf(stderr, "strfifo: %s: %s; run: modprobe strpipe\n",
				STRIO_PIPE_DEVICE, strerror(errno));
			return 1;
		}
		close(fd);
	}
	fprintf(stderr, "strfifo: %s: %s%s\n", name, strerror(error), advice(error));
	return 1;
}

static int make(const char *name, mode_t mode, int set_mode)
{
	if (strmkfifo(name, mode) || (set_mode && chmod(name, mode)))
		return complain(name);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "mode", required_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	mode_t mode = 0666;
	int opt, set_mode = 0, status = 0;
	char *end;

	options_begin(argv);
	while ((opt = getopt_long(argc, argv, "m:hV", options, NULL)) != -1) {
		unsigned long value;

		if (opt == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (opt == 'V')
			return options_version();
		value = opt == 'm' ? strtoul(optarg, &end, 8) : 01000;

		if (value > 0777 || (opt == 'm' && (*end || end == optarg))) {
			fputs(usage, stderr);
			return 2;
		}
		mode = value;
		set_mode = 1;
	}
	if (optind == argc) {
		fputs(usage, stderr);
		return 2;
	}
	for (; optind < argc; optind++)
		status |= make(argv[optind], mode, set_mode);
	return status;
}
