// SPDX-License-Identifier: GPL-2.0-only
/*
 * pipe-timer.c - a writer that is woken by its pipe's timer
 *
 * A reader that makes a little room leaves a waiting writer asleep, and starts a timer that
 * wakes the writer in any case.
 */
#include "streams-test.h"

#include <sys/wait.h>

static char bytes[65536 + 4096];

static void run_timer(void)
{
	int fds[2], status;
	pid_t writer;

	IS(test_fifo(fds, 0), 0);
	writer = fork();
	if (!writer)
		_exit(write(fds[1], bytes, sizeof(bytes)) != sizeof(bytes));
	UNTIL(process_sleeps(writer));
	IS(read(fds[0], bytes, 4096), 4096);
	IS(waitpid(writer, &status, 0), writer);
	IS(status, 0);
	close(fds[0]);
	close(fds[1]);
}

static const struct test_case cases[] = {
	{ "timer", run_timer },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
