// SPDX-License-Identifier: GPL-2.0-only
/*
 * fifo.c - FIFOs: each case is run on one of mkfifo(3) and on one of STREAMS
 *
 * Works in the current folder, which is empty. Operations that only STREAMS
 * support are in fifo-streams.c.
 */
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include "opener.h"
#include "streams-open.h"

#define NAME		"fifo"
#define CAPACITY	65536		/* bytes */

static sig_atomic_t signals;

static void caught(int sig)
{
	signals++;
}

static void count_signal(int sig)
{
	struct sigaction act = { .sa_handler = caught };

	signals = 0;
	IS(sigaction(sig, &act, NULL), 0);
}

static short polled(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	TRUE(poll(&p, 1, 0) >= 0);
	return p.revents;
}

/* Opens both sides, the reader without O_NONBLOCK. */
static void open_both(int *r, int *w)
{
	struct opener o;

	open_begin(&o, NAME, O_RDONLY);
	*w = open(NAME, O_WRONLY);
	TRUE(*w >= 0);
	*r = open_end(&o);
	TRUE(*r >= 0);
}

static void open_waiting(void)
{
	struct opener o;
	char buf[8];
	int fd;

	open_begin(&o, NAME, O_RDONLY);
	TRUE(open_waits(&o));
	fd = open(NAME, O_WRONLY);
	TRUE(fd >= 0);
	TRUE(open_end(&o) >= 0);
	IS(write(fd, "one", 3), 3);
	IS(read(o.fd, buf, 8), 3);
	close(fd);
	close(o.fd);
	open_begin(&o, NAME, O_WRONLY);
	TRUE(open_waits(&o));
	fd = open(NAME, O_RDONLY);
	TRUE(fd >= 0);
	TRUE(open_end(&o) >= 0);
	IS(write(o.fd, "two", 3), 3);
	IS(read(fd, buf, 8), 3);
	close(fd);
	close(o.fd);
	/* An open with O_NONBLOCK lets one without it through. */
	open_begin(&o, NAME, O_WRONLY);
	TRUE(open_waits(&o));
	fd = open(NAME, O_RDONLY | O_NONBLOCK);
	TRUE(open_end(&o) >= 0);
	close(fd);
	close(o.fd);
	/* An opener for both sides also ends the wait. */
	open_begin(&o, NAME, O_RDONLY);
	TRUE(open_waits(&o));
	fd = open(NAME, O_RDWR);
	TRUE(open_end(&o) >= 0);
	/* With a writer open() does not wait. */
	close(open(NAME, O_RDONLY));
	close(open(NAME, O_WRONLY));
	close(fd);
	close(o.fd);
}

static void open_nonblock(void)
{
	char c;
	int fd;

	FAILS(open(NAME, O_WRONLY | O_NONBLOCK), ENXIO);
	fd = open(NAME, O_RDONLY | O_NONBLOCK);
	TRUE(fd >= 0);
	IS(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	IS(read(fd, &c, 1), 0);
	close(open(NAME, O_WRONLY | O_NONBLOCK));
	close(fd);
	FAILS(open(NAME, O_WRONLY | O_NONBLOCK), ENXIO);
}

static void open_rdwr(void)
{
	char buf[8];
	int fd = open(NAME, O_RDWR);

	TRUE(fd >= 0);
	IS(write(fd, "own", 3), 3);
	IS(read(fd, buf, 8), 3);
	test_nonblock(fd, true);
	FAILS(read(fd, buf, 8), EAGAIN);
	IS(polled(fd, POLLIN | POLLOUT), POLLOUT);
	close(fd);
}

/* A signal ends the wait, and leaves no trace. */
static void open_interrupted(void)
{
	char c;
	int fd;

	FAILS(INTERRUPTED(open(NAME, O_RDONLY)), EINTR);
	FAILS(open(NAME, O_WRONLY | O_NONBLOCK), ENXIO);
	FAILS(INTERRUPTED(open(NAME, O_WRONLY)), EINTR);
	fd = open(NAME, O_RDONLY | O_NONBLOCK);
	IS(read(fd, &c, 1), 0);
	close(fd);
}

/* An opener that closes again while another waits lets that one through too. */
static void open_and_leave(void)
{
	struct opener o;
	char buf[8];
	int fd;

	open_begin(&o, NAME, O_RDONLY);
	TRUE(open_waits(&o));
	fd = open(NAME, O_WRONLY);
	IS(write(fd, "left", 4), 4);
	close(fd);
	TRUE(open_end(&o) >= 0);
	/* The read finds the data if the writer was faster. */
	TRUE(read(o.fd, buf, 8) >= 0);
	IS(read(o.fd, buf, 8), 0);
	close(o.fd);
}

/*
 * poll() reports these results for a reader before, while and after the FIFO
 * has a writer.
 */
static void polling(void)
{
	char buf[8];
	int r, w;

	r = open(NAME, O_RDONLY | O_NONBLOCK);
	TRUE(r >= 0);
	IS(polled(r, POLLIN), 0);
	w = open(NAME, O_WRONLY);
	IS(polled(r, POLLIN), 0);
	IS(polled(w, POLLOUT), POLLOUT);
	IS(write(w, "x", 1), 1);
	IS(polled(r, POLLIN), POLLIN);
	close(w);
	IS(polled(r, POLLIN), POLLIN | POLLHUP);
	IS(read(r, buf, 8), 1);
	IS(polled(r, POLLIN), POLLHUP);
	w = open(NAME, O_WRONLY);
	IS(polled(r, POLLIN), 0);
	close(r);
	IS(polled(w, POLLOUT), POLLOUT | POLLERR);
	close(w);
	/* Another writer opens while one is there already. */
	open_both(&r, &w);
	close(w);
	IS(polled(r, POLLIN), POLLHUP);
	close(r);
}

static void end_of_file(void)
{
	int r, w, other;
	char buf[8];

	open_both(&r, &w);
	other = open(NAME, O_WRONLY);
	IS(write(w, "rest", 4), 4);
	close(w);
	IS(read(r, buf, 8), 4);
	test_nonblock(r, true);
	/* The other writer is still open. */
	FAILS(read(r, buf, 8), EAGAIN);
	close(other);
	IS(read(r, buf, 8), 0);
	IS(read(r, buf, 8), 0);
	/* The data of a writer that opens now can be read again. */
	w = open(NAME, O_WRONLY);
	FAILS(read(r, buf, 8), EAGAIN);
	IS(write(w, "new", 3), 3);
	IS(read(r, buf, 8), 3);
	close(w);
	IS(read(r, buf, 8), 0);
	close(r);
}

static void broken(void)
{
	int r, w;

	open_both(&r, &w);
	close(r);
	count_signal(SIGPIPE);
	FAILS(write(w, "x", 1), EPIPE);
	IS(signals, 1);
	signal(SIGPIPE, SIG_IGN);
	FAILS(write(w, "x", 1), EPIPE);
	/* A reader makes the FIFO whole again. */
	r = open(NAME, O_RDONLY);
	IS(write(w, "x", 1), 1);
	IS(read(r, &w, 4), 1);
	close(r);
}

/* A writer that waits for room is notified when the reader closes. */
static void *close_later(void *arg)
{
	UNTIL(thread_sleeps(getpid()));
	close(*(int *)arg);
	return NULL;
}

static void broken_waiting(void)
{
	static char data[2 * CAPACITY];
	pthread_t thread;
	int r, w;

	open_both(&r, &w);
	count_signal(SIGPIPE);
	IS(pthread_create(&thread, NULL, close_later, &r), 0);
	/* The part that fitted was written. */
	IS(write(w, data, sizeof(data)), CAPACITY);
	IS(signals, 1);
	pthread_join(thread, NULL);
	close(w);
}

/* Unread data is dropped with the last close. */
static void dropped(void)
{
	int r, w;
	char c;

	open_both(&r, &w);
	IS(write(w, "unread", 6), 6);
	close(w);
	close(r);
	r = open(NAME, O_RDONLY | O_NONBLOCK);
	IS(read(r, &c, 1), 0);
	/* A reader that stays keeps the data. */
	w = open(NAME, O_WRONLY);
	IS(write(w, "k", 1), 1);
	close(w);
	IS(read(r, &c, 1), 1);
	IS(c, 'k');
	close(r);
	/* A writer that stays keeps the data as well. */
	open_both(&r, &w);
	IS(write(w, "s", 1), 1);
	close(r);
	r = open(NAME, O_RDONLY);
	IS(read(r, &c, 1), 1);
	IS(c, 's');
	close(r);
	close(w);
}

/* Up to PIPE_BUF bytes are written whole or not at all. */
static void room(void)
{
	static char data[CAPACITY + PIPE_BUF];
	int r, w, n = 0;

	open_both(&r, &w);
	test_nonblock(w, true);
	while (write(w, data, PIPE_BUF) == PIPE_BUF)
		n += PIPE_BUF;
	TRUE(errno == EAGAIN);
	IS(n, CAPACITY);
	FAILS(write(w, data, 1), EAGAIN);
	IS(polled(w, POLLOUT), 0);
	IS(read(r, data, PIPE_BUF), PIPE_BUF);
	IS(polled(w, POLLOUT), POLLOUT);
	IS(write(w, data, PIPE_BUF), PIPE_BUF);
	/* A longer write may be partial. */
	IS(read(r, data, PIPE_BUF), PIPE_BUF);
	IS(write(w, data, 2 * PIPE_BUF), PIPE_BUF);
	FAILS(write(w, data, 2 * PIPE_BUF), EAGAIN);
	IS(ioctl(r, FIONREAD, &n), 0);
	IS(n, CAPACITY);
	close(r);
	close(w);
}

#define WRITERS	4

/* Writes records of one letter, all of one length. */
static void write_records(char letter, size_t len, int count)
{
	char record[PIPE_BUF];
	int fd = open(NAME, O_WRONLY);

	memset(record, letter, sizeof(record));
	while (count--) {
		if (write(fd, record, len) != (ssize_t)len)
			_exit(1);
	}
	_exit(0);
}

static void read_records(int fd, size_t len, int count)
{
	int of[WRITERS] = { }, i;

	for (i = 0; i < count * WRITERS; i++) {
		char record[PIPE_BUF];
		size_t n = 0, k;

		while (n < len) {
			ssize_t got = read(fd, record + n, len - n);

			TRUE(got > 0);
			n += got;
		}
		for (k = 1; k < len; k++) {
			if (record[k] != record[0])
				TRUE(!"a record is mixed with another");
		}
		TRUE(record[0] >= 'a' && record[0] < 'a' + WRITERS);
		of[record[0] - 'a']++;
	}
	for (i = 0; i < WRITERS; i++)
		IS(of[i], count);
}

static void atomic_of(size_t len)
{
	int count = test_scaled(2000), fd, hold, i, status;
	char c;

	for (i = 0; i < WRITERS; i++) {
		if (!fork())
			write_records('a' + i, len, count);
	}
	fd = open(NAME, O_RDONLY);
	TRUE(fd >= 0);
	/* One writer may finish before another has opened the FIFO. */
	hold = open(NAME, O_WRONLY);
	TRUE(hold >= 0);
	read_records(fd, len, count);
	close(hold);
	for (i = 0; i < WRITERS; i++) {
		TRUE(wait(&status) > 0);
		IS(status, 0);
	}
	IS(read(fd, &c, 1), 0);
	close(fd);
}

static void atomic(void)
{
	atomic_of(PIPE_BUF);
	atomic_of(PIPE_BUF - 1);
	atomic_of(100);
}

/* A named FIFO has these attributes, and refuses these operations. */
static void file(void)
{
	struct stat st;
	int fd;

	IS(chmod(NAME, 0640), 0);
	IS(stat(NAME, &st), 0);
	TRUE(S_ISFIFO(st.st_mode));
	IS(st.st_mode & 07777, 0640);
	IS(st.st_nlink, 1);
	IS(st.st_size, 0);
	FAILS(open(NAME, O_RDWR | O_CREAT | O_EXCL, 0600), EEXIST);
	FAILS(open(NAME, O_RDONLY | O_DIRECTORY), ENOTDIR);
	FAILS(truncate(NAME, 0), EINVAL);
	fd = open(NAME, O_RDWR | O_CREAT | O_TRUNC, 0600);
	TRUE(fd >= 0);
	FAILS(lseek(fd, 0, SEEK_SET), ESPIPE);
	FAILS(pread(fd, &st, 1, 0), ESPIPE);
	FAILS(pwrite(fd, &st, 1, 0), ESPIPE);
	FAILS(fsync(fd), EINVAL);
	FAILS(ftruncate(fd, 0), EINVAL);
	IS(fstat(fd, &st), 0);
	TRUE(S_ISFIFO(st.st_mode));
	close(fd);
}

static void rights(void)
{
	int status;
	pid_t pid;

	IS(chmod(NAME, 0620), 0);
	pid = fork();
	if (!pid) {
		if (geteuid() == 0) {
			IS(setgid(65534), 0);
			IS(setuid(65534), 0);
		}
		FAILS(open(NAME, O_RDONLY | O_NONBLOCK), EACCES);
		FAILS(open(NAME, O_RDWR), EACCES);
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
}

/*
 * An opener that waits is let through, and has closed before the opener that
 * let it through looks again.
 */
static void open_brief(void)
{
	unsigned long rounds = test_scaled(200), i;

	for (i = 0; i < rounds; i++) {
		int mine = i % 2 ? O_WRONLY : O_RDONLY, fd;
		pid_t pid = fork();

		if (!pid) {
			fd = open(NAME, mine == O_RDONLY ? O_WRONLY : O_RDONLY);
			close(fd);
			_exit(fd < 0);
		}
		/* The opener sleeps already, in half of the rounds. */
		if (i % 4 < 2)
			UNTIL(process_sleeps(pid));
		alarm(WAIT_SECONDS);
		fd = open(NAME, mine);
		TRUE(fd >= 0);
		alarm(0);
		close(fd);
		IS(waitpid(pid, NULL, 0), pid);
	}
}

static const struct test_case cases[] = {
	{ "open-waiting", open_waiting },
	{ "open-nonblock", open_nonblock },
	{ "open-rdwr", open_rdwr },
	{ "open-interrupted", open_interrupted },
	{ "open-and-leave", open_and_leave },
	{ "open-brief", open_brief },
	{ "polling", polling },
	{ "end-of-file", end_of_file },
	{ "broken", broken },
	{ "broken-waiting", broken_waiting },
	{ "dropped", dropped },
	{ "writer-waits", room },
	{ "atomic", atomic },
	{ "attributes", file },
	{ "rights", rights },
	{ }
};

static void make_streams(void)
{
	int fds[2], fd;

	IS(test_fifo(fds, 0), 0);
	close(open(NAME, O_WRONLY | O_CREAT | O_EXCL, 0600));
	IS(fattach(fds[0], NAME), 0);
	close(fds[0]);
	close(fds[1]);
	fd = open(NAME, O_RDWR);
	IS(isastream(fd), 1);
	close(fd);
}

/* The case's name selects the implementation: native:NAME, streams:NAME. */
int main(int argc, char **argv)
{
	char *name = argc == 2 ? strchr(argv[1], ':') : NULL;
	bool native = name && !strncmp(argv[1], "native:", 7);
	long before = 0;
	int status;

	if (native) {
		IS(mkfifo(NAME, 0600), 0);
	} else if (name) {
		before = streams_open();
		make_streams();
	}
	/* Other processes' writers and readers must not be counted. */
	if (name && !fork()) {
		argv[1] = name + 1;
		exit(test_main(argc, argv, cases));
	}
	if (!name)
		return test_main(argc, argv, cases);
	TRUE(wait(&status) > 0);
	IS(status, 0);
	if (native) {
		IS(unlink(NAME), 0);
		return 0;
	}
	IS(fdetach(NAME), 0);
	IS(unlink(NAME), 0);
	TRUE(streams_open_falls_to(before));
	return 0;
}
