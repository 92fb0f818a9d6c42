// SPDX-License-Identifier: GPL-2.0-only
/* isastream.c - isastream() on descriptors of all kinds */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include "streams-test.h"

/* Calls isastream(), and checks that the descriptor is unchanged. */
static void none(int fd)
{
	struct stat before, after;
	int flags;

	TRUE(fd >= 0);
	IS(fstat(fd, &before), 0);
	flags = fcntl(fd, F_GETFL);
	errno = 1234;
	if (isastream(fd) != 0)
		test_fail(__FILE__, __LINE__, "descriptor %d is a stream", fd);
	/* isastream() does not change errno. */
	TRUE(errno == 1234);
	test_checks++;
	IS(fcntl(fd, F_GETFL), flags);
	IS(fstat(fd, &after), 0);
	IS(memcmp(&before.st_mode, &after.st_mode, sizeof(before.st_mode)), 0);
	close(fd);
}

static void files(void)
{
	int fds[2];

	none(open("/proc/self/exe", O_RDONLY));
	none(open("/", O_RDONLY | O_DIRECTORY));
	none(memfd_create("memory", 0));
	none(open("/dev/null", O_RDWR));
	none(open("/dev/zero", O_RDONLY));
	none(open("/dev/full", O_WRONLY));
	none(open("/proc/self/mem", O_RDONLY));
	none(open("/proc/streams/counters", O_RDONLY));
	IS(pipe(fds), 0);
	none(fds[0]);
	none(fds[1]);
}

static void sockets(void)
{
	static const struct {
		int domain, type, protocol;
	} kinds[] = {
		{ AF_UNIX, SOCK_STREAM, 0 }, { AF_UNIX, SOCK_DGRAM, 0 },
		{ AF_UNIX, SOCK_SEQPACKET, 0 }, { AF_INET, SOCK_STREAM, 0 },
		{ AF_INET, SOCK_DGRAM, 0 }, { AF_INET6, SOCK_STREAM, 0 },
		{ 16 /* AF_NETLINK */, SOCK_RAW, 0 },
		{ 17 /* AF_PACKET */, SOCK_DGRAM, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		int fd = socket(kinds[i].domain, kinds[i].type, kinds[i].protocol);

		/*
		 * A kernel need not have all these kinds, but it has the ones
		 * below.
		 */
		if (fd >= 0 || kinds[i].domain == AF_UNIX || kinds[i].domain == AF_INET)
			none(fd);
	}
}

static void terminals(void)
{
	int pty = posix_openpt(O_RDWR | O_NOCTTY);

	TRUE(pty >= 0);
	IS(grantpt(pty), 0);
	IS(unlockpt(pty), 0);
	none(open(ptsname(pty), O_RDWR | O_NOCTTY));
	none(pty);
}

static void nameless(void)
{
	sigset_t set;

	sigemptyset(&set);
	none(epoll_create1(0));
	none(eventfd(0, 0));
	none(timerfd_create(CLOCK_MONOTONIC, 0));
	none(signalfd(-1, &set, 0));
	none(inotify_init());
}

/* An O_PATH descriptor permits no operation. */
static void paths(void)
{
	char link[64];
	int fds[2], fd;

	none(open("/", O_PATH));
	none(open("/proc/self/exe", O_PATH));
	IS(strpipe(fds), 0);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fds[0]);
	fd = open(link, O_PATH);
	TRUE(fd >= 0);
	FAILS(isastream(fd), EBADF);
	FAILS(isastream(open("/dev/null", O_PATH)), EBADF);
}

static void closed(void)
{
	FAILS(isastream(-1), EBADF);
	FAILS(isastream(999), EBADF);
	FAILS(isastream(1 << 30), EBADF);
	close(0);
	FAILS(isastream(0), EBADF);
}

static void some(void)
{
	static const char *const devices[] = { "udp", "echo", "log" };
	char name[64];
	int fds[2];
	size_t i;

	IS(strpipe(fds), 0);
	errno = EBADF;
	TRUE(isastream(fds[0]) == 1 && errno == EBADF);
	IS(isastream(fds[1]), 1);
	/* An end is a stream also when the other end is closed. */
	close(fds[0]);
	IS(isastream(fds[1]), 1);
	IS(test_fifo(fds, 0), 0);
	IS(isastream(fds[0]), 1);
	IS(isastream(fds[1]), 1);
	for (i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
		int fd;

		snprintf(name, sizeof(name), "/dev/streams/%s", devices[i]);
		fd = open(name, O_RDWR);
		if (fd >= 0)
			IS(isastream(fd), 1);
	}
	/*
	 * The device that makes pipes, opened for ioctl() alone, is not a stream, nor is
	 * the one that pushes modules.
	 */
	none(open(STRIO_PIPE_DEVICE, O_ACCMODE));
	none(open("/dev/streams/sad", O_RDONLY));
}

static const struct test_case cases[] = {
	{ "files", files },
	{ "sockets", sockets },
	{ "terminals", terminals },
	{ "nameless", nameless },
	{ "paths", paths },
	{ "closed", closed },
	{ "some", some },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
