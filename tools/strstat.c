// SPDX-License-Identifier: LGPL-2.1-or-later
/* strstat.c - the open streams, and counters since the modules were loaded */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "strstat-json.h"
#include "strstat-proc.h"
#include "strstat-prometheus.h"
#include "strstat-watch.h"
#include "user.h"

#define EXIT_MISUSE	2

static const char help[] =
"Usage: strstat [OPTION]...\n"
"Show the counters of STREAMS (root only) and the streams that are open now: your\n"
"own, or with CAP_NET_ADMIN or CAP_SYS_ADMIN those of all users.\n"
"\n"
"  -c, --counters        the counters since the modules were loaded, nothing else;\n"
"                        only root can read them\n"
"  -o, --open            the open streams, nothing else\n"
"  -j, --json            print JSON\n"
"  -m, --prometheus      print metrics as Prometheus reads them\n"
"  -w, --watch[=SECONDS] show the streams and what they move, each second or every\n"
"                        SECONDS: on the whole screen of a terminal, or in tables;\n"
"                        with --json in lines of JSON\n"
"  -n, --count=N         with --watch: end after N samples\n"
"  -P, --program=NAME    only streams that a command of this name made\n"
"  -u, --user=USER       ... that this user made\n"
"  -k, --kind=KIND       ... of a kind: pipe, device, udp, tcp\n"
"  -p, --port=PORT       ... sockets with this port, here or at the other end\n"
"  -a, --address=ADDRESS ... with this address\n"
"  -s, --state=STATE     ... in this state, such as established or listening\n"
"  -h, --help            print this help and exit\n"
"  -V, --version         print the version and exit\n";

static const struct option long_options[] = {
	{ "counters", no_argument, NULL, 'c' },
	{ "open", no_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	{ "prometheus", no_argument, NULL, 'm' },
	{ "watch", optional_argument, NULL, 'w' },
	{ "count", required_argument, NULL, 'n' },
	{ "program", required_argument, NULL, 'P' },
	{ "user", required_argument, NULL, 'u' },
	{ "kind", required_argument, NULL, 'k' },
	{ "port", required_argument, NULL, 'p' },
	{ "address", required_argument, NULL, 'a' },
	{ "state", required_argument, NULL, 's' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ }
};

struct options {
	bool counters;
	bool open;
	bool prometheus;
	bool watches;
	struct watch watch;
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

static double parse_seconds(const char *text)
{
	double seconds;
	char *end;

	seconds = strtod(text, &end);
	if (end == text || *end || !(seconds >= 0.1) || seconds > 86400)
		errx(EXIT_MISUSE, "'%s' is not a time of 0.1 to 86400 seconds", text);
	return seconds;
}

static unsigned long parse_count(const char *text)
{
	unsigned long count;
	char *end;

	errno = 0;
	count = strtoul(text, &end, 10);
	if (errno || *end || *text == '-' || !count)
		errx(EXIT_MISUSE, "'%s' is not a number of samples", text);
	return count;
}

/* Returns a word that is in a list; ends the program with the list if it is not. */
static const char *parse_word(const char *word, const char *what, const char *const *list)
{
	size_t i;

	for (i = 0; list[i]; i++) {
		if (!strcmp(word, list[i]))
			return word;
	}
	fprintf(stderr, "strstat: '%s' is not a %s; these are:", word, what);
	for (i = 0; list[i]; i++)
		fprintf(stderr, " %s", list[i]);
	putc('\n', stderr);
	exit(EXIT_MISUSE);
}

/* Takes the options of filters. Returns false for another one. */
static bool parse_filter(struct filter *filter, int c)
{
	switch (c) {
	case 'P':
		filter->program = optarg;
		return true;
	case 'u':
		filter->uid = user_number(optarg);
		filter->by_user = true;
		return true;
	case 'k':
		filter->kind = parse_word(optarg, "kind", filter_kinds);
		return true;
	case 'p':
		filter->port = optarg;
		return true;
	case 'a':
		filter->address = optarg;
		return true;
	case 's':
		filter->state = parse_word(optarg, "state", filter_states);
		return true;
	}
	return false;
}

static void parse_option(struct options *opts, int c)
{
	switch (c) {
	case 'c':
		opts->counters = true;
		break;
	case 'o':
		opts->open = true;
		break;
	case 'j':
		opts->watch.json = true;
		break;
	case 'm':
		opts->prometheus = true;
		break;
	case 'w':
		opts->watches = true;
		if (optarg)
			opts->watch.seconds = parse_seconds(optarg);
		break;
	case 'n':
		opts->watch.count = parse_count(optarg);
		break;
	case 'h':
		fputs(help, stdout);
		exit(EXIT_SUCCESS);
	case 'V':
		options_version();
		exit(EXIT_SUCCESS);
	default:
		if (parse_filter(&opts->watch.filter, c))
			break;
		fputs("Try 'strstat --help'.\n", stderr);
		exit(EXIT_MISUSE);
	}
}

static void check_options(struct options *opts)
{
	if (opts->prometheus && (opts->watch.json || opts->watches))
		errx(EXIT_MISUSE, "--prometheus is for neither --json nor --watch");
	if (opts->watch.count && !opts->watches)
		errx(EXIT_MISUSE, "--count is for --watch");
	if (!opts->counters && !opts->open) {
		opts->open = true;
		opts->counters = proc_may_read(PROC_COUNTERS);
		if (!opts->counters && !opts->watches)
			warnx("only root can read the counters; listing the open streams only");
	}
	opts->watch.counters = opts->counters;
}

static struct options parse_options(int argc, char **argv)
{
	struct options opts = { .watch.seconds = 1 };
	int c;

	options_begin(argv);
	while ((c = getopt_long(argc, argv, "cojmw::n:P:u:k:p:a:s:hV", long_options, NULL)) != -1)
		parse_option(&opts, c);
	/* The interval may be a word of its own. */
	if (optind < argc && opts.watches)
		opts.watch.seconds = parse_seconds(argv[optind++]);
	if (optind < argc)
		errx(EXIT_MISUSE, "unexpected argument '%s': try 'strstat --help'",
		     argv[optind]);
	check_options(&opts);
	return opts;
}

static void watch(const struct watch *watch)
{
#ifdef HAVE_NCURSES
	if (isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) && !watch->json) {
		watch_screen(watch);
		return;
	}
#endif
	watch_print(watch);
}

static void print_once(const struct options *opts)
{
	struct counters counters = { };
	struct open_streams streams = { };

	if (opts->counters)
		proc_read_counters(&counters);
	if (opts->open)
		proc_read_open(&streams);
	filter_apply(&opts->watch.filter, &streams);

	if (opts->prometheus) {
		prometheus_print(opts->counters ? &counters : NULL,
				 opts->open ? &streams : NULL);
	} else if (opts->watch.json) {
		json_print(opts->counters ? &counters : NULL, opts->open ? &streams : NULL);
	} else {
		if (opts->counters)
			print_counters(&counters);
		if (opts->counters && opts->open)
			putchar('\n');
		if (opts->open)
			print_open(&streams);
		if (opts->open && !streams.n && !filter_is_empty(&opts->watch.filter))
			warnx("no open stream that you may see passes the filters");
	}
	proc_free_counters(&counters);
	proc_free_open(&streams);
}

int main(int argc, char **argv)
{
	struct options opts = parse_options(argc, argv);

	if (opts.watches)
		watch(&opts.watch);
	else
		print_once(&opts);
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_FAILURE, "standard output");
	return EXIT_SUCCESS;
}
