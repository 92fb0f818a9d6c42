// SPDX-License-Identifier: GPL-2.0-only
/*
 * preload-async.c - calls the hooks in restricted contexts
 *
 * "preload-async vfork": in a vfork child, whose memory is its parent's.
 * "preload-async signal": in a signal handler that interrupts malloc(), stdio
 * and the hooks themselves.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 500

/*
 * Moves bytes from one pipe to another, by each of the calls. Returns 0 if they
 * arrived.
 */
static int moved(const int from[2], const int to[2])
{
	char byte = 'x', got[3] = "";
	struct iovec iov = { &byte, 1 };

	return vmsplice(from[1], &iov, 1, 0) != 1 || tee(from[0], to[1], 1, 0) != 1 ||
	       splice(from[0], NULL, to[1], NULL, 1, 0) != 1 || read(to[0], got, 2) != 2 ||
	       strcmp(got, "xx");
}

static int vforks(void)
{
	int status, fds[2], parents[2];
	volatile int round;	/* lives across vfork() */
	char byte;
	pid_t pid;

	for (round = 0; round < ROUNDS; round++) {
		if (pipe(parents))
			return 1;
		pid = vfork();
		if (pid < 0)
			return 1;
		if (!pid) {
			int fd;

			if (pipe(fds) || pipe2(fds, O_CLOEXEC))
				_exit(2);
			fd = socket(AF_INET, SOCK_DGRAM, 0);
			if (fd < 0 || moved(parents, fds) || write(parents[1], "x", 1) != 1)
				_exit(3);
			/*
			 * The child's descriptors must neither reach nor be
			 * missing in the parent.
			 */
			close(fds[0]);
			_exit(0);
		}
		if (waitpid(pid, &status, 0) != pid || status)
			return 1;
		if (read(parents[0], &byte, 1) != 1)
			return 1;
		close(parents[0]);
		close(parents[1]);
	}
	if (pipe(fds))
		return 1;
	printf("%d vforks, next pipe %d %d\n", ROUNDS, fds[0], fds[1]);
	return 0;
}

static volatile sig_atomic_t handled, failed;

static void handler(int sig)
{
	int saved = errno, fds[2], to[2], fd;
	char byte = 0;

	(void)sig;
	if (pipe(fds) || write(fds[1], "x", 1) != 1 || read(fds[0], &byte, 1) != 1 ||
	    byte != 'x') {
		failed = 1;
	} else {
		/*
		 * A signal in 16 makes pipes: the next one has to come after
		 * this one is handled.
		 */
		if (handled % 16 == 0) {
			if (pipe(to) || moved(fds, to))
				failed = 1;
			close(to[0]);
			close(to[1]);
		}
		close(fds[0]);
		close(fds[1]);
	}
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0)
		failed = 1;
	else
		close(fd);
	handled++;
	errno = saved;
}

static int signals(void)
{
	struct itimerval timer = { { 0, 200 }, { 0, 200 } };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	FILE *null = fopen("/dev/null", "w");
	int fds[2], i = 0;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (handled < ROUNDS && !failed) {
		void *p = malloc(100 + i++ % 5000);

		fprintf(null, "%d %p\n", i, p);
		free(p);
		if (pipe(fds))
			return 1;
		close(fds[0]);
		close(fds[1]);
	}
	memset(&timer, 0, sizeof(timer));
	setitimer(ITIMER_REAL, &timer, NULL);
	if (failed)
		return 1;
	printf("%d signals handled\n", ROUNDS);
	return 0;
}

int main(int argc, char **argv)
{
	close_range(3, ~0U, 0);
	if (argc == 2 && !strcmp(argv[1], "vfork"))
		return vforks();
	if (argc == 2 && !strcmp(argv[1], "signal"))
		return signals();
	fprintf(stderr, "usage: preload-async vfork|signal\n");
	return 2;
}
