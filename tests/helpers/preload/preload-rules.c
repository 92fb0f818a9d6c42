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
	struct rules_verdict verdict[RULES_KINDS] = { };
	static const char *const kinds[RULES_KINDS] = {
		[RULES_PIPE] = "pipe", [RULES_UDP] = "udp", [RULES_UDP6] = "udp6",
		[RULES_TCP] = "tcp", [RULES_TCP6] = "tcp6",
	};
	struct rules_program program;
	unsigned int k;
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
	for (k = 0; k < RULES_KINDS; k++) {
		if (k >= RULES_TCP && verdict[k].provider == RULES_UNSAID)
			continue;
		printf("%s%s %s", k ? ", " : "", kinds[k], words[verdict[k].provider]);
		if (*verdict[k].push)
			printf(" with %s", verdict[k].push);
	}
	putchar('\n');
	return bad != 0;
}
