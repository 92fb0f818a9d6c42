// SPDX-License-Identifier: GPL-2.0-only
/*
 * ddi - guarantees to modules and drivers: perimeters, calls, waiting
 *
 * On /dev/streams/strddi and the modules strplain, strqpair and strpermod
 * (kmod/test/strddi.h, strperim.h).
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <stropts.h>
#include <strsock.h>

#include "../../../kmod/test/strddi.h"
#include "../../../kmod/test/strperim.h"
#include "check.h"
#include "waits.h"

static int dev(void)
{
	int fd = open("/dev/streams/strddi", O_RDWR);

	TRUE(fd >= 0);
	return fd;
}

static int str(int fd, int cmd, void *data, int len)
{
	struct strioctl ic = {
		.ic_cmd = cmd, .ic_timout = WAIT_SECONDS, .ic_len = len, .ic_dp = data,
	};

	return ioctl(fd, I_STR, &ic);
}

static int str_int(int fd, int cmd, int value)
{
	return str(fd, cmd, &value, sizeof(value));
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void g_timeout(void)
{
	int fd = dev();
	double t = now();

	IS(str_int(fd, STRDDI_TIMEOUT, 300), 0);
	t = now() - t;
	TRUE(t >= 0.29);
	IS(str_int(fd, STRDDI_RAN, 0), 1);
	IS(str_int(fd, STRDDI_CANCEL, 0), 0);
	/*
	 * A timeout that is due after the cancelled one has run, and no other.
	 */
	IS(str_int(fd, STRDDI_TIMEOUT, 1200), 0);
	IS(str_int(fd, STRDDI_RAN, 0), 2);
	close(fd);
}

/* Lets allocations succeed again after the second failure since the count in arg. */
static void *relieve(void *arg)
{
	int fd = dev(), before = *(int *)arg;

	UNTIL(str_int(fd, STRDDI_FAILED, 0) - before >= 2);
	str_int(fd, STRDDI_FAIL, 0);
	close(fd);
	return NULL;
}

/* Allocations fail until another thread ends that. */
static void g_bufcall(void)
{
	int fd = dev(), i, before, tried;
	pthread_t t;
	double start;

	for (i = 0; i < 2; i++) {
		before = str_int(fd, STRDDI_FAILED, 0);
		start = now();
		IS(str_int(fd, STRDDI_FAIL, 1), 0);
		TRUE(!pthread_create(&t, NULL, relieve, &before));
		IS(str_int(fd, i ? STRDDI_QBUFCALL : STRDDI_BUFCALL, 0),
		   0);
		/*
		 * The call was retried by a timer of jiffies, not continuously.
		 */
		tried = str_int(fd, STRDDI_FAILED, 0) - before;
		TRUE(tried >= 2);
		TRUE(tried < 10 + (now() - start) * 1000);
		pthread_join(t, NULL);
	}
	IS(str_int(fd, STRDDI_RAN, 0), 2);
	IS(str_int(fd, STRDDI_UNBUF, 0), 0);
	/* A bufcall made later has run, and no other. */
	IS(str_int(fd, STRDDI_QBUFCALL, 0), 0);
	IS(str_int(fd, STRDDI_RAN, 0), 3);
	close(fd);
}

static volatile int stop;

static void *flicker(void *arg)
{
	int fd = dev();

	while (!stop) {
		str_int(fd, STRDDI_FAIL, 1);
		usleep(20000);
		str_int(fd, STRDDI_FAIL, 0);
		usleep(5000);
	}
	close(fd);
	return NULL;
}

static bool has_failed(int fd, int before)
{
	return str_int(fd, STRDDI_FAILED, 0) > before && str_int(fd, STRDDI_RAN, 0) > 0;
}

/* Every byte comes back, in order, however often memory fails meanwhile. */
static void g_recovers(void)
{
	unsigned char buf[1000];
	int fd = dev(), i, n, before = str_int(fd, STRDDI_FAILED, 0);
	long sent = 0, got = 0, all = 200 * sizeof(buf);
	struct pollfd p = { .fd = fd };
	pthread_t t;

	TRUE(!pthread_create(&t, NULL, flicker, NULL));
	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (got < all) {
		p.events = POLLIN | (sent < all ? POLLOUT : 0);
		TRUE(poll(&p, 1, WAIT_LIMIT_MS) > 0);
		if (p.revents & POLLOUT && sent < all) {
			for (i = 0; i < (int)sizeof(buf); i++)
				buf[i] = (sent + i) % 251;
			n = write(fd, buf, sizeof(buf));
			if (n > 0)
				sent += n;
			else
				TRUE(errno == EAGAIN || errno == ENOSR);
		}
		n = read(fd, buf, sizeof(buf));
		for (i = 0; i < n; i++)
			if (buf[i] != (got + i) % 251)
				break;
		TRUE(n < 0 || i == n);
		got += n > 0 ? n : 0;
		/* The other thread may not have had its turn yet. */
		if (got == all && all < 20000000 && !has_failed(fd, before))
			all += 200 * sizeof(buf);
	}
	stop = 1;
	pthread_join(t, NULL);
	TRUE(has_failed(fd, before));
	close(fd);
}

/* Calls that are pending when the stream is closed never run. */
static void g_closing(void)
{
	int fd = dev(), other = dev(), i;

	for (i = 0; i < 20; i++) {
		IS(str_int(fd, STRDDI_LEAVE, 0), 0);
		if (i % 2)
			usleep(i * 1000);
		close(fd);
		fd = dev();
		IS(str_int(fd, STRDDI_FAIL, 0), 0);
	}
	/* A call that was left would have been due before this time. */
	IS(str_int(other, STRDDI_TIMEOUT, 300), 0);
	IS(str_int(other, STRDDI_ABANDON, 0), 0);
	close(other);
	close(fd);
}

static void g_freeze(void)
{
	int fd = dev();

	IS(str_int(fd, STRDDI_FREEZE, 0), 0);
	close(fd);
}

static void on_alarm(int sig)
{
}

static void g_qwait(void)
{
	struct itimerval often = {
		.it_value.tv_usec = 10000, .it_interval.tv_usec = 10000,
	};
	struct sigaction sa = { .sa_handler = on_alarm };
	int fd = dev(), fd2, how;
	double t;

	/*
	 * A timeout's message wakes the caller; signals do not end the second
	 * wait.
	 */
	sigaction(SIGALRM, &sa, NULL);
	for (how = STRDDI_QWAIT_SIG; how <= STRDDI_QWAIT; how += 2) {
		IS(str_int(fd, STRDDI_WAIT, how), 0);
		if (how == STRDDI_QWAIT)
			setitimer(ITIMER_REAL, &often, NULL);
		t = now();
		fd2 = open("/dev/streams/strddi", O_RDWR);
		TRUE(fd2 >= 0);
		TRUE(now() - t >= 0.09);
		close(fd2);
	}
	setitimer(ITIMER_REAL, &(struct itimerval){}, NULL);
	/* Only a signal wakes the caller. */
	IS(str_int(fd, STRDDI_WAIT, STRDDI_QWAIT_SIG_NONE), 0);
	FAILS(INTERRUPTED(open("/dev/streams/strddi", O_RDWR)), EINTR);
	close(fd);
}

/*
 * Both ends of some pipes write and read through the module, which is on each
 * end.
 */
#define PIPES	4

struct traffic {
	int fds[2];
	const char *module;
	pthread_t writer[2], reader[2];
	int wrong;
};

static long rounds = 300;

static void *write_end(void *arg)
{
	int fd = *(int *)arg;
	unsigned char buf[64];
	long i, j;

	for (i = 0; i < rounds; i++) {
		for (j = 0; j < (long)sizeof(buf); j++)
			buf[j] = (i * sizeof(buf) + j) % 253;
		if (write(fd, buf, sizeof(buf)) != sizeof(buf))
			return "write";
	}
	return NULL;
}

static void *read_end(void *arg)
{
	int fd = *(int *)arg;
	unsigned char buf[100];
	long got = 0, n, i;

	while (got < rounds * 64) {
		n = read(fd, buf, sizeof(buf));
		if (n <= 0)
			return "read";
		for (i = 0; i < n; i++)
			if (buf[i] != (got + i) % 253)
				return "order";
		got += n;
	}
	return NULL;
}

static void traffic_start(struct traffic *t, int push)
{
	int i;

	TRUE(strpipe(t->fds) == 0);
	for (i = 0; i < 2 && push; i++)
		TRUE(!ioctl(t->fds[i], I_PUSH, t->module));
	for (i = 0; i < 2; i++) {
		TRUE(!pthread_create(&t->writer[i], NULL, write_end,
				     &t->fds[i]));
		TRUE(!pthread_create(&t->reader[i], NULL, read_end,
				     &t->fds[i]));
	}
}

static void traffic_end(struct traffic *t)
{
	void *ret;
	int i;

	for (i = 0; i < 2; i++) {
		pthread_join(t->writer[i], &ret);
		if (ret)
			printf("%s: %s\n", t->module, (char *)ret);
		TRUE(!ret);
		pthread_join(t->reader[i], &ret);
		if (ret)
			printf("%s: %s\n", t->module, (char *)ret);
		TRUE(!ret);
	}
	close(t->fds[0]);
	close(t->fds[1]);
}

static struct strperim_stat run_traffic(const char *module, int writers)
{
	struct traffic t[PIPES] = { };
	struct strperim_stat stat = { };
	int fds[2], i;

	TRUE(strpipe(fds) == 0);
	TRUE(!ioctl(fds[0], I_PUSH, module));
	IS(str_int(fds[0], STRPERIM_RESET, 0), 0);
	for (i = 0; i < PIPES; i++) {
		t[i].module = module;
		traffic_start(&t[i], 1);
	}
	for (i = 0; i < writers; i++)
		IS(str_int(i % 2 ? fds[0] : t[i % PIPES].fds[0],
			   STRPERIM_OUTER, 0), 0);
	for (i = 0; i < writers; i++)
		IS(str_int(t[i % PIPES].fds[1], STRPERIM_INNER, 0), 0);
	for (i = 0; i < PIPES; i++)
		traffic_end(&t[i]);
	IS(str(fds[0], STRPERIM_STAT, &stat, sizeof(stat)), 0);
	close(fds[0]);
	close(fds[1]);
	printf("%s: %d runs, at most %d at once, %d of one instance, %d open, %d writers\n",
	       module, stat.runs, stat.most, stat.most_pair, stat.most_open,
	       stat.writers);
	TRUE(stat.runs > 100);
	IS(stat.most_pair, 1);
	IS(stat.disturbed, 0);
	return stat;
}

/*
 * Procedures of one stream never run beside each other; those of two streams
 * do.
 */
static void g_plain(void)
{
	struct strperim_stat stat = run_traffic("strplain", 0);

	TRUE(stat.most <= PIPES + 1);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		TRUE(stat.most > 1);
}

static void g_qpair(void)
{
	struct strperim_stat stat = run_traffic("strqpair", 40);

	IS(stat.writers, 80);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		TRUE(stat.most > 1);
}

static void g_permod(void)
{
	IS(run_traffic("strpermod", 0).most, 1);
}

/* The module is pushed and popped all the time, above and below others. */
static void live(const char *one, const char *two)
{
	struct traffic t = { .module = one };
	int i, n = 0;

	rounds = 1500;
	traffic_start(&t, 0);
	for (i = 0; i < 60; i++) {
		const char *name = i % 3 ? one : two;

		IS(ioctl(t.fds[i % 2], I_PUSH, name), 0);
		n++;
		if (i % 4 == 3) {
			IS(ioctl(t.fds[i % 2], I_POP, 0), 0);
			IS(ioctl(t.fds[!(i % 2)], I_POP, 0), 0);
			n -= 2;
		}
		if (n >= 12) {
			while (!ioctl(t.fds[0], I_POP, 0))
				n--;
			while (!ioctl(t.fds[1], I_POP, 0))
				n--;
		}
		usleep(1000);
	}
	traffic_end(&t);
}

static void g_live(void)
{
	live("strqpair", "strpermod");
	live("strpermod", "strplain");
	live("strqpair", "strplain");
}

static void *opener(void *arg)
{
	int fds[2], i;

	for (i = 0; i < 20; i++) {
		if (strpipe(fds) || ioctl(fds[0], I_PUSH, arg))
			return "open";
		close(fds[0]);
		close(fds[1]);
	}
	return NULL;
}

/* A module can ask for its open and close procedures to run one at a time. */
static void g_opening(void)
{
	const char *modules[] = { "strqpair", "strplain" };
	struct strperim_stat stat;
	pthread_t t[4];
	void *ret;
	int m, i, fds[2];

	for (m = 0; m < 2; m++) {
		TRUE(strpipe(fds) == 0);
		TRUE(!ioctl(fds[0], I_PUSH, modules[m]));
		IS(str_int(fds[0], STRPERIM_RESET, 0), 0);
		for (i = 0; i < 4; i++)
			TRUE(!pthread_create(&t[i], NULL, opener,
					     (void *)modules[m]));
		for (i = 0; i < 4; i++) {
			pthread_join(t[i], &ret);
			TRUE(!ret);
		}
		IS(str(fds[0], STRPERIM_STAT, &stat, sizeof(stat)), 0);
		if (m == 0)
			IS(stat.most_open, 1);
		else
			TRUE(stat.most_open > 1);
		close(fds[0]);
		close(fds[1]);
	}
}

static const struct test_case groups[] = {
	{ "timeout", g_timeout },
	{ "bufcall", g_bufcall },
	{ "recovers", g_recovers },
	{ "closing", g_closing },
	{ "freeze", g_freeze },
	{ "qwait", g_qwait },
	{ "plain", g_plain },
	{ "qpair", g_qpair },
	{ "permod", g_permod },
	{ "live", g_live },
	{ "opening", g_opening },
	{ }
};

int main(int argc, char **argv)
{
	const char *scale = getenv("STRSOCK_TEST_SCALE");

	if (scale && atof(scale) < 1)
		rounds = 60;
	return test_main(argc, argv, groups);
}
