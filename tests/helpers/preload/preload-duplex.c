// SPDX-License-Identifier: GPL-2.0-only
/*
 * preload-duplex.c - a program of System V: each end of pipe() is read and written, and
 * connld on one gives each client a pipe of its own
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reports a call that failed. */
static int failed(const char *call)
{
	printf("%s: %s\n", call, strerrorname_np(errno));
	return 1;
}

static int both_ways(const int fds[2])
{
	char got[8] = "";

	if (write(fds[0], "there", 5) != 5 || read(fds[1], got, sizeof(got)) != 5)
		return failed("there");
	if (write(fds[1], "back", 4) != 4 || read(fds[0], got, sizeof(got)) != 4)
		return failed("back");
	printf("%.4s and there\n", got);
	return 0;
}

static int client(const char *path)
{
	char got[8] = "";
	int fd = open(path, O_RDWR);

	if (fd < 0)
		return failed("open");
	if (write(fd, "hello", 5) != 5 || read(fd, got, sizeof(got)) != 3)
		return failed("client");
	return strcmp(got, "yes");
}

static int serve(const int fds[2], const char *path)
{
	struct strrecvfd received;
	char got[8] = "";
	int status;
	pid_t pid;

	if (ioctl(fds[1], I_PUSH, "connld"))
		return failed("connld");
	if (close(creat(path, 0600)) || fattach(fds[1], path))
		return failed("fattach");
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(client(path));
	if (ioctl(fds[0], I_RECVFD, &received))
		return failed("I_RECVFD");
	if (read(received.fd, got, sizeof(got)) != 5 || write(received.fd, "yes", 3) != 3)
		return failed("server");
	if (waitpid(pid, &status, 0) != pid || status)
		return failed("client's end");
	printf("server: %s\n", got);
	return fdetach(path) ? failed("fdetach") : 0;
}

int main(int argc, char **argv)
{
	int fds[2], packets[2];

	if (argc != 2)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	if (pipe2(packets, O_DIRECT))
		return failed("pipe2");
	printf("packets: %s\n",
	       (fcntl(packets[0], F_GETFL) & O_ACCMODE) == O_RDONLY ? "one way" : "both ways");
	if (pipe(fds))
		return failed("pipe");
	return both_ways(fds) || serve(fds, argv[1]);
}
