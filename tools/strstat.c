// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat.c - the open streams, and counters since the modules were loaded */
#include <err.h>
#include <getopt.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "strstat-json.h"
#include "strstat-proc.h"

#define EXIT_MISUSE	2

static const char help[] =
"Usage: strstat [OPTION]...\n"
"Show the counters of STREAMS (root only) and the streams that are open now: your\n"
"own, or with CAP_NET_ADMIN or CAP_SYS_ADMIN those of all users.\n"
"\n"
"  -c, --counters   the counters since the modules were loaded, nothing else;\n"
"                   only root can read them\n"
"  -o, --open       the open streams, nothing else\n"
"  -j, --json       print JSON\n"
"  -h, --help       print this help and exit\n"
"  -V, --version    print the version and exit\n";

static const struct option long_options[] = {
	{ "counters", no_argument, NULL, 'c' },
	{ "open", no_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ }
};

struct options {
	bool counters;
	bool open;
	bool json;
};

/* Prints a row for each counter, with a column for each kind. */
static void print_counter(const struct counters *counters, size_t row)
{
	const char *name = counters->list[row].name;
	const char *kind = NULL;
	size_t i, j;

	printf("%-18s", name);
	for (i = 0; i < counters->n; i++) {
		const struct counter *c = &counters->list[i];

		if (kind && !strcmp(kind, c->kind))
			continue;
		kind = c->kind;
		for (j = i; j < counters->n; j++) {
			if (!strcmp(counters->list[j].kind, kind) &&
			    !strcmp(counters->list[j].name, name))
				break;
		}
		if (j < counters->n)
			printf(" %15llu", counters->list[j].value);
		else
			printf(" %15s", "-");
	}
	printf(" %15llu\n", counter_total(counters, name));
}

static void print_counters(const struct counters *counters)
{
	const char *kind = "";
	size_t i;

	printf("%-18s", "COUNTER");
	for (i = 0; i < counters->n; i++) {
		if (!strcmp(counters->list[i].kind, kind))
			continue;
		kind = counters->list[i].kind;
		printf(" %15s", kind);
	}
	printf(" %15s\n", "total");
	for (i = 0; i < counters->n; i++) {
		if (counter_is_first(counters, i))
			print_counter(counters, i);
	}
}

/* Prints a value without bytes that could confuse a terminal. */
static void print_value(const char *value, int width)
{
	int len;

	for (len = 0; *value; value++, len++)
		putchar((unsigned char)*value < ' ' || *value == '\177' ? '?' : *value);
	do
		putchar(' ');
	while (++len <= width);
}

static const struct column {
	const char *title;
	const char *key;
	int width;
} columns[] = {
	{ "KIND", "kind", 7 },
	{ "PID", "pid", 7 },
	{ "COMMAND", "comm", 16 },
	{ "USER", "uid", 10 },
	{ "NAME", "name", 16 },
	{ "MODE", "mode", 7 },
	{ "QUEUED", "queued", 8 },
	{ "HIWAT", "hiwat", 8 },
	{ "OBSTACLE", "obstacle", 16 },
	{ "MODULES", "modules", 0 },
	{ }
};

static void print_stream(const struct open_stream *stream)
{
	const struct column *column;

	for (column = columns; column->title; column++) {
		const char *value = open_stream_get(stream, column->key) ?: "-";
		const struct passwd *user;

		if (!strcmp(column->key, "uid")) {
			user = getpwuid(strtoul(value, NULL, 10));
			value = user ? user->pw_name : value;
		}
		print_value(value, column->width);
	}
	putchar('\n');
}

static void print_open(const struct open_streams *streams)
{
	const struct column *column;
	size_t i;

	for (column = columns; column->title; column++)
		print_value(column->title, column->width);
	putchar('\n');
	for (i = 0; i < streams->n; i++)
		print_stream(&streams->list[i]);
	if (streams->shortcut)
		printf("net.strsock.shortcut: %s\n", streams->shortcut);
}

static struct options parse_options(int argc, char **argv)
{
	struct options opts = { };
	int c;

	options_begin(argv);
	while ((c = getopt_long(argc, argv, "cojhV", long_options, NULL)) != -1) {
		switch (c) {
		case 'c':
			opts.counters = true;
			break;
		case 'o':
			opts.open = true;
			break;
		case 'j':
			opts.json = true;
			break;
		case 'h':
			fputs(help, stdout);
			exit(EXIT_SUCCESS);
		case 'V':
			options_version();
			exit(EXIT_SUCCESS);
		default:
			fputs("Try 'strstat --help'.\n", stderr);
			exit(EXIT_MISUSE);
		}
	}
	if (optind < argc)
		errx(EXIT_MISUSE, "unexpected argument '%s': try 'strstat --help'",
		     argv[optind]);
	if (!opts.counters && !opts.open) {
		opts.open = true;
		opts.counters = proc_may_read(PROC_COUNTERS);
		if (!opts.counters)
			warnx("only root can read the counters; listing the open streams only");
	}
	return opts;
}

int main(int argc, char **argv)
{
	struct options opts = parse_options(argc, argv);
	struct counters counters = { };
	struct open_streams streams = { };

	if (opts.counters)
		proc_read_counters(&counters);
	if (opts.open)
		proc_read_open(&streams);

	if (opts.json) {
		json_print(opts.counters ? &counters : NULL, opts.open ? &streams : NULL);
	} else {
		if (opts.counters)
			print_counters(&counters);
		if (opts.counters && opts.open)
			putchar('\n');
		if (opts.open)
			print_open(&streams);
	}
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_FAILURE, "standard output");
	return EXIT_SUCCESS;
}
