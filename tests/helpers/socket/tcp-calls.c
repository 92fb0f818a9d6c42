// SPDX-License-Identifier: GPL-2.0-only
/*
 * tcp-calls.c - calls on sockets of SOCK_STREAM, whose results are printed
 *
 * "tcp-calls CASE PROTOCOL PROTOCOL": the socket tested, and its peer.
 */
#include "tcp-same.h"

#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

/* The bytes sent, and received, by one call in the cases of many bytes */
#define MUCH	200000

static void say_looks(int fd)
{
	struct sockaddr_in peer = {};
	socklen_t len = sizeof(peer);

	SAY(get_int(fd, SOL_SOCKET, SO_TYPE));
	SAY(get_int(fd, SOL_SOCKET, SO_DOMAIN));
	SAY(get_int(fd, SOL_SOCKET, SO_PROTOCOL));
	SAY(get_int(fd, SOL_SOCKET, SO_ACCEPTCONN));
	SAY(get_int(fd, SOL_SOCKET, SO_ERROR));
	SAY(get_int(fd, SOL_SOCKET, SO_RCVBUF));
	SAY(get_int(fd, IPPROTO_TCP, TCP_NODELAY));
	SAY(get_int(fd, IPPROTO_TCP, TCP_MAXSEG) > 0);
	SAY(fcntl(fd, F_GETFL));
	SAY(poll_of(fd, POLLIN | POLLOUT | POLLPRI | POLLRDHUP, 0));
	SAY(name_of(fd).sin_addr.s_addr);
	SAY(name_of(fd).sin_port != 0);
	SAY(getpeername(fd, (struct sockaddr *)&peer, &len));
	SAY(peer.sin_addr.s_addr);
}

static void fresh(void)
{
	int fd = stream_of(proto_a, 0), other = stream_of(proto_a, SOCK_NONBLOCK);

	say_looks(fd);
	say_looks(other);
	SAY(send(fd, "x", 1, MSG_NOSIGNAL));
	SAY(recv(fd, buf, 1, 0));
	SAY(shutdown(fd, SHUT_RDWR));
	SAY(accept(fd, NULL, NULL));
	SAY(bind_in(fd, inet(0x08080808, 1)));
	SAY(connect_in(fd, inet(INADDR_BROADCAST, 1)) == -1);
	SAY(ioctl(fd, SIOCATMARK, &(int){ 0 }));
	SAY(set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1));
	SAY(get_int(fd, IPPROTO_TCP, TCP_NODELAY));
	SAY(set_int(fd, IPPROTO_UDP, UDP_CORK, 1));
	SAY(listen(fd, 5));
	say_looks(fd);
	SAY(listen(other, 5));
	SAY(accept(other, NULL, NULL));
	SAY(connect_in(other, inet(INADDR_LOOPBACK, 1)));
}

static void names(void)
{
	int listener = stream_of(proto_a, 0), second = stream_of(proto_a, 0);
	struct sockaddr_in sin = bind_local(listener), from = {};
	int client = stream_of(proto_b, 0), fd;
	socklen_t len = sizeof(from);

	SAY(bind_in(listener, sin));
	SAY(bind_in(second, sin));
	SAY(listen(listener, 1));
	SAY(bind_in(second, sin));
	SAY(set_int(second, SOL_SOCKET, SO_REUSEADDR, 1));
	SAY(bind_in(second, sin));
	SAY(connect_in(client, sin));
	SAY(connect_in(client, sin));
	SAY(poll_of(listener, POLLIN, WAIT_LIMIT_MS));
	fd = accept4(listener, (struct sockaddr *)&from, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
	SAY(fd >= 0);
	SAY(len);
	SAY(from.sin_port == name_of(client).sin_port);
	SAY(name_of(fd).sin_port == sin.sin_port);
	say_looks(fd);
	say_looks(client);
	SAY(listen(client, 1));
	SAY(fcntl(listener, F_SETFL, O_NONBLOCK));
	SAY(accept(listener, NULL, NULL));
}

static void data(bool asks)
{
	int fds[2], end, i;
	size_t sum;
	ssize_t n;
	pid_t pid;

	connected(fds, asks);
	for (end = 0; end < 2; end++) {
		SAY(send(fds[end], "hello, stream", 13, 0));
		settle(fds[!end]);
		SAY(ioctl(fds[!end], FIONREAD, &i) ?: i);
		SAY(recv(fds[!end], buf, 5, MSG_PEEK));
		SAY(read(fds[!end], buf, 5));
		SAY(recv(fds[!end], buf, 100, MSG_TRUNC | MSG_DONTWAIT));
		SAY(recv(fds[!end], buf, 100, MSG_DONTWAIT));
		SAY(send(fds[end], "", 0, 0));
		SAY(send(fds[end], (void *)-1L, 10, 0));
		SAY(poll_of(fds[!end], POLLIN | POLLOUT, 0));
	}
	/* A megabyte is sent each way, and every byte is checked. */
	for (end = 0; end < 2; end++) {
		fflush(stdout);
		pid = fork();
		if (!pid) {
			for (i = 0; i < 16; i++) {
				memset(buf, 'a' + i, 65536);
				if (send(fds[end], buf, 65536, 0) != 65536)
					_exit(1);
			}
			_exit(0);
		}
		for (sum = 0; sum < 16 * 65536; sum += n) {
			n = recv(fds[!end], buf, 5000, 0);
			TRUE(n > 0);
			for (i = 0; i < n; i++)
				TRUE(buf[i] == 'a' + (int)((sum + i) / 65536));
		}
		TRUE(waitpid(pid, &i, 0) == pid);
		SAY(i);
		SAY(sum);
	}
	SAY(shutdown(fds[0], SHUT_WR));
	SAY(send(fds[0], "x", 1, MSG_NOSIGNAL));
	SAY(poll_of(fds[1], POLLIN | POLLRDHUP, WAIT_LIMIT_MS));
	SAY(recv(fds[1], buf, 1, 0));
	SAY(send(fds[1], "still", 5, 0));
	SAY(recv(fds[0], buf, 5, MSG_WAITALL));
	SAY(shutdown(fds[1], SHUT_RDWR));
	SAY(poll_of(fds[0], POLLIN | POLLRDHUP, WAIT_LIMIT_MS));
	SAY(shutdown(fds[0], SHUT_RD));
	SAY(get_int(fds[0], SOL_SOCKET, SO_ERROR));
}

static void asking(void)
{
	data(true);
}

static void asked(void)
{
	data(false);
}

static void urgent(void)
{
	int fds[2], mark;
	char c;

	connected(fds, true);
	SAY(recv(fds[0], &c, 1, MSG_OOB));
	SAY(send(fds[1], "abc", 3, 0));
	SAY(send(fds[1], "de", 2, MSG_OOB));
	SAY(poll_of(fds[0], POLLPRI, WAIT_LIMIT_MS));
	SAY(ioctl(fds[0], SIOCATMARK, &mark) ?: mark);
	SAY(recv(fds[0], buf, 100, 0));
	SAY(ioctl(fds[0], SIOCATMARK, &mark) ?: mark);
	SAY(recv(fds[0], &c, 1, MSG_OOB));
	SAY(c);
	SAY(recv(fds[0], &c, 1, MSG_OOB));
	SAY(send(fds[1], "f", 1, 0));
	SAY(recv(fds[0], buf, 100, 0));
	SAY(ioctl(fds[0], SIOCATMARK, &mark) ?: mark);
	SAY(set_int(fds[0], SOL_SOCKET, SO_OOBINLINE, 1));
	SAY(send(fds[1], "gh", 2, MSG_OOB));
	SAY(poll_of(fds[0], POLLPRI, WAIT_LIMIT_MS));
	SAY(recv(fds[0], buf, 100, 0));
	SAY(ioctl(fds[0], SIOCATMARK, &mark) ?: mark);
	SAY(recv(fds[0], buf, 100, 0));
}

static void errors(void)
{
	struct linger reset = { 1, 0 };
	int fds[2], fd = stream_of(proto_a, 0);
	int listener = stream_of(proto_b, 0);
	struct sockaddr_in sin = bind_local(listener);

	/* The peer is bound, and does not listen. */
	SAY(connect_in(fd, sin));
	SAY(get_int(fd, SOL_SOCKET, SO_ERROR));
	close(fd);
	fd = stream_of(proto_a, SOCK_NONBLOCK);
	SAY(connect_in(fd, sin));
	SAY(poll_of(fd, POLLOUT, WAIT_LIMIT_MS));
	SAY(get_int(fd, SOL_SOCKET, SO_ERROR));
	SAY(get_int(fd, SOL_SOCKET, SO_ERROR));
	close(fd);
	/* A connection that is established later is reported. */
	TRUE(!listen(listener, 1));
	fd = stream_of(proto_a, SOCK_NONBLOCK);
	SAY(connect_in(fd, sin));
	SAY(poll_of(fd, POLLOUT, WAIT_LIMIT_MS));
	SAY(get_int(fd, SOL_SOCKET, SO_ERROR));
	SAY(connect_in(fd, sin));
	SAY(connect_in(fd, sin));
	SAY(poll_of(fd, POLLIN | POLLOUT, 0));
	close(fd);
	/* The peer resets the connection. */
	connected(fds, false);
	TRUE(!setsockopt(fds[1], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)));
	close(fds[1]);
	SAY(poll_of(fds[0], POLLIN, WAIT_LIMIT_MS));
	SAY(get_int(fds[0], SOL_SOCKET, SO_ERROR));
	SAY(recv(fds[0], buf, 1, 0));
	SAY(send(fds[0], "x", 1, MSG_NOSIGNAL));
	close(fds[0]);
	/* Unconnected again */
	connected(fds, true);
	SAY(connect(fds[0], &(struct sockaddr){ .sa_family = AF_UNSPEC }, sizeof(struct sockaddr)));
	SAY(poll_of(fds[1], POLLIN, WAIT_LIMIT_MS));
	SAY(recv(fds[1], buf, 1, 0));
	say_looks(fds[0]);
}

/* Returns a socket that has received bytes, all of them. */
static int holding(int *peer, const char *bytes, int len)
{
	int fds[2], n;

	connected(fds, true);
	*peer = fds[1];
	SAY(send(fds[1], bytes, len, 0));
	UNTIL(!ioctl(fds[0], FIONREAD, &n) && n == len);
	return fds[0];
}

/* The end of a connection, and of one direction, with bytes around it */
static void ends(void)
{
	static char much[30000];
	int peer, fd = holding(&peer, "before", 6), pipes[2];

	/* The end is reported while the bytes before it are unread. */
	SAY(shutdown(peer, SHUT_WR));
	SAY(poll_of(fd, POLLRDHUP, WAIT_LIMIT_MS));
	SAY(poll_of(fd, POLLIN | POLLOUT | POLLRDHUP, 0));
	SAY(recv(fd, buf, 100, MSG_WAITALL));
	SAY(recv(fd, buf, 100, 0));
	close(fd);
	close(peer);
	/* Bytes come behind the end that the program itself has made. */
	fd = holding(&peer, "early", 5);
	SAY(shutdown(fd, SHUT_RD));
	SAY(poll_of(fd, POLLIN | POLLOUT | POLLRDHUP, 0));
	SAY(recv(fd, buf, 100, 0));
	SAY(recv(fd, buf, 100, 0));
	SAY(send(peer, "late", 4, 0));
	UNTIL(recv(fd, buf, 100, MSG_PEEK) == 4);
	SAY(recv(fd, buf, 2, 0));
	SAY(recv(fd, buf, 100, 0));
	say_data("late", buf, 2);
	SAY(recv(fd, buf, 100, 0));
	close(fd);
	close(peer);
	/* A socket that was disconnected has no unread bytes, and no end. */
	fd = holding(&peer, "lost", 4);
	SAY(connect(fd, &(struct sockaddr){ .sa_family = AF_UNSPEC }, sizeof(struct sockaddr)));
	SAY(poll_of(fd, POLLIN | POLLOUT | POLLRDHUP, 0));
	SAY(recv(fd, buf, 1, MSG_DONTWAIT));
	SAY(recv(fd, buf, 1, MSG_DONTWAIT));
	SAY(poll_of(fd, POLLIN | POLLOUT | POLLRDHUP, 0));
	close(fd);
	close(peer);
	/* All that is there is spliced at once; and the bytes of TCP can be mapped. */
	fd = holding(&peer, much, sizeof(much));
	TRUE(!pipe(pipes));
	SAY(splice(fd, NULL, pipes[1], NULL, sizeof(much), 0));
	SAY(mmap(NULL, sizeof(buf) & ~4095L, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED);
}

/* The data is sent in pieces, and as several messages in one call. */
static void parts(void)
{
	struct iovec out[3] = { { "abc", 3 }, { "", 0 }, { "defgh", 5 } };
	struct iovec in[2] = { { buf, 2 }, { buf + 100, 50 } };
	struct mmsghdr many[3] = {};
	struct msghdr msg = { .msg_iov = in, .msg_iovlen = 2 };
	int fds[2], i;

	connected(fds, true);
	SAY(writev(fds[0], out, 3));
	settle(fds[1]);
	SAY(readv(fds[1], in, 2));
	say_data("scattered", buf + 100, 6);
	for (i = 0; i < 3; i++)
		many[i].msg_hdr = (struct msghdr){ .msg_iov = out, .msg_iovlen = 3 };
	many[2].msg_hdr.msg_iov = (void *)-1L;
	SAY(sendmmsg(fds[0], many, 3, 0));
	SAY(many[1].msg_len);
	SAY(recv(fds[1], buf, 16, MSG_WAITALL));
	say_data("gathered", buf, 16);
	SAY(send(fds[0], "late", 4, MSG_MORE));
	SAY(send(fds[0], "r", 1, 0));
	SAY(recv(fds[1], buf, 5, MSG_WAITALL));
	SAY(ioctl(fds[1], FIONREAD, &i) ?: i);
	SAY(send(fds[0], "one", 3, 0));
	settle(fds[1]);
	SAY(recvmsg(fds[1], &msg, MSG_TRUNC));
	SAY(msg.msg_flags);
	SAY(msg.msg_namelen);
	SAY(sendto(fds[0], "x", 1, 0, (struct sockaddr *)buf, 4));
	SAY(recv(fds[1], buf, 1, MSG_WAITALL));
	SAY(recv(fds[1], (void *)-1L, 1, MSG_DONTWAIT));
}

static void waiting(void)
{
	struct timeval limit = { .tv_usec = 20000 };
	int fds[2], listener = stream_of(proto_a, 0), epoll = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET };
	pid_t pid;
	ssize_t n;
	long sum = 0;

	/* Limits */
	bind_local(listener);
	TRUE(!listen(listener, 1));
	SAY(setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)));
	SAY(accept(listener, NULL, NULL));
	connected(fds, true);
	SAY(setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)));
	SAY(recv(fds[0], buf, 1, 0));
	SAY(recv(fds[1], buf, 1, MSG_DONTWAIT));
	/* Edges */
	SAY(epoll_ctl(epoll, EPOLL_CTL_ADD, fds[0], &event));
	SAY(epoll_wait(epoll, &event, 1, WAIT_LIMIT_MS));
	SAY(event.events);
	SAY(epoll_wait(epoll, &event, 1, 0));
	SAY(send(fds[1], "x", 1, 0));
	SAY(epoll_wait(epoll, &event, 1, WAIT_LIMIT_MS));
	SAY(event.events);
	SAY(epoll_wait(epoll, &event, 1, 0));
	SAY(recv(fds[0], buf, 10, 0));
	/* The buffer is full, and has room again. */
	do {
		n = send(fds[0], buf, sizeof(buf), MSG_DONTWAIT);
		sum += n < 0 ? 0 : n;
	} while (n > 0);
	TRUE(errno == EAGAIN);
	for (; sum; sum -= n)
		TRUE((n = recv(fds[1], buf, sizeof(buf), 0)) > 0);
	SAY(poll_of(fds[0], POLLOUT, WAIT_LIMIT_MS));
	/* Data wakes a reader, and so does the end. */
	limit.tv_usec = 0;
	TRUE(!setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		UNTIL(process_sleeps(getppid()));
		send(fds[1], "woken", 5, 0);
		UNTIL(process_sleeps(getppid()));
		shutdown(fds[1], SHUT_WR);
		_exit(0);
	}
	SAY(recv(fds[0], buf, 100, 0));
	SAY(recv(fds[0], buf, 100, 0));
	SAY(waitpid(pid, NULL, 0) == pid);
}

/* Sends a descriptor to this process, and closes the original. */
static int passed(int fd)
{
	union {
		struct cmsghdr hdr;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .hdr = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec iov = { buf, 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int pair[2];

	TRUE(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	memcpy(CMSG_DATA(&control.hdr), &fd, sizeof(fd));
	TRUE(sendmsg(pair[0], &msg, 0) == 1);
	TRUE(!close(fd));
	TRUE(recvmsg(pair[1], &msg, 0) == 1);
	memcpy(&fd, CMSG_DATA(&control.hdr), sizeof(fd));
	close(pair[0]);
	close(pair[1]);
	return fd;
}

/* Receives the data that a child sends, and prints it. */
static void take_much(int fd)
{
	size_t sum;
	ssize_t n;

	for (sum = 0; sum < MUCH; sum += n) {
		n = recv(fd, buf, sizeof(buf), 0);
		TRUE(n > 0);
		for (ssize_t i = 0; i < n; i++)
			TRUE(buf[i] == (char)((sum + i) % 251));
	}
	SAY(sum);
}

static void sharing(void)
{
	int fds[2], pipes[2], file = memfd_create("much", 0);
	off_t at = 0;
	char *map;
	pid_t pid;
	int i;

	TRUE(file >= 0 && !ftruncate(file, MUCH));
	map = mmap(NULL, MUCH, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	TRUE(map != MAP_FAILED);
	for (i = 0; i < MUCH; i++)
		map[i] = i % 251;
	connected(fds, true);
	/* A socket is passed on, and a copy outlives it. */
	fds[0] = passed(fds[0]);
	SAY(fcntl(fds[0], F_GETFL));
	i = dup(fds[0]);
	TRUE(!close(fds[0]));
	fds[0] = i;
	SAY(send(fds[0], "dup", 3, 0));
	SAY(recv(fds[1], buf, 3, MSG_WAITALL));
	/* A child sends files while its parent reads. */
	fflush(stdout);
	pid = fork();
	if (!pid) {
		while (at < MUCH)
			if (sendfile(fds[0], file, &at, MUCH - at) <= 0)
				_exit(1);
		_exit(0);
	}
	take_much(fds[1]);
	TRUE(waitpid(pid, &i, 0) == pid);
	SAY(i);
	/* The bytes pass through a pipe. */
	TRUE(!pipe(pipes));
	SAY(write(pipes[1], map, 5000));
	SAY(splice(pipes[0], NULL, fds[0], NULL, 5000, 0));
	SAY(recv(fds[1], buf, 5000, MSG_WAITALL));
	say_data("spliced out", buf, 5000);
	SAY(send(fds[0], map + 5000, 3000, 0));
	settle(fds[1]);
	SAY(splice(fds[1], NULL, pipes[1], NULL, 3000, 0));
	SAY(read(pipes[0], buf, 5000));
	say_data("spliced in", buf, 3000);
	SAY(fcntl(fds[1], F_SETFL, O_NONBLOCK));
	SAY(splice(fds[1], NULL, pipes[1], NULL, 3000, 0));
	SAY(fcntl(fds[1], F_SETFL, 0));
	SAY(tee(fds[1], pipes[1], 1, 0));
	SAY(sendfile(file, fds[1], NULL, 10));
	/* The last user of two closes the socket. */
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		_exit(write(fds[0], "child", 5) != 5);
	}
	close(fds[0]);
	TRUE(waitpid(pid, &i, 0) == pid);
	SAY(i);
	SAY(recv(fds[1], buf, 100, MSG_WAITALL));
	SAY(recv(fds[1], buf, 100, 0));
}

static const struct {
	const char *name;
	int level, option, value;
} options_of[] = {
#define OPTION(level, option, value) { #option, level, option, value }
	OPTION(SOL_SOCKET, SO_KEEPALIVE, 1),
	OPTION(SOL_SOCKET, SO_OOBINLINE, 1),
	OPTION(SOL_SOCKET, SO_PRIORITY, 3),
	OPTION(SOL_SOCKET, SO_RCVBUF, 40000),
	OPTION(SOL_SOCKET, SO_RCVLOWAT, 10),
	OPTION(SOL_SOCKET, SO_REUSEADDR, 1),
	OPTION(SOL_SOCKET, SO_REUSEPORT, 1),
	OPTION(SOL_SOCKET, SO_SNDBUF, 40000),
	OPTION(SOL_SOCKET, SO_ZEROCOPY, 1),
	OPTION(SOL_IP, IP_TOS, 8),
	OPTION(SOL_IP, IP_TTL, 33),
	OPTION(SOL_IP, IP_RECVERR, 1),
	OPTION(SOL_TCP, TCP_CORK, 1),
	OPTION(SOL_TCP, TCP_DEFER_ACCEPT, 3),
	OPTION(SOL_TCP, TCP_FASTOPEN, 5),
	OPTION(SOL_TCP, TCP_KEEPCNT, 4),
	OPTION(SOL_TCP, TCP_KEEPIDLE, 100),
	OPTION(SOL_TCP, TCP_KEEPINTVL, 20),
	OPTION(SOL_TCP, TCP_LINGER2, 7),
	OPTION(SOL_TCP, TCP_MAXSEG, 1000),
	OPTION(SOL_TCP, TCP_NODELAY, 1),
	OPTION(SOL_TCP, TCP_NOTSENT_LOWAT, 9000),
	OPTION(SOL_TCP, TCP_SYNCNT, 2),
	OPTION(SOL_TCP, TCP_USER_TIMEOUT, 5000),
	OPTION(SOL_TCP, TCP_WINDOW_CLAMP, 30000),
	OPTION(SOL_TCP, 999, 1),
	OPTION(999, 1, 1),
#undef OPTION
};

static void say_options(int fd)
{
	struct linger linger = {};
	struct tcp_info info;
	socklen_t len;
	size_t i;

	for (i = 0; i < COUNT(options_of); i++) {
		printf("%s: ", options_of[i].name);
		SAY(get_int(fd, options_of[i].level, options_of[i].option));
	}
	len = sizeof(linger);
	SAY(getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &len));
	SAY(linger.l_linger);
	len = sizeof(buf);
	SAY(getsockopt(fd, SOL_TCP, TCP_CONGESTION, buf, &len));
	printf("%u: %s\n", len, buf);
	len = sizeof(info);
	SAY(getsockopt(fd, SOL_TCP, TCP_INFO, &info, &len));
	SAY(info.tcpi_state);
	len = sizeof(buf);
	SAY(getsockopt(fd, SOL_TCP, TCP_ULP, buf, &len));
	SAY(len);
}

/*
 * Options are set and read back, and a connection inherits its listener's
 * values.
 */
static void options(void)
{
	int listener = stream_of(proto_a, 0), client = stream_of(proto_b, 0);
	struct linger linger = { 1, 3 };
	size_t i;

	say_options(listener);
	for (i = 0; i < COUNT(options_of); i++) {
		printf("%s: ", options_of[i].name);
		SAY(set_int(listener, options_of[i].level, options_of[i].option,
			    options_of[i].value));
	}
	SAY(setsockopt(listener, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)));
	SAY(setsockopt(listener, SOL_TCP, TCP_CONGESTION, "reno", 4));
	SAY(setsockopt(listener, SOL_TCP, TCP_CONGESTION, "none", 4));
	SAY(setsockopt(listener, SOL_TCP, TCP_ULP, "none", 4));
	say_options(listener);
	bind_local(listener);
	TRUE(!listen(listener, 1));
	TRUE(!connect_in(client, name_of(listener)));
	/* TCP_DEFER_ACCEPT makes accept() wait for data. */
	TRUE(send(client, "x", 1, 0) == 1);
	say_options(accept(listener, NULL, NULL));
}

static void fast_open(void)
{
	struct sockaddr_in sin;
	struct name to;
	int listener = stream_of(proto_b, 0), fd = stream_of(proto_a, 0), peer;

	sin = bind_local(listener);
	to = spelled(sin);
	TRUE(!listen(listener, 1));
	SAY(sendto(fd, "first", 5, MSG_FASTOPEN, &to.sa, to.len));
	peer = accept(listener, NULL, NULL);
	TRUE(peer >= 0);
	SAY(recv(peer, buf, 5, MSG_WAITALL));
	SAY(sendto(fd, "again", 5, MSG_FASTOPEN, &to.sa, to.len));
	close(fd);
	fd = stream_of(proto_a, 0);
	SAY(set_int(fd, SOL_TCP, TCP_FASTOPEN_CONNECT, 1));
	SAY(connect_in(fd, sin));
	SAY(send(fd, "later", 5, 0));
	peer = accept(listener, NULL, NULL);
	TRUE(peer >= 0);
	SAY(recv(peer, buf, 5, MSG_WAITALL));
}

static const struct same_case cases[] = {
	{ "fresh", fresh },
	{ "names", names },
	{ "asking", asking },
	{ "asked", asked },
	{ "urgent", urgent },
	{ "errors", errors },
	{ "ends", ends },
	{ "in-pieces", parts },
	{ "waiting", waiting },
	{ "sharing", sharing },
	{ "options", options },
	{ "fast-open", fast_open },
	{}
};

int main(int argc, char **argv)
{
	return same_main(argc, argv, cases);
}
