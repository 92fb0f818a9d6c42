// SPDX-License-Identifier: GPL-2.0-only
/* streams-many.c - many pipes at once, and one after another */
#include <sys/resource.h>

#include "streams-test.h"

#define PIPES	1000

/* All open, each with something of its own in it. */
static void at_once(void)
{
	struct rlimit files = { 2 * PIPES + 64, 2 * PIPES + 64 };
	static int fds[PIPES][2];
	int i, number;

	TRUE(setrlimit(RLIMIT_NOFILE, &files) == 0);
	for (i = 0; i < PIPES; i++) {
		IS(i & 1 ? strpipe(fds[i]) : test_fifo(fds[i], 0), 0);
		IS(write(fds[i][1], &i, sizeof(i)), sizeof(i));
	}
	for (i = 0; i < PIPES; i++) {
		IS(read(fds[i][0], &number, sizeof(number)), sizeof(number));
		IS(number, i);
	}
	for (i = 0; i < PIPES; i++) {
		close(fds[i][0]);
		close(fds[i][1]);
	}
}

/* Open and closed, with a module, with what nobody reads, and without. */
static void in_turn(unsigned long count)
{
	unsigned long i;
	int fds[2];

	for (i = 0; i < count; i++) {
		IS(i & 1 ? strpipe(fds) : test_fifo(fds, 0), 0);
		if (i % 4 == 2)
			IS(ioctl(fds[0], I_PUSH, "nullmod"), 0);
		if (i % 3 == 1)
			IS(write(fds[1], "unread", 6), 6);
		close(fds[i % 5 & 1]);
		close(fds[!(i % 5 & 1)]);
	}
}

/* kB of kernel memory that cannot be taken back. */
static long unreclaimable(void)
{
	FILE *file;
	char line[128];
	long kb = -1;

	/* Let grace periods pass. */
	sleep(2);
	file = fopen("/proc/meminfo", "r");
	TRUE(file);
	while (fgets(line, sizeof(line), file))
		sscanf(line, "SUnreclaim: %ld", &kb);
	fclose(file);
	return kb;
}

static void no_growth(void)
{
	unsigned long count = test_scaled(100000);
	long before, after;

	in_turn(count / 10);
	before = unreclaimable();
	in_turn(count);
	after = unreclaimable();
	printf("%lu pipes: slab %ld kB before, %ld kB after\n", count, before, after);
	/* The smallest object there is, lost with every other pipe, is more. */
	TRUE(after - before < 1024);
}

static const struct test_case cases[] = {
	{ "at-once", at_once },
	{ "no-growth", no_growth },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
