// SPDX-License-Identifier: GPL-2.0-only
/* udp-calls.c - the system calls on UDP sockets, good and bad */
#include "udp-same.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>

static const int sizes[] = { 0, 1, 2, 3, 100, 1471, 1472, 1473, 3000, 4095,
	4096, 4097, 9000, 16000, 16384, 32768, 60000, 65506, 65507 };

static void fill(size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = i * 13 + i / 255 + len;
}

static void run_fresh(void)
{
	int fd = sock_a();
	struct stat st;

	SAY(get_int(fd, SOL_SOCKET, SO_TYPE));
	SAY(get_int(fd, SOL_SOCKET, SO_DOMAIN));
	SAY(get_int(fd, SOL_SOCKET, SO_PROTOCOL));
	SAY(get_int(fd, SOL_SOCKET, SO_ACCEPTCONN));
	SAY(get_int(fd, SOL_SOCKET, SO_ERROR));
	SAY(fcntl(fd, F_GETFL));
	SAY(fcntl(fd, F_GETFD));
	SAY(fstat(fd, &st));
	printf("mode %o, %ld bytes\n", st.st_mode, (long)st.st_size);
	SAY(poll_of(fd, POLLIN | POLLOUT | POLLPRI | POLLRDHUP, 0));
	SAY(ntohs(name_of(fd).sin_port));
	SAY(listen(fd, 1));
	SAY(accept(fd, NULL, NULL));
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(shutdown(fd, SHUT_RD));
	SAY(recv(fd, buf, 1, MSG_DONTWAIT));
	close(fd);
	fd = socket(spelling == AS_INET ? AF_INET : AF_INET6,
		    SOCK_DGRAM | SOCK_NONBLOCK, proto_a);
	SAY(fcntl(fd, F_GETFL) & O_NONBLOCK);
	SAY(recv(fd, buf, 1, 0));
	close(fd);
}

static void run_data(void)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in to = bind_local(b), from = bind_local(a), got;
	socklen_t len;
	unsigned int i;
	long n;

	for (i = 0; i < COUNT(sizes); i++) {
		fill(sizes[i]);
		SAY(send_in(a, buf, sizes[i], to));
		memset(buf, 0, sizeof(buf));
		SAY(n = recv_in(b, buf, sizeof(buf), &got, &len));
		say_data("one way", buf, n);
		SAY(len);
		SAY(got.sin_port == from.sin_port &&
		    got.sin_addr.s_addr == from.sin_addr.s_addr);
		fill(sizes[i]);
		SAY(send_in(b, buf, sizes[i], from));
		memset(buf, 0, sizeof(buf));
		SAY(n = recv(a, buf, sizeof(buf), 0));
		say_data("back", buf, n);
	}
	/*
	 * The data is not aligned to the words that checksums are computed
	 * over.
	 */
	for (i = 1; i < 9; i++) {
		fill(1000);
		SAY(send_in(a, buf + i, 100 + i, to));
		SAY(n = recv(b, buf + 1, sizeof(buf) - 1, 0));
		say_data("unaligned", buf + 1, n);
	}
	close(a);
	close(b);
}

static void run_parts(void)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in to = bind_local(b), from = bind_local(a);
	struct name name = spelled(to);
	struct iovec iov[5];
	struct msghdr msg = { .msg_name = &name, .msg_namelen = name.len,
			      .msg_iov = iov, .msg_iovlen = COUNT(iov) };
	unsigned int i;
	long n;

	fill(50000);
	for (i = 0; i < COUNT(iov); i++) {
		iov[i].iov_base = buf + 5000 * i;
		iov[i].iov_len = 1 + 1111 * i;
	}
	SAY(sendmsg(a, &msg, 0));
	memset(buf, 0, sizeof(buf));
	SAY(n = recv(b, buf, sizeof(buf), 0));
	say_data("gathered", buf, n);
	fill(11115);
	SAY(send_in(b, buf, 11115, from));
	memset(buf, 0, sizeof(buf));
	msg.msg_name = NULL;
	msg.msg_namelen = 0;
	SAY(n = recvmsg(a, &msg, 0));
	for (i = 0; i < COUNT(iov); i++)
		say_data("scattered", iov[i].iov_base, iov[i].iov_len);
	SAY(msg.msg_flags);
	SAY(connect_in(a, to));
	SAY(write(a, "written", 7));
	SAY(writev(a, iov, 3));
	SAY(read(b, buf, 100));
	SAY(read(b, buf, 100));
	close(a);
	close(b);
}

static void run_short(void)
{
	int a = sock_a(), b = sock_b(), i;
	struct sockaddr_in to = bind_local(a);
	struct iovec iov = { buf, 10 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	for (i = 0; i < 12; i++)
		SAY(send_in(b, "0123456789abcdef", 16, to));
	SAY(recv(a, buf, 10, MSG_PEEK));
	SAY(recv(a, buf, 10, MSG_PEEK | MSG_TRUNC));
	SAY(recv(a, buf, 10, MSG_TRUNC));
	SAY(recv(a, buf, 10, 0));
	SAY(recv(a, buf, 0, 0));
	SAY(recvmsg(a, &msg, 0));
	SAY(msg.msg_flags);
	iov.iov_len = 16;
	SAY(recvmsg(a, &msg, MSG_PEEK));
	SAY(msg.msg_flags);
	SAY(recvmsg(a, &msg, MSG_TRUNC));
	SAY(msg.msg_flags);
	iov.iov_len = 15;
	SAY(recvmsg(a, &msg, MSG_TRUNC));
	SAY(msg.msg_flags);
	SAY(recv(a, buf, 10, MSG_OOB));
	SAY(recv(a, buf, 100, MSG_WAITALL));
	SAY(read(a, buf, 0));
	SAY(read(a, buf, 5));
	SAY(recv(a, (void *)16, 10, 0));
	SAY(recv(a, buf, 10, MSG_DONTWAIT));
	close(a);
	close(b);
}

static void run_peek_offset(void)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in to = bind_local(a);

	SAY(set_int(a, SOL_SOCKET, SO_PEEK_OFF, 0));
	SAY(send_in(b, "abcdef", 6, to));
	SAY(send_in(b, "ghi", 3, to));
	settle(a);
	SAY(recv(a, buf, 2, MSG_PEEK));
	say_data("first", buf, 2);
	SAY(recv(a, buf, 3, MSG_PEEK));
	say_data("then", buf, 3);
	SAY(get_int(a, SOL_SOCKET, SO_PEEK_OFF));
	SAY(recv(a, buf, 10, 0));
	say_data("all", buf, 6);
	SAY(get_int(a, SOL_SOCKET, SO_PEEK_OFF));
	SAY(recv(a, buf, 10, MSG_PEEK));
	SAY(recv(a, buf, 10, 0));
	close(a);
	close(b);
}

static void run_send_errors(void)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in to = bind_local(b), bad;

	SAY(send(a, "x", 1, 0));
	SAY(sendto(a, "x", 1, 0, (struct sockaddr *)&to, 8));
	bad = to;
	bad.sin_port = 0;
	SAY(send_in(a, "x", 1, bad));
	bad = to;
	bad.sin_family = AF_UNIX;
	SAY(send_in(a, "x", 1, bad));
	bad.sin_family = AF_UNSPEC;
	SAY(send_in(a, "x", 1, bad));
	SAY(recv(b, buf, 10, 0));
	SAY(send_in(a, buf, 65508, to));
	SAY(send_in(a, buf, 65536, to));
	SAY(send_in(a, buf, 70000, to));
	SAY(sendto(a, "x", 1, MSG_OOB, (struct sockaddr *)&to, sizeof(to)));
	SAY(send_in(a, (void *)16, 1, to));
	SAY(send_in(a, (void *)16, 20000, to));
	SAY(send_in(a, (void *)16, 0, to));
	SAY(recv(b, buf, 10, 0));
	SAY(connect_in(a, inet(INADDR_LOOPBACK, 0)));
	SAY(send(a, "x", 1, 0));
	SAY(send(a, "x", 1, MSG_MORE));
	SAY(send(a, "x", 1, 0));
	close(a);
	a = sock_a();
	SAY(send_in(a, "x", 1, inet(INADDR_BROADCAST, 9)));
	SAY(send_in(a, "x", 1, inet(0x7fffffff, 9)));
	SAY(set_int(a, SOL_SOCKET, SO_BROADCAST, 1));
	SAY(send_in(a, "x", 1, inet(0x7fffffff, 9)));
	SAY(send_in(a, "x", 1, inet(0x7fffffff, 9)));
	SAY(set_int(a, SOL_SOCKET, SO_BROADCAST, 0));
	SAY(send_in(a, "x", 1, inet(0x7fffffff, 9)));
	SAY(set_int(a, SOL_SOCKET, SO_BROADCAST, 1));
	SAY(send_in(a, "x", 1, inet(INADDR_ANY, ntohs(to.sin_port))));
	SAY(recv(b, buf, 10, 0));
	SAY(shutdown(a, SHUT_WR));
	SAY(connect_in(a, to));
	SAY(shutdown(a, SHUT_WR));
	SAY(send(a, "x", 1, MSG_NOSIGNAL));
	SAY(poll_of(a, POLLIN | POLLOUT | POLLRDHUP, 0));
	SAY(shutdown(a, SHUT_RD));
	SAY(recv(a, buf, 1, 0));
	SAY(poll_of(a, POLLIN | POLLOUT | POLLRDHUP, 0));
	close(a);
	close(b);
}

static void run_names(void)
{
	int a = sock_a(), b = sock_b(), c = sock_b();
	struct sockaddr_in to = bind_local(b), other = bind_local(c), sin;
	struct sockaddr unspec = { .sa_family = AF_UNSPEC };
	socklen_t len = sizeof(sin);

	SAY(getpeername(a, (struct sockaddr *)&sin, &len));
	SAY(connect(a, (struct sockaddr *)&to, 4));
	SAY(connect_in(a, to));
	SAY(name_of(a).sin_addr.s_addr == htonl(INADDR_LOOPBACK));
	SAY(name_of(a).sin_port != 0);
	len = sizeof(sin);
	SAY(getpeername(a, (struct sockaddr *)&sin, &len));
	SAY(sin.sin_port == to.sin_port);
	/* A connected socket receives only from its peer. */
	SAY(send_in(c, "no", 2, name_of(a)));
	SAY(send_in(b, "yes", 3, name_of(a)));
	SAY(recv(a, buf, 10, 0));
	SAY(recv(a, buf, 10, MSG_DONTWAIT));
	/* One datagram is sent to another address. */
	SAY(send_in(a, "once", 4, other));
	SAY(recv(c, buf, 10, 0));
	SAY(send(a, "peer", 4, 0));
	SAY(recv(b, buf, 10, 0));
	SAY(connect_in(a, other));
	SAY(send(a, "moved", 5, 0));
	SAY(recv(c, buf, 10, 0));
	SAY(connect(a, &unspec, sizeof(unspec)));
	SAY(send(a, "x", 1, 0));
	SAY(getpeername(a, (struct sockaddr *)&sin, &len));
	SAY(name_of(a).sin_addr.s_addr);
	SAY(name_of(a).sin_port != 0);
	SAY(send_in(a, "auto", 4, to));
	SAY(recv(b, buf, 10, 0));
	SAY(name_of(a).sin_port != 0);
	SAY(bind_in(a, inet(INADDR_LOOPBACK, 0)));
	close(a);
	close(b);
	close(c);
}

/* Two sockets share a port; the second one asks for it later. */
static void one_port(int option)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in at;

	SAY(set_int(b, SOL_SOCKET, option, 1));
	at = bind_local(b);
	SAY(bind_in(a, at));
	SAY(set_int(a, SOL_SOCKET, option, 1));
	SAY(bind_in(a, at));
	close(a);
	close(b);
}

static void run_bind(void)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in at = bind_local(b), bad = at;

	SAY(bind_in(a, at));
	SAY(bind_in(a, inet(INADDR_ANY, ntohs(at.sin_port))));
	SAY(bind_in(a, inet(0x08080808, 0)));
	bad.sin_family = AF_INET6;
	SAY(bind_in(a, bad));
	SAY(bind(a, (struct sockaddr *)&at, 3));
	SAY(bind_in(a, inet(0x7f000002, ntohs(at.sin_port))));
	SAY(send_in(b, "two", 3, name_of(a)));
	SAY(recv(a, buf, 10, 0));
	close(a);
	close(b);
	one_port(SO_REUSEADDR);
	one_port(SO_REUSEPORT);
}

static long elapsed_ms(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000 +
	       (now.tv_nsec - since->tv_nsec) / 1000000;
}

static void nothing(int sig)
{
	(void)sig;
}

static void run_waiting(void)
{
	int a = sock_a(), b = sock_b(), status;
	struct sockaddr_in to = bind_local(a);
	struct timeval tv = { .tv_usec = 200000 };
	struct sigaction sa = { .sa_handler = nothing };
	struct timespec since;
	pid_t child;

	SAY(recv(a, buf, 10, MSG_DONTWAIT));
	clock_gettime(CLOCK_MONOTONIC, &since);
	SAY(setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)));
	SAY(recv(a, buf, 10, 0));
	SAY(elapsed_ms(&since) >= 190);
	SAY(poll_of(a, POLLIN, 50));
	tv.tv_usec = 0;
	SAY(setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)));

	child = fork();
	if (!child) {
		UNTIL(process_sleeps(getppid()));
		send_in(b, "woken", 5, to);
		UNTIL(process_sleeps(getppid()));
		send_in(b, "polled", 6, to);
		_exit(0);
	}
	SAY(recv(a, buf, 10, 0));
	SAY(poll_of(a, POLLIN | POLLOUT, WAIT_LIMIT_MS) & POLLOUT);
	SAY(poll_of(a, POLLIN, WAIT_LIMIT_MS));
	SAY(recv(a, buf, 10, 0));
	waitpid(child, &status, 0);

	sigaction(SIGUSR1, &sa, NULL);
	child = fork();
	if (!child) {
		UNTIL(process_sleeps(getppid()));
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	SAY(recv(a, buf, 10, 0));
	waitpid(child, &status, 0);
	close(a);
	close(b);
}

static void run_epoll(void)
{
	int a = sock_a(), b = sock_b(), ep = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event ev = { .events = EPOLLIN | EPOLLOUT | EPOLLET };
	struct sockaddr_in to = bind_local(a);

	SAY(epoll_ctl(ep, EPOLL_CTL_ADD, a, &ev));
	SAY(epoll_wait(ep, &ev, 1, 0));
	SAY(ev.events);
	SAY(epoll_wait(ep, &ev, 1, 0));
	SAY(send_in(b, "one", 3, to));
	SAY(epoll_wait(ep, &ev, 1, WAIT_LIMIT_MS));
	SAY(ev.events);
	SAY(epoll_wait(ep, &ev, 1, 0));
	SAY(send_in(b, "two", 3, to));
	SAY(epoll_wait(ep, &ev, 1, WAIT_LIMIT_MS));
	SAY(recv(a, buf, 10, 0));
	SAY(recv(a, buf, 10, 0));
	SAY(recv(a, buf, 10, MSG_DONTWAIT));
	SAY(epoll_wait(ep, &ev, 1, 0));
	close(ep);
	close(a);
	close(b);
}

/* Each datagram sent is an edge for the sender's pollers, whichever way it takes. */
static void run_edges_of_sending(void)
{
	int a = sock_a(), b = sock_b(), ep = epoll_create1(EPOLL_CLOEXEC), i;
	struct epoll_event ev = { .events = EPOLLOUT | EPOLLET };
	struct sockaddr_in to = bind_local(a);

	SAY(epoll_ctl(ep, EPOLL_CTL_ADD, b, &ev));
	SAY(epoll_wait(ep, &ev, 1, 0));
	SAY(epoll_wait(ep, &ev, 1, 0));
	for (i = 0; i < 40; i++) {
		SAY(send_in(b, "datagram", 8, to));
		SAY(epoll_wait(ep, &ev, 1, 0));
		SAY(epoll_wait(ep, &ev, 1, 0));
		SAY(recv(a, buf, 10, 0));
	}
	close(ep);
	close(a);
	close(b);
}

static void run_many_at_once(void)
{
	int a = sock_a(), b = sock_b(), i;
	struct sockaddr_in to = bind_local(b), back = bind_local(a);
	struct name name = spelled(to);
	struct mmsghdr m[8] = {};
	struct iovec iov[8];
	struct timespec ts = { .tv_nsec = 100000000 };
	char room[8][64];

	for (i = 0; i < 8; i++) {
		iov[i] = (struct iovec){ room[i], 8 * i };
		memset(room[i], 'a' + i, sizeof(room[i]));
		m[i].msg_hdr.msg_iov = &iov[i];
		m[i].msg_hdr.msg_iovlen = 1;
		m[i].msg_hdr.msg_name = &name;
		m[i].msg_hdr.msg_namelen = name.len;
	}
	m[5].msg_hdr.msg_namelen = 3;
	SAY(sendmmsg(a, m, 8, 0));
	SAY(sendmmsg(a, m + 5, 3, 0));
	m[5].msg_hdr.msg_namelen = name.len;
	SAY(sendmmsg(a, m + 5, 3, 0));
	for (i = 0; i < 8; i++) {
		SAY(m[i].msg_len);
		SAY(recv(b, buf, sizeof(buf), 0));
		SAY(send_in(b, buf, 8 * i, back));
		iov[i].iov_len = 30;
		m[i].msg_hdr.msg_name = NULL;
		m[i].msg_hdr.msg_namelen = 0;
	}
	all_arrived();
	SAY(recvmmsg(a, m, 3, MSG_WAITFORONE, NULL));
	SAY(recvmmsg(a, m + 3, 5, 0, &ts));
	for (i = 0; i < 8; i++) {
		SAY(m[i].msg_len);
		SAY(m[i].msg_hdr.msg_flags);
	}
	SAY(recvmmsg(a, m, 8, MSG_DONTWAIT, NULL));
	close(a);
	close(b);
}

static int ioctl_int(int fd, unsigned long request)
{
	int value = -99;

	return ioctl(fd, request, &value) ? -1 : value;
}

static void run_ioctls(void)
{
	int a = sock_a(), b = sock_b();
	struct sockaddr_in to = bind_local(a);

	SAY(ioctl_int(a, FIONREAD));
	SAY(ioctl_int(a, SIOCOUTQ));
	SAY(send_in(b, "", 0, to));
	SAY(send_in(b, "12345", 5, to));
	SAY(send_in(b, "1234567", 7, to));
	settle(a);
	SAY(ioctl_int(a, FIONREAD));
	SAY(recv(a, buf, 10, 0));
	SAY(ioctl_int(a, FIONREAD));
	SAY(recv(a, buf, 10, 0));
	SAY(ioctl_int(a, FIONREAD));
	SAY(recv(a, buf, 10, 0));
	SAY(ioctl_int(a, FIONREAD));
	SAY(ioctl(a, 0x5390, buf));
	SAY(ioctl(a, 0x12345678, buf));
	SAY(ioctl(a, SIOCATMARK, buf));
	close(a);
	close(b);
}

/* A late reader finds as many datagrams as its buffer holds. */
static void run_overflow(void)
{
	static const int lengths[] = { 1, 200, 1000, 4000, 12000 };
	unsigned int i;

	for (i = 0; i < COUNT(lengths); i++) {
		int a = sock_a(), b = sock_b(), n, got = 0;
		struct sockaddr_in to = bind_local(a);

		SAY(set_int(a, SOL_SOCKET, SO_RCVBUF, 65536));
		for (n = 0; n < 400; n++)
			TRUE(send_in(b, buf, lengths[i], to) == lengths[i]);
		all_arrived();
		while (recv(a, buf, sizeof(buf), MSG_DONTWAIT) == lengths[i])
			got++;
		SAY(got);
		SAY(send_in(b, "room", 4, to));
		SAY(recv(a, buf, 10, 0));
		close(a);
		close(b);
	}
}

static void run_sharing(void)
{
	int a = sock_a(), b = sock_b(), copy = dup(a), file, status;
	struct sockaddr_in to = bind_local(a);
	pid_t child;

	SAY(send_in(b, "to a copy", 9, to));
	SAY(recv(copy, buf, 20, 0));
	close(a);
	child = fork();
	if (!child)
		_exit(recv(copy, buf, 20, 0));
	SAY(send_in(b, "to a child", 10, to));
	waitpid(child, &status, 0);
	SAY(WEXITSTATUS(status));
	SAY(connect_in(b, to));
	file = memfd_create("data", MFD_CLOEXEC);
	TRUE(write(file, "from a file", 11) == 11);
	SAY(lseek(file, 0, SEEK_SET));
	SAY(sendfile(b, file, NULL, 11));
	SAY(recv(copy, buf, 20, 0));
	say_data("file", buf, 11);
	close(copy);
	close(b);
	close(file);
}

static const struct same_case cases[] = {
	{ "fresh", run_fresh },
	{ "data", run_data },
	{ "scattered", run_parts },
	{ "short", run_short },
	{ "peek-offset", run_peek_offset },
	{ "send-errors", run_send_errors },
	{ "names", run_names },
	{ "bind", run_bind },
	{ "waiting", run_waiting },
	{ "epoll", run_epoll },
	{ "edges-of-sending", run_edges_of_sending },
	{ "many-at-once", run_many_at_once },
	{ "ioctls", run_ioctls },
	{ "overflow", run_overflow },
	{ "sharing", run_sharing },
	{}
};

int main(int argc, char **argv)
{
	one_processor();
	return same_main(argc, argv, cases);
}
