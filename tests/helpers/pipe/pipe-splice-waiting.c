// SPDX-License-Identifier: GPL-2.0-only
/* splice(), tee() and vmsplice() that wait: for bytes, for room; signals, cancellation */
#include "pipe-check.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define ROUNDS	300

static char data[65536], got[65536];
static int in[2], out[2], file;

/* The calls */
enum what { TO_PIPE, TO_FILE, TEE, VMSPLICE_IN, VMSPLICE_OUT, FROM_FILE, CALLS };

static const char *const names[] = {
	"splice to pipe", "splice to file", "tee", "vmsplice to pipe",
	"vmsplice from pipe", "splice from file",
};

static bool waits_for_room(enum what what)
{
	return what == VMSPLICE_IN || what == FROM_FILE;
}

static ssize_t call(enum what what, unsigned int flags)
{
	struct iovec iov = { what == VMSPLICE_IN ? data : got, 5000 };
	loff_t at = 0;

	switch (what) {
	case TO_PIPE:
		return splice(in[0], NULL, out[1], NULL, 5000, flags);
	case TO_FILE:
		return splice(in[0], NULL, file, NULL, 5000, flags);
	case TEE:
		return tee(in[0], out[1], 5000, flags);
	case VMSPLICE_IN:
		return vmsplice(out[1], &iov, 1, flags);
	case VMSPLICE_OUT:
		return vmsplice(in[0], &iov, 1, flags);
	default:
		return splice(file, &at, out[1], NULL, 5000, flags);
	}
}

static void say_call(const char *check, enum what what, ssize_t ret)
{
	char text[128];

	snprintf(text, sizeof(text), "%s, %s", names[what], check);
	say_result(text, ret);
}

/* Makes the pipes in the state in which the call has to wait. */
static void begin(enum what what)
{
	make_pipe(in, 0);
	make_pipe(out, 0);
	if (waits_for_room(what))
		write(out[1], data, 65536);
}

static void end(void)
{
	/*
	 * Both ends are closed, so that a call which finds no writer finds no
	 * reader either.
	 */
	close_pipe(out);
	close_pipe(in);
}

/*
 * Ends the wait. A splice from a file takes the room that it finds. The reader of a ring
 * makes room page by page, so one page at once is read here.
 */
static void release(enum what what)
{
	if (what == FROM_FILE)
		read(out[0], got, 4096);
	else if (waits_for_room(what))
		read(out[0], got, 65536);
	else
		write(in[1], data, 100);
}

static void at_once(enum what what)
{
	begin(what);
	say_call("at once", what, call(what, SPLICE_F_NONBLOCK));
	end();
}

static void released(enum what what)
{
	pid_t pid;

	begin(what);
	pid = must_fork();
	if (!pid) {
		alarm(WAIT_SECONDS);
		say_call("released", what, call(what, 0));
		_exit(0);
	}
	UNTIL(process_sleeps(pid));
	release(what);
	say_end(names[what], pid);
	end();
}

static void handler(int sig UNUSED)
{
}

/* A handler interrupts the call, or the call continues after it. */
static void interrupted(enum what what, int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };
	pid_t pid;

	begin(what);
	pid = must_fork();
	if (!pid) {
		sigaction(SIGUSR1, &act, NULL);
		alarm(WAIT_SECONDS);
		say_call(flags ? "restarted" : "interrupted", what, call(what, 0));
		_exit(0);
	}
	UNTIL(process_sleeps(pid));
	kill(pid, SIGUSR1);
	if (flags) {
		/* The process sleeps in the call again each time. */
		UNTIL(process_sleeps(pid));
		release(what);
	}
	say_end(names[what], pid);
	end();
}

static void killed(enum what what)
{
	pid_t pid;

	begin(what);
	pid = must_fork();
	if (!pid) {
		call(what, 0);
		_exit(0);
	}
	UNTIL(process_sleeps(pid));
	kill(pid, SIGKILL);
	say_end(names[what], pid);
	end();
}

/*
 * The last end on the other side is closed: the call returns the end of the
 * file, or SIGPIPE.
 */
static void closed(enum what what)
{
	pid_t pid;

	begin(what);
	pid = must_fork();
	if (!pid) {
		close(in[1]);
		close(out[0]);
		alarm(WAIT_SECONDS);
		say_call("closed", what, call(what, 0));
		_exit(0);
	}
	UNTIL(process_sleeps(pid));
	end();
	say_end(names[what], pid);
}

static void *thread(void *arg)
{
	return (void *)call((enum what)(uintptr_t)arg, 0);
}

static void cancelled(enum what what)
{
	pthread_t id;
	void *ret;

	begin(what);
	id = thread_asleep(thread, (void *)(uintptr_t)what);
	pthread_cancel(id);
	pthread_join(id, &ret);
	say(names[what], "cancelled %d", ret == PTHREAD_CANCELED);
	end();
}

/* Waits for one of two pipes, and then for the other. */
static void both(void)
{
	pid_t pid;

	make_pipe(in, 0);
	make_pipe(out, 0);
	write(out[1], data, 65536);
	pid = must_fork();
	if (!pid) {
		alarm(WAIT_SECONDS);
		say_result("empty to full", splice(in[0], NULL, out[1], NULL, 5000, 0));
		_exit(0);
	}
	UNTIL(process_sleeps(pid));
	write(in[1], data, 300);
	UNTIL(process_sleeps(pid));
	read(out[0], got, 65536);
	say_end("splice", pid);
	say_result("read", read(out[0], got, 65536));
	end();
}

/* Moves bytes until both tasks have moved them often enough. */
static int move(const int from[2], const int to[2], int *mine, const int *others)
{
	while (*mine < ROUNDS || __atomic_load_n(others, __ATOMIC_SEQ_CST) < ROUNDS) {
		/*
		 * The other task waits for no bytes when this one has finished.
		 */
		unsigned int flags = *mine < ROUNDS ? 0 : SPLICE_F_NONBLOCK;

		/* Parts of pages would fill a native pipe. */
		if (splice(from[0], NULL, to[1], NULL, 4096, flags) < 0 && errno != EAGAIN)
			return 1;
		__atomic_add_fetch(mine, 1, __ATOMIC_SEQ_CST);
	}
	return 0;
}

/* Tasks that each need both pipes move bytes to and fro. */
static void to_and_fro(void)
{
	int *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			 -1, 0);
	pid_t pid[2];
	size_t sum;
	int n;

	if (done == MAP_FAILED)
		broken("mmap");
	make_pipe(in, 0);
	make_pipe(out, 0);
	for (n = 0; n < 2; n++) {
		pid[n] = must_fork();
		if (pid[n])
			continue;
		alarm(WAIT_SECONDS);
		_exit(n ? move(out, in, done, done + 1) : move(in, out, done + 1, done));
	}
	for (n = 0; n < 4; n++) {
		write(in[1], data, 4096);
		write(out[1], data, 4096);
	}
	say_end("one way", pid[0]);
	say_end("the other", pid[1]);
	fcntl(in[0], F_SETFL, O_NONBLOCK);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	sum = drain(in[0]);
	sum += drain(out[0]);
	say("all bytes", "%zu", sum);
	munmap(done, 4096);
	end();
}

/* Bytes in pieces of any size pass through two pipes and a socket, in order. */
static void through(void)
{
	size_t total = 0, same = 0;
	int pair[2], n;
	pid_t pid[3];
	ssize_t got_n;

	make_pipe(in, 0);
	make_pipe(out, 0);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		broken("socketpair");
	for (n = 0; n < 3; n++) {
		pid[n] = must_fork();
		if (pid[n])
			continue;
		/* One process has the writing end of each pipe. */
		if (n)
			close(in[1]);
		if (n != 1)
			close(out[1]);
		if (n != 2)
			close(pair[1]);
		close(pair[0]);
		if (!n) {
			size_t at = 0, len;

			for (; at < 4 * sizeof(data); at += len) {
				len = 1 + at * 31 % 9000;
				if (len > sizeof(data) - at % sizeof(data))
					len = sizeof(data) - at % sizeof(data);
				write(in[1], data + at % sizeof(data), len);
			}
			_exit(0);
		}
		for (;;) {
			ssize_t moved = n == 1 ?
				splice(in[0], NULL, out[1], NULL, 7001, 0) :
				splice(out[0], NULL, pair[1], NULL, 30011, 0);

			if (moved <= 0)
				_exit(moved ? 1 : 0);
		}
	}
	close(in[1]);
	close(out[1]);
	close(pair[1]);
	while ((got_n = read(pair[0], got, sizeof(got))) > 0) {
		for (n = 0; n < got_n; n++)
			same += got[n] == data[(total + n) % sizeof(data)];
		total += got_n;
	}
	say("bytes, same", "%zu %zu", total, same);
	say_end("writer", pid[0]);
	say_end("pipe to pipe", pid[1]);
	say_end("pipe to socket", pid[2]);
	close(pair[0]);
	close(in[0]);
	close(out[0]);
}

int main(void)
{
	enum what what;
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + (i >> 8);
	file = memfd_create("file", 0);
	write(file, data, sizeof(data));
	lseek(file, 0, SEEK_SET);
	for (what = 0; what < CALLS; what++) {
		at_once(what);
		released(what);
		interrupted(what, 0);
		interrupted(what, SA_RESTART);
		killed(what);
		closed(what);
		cancelled(what);
	}
	both();
	to_and_fro();
	through();
	return 0;
}
