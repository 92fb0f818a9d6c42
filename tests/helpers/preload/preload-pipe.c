// SPDX-License-Identifier: GPL-2.0-only
/*
 * preload-pipe.c - makes pipes and prints their visible properties
 *
 * The output is the same natively and under strsock.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern int __pipe(int fds[2]);

static void result(const char *what, int ret)
{
	printf("%s: %s\n", what, ret < 0 ? strerrorname_np(errno) : "ok");
}

static void show(const char *what, const int fds[2])
{
	struct stat st;
	int i;

	for (i = 0; i < 2; i++) {
		fstat(fds[i], &st);
		printf("%s: fd %d %s F_GETFL %#o F_GETFD %d\n", what, fds[i],
		       S_ISFIFO(st.st_mode) ? "fifo" : "other",
		       fcntl(fds[i], F_GETFL), fcntl(fds[i], F_GETFD));
	}
}

static void numbers(void)
{
	int a[2], b[2], c[2];

	pipe(a);
	pipe(b);
	close(a[0]);
	close(b[1]);
	pipe(c);
	printf("%d %d, %d %d, %d %d\n", a[0], a[1], b[0], b[1], c[0], c[1]);
}

static void flags(void)
{
	static const int flags[] = {
		0, O_CLOEXEC, O_NONBLOCK, O_DIRECT, O_CLOEXEC | O_NONBLOCK,
		O_CLOEXEC | O_NONBLOCK | O_DIRECT, O_APPEND, O_RDWR, -1,
	};
	char name[32];
	size_t i;
	int fds[2];

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		snprintf(name, sizeof(name), "pipe2 %#o", flags[i]);
		fds[0] = -7;
		fds[1] = -7;
		result(name, pipe2(fds, flags[i]));
		if (fds[0] != -7) {
			show(name, fds);
			close(fds[0]);
			close(fds[1]);
		}
	}
	pipe(fds);
	show("pipe", fds);
	__pipe(fds);
	show("__pipe", fds);
}

static void addresses(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int *none = NULL;	/* the compiler shall not see it */
	int fds[2];

	munmap(map + page, page);
	asm("" : "+r" (none));
	result("null", pipe(none));
	result("kernel", pipe((int *)-4096L));
	result("second int outside", pipe((int *)(map + page - sizeof(int))));
	result("inside", pipe((int *)(map + page - 2 * sizeof(int))));
	mprotect(map, page, PROT_READ);
	result("read-only", pipe((int *)map));
	/* The failures leave no descriptor open. */
	pipe(fds);
	printf("next: %d %d\n", fds[0], fds[1]);
}

static void limits(void)
{
	struct rlimit limit = { 5, 5 };
	int fds[2];

	setrlimit(RLIMIT_NOFILE, &limit);
	result("2 free", pipe(fds));
	close(fds[1]);
	fds[0] = -7;
	fds[1] = -7;
	result("1 free", pipe(fds));
	printf("untouched: %d %d\n", fds[0], fds[1]);
	dup(0);
	result("none free", pipe(fds));
	result("none free, bad flags", pipe2(fds, O_APPEND));
}

static void keeps_errno(void)
{
	int fds[2];

	errno = EXDEV;
	pipe(fds);
	printf("%s\n", strerrorname_np(errno));
}

static void forked(void)
{
	int fds[2], i;
	pid_t pid = fork();

	/* The process waits for its child, for the order of the lines. */
	if (pid)
		waitpid(pid, NULL, 0);
	for (i = 0; i < 3; i++) {
		fds[0] = -7;
		fds[1] = -7;
		result(pid ? "parent" : "child", pipe(fds));
		show(pid ? "parent" : "child", fds);
	}
	fflush(stdout);
	if (!pid)
		_exit(0);
}

/* Prints the library that serves this program's calls, under the preload. */
static void symbols(void)
{
	static const char *const names[] = {
		"socket", "pipe", "__pipe", "pipe2", "popen", "pclose", "fcntl",
		"fcntl64", "splice", "tee", "vmsplice",
	};
	Dl_info info;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (dladdr(dlsym(RTLD_DEFAULT, names[i]), &info))
			printf("%s %s\n", names[i], strrchr(info.dli_fname, '/') + 1);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "numbers", numbers },
	{ "flags", flags },
	{ "addresses", addresses },
	{ "limits", limits },
	{ "keeps-errno", keeps_errno },
	{ "forked", forked },
	{ "symbols", symbols },
};

int main(int argc, char **argv)
{
	size_t i;

	/* Descriptors that the caller left open would shift the numbers. */
	close_range(3, ~0U, 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc >= 2 && !strcmp(argv[1], cases[i].name)) {
			cases[i].run();
			return 0;
		}
	}
	fprintf(stderr, "usage: preload-pipe CASE\n");
	return 2;
}
