// SPDX-License-Identifier: GPL-2.0-only
/*
 * connld.c - a name that gives each opener a pipe of its own
 *
 * Works in the current folder, which is empty.
 */
#include <sys/stat.h>
#include "opener.h"
#include "streams-open.h"

#define NAME	"server"

/* fds[0] receives the server's ends of the pipes that opening the name makes. */
static int fds[2];

static void serve(void)
{
	int fd = open(NAME, O_WRONLY | O_CREAT | O_EXCL, 0666);

	TRUE(fd >= 0);
	IS(fchmod(fd, 0666), 0);
	close(fd);
	IS(strpipe(fds), 0);
	IS(ioctl(fds[1], I_PUSH, "connld"), 0);
	IS(fattach(fds[1], NAME), 0);
}

static int receive(void)
{
	struct strrecvfd recv = { .fd = -1 };

	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	TRUE(recv.fd >= 0);
	return recv.fd;
}

/* A client's end and the server's, of one pipe */
static void connect_one(int flags, int *client, int *server)
{
	struct opener o;

	open_begin(&o, NAME, flags);
	*server = receive();
	*client = open_end(&o);
	TRUE(*client >= 0);
}

static void own_pipes(void)
{
	long before = streams_open();
	int client[3], server[3], i;
	struct stat st;
	char buf[8];

	serve();
	for (i = 0; i < 3; i++) {
		connect_one(O_RDWR, &client[i], &server[i]);
		IS(isastream(client[i]), 1);
		IS(isastream(server[i]), 1);
		IS(fcntl(client[i], F_GETFL) & O_ACCMODE, O_RDWR);
		IS(fcntl(server[i], F_GETFL) & O_ACCMODE, O_RDWR);
		/*
		 * The module is on the named pipe, not on the pipes of the
		 * clients.
		 */
		IS(ioctl(client[i], I_LIST, NULL), 0);
		IS(ioctl(server[i], I_LIST, NULL), 0);
		IS(fstat(client[i], &st), 0);
		TRUE(S_ISFIFO(st.st_mode));
	}
	for (i = 0; i < 3; i++) {
		IS(write(client[i], &"abc"[i], 1), 1);
		IS(write(server[i], &"xyz"[i], 1), 1);
	}
	for (i = 2; i >= 0; i--) {
		IS(read(server[i], buf, 8), 1);
		IS(buf[0], "abc"[i]);
		IS(read(client[i], buf, 8), 1);
		IS(buf[0], "xyz"[i]);
	}
	/* One client closes, the others continue. */
	close(client[1]);
	IS(read(server[1], buf, 8), 0);
	close(server[2]);
	IS(read(client[2], buf, 8), 0);
	IS(write(client[0], "on", 2), 2);
	IS(read(server[0], buf, 8), 2);
	/* After the name is detached, connected clients stay connected. */
	IS(fdetach(NAME), 0);
	IS(write(client[0], "on", 2), 2);
	IS(read(server[0], buf, 8), 2);
	close(client[0]);
	close(server[0]);
	close(server[1]);
	close(client[2]);
	close(fds[0]);
	close(fds[1]);
	TRUE(streams_open_falls_to(before));
}

/* The server receives the opener's effective user and group. */
static void names(void)
{
	struct strrecvfd recv = { };
	int status, fd;
	pid_t pid;

	serve();
	pid = fork();
	if (!pid) {
		if (setegid(1234) || seteuid(4321))
			_exit(2);
		fd = open(NAME, O_RDWR);
		_exit(fd < 0 || write(fd, "x", 1) != 1);
	}
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	IS(recv.uid, 4321);
	IS(recv.gid, 1234);
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	/* The data that the client wrote before it ended can be read, then the hangup. */
	IS(read(recv.fd, &status, 4), 1);
	IS(read(recv.fd, &status, 4), 0);
}

static void waiting(void)
{
	struct opener o;
	char buf[8];
	int fd;

	serve();
	open_begin(&o, NAME, O_RDWR);
	TRUE(open_waits(&o));
	fd = receive();
	TRUE(open_end(&o) >= 0);
	close(fd);
	close(o.fd);
	/*
	 * An open that does not wait lets the server find the data written
	 * before.
	 */
	fd = open(NAME, O_RDWR | O_NONBLOCK);
	TRUE(fd >= 0);
	IS(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	IS(write(fd, "early", 5), 5);
	FAILS(read(fd, buf, 8), EAGAIN);
	o.fd = receive();
	/* The descriptor has flags of its own. */
	IS(fcntl(o.fd, F_GETFL) & O_NONBLOCK, 0);
	IS(read(o.fd, buf, 8), 5);
	IS(memcmp(buf, "early", 5), 0);
	close(o.fd);
	close(fd);
	/* A signal ends the wait; the server gets a pipe whose other end is closed. */
	FAILS(INTERRUPTED(open(NAME, O_RDWR)), EINTR);
	fd = receive();
	IS(read(fd, buf, 8), 0);
	close(fd);
}

/*
 * When an opener for reading only, or for writing only, closes, the pipe ends
 * for the server both ways.
 */
static void modes(void)
{
	struct pollfd p = { .events = POLLIN };
	int client, server;
	char buf[8];

	signal(SIGPIPE, SIG_IGN);
	serve();
	connect_one(O_RDONLY, &client, &server);
	FAILS(write(client, "x", 1), EBADF);
	IS(write(server, "down", 4), 4);
	IS(read(client, buf, 8), 4);
	p.fd = server;
	IS(poll(&p, 1, 0), 0);
	close(client);
	IS(poll(&p, 1, 0), 1);
	TRUE(p.revents & POLLHUP);
	IS(read(server, buf, 8), 0);
	FAILS(write(server, "x", 1), EPIPE);
	close(server);
	connect_one(O_WRONLY, &client, &server);
	FAILS(read(client, buf, 8), EBADF);
	IS(write(client, "up", 2), 2);
	close(client);
	IS(read(server, buf, 8), 2);
	IS(read(server, buf, 8), 0);
	FAILS(write(server, "x", 1), EPIPE);
	close(server);
}

static void push_errors(void)
{
	int fifo[2], pair[2], dev;

	IS(test_fifo(fifo, 0), 0);
	FAILS(ioctl(fifo[1], I_PUSH, "connld"), EINVAL);
	dev = open("/dev/streams/udp", O_RDWR);
	if (dev >= 0)
		FAILS(ioctl(dev, I_PUSH, "connld"), EINVAL);
	IS(strpipe(pair), 0);
	IS(ioctl(pair[1], I_PUSH, "connld"), 0);
	FAILS(ioctl(pair[1], I_PUSH, "connld"), EINVAL);
	IS(ioctl(pair[1], I_LIST, NULL), 1);
	/* Each end may have the module. */
	IS(ioctl(pair[0], I_PUSH, "connld"), 0);
	IS(ioctl(pair[0], I_POP, 0), 0);
	IS(ioctl(pair[1], I_POP, 0), 0);
	IS(ioctl(pair[1], I_PUSH, "connld"), 0);
	IS(ioctl(pair[1], I_POP, 0), 0);
	close(pair[0]);
	FAILS(ioctl(pair[1], I_PUSH, "connld"), EPIPE);
}

static void open_errors(void)
{
	struct opener o;
	int fd;

	serve();
	/*
	 * The message is dropped before it was received, through modules from
	 * the other end.
	 */
	open_begin(&o, NAME, O_RDWR);
	TRUE(open_waits(&o));
	IS(ioctl(fds[1], I_FLUSH, FLUSHR), 0);
	FAILS(open_end(&o), ENXIO);
	/* An opener that did not wait has a pipe whose other end is closed. */
	fd = open(NAME, O_RDWR | O_NONBLOCK);
	TRUE(fd >= 0);
	IS(ioctl(fds[1], I_FLUSH, FLUSHR), 0);
	IS(read(fd, &o, 1), 0);
	close(fd);
	/* The server closes its end while an opener waits. */
	open_begin(&o, NAME, O_RDWR);
	TRUE(open_waits(&o));
	close(fds[0]);
	FAILS(open_end(&o), ENXIO);
	/*
	 * The stream has ended; the name is removed at once or a little later.
	 */
	fd = open(NAME, O_RDWR);
	TRUE(fd >= 0 || errno == ENXIO);
	TRUE(fd < 0 || !isastream(fd));
}

/*
 * Without room for another client open() fails with EAGAIN, or waits for room.
 */
static void full(void)
{
	struct strrecvfd recv;
	struct opener o;
	int sent = 0;

	serve();
	while (!ioctl(fds[1], I_SENDFD, 0))
		sent++;
	TRUE(errno == EAGAIN);
	FAILS(open(NAME, O_RDWR | O_NONBLOCK), EAGAIN);
	open_begin(&o, NAME, O_RDWR);
	TRUE(open_waits(&o));
	while (sent--) {
		IS(ioctl(fds[0], I_RECVFD, &recv), 0);
		close(recv.fd);
	}
	/* The file of the opener that waited is sent now, and is received next. */
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	TRUE(open_end(&o) >= 0);
	IS(write(o.fd, "x", 1), 1);
	IS(read(recv.fd, &recv, 1), 1);
}

/* With a module that has a queue between, room behind it is found too. */
static void full_behind(void)
{
	struct strrecvfd recv;
	struct opener o;
	int sent = 0;

	serve();
	IS(ioctl(fds[1], I_PUSH, "bufmod"), 0);
	while (!ioctl(fds[1], I_SENDFD, 0))
		sent++;
	open_begin(&o, NAME, O_RDWR);
	TRUE(open_waits(&o));
	while (sent--) {
		IS(ioctl(fds[0], I_RECVFD, &recv), 0);
		close(recv.fd);
	}
	IS(ioctl(fds[0], I_RECVFD, &recv), 0);
	TRUE(open_end(&o) >= 0);
}

/* After connld is popped, the name is the pipe's end for all openers again. */
static void popped(void)
{
	int fd;
	char buf[8];

	serve();
	IS(ioctl(fds[1], I_POP, 0), 0);
	fd = open(NAME, O_RDWR);
	TRUE(fd >= 0);
	IS(write(fd, "one", 3), 3);
	IS(read(fds[0], buf, 8), 3);
	/* Any descriptor of the end can push the module. */
	IS(ioctl(fd, I_PUSH, "connld"), 0);
	fd = open(NAME, O_RDWR | O_NONBLOCK);
	TRUE(fd >= 0);
	IS(write(fd, "two", 3), 3);
	IS(read(receive(), buf, 8), 3);
}

/* Keeps connld in use until the input ends, for a test that tries to unload it. */
static void hold(void)
{
	int pair[2];
	char c;

	IS(strpipe(pair), 0);
	IS(ioctl(pair[1], I_PUSH, "connld"), 0);
	puts("ready");
	fflush(stdout);
	IS(read(0, &c, 1), 0);
}

static const struct test_case cases[] = {
	{ "own-pipes", own_pipes },
	{ "names", names },
	{ "waiting", waiting },
	{ "modes", modes },
	{ "push-errors", push_errors },
	{ "open-errors", open_errors },
	{ "pipe-full", full },
	{ "full-behind", full_behind },
	{ "popped", popped },
	{ "hold", hold },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
