// SPDX-License-Identifier: GPL-2.0-only
/* streamio-signals.c - I_SETSIG, I_GETSIG, I_ESETSIG, I_EGETSIG, each event and error */
#include <sys/resource.h>

#include "streamio.h"

static volatile sig_atomic_t polls, urgents;

static void count(int sig)
{
	if (sig == SIGURG)
		urgents++;
	else
		polls++;
}

/* Returns the number of signals since the last call. */
static int came(volatile sig_atomic_t *n)
{
	int got = *n;

	*n = 0;
	return got;
}

static void begin(void)
{
	signal(SIGPOLL, count);
	signal(SIGURG, count);
	signal(SIGPIPE, SIG_IGN);
}

static void set(void)
{
	int fds[2], events = -1;

	begin();
	IS(strpipe(fds), 0);
	FAILS_WITH("I_GETSIG", EINVAL, "not registered", ioctl(fds[0], I_GETSIG, &events));
	FAILS_WITH("I_SETSIG", EINVAL, "0 while not registered", ioctl(fds[0], I_SETSIG, 0));
	FAILS_WITH("I_SETSIG", EINVAL, "no such event", ioctl(fds[0], I_SETSIG, 0x400));
	FAILS_WITH("I_SETSIG", EINVAL, "S_BANDURG alone", ioctl(fds[0], I_SETSIG, S_BANDURG));
	GIVES("I_SETSIG", "registered", ioctl(fds[0], I_SETSIG, S_INPUT | S_HIPRI), 0);
	GIVES("I_GETSIG", "the events", ioctl(fds[0], I_GETSIG, &events) ?: events,
	      S_INPUT | S_HIPRI);
	FAILS_WITH("I_GETSIG", EFAULT, "bad arg", ioctl(fds[0], I_GETSIG, BAD_POINTER));
	GIVES("I_SETSIG", "others instead", ioctl(fds[0], I_SETSIG, S_MSG), 0);
	GIVES("I_GETSIG", "the others", ioctl(fds[0], I_GETSIG, &events) ?: events, S_MSG);
	GIVES("I_SETSIG", "0 ends it", ioctl(fds[0], I_SETSIG, 0), 0);
	FAILS_WITH("I_GETSIG", EINVAL, "after its end", ioctl(fds[0], I_GETSIG, &events));
	IS(write(fds[1], "x", 1), 1);
	GIVES("I_SETSIG", "no signal after its end", came(&polls), 0);
	close_pipe(fds);
}

/* Each file of a stream is registered by itself, up to a limit. */
static void many(void)
{
	struct strsigset set = { .ss_events = S_HANGUP };
	struct rlimit files = { 2000, 2000 };
	int fds[2], i;
	char name[32];

	begin();
	IS(strpipe(fds), 0);
	IS(setrlimit(RLIMIT_NOFILE, &files), 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fds[0]);
	for (i = 0; i < 1100; i++)
		if (ioctl(open(name, O_RDWR), I_SETSIG, S_HANGUP))
			break;
	FAILS_WITH("I_SETSIG", EAGAIN, "more than 1,000 of a stream",
		   ioctl(open(name, O_RDWR), I_SETSIG, S_HANGUP));
	FAILS_WITH("I_ESETSIG", EAGAIN, "more than 1,000 of a stream",
		   ioctl(open(name, O_RDWR), I_ESETSIG, &set));
	GIVES("I_SETSIG", "1,000 of a stream", i >= 1000, 1);
}

/* A group may be large, and an event signals each of its processes. */
static void many_groups(void)
{
	struct strsigset set = { .ss_events = S_HANGUP };
	int fds[2], i;
	char name[32];

	begin();
	IS(strpipe(fds), 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fds[0]);
	set.ss_pid = -getpgrp();
	for (i = 0; i < 16; i++)
		IS(ioctl(open(name, O_RDWR), I_ESETSIG, &set), 0);
	FAILS_WITH("I_ESETSIG", EAGAIN, "more than 16 groups of a stream",
		   ioctl(open(name, O_RDWR), I_ESETSIG, &set));
	/*
	 * A registration may be changed, and a registration that ends makes
	 * room.
	 */
	set.ss_events = 0;
	i = open(name, O_RDWR);
	FAILS_WITH("I_ESETSIG", EINVAL, "0 of a group that is not registered",
		   ioctl(i, I_ESETSIG, &set));
	close(i - 2);
	set.ss_events = S_HANGUP;
	GIVES("I_ESETSIG", "a group where another one's file was closed",
	      ioctl(i, I_ESETSIG, &set), 0);
}

/* The events of reading are signalled on a pipe and on a FIFO. */
static void reading(int fds[2])
{
	char c[8];

	IS(ioctl(fds[0], I_SETSIG, S_INPUT), 0);
	IS(write(fds[1], "x", 1), 1);
	GIVES("I_SETSIG", "S_INPUT at a write", came(&polls), 1);
	IS(write(fds[1], "y", 1), 1);
	GIVES("I_SETSIG", "not while there is more before it", came(&polls), 0);
	IS(read(fds[0], c, 8), 2);
	IS(write(fds[1], "z", 1), 1);
	GIVES("I_SETSIG", "S_INPUT again when all was read", came(&polls), 1);
	IS(read(fds[0], c, 8), 1);
	IS(ioctl(fds[0], I_SETSIG, S_RDNORM), 0);
	IS(write(fds[1], "x", 1), 1);
	GIVES("I_SETSIG", "S_RDNORM", came(&polls), 1);
	IS(read(fds[0], c, 8), 1);
	IS(ioctl(fds[0], I_SETSIG, S_RDBAND | S_HIPRI | S_MSG | S_ERROR), 0);
	IS(write(fds[1], "x", 1), 1);
	GIVES("I_SETSIG", "none that was not asked for", came(&polls), 0);
	IS(read(fds[0], c, 8), 1);
}

static void input(void)
{
	int fds[2], n;

	begin();
	IS(strpipe(fds), 0);
	reading(fds);
	IS(ioctl(fds[0], I_SETSIG, S_RDBAND), 0);
	IS(write(fds[1], "0", 1), 1);
	IS(send_band(fds[1], NULL, "1", 1, MSG_BAND), 0);
	GIVES("I_SETSIG", "S_RDBAND", came(&polls), 1);
	IS(send_band(fds[1], NULL, "1", 1, MSG_BAND), 0);
	GIVES("I_SETSIG", "S_RDBAND, once", came(&polls), 0);
	IS(ioctl(fds[0], I_SETSIG, S_RDBAND | S_BANDURG), 0);
	IS(send_band(fds[1], NULL, "2", 2, MSG_BAND), 0);
	GIVES("I_SETSIG", "S_BANDURG: SIGURG", came(&urgents), 1);
	GIVES("I_SETSIG", "S_BANDURG: no SIGPOLL", came(&polls), 0);
	IS(ioctl(fds[0], I_SETSIG, S_INPUT), 0);
	IS(send_band(fds[1], NULL, "3", 3, MSG_BAND), 0);
	GIVES("I_SETSIG", "S_INPUT, a band", came(&polls), 1);
	IS(send_band(fds[1], "urgent", NULL, 0, MSG_HIPRI), 0);
	GIVES("I_SETSIG", "S_INPUT, not high priority", came(&polls), 0);
	IS(ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
	IS(ioctl(fds[0], I_SETSIG, S_HIPRI), 0);
	IS(send_band(fds[1], "urgent", NULL, 0, MSG_HIPRI), 0);
	GIVES("I_SETSIG", "S_HIPRI", came(&polls), 1);
	IS(ioctl(fds[0], I_FLUSH, FLUSHRW), 0);
	IS(ioctl(fds[0], I_SETSIG, S_INPUT), 0);
	IS(send_band(fds[1], NULL, "", 0, MSG_BAND), 0);
	GIVES("I_SETSIG", "S_INPUT, an empty message", came(&polls), 1);
	close_pipe(fds);

	/* A FIFO continues with bytes, and signals are sent all the same. */
	IS(test_fifo(fds, 0), 0);
	reading(fds);
	GIVES("I_SETSIG", "a FIFO has no message for it", ioctl(fds[0], I_NREAD, &n), 0);
	close_pipe(fds);
}

static void output(void)
{
	char data[4096];
	int fds[2], fd, i;

	begin();
	for (i = 0; i < 2; i++) {
		IS(i ? test_fifo(fds, 0) : strpipe(fds), 0);
		test_nonblock(fds[0], true);
		test_nonblock(fds[1], true);
		IS(ioctl(fds[1], I_SETSIG, S_OUTPUT), 0);
		while (write(fds[1], data, sizeof(data)) > 0)
			;
		TRUE(errno == EAGAIN);
		GIVES("I_SETSIG", "S_OUTPUT, not while full", came(&polls), 0);
		while (read(fds[0], data, sizeof(data)) > 0)
			;
		GIVES("I_SETSIG", "S_OUTPUT, when there is room", came(&polls), 1);
		IS(write(fds[1], "x", 1), 1);
		IS(read(fds[0], data, 1), 1);
		GIVES("I_SETSIG", "S_OUTPUT, not when there was room", came(&polls), 0);
		close_pipe(fds);
	}
	/* S_OUTPUT is asked for when the pipe is already full. */
	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	test_nonblock(fds[1], true);
	while (write(fds[1], data, sizeof(data)) > 0)
		;
	IS(ioctl(fds[1], I_SETSIG, S_WRNORM), 0);
	while (read(fds[0], data, sizeof(data)) > 0)
		;
	GIVES("I_SETSIG", "S_WRNORM, asked for while full", came(&polls), 1);
	close_pipe(fds);

	fd = probe(O_NONBLOCK);
	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(ioctl(fd, I_SETSIG, S_WRBAND), 0);
	TRUE(fill_band(fd, 3) > 0);
	GIVES("I_SETSIG", "S_WRBAND, not while full", came(&polls), 0);
	IS(str(fd, STRPROBE_RELEASE, NULL, 0), 0);
	GIVES("I_SETSIG", "S_WRBAND, when there is room", came(&polls), 1);
	close(fd);
}

static void state(void)
{
	char error = EIO, poll = SIGPOLL, buf[8];
	int fd, fds[2];

	begin();
	fd = probe(O_NONBLOCK);
	IS(ioctl(fd, I_SETSIG, S_MSG), 0);
	send_up(fd, M_PCSIG, 0, 0, &poll, 1);
	GIVES("I_SETSIG", "S_MSG, M_PCSIG", came(&polls), 1);
	send_up(fd, M_SIG, 0, 0, &poll, 1);
	GIVES("I_SETSIG", "S_MSG, M_SIG that is first at once", came(&polls), 1);
	send_up(fd, M_DATA, 0, 0, "data", 4);
	send_up(fd, M_SIG, 0, 0, &poll, 1);
	GIVES("I_SETSIG", "S_MSG, not behind a message", came(&polls), 0);
	IS(read(fd, buf, 4), 4);
	GIVES("I_SETSIG", "S_MSG, when that was read", came(&polls), 1);
	FAILS_WITH("I_SETSIG", EAGAIN, "M_SIG is nothing to read", read(fd, buf, 4));
	send_up(fd, M_PROTO, 0, 0, "ctl", 3);
	send_up(fd, M_SIG, 0, 0, &poll, 1);
	IS(getmsg(fd, &(struct strbuf){ .maxlen = 8, .buf = buf }, NULL, &(int){ 0 }), 0);
	GIVES("I_SETSIG", "S_MSG, when getmsg() took what was before", came(&polls), 1);

	IS(ioctl(fd, I_SETSIG, S_ERROR), 0);
	send_up(fd, M_ERROR, 0, 0, &error, 1);
	GIVES("I_SETSIG", "S_ERROR", came(&polls), 1);
	close(fd);
	fd = probe(O_NONBLOCK);
	IS(ioctl(fd, I_SETSIG, S_HANGUP), 0);
	hang_up(fd);
	GIVES("I_SETSIG", "S_HANGUP", came(&polls), 1);
	close(fd);
	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_SETSIG, S_HANGUP), 0);
	close(fds[1]);
	GIVES("I_SETSIG", "S_HANGUP, a pipe's other end closed", came(&polls), 1);
	close(fds[0]);
}

/* A child that reports its results on a pipe, then waits until it may end. */
static int told[2], go[2];

static void tell(int what)
{
	unsigned char c = what;

	IS(write(told[1], &c, 1), 1);
	IS(read(go[0], &c, 1), 1);
}

static int hear(void)
{
	unsigned char c;

	IS(read(told[0], &c, 1), 1);
	return c;
}

/*
 * A registration belongs to one process, not to its children, and ends with its
 * close.
 */
static void processes(void)
{
	int fds[2], events, other, status;
	pid_t child;
	char c[8];

	begin();
	TRUE(pipe(told) == 0 && pipe(go) == 0);
	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_SETSIG, S_INPUT), 0);
	child = fork();
	if (!child) {
		FAILS_WITH("I_GETSIG", EINVAL, "a child is not registered",
			   ioctl(fds[0], I_GETSIG, &events));
		GIVES("I_SETSIG", "a child's own", ioctl(fds[0], I_SETSIG, S_INPUT), 0);
		tell(0);
		GIVES("I_SETSIG", "to the child as well", came(&polls), 1);
		tell(1);
		_exit(cover_failed);
	}
	hear();
	IS(write(fds[1], "x", 1), 1);
	GIVES("I_SETSIG", "to each process", came(&polls), 1);
	IS(write(go[1], "", 1), 1);
	IS(hear(), 1);
	IS(write(go[1], "", 1), 1);
	wait(&status);
	cover_failed |= status;
	/* The child has ended; the event is harmless. */
	IS(read(fds[0], c, 8), 1);
	IS(write(fds[1], "y", 1), 1);
	GIVES("I_SETSIG", "after a registered process ended", came(&polls), 1);
	/* close() of any descriptor of the file ends the registration. */
	other = dup(fds[0]);
	close(other);
	FAILS_WITH("I_SETSIG", EINVAL, "close() ended it", ioctl(fds[0], I_GETSIG, &events));
	IS(read(fds[0], c, 8), 1);
	IS(write(fds[1], "z", 1), 1);
	GIVES("I_SETSIG", "no signal after close()", came(&polls), 0);
	close_pipe(fds);
}

/* I_ESETSIG for process 0 registers the caller. */
static void register_caller(int fds[2])
{
	struct strsigset s = { .ss_events = S_INPUT }, g = { };
	int status;

	FAILS_WITH("I_EGETSIG", EINVAL, "not registered", ioctl(fds[0], I_EGETSIG, &g));
	GIVES("I_ESETSIG", "the caller", ioctl(fds[0], I_ESETSIG, &s), 0);
	GIVES("I_EGETSIG", "the caller", ioctl(fds[0], I_EGETSIG, &g) ?: g.ss_events, S_INPUT);
	GIVES("I_GETSIG", "the events of I_ESETSIG", ioctl(fds[0], I_GETSIG, &status) ?: status,
	      S_INPUT);
	s.ss_events = 0;
	GIVES("I_ESETSIG", "0 ends it", ioctl(fds[0], I_ESETSIG, &s), 0);
	FAILS_WITH("I_ESETSIG", EINVAL, "0 while not registered", ioctl(fds[0], I_ESETSIG, &s));
	s.ss_events = 0x400;
	FAILS_WITH("I_ESETSIG", EINVAL, "no such event", ioctl(fds[0], I_ESETSIG, &s));
	FAILS_WITH("I_ESETSIG", EFAULT, "bad arg", ioctl(fds[0], I_ESETSIG, BAD_POINTER));
	FAILS_WITH("I_EGETSIG", EFAULT, "bad arg", ioctl(fds[0], I_EGETSIG, BAD_POINTER));
}

/* I_ESETSIG registers another process, and its group. */
static void register_child(int fds[2])
{
	struct strsigset s, g;
	int status;
	pid_t child;
	char c[8];

	child = fork();
	if (!child) {
		setpgid(0, 0);
		tell(0);
		tell(came(&polls));
		tell(came(&polls));
		_exit(0);
	}
	hear();
	s = (struct strsigset){ .ss_pid = child, .ss_events = S_INPUT };
	GIVES("I_ESETSIG", "a process", ioctl(fds[0], I_ESETSIG, &s), 0);
	g = (struct strsigset){ .ss_pid = child };
	GIVES("I_EGETSIG", "a process", ioctl(fds[0], I_EGETSIG, &g) ?: g.ss_events, S_INPUT);
	IS(write(fds[1], "x", 1), 1);
	IS(write(go[1], "", 1), 1);
	GIVES("I_ESETSIG", "that has the signal", hear(), 1);
	GIVES("I_ESETSIG", "the caller has none", came(&polls), 0);
	s.ss_events = 0;
	IS(ioctl(fds[0], I_ESETSIG, &s), 0);
	s = (struct strsigset){ .ss_pid = -child, .ss_events = S_INPUT };
	GIVES("I_ESETSIG", "a process group", ioctl(fds[0], I_ESETSIG, &s), 0);
	g.ss_pid = -child;
	GIVES("I_EGETSIG", "a process group", ioctl(fds[0], I_EGETSIG, &g) ?: g.ss_events,
	      S_INPUT);
	IS(read(fds[0], c, 8), 1);
	IS(write(fds[1], "x", 1), 1);
	IS(write(go[1], "", 1), 1);
	GIVES("I_ESETSIG", "whose member has the signal", hear(), 1);
	IS(write(go[1], "", 1), 1);
	wait(&status);
	s.ss_pid = child;
	FAILS_WITH("I_ESETSIG", ESRCH, "no such process", ioctl(fds[0], I_ESETSIG, &s));
	FAILS_WITH("I_EGETSIG", ESRCH, "no such process", ioctl(fds[0], I_EGETSIG, &s));
	s.ss_pid = -child;
	FAILS_WITH("I_ESETSIG", ESRCH, "no such group", ioctl(fds[0], I_ESETSIG, &s));
}

/* I_ESETSIG by root registers another user's process. */
static void register_foreign(int fds[2])
{
	struct strsigset s;
	int status;

	if (!fork()) {
		TRUE(setuid(65534) == 0);
		s = (struct strsigset){ .ss_pid = getppid(), .ss_events = S_INPUT };
		FAILS_WITH("I_ESETSIG", EPERM, "another user's process",
			   ioctl(fds[0], I_ESETSIG, &s));
		FAILS_WITH("I_EGETSIG", EPERM, "another user's process",
			   ioctl(fds[0], I_EGETSIG, &s));
		_exit(cover_failed);
	}
	wait(&status);
	cover_failed |= status;
}

static void others(void)
{
	int fds[2];

	begin();
	TRUE(pipe(told) == 0 && pipe(go) == 0);
	IS(strpipe(fds), 0);
	register_caller(fds);
	register_child(fds);
	if (!geteuid())
		register_foreign(fds);
	close_pipe(fds);
}

static const struct test_case cases[] = {
	{ "set", set },
	{ "many", many },
	{ "many-groups", many_groups },
	{ "input", input },
	{ "output", output },
	{ "state", state },
	{ "processes", processes },
	{ "others", others },
	{ }
};

int main(int argc, char **argv)
{
	return cover_main(argc, argv, cases);
}
