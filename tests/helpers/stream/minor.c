// SPDX-License-Identifier: GPL-2.0-only
/*
 * minor - minor devices: streams that several openers share
 *
 * Of /dev/streams/strminor, a driver that counts its calls
 * (kmod/test/strminor.h).
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <stropts.h>
#include <unistd.h>

#include "../../../kmod/test/strminor.h"
#include "check.h"
#include "waits.h"

#define CLONE	"/dev/streams/strminor"
#define MINOR_OF(nr)	(CLONE #nr)

#define CLONEOPEN	2	/* of sys/stream.h, which is for the kernel only */

static int open_of(const char *path, int flags)
{
	return open(path, O_RDWR | flags);
}

static int str(int fd, int cmd, void *data, int len)
{
	struct strioctl ic = { .ic_cmd = cmd, .ic_len = len, .ic_dp = data };

	return ioctl(fd, I_STR, &ic);
}

static int tell(int fd, int cmd, int value)
{
	return str(fd, cmd, &value, sizeof(value));
}

static struct strminor_state state(int fd)
{
	struct strminor_state s = { 0 };

	TRUE(str(fd, STRMINOR_GET, &s, sizeof(s)) == 0);
	return s;
}

/* Every open of the clone device gets a minor device that is not in use. */
static void g_clone(void)
{
	int fd[STRMINOR_MINORS + 1], i;

	for (i = 0; i < STRMINOR_MINORS; i++) {
		fd[i] = open_of(CLONE, 0);
		TRUE(fd[i] >= 0);
		IS(state(fd[i]).minor, i);
		IS(state(fd[i]).sflag, CLONEOPEN);
		IS(state(fd[i]).opens, 1);
	}
	FAILS(open_of(CLONE, 0), ENXIO);
	/* A closed minor device is free again. */
	close(fd[2]);
	fd[2] = open_of(CLONE, 0);
	IS(state(fd[2]).minor, 2);
	for (i = 0; i < STRMINOR_MINORS; i++)
		close(fd[i]);
}

/*
 * Openers of one minor device share one stream; the driver sees the last close.
 */
static void g_shared(void)
{
	int a = open_of(MINOR_OF(1), 0), b, closes;
	char buf[8];

	TRUE(a >= 0);
	closes = state(a).closes;
	IS(state(a).minor, 1);
	IS(state(a).sflag, 0);
	b = open_of(MINOR_OF(1), O_NONBLOCK);
	TRUE(b >= 0);
	IS(state(b).opens, 2);
	IS(write(a, "hello", 5), 5);
	IS(read(b, buf, sizeof(buf)), 5);
	/* Each open file has flags of its own. */
	FAILS(read(b, buf, sizeof(buf)), EAGAIN);
	close(a);
	IS(state(b).closes, closes);
	IS(write(b, "x", 1), 1);
	IS(read(b, buf, sizeof(buf)), 1);
	close(b);
	a = open_of(MINOR_OF(1), 0);
	IS(state(a).closes, closes + 1);
	IS(state(a).opens, 1);
	close(a);
}

/* A minor device from the clone device can be opened by its number. */
static void g_joined(void)
{
	int a = open_of(CLONE, 0), b = open_of(MINOR_OF(0), 0);

	TRUE(a >= 0 && b >= 0);
	IS(state(b).minor, 0);
	IS(state(b).sflag, CLONEOPEN);
	IS(state(b).opens, 2);
	close(a);
	close(b);
}

/* A driver may choose another number than the one it is offered. */
static void g_chosen(void)
{
	int a = open_of(MINOR_OF(1), 0), b, closes;

	TRUE(a >= 0);
	closes = state(a).closes;
	IS(tell(a, STRMINOR_CHOOSE, 3), 0);
	b = open_of(CLONE, 0);
	TRUE(b >= 0);
	IS(state(b).minor, 3);
	close(b);
	/* A number in use is refused by the driver; */
	IS(tell(a, STRMINOR_CHOOSE, 1), 0);
	FAILS(open_of(CLONE, 0), EBUSY);
	/*
	 * a number that does not exist is refused by the system, and the
	 * driver's stream is closed.
	 */
	IS(tell(a, STRMINOR_CHOOSE, STRMINOR_MINORS), 0);
	FAILS(open_of(CLONE, 0), ENXIO);
	IS(state(a).closes, closes + 2);
	b = open_of(MINOR_OF(0), 0);
	TRUE(b >= 0);
	close(b);
	close(a);
}

/*
 * A first open that is refused leaves nothing; a later one leaves the stream
 * unchanged.
 */
static void g_refused(void)
{
	int a = open_of(MINOR_OF(2), 0), b;
	char buf[8];

	TRUE(a >= 0);
	IS(tell(a, STRMINOR_REFUSE, EDOM), 0);
	FAILS(open_of(MINOR_OF(3), 0), EDOM);
	FAILS(open_of(CLONE, 0), EDOM);
	IS(tell(a, STRMINOR_REFUSE, 0), 0);
	b = open_of(MINOR_OF(3), 0);
	TRUE(b >= 0);
	close(b);
	IS(tell(a, STRMINOR_AGAIN, EDOM), 0);
	FAILS(open_of(MINOR_OF(2), 0), EDOM);
	IS(write(a, "still", 5), 5);
	IS(read(a, buf, sizeof(buf)), 5);
	close(a);
	/* A refused opener does not count as a user. */
	a = open_of(MINOR_OF(2), 0);
	IS(state(a).opens, 1);
	close(a);
}

/* The open procedures of modules on the stream are called for each opener. */
static void g_modules(void)
{
	int a = open_of(MINOR_OF(1), 0), b;
	char buf[8];

	TRUE(a >= 0);
	IS(ioctl(a, I_PUSH, "minormod"), 0);
	IS(ioctl(a, I_PUSH, "bufmod"), 0);
	IS(state(a).modules, 1);
	b = open_of(MINOR_OF(1), 0);
	TRUE(b >= 0);
	IS(state(b).modules, 2);
	IS(state(b).opens, 2);
	IS(ioctl(b, I_POP, 0), 0);
	IS(write(b, "through", 7), 7);
	IS(read(a, buf, sizeof(buf)), 7);
	close(b);
	IS(ioctl(a, I_FIND, "minormod"), 1);
	close(a);
}

static void ignore(int sig)
{
	(void)sig;
}

struct opener {
	pthread_t thread;
	int fd, error;
};

static void *open_slowly(void *arg)
{
	struct opener *o = arg;

	o->fd = open_of(MINOR_OF(0), 0);
	o->error = errno;
	return NULL;
}

static void wait_for_waiting(int fd, int n)
{
	UNTIL(state(fd).waiting == n);
}

/*
 * A driver may let openers wait, for instance for a carrier. Each opener waits
 * alone: the stream is usable, and others may open it.
 */
static void g_waiting(void)
{
	struct sigaction sa = { .sa_handler = ignore };
	int a = open_of(MINOR_OF(0), 0), b;
	struct opener one, two;

	TRUE(a >= 0);
	sigaction(SIGUSR1, &sa, NULL);
	IS(str(a, STRMINOR_CALL, NULL, 0), 0);
	TRUE(!pthread_create(&one.thread, NULL, open_slowly, &one));
	TRUE(!pthread_create(&two.thread, NULL, open_slowly, &two));
	wait_for_waiting(a, 2);
	b = open_of(MINOR_OF(0), O_NONBLOCK);
	TRUE(b >= 0);
	close(b);
	/* A signal ends one wait, not the other. */
	pthread_kill(one.thread, SIGUSR1);
	pthread_join(one.thread, NULL);
	IS(one.fd, -1);
	IS(one.error, EINTR);
	wait_for_waiting(a, 1);
	IS(str(a, STRMINOR_CARRIER, NULL, 0), 0);
	pthread_join(two.thread, NULL);
	TRUE(two.fd >= 0);
	close(a);
	IS(state(two.fd).minor, 0);
	close(two.fd);
}

/* An opener whose open fails after all others have closed makes the last close. */
static void g_last(void)
{
	struct sigaction sa = { .sa_handler = ignore };
	struct opener one;
	int a, closes;

	a = open_of(MINOR_OF(0), 0);
	TRUE(a >= 0);
	sigaction(SIGUSR1, &sa, NULL);
	closes = state(a).closes;
	IS(str(a, STRMINOR_CALL, NULL, 0), 0);
	TRUE(!pthread_create(&one.thread, NULL, open_slowly, &one));
	wait_for_waiting(a, 1);
	close(a);
	pthread_kill(one.thread, SIGUSR1);
	pthread_join(one.thread, NULL);
	IS(one.fd, -1);
	IS(one.error, EINTR);
	a = open_of(MINOR_OF(0), 0);
	IS(state(a).closes, closes + 1);
	IS(state(a).opens, 1);
	close(a);
}

/* During the first open, other openers wait, or get EAGAIN. */
static void g_busy(void)
{
	int a = open_of(MINOR_OF(1), 0), b;
	struct opener one, two;

	TRUE(a >= 0);
	IS(tell(a, STRMINOR_SLOW, 1), 0);
	TRUE(!pthread_create(&one.thread, NULL, open_slowly, &one));
	UNTIL(state(a).opening);
	FAILS(open_of(MINOR_OF(0), O_NONBLOCK), EAGAIN);
	/* Another minor device is not affected. */
	b = open_of(MINOR_OF(1), O_NONBLOCK);
	TRUE(b >= 0);
	close(b);
	TRUE(!pthread_create(&two.thread, NULL, open_slowly, &two));
	IS(tell(a, STRMINOR_SLOW, 0), 0);
	pthread_join(one.thread, NULL);
	pthread_join(two.thread, NULL);
	TRUE(one.fd >= 0 && two.fd >= 0);
	IS(state(one.fd).opens, 2);
	close(two.fd);
	close(one.fd);
	close(a);
}

static void *ask_silent(void *arg)
{
	struct strioctl ic = { .ic_cmd = STRMINOR_SILENT, .ic_timout = 3 };

	TRUE(ioctl(*(int *)arg, I_STR, &ic) == -1 && errno == ETIME);
	return NULL;
}

/*
 * The event that an opener waits for may happen at any time, also before the
 * wait.
 */
static void g_carrier(void)
{
	struct opener one;
	int a = open_of(MINOR_OF(0), 0), i;

	TRUE(a >= 0);
	for (i = 0; i < 100; i++) {
		TRUE(str(a, STRMINOR_CALL, NULL, 0) == 0);
		TRUE(!pthread_create(&one.thread, NULL, open_slowly, &one));
		usleep(i * 20);
		TRUE(str(a, STRMINOR_CARRIER, NULL, 0) == 0);
		TRUE(!pthread_join(one.thread, NULL));
		TRUE(one.fd >= 0);
		close(one.fd);
	}
	IS(state(a).opens, 101);
	close(a);
}

/* An O_NONBLOCK open does not wait for another task's ioctl. */
static void g_ioctl(void)
{
	int a = open_of(MINOR_OF(0), 0);
	pthread_t thread;

	TRUE(a >= 0);
	thread = thread_asleep(ask_silent, &a);
	FAILS(open_of(MINOR_OF(0), O_NONBLOCK), EAGAIN);
	TRUE(!pthread_join(thread, NULL));
	close(a);
}

/* A stream that was hung up, or is linked below a multiplexor, has no new users. */
static void g_broken(void)
{
	int a = open_of(MINOR_OF(1), 0), mux = open_of("/dev/streams/mux", 0), id;

	TRUE(a >= 0 && mux >= 0);
	id = ioctl(mux, I_LINK, a);
	TRUE(id > 0);
	FAILS(open_of(MINOR_OF(1), 0), EINVAL);
	IS(ioctl(mux, I_UNLINK, id), 0);
	close(mux);
	str(a, STRMINOR_HANGUP, NULL, 0);
	FAILS(open_of(MINOR_OF(1), 0), EIO);
	close(a);
	a = open_of(MINOR_OF(1), 0);
	TRUE(a >= 0);
	close(a);
}

/*
 * Any user may open a driver, unless it has minor devices: their numbers would
 * let other users open the same streams.
 */
static void g_modes(void)
{
	struct stat st, clone;
	pid_t pid;
	int status;

	TRUE(!stat(MINOR_OF(3), &st) && !stat(CLONE, &clone));
	IS(st.st_mode & 07777, 0600);
	IS(clone.st_mode & 07777, 0600);
	TRUE(!stat("/dev/streams/mux", &clone));
	IS(clone.st_mode & 07777, 0666);
	IS(minor(st.st_rdev), 3);
	TRUE(major(st.st_rdev) != major(clone.st_rdev));
	pid = fork();
	if (!pid) {
		if (setuid(65534))
			_exit(3);
		if (open_of(MINOR_OF(3), 0) >= 0 || errno != EACCES)
			_exit(1);
		_exit(open_of("/dev/streams/mux", 0) < 0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
}

/* A node made by hand, anywhere, has a number beyond the driver's. */
static void g_numbers(void)
{
	struct stat st, clone;
	int fd;

	TRUE(!stat(MINOR_OF(0), &st) && !stat(CLONE, &clone));
	unlink("/dev/test-line2");
	unlink("/dev/test-line4");
	unlink("/dev/test-clone");
	TRUE(!mknod("/dev/test-line2", S_IFCHR | 0600,
		    makedev(major(st.st_rdev), 2)));
	TRUE(!mknod("/dev/test-line4", S_IFCHR | 0600,
		    makedev(major(st.st_rdev), STRMINOR_MINORS)));
	TRUE(!mknod("/dev/test-clone", S_IFCHR | 0600, clone.st_rdev));
	fd = open_of("/dev/test-line2", 0);
	IS(state(fd).minor, 2);
	close(fd);
	fd = open_of("/dev/test-clone", 0);
	IS(state(fd).minor, 0);
	close(fd);
	FAILS(open_of("/dev/test-line4", 0), ENXIO);
	unlink("/dev/test-line2");
	unlink("/dev/test-line4");
	unlink("/dev/test-clone");
}

#define RACERS	4

static atomic_bool racing = true;
static long race_rounds[RACERS];

/* Each thread opens at random, writes something, and closes. */
static void *race(void *arg)
{
	unsigned int seed = (uintptr_t)arg;
	long *rounds = &race_rounds[seed - 1];

	while (racing) {
		bool any = rand_r(&seed) % 3 == 0;
		int fd = open_of(any ? CLONE : rand_r(&seed) & 1 ? MINOR_OF(0) :
				 MINOR_OF(1), 0);
		struct strminor_state s;
		char c;

		if (fd < 0) {
			/* All minor devices are in use. */
			TRUE(any && errno == ENXIO);
			continue;
		}
		s = state(fd);
		TRUE(s.opens >= 1 && s.minor >= 0 && s.minor < STRMINOR_MINORS);
		TRUE(write(fd, "x", 1) == 1);
		/*
		 * The number may be another thread's, but each thread gets one.
		 */
		TRUE(read(fd, &c, 1) == 1);
		close(fd);
		__atomic_add_fetch(rounds, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void g_racing(void)
{
	pthread_t thread[RACERS];
	long all = 0;
	int i, fd;

	for (i = 0; i < RACERS; i++)
		TRUE(!pthread_create(&thread[i], NULL, race,
				     (void *)(uintptr_t)(i + 1)));
	/* Each thread gets its turns, however slow the machine is. */
	for (i = 0; i < RACERS; i++)
		UNTIL(__atomic_load_n(&race_rounds[i], __ATOMIC_RELAXED) >= 500);
	racing = false;
	for (i = 0; i < RACERS; i++) {
		TRUE(!pthread_join(thread[i], NULL));
		all += race_rounds[i];
	}
	printf("%ld rounds\n", all);
	for (i = 0; i < STRMINOR_MINORS; i++) {
		fd = open_of(CLONE, 0);
		TRUE(fd >= 0);
		IS(state(fd).minor, i);
		IS(state(fd).opens, 1);
	}
}

static const struct test_case groups[] = {
	{ "clone", g_clone },
	{ "shared", g_shared },
	{ "joined", g_joined },
	{ "chosen", g_chosen },
	{ "refused", g_refused },
	{ "modules", g_modules },
	{ "waiting", g_waiting },
	{ "last", g_last },
	{ "busy", g_busy },
	{ "carrier", g_carrier },
	{ "ioctl", g_ioctl },
	{ "broken", g_broken },
	{ "modes", g_modes },
	{ "numbers", g_numbers },
	{ "racing", g_racing },
	{ NULL, NULL }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, groups);
}
