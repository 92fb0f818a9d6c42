// SPDX-License-Identifier: GPL-2.0-only
/*
 * stall.c - no work and no task waits for a task that is delayed between two steps
 *
 * strstall.ko delays the task. Run as root.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tpi-loop.h"
#include "waits.h"

#define STALL		"/sys/module/strstall/parameters/stall"
#define CALLS		"/sys/module/strstall/parameters/count"

static void write_line(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	TRUE(fd >= 0);
	IS(write(fd, line, strlen(line)), strlen(line));
	close(fd);
}

static long number(const char *path)
{
	FILE *f = fopen(path, "re");
	long n;

	TRUE(f);
	IS(fscanf(f, "%ld", &n), 1);
	fclose(f);
	return n;
}

static bool is_delayed(void)
{
	return number(STALL) == 1;
}

/* Has the task's next call of a function delayed; ms as strstall.c has it. */
static void delay(const char *function, pid_t task, int ms)
{
	char line[128];

	snprintf(line, sizeof(line), "%s %d %d", function, task, ms);
	write_line(STALL, line);
}

static void delay_end(void)
{
	write_line(STALL, "\n");
}

/* Writes data that is held and, at once, data that sends it and is delayed there. */
static void write_held(int fd)
{
	static const char longer[200];

	delay("streams:putnext", getpid(), 0);
	IS(write(fd, "held", 4), 4);
	IS(write(fd, longer, sizeof(longer)), sizeof(longer));
}

/* Returns whether the work item has run several times while the writer was delayed. */
static bool is_tried_again(int fd)
{
	int status, tries = 0;
	bool again;
	pid_t pid;

	write_line(CALLS, "streams:hold_over");
	pid = fork();
	if (!pid) {
		write_held(fd);
		_exit(0);
	}
	TRUE(pid > 0);
	UNTIL(is_delayed());
	while (!(again = number(CALLS) >= 3) && tries++ < 100)
		usleep(10000);
	delay_end();
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	return again;
}

/*
 * The work item that sends held data finds the writer in its way. It must not wait there:
 * others need the worker. If the time is over before the second write, the item has
 * ended, and the writes are made again.
 */
static void run_hold(void)
{
	int fd = endpoint("/dev/streams/strprobe"), tries = 10;
	bool again;

	IS(ioctl(fd, I_SWROPT, SNDHOLD), 0);
	do
		again = is_tried_again(fd);
	while (!again && --tries);
	TRUE(again);
	write_line(CALLS, "\n");
	close(fd);
}

static void run_on_first_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	IS(sched_setaffinity(0, sizeof(set), &set), 0);
}

/* The state that the tasks of a test share. */
struct shared {
	bool close;		/* the idle task may close its end */
	bool busy;		/* the busy task may begin */
};

/* Forks a task that keeps the processor once it may begin. */
static pid_t busy_task(const struct shared *shared)
{
	pid_t pid = fork();

	TRUE(pid >= 0);
	if (pid)
		return pid;
	while (!__atomic_load_n(&shared->busy, __ATOMIC_ACQUIRE))
		usleep(1000);
	for (;;)
		;
}

/* Forks a task that runs when no other wants to, and is delayed in its close of one end. */
static pid_t idle_task(const struct shared *shared, const int fds[2])
{
	const struct sched_param none = {};
	pid_t pid = fork();

	TRUE(pid >= 0);
	if (pid)
		return pid;
	close(fds[1]);
	while (!__atomic_load_n(&shared->close, __ATOMIC_ACQUIRE))
		usleep(1000);
	IS(sched_setscheduler(0, SCHED_IDLE, &none), 0);
	delay("streams:put", getpid(), 300);
	close(fds[0]);
	_exit(0);
}

/* The close of one end of a connection does not wait until the other end's task may run. */
static void run_close(void)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fds[2], status;
	pid_t idle, busy;
	time_t begun;

	TRUE(shared != MAP_FAILED);
	run_on_first_processor();
	busy = busy_task(shared);
	connected(TICOTS, fds);
	idle = idle_task(shared, fds);
	close(fds[0]);
	__atomic_store_n(&shared->close, true, __ATOMIC_RELEASE);
	UNTIL(is_delayed() || waitpid(idle, &status, WNOHANG) == idle);
	__atomic_store_n(&shared->busy, true, __ATOMIC_RELEASE);
	/* The busy task begins. */
	usleep(10000);
	begun = waits_now();
	close(fds[1]);
	printf("the close took %ld s\n", (long)(waits_now() - begun));
	TRUE(waits_now() - begun < 5);
	kill(busy, SIGKILL);
	IS(waitpid(busy, &status, 0), busy);
	waitpid(idle, &status, 0);
	delay_end();
}

static const struct test_case cases[] = {
	{ "hold", run_hold },
	{ "close", run_close },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
