// SPDX-License-Identifier: GPL-2.0-only
/*
 * streams-splice-stacked.c - splice() from a pipe to a file of a file system on top of
 * another, while that file cannot be written, and then refuses the bytes
 *
 * A write of a page that is missing holds the file's lock until the page is brought.
 */
#include "missing.h"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define PAGE	4096
/*
 * The size that a file may have, and the offset at which each splice() would
 * write
 */
#define MOST	8192

static char data[PAGE * 2], got[PAGE * 2];
static int fds[2], file;
static struct missing missing;
static pthread_t holder;

static void *hold(void *arg)
{
	IS(pwrite(file, missing.page, PAGE, 0), PAGE);
	return arg;
}

/* The file is locked from now on. */
static void lock_file(void)
{
	missing = missing_page();
	IS(pthread_create(&holder, NULL, hold, NULL), 0);
	missing_await(&missing);
}

static void unlock_file(void)
{
	missing_bring(&missing);
	IS(pthread_join(holder, NULL), 0);
}

static void begin(int flags)
{
	struct rlimit most = { .rlim_cur = MOST, .rlim_max = RLIM_INFINITY };
	const char *dir = getenv("BATS_TEST_TMPDIR") ?: "/tmp";

	memset(data, 'd', sizeof(data));
	IS(unshare(CLONE_NEWNS), 0);
	IS(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	IS(mount("tmpfs", dir, "tmpfs", 0, NULL), 0);
	IS(chdir(dir), 0);
	IS(mkdir("low", 0700) | mkdir("up", 0700) | mkdir("work", 0700) | mkdir("all", 0700), 0);
	IS(mount("overlay", "all", "overlay", 0, "lowerdir=low,upperdir=up,workdir=work"), 0);
	file = open("all/file", O_RDWR | O_CREAT, 0600);
	TRUE(file >= 0);
	signal(SIGXFSZ, SIG_IGN);
	IS(setrlimit(RLIMIT_FSIZE, &most), 0);
	IS(test_fifo(fds, flags), 0);
	lock_file();
}

static void *refused(void *arg)
{
	uint64_t at = MOST;
	struct strio_splice splice = {
		.in = fds[0], .out = file, .off_out = (uintptr_t)&at, .len = sizeof(data),
	};

	FAILS(ioctl(fds[0], STRIO_SPLICE, &splice), EFBIG);
	return arg;
}

static void *reads_all(void *arg)
{
	IS(read(fds[0], got, sizeof(got)), 4000);
	return arg;
}

static bool waits_or_ended(pid_t tid)
{
	char state = task_state(getpid(), tid);

	return state == 'D' || !state;
}

/* A reader does not find the end while the file has the last bytes. */
static void end(void)
{
	pthread_t splicer, reader;
	pid_t tid;

	begin(0);
	IS(write(fds[1], data, 4000), 4000);
	close(fds[1]);
	splicer = thread_begin(refused, NULL, &tid);
	UNTIL(waits_or_ended(tid));
	reader = thread_begin(reads_all, NULL, &tid);
	UNTIL(waits_or_ended(tid));
	unlock_file();
	IS(pthread_join(splicer, NULL), 0);
	IS(pthread_join(reader, NULL), 0);
	IS(read(fds[0], got, sizeof(got)), 0);
}

/* Packets that two tasks could not write are still in their order. */
static void order(void)
{
	pthread_t first, second;
	pid_t tid;

	begin(O_DIRECT | O_NONBLOCK);
	IS(write(fds[1], data, 100), 100);
	IS(write(fds[1], data, 200), 200);
	first = thread_begin(refused, NULL, &tid);
	UNTIL(waits_or_ended(tid));
	second = thread_begin(refused, NULL, &tid);
	UNTIL(waits_or_ended(tid));
	unlock_file();
	IS(pthread_join(first, NULL), 0);
	IS(pthread_join(second, NULL), 0);
	IS(read(fds[0], got, sizeof(got)), 100);
	IS(read(fds[0], got, sizeof(got)), 200);
}

/*
 * Bytes that are flushed while the file has them do not return; later ones
 * stay.
 */
static void flush(void)
{
	pthread_t splicer;
	int bytes;
	pid_t tid;

	begin(O_DIRECT | O_NONBLOCK);
	IS(write(fds[1], data, 100), 100);
	splicer = thread_begin(refused, NULL, &tid);
	UNTIL(waits_or_ended(tid));
	IS(ioctl(fds[0], FIONREAD, &bytes), 0);
	IS(bytes, 100);
	IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	IS(write(fds[1], data, 200), 200);
	unlock_file();
	IS(pthread_join(splicer, NULL), 0);
	IS(read(fds[0], got, sizeof(got)), 200);
	FAILS(read(fds[0], got, sizeof(got)), EAGAIN);
}

/* Other tasks write while the file has bytes, and a reader can be killed. */
static void killed(void)
{
	pthread_t splicer;
	pid_t tid, reader;
	int status;

	begin(0);
	IS(write(fds[1], data, 4000), 4000);
	splicer = thread_begin(refused, NULL, &tid);
	UNTIL(waits_or_ended(tid));
	IS(write(fds[1], data, 100), 100);
	reader = fork();
	if (!reader)
		_exit(read(fds[0], got, sizeof(got)) < 0);
	UNTIL(task_state(reader, reader) == 'D' || process_ended(reader));
	IS(kill(reader, SIGKILL), 0);
	IS(waitpid(reader, &status, 0), reader);
	TRUE(WIFSIGNALED(status));
	unlock_file();
	IS(pthread_join(splicer, NULL), 0);
	IS(read(fds[0], got, sizeof(got)), 4100);
}

static const struct test_case cases[] = {
	{ "end", end },
	{ "order", order },
	{ "flush", flush },
	{ "killed", killed },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
