// SPDX-License-Identifier: LGPL-2.1-or-later
/* strconf: shows the modules on a stream */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <unistd.h>

#include "options.h"
#include "target.h"

static const char help[] =
	"Usage: strconf [-t | -m MODULE] <STREAM\n"
	"Show the modules and the driver of a stream, from the top down: of the standard\n"
	"input, or of a process.\n"
	"\n"
	"  -t, --top            only the topmost module\n"
	"  -m, --module=MODULE  whether MODULE is on the stream: \"yes\" or \"no\"\n"
	"      --pid=PID        the stream of this process, not of the standard input\n"
	"      --fd=N           ... its descriptor N\n"
	"  -h, --help           print this help and exit\n"
	"  -V, --version        print the version and exit\n"
	"\n"
	"Exit status: 0; 1 if -m's MODULE is not there, or -t finds none; 2 for an\n"
	"error.\n";

static int failed(const char *what)
{
	fprintf(stderr, "strconf: %s: %s\n", what, strerror(errno));
	return 2;
}

static int list(void)
{
	struct str_list l = { };
	int i;

	l.sl_nmods = ioctl(STDIN_FILENO, I_LIST, NULL);
	if (l.sl_nmods < 0)
		return failed("cannot list the modules");
	if (!l.sl_nmods)
		return 0;
	l.sl_modlist = calloc(l.sl_nmods, sizeof(*l.sl_modlist));
	if (!l.sl_modlist || ioctl(STDIN_FILENO, I_LIST, &l) < 0)
		return failed("cannot list the modules");
	for (i = 0; i < l.sl_nmods; i++)
		puts(l.sl_modlist[i].l_name);
	free(l.sl_modlist);
	return 0;
}

static int topmost(void)
{
	char name[STRNAMESZ];

	if (ioctl(STDIN_FILENO, I_LOOK, name) < 0) {
		if (errno != EINVAL)
			return failed("cannot look at the topmost module");
		return 1;
	}
	puts(name);
	return 0;
}

static int find(const char *name)
{
	int found = ioctl(STDIN_FILENO, I_FIND, name);

	if (found < 0)
		return failed(name);
	puts(found ? "yes" : "no");
	return !found;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "top", no_argument, NULL, 't' },
		{ "module", required_argument, NULL, 'm' },
		{ "pid", required_argument, NULL, 'P' },
		{ "fd", required_argument, NULL, 'F' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	const char *name = NULL, *pid = NULL, *fd = NULL;
	int opt, top = 0;

	options_begin(argv);
	while ((opt = getopt_long(argc, argv, "tm:hV", options, NULL)) != -1) {
		switch (opt) {
		case 't':
			top = 1;
			break;
		case 'm':
			name = optarg;
			break;
		case 'P':
			pid = optarg;
			break;
		case 'F':
			fd = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'V':
			return options_version();
		default:
			fputs("Try 'strconf --help'.\n", stderr);
			return 2;
		}
	}
	if (optind < argc || (top && name)) {
		fputs("strconf: one of -t and -m, and no arguments; see strconf --help\n",
		      stderr);
		return 2;
	}
	if (target_open(pid, fd))
		return 2;
	if (top)
		return topmost();
	return name ? find(name) : list();
}
