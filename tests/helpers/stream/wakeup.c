// SPDX-License-Identifier: GPL-2.0-only
/*
 * wakeup.c - writers that are woken and fail
 *
 * Room wakes one writer. If that one fails, the wakeup is the next writer's: no
 * other comes until something is read, and maybe nothing is left to read.
 */
#include "stream-device.h"

#include <limits.h>
#include <sys/mman.h>

#include "../../../kmod/test/strperim.h"

static void push(int fd, const char *module)
{
	IS(ioctl(fd, I_PUSH, module), 0);
}

static void fill(int fd)
{
	static const char block[PIPE_BUF];

	test_nonblock(fd, true);
	/* Service procedures may still be moving messages on. */
	do {
		while (write(fd, block, sizeof(block)) > 0)
			;
		TRUE(errno == EAGAIN);
	} while (poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, 50));
	test_nonblock(fd, false);
}

static void *write_unmapped(void *arg)
{
	const void *none = mmap(NULL, PIPE_BUF, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

	TRUE(none != MAP_FAILED);
	FAILS(write(*(int *)arg, none, PIPE_BUF), EFAULT);
	return NULL;
}

static void *write_block(void *arg)
{
	static const char block[PIPE_BUF];

	IS(write(*(int *)arg, block, sizeof(block)), sizeof(block));
	return NULL;
}

/* The first writer's memory is found missing when there is room. */
static void fault_on(int fds[2])
{
	char block[PIPE_BUF];
	pthread_t first, second;

	fill(fds[1]);
	first = thread_asleep(write_unmapped, &fds[1]);
	second = thread_asleep(write_block, &fds[1]);
	IS(read(fds[0], block, sizeof(block)), sizeof(block));
	IS(pthread_join(first, NULL), 0);
	IS(pthread_join(second, NULL), 0);
}

static void fault(void)
{
	int fds[2], n;

	/* One pipe has bytes, the other messages. */
	IS(test_fifo(fds, 0), 0);
	fault_on(fds);
	IS(test_fifo(fds, 0), 0);
	IS(ioctl(fds[0], I_NREAD, &n), 0);
	fault_on(fds);
}

/*
 * The stream in is written to, and has a full module, before a module whose
 * perimeter is held by way of other.
 */
struct way {
	int in, other, release;
	int from[2];			/* a pipe, to splice from */
};

static void *write_signalled(void *arg)
{
	const struct way *w = arg;

	FAILS(write(w->in, "x", 1), EINTR);
	return NULL;
}

static void *putmsg_signalled(void *arg)
{
	const struct way *w = arg;
	struct strbuf data = { .len = 1, .buf = "x" };

	FAILS(putmsg(w->in, NULL, &data, 0), EINTR);
	return NULL;
}

static void *splice_signalled(void *data)
{
	const struct way *w = data;
	struct strio_splice arg = { .in = w->from[0], .out = w->in, .len = 1 };

	FAILS(ioctl(w->in, STRIO_SPLICE, &arg), EINTR);
	return NULL;
}

static void *putmsg_last(void *arg)
{
	const struct way *w = arg;
	struct strbuf data = { .len = 1, .buf = "x" };

	IS(putmsg(w->in, NULL, &data, 0), 0);
	return NULL;
}

static void *flush(void *arg)
{
	const struct way *w = arg;

	IS(ioctl(w->in, I_FLUSH, FLUSHW), 0);
	return NULL;
}

/* Sends messages that no queue counts, until the perimeter takes no more. */
static void crowd(int fd)
{
	struct strbuf ctl = { .len = 1, .buf = "x" };

	test_nonblock(fd, true);
	while (putmsg(fd, &ctl, NULL, RS_HIPRI) == 0)
		;
	TRUE(errno == EAGAIN);
}

static void handler(int sig)
{
}

/*
 * A task that was woken for room then waits for the crowded perimeter, and a
 * signal ends the wait.
 */
static void signalled_in(void *(*run)(void *arg))
{
	int fds[2], others[2], release[2];
	pthread_t first, second, flusher;
	pid_t first_tid, second_tid, tid;
	struct way w;

	IS(strpipe(fds), 0);
	IS(strpipe(others), 0);
	IS(strpipe(release), 0);
	IS(strpipe(w.from), 0);
	IS(write(w.from[1], "x", 1), 1);
	w.in = fds[1];
	w.other = others[0];
	w.release = release[0];
	push(w.in, "strpermod");
	push(w.in, "srvmod");
	push(w.other, "strpermod");
	push(w.release, "strqpair");
	fill(w.in);
	first = thread_begin(run, &w, &first_tid);
	UNTIL(task_state(getpid(), first_tid) == 'S');
	second = thread_begin(putmsg_last, &w, &second_tid);
	UNTIL(task_state(getpid(), second_tid) == 'S');
	IS(send_ioctl(w.other, STRPERIM_HOLD, NULL, 0), 0);
	crowd(w.other);
	flusher = thread_begin(flush, &w, &tid);
	UNTIL(task_state(getpid(), first_tid) == 'D');
	IS(syscall(SYS_tgkill, getpid(), first_tid, SIGALRM), 0);
	IS(pthread_join(first, NULL), 0);
	/* The perimeter is still held: no other event has woken the task. */
	UNTIL(task_state(getpid(), second_tid) == 'D');
	IS(send_ioctl(w.release, STRPERIM_RELEASE, NULL, 0), 0);
	IS(pthread_join(second, NULL), 0);
	IS(pthread_join(flusher, NULL), 0);
	close(w.from[0]);
	close(w.from[1]);
	close(fds[0]);
	close(fds[1]);
	close(others[0]);
	close(others[1]);
	close(release[0]);
	close(release[1]);
}

static void signalled(void)
{
	const struct sigaction act = { .sa_handler = handler };

	IS(sigaction(SIGALRM, &act, NULL), 0);
	signalled_in(putmsg_signalled);
	signalled_in(write_signalled);
	signalled_in(splice_signalled);
}

static const struct test_case cases[] = {
	{ "fault", fault },
	{ "signalled", signalled },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
