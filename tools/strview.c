// SPDX-License-Identifier: LGPL-2.1-or-later
/* strview.c - a picture of the open streams: a tree, or a graph drawn by dot(1) */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"
#include "strview-draw.h"
#include "strview-model.h"
#include "user.h"

#define EXIT_MISUSE	2

static const char help[] =
"Usage: strview [OPTION]...\n"
"Show the open streams: processes, stream heads, modules, drivers, the other ends of\n"
"pipes and connections, and streams below multiplexing drivers.\n"
"\n"
"  -o, --output=FILE    write a picture: FILE ends in .svg, .png or .pdf, which dot(1)\n"
"                       of graphviz draws, or in .dot, for its language\n"
"  -p, --pid=PID        only the streams that this process has open, and those that\n"
"                       they are joined with\n"
"  -u, --user=USER      ... the processes of this user have open\n"
"  -P, --program=NAME   ... the processes of this name have open\n"
"  -a, --ascii          draw the tree with ASCII characters\n"
"  -c, --color=WHEN     color the fill of queues: always, never, or auto\n"
"  -h, --help           print this help and exit\n"
"  -V, --version        print the version and exit\n";

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "pid", required_argument, NULL, 'p' },
	{ "user", required_argument, NULL, 'u' },
	{ "program", required_argument, NULL, 'P' },
	{ "ascii", no_argument, NULL, 'a' },
	{ "color", required_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ }
};

struct options {
	const char *output;
	struct view_filter filter;
	struct tree_style style;
};

extern char **environ;

const char *stream_title(const struct view_stream *s)
{
	return view_get(s, "name") ?: view_get(s, "local") ?: "";
}

static pid_t parse_pid(const char *text)
{
	char *end;
	long pid;

	errno = 0;
	pid = strtol(text, &end, 10);
	if (errno || *end || pid <= 0 || (pid_t)pid != pid)
		errx(EXIT_MISUSE, "'%s' is not a process number", text);
	return pid;
}

static bool parse_color(const char *when)
{
	const char *term = getenv("TERM");

	if (!strcmp(when, "always"))
		return true;
	if (!strcmp(when, "never"))
		return false;
	if (strcmp(when, "auto"))
		errx(EXIT_MISUSE, "--color is 'always', 'never' or 'auto', not '%s'", when);
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") && !getenv("NO_COLOR");
}

/* Returns the name of a format, for dot -T; "dot" is its own language. */
static const char *format_of(const char *file)
{
	static const char *const formats[] = { "dot", "svg", "png", "pdf" };
	const char *dot = strrchr(file, '.');
	size_t i;

	for (i = 0; dot && i < sizeof(formats) / sizeof(*formats); i++) {
		if (!strcmp(dot + 1, formats[i]))
			return formats[i];
	}
	errx(EXIT_MISUSE, "'%s' does not end in .svg, .png, .pdf or .dot", file);
}

static void parse_option(struct options *opts, int c)
{
	switch (c) {
	case 'o':
		format_of(optarg);
		opts->output = optarg;
		break;
	case 'p':
		opts->filter.pid = parse_pid(optarg);
		break;
	case 'u':
		opts->filter.uid = user_number(optarg);
		opts->filter.by_user = true;
		break;
	case 'P':
		opts->filter.program = optarg;
		break;
	case 'a':
		opts->style.ascii = true;
		break;
	case 'c':
		opts->style.color = parse_color(optarg);
		break;
	case 'h':
		fputs(help, stdout);
		exit(EXIT_SUCCESS);
	case 'V':
		options_version();
		exit(EXIT_SUCCESS);
	default:
		fputs("Try 'strview --help'.\n", stderr);
		exit(EXIT_MISUSE);
	}
}

static struct options parse_options(int argc, char **argv)
{
	struct options opts = {
		.style.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
		.style.color = parse_color("auto"),
	};
	int c;

	options_begin(argv);
	while ((c = getopt_long(argc, argv, "o:p:u:P:ac:hV", long_options, NULL)) != -1)
		parse_option(&opts, c);
	if (optind < argc)
		errx(EXIT_MISUSE, "unexpected argument '%s': try 'strview --help'",
		     argv[optind]);
	return opts;
}

/* Starts dot(1), which draws what is written to *to. */
static pid_t start_dot(const char *format, const char *file, FILE **to)
{
	char *type, *argv[] = { "dot", NULL, "-o", (char *)file, NULL };
	posix_spawn_file_actions_t actions;
	int ends[2], error;
	pid_t pid;

	if (asprintf(&type, "-T%s", format) < 0 || pipe2(ends, O_CLOEXEC))
		err(EXIT_FAILURE, "pipe");
	argv[1] = type;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(type);
	if (error == ENOENT)
		errx(EXIT_FAILURE, "there is no 'dot': install graphviz, or write a file .dot");
	errno = error;
	if (error)
		err(EXIT_FAILURE, "dot");
	close(ends[0]);
	*to = fdopen(ends[1], "w");
	if (!*to)
		err(EXIT_FAILURE, "dot");
	return pid;
}

static void write_picture(const struct view *view, const char *file)
{
	const char *format = format_of(file);
	bool draws = strcmp(format, "dot");
	int status = 0;
	pid_t pid = 0;
	FILE *to;

	/* dot(1) tells why it ended early. */
	signal(SIGPIPE, SIG_IGN);
	if (draws)
		pid = start_dot(format, file, &to);
	else
		to = fopen(file, "we");
	if (!to)
		err(EXIT_FAILURE, "%s", file);
	dot_print(view, to);
	if (fclose(to) && !draws)
		err(EXIT_FAILURE, "%s", file);
	if (draws && waitpid(pid, &status, 0) < 0)
		err(EXIT_FAILURE, "dot");
	if (status)
		errx(EXIT_FAILURE, "dot could not draw %s", file);
}

int main(int argc, char **argv)
{
	struct view view = { };
	struct options opts;

	setlocale(LC_CTYPE, "");
	opts = parse_options(argc, argv);
	view_read(&view);
	view_select(&view, &opts.filter);
	if (!view_is_wanted(&view))
		warnx(opts.filter.pid || opts.filter.by_user || opts.filter.program ?
		      "no process that was asked for has a stream open that you may see" :
		      "no stream is open that you may see");
	if (opts.output)
		write_picture(&view, opts.output);
	else
		tree_print(&view, &opts.style, stdout);
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_FAILURE, "standard output");
	return EXIT_SUCCESS;
}
