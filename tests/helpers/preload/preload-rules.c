// SPDX-License-Identifier: GPL-2.0-only
/*
 * preload-rules.c - shows the rules of a file for a program
 *
 * "preload-rules FILE INVOKED EXE"; "-" for a name not known. Prints complaints
 * about bad lines too.
 */
#include <stdio.h>
#include <string.h>

#include "bad-line.h"
#include "rules.h"

static char *name(char *arg)
{
	return strcmp(arg, "-") ? arg : NULL;
}

static const char *exe(void *arg)
{
	return arg;
}

int main(int argc, char **argv)
{
	static const char *const words[] = { "unsaid", "streams", "native", "duplex" };
	enum rules_provider verdict[RULES_KINDS] = { RULES_UNSAID };
	struct rules_program program;
	int bad;

	if (argc != 4) {
		fprintf(stderr, "usage: preload-rules FILE INVOKED EXE\n");
		return 2;
	}
	program.invoked = name(argv[2]);
	program.exe = exe;
	program.arg = name(argv[3]);
	bad = rules_read(argv[1], &program, verdict, bad_line, NULL);
	if (bad < 0) {
		printf("%s\n", strerrorname_np(-bad));
		return 1;
	}
	printf("pipe %s, udp %s, udp6 %s", words[verdict[RULES_PIPE]],
	       words[verdict[RULES_UDP]], words[verdict[RULES_UDP6]]);
	if (verdict[RULES_TCP] != RULES_UNSAID)
		printf(", tcp %s", words[verdict[RULES_TCP]]);
	if (verdict[RULES_TCP6])
		printf(", tcp6 %s", words[verdict[RULES_TCP6]]);
	putchar('\n');
	return bad != 0;
}
