// SPDX-License-Identifier: GPL-2.0-only
/* Readers and writers that sleep: signals, SIGIO, threads, closing under them */
#include "pipe-check.h"

#include <pthread.h>
#include <sys/mman.h>

static char data[200000];
static volatile int alarms;

static void on_alarm(int sig)
{
	alarms += sig == SIGALRM;
}

static void catch_alarm(int flags)
{
	struct sigaction sa = { .sa_handler = on_alarm, .sa_flags = flags };

	sigaction(SIGALRM, &sa, NULL);
	alarms = 0;
}

/*
 * Signals the process, from a thread, when it sleeps in a call. Other processes
 * can see that the process was signalled and sleeps again, and then act on the
 * call.
 */
static pthread_t ticker;
static volatile bool ended;
static volatile bool *ticked;

static void *tick_run(void *arg)
{
	UNTIL(thread_sleeps(getpid()));
	syscall(SYS_tgkill, getpid(), getpid(), SIGALRM);
	UNTIL(alarms);
	UNTIL(thread_sleeps(getpid()) || ended);
	*ticked = true;
	return arg;
}

static void tick(void)
{
	ended = false;
	pthread_create(&ticker, NULL, tick_run, NULL);
}

static long tock(long result)
{
	int error = errno;

	ended = true;
	pthread_join(ticker, NULL);
	errno = error;
	return result;
}

/* Starts a child that acts when the call was signalled. */
static pid_t later(int fd, const void *buf, size_t len, bool reads)
{
	pid_t pid;

	*ticked = false;
	pid = must_fork();
	if (pid)
		return pid;
	UNTIL(*ticked);
	if (reads) {
		for (ssize_t n; len && (n = read(fd, data, len)) > 0;)
			len -= n;
		_exit(len != 0);
	}
	_exit(write(fd, buf, len) != (ssize_t)len);
}

static void interrupted(void)
{
	int fds[2];
	pid_t pid;

	ticked = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (ticked == MAP_FAILED)
		broken("mmap");
	make_pipe(fds, 0);
	catch_alarm(0);
	tick();
	say_result("read, a signal", tock(read(fds[0], data, 1)));
	say("signals", "%d", alarms);
	catch_alarm(SA_RESTART);
	pid = later(fds[1], "abc", 3, false);
	tick();
	say_result("read, SA_RESTART", tock(read(fds[0], data, 10)));
	say("signals", "%d", alarms);
	say_end("writer", pid);

	say_result("write 65536", write(fds[1], data, 65536));
	catch_alarm(0);
	tick();
	say_result("write to full, a signal", tock(write(fds[1], data, 1)));
	say("signals", "%d", alarms);
	catch_alarm(SA_RESTART);
	pid = later(fds[0], NULL, 65536, true);
	tick();
	say_result("write to full, SA_RESTART", tock(write(fds[1], data, 10)));
	say("signals", "%d", alarms);
	say_end("reader", pid);
	read(fds[0], data, 10);

	catch_alarm(0);
	tick();
	say_result("write 100000, a signal after a part", tock(write(fds[1], data, 100000)));
	say("signals", "%d", alarms);
	close_pipe(fds);
}

static void long_write(void)
{
	int fds[2];
	long sum = 0, n;
	pid_t pid;

	make_pipe(fds, 0);
	pid = must_fork();
	if (!pid) {
		close(fds[0]);
		_exit(write(fds[1], data, sizeof(data)) != sizeof(data));
	}
	close(fds[1]);
	while ((n = read(fds[0], data, 1000)) > 0)
		sum += n;
	say("one write of 200000 read", "%ld", sum);
	say_end("writer", pid);
	close(fds[0]);
}

static volatile int sigio_signal, sigio_code, sigio_fd, sigio_band, sigio_count;

static void on_io(int sig, siginfo_t *info, void *context)
{
	(void)context;
	sigio_signal = sig;
	sigio_code = info->si_code;
	sigio_fd = info->si_fd;
	sigio_band = info->si_band;
	sigio_count++;
}

static void say_io(const char *check, int fds[2])
{
	/* No event reports that no signal comes: the test pauses. */
	sleep_ms(10);
	if (!sigio_count)
		say(check, "no signal");
	else if (sigio_signal == SIGIO)
		say(check, "SIGIO");
	else
		say(check, "SIGRTMIN%+d code %d band %s end %d", sigio_signal - SIGRTMIN,
		    sigio_code, event_names(sigio_band),
		    sigio_fd == fds[0] ? 0 : sigio_fd == fds[1] ? 1 : sigio_fd);
	sigio_count = 0;
}

static void sigio(int signal_number, int end)
{
	struct sigaction sa = { .sa_sigaction = on_io, .sa_flags = SA_SIGINFO | SA_RESTART };
	int fds[2];
	char name[64];

	snprintf(name, sizeof(name), "asynchronous end %d", end);
	make_pipe(fds, O_NONBLOCK);
	sigaction(SIGIO, &sa, NULL);
	sigaction(SIGRTMIN + 3, &sa, NULL);
	say_result("F_SETOWN", fcntl(fds[end], F_SETOWN, getpid()));
	say("F_GETOWN", "%d", fcntl(fds[end], F_GETOWN) == getpid());
	say_result("F_SETSIG", fcntl(fds[end], F_SETSIG, signal_number));
	say_result("O_ASYNC", fcntl(fds[end], F_SETFL, O_NONBLOCK | O_ASYNC));
	say_io(name, fds);
	write(fds[1], data, 1);
	say_io("write into empty", fds);
	write(fds[1], data, 1);
	say_io("write into data", fds);
	read(fds[0], data, 1);
	say_io("read a part", fds);
	drain(fds[0]);
	say_io("drain", fds);
	write(fds[1], data, 65536);
	say_io("fill", fds);
	write(fds[1], data, 1);
	say_io("write to full", fds);
	read(fds[0], data, 65536);
	say_io("read all of full", fds);
	close(fds[!end]);
	say_io("other end closed", fds);
	if (!end) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fds[0]);
		close(open(name, O_RDONLY | O_NONBLOCK));
		say_io("another reader came and went", fds);
	}
	fcntl(fds[end], F_SETFL, O_NONBLOCK);
	close(fds[end]);
	say_io("closed", fds);
}

/*
 * A writer polls when the pipe is already full, without having tried to write.
 */
static void sigio_when_full(int flags)
{
	int fds[2];

	make_pipe(fds, O_NONBLOCK | flags);
	say_result("fill", write(fds[1], data, 65536));
	fcntl(fds[1], F_SETOWN, getpid());
	fcntl(fds[1], F_SETFL, O_NONBLOCK | O_ASYNC | flags);
	say_io("asynchronous, full", fds);
	read(fds[0], data, 4096);
	say_io("room", fds);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	close(fds[0]);
	close(fds[1]);
}

static int shared[2];
static long result[4];

static int queued(int fd)
{
	int n = -1;

	ioctl(fd, FIONREAD, &n);
	return n;
}

static void *reader(void *arg)
{
	static __thread char byte[10];
	long *r = arg;

	*r = read(shared[0], byte, 10);
	return NULL;
}

static void *writer(void *arg)
{
	long *r = arg;

	*r = write(shared[1], data, 100000);
	return NULL;
}

/* A descriptor is closed under a thread that sleeps on it. */
static void closed_under(void)
{
	pthread_t t, u;

	make_pipe(shared, 0);
	t = thread_asleep(reader, &result[0]);
	close(shared[0]);
	say_result("write, the sleeping reader's descriptor is closed",
		   write(shared[1], "abc", 3));
	pthread_join(t, NULL);
	say("the reader got", "%ld", result[0]);
	signal(SIGPIPE, SIG_IGN);
	say_result("write afterwards", write(shared[1], "abc", 3));
	signal(SIGPIPE, SIG_DFL);
	close(shared[1]);

	make_pipe(shared, 0);
	t = thread_asleep(reader, &result[0]);
	u = thread_asleep(reader, &result[1]);
	close(shared[1]);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	say("both readers, last writer closed", "%ld %ld", result[0], result[1]);
	close(shared[0]);

	make_pipe(shared, 0);
	t = thread_asleep(writer, &result[0]);
	close(shared[1]);
	pthread_create(&u, NULL, reader, &result[1]);
	pthread_join(u, NULL);
	for (result[2] = result[1]; (result[3] = read(shared[0], data, 5000)) > 0;)
		result[2] += result[3];
	pthread_join(t, NULL);
	say("writer whose descriptor was closed wrote, was read", "%ld %ld", result[0], result[2]);
	close(shared[0]);
}

/* Each of many sleeping readers gets one of as many writes. */
static void many_readers(void)
{
	pthread_t t[16];
	long got[16] = {}, sum = 0;
	int i;

	make_pipe(shared, 0);
	for (i = 0; i < 16; i++)
		t[i] = thread_asleep(reader, &got[i]);
	for (i = 0; i < 16; i++) {
		write(shared[1], "x", 1);
		UNTIL(!queued(shared[0]));
	}
	close(shared[1]);
	for (i = 0; i < 16; i++) {
		pthread_join(t[i], NULL);
		sum += got[i];
	}
	say("bytes that 16 readers got of 16", "%ld", sum);
	close(shared[0]);
}

int main(void)
{
	interrupted();
	long_write();
	sigio(0, 0);
	sigio(SIGRTMIN + 3, 0);
	sigio(0, 1);
	sigio(SIGRTMIN + 3, 1);
	sigio_when_full(0);
	sigio_when_full(O_DIRECT);
	closed_under();
	many_readers();
	return 0;
}
