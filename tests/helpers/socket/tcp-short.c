// SPDX-License-Identifier: GPL-2.0-only
/*
 * tcp-short.c - bytes that pass the short way between two TCP sockets of one host, and
 * others by TCP beside them; the results of the calls are printed
 *
 * "tcp-short CASE PROTOCOL PROTOCOL [SPELLING]": the socket tested, and its peer.
 */
#include "tcp-same.h"

#include <signal.h>
#include <stddef.h>

#define MUCH	300000

/* A message that TCP sends: the next one does not wait for it. */
static void by_tcp(int fd, const char *text)
{
	TRUE(send(fd, text, strlen(text), MSG_MORE) == (ssize_t)strlen(text));
	TRUE(!set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1));
}

static void shortly(int fd, const char *text)
{
	TRUE(send(fd, text, strlen(text), 0) == (ssize_t)strlen(text));
}

/* Waits until the given number of bytes are there, and prints what was read. */
static void say_read(int fd, int there, size_t len, int flags)
{
	char got[200] = "";
	int n = 0;

	UNTIL(!ioctl(fd, SIOCINQ, &n) && n == there);
	n = recv(fd, got, len, flags);
	printf("%d of %d bytes: %s\n", n, there, got);
}

static void early(void)
{
	int listener = stream_of(proto_b, 0), client = stream_of(proto_a, 0), peer;
	struct sockaddr_in sin = bind_local(listener);

	TRUE(!listen(listener, 1) && !connect_in(client, sin));
	/* The peer has no socket yet. */
	shortly(client, "early ");
	peer = accept(listener, NULL, NULL);
	shortly(client, "short ");
	say_read(peer, 12, 3, 0);
	say_read(peer, 9, 100, MSG_PEEK);
	by_tcp(client, "tcp ");
	shortly(client, "last");
	say_read(peer, 17, 5, 0);
	say_read(peer, 12, 100, 0);
}

static void mixed(void)
{
	int fds[2];

	connected(fds, true);
	shortly(fds[1], "one ");
	say_read(fds[0], 4, 2, MSG_PEEK);
	by_tcp(fds[1], "two ");
	shortly(fds[1], "three ");
	by_tcp(fds[1], "four ");
	say_read(fds[0], 19, 6, 0);
	shortly(fds[1], "five");
	say_read(fds[0], 17, 3, 0);
	say_read(fds[0], 14, 100, 0);
	shortly(fds[1], "six");
	say_read(fds[0], 3, 2, MSG_TRUNC);
	say_read(fds[0], 1, 10, 0);
	SAY(recv(fds[0], buf, 1, MSG_DONTWAIT));
}

/* A reader that waits since before its connection was accepted. */
static void greeting(void)
{
	int listener = stream_of(proto_b, 0), client, peer, status;
	struct sockaddr_in sin = bind_local(listener);
	pid_t pid;

	TRUE(!listen(listener, 1));
	client = stream_of(proto_a, 0);
	TRUE(!connect_in(client, sin));
	pid = fork();
	if (!pid)
		exit(recv(client, buf, 100, 0));
	UNTIL(process_sleeps(pid));
	peer = accept(listener, NULL, NULL);
	shortly(peer, "welcome");
	TRUE(waitpid(pid, &status, 0) == pid);
	SAY(WEXITSTATUS(status));
}

static void unread(void)
{
	int fds[2];

	connected(fds, true);
	shortly(fds[1], "unread");
	shortly(fds[0], "waiting");
	say_read(fds[0], 6, 2, 0);
	SAY(close(fds[0]));
	SAY(poll_of(fds[1], POLLIN, WAIT_LIMIT_MS));
	/* The bytes that came before the reset are read before it is reported. */
	SAY(recv(fds[1], buf, 100, 0));
	SAY(recv(fds[1], buf, 100, 0));
	SAY(recv(fds[1], buf, 100, 0));
	SAY(send(fds[1], "x", 1, MSG_NOSIGNAL));
}

static void ends(void)
{
	int fds[2];

	connected(fds, true);
	shortly(fds[1], "before the end");
	SAY(shutdown(fds[1], SHUT_WR));
	SAY(send(fds[1], "x", 1, MSG_NOSIGNAL));
	UNTIL(poll_of(fds[0], POLLRDHUP, 0));
	SAY(poll_of(fds[0], POLLIN | POLLRDHUP, 0));
	say_read(fds[0], 14, 100, 0);
	SAY(recv(fds[0], buf, 100, 0));
	shortly(fds[0], "an answer");
	say_read(fds[1], 9, 100, 0);
	SAY(shutdown(fds[0], SHUT_RD));
	SAY(recv(fds[0], buf, 100, 0));
	SAY(close(fds[0]));
	SAY(recv(fds[1], buf, 100, 0));
}

static void killed(void)
{
	int fds[2];
	pid_t pid;

	connected(fds, true);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		shortly(fds[1], "the last words");
		pause();
	}
	close(fds[1]);
	say_read(fds[0], 14, 3, 0);
	TRUE(!kill(pid, SIGKILL) && waitpid(pid, NULL, 0) == pid);
	UNTIL(poll_of(fds[0], POLLRDHUP, 0));
	say_read(fds[0], 11, 100, 0);
	SAY(recv(fds[0], buf, 100, 0));
}

static void waiting(void)
{
	const struct timeval soon = { .tv_usec = 100000 };
	int fds[2], status;
	pid_t pid;

	connected(fds, true);
	SAY(set_int(fds[0], SOL_SOCKET, SO_RCVLOWAT, 4));
	shortly(fds[1], "abc");
	SAY(poll_of(fds[0], POLLIN, 0));
	by_tcp(fds[1], "d");
	SAY(poll_of(fds[0], POLLIN, WAIT_LIMIT_MS));
	say_read(fds[0], 4, 100, 0);
	SAY(set_int(fds[0], SOL_SOCKET, SO_RCVLOWAT, 1));
	TRUE(!setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon)));
	SAY(recv(fds[0], buf, 100, 0));
	shortly(fds[1], "some");
	SAY(recv(fds[0], buf, 100, MSG_WAITALL));
	TRUE(!setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){ 0 }, sizeof(soon)));
	pid = fork();
	if (!pid) {
		TRUE(recv(fds[0], buf, 6, MSG_WAITALL | MSG_PEEK) == 6);
		TRUE(recv(fds[0], buf, 9, MSG_WAITALL) == 9);
		exit(!!memcmp(buf, "onetwosix", 9));
	}
	UNTIL(process_sleeps(pid));
	shortly(fds[1], "one");
	UNTIL(process_sleeps(pid));
	by_tcp(fds[1], "two");
	UNTIL(process_sleeps(pid));
	shortly(fds[1], "six");
	TRUE(waitpid(pid, &status, 0) == pid);
	SAY(status);
}

/* A call that read some bytes leaves the reset to the next one. */
static void reset(void)
{
	const struct linger none = { .l_onoff = 1 };
	int fds[2], status;
	pid_t pid;

	connected(fds, true);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		SAY(recv(fds[0], buf, 100, MSG_WAITALL));
		SAY(recv(fds[0], buf, 100, 0));
		SAY(recv(fds[0], buf, 100, 0));
		exit(0);
	}
	UNTIL(process_sleeps(pid));
	shortly(fds[1], "half of it");
	UNTIL(process_sleeps(pid));
	TRUE(!setsockopt(fds[1], SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
	close(fds[1]);
	TRUE(waitpid(pid, &status, 0) == pid && !status);
}

/* A reader that waits for four bytes is woken by those that come either way. */
static void enough(void)
{
	int fds[2], status;
	pid_t pid;

	connected(fds, true);
	shortly(fds[1], "x");
	say_read(fds[0], 1, 1, 0);
	TRUE(!set_int(fds[0], SOL_SOCKET, SO_RCVLOWAT, 4));
	pid = fork();
	if (!pid)
		exit(recv(fds[0], buf, 100, 0));
	UNTIL(process_sleeps(pid));
	shortly(fds[1], "abc");
	by_tcp(fds[1], "d");
	TRUE(waitpid(pid, &status, 0) == pid);
	SAY(WEXITSTATUS(status));
}

/* A receiver that has ended both directions resets the connection. */
static void refused(void)
{
	int fds[2];

	connected(fds, true);
	SAY(shutdown(fds[0], SHUT_RDWR));
	UNTIL(poll_of(fds[1], POLLRDHUP, 0));
	SAY(send(fds[1], "x", 1, MSG_NOSIGNAL));
	UNTIL(poll_of(fds[1], POLLERR | POLLHUP, 0) & (POLLERR | POLLHUP));
	SAY(send(fds[1], "x", 1, MSG_NOSIGNAL));
}

/* A connection that failed leaves nothing to the next one of its socket. */
static void failed(void)
{
	const struct linger none = { .l_onoff = 1 };
	int first = stream_of(proto_b, 0), second = stream_of(proto_b, 0), peer;
	int fd = stream_of(proto_a, SOCK_NONBLOCK);
	struct sockaddr_in sin = bind_local(first), other = bind_local(second);

	TRUE(!listen(first, 1) && !listen(second, 1));
	SAY(connect_in(fd, sin));
	peer = accept(first, NULL, NULL);
	shortly(peer, "of the first");
	TRUE(!setsockopt(peer, SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
	close(peer);
	UNTIL(poll_of(fd, POLLHUP, 0) & POLLHUP);
	SAY(connect_in(fd, other) < 0);
	SAY(connect_in(fd, other) < 0 && errno != EINPROGRESS);
	peer = accept(second, NULL, NULL);
	shortly(peer, "of the second");
	TRUE(poll_of(fd, POLLIN, WAIT_LIMIT_MS) & POLLIN);
	say_read(fd, 13, 100, 0);
}

/* Each message is an event of its own. */
static void edges(void)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };
	int fds[2], ep = epoll_create1(0), i;

	connected(fds, true);
	TRUE(!epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &ev));
	SAY(epoll_wait(ep, &ev, 1, 0));
	for (i = 0; i < 3; i++) {
		shortly(fds[1], "edge");
		SAY(epoll_wait(ep, &ev, 1, WAIT_LIMIT_MS));
		SAY(epoll_wait(ep, &ev, 1, 0));
		SAY(recv(fds[0], buf, 2, 0));
	}
	SAY(close(fds[1]));
	SAY(epoll_wait(ep, &ev, 1, WAIT_LIMIT_MS));
	SAY(ev.events);
	SAY(recv(fds[0], buf, 100, 0));
	SAY(recv(fds[0], buf, 100, 0));
}

static uint64_t info_of(int fd, size_t at)
{
	char info[256] = "";
	socklen_t len = sizeof(info);
	uint64_t value;

	TRUE(!getsockopt(fd, SOL_TCP, TCP_INFO, info, &len));
	memcpy(&value, info + at, sizeof(value));
	return value;
}

/* The C library's struct tcp_info ends before these: linux/tcp.h has them. */
#define BYTES_ACKED	120
#define BYTES_RECEIVED	128

static void counts(void)
{
	uint64_t acked, received;
	int fds[2], n;

	connected(fds, true);
	acked = info_of(fds[1], BYTES_ACKED);
	received = info_of(fds[0], BYTES_RECEIVED);
	shortly(fds[1], "0123456789");
	by_tcp(fds[1], "01234");
	shortly(fds[1], "0123456789");
	say_read(fds[0], 25, 100, 0);
	UNTIL(info_of(fds[1], BYTES_ACKED) - acked == 25);
	SAY(info_of(fds[0], BYTES_RECEIVED) - received);
	SAY(ioctl(fds[1], SIOCOUTQ, &n) ?: n);
}

/* A socket that is disconnected and connected again. */
static void again(void)
{
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	int listener = stream_of(proto_b, 0), fd = stream_of(proto_a, 0), peer, other;
	struct sockaddr_in sin = bind_local(listener);

	TRUE(!listen(listener, 5) && !connect_in(fd, sin));
	peer = accept(listener, NULL, NULL);
	shortly(peer, "never read");
	shortly(fd, "read");
	SAY(connect(fd, &none, sizeof(none)));
	SAY(recv(fd, buf, 100, 0));
	SAY(recv(peer, buf, 100, 0));
	SAY(recv(peer, buf, 100, 0));
	SAY(connect_in(fd, sin));
	other = accept(listener, NULL, NULL);
	shortly(other, "new");
	say_read(fd, 3, 100, 0);
	shortly(fd, "newer");
	say_read(other, 5, 100, 0);
}

/* All that is written until the buffers are full is read, and makes room. */
static void full(void)
{
	static char block[5000];
	struct epoll_event ev = { .events = EPOLLOUT | EPOLLET };
	size_t sent = 0, got = 0, i;
	int fds[2], ep = epoll_create1(0);
	ssize_t n;

	connected(fds, true);
	TRUE(!fcntl(fds[1], F_SETFL, O_NONBLOCK));
	for (;;) {
		for (i = 0; i < sizeof(block); i++)
			block[i] = (sent + i) % 251;
		n = send(fds[1], block, sizeof(block), 0);
		if (n < 0)
			break;
		sent += n;
	}
	SAY(n);
	SAY(sent > MUCH);
	SAY(poll_of(fds[1], POLLOUT, 0));
	TRUE(!epoll_ctl(ep, EPOLL_CTL_ADD, fds[1], &ev));
	SAY(epoll_wait(ep, &ev, 1, 0));
	while (got < sent) {
		n = recv(fds[0], buf, 7001, 0);
		TRUE(n > 0);
		for (i = 0; i < (size_t)n; i++)
			TRUE((unsigned char)buf[i] == (got + i) % 251);
		got += n;
	}
	SAY(epoll_wait(ep, &ev, 1, WAIT_LIMIT_MS));
	SAY(send(fds[1], "x", 1, 0));
	SAY(recv(fds[0], buf, 100, 0));
}

/* Small buffers are as full as the program has asked. */
static void small(void)
{
	int fds[2], size = 8192;
	size_t sent = 0;
	ssize_t n;

	connected(fds, true);
	TRUE(!setsockopt(fds[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)));
	TRUE(!fcntl(fds[1], F_SETFL, O_NONBLOCK));
	while ((n = send(fds[1], buf, 1000, 0)) > 0)
		sent += n;
	SAY(sent < 4 * MUCH);
}

static void spliced(void)
{
	int fds[2], p[2];
	ssize_t n, all = 0;

	connected(fds, true);
	TRUE(!pipe(p));
	shortly(fds[1], "short ");
	by_tcp(fds[1], "tcp ");
	shortly(fds[1], "short again");
	TRUE(!shutdown(fds[1], SHUT_WR));
	while ((n = splice(fds[0], NULL, p[1], NULL, 1000, 0)) > 0)
		all += n;
	SAY(n);
	SAY(all);
	TRUE(read(p[0], buf, all) == all);
	say_data("spliced", buf, all);
	TRUE(!fcntl(fds[0], F_SETFL, O_NONBLOCK));
	SAY(splice(fds[0], NULL, p[1], NULL, 1000, 0));
}

/* The error behind the mark of urgent data is left by a call that splices the bytes before. */
static void spliced_to_mark(void)
{
	const struct linger none = { .l_onoff = 1 };
	struct pollfd poll_end = { .events = POLLIN };
	int fds[2], p[2];

	connected(fds, true);
	TRUE(!pipe(p));
	TRUE(!set_int(fds[0], SOL_SOCKET, SO_OOBINLINE, 1));
	TRUE(send(fds[1], "abc!", 4, MSG_OOB) == 4);
	TRUE(!setsockopt(fds[1], SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
	close(fds[1]);
	poll_end.fd = fds[0];
	UNTIL(poll(&poll_end, 1, 0) == 1 && poll_end.revents & POLLERR);
	SAY(splice(fds[0], NULL, p[1], NULL, 1000, 0));
	SAY(poll(&poll_end, 1, 0) == 1 && poll_end.revents & POLLERR);
	SAY(splice(fds[0], NULL, p[1], NULL, 1000, 0));
}

/* Bytes of both ways before the mark are spliced by one call. */
static void spliced_before_mark(void)
{
	char byte = 1;
	int fds[2], p[2];

	connected(fds, true);
	TRUE(!pipe(p));
	by_tcp(fds[1], "tcp ");
	shortly(fds[1], "short ");
	TRUE(send(fds[1], &byte, 1, MSG_OOB) == 1);
	UNTIL(recv(fds[0], &byte, 1, MSG_OOB) == 1);
	SAY(splice(fds[0], NULL, p[1], NULL, 8192, 0));
}

/* The end of a connection has the control messages that the program asked for. */
static void end_with_control(void)
{
	const struct linger none = { .l_onoff = 1 };
	struct pollfd poll_end = { .events = POLLIN };
	struct iovec iov = { .iov_base = buf, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	int fds[2], error;
	socklen_t len = sizeof(error);

	connected(fds, true);
	TRUE(!set_int(fds[0], IPPROTO_TCP, TCP_INQ, 1));
	TRUE(!setsockopt(fds[1], SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
	close(fds[1]);
	poll_end.fd = fds[0];
	UNTIL(poll(&poll_end, 1, 0) == 1 && poll_end.revents & POLLERR);
	TRUE(!getsockopt(fds[0], SOL_SOCKET, SO_ERROR, &error, &len));
	SAY(recvmsg(fds[0], &msg, 0));
	SAY(msg.msg_flags);
}

static const struct same_case cases[] = {
	{ "early", early },
	{ "mixed", mixed },
	{ "greeting", greeting },
	{ "unread", unread },
	{ "ends", ends },
	{ "killed", killed },
	{ "waiting", waiting },
	{ "reset", reset },
	{ "enough", enough },
	{ "refused", refused },
	{ "failed", failed },
	{ "edges", edges },
	{ "counts", counts },
	{ "again", again },
	{ "full", full },
	{ "small", small },
	{ "spliced", spliced },
	{ "spliced-to-mark", spliced_to_mark },
	{ "spliced-before-mark", spliced_before_mark },
	{ "end-with-control", end_with_control },
	{}
};

int main(int argc, char **argv)
{
	return same_main(argc, argv, cases);
}
