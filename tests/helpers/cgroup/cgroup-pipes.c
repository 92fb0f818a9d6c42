// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup-pipes.c - a statically linked program that makes pipes
 *
 * No preload reaches it. Usage: cgroup-pipes WHAT, which is the name of a function below. It
 * prints nothing, and exits with 0, where all is as the kernel's own pipes have it.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#define ROUNDS	300

/* Returns how many descriptors are open. */
static int count_open(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void check(bool ok, const char *what)
{
	if (!ok)
		errx(1, "%s", what);
}

static void exchange(const int fds[2])
{
	char got[6];

	check(write(fds[1], "hello", 6) == 6, "write");
	check(read(fds[0], got, 6) == 6 && !strcmp(got, "hello"), "read");
}

static void close_both(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static int has_flags(int fd, int status, int descriptor)
{
	return (fcntl(fd, F_GETFL) & (O_NONBLOCK | O_DIRECT)) == status &&
	       fcntl(fd, F_GETFD) == descriptor;
}

/* The flags and numbers of both ends */
static void flags(void)
{
	static const int flags[] = { 0, O_CLOEXEC, O_NONBLOCK, O_CLOEXEC | O_NONBLOCK };
	unsigned int i;
	int fds[2];

	check(!pipe(fds) && fds[0] == 3 && fds[1] == 4, "pipe");
	exchange(fds);
	close_both(fds);
	for (i = 0; i < 4; i++) {
		int cloexec = flags[i] & O_CLOEXEC ? FD_CLOEXEC : 0;

		check(!pipe2(fds, flags[i]) && fds[0] == 3 && fds[1] == 4, "pipe2");
		check(has_flags(fds[0], flags[i] & O_NONBLOCK, cloexec), "flags of fds[0]");
		check(has_flags(fds[1], flags[i] & O_NONBLOCK, cloexec), "flags of fds[1]");
		check((fcntl(fds[0], F_GETFL) & O_ACCMODE) == O_RDONLY, "reads");
		check((fcntl(fds[1], F_GETFL) & O_ACCMODE) == O_WRONLY, "writes");
		exchange(fds);
		close_both(fds);
	}
	check(!pipe2(fds, O_DIRECT), "O_DIRECT");
	check(has_flags(fds[1], O_DIRECT, 0), "flags of packets");
	check(pipe2(fds, 0x10) == -1 && errno == EINVAL, "flags that are unknown");
}

static void fails_with_efault(const char *what, void *address)
{
	check(syscall(SYS_pipe2, address, 0) == -1 && errno == EFAULT, what);
	check(count_open() == 3, "descriptors remain");
}

/* Addresses at which nothing can be written */
static void addresses(void)
{
	char *page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	int *last = (int *)(page + 4096) - 1;

	check(page != MAP_FAILED, "mmap");
	check(!mprotect(page + 4096, 4096, PROT_READ), "mprotect");
	check(!munmap(page + 8192, 4096), "munmap");
	fails_with_efault("NULL", NULL);
	fails_with_efault("no address", (void *)-1);
	fails_with_efault("memory that is not there", page + 8192);
	fails_with_efault("memory that is only read", page + 4096);
	fails_with_efault("a constant", (void *)"a constant");
	fails_with_efault("half at an end", last);
}

/* A limit that leaves room for none, one or two descriptors */
static void limits(void)
{
	struct rlimit limit = { 3, 64 };
	int fds[2] = { -1, -1 };

	for (limit.rlim_cur = 3; limit.rlim_cur < 5; limit.rlim_cur++) {
		check(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
		check(pipe(fds) == -1 && errno == EMFILE, "no room");
		check(count_open() == 3, "descriptors remain");
		check(fds[0] == -1 && fds[1] == -1, "numbers were written");
	}
	limit.rlim_cur = 5;
	check(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
	check(!pipe(fds) && fds[0] == 3 && fds[1] == 4, "room for two");
	close_both(fds);
	/* A hole, and the highest number in use */
	limit.rlim_cur = 6;
	check(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
	check(dup2(0, 5) == 5 && !pipe(fds) && fds[0] == 3 && fds[1] == 4, "a hole for two");
	exchange(fds);
}

static void *make_many(void *unused)
{
	int fds[2], i;

	for (i = 0; i < ROUNDS; i++) {
		check(!pipe2(fds, O_CLOEXEC), "pipe2");
		exchange(fds);
		close_both(fds);
	}
	return NULL;
}

/* Many threads at the same time */
static void threads(void)
{
	pthread_t thread[8];
	int i;

	for (i = 0; i < 8; i++)
		check(!pthread_create(&thread[i], NULL, make_many, NULL), "pthread_create");
	for (i = 0; i < 8; i++)
		pthread_join(thread[i], NULL);
	check(count_open() == 3, "descriptors remain");
}

static volatile sig_atomic_t arrived;

static void count_signal(int number)
{
	arrived++;
}

/* Signals with a handler, one after the other */
static void signals(void)
{
	struct sigaction action = { .sa_handler = count_signal, .sa_flags = SA_RESTART };
	struct itimerval often = { { 0, 500 }, { 0, 500 } };
	struct itimerval never = { };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (arrived < 200)
		make_many(NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	check(count_open() == 3, "descriptors remain");
}

/* Processes that are killed somewhere in the call */
static void killed(void)
{
	int i, fds[2];
	pid_t pid;

	for (i = 0; i < ROUNDS / 3; i++) {
		pid = fork();
		if (!pid)
			for (;;)
				if (!pipe(fds))
					close_both(fds);
		usleep(i * 60 % 3000);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	make_many(NULL);
}

/* A process that is stopped in the call, or before it: others are answered. */
static void stopped(void)
{
	int i, fds[2];
	pid_t pid[4];

	for (i = 0; i < 4; i++) {
		pid[i] = fork();
		if (!pid[i])
			for (;;)
				if (!pipe(fds))
					close_both(fds);
		usleep(3000);
		kill(pid[i], SIGSTOP);
	}
	make_many(NULL);
	for (i = 0; i < 4; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
}

/* A filter of the program's own, beside that of the launcher */
static void filtered(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };

	check(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS");
	check(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "PR_SET_SECCOMP");
	check(syscall(SYS_getppid) == -1 && errno == EXDEV, "the filter");
	make_many(NULL);
}

/* One thread, without more */
static void many(void)
{
	make_many(NULL);
}

/* Waits for a byte before each pipe, and says which error there was. */
static void waits(void)
{
	int fds[2];
	char c;

	while (read(0, &c, 1) == 1) {
		if (pipe(fds))
			printf("%s\n", strerror(errno));
		else
			printf("ok\n");
		fflush(stdout);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "flags", flags }, { "addresses", addresses }, { "limits", limits },
	{ "threads", threads }, { "filtered", filtered },
	{ "signals", signals }, { "killed", killed },
	{ "stopped", stopped }, { "many", many }, { "waits", waits },
};

int main(int argc, char **argv)
{
	unsigned int i;

	closefrom(3);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (argc > 1 && !strcmp(argv[1], parts[i].name)) {
			parts[i].run();
			return 0;
		}
	errx(2, "no such part");
}
