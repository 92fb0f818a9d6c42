// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * strsock.c - run a command with its pipes and sockets on STREAMS
 *
 * All the launcher does is set LD_PRELOAD and a few variables. The rest is
 * looking, before anything starts, for what would make that fail in silence.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"
#include "pushlist.h"
#include "rules.h"
#include "say.h"
#include "strsock-beside.h"
#include "strsock-command.h"
#include "strsock-modules.h"

#ifndef SYSCONFDIR
#error "SYSCONFDIR is the directory of strsock.conf"
#endif
#ifndef LIBDIR
#error "LIBDIR is the directory of libstrsock.so"
#endif

#ifndef PKGLIBEXECDIR
#error "PKGLIBEXECDIR is the directory of strsock-cgroup"
#endif

#define LIBRARY	"libstrsock.so"
#define CGROUP_PROGRAM	"strsock-cgroup"

/* The statuses of env(1) and nohup(1); bad rules have a status of their own. */
enum {
	EXIT_RULES = 2,
	EXIT_OURS = 125,
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

/* The kinds of descriptor on which --push pushes modules */
enum { ON_PIPE, ON_UDP, ON_TCP, ON_KINDS };

static const char *const kinds[ON_KINDS] = { "pipe", "udp", "tcp" };
static const char *const push_variables[ON_KINDS] = {
	"STRSOCK_PUSH_PIPE", "STRSOCK_PUSH_UDP", "STRSOCK_PUSH_TCP"
};

struct options {
	bool pipe;
	bool udp;
	bool tcp;
	bool require;
	bool verbose;
	bool all;			/* sockets of programs without the library too */
	const char *cgroup;	/* whose sockets are put on STREAMS, or NULL */
	bool off;			/* ... or no longer */
	bool of_command;		/* an option was given that needs a command */
	const char *config;	/* as given, or NULL */
	const char *push[ON_KINDS];	/* modules for each kind, or NULL */
	const char *before[ON_KINDS];	/* ... before the last --push */
	bool pushed;			/* --push was given */
};

static const char help[] =
"Usage: strsock [OPTION]... [--] COMMAND [ARGUMENT]...\n"
"       strsock [OPTION]... --cgroup PATH [--off]\n"
"Run COMMAND with its pipes and its UDP and TCP sockets on STREAMS.\n"
"\n"
"  -p, --pipe          put pipes on STREAMS, whatever the rules say\n"
"  -P, --no-pipe       leave pipes to the native kernel\n"
"  -d, --duplex        make pipes full-duplex STREAMS pipes, as on System V\n"
"  -u, --udp           put UDP sockets on STREAMS, whatever the rules say\n"
"  -U, --no-udp        leave UDP sockets to the native kernel\n"
"  -t, --tcp           put TCP sockets on STREAMS, whatever the rules say\n"
"  -T, --no-tcp        leave TCP sockets to the native kernel\n"
"      --push=MODULES  push MODULE[,MODULE...] on every new pipe and socket\n"
"      --on=KINDS      ... of these kinds only: pipe,udp,tcp\n"
"  -a, --all           also pipes and sockets of programs that cannot load the\n"
"                      library: static ones, Go's (root)\n"
"      --cgroup=PATH   put the sockets of a cgroup's programs on STREAMS\n"
"      --off           leave those of the cgroup to the native kernel again\n"
"  -r, --require       fail where STREAMS is not available; no native fallback\n"
"  -v, --verbose       log each decision on standard error\n"
"  -c, --config=FILE   read rules from FILE, not " SYSCONFDIR "/strsock.conf\n"
"  -h, --help          print this help and exit\n"
"  -V, --version       print the version and exit\n"
"\n"
"Exit status: that of COMMAND; 2 if the rules are bad, 125 if strsock fails,\n"
"126 if COMMAND cannot be executed, 127 if it cannot be found.\n";

/* The options that have no letter */
enum { OPTION_PUSH = 256, OPTION_ON, OPTION_CGROUP, OPTION_OFF };

static const struct option long_options[] = {
	{ "pipe", no_argument, NULL, 'p' },
	{ "no-pipe", no_argument, NULL, 'P' },
	{ "duplex", no_argument, NULL, 'd' },
	{ "udp", no_argument, NULL, 'u' },
	{ "no-udp", no_argument, NULL, 'U' },
	{ "tcp", no_argument, NULL, 't' },
	{ "no-tcp", no_argument, NULL, 'T' },
	{ "push", required_argument, NULL, OPTION_PUSH },
	{ "on", required_argument, NULL, OPTION_ON },
	{ "all", no_argument, NULL, 'a' },
	{ "cgroup", required_argument, NULL, OPTION_CGROUP },
	{ "off", no_argument, NULL, OPTION_OFF },
	{ "require", no_argument, NULL, 'r' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "config", required_argument, NULL, 'c' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 }
};

static void set(const char *variable, const char *value)
{
	if (!setenv(variable, value, 1))
		return;
	say("cannot set %s: %s", variable, strerror(errno));
	exit(EXIT_OURS);
}

/*
 * Reads a variable that the preload reads too. Returns its value, 0 or 1;
 * unset: the result if it has neither.
 */
static bool flag(const char *variable, bool unset)
{
	const char *value = getenv(variable);

	if (!value || !*value)
		return unset;
	if (strcmp(value, "0") && strcmp(value, "1")) {
		say("%s=%s: must be 0 or 1", variable, value);
		exit(EXIT_OURS);
	}
	return *value == '1';
}

static void report(void *file, unsigned int line, const char *reason,
		   const char *word, size_t len)
{
	if (word)
		say("%s:%u: %s '%.*s'", (char *)file, line, reason, (int)len, word);
	else
		say("%s:%u: %s", (char *)file, line, reason);
}

/*
 * Checks a line of the rules: a file is compared by its path without symbolic
 * links.
 */
static bool path_is_real(void *unused, const struct conf_word *word,
			 unsigned int n, struct conf_fault *fault)
{
	static char reason[PATH_MAX + 64];
	char path[CONF_MAX_LINE + 1], real[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s", (int)word->len, word->text);
	if (*path != '/' || strpbrk(path, "*?") || !realpath(path, real) ||
	    !strcmp(path, real))
		return true;
	snprintf(reason, sizeof(reason),
		 "warning: never matches, the path without symbolic links is %s:", real);
	fault->reason = reason;
	fault->at = *word;
	return false;
}

static void check_rules(const struct options *options)
{
	const char *variable = getenv("STRSOCK_CONF");
	const char *file = SYSCONFDIR "/strsock.conf";
	char absolute[PATH_MAX];
	bool given = true;
	int bad;

	if (options->config)
		file = options->config;
	else if (variable && *variable)
		file = variable;
	else
		given = false;

	bad = rules_read(file, NULL, NULL, report, (void *)file);
	if (!bad)
		conf_read(file, path_is_real, NULL, report, (void *)file);
	/*
	 * The path is made absolute: the command and its children may change
	 * their folder.
	 */
	if (!bad && given && realpath(file, absolute))
		set("STRSOCK_CONF", absolute);
	if (!bad || (bad == -ENOENT && !given))
		return;
	if (bad == -EFBIG)
		say("%s: longer than %d bytes", file, CONF_MAX_FILE);
	else if (bad < 0)
		say("%s: cannot be read: %s", file, strerror(-bad));
	exit(EXIT_RULES);
}

/*
 * Reports what is missing, in one line. Returns whether anything is left for
 * STREAMS to do.
 */
static bool check_modules(const struct options *options, const char *command)
{
	int no_pipe = options->pipe ? modules_pipe() : 0;
	bool sockets = options->udp || options->tcp;
	int no_socket = sockets ? modules_socket() : 0;
	bool all = (no_pipe || !options->pipe) && (no_socket || !sockets);
	bool absent = true;
	char result[PATH_MAX + 64], why[128] = "";

	if (!no_pipe && !no_socket)
		return options->pipe || sockets;

	if (options->require)
		snprintf(result, sizeof(result), "not running %s", command);
	else if (all)
		snprintf(result, sizeof(result), "running %s natively", command);
	else
		snprintf(result, sizeof(result), "%s of %s stay native",
			 no_pipe ? "pipes" : "sockets", command);

	if (no_pipe && no_pipe != ENOENT && no_pipe != ENODEV && no_pipe != ENXIO) {
		snprintf(why, sizeof(why), "/dev/streams/pipe: %s", strerror(no_pipe));
		absent = false;
	} else if (no_pipe && !access("/sys/module/strpipe", F_OK)) {
		/* A container, for example, has devices of its own. */
		snprintf(why, sizeof(why),
			 "strpipe is loaded, but there is no /dev/streams/pipe here: bind-mount the host's /dev/streams");
		absent = false;
	} else if (no_socket && no_socket != EPROTONOSUPPORT &&
		   no_socket != ESOCKTNOSUPPORT) {
		snprintf(why, sizeof(why), "socket of protocol 253: %s", strerror(no_socket));
		absent = false;
	}

	if (!absent)
		say("STREAMS is not available (%s); %s", why, result);
	else if (no_pipe && no_socket)
		say("STREAMS modules are not loaded (run: modprobe -a strpipe strsock); %s",
		    result);
	else
		say("STREAMS module %s is not loaded (run: modprobe %s); %s",
		    no_pipe ? "strpipe" : "strsock", no_pipe ? "strpipe" : "strsock",
		    result);
	if (options->require)
		exit(EXIT_OURS);
	/* The kernel's redirection of sockets would not find out. */
	if (no_socket && options->all) {
		set("STRSOCK_UDP", "0");
		set("STRSOCK_TCP", "0");
	}
	return !all;
}

/* Returns whether modules are to be pushed, by an option or a variable. */
static bool pushes(void)
{
	unsigned int k;

	for (k = 0; k < ON_KINDS; k++)
		if (*(getenv(push_variables[k]) ?: ""))
			return true;
	return false;
}

/* Ends with a message if a module to push does not exist. */
static void check_pushed(void)
{
	struct pushlist_entry entry;
	unsigned int k;

	for (k = 0; k < ON_KINDS; k++) {
		const char *list = getenv(push_variables[k]) ?: "";

		while (pushlist_next(&list, &entry)) {
			if (modules_named(entry.name))
				continue;
			say("there is no module %s to push (run: modprobe strmod-%s)",
			    entry.name, entry.name);
			exit(EXIT_OURS);
		}
	}
}

/*
 * Returns whether the path is this program's own, which may be static: the
 * library is for the command it runs.
 */
static bool is_ourselves(const char *path)
{
	struct stat theirs, ours;

	return !stat(path, &theirs) && !stat("/proc/self/exe", &ours) &&
	       theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

static void check_command(const struct options *options, const char *path,
			  const char *library)
{
	char culprit[PATH_MAX];
	const char *reason;

	/* With --all other means than the library reach the program. */
	if (options->all || (!options->pipe && !options->udp && !options->tcp))
		return;
	reason = command_obstacle(path, library, culprit, sizeof(culprit));
	if (!reason || is_ourselves(culprit))
		return;
	if (options->require) {
		say("%s %s: " LIBRARY " cannot be preloaded; not running it", culprit, reason);
		exit(EXIT_OURS);
	}
	say("warning: %s %s: " LIBRARY " cannot be preloaded, its pipes and sockets stay native",
	    culprit, reason);
}

static void find_library(char library[PATH_MAX])
{
	const char *given = getenv("STRSOCK_LIB");

	if (given && *given) {
		if (!realpath(given, library)) {
			say("STRSOCK_LIB=%s: %s", given, strerror(errno));
			exit(EXIT_OURS);
		}
	} else if (!beside(library, PATH_MAX, "preload/.libs/" LIBRARY) &&
		   !beside(library, PATH_MAX, "preload/" LIBRARY)) {
		strcpy(library, LIBDIR "/" LIBRARY);
	}
	if (access(library, R_OK)) {
		say("%s: %s; is strsock installed? STRSOCK_LIB can name another",
		    library, strerror(errno));
		exit(EXIT_OURS);
	}
	if (!command_is_library(library)) {
		say("%s: not a shared library; STRSOCK_LIB can name another", library);
		exit(EXIT_OURS);
	}
	if (strpbrk(library, ": ")) {
		say("%s: a colon or a space in the path, which LD_PRELOAD cannot hold; "
		    "STRSOCK_LIB can name another", library);
		exit(EXIT_OURS);
	}
}

static void preload(const struct options *options, const char *library)
{
	const char *others = getenv("LD_PRELOAD");
	char *list;

	if (!others || !*others) {
		set("LD_PRELOAD", library);
	} else if (strncmp(others, library, strlen(library)) ||
		   !strchr(": ", others[strlen(library)])) {
		if (asprintf(&list, "%s:%s", library, others) < 0) {
			say("out of memory");
			exit(EXIT_OURS);
		}
		set("LD_PRELOAD", list);
		free(list);
	}	/* else we are run by ourselves, and are first already */
	if (options->verbose)
		say("LD_PRELOAD=%s", getenv("LD_PRELOAD"));
}

static void push_option(struct options *options, const char *list)
{
	unsigned int k;

	memcpy(options->before, options->push, sizeof(options->before));
	for (k = 0; k < ON_KINDS; k++)
		options->push[k] = list;
	options->pushed = true;
	options->of_command = true;
}

/* Limits the last --push to the kinds of a list. */
static void on_option(struct options *options, const char *list)
{
	bool named[ON_KINDS] = { };
	unsigned int k;
	size_t len;

	if (!options->pushed) {
		say("--on without --push before it; try 'strsock --help'");
		exit(EXIT_OURS);
	}
	for (;; list += len + 1) {
		len = strcspn(list, ",");
		for (k = 0; k < ON_KINDS; k++)
			if (len == strlen(kinds[k]) && !memcmp(list, kinds[k], len))
				break;
		if (k == ON_KINDS) {
			say("--on: unknown kind '%.*s' (known are: pipe udp tcp)", (int)len,
			    list);
			exit(EXIT_OURS);
		}
		named[k] = true;
		if (!list[len])
			break;
	}
	for (k = 0; k < ON_KINDS; k++)
		if (!named[k])
			options->push[k] = options->before[k];
}

/* Hands the modules of a kind to the library, after a look at the list. */
static void pass_modules(const struct options *options, unsigned int kind)
{
	const char *variable = push_variables[kind];
	const char *list = options->push[kind];
	const char *fault;

	if (list)
		set(variable, list);
	else
		list = getenv(variable) ?: "";
	if (!*list && !options->push[kind])
		return;
	fault = pushlist_fault(list, strlen(list), PUSHLIST_MOST);
	if (!fault)
		return;
	if (options->push[kind])
		say("--push=%s: %s", list, fault);
	else
		say("%s=%s: %s", variable, list, fault);
	exit(EXIT_OURS);
}

/* Ends with a message where the options make no sense together. */
static void check_usage(const struct options *options, bool command)
{
	const char *fault = NULL;

	if (options->off && !options->cgroup)
		fault = "--off without --cgroup";
	else if (options->cgroup && (command || options->all))
		fault = "--cgroup takes neither a COMMAND nor --all";
	else if (options->cgroup && options->of_command)
		fault = "--cgroup takes only --udp, --tcp, their opposites, --config and --off";
	else if (!options->cgroup && !command)
		fault = "no COMMAND given";
	if (!fault)
		return;
	say("%s; try 'strsock --help'", fault);
	exit(EXIT_OURS);
}

static void parse(int argc, char **argv, struct options *options)
{
	int c;

	options_begin(argv);
	while ((c = getopt_long(argc, argv, "+pPduUtTarvc:hV", long_options, NULL)) != -1) {
		switch (c) {
		case 'p':
		case 'P':
			set("STRSOCK_PIPE", c == 'p' ? "1" : "0");
			options->of_command = true;
			break;
		case 'd':
			options->of_command = true;
			set("STRSOCK_PIPE", "1");
			set("STRSOCK_DUPLEX", "1");
			break;
		case 'u':
		case 'U':
			set("STRSOCK_UDP", c == 'u' ? "1" : "0");
			break;
		case 't':
		case 'T':
			set("STRSOCK_TCP", c == 't' ? "1" : "0");
			break;
		case OPTION_PUSH:
			push_option(options, optarg);
			break;
		case OPTION_ON:
			on_option(options, optarg);
			break;
		case 'a':
			options->all = true;
			break;
		case OPTION_CGROUP:
			options->cgroup = optarg;
			break;
		case OPTION_OFF:
			options->off = true;
			break;
		case 'r':
			set("STRSOCK_REQUIRE", "1");
			break;
		case 'v':
			options->of_command = true;
			set("STRSOCK_VERBOSE", "1");
			break;
		case 'c':
			options->config = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			exit(fclose(stdout) ? EXIT_OURS : 0);
		case 'V':
			options_version();
			exit(fclose(stdout) ? EXIT_OURS : 0);
		default:	/* getopt_long has complained */
			fputs("Try 'strsock --help'.\n", stderr);
			exit(EXIT_OURS);
		}
	}
	for (c = 0; c < ON_KINDS; c++)
		pass_modules(options, c);
	check_usage(options, optind < argc);
	options->pipe = flag("STRSOCK_PIPE", true);
	flag("STRSOCK_DUPLEX", false);
	options->udp = flag("STRSOCK_UDP", true);
	options->tcp = flag("STRSOCK_TCP", true);
	options->require = flag("STRSOCK_REQUIRE", false);
	options->verbose = flag("STRSOCK_VERBOSE", false);
}

static int fail(const char *command, int error)
{
	say("%s: %s", command, strerror(error));
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* Finds the program that --all and --cgroup need, or ends with a message. */
static void find_cgroup_program(char program[PATH_MAX])
{
	if (beside(program, PATH_MAX, "cgroup/" CGROUP_PROGRAM))
		return;
	strcpy(program, PKGLIBEXECDIR "/" CGROUP_PROGRAM);
	if (!access(program, X_OK))
		return;
	say("%s: %s; is strsock installed?", program, strerror(errno));
	exit(EXIT_OURS);
}

/* Executes the command in a cgroup whose sockets are put on STREAMS. */
static int run_in_cgroup(const char *path, char **argv, int argc)
{
	char **longer = calloc(argc + 4, sizeof(*longer));
	char program[PATH_MAX];

	find_cgroup_program(program);
	if (!longer) {
		say("out of memory");
		return EXIT_OURS;
	}
	longer[0] = CGROUP_PROGRAM;
	longer[1] = "run";
	longer[2] = (char *)path;
	memcpy(longer + 3, argv, argc * sizeof(*argv));
	execv(program, longer);
	return fail(program, errno);
}

static int change_cgroup(const struct options *options)
{
	int error = options->off ? 0 : modules_socket();
	char program[PATH_MAX];

	find_cgroup_program(program);
	if (error) {
		say("STREAMS module strsock is not loaded (run: modprobe strsock); %s stays as it is",
		    options->cgroup);
		return EXIT_OURS;
	}
	execl(program, CGROUP_PROGRAM, options->off ? "off" : "on", options->cgroup, NULL);
	return fail(program, errno);
}

int main(int argc, char **argv)
{
	struct options options = { .config = NULL };
	char path[PATH_MAX], library[PATH_MAX];
	int err;

	parse(argc, argv, &options);
	argv += optind;
	argc -= optind;

	check_rules(&options);
	if (options.cgroup)
		return change_cgroup(&options);
	err = command_find(argv[0], path, sizeof(path));
	if (err)
		return fail(argv[0], err);
	if (check_modules(&options, argv[0])) {
		/* The kernel redirects sockets; the library makes pipes, and pushes. */
		if (options.pipe || !options.all || pushes()) {
			check_pushed();
			find_library(library);
			check_command(&options, path, library);
			preload(&options, library);
		}
		if (options.all)
			return run_in_cgroup(path, argv, argc);
	}

	execvp(path, argv);
	return fail(argv[0], errno);
}
