// SPDX-License-Identifier: GPL-2.0-only
/* Promises that must hold for any calls, see oracle.h */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "oracle.h"
#include "play.h"

#define HELD_FROM	128	/* the least number of a held descriptor */
#define LEFT_SECONDS	30	/* until what is freed late must be gone */
#define ASLEEP_MS	5000	/* that a killed process may sleep before it ends */
#define PF_EXITING	0x4	/* of the flags in /proc/PID/stat */

static __thread int held_mode = -1;
static int streams_before;

void oracle_broken(const char *format, ...)
{
	bool first = !__atomic_exchange_n(&shared->broken, true, __ATOMIC_SEQ_CST);
	va_list args;

	if (!first)
		return;
	va_start(args, format);
	vsnprintf(shared->promise, sizeof(shared->promise), format, args);
	va_end(args);
}

int oracle_hold(int fd)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, HELD_FROM);
	int flags = own < 0 ? -1 : fcntl(own, F_GETFL);

	held_mode = flags < 0 || flags & O_PATH ? -1 : flags & O_ACCMODE;
	return own < 0 ? fd : own;
}

void oracle_release(int fd)
{
	if (held_mode >= 0)
		close(fd);
	held_mode = -1;
}

bool oracle_holds(void)
{
	return held_mode >= 0;
}

void oracle_read(const char *call, long ret)
{
	if (ret >= 0 && held_mode == O_WRONLY)
		oracle_broken("%s returned %ld on a descriptor opened for writing only",
			      call, ret);
}

void oracle_wrote(const char *call, long ret)
{
	if (ret >= 0 && held_mode == O_RDONLY)
		oracle_broken("%s returned %ld on a descriptor opened for reading only",
			      call, ret);
}

/* Counts the lines of /proc/streams/open, and prints them if print is true. */
static int streams_open(bool print)
{
	FILE *file = fopen("/proc/streams/open", "r");
	char line[1024];
	int n = 0;

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		n++;
		if (print)
			fputs(line, stdout);
	}
	fclose(file);
	return n;
}

void oracle_begin(void)
{
	streams_before = streams_open(false);
}

/* Unmounts the names in the folder of the run, which keep their streams open. */
static void unmount_names(void)
{
	char path[256];
	char name;

	for (name = 'a'; name <= 'd'; name++) {
		snprintf(path, sizeof(path), "%s/%c", play_options.folder, name);
		while (!umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW))
			;
	}
}

bool oracle_left(void)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	time_t end = time(NULL) + LEFT_SECONDS;

	unmount_names();
	while (streams_open(false) > streams_before) {
		if (time(NULL) > end) {
			printf("streams are left after all processes have ended:\n");
			streams_open(true);
			return true;
		}
		nanosleep(&pause, NULL);
	}
	return false;
}

/* Returns the state of a task, and whether the task ends because a signal killed it. */
static char task_state(pid_t pid, const char *task, bool *killed)
{
	char path[300], text[1024], *at, state = '?';
	unsigned long flags = 0, code = 0;
	FILE *file;
	int field;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", pid, task);
	file = fopen(path, "r");
	if (!file)
		return state;
	at = fgets(text, sizeof(text), file) ? strrchr(text, ')') : NULL;
	if (at) {
		/* The state is field 3, the flags are 9, the exit code is 52. */
		state = at[2];
		for (field = 2; at && field < 52; field++) {
			at = strchr(at + 1, ' ');
			if (at && field == 8)
				flags = strtoul(at, NULL, 10);
			if (at && field == 51)
				code = strtoul(at, NULL, 10);
		}
	}
	fclose(file);
	*killed = flags & PF_EXITING && code & 0x7f;
	return state;
}

/* Returns whether all tasks that are left of a killed process sleep. */
static bool ends_asleep(pid_t pid)
{
	bool asleep = false, killed;
	struct dirent *task;
	char path[64], state;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	if (!tasks)
		return false;
	while ((task = readdir(tasks))) {
		if (task->d_name[0] == '.')
			continue;
		state = task_state(pid, task->d_name, &killed);
		if (state == 'Z' || state == 'X' || state == '?')
			continue;
		asleep = killed && (state == 'S' || state == 'D');
		if (!asleep)
			break;
	}
	closedir(tasks);
	return asleep;
}

void oracle_watch_end(struct oracle_end *end, long step_ms)
{
	if (!ends_asleep(end->pid))
		return;
	end->asleep_ms += step_ms;
	if (end->asleep_ms > ASLEEP_MS)
		oracle_broken("a killed process slept %ld ms before it ended",
			      end->asleep_ms);
}
