// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp-tpi-flow.c - the UDP provider when its device takes nothing for a while
 *
 * Run in the network namespace "left", where 192.0.2.1 on veth-left has
 * 192.0.2.2 of "right" as its only neighbour. As long as that one's hardware
 * address is unknown, which it is until the gate is opened, packets wait for it
 * and fill their sender's buffer.
 */
#include "udp-tpi.h"

#include <sched.h>
#include <time.h>

#define SIZE		1000
#define PORT		7009
#define MOST		20000
#define BUFFER		(16 << 20)

static char datagram[SIZE];

static void numbered(int number)
{
	int i;

	for (i = 0; i < SIZE; i++)
		datagram[i] = number + i * 7;
	memcpy(datagram, &number, sizeof(number));
}

/* Packets keep the order of the processor that sends them. */
static void one_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	IS(sched_setaffinity(0, sizeof(one), &one), 0);
}

/* Opens a socket in the other namespace, with room for all datagrams. */
static int receiver(struct sockaddr_in *sin)
{
	int left = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int right = open("/run/netns/right", O_RDONLY | O_CLOEXEC);
	int room = BUFFER, fd;

	TRUE(left >= 0 && right >= 0);
	IS(setns(right, CLONE_NEWNET), 0);
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	IS(setns(left, CLONE_NEWNET), 0);
	TRUE(fd >= 0);
	close(left);
	close(right);
	IS(setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)), 0);
	*sin = loopback(PORT);
	IS(inet_pton(AF_INET, "192.0.2.2", &sin->sin_addr), 1);
	IS(bind(fd, (struct sockaddr *)sin, sizeof(*sin)), 0);
	return fd;
}

static int sender(void)
{
	struct sockaddr_in sin = loopback(0);
	int fd = endpoint();

	IS(inet_pton(AF_INET, "192.0.2.1", &sin.sin_addr), 1);
	bind_to(fd, &sin);
	return fd;
}

static void open_gate(void)
{
	IS(system("ip neigh replace 192.0.2.2 lladdr \"$FAR_END\" dev veth-left nud permanent"),
	   0);
}

static bool writable(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, ms) == 1 && (p.revents & POLLOUT);
}

/*
 * Sends until there is no room. Returns how many datagrams were sent. The
 * stream is left non-blocking.
 */
static int fill(int fd, const struct sockaddr_in *to)
{
	int number = 0;

	test_nonblock(fd, true);
	for (;;) {
		numbered(number);
		if (put_datagram(fd, to, NULL, 0, datagram, SIZE))
			break;
		number++;
		TRUE(number < MOST);
	}
	TRUE(errno == EAGAIN);
	return number;
}

/* Returns the number of the next datagram, which is checked as a whole. */
static int arriving(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int number;

	IS(poll(&p, 1, WAIT_MS), 1);
	IS(recv(fd, in.data, sizeof(in.data), 0), SIZE);
	memcpy(&number, in.data, sizeof(number));
	numbered(number);
	TRUE(!memcmp(in.data, datagram, SIZE));
	return number;
}

/*
 * Checks that these datagrams and no others arrive, in order. A datagram sent
 * while the gate opens may pass those that still wait there: the kernel sends
 * them one by one.
 */
static void all_arrive(int fd, int count, bool waited)
{
	int next = 0, passing = -1, passed = count, i;

	for (i = 0; i < count; i++) {
		int number = arriving(fd);

		if (number == next) {
			next++;
		} else if (waited && passing < 0) {
			passed = number;
			passing = number + 1;
		} else {
			IS(number, passing);
			passing++;
		}
	}
	IS(next, passed);
	TRUE(passing < 0 || passing == count);
	TRUE(recv(fd, in.data, sizeof(in.data), MSG_DONTWAIT) == -1);
}

struct blocked {
	int fd;
	int number;
	const struct sockaddr_in *to;
	bool done;
};

static void *put_blocked(void *arg)
{
	struct blocked *b = arg;

	numbered(b->number);
	IS(put_datagram(b->fd, b->to, NULL, 0, datagram, SIZE), 0);
	__atomic_store_n(&b->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* A full buffer makes senders wait, and room lets them continue. */
static void run_full(void)
{
	struct sockaddr_in to;
	struct blocked b = { .to = &to };
	struct timespec end;
	int far_end, count, i;
	pthread_t thread;

	one_processor();
	far_end = receiver(&to);
	b.fd = sender();
	TRUE(writable(b.fd, 0));
	count = fill(b.fd, &to);
	TRUE(count > 50);
	TRUE(!writable(b.fd, 200));
	FAILS(put_datagram(b.fd, &to, NULL, 0, datagram, SIZE), EAGAIN);

	/* The full buffer does not hold up other primitives. */
	out.prim.type = T_INFO_REQ;
	IS(send_prim(b.fd, sizeof(out.prim.info_req), NULL, 0, RS_HIPRI), 0);
	receive_prim(b.fd, T_INFO_ACK);

	test_nonblock(b.fd, false);
	b.number = count++;
	thread = thread_asleep(put_blocked, &b);
	TRUE(!__atomic_load_n(&b.done, __ATOMIC_ACQUIRE));
	IS(recv(far_end, in.data, sizeof(in.data), MSG_DONTWAIT), -1);

	open_gate();
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += WAIT_MS / 1000;
	IS(pthread_timedjoin_np(thread, NULL, &end), 0);
	TRUE(__atomic_load_n(&b.done, __ATOMIC_ACQUIRE));
	TRUE(writable(b.fd, WAIT_MS));
	for (i = 0; i < 500; i++) {
		numbered(count++);
		IS(put_datagram(b.fd, &to, NULL, 0, datagram, SIZE), 0);
	}
	all_arrive(far_end, count, true);
	close(b.fd);
	close(far_end);
}

/*
 * A device is slower than its sender: it is full, and has room again, many
 * times.
 */
static void run_slow(void)
{
	struct sockaddr_in to;
	int far_end, fd, full = 0, number;

	one_processor();
	far_end = receiver(&to);
	fd = sender();
	open_gate();
	test_nonblock(fd, true);
	for (number = 0; number < 1000; number++) {
		numbered(number);
		while (put_datagram(fd, &to, NULL, 0, datagram, SIZE)) {
			TRUE(errno == EAGAIN);
			TRUE(writable(fd, WAIT_MS));
			full++;
		}
	}
	TRUE(full > 3);
	all_arrive(far_end, number, false);
	close(fd);
	close(far_end);
}

/* Ends with all datagrams still waiting to be sent. */
static void run_closing(void)
{
	struct sockaddr_in to;
	int i, fd, far_end = receiver(&to);

	for (i = 0; i < 20; i++) {
		fd = sender();
		TRUE(fill(fd, &to) > 50);
		IS(close(fd), 0);
	}
	IS(recv(far_end, in.data, sizeof(in.data), MSG_DONTWAIT), -1);
	close(far_end);
}

static const struct test_case cases[] = {
	{ "buffer-full", run_full },
	{ "slow", run_slow },
	{ "closing", run_closing },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
