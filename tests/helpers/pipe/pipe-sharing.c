// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pipes that many processes share: whole records, tokens, descriptors handed on
 *
 * argv[1], if any: a program to run from here with a pipe as its standard input
 * and output; a static one is out of any preload's reach.
 */
#include "pipe-check.h"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define WRITERS	8
#define RECORDS	200

/* Records of up to PIPE_BUF bytes, each filled with one byte, come out whole. */
static void whole_records(const char *check, size_t size, int flags)
{
	unsigned int counts[WRITERS] = {}, mixed = 0, i, n, total = 0;
	unsigned char *record = malloc(size);
	pid_t pids[WRITERS];
	int fds[2];
	ssize_t got;
	size_t have = 0;

	make_pipe(fds, 0);
	fcntl(fds[1], F_SETFL, flags);
	for (i = 0; i < WRITERS; i++) {
		pids[i] = must_fork();
		if (pids[i])
			continue;
		close(fds[0]);
		memset(record, 'a' + i, size);
		for (n = 0; n < RECORDS; n++) {
			struct pollfd p = { .fd = fds[1], .events = POLLOUT };

			while ((got = write(fds[1], record, size)) < 0 && errno == EAGAIN)
				poll(&p, 1, -1);
			if (got != (ssize_t)size)
				_exit(1);
		}
		_exit(0);
	}
	close(fds[1]);
	for (;;) {
		/* The sizes are odd, so that reads do not match records. */
		got = read(fds[0], record + have, size - have > 777 ? 777 : size - have);
		if (got <= 0)
			break;
		have += got;
		if (have < size)
			continue;
		for (i = 1; i < size; i++)
			if (record[i] != record[0])
				break;
		mixed += i < size;
		if (record[0] >= 'a' && record[0] < 'a' + WRITERS)
			counts[record[0] - 'a']++;
		total++;
		have = 0;
	}
	for (i = n = 0; i < WRITERS; i++)
		n += counts[i] == RECORDS;
	say(check, "%u records, %u mixed, %u writers complete, %zu left over", total, mixed, n,
	    have);
	for (i = 0; i < WRITERS; i++)
		say_end("writer", pids[i]);
	close(fds[0]);
	free(record);
}

/*
 * Processes take tokens and put them back, as make's jobserver does; no token
 * is lost.
 */
static void tokens(int count, int flags)
{
	pid_t pids[8];
	int fds[2], i, n;
	char token;

	make_pipe(fds, 0);
	for (i = 0; i < count; i++)
		write(fds[1], "+", 1);
	fcntl(fds[0], F_SETFL, flags);
	for (i = 0; i < 8; i++) {
		pids[i] = must_fork();
		if (pids[i])
			continue;
		for (n = 0; n < 300; n++) {
			struct pollfd p = { .fd = fds[0], .events = POLLIN };

			while (read(fds[0], &token, 1) != 1)
				poll(&p, 1, -1);
			if (n % 16 == i)
				sched_yield();
			if (write(fds[1], &token, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	for (i = 0; i < 8; i++)
		say_end("token user", pids[i]);
	close(fds[1]);
	for (n = 0; read(fds[0], &token, 1) == 1; n++)
		;
	say("tokens left", "%d of %d", n, count);
	close(fds[0]);
}

static void hand_over(void)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(2 * sizeof(int))];
	} control = {};
	struct iovec iov = { "x", 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
			      .msg_controllen = sizeof(control) };
	int fds[2], pair[2], got[2];
	char data[16] = {};
	pid_t pid;

	make_pipe(fds, 0);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(&control.head), fds, sizeof(fds));
	say_result("send both ends", sendmsg(pair[0], &msg, 0));
	close_pipe(fds);
	pid = must_fork();
	if (!pid) {
		char byte;

		iov.iov_base = &byte;
		say_result("receive", recvmsg(pair[1], &msg, MSG_CMSG_CLOEXEC));
		memcpy(got, CMSG_DATA(&control.head), sizeof(got));
		say("flags", "%#o %#o %d %d", fcntl(got[0], F_GETFL), fcntl(got[1], F_GETFL),
		    fcntl(got[0], F_GETFD), fcntl(got[1], F_GETFD));
		say_result("write", write(got[1], "handed", 6));
		close(got[1]);
		_exit(0);
	}
	say_end("receiver", pid);
	close_pipe(pair);

	/*
	 * The writing end in flight keeps the reader from the end of the file.
	 */
	make_pipe(fds, O_NONBLOCK);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.head), &fds[1], sizeof(int));
	iov.iov_base = data;
	msg.msg_controllen = CMSG_SPACE(sizeof(int));
	say_result("send the writing end", sendmsg(pair[0], &msg, 0));
	close(fds[1]);
	say_result("read, writer in flight", read(fds[0], data, 1));
	close_pipe(pair);
	say_result("read, dropped", read(fds[0], data, 1));
	close(fds[0]);
}

static void from_vfork(void)
{
	static volatile int fds[2];
	char data[64] = {};
	int out[2];
	pid_t pid;

	/* The child makes a pipe, in memory shared with the parent. */
	pid = vfork();
	if (!pid) {
		pipe((int *)fds);
		_exit(fds[1] - fds[0]);
	}
	say_end("pipe made in vfork", pid);
	say_result("its descriptors here", fcntl(fds[0], F_GETFD));

	make_pipe(out, O_CLOEXEC);
	pid = vfork();
	if (!pid) {
		dup2(out[1], 1);
		execl("/bin/echo", "echo", "from the child", NULL);
		_exit(127);
	}
	close(out[1]);
	say_result("read", read(out[0], data, sizeof(data)));
	say("data", "%.14s", data);
	say_result("end", read(out[0], data, sizeof(data)));
	say_end("vfork and exec", pid);
	close(out[0]);
}

static void through(const char *program)
{
	char *args[] = { (char *)program, "cat", NULL };
	char sent[100], got[200] = {};
	posix_spawn_file_actions_t actions;
	int in[2], out[2];
	extern char **environ;
	ssize_t n, have = 0;
	pid_t pid;

	make_pipe(in, O_CLOEXEC);
	make_pipe(out, O_CLOEXEC);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], 0);
	posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	errno = posix_spawn(&pid, program, &actions, NULL, args, environ);
	if (errno)
		broken(program);
	close(in[0]);
	close(out[1]);
	memset(sent, 's', sizeof(sent));
	say_result("write to it", write(in[1], sent, sizeof(sent)));
	close(in[1]);
	while ((n = read(out[0], got + have, sizeof(got) - have)) > 0)
		have += n;
	say("read from it", "%zd %d", have, !memcmp(sent, got, sizeof(sent)));
	say_end("it", pid);
	close(out[0]);
}

int main(int argc, char **argv)
{
	alarm(300);
	whole_records("records of 4096", 4096, 0);
	whole_records("records of 3001", 3001, 0);
	whole_records("records of 100", 100, 0);
	whole_records("records of 4096, O_NONBLOCK", 4096, O_NONBLOCK);
	whole_records("records of 1000, O_NONBLOCK", 1000, O_NONBLOCK);
	tokens(3, 0);
	tokens(3, O_NONBLOCK);
	tokens(1, 0);
	hand_over();
	from_vfork();
	if (argc > 1)
		through(argv[1]);
	return 0;
}
