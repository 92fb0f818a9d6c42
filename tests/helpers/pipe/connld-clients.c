// SPDX-License-Identifier: GPL-2.0-only
/*
 * connld-clients.c - a server with a name, and 500 clients that connect and
 * close
 *
 * All are connected at once at first, then they connect as they can. Each sends
 * its number and a file of its own, whose offset is that number, and gets
 * another one back.
 */
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "streams-test.h"
#include "streams-open.h"

#define NAME	"server"
#define ROUNDS	3

/* Returns a file that holds a number, opened with flags, at an offset. */
static int make_file(int number, int flags, off_t offset)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	TRUE(fd >= 0);
	IS(write(fd, &number, sizeof(number)), sizeof(number));
	IS(fcntl(fd, F_SETFL, flags), 0);
	IS(lseek(fd, offset, SEEK_SET), offset);
	return fd;
}

static void check_file(int fd, int number, int flags, off_t offset)
{
	int found;

	IS(lseek(fd, 0, SEEK_CUR), offset);
	IS(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK),
	   O_RDWR | flags);
	/* The descriptor is new. */
	IS(fcntl(fd, F_GETFD), 0);
	IS(pread(fd, &found, sizeof(found), 0), sizeof(found));
	IS(found, number);
	close(fd);
}

static int receive(int fd)
{
	struct strrecvfd recv = { .fd = -1 };

	IS(ioctl(fd, I_RECVFD, &recv), 0);
	return recv.fd;
}

/* Makes one round of a client. */
static void visit(int number)
{
	int fd = open(NAME, O_RDWR), file, echo;

	TRUE(fd >= 0);
	IS(write(fd, &number, sizeof(number)), sizeof(number));
	file = make_file(number, O_APPEND, number);
	IS(ioctl(fd, I_SENDFD, file), 0);
	check_file(receive(fd), -number, O_NONBLOCK, 2 * number + 1);
	IS(read(fd, &echo, sizeof(echo)), sizeof(echo));
	IS(echo, number);
	/*
	 * The client gets the same open file back, which the server has moved.
	 */
	IS(lseek(file, 0, SEEK_CUR), number + 1000000);
	close(file);
	close(fd);
}

static void client(int number)
{
	unsigned int seed = number;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		visit(number);
		usleep(rand_r(&seed) % 20000);
	}
	_exit(0);
}

/* Answers one message of a client, or sees the client close its end. */
static bool answer(int fd)
{
	int number, file;
	ssize_t n;

	n = read(fd, &number, sizeof(number));
	if (!n)
		return false;
	IS(n, sizeof(number));
	file = receive(fd);
	IS(lseek(file, 0, SEEK_CUR), number);
	IS(lseek(file, number + 1000000, SEEK_SET), number + 1000000);
	check_file(file, number, O_APPEND, number + 1000000);
	file = make_file(-number, O_NONBLOCK, 2 * number + 1);
	IS(ioctl(fd, I_SENDFD, file), 0);
	close(file);
	IS(write(fd, &number, sizeof(number)), sizeof(number));
	return true;
}

static void watch(int epoll, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	IS(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), 0);
}

/* Serves until each client has connected and closed ROUNDS times. */
static void run_server(int fd, int clients)
{
	int epoll = epoll_create1(0), came = 0, went = 0, first[clients], i;

	while (came < clients)
		first[came++] = receive(fd);
	for (i = 0; i < clients; i++)
		watch(epoll, first[i]);
	watch(epoll, fd);
	while (went < clients * ROUNDS) {
		struct epoll_event event;

		/* No event for such a time means that a task was not woken. */
		IS(epoll_wait(epoll, &event, 1, WAIT_LIMIT_MS), 1);
		if (event.data.fd == fd) {
			watch(epoll, receive(fd));
			came++;
		} else if (!answer(event.data.fd)) {
			close(event.data.fd);
			went++;
		}
	}
	IS(came, clients * ROUNDS);
	close(epoll);
}

static void many(void)
{
	int clients = test_scaled(500), fds[2], i, status;
	struct rlimit limit = { 2048, 2048 };
	long before = streams_open();

	TRUE(clients > 1);
	setrlimit(RLIMIT_NOFILE, &limit);
	close(open(NAME, O_WRONLY | O_CREAT | O_EXCL, 0666));
	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_PUSH, "connld"), 0);
	IS(fattach(fds[1], NAME), 0);
	/* The name keeps the pipe open. */
	close(fds[1]);
	for (i = 0; i < clients; i++) {
		pid_t pid = fork();

		TRUE(pid >= 0);
		if (!pid) {
			close(fds[0]);
			client(i + 1);
		}
	}
	run_server(fds[0], clients);
	for (i = 0; i < clients; i++) {
		TRUE(wait(&status) > 0);
		IS(status, 0);
	}
	IS(fdetach(NAME), 0);
	close(fds[0]);
	TRUE(streams_open_falls_to(before));
	printf("%d clients, %d connections\n", clients, clients * ROUNDS);
}

static const struct test_case cases[] = {
	{ "many", many },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
