// SPDX-License-Identifier: GPL-2.0-only
/*
 * sock2path.c - shows a table's result for sockets
 *
 * "sock2path FILE [FAMILY TYPE PROTOCOL]...", numbers. Prints complaints about
 * bad lines, then a word for each socket.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../libsocket/sock2path.h"
#include "bad-line.h"

int main(int argc, char **argv)
{
	static const char *const words[] = {
		[INET_NONE] = "kernel",
		[INET_UDP] = "udp",
		[INET_UDP6] = "udp6",
		[INET_TCP] = "tcp",
		[INET_TCP6] = "tcp6",
	};
	int bad, i;

	if (argc < 2 || (argc - 2) % 3) {
		fprintf(stderr, "usage: sock2path FILE [FAMILY TYPE PROTOCOL]...\n");
		return 2;
	}
	bad = sock2path_read(argv[1], bad_line, NULL);
	if (bad < 0)
		printf("%s\n", strerrorname_np(-bad));
	for (i = 2; i < argc; i += 3)
		printf("%s%s", i == 2 ? "" : " ",
		       words[sock2path_find(atoi(argv[i]), atoi(argv[i + 1]),
					    atoi(argv[i + 2]))]);
	putchar('\n');
	return bad != 0;
}
