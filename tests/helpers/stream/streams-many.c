// SPDX-License-Identifier: GPL-2.0-only
/* streams-many.c - many pipes at once, and one after another */
#include <sys/resource.h>

#include "proc.h"
#include "streams-test.h"

#define PIPES	1000

/* All pipes are open, each with different data in it. */
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

/* Returns the kB of free pages, those on the CPUs' own lists too. */
static long free_pages(void)
{
	FILE *file = fopen("/proc/zoneinfo", "r");
	long kb = memory_free() / 1024, count;
	char line[128];

	TRUE(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, " count: %ld", &count) == 1)
			kb += count * (sysconf(_SC_PAGESIZE) / 1024);
	fclose(file);
	return kb;
}

static int many_fds[400][2];

static void many_fifos(void)
{
	struct rlimit files = { 1064, 1064 };
	unsigned int i;

	TRUE(setrlimit(RLIMIT_NOFILE, &files) == 0);
	for (i = 0; i < 400; i++)
		IS(test_fifo(many_fds[i], 0), 0);
}

/* Writes len bytes and reads them back. */
static void pass(const int fds[2], size_t len)
{
	static char data[65536];

	IS(write(fds[1], data, len), len);
	IS(read(fds[0], data, len), len);
}

/*
 * A pipe keeps pages while it needs them, not when it is idle or used for
 * little: 400 pipes that were full take 25 MB and give nearly all of it back.
 */
static void idle(void)
{
	long before, full, after;
	unsigned int i, n;

	many_fifos();
	before = free_pages();
	for (i = 0; i < 400; i++)
		pass(many_fds[i], 65536);
	full = free_pages();
	for (n = 0; n < WAIT_SECONDS; n++) {
		after = free_pages();
		if (after - full > 20000)
			break;
		for (i = 0; i < 400; i += 2)
			pass(many_fds[i], 1);
		sleep(1);
	}
	printf("free: %ld kB, used %ld kB, idle %ld kB\n", before, full, after);
	TRUE(before - full > 20000);
	TRUE(after - full > 20000);
}

/* Data that passes two pages at a time uses two pages, not all of the ring. */
static void few_pages(void)
{
	long before, after;
	unsigned int i, n;

	many_fifos();
	before = free_pages();
	for (i = 0; i < 400; i++)
		for (n = 0; n < 20; n++)
			pass(many_fds[i], 8192);
	after = free_pages();
	printf("free: %ld kB, used %ld kB\n", before, after);
	TRUE(before - after < 400 * 4 * 4);
}

/* Pipes are opened and closed, with a module, with unread data, and without. */
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

/* Returns the kB of kernel memory that cannot be reclaimed. */
static long unreclaimable(void)
{
	return number_in("/proc/meminfo", "SUnreclaim: %ld");
}

static void no_growth(void)
{
	unsigned long count = test_scaled(100000);
	long before, after;

	in_turn(count / 10);
	before = unreclaimable();
	in_turn(count);
	/*
	 * The bound is small: if every other pipe lost even the smallest
	 * object, more memory would be missing. Memory is freed when grace
	 * periods have passed.
	 */
	UNTIL((after = unreclaimable()) - before < 1024);
	printf("%lu pipes: slab %ld kB before, %ld kB after\n", count, before, after);
}

static const struct test_case cases[] = {
	{ "at-once", at_once },
	{ "idle", idle },
	{ "few-pages", few_pages },
	{ "no-growth", no_growth },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
