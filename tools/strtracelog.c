// SPDX-License-Identifier: LGPL-2.1-or-later
/* strtracelog: prints the traces of modules and drivers in the STREAMS log */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "strlog-reader.h"

static const char help[] =
	"Usage: strtracelog [MODULE PART LEVEL]...\n"
	"Print the traces of STREAMS modules and drivers, until it is ended by a signal;\n"
	"without arguments all of them.\n"
	"\n"
	"  MODULE  number of a module or driver, 0 to 65534; \"all\": any\n"
	"  PART    number of a part of it, often a minor number; \"all\": any\n"
	"  LEVEL   0 to 127: only traces of this level or a lower one; \"all\": any\n"
	"  -h, --help     print this help and exit\n"
	"  -V, --version  print the version and exit\n"
	"\n"
	"Each line: number, time, milliseconds since boot, level, flags, module, part\n"
	"and text. Exit status: 1 if the log cannot be read, 2 for bad arguments.\n";

static int usage(const char *what, const char *arg)
{
	fprintf(stderr, "strtracelog: %s%s; see strtracelog --help\n", what, arg);
	return 2;
}

/*
 * Reads a number from an argument. Returns -1 for "all"; -2: the argument is
 * neither.
 */
static long parse(const char *arg, long most)
{
	char *end;
	long n;

	if (!strcmp(arg, "all"))
		return -1;
	errno = 0;
	n = strtol(arg, &end, 0);
	return errno || end == arg || *end || n < 0 || n > most ? -2 : n;
}

/*
 * Reads the triples of the arguments, or makes one that stands for all. Returns
 * -1 after an error was printed.
 */
static int triples(struct trace_ids *ids, char **args, int n)
{
	static const char *const names[] = {
		"not the number of a module: ", "not the number of a part: ",
		"not a level from 0 to 127: ",
	};
	static const long most[] = { 65534, 65534, 127 };
	long value[3] = { -1, -1, -1 };
	int i;

	if (n % 3) {
		usage("modules, parts and levels come in threes", "");
		return -1;
	}
	if (n / 3 > TRACE_IDS_MOST) {
		usage("at most 64 triples, not also ", args[3 * TRACE_IDS_MOST]);
		return -1;
	}
	for (i = 0; i < n; i++) {
		value[i % 3] = parse(args[i], most[i % 3]);
		if (value[i % 3] == -2) {
			usage(names[i % 3], args[i]);
			return -1;
		}
		if (i % 3 == 2)
			ids[i / 3] = (struct trace_ids){
				.ti_mid = value[0],
				.ti_sid = value[1],
				.ti_level = value[2],
			};
	}
	if (n)
		return n / 3;
	ids[0] = (struct trace_ids){
		.ti_mid = -1,
		.ti_sid = -1,
		.ti_level = -1,
	};
	return 1;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	struct trace_ids ids[TRACE_IDS_MOST];
	struct log_record record;
	int opt, n, fd;

	options_begin(argv);
	while ((opt = getopt_long(argc, argv, "+hV", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'V':
			return options_version();
		default:
			fputs("Try 'strtracelog --help'.\n", stderr);
			return 2;
		}
	}
	n = triples(ids, argv + optind, argc - optind);
	if (n < 0)
		return 2;
	fd = log_reader_open(I_TRCLOG, ids, n * sizeof(*ids));
	if (fd < 0)
		return 1;
	/*
	 * The line is flushed so that a reader of a pipe sees each message at
	 * once.
	 */
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (log_reader_next(fd, &record)) {
		log_reader_print(stdout, &record, true);
		if (ferror(stdout)) {
			fprintf(stderr, "strtracelog: cannot write: %s\n",
				strerror(errno));
			return 1;
		}
	}
	return 1;
}
