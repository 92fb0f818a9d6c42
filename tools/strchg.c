// SPDX-License-Identifier: LGPL-2.1-or-later
/* strchg: changes the modules on a stream */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/sad.h>
#include <sys/stat.h>
#include <sys/strio.h>
#include <unistd.h>

#include "options.h"
#include "pushlist.h"
#include "target.h"

#define MOST		64	/* modules that a file may name */
#define PUSHED_MOST	16	/* on a stream, see streamio(7) */

static const char help[] =
	"Usage: strchg -h MODULE[:SETTING=VALUE]...[,MODULE...] <STREAM\n"
	"  or:  strchg -s MODULE:SETTING=VALUE... <STREAM\n"
	"  or:  strchg -p [-a | -u MODULE] <STREAM\n"
	"  or:  strchg -f FILE <STREAM\n"
	"Change the modules of a stream: of the standard input, or of a process.\n"
	"\n"
	"  -h, --push=MODULES  push them, the first first\n"
	"  -s, --set=MODULES   change settings of modules that are pushed\n"
	"  -p, --pop           pop the topmost module\n"
	"  -a, --all           ... all modules\n"
	"  -u, --until=MODULE  ... all above MODULE\n"
	"  -f, --file=FILE     push and pop until the stream has the modules of FILE:\n"
	"                      one a line, the topmost first; # begins a comment\n"
	"      --pid=PID       the stream of this process, not of the standard input\n"
	"      --fd=N          ... its descriptor N\n"
	"      --help          print this help and exit\n"
	"  -V, --version       print the version and exit\n"
	"\n"
	"Exit status: 0, 1 if the stream could not be changed, 2 for an error.\n";

static int failed(const char *what, const char *name)
{
	fprintf(stderr, "strchg: cannot %s %s: %s\n", what, name,
		strerror(errno));
	return 1;
}

/*
 * Returns the number of entries at the end of I_LIST that cannot be popped: a
 * device's driver, a socket's sockmod and provider.
 */
static int fixed(void)
{
	struct stat st;

	if (fstat(STDIN_FILENO, &st) < 0)
		return 0;
	return S_ISCHR(st.st_mode) ? 1 : S_ISSOCK(st.st_mode) ? 2 : 0;
}

/* Returns whether the system has a module of that name; true if it cannot be asked. */
static bool is_module(const char *name)
{
	struct str_mlist entry = { };
	struct str_list list = { .sl_nmods = 1, .sl_modlist = &entry };
	int sad, ret;

	if (strlen(name) >= sizeof(entry.l_name))
		return false;
	strcpy(entry.l_name, name);
	sad = open(SAD_DEVICE, O_RDWR | O_CLOEXEC);
	ret = ioctl(sad, SAD_VML, &list);
	close(sad);
	return ret <= 0;
}

/* I_PUSH returns EINVAL for several reasons. */
static const char *why_invalid(const char *name)
{
	int n = ioctl(STDIN_FILENO, I_LIST, NULL);

	if (n < 0)
		return "the stream is linked below a multiplexor";
	if (n - fixed() >= PUSHED_MOST)
		return "16 modules are pushed, which is the limit";
	if (!is_module(name))
		return "there is no such module";
	return "the module refuses this stream";
}

static int push(const char *name)
{
	if (ioctl(STDIN_FILENO, I_PUSH, name) >= 0)
		return 0;
	if (errno != EINVAL)
		return failed("push", name);
	fprintf(stderr, "strchg: cannot push %s: %s\n", name, why_invalid(name));
	return 1;
}

/* Sets a module that is pushed, the topmost of its name. */
static int set_module(const struct pushlist_entry *entry)
{
	struct strioctl ioc = {
		.ic_cmd = STRIO_PARAM,
		.ic_len = entry->len,
		.ic_dp = (char *)entry->text,
	};
	const char *why = NULL;

	if (ioctl(STDIN_FILENO, I_STR, &ioc) >= 0)
		return 0;
	if (errno == EINVAL)
		why = ioctl(STDIN_FILENO, I_FIND, entry->name) == 1 ?
		      "no such setting, or a wrong value" : "the module is not pushed";
	fprintf(stderr, "strchg: cannot set %.*s: %s\n", (int)entry->len, entry->text,
		why ?: errno == ERANGE ? "value out of range" : strerror(errno));
	return 1;
}

/* Pushes the modules of a list, and sets them. */
static int push_all(const char *list)
{
	struct pushlist_entry entry;
	int err = 0;

	while (!err && pushlist_next(&list, &entry)) {
		err = push(entry.name);
		if (err || !entry.set)
			continue;
		err = set_module(&entry);
		if (err)
			ioctl(STDIN_FILENO, I_POP, 0);
	}
	return err;
}

static int set_all(const char *list)
{
	struct pushlist_entry entry;
	int err = 0;

	while (!err && pushlist_next(&list, &entry))
		err = set_module(&entry);
	return err;
}

/* Returns whether a list of modules is right, after a message if not. */
static bool list_ok(const char *list)
{
	const char *fault = pushlist_fault(list, strlen(list), UINT_MAX);

	if (fault)
		fprintf(stderr, "strchg: %s: %s\n", list, fault);
	return !fault;
}

static int pop(void)
{
	if (ioctl(STDIN_FILENO, I_POP, 0) >= 0)
		return 0;
	if (errno != EINVAL)
		return failed("pop", "the topmost module");
	fputs("strchg: no module is pushed\n", stderr);
	return 1;
}

/* Lists the modules, without the driver. Returns 0, or 1 after a message. */
static int modules(struct str_list *l)
{
	char top[STRNAMESZ];
	int n = ioctl(STDIN_FILENO, I_LIST, NULL);

	l->sl_nmods = 0;
	l->sl_modlist = NULL;
	if (n < 0)
		return failed("list", "the modules");
	if (!n || ioctl(STDIN_FILENO, I_LOOK, top) < 0)
		return 0;
	l->sl_modlist = calloc(n, sizeof(*l->sl_modlist));
	l->sl_nmods = n;
	if (!l->sl_modlist || ioctl(STDIN_FILENO, I_LIST, l) < 0)
		return failed("list", "the modules");
	return 0;
}

static int pop_all(void)
{
	int n = ioctl(STDIN_FILENO, I_LIST, NULL), err = 0;

	if (n < 0)
		return failed("list", "the modules");
	for (n -= fixed(); !err && n > 0; n--)
		err = pop();
	return err;
}

static int pop_until(const char *name)
{
	char top[STRNAMESZ];
	int err = 0;

	switch (ioctl(STDIN_FILENO, I_FIND, name)) {
	case 1:
		break;
	case 0:
		fprintf(stderr, "strchg: %s is not pushed\n", name);
		return 1;
	default:
		return failed("find", name);
	}
	while (!err && ioctl(STDIN_FILENO, I_LOOK, top) == 0 &&
	       strcmp(top, name))
		err = pop();
	return err;
}

/*
 * Reads the names in a file, topmost first. Returns how many there are, or -1.
 */
static int file_names(const char *path, char names[MOST][STRNAMESZ])
{
	FILE *file = fopen(path, "r");
	char line[256];
	int n = 0;

	if (!file) {
		failed("open", path);
		return -1;
	}
	while (fgets(line, sizeof(line), file)) {
		char *name, *rest = line;

		rest[strcspn(rest, "#\n")] = '\0';
		while ((name = strsep(&rest, " \t"))) {
			if (!*name)
				continue;
			if (n == MOST || strlen(name) >= STRNAMESZ) {
				fprintf(stderr, "strchg: %s: too many names, or too long: %s\n",
					path, name);
				fclose(file);
				return -1;
			}
			strcpy(names[n++], name);
		}
	}
	fclose(file);
	return n;
}

/* The modules at the bottom that need no change are kept. */
static int change_to(const char *path)
{
	char names[MOST][STRNAMESZ];
	struct str_list have;
	struct str_mlist *top;
	int n, mods, same = 0, err;

	n = file_names(path, names);
	if (n < 0)
		return 2;
	err = modules(&have);
	if (err)
		return err;
	mods = have.sl_nmods;
	top = have.sl_modlist;
	if (mods)
		mods -= fixed();
	while (same < n && same < mods &&
	       !strcmp(names[n - 1 - same], top[mods - 1 - same].l_name))
		same++;
	while (!err && mods > same) {
		err = pop();
		mods--;
	}
	/* The missing modules are pushed from the lowest up to the topmost. */
	for (n -= same; !err && n > 0; n--)
		err = push(names[n - 1]);
	free(have.sl_modlist);
	return err;
}

static int usage(void)
{
	fputs(help, stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "push", required_argument, NULL, 'h' },
		{ "set", required_argument, NULL, 's' },
		{ "pop", no_argument, NULL, 'p' },
		{ "all", no_argument, NULL, 'a' },
		{ "until", required_argument, NULL, 'u' },
		{ "file", required_argument, NULL, 'f' },
		{ "pid", required_argument, NULL, 'P' },
		{ "fd", required_argument, NULL, 'F' },
		{ "help", no_argument, NULL, 'H' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	char *names = NULL, *set = NULL, *until = NULL, *file = NULL, *pid = NULL, *fd = NULL;
	int opt, take = 0, all = 0;

	options_begin(argv);
	while ((opt = getopt_long(argc, argv, "h:s:pau:f:V", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			names = optarg;
			break;
		case 's':
			set = optarg;
			break;
		case 'p':
			take = 1;
			break;
		case 'a':
			all = 1;
			break;
		case 'u':
			until = optarg;
			break;
		case 'f':
			file = optarg;
			break;
		case 'P':
			pid = optarg;
			break;
		case 'F':
			fd = optarg;
			break;
		case 'H':
			fputs(help, stdout);
			return 0;
		case 'V':
			return options_version();
		default:
			return usage();
		}
	}
	if (optind < argc || !!names + !!set + take + !!file != 1 ||
	    (all && until) || ((all || until) && !take))
		return usage();
	if ((names && !list_ok(names)) || (set && !list_ok(set)) || target_open(pid, fd))
		return 2;
	if (names)
		return push_all(names);
	if (set)
		return set_all(set);
	if (file)
		return change_to(file);
	if (all)
		return pop_all();
	return until ? pop_until(until) : pop();
}
