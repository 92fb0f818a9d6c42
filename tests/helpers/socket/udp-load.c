// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp-load.c - UDP sockets and streams under load
 *
 * Many at once, from several threads, while others come and go. Run as
 * udp-load CASE PROTOCOL PROTOCOL [COUNT], as programs of udp-same.h.
 */
#include "udp-same.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>

static unsigned long count_of(unsigned long n)
{
	const char *scale = getenv("STRSOCK_TEST_SCALE");

	n = scale ? n * strtod(scale, NULL) : n;
	return n ? n : 1;
}

/* Sends back each datagram until "end" arrives. */
static void *echo(void *arg)
{
	int fd = *(int *)arg;
	char text[2048];

	for (;;) {
		struct sockaddr_in from;
		socklen_t len = sizeof(from);
		ssize_t n = recvfrom(fd, text, sizeof(text), 0,
				     (struct sockaddr *)&from, &len);

		TRUE(n >= 0);
		if (n == 3 && !memcmp(text, "end", 3))
			return NULL;
		TRUE(sendto(fd, text, n, 0, (struct sockaddr *)&from, len) == n);
	}
}

/* Each datagram is sent there and back before the next; none is lost. */
static void run_echo(void)
{
	unsigned long i, rounds = count_of(20000);
	int a = sock_a(), b = sock_b();
	struct sockaddr_in at = bind_local(b);
	pthread_t thread;
	cpu_set_t one;

	/*
	 * The time limit is long: in some machines a wakeup on another
	 * processor is slow.
	 */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	TRUE(!connect_in(a, at));
	TRUE(!pthread_create(&thread, NULL, echo, &b));
	for (i = 0; i < rounds; i++) {
		unsigned long back = 0;

		TRUE(send(a, &i, sizeof(i), 0) == sizeof(i));
		TRUE(recv(a, &back, sizeof(back), 0) == sizeof(back));
		TRUE(back == i);
	}
	TRUE(send(a, "end", 3, 0) == 3);
	pthread_join(thread, NULL);
	close(a);
	close(b);
	puts("every datagram came back");
}

struct flood {
	struct sockaddr_in to;
	unsigned long count;
	unsigned int id;
};

static void *flood(void *arg)
{
	const struct flood *f = arg;
	unsigned int word[2] = { f->id };
	int fd = sock_a();

	for (word[1] = 0; word[1] < f->count; word[1]++)
		TRUE(send_in(fd, word, sizeof(word), f->to) == sizeof(word));
	close(fd);
	return NULL;
}

/*
 * Four senders have one reader: each sender's datagrams arrive in order, none
 * twice.
 */
static void run_order(void)
{
	unsigned int next[4] = {}, word[2], i;
	struct flood f[4];
	pthread_t thread[4];
	int b = sock_b();
	struct sockaddr_in at = bind_local(b);

	TRUE(!set_int(b, SOL_SOCKET, SO_RCVBUF, 1 << 20));
	for (i = 0; i < 4; i++) {
		f[i] = (struct flood){ at, count_of(20000), i };
		TRUE(!pthread_create(&thread[i], NULL, flood, &f[i]));
	}
	while (poll_of(b, POLLIN, 1000) > 0) {
		while (recv(b, word, sizeof(word), MSG_DONTWAIT) ==
		       sizeof(word)) {
			TRUE(word[0] < 4 && word[1] >= next[word[0]]);
			next[word[0]] = word[1] + 1;
		}
	}
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	/*
	 * One sender may fill the queue again each time, so that it has all the
	 * room.
	 */
	TRUE(next[0] || next[1] || next[2] || next[3]);
	close(b);
	puts("in order");
}

static void run_thousand(void)
{
	static int fd[1000];
	struct rlimit limit = { 4096, 4096 };
	struct sockaddr_in at[COUNT(fd)];
	unsigned int i, got;

	TRUE(!setrlimit(RLIMIT_NOFILE, &limit));
	for (i = 0; i < COUNT(fd); i++) {
		fd[i] = i & 1 ? sock_b() : sock_a();
		at[i] = bind_local(fd[i]);
	}
	for (i = 0; i < COUNT(fd); i++)
		TRUE(send_in(fd[i], &i, sizeof(i), at[COUNT(fd) - 1 - i]) ==
		     sizeof(i));
	for (i = 0; i < COUNT(fd); i++) {
		TRUE(recv(fd[i], &got, sizeof(got), 0) == sizeof(got));
		TRUE(got == COUNT(fd) - 1 - i);
		close(fd[i]);
	}
	puts("1000 at once");
}

static void run_churn(void)
{
	unsigned long i, rounds = count_of(100000);

	for (i = 0; i < rounds; i++) {
		int fd = sock_a();

		/* The time limit is for slow machines. */
		if (i % 1000 == 0)
			alarm(300);
		if (i % 4 == 0) {
			struct sockaddr_in at = bind_local(fd);

			TRUE(send_in(fd, "left", 4, at) == 4);
		}
		close(fd);
	}
	puts("opened and closed");
}

static atomic_bool over;
static atomic_int port;

static void *sender(void *arg)
{
	int fd = sock_of(arg ? proto_a : proto_b);
	char data[3000];

	memset(data, 'd', sizeof(data));
	while (!atomic_load(&over))
		send_in(fd, data, rand() % sizeof(data),
			inet(INADDR_LOOPBACK, atomic_load(&port)));
	close(fd);
	return NULL;
}

/*
 * Returns a socket of a port that is opened and closed under traffic: a native
 * or STREAMS socket, or a stream of the named device.
 */
static int target(const char *device)
{
	struct {
		int type, length, offset, backlog;
		struct sockaddr_in sin;
	} bind_req = { 6, 16, 16, 0,
		       inet(INADDR_LOOPBACK, atomic_load(&port)) };
	struct {
		struct { int maxlen, len; uint64_t buf; } ctl, data;
		int band;
		unsigned int flags;
	} msg = { { -1, sizeof(bind_req), (uintptr_t)&bind_req },
		  { -1, -1, 0 }, 0, 0 };
	int fd;

	if (!device) {
		fd = sock_a();
		TRUE(!bind_in(fd, bind_req.sin));
		return fd;
	}
	fd = open(device, O_RDWR);
	TRUE(fd >= 0);
	TRUE(!ioctl(fd, _IOW('S', 0xc2, msg), &msg));
	return fd;
}

/* Opens and closes a port repeatedly while two others send to it. */
static void run_closing(void)
{
	const char *device = getenv("UDP_DEVICE");
	unsigned long i, rounds = count_of(500);
	pthread_t thread[2];

	atomic_store(&port, ntohs(nobody().sin_port));
	TRUE(!pthread_create(&thread[0], NULL, sender, &thread));
	TRUE(!pthread_create(&thread[1], NULL, sender, NULL));
	for (i = 0; i < rounds; i++) {
		int fd = target(i & 1 ? device : NULL);

		poll_of(fd, POLLIN, 1);
		if (i & 2)
			read(fd, buf, 100);
		close(fd);
	}
	atomic_store(&over, true);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	puts("closed under traffic");
}

static const struct same_case cases[] = {
	{ "echo", run_echo },
	{ "order", run_order },
	{ "thousand", run_thousand },
	{ "churn", run_churn },
	{ "closing", run_closing },
	{}
};

int main(int argc, char **argv)
{
	return same_main(argc, argv, cases);
}
