// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configuration files: the preload's rules, and libsocket's table of sockets
 *
 * The first byte says which, the rest is the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "inet.h"
#include "input.h"
#include "rules.h"
#include "sock2path.h"

static char path[32];
static int file;

static void die(const char *why)
{
	fprintf(stderr, "fuzz: %s\n", why);
	abort();
}

/* All that is reported can be read, and is of the file's lines. */
static void report(void *arg, unsigned int line, const char *reason,
		   const char *word, size_t len)
{
	unsigned int *last = arg;
	size_t i;

	if (!reason || !*reason)
		die("a fault without a reason");
	if (line <= *last)
		die("a line is reported twice");
	*last = line;
	for (i = 0; word && i < len; i++)
		if (!word[i] || word[i] == '\n')
			die("a word that is not of one line");
}

static int read_rules(const struct rules_program *program,
		      struct rules_verdict verdict[RULES_KINDS])
{
	unsigned int last = 0;

	++*fuzz_calls;
	return rules_read(path, program, verdict, report, &last);
}

/* The modules of a verdict are as many as a list may have, each with a name. */
static void modules(const char *list)
{
	struct pushlist_entry entry;
	unsigned int n = 0;

	while (pushlist_next(&list, &entry))
		if (!*entry.name || ++n > PUSHLIST_MOST)
			die("a list of modules that is not one");
}

static const char *exe(void *path)
{
	return path;
}

static void rules(void)
{
	static const struct rules_program programs[] = {
		{ "cat", exe, "/bin/cat" }, { NULL, exe, "/usr/bin/a" }, { "x", exe, NULL },
		{ NULL, exe, NULL }, { "aaaaaaaaaaaaaaaa", exe, "/a/a/a/a/a/a/a/a/a" },
	};
	struct rules_verdict verdict[RULES_KINDS];
	int bad = read_rules(NULL, verdict);
	size_t i, k;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		memset(verdict, 0, sizeof(verdict));
		if (read_rules(&programs[i], verdict) != bad)
			die("the faults of a file differ with the program");
		for (k = 0; k < RULES_KINDS; k++)
			if (verdict[k].provider > (k == RULES_PIPE ? RULES_DUPLEX : RULES_NATIVE))
				die("a verdict that is not one");
		for (k = 0; k < RULES_KINDS; k++)
			modules(verdict[k].push);
	}
}

static void sockets(void)
{
	static const int families[] = { AF_INET, AF_INET6, AF_UNIX, 0, -1 };
	unsigned int last = 0;
	int type, protocol;
	size_t i;

	sock2path_read(path, report, &last);
	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (type = -1; type < 6; type++)
			for (protocol = -1; protocol < 20; protocol++)
				if (sock2path_find(families[i], type, protocol) >=
				    INET_KINDS)
					die("a kind that is not one");
	++*fuzz_calls;
}

void fuzz_one(struct input *in)
{
	unsigned int which = input_byte(in);
	ssize_t n;

	n = pwrite(file, in->at, in->left, 0);
	if (n < 0 || (size_t)n != in->left || ftruncate(file, n))
		abort();
	/* It is read from its beginning each time: each open is a new one. */
	if (which & 1)
		sockets();
	else
		rules();
}

int fuzz_start(void)
{
	file = memfd_create("conf", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return file < 0;
}
