// SPDX-License-Identifier: GPL-2.0-only
/*
 * preload-popen.c - tests popen() and pclose(), one line for each case
 *
 * The output is the same with the C library's own, and with those of strsock,
 * on STREAMS or (preload-popen-unit) on native pipes.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void status(const char *what, int ret)
{
	if (ret == -1)
		printf("%s: %s\n", what, strerrorname_np(errno));
	else if (WIFSIGNALED(ret))
		printf("%s: signal %d\n", what, WTERMSIG(ret));
	else
		printf("%s: exit %d\n", what, WEXITSTATUS(ret));
}

/* Runs @command and prints its output. */
static void ask(const char *command, const char *mode)
{
	FILE *f = popen(command, mode);
	char line[256];

	if (!f) {
		printf("'%s' %s: %s\n", command, mode, strerrorname_np(errno));
		return;
	}
	printf("'%s' %s: fd %d FD_CLOEXEC %d\n", command, mode, fileno(f),
	       fcntl(fileno(f), F_GETFD));
	while (fgets(line, sizeof(line), f))
		printf("  %s", line);
	status("  status", pclose(f));
}

static void tell(const char *command, const char *mode, const char *text)
{
	FILE *f = popen(command, mode);

	fflush(stdout);
	fputs(text, f);
	status(command, pclose(f));
}

static void modes(void)
{
	static const char *const modes[] = {
		"", "e", "rw", "wr", "x", "r+", "rb", "rr", "re", "er", "ree",
	};
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		ask("echo hello", modes[i]);
}

static void statuses(void)
{
	ask("exit 7", "r");
	ask("kill -9 $$", "r");
	ask("/nonexistent/command 2>/dev/null", "r");
	ask("echo $((6 * 7)); echo two", "r");
	tell("cat", "w", "written\n");
	tell("cat; exit 3", "we", "written\n");
}

/*
 * If the second child had the first stream's writing end, the first command
 * would not see its end of file, and the program would not end.
 */
static void earlier(void)
{
	FILE *a = popen("cat", "w"), *b = popen("cat", "w"), *c;

	fflush(stdout);
	fputs("to the first\n", a);
	status("first", pclose(a));
	fputs("to the second\n", b);
	status("second", pclose(b));

	a = popen("cat", "w");
	b = popen("cat", "we");
	ask("cd /proc/$$/fd && echo *", "r");
	/*
	 * pclose() is called in any order, and for a stream whose address is
	 * used again.
	 */
	c = popen("cat", "w");
	status("b", pclose(b));
	status("c", pclose(c));
	status("a", pclose(a));
}

/* With standard descriptors closed the pipe takes their numbers. */
static void closed(int which)
{
	FILE *out = fdopen(dup(1), "w"), *f;
	char line[64] = "";
	int fd;

	setvbuf(out, NULL, _IONBF, 0);
	for (fd = 0; fd < 2; fd++)
		if (which & 1 << fd)
			close(fd);
	f = popen("echo read", "r");
	fgets(line, sizeof(line), f);
	fprintf(out, "closed %d: fd %d %s", which, fileno(f), line);
	fprintf(out, "  status %d\n", pclose(f));
	f = popen("cat >&2", "w");
	fprintf(f, "written\n");
	fprintf(out, "closed %d: fd %d\n", which, fileno(f));
	fprintf(out, "  status %d\n", pclose(f));
	fclose(out);
}

static void closeds(void)
{
	int which;

	dup2(1, 2);
	for (which = 1; which < 4; which++) {
		fflush(stdout);
		if (!fork()) {
			closed(which);
			_exit(0);
		}
		wait(NULL);
	}
}

static void strangers(void)
{
	FILE *f = fopen("/dev/null", "r");
	pid_t pid;

	asm("" : "+r" (f));	/* the compiler knows that this is odd */
	status("fopen'ed", pclose(f));

	f = popen("sleep 1", "r");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		status("another process's", pclose(f));
		exit(0);
	}
	waitpid(pid, NULL, 0);
	status("its own", pclose(f));

	f = popen("exit 5", "r");
	wait(NULL);
	status("waited for already", pclose(f));

	signal(SIGCHLD, SIG_IGN);
	f = popen("exit 5", "r");
	status("SIGCHLD ignored", pclose(f));
	signal(SIGCHLD, SIG_DFL);
}

static void tick(int sig)
{
	(void)sig;
}

static void interrupts(void)
{
	struct itimerval timer = { { 0, 10000 }, { 0, 10000 } };
	struct sigaction action = { .sa_handler = tick };	/* no SA_RESTART */
	FILE *f = popen("sleep 0.3; exit 4", "r");

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	status("interrupted", pclose(f));
	memset(&timer, 0, sizeof(timer));
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* The buffered data is written to a command that has ended. */
static void broken(void)
{
	siginfo_t info;
	FILE *f;

	signal(SIGPIPE, SIG_IGN);
	f = popen("exit 0", "w");
	waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
	fputs("lost", f);
	status("command succeeded", pclose(f));
	f = popen("exit 6", "w");
	waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
	fputs("lost", f);
	status("command failed", pclose(f));
	signal(SIGPIPE, SIG_DFL);
}

static void limits(void)
{
	struct rlimit limit = { 4, 4 };
	FILE *f;

	setrlimit(RLIMIT_NOFILE, &limit);
	f = popen("echo", "r");
	printf("1 free: %s\n", f ? "stream" : strerrorname_np(errno));
	dup(0);
	f = popen("echo", "r");
	printf("none free: %s\n", f ? "stream" : strerrorname_np(errno));
}

static void *worker(void *arg)
{
	long sum = 0, i;

	(void)arg;
	for (i = 0; i < 20; i++) {
		char command[32];
		int n = 0;
		FILE *f;

		snprintf(command, sizeof(command), "echo %ld; exit %ld", i, i);
		f = popen(command, "r");
		if (!f || fscanf(f, "%d", &n) != 1 || n != i)
			sum = -100000;
		n = pclose(f);
		sum += WEXITSTATUS(n);
	}
	return (void *)sum;
}

static void threads(void)
{
	pthread_t thread[4];
	void *sum;
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (i = 0; i < 4; i++) {
		pthread_join(thread[i], &sum);
		printf("thread %d: %ld\n", i, (long)sum);
	}
}

static void many(void)
{
	FILE *f[50];
	int i, n, sum = 0;

	for (i = 0; i < 50; i++) {
		char command[32];

		snprintf(command, sizeof(command), "echo %d", i);
		f[i] = popen(command, "r");
	}
	for (i = 49; i >= 0; i--) {
		if (fscanf(f[i], "%d", &n) == 1)
			sum += n;
		if (pclose(f[i]))
			sum = -100000;
	}
	printf("50 commands: %d\n", sum);
}

static void bulk(void)
{
	FILE *f = popen("head -c 10000000 /dev/zero", "r");
	static char buf[65536];
	size_t n, sum = 0;

	while ((n = fread(buf, 1, sizeof(buf), f)))
		sum += n;
	printf("%zu bytes\n", sum);
	status("bulk", pclose(f));
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "modes", modes },
	{ "statuses", statuses },
	{ "earlier-streams", earlier },
	{ "closed-descriptors", closeds },
	{ "strangers", strangers },
	{ "interrupts", interrupts },
	{ "broken-pipe", broken },
	{ "limits", limits },
	{ "threads", threads },
	{ "many", many },
	{ "bulk", bulk },
};

int main(int argc, char **argv)
{
	size_t i;

	close_range(3, ~0U, 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc == 2 && !strcmp(argv[1], cases[i].name)) {
			cases[i].run();
			return 0;
		}
	}
	fprintf(stderr, "usage: preload-popen CASE\n");
	return 2;
}
