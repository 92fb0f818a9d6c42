// SPDX-License-Identifier: LGPL-2.1-or-later
/* strinfo.c - the modules and drivers of STREAMS: loaded or loadable, and in use by whom */
#include <dirent.h>
#include <err.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "must.h"
#include "options.h"
#include "strstat-proc.h"
#include "text.h"

#define EXIT_MISUSE	2
#define CLASS		"/sys/class/streams"
#define NODES		"/dev/streams"

static const char help[] =
"Usage: strinfo [OPTION]... [NAME]...\n"
"List the modules and drivers of STREAMS: the kernel module that each is in, whether that\n"
"is loaded or can be, and the processes whose streams have it. With NAMEs only those; it\n"
"is an error if there is no such module or driver.\n"
"\n"
"  -m, --modules   modules only\n"
"  -d, --drivers   drivers only\n"
"  -l, --loaded    loaded ones only\n"
"  -h, --help      print this help and exit\n"
"  -V, --version   print the version and exit\n";

static const struct option long_options[] = {
	{ "modules", no_argument, NULL, 'm' },
	{ "drivers", no_argument, NULL, 'd' },
	{ "loaded", no_argument, NULL, 'l' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ }
};

/* A module or a driver */
struct item {
	char *name;
	char *owner;		/* the kernel module; NULL: it is not known */
	bool driver;
	bool loaded;
	bool asked;		/* one of the NAMEs */
	size_t streams;		/* that have it */
	char *users;		/* "COMMAND(PID) ..." */
	char *last;		/* of those */
};

static struct item *items;
static size_t nitems;

/* Returns the item of that name, made if there is none. */
static struct item *item(const char *name, size_t len, bool driver)
{
	size_t i;

	for (i = 0; i < nitems; i++) {
		if (items[i].driver == driver && strlen(items[i].name) == len &&
		    !memcmp(items[i].name, name, len))
			return &items[i];
	}
	items = must(reallocarray(items, nitems + 1, sizeof(*items)));
	items[nitems] = (struct item){ .name = must(strndup(name, len)), .driver = driver };
	return &items[nitems++];
}

static bool owner_loaded(const char *owner)
{
	char path[256];
	char *dash;
	int n = snprintf(path, sizeof(path), "/sys/module/%s", owner);

	/* A name with dashes has underscores there. */
	while (n > 0 && (dash = strchr(path, '-')))
		*dash = '_';
	return n > 0 && (size_t)n < sizeof(path) && !access(path, F_OK);
}

static void set_owner(struct item *it, const char *owner)
{
	if (it->owner)
		return;
	it->owner = must(strdup(owner));
	it->loaded |= owner_loaded(owner);
}

/* The nodes of drivers, whose numbers are in the aliases of kernel modules */
static struct node {
	char *name;
	unsigned int major;
	unsigned int minor;
} *nodes;
static size_t nnodes;

static void read_nodes(void)
{
	DIR *dir = opendir(NODES);
	struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		if (fstatat(dirfd(dir), entry->d_name, &st, 0) || !S_ISCHR(st.st_mode))
			continue;
		nodes = must(reallocarray(nodes, nnodes + 1, sizeof(*nodes)));
		nodes[nnodes++] = (struct node){ must(strdup(entry->d_name)), major(st.st_rdev),
						 minor(st.st_rdev) };
	}
	if (dir)
		closedir(dir);
}

/* Takes "alias ALIAS OWNER", of a module to push or of a node. */
static void take_alias(const char *alias, const char *owner)
{
	static const char module[] = "strmod-";
	unsigned int maj, min;
	size_t i;
	int end;

	if (!strncmp(alias, module, strlen(module))) {
		alias += strlen(module);
		set_owner(item(alias, strlen(alias), false), owner);
		return;
	}
	if (sscanf(alias, "char-major-%u-%u%n", &maj, &min, &end) != 2 || alias[end])
		return;
	for (i = 0; i < nnodes; i++) {
		if (nodes[i].major == maj && nodes[i].minor == min)
			set_owner(item(nodes[i].name, strlen(nodes[i].name), true), owner);
	}
}

/* Modules that are not installed by depmod(8) have no aliases: they are listed when used. */
static void read_aliases(void)
{
	char path[512], *line = NULL, alias[256], owner[256];
	struct utsname host;
	size_t size = 0;
	FILE *file;

	if (uname(&host))
		err(EXIT_FAILURE, "uname");
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.alias", host.release);
	file = fopen(path, "re");
	while (file && getline(&line, &size, file) >= 0) {
		if (sscanf(line, "alias %255s %255s", alias, owner) == 2)
			take_alias(alias, owner);
	}
	free(line);
	if (file)
		fclose(file);
}

/* Drivers that are loaded have a device "streams!NAME". */
static void read_class(void)
{
	DIR *dir = opendir(CLASS);
	struct dirent *entry;
	const char *name;

	while (dir && (entry = readdir(dir))) {
		name = strchr(entry->d_name, '!');
		if (name)
			item(name + 1, strlen(name + 1), true)->loaded = true;
	}
	if (dir)
		closedir(dir);
}

/* Notes that a stream of a process has the item. */
static void add_user(struct item *it, const struct open_stream *s)
{
	char *user, *users;

	it->loaded = true;
	it->streams++;
	if (asprintf(&user, "%s(%s)", open_stream_get(s, "comm") ?: "?",
		     open_stream_get(s, "pid") ?: "?") < 0)
		err(EXIT_FAILURE, "no memory");
	/* The streams of a process mostly follow each other. */
	if (it->last && !strcmp(it->last, user)) {
		free(user);
		return;
	}
	if (asprintf(&users, "%s%s%s", it->users ?: "", it->users ? " " : "", user) < 0)
		err(EXIT_FAILURE, "no memory");
	free(it->users);
	free(it->last);
	it->users = users;
	it->last = user;
}

static void read_users(void)
{
	struct open_streams open = { };
	size_t i;

	proc_read_open(&open);
	for (i = 0; i < open.n; i++) {
		const char *kind = open_stream_get(&open.list[i], "kind");
		const char *m = open_stream_get(&open.list[i], "modules");

		while (m && *m && strcmp(m, "-")) {
			size_t len = strcspn(m, ",");
			bool last = !m[len];

			add_user(item(m, strcspn(m, ":,"), last && kind &&
				      !strcmp(kind, "device")), &open.list[i]);
			m += len + !last;
		}
	}
	proc_free_open(&open);
}

static int by_name(const void *a, const void *b)
{
	const struct item *left = a, *right = b;

	return left->driver - right->driver ?: strcmp(left->name, right->name);
}

static void print_item(const struct item *it)
{
	printf("%-7s %-12s %-14s %-8s %7zu ", it->driver ? "driver" : "module", it->name,
	       it->owner ?: "-", it->loaded ? "loaded" : "loadable", it->streams);
	text_print(it->users ?: "-", false, stdout);
	putchar('\n');
}

/* Marks the items that are asked for by name. Returns how many names none has. */
static int ask(char **names)
{
	bool all = !*names;
	int missing = 0;
	size_t i;

	for (i = 0; i < nitems; i++)
		items[i].asked = all;
	for (; *names; names++) {
		bool found = false;

		for (i = 0; i < nitems; i++) {
			if (strcmp(items[i].name, *names))
				continue;
			items[i].asked = true;
			found = true;
		}
		if (!found)
			warnx("there is no module or driver '%s'", *names);
		missing += !found;
	}
	return missing;
}

/* The items to list */
struct options {
	bool modules;
	bool drivers;
	bool loaded;
};

static struct options parse_options(int argc, char **argv)
{
	struct options opts = { };
	int c;

	options_begin(argv);
	while ((c = getopt_long(argc, argv, "mdlhV", long_options, NULL)) != -1) {
		switch (c) {
		case 'm':
			opts.modules = true;
			break;
		case 'd':
			opts.drivers = true;
			break;
		case 'l':
			opts.loaded = true;
			break;
		case 'h':
			fputs(help, stdout);
			exit(EXIT_SUCCESS);
		case 'V':
			options_version();
			exit(EXIT_SUCCESS);
		default:
			fputs("Try 'strinfo --help'.\n", stderr);
			exit(EXIT_MISUSE);
		}
	}
	if (!opts.modules && !opts.drivers)
		opts = (struct options){ true, true, opts.loaded };
	return opts;
}

int main(int argc, char **argv)
{
	struct options opts = parse_options(argc, argv);
	int missing;
	size_t i;

	read_nodes();
	read_aliases();
	read_class();
	read_users();
	missing = ask(argv + optind);
	qsort(items, nitems, sizeof(*items), by_name);
	printf("%-7s %-12s %-14s %-8s %7s %s\n", "TYPE", "NAME", "KERNEL MODULE", "STATE",
	       "STREAMS", "USED BY");
	for (i = 0; i < nitems; i++) {
		if (items[i].asked && (items[i].driver ? opts.drivers : opts.modules) &&
		    (items[i].loaded || !opts.loaded))
			print_item(&items[i]);
	}
	if (fflush(stdout) || ferror(stdout))
		err(EXIT_FAILURE, "standard output");
	return missing ? EXIT_FAILURE : EXIT_SUCCESS;
}
