// SPDX-License-Identifier: GPL-2.0-only
/*
 * tcp-transfer.c - numbered bytes through connections, while their way changes
 *
 * "tcp-transfer CONNECTIONS MEBIBYTES SEED [SPELLING [PROTOCOL PROTOCOL]]", as root: the
 * ends are STREAMS sockets, or endpoints where the protocol is -1. Each connection passes
 * those mebibytes in both directions by calls chosen at random, while an observer is opened
 * and closed. Every byte is the one that its number says. Some connections are passed to other
 * processes meanwhile, and some have a sender that is killed: their bytes end early, and
 * none is lost before the end.
 */
#include "tcp-ends.h"

#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/uio.h>

#define PIECE		70000

/* Each end of a direction keeps its own count here. */
struct direction {
	_Atomic uint64_t sent, received;
};

static struct direction *directions;
static uint64_t total;

static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdULL;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ULL;
	return x ^ x >> 33;
}

/* Returns the protocol of an end, 0 or 1; a direction's number is its receiver's. */
static int proto_of(int end)
{
	return end ? proto_b : proto_a;
}

/* The byte of a number, in a direction. */
static void pattern(unsigned char *to, uint64_t at, size_t len, int direction)
{
	uint64_t word = 0, key = (uint64_t)direction << 56;
	size_t i;

	for (i = 0; i < len; i++, at++) {
		if (!i || !(at % 8))
			word = mix(key + at / 8);
		to[i] = word >> at % 8 * 8;
	}
}

static unsigned int roll(unsigned int *seed, unsigned int n)
{
	return rand_r(seed) % n;
}

/* Most messages are short, as those of most programs. */
static size_t some_len(unsigned int *seed)
{
	static const size_t most[] = { 8, 100, 1500, 5000, 20000, PIECE };

	return 1 + roll(seed, most[roll(seed, COUNT(most))]);
}

static ssize_t send_some(int fd, unsigned char *data, size_t len, unsigned int *seed)
{
	struct iovec parts[2] = {
		{ data, len / 2 }, { data + len / 2, len - len / 2 },
	};

	switch (roll(seed, 12)) {
	case 0:
		return send(fd, data, len, MSG_MORE);
	case 1:
		return writev(fd, parts, 2);
	case 2:
		return send(fd, data, len, MSG_DONTWAIT);
	case 3:
		return write(fd, data, len);
	default:
		return send(fd, data, len, 0);
	}
}

/* Sends as send_some() does, from an endpoint. */
static ssize_t endpoint_send_some(int fd, unsigned char *data, size_t len, unsigned int *seed)
{
	if (len > TIDU)
		len = TIDU;
	switch (roll(seed, 12)) {
	case 0:
		return endpoint_put(fd, T_DATA_REQ, true, data, len);
	case 1:
		return write(fd, data, len);
	case 2:
		TRUE(poll_of(fd, POLLOUT, WAIT_LIMIT_MS) > 0);
		return endpoint_put(fd, T_DATA_REQ, false, data, len);
	default:
		return endpoint_put(fd, T_DATA_REQ, false, data, len);
	}
}

static void sender(int fd, int direction, unsigned int seed)
{
	static unsigned char data[PIECE];
	struct direction *d = &directions[direction];
	uint64_t at = d->sent;
	int pause;

	while (at < total) {
		size_t len = some_len(&seed);
		ssize_t n;

		/*
		 * The next bytes pass the short way if all were read and nothing observes. The
		 * receiver may wait for more of them.
		 */
		for (pause = roll(&seed, 20) ? 0 : 20; pause && d->received != at; pause--)
			usleep(1000);
		if (len > total - at)
			len = total - at;
		pattern(data, at, len, direction);
		n = proto_of(!(direction % 2)) == ENDPOINT ?
		    endpoint_send_some(fd, data, len, &seed) : send_some(fd, data, len, &seed);
		if (n < 0 && errno == EAGAIN) {
			poll_of(fd, POLLOUT, WAIT_LIMIT_MS);
			continue;
		}
		TRUE(n > 0);
		at += n;
		d->sent = at;
	}
	end_shutdown(proto_of(!(direction % 2)), fd);
}

static ssize_t splice_some(int fd, unsigned char *data, size_t len)
{
	static int p[2] = { -1, -1 };
	ssize_t n;

	if (p[0] < 0)
		TRUE(!pipe(p));
	n = splice(fd, NULL, p[1], NULL, len < 60000 ? len : 60000, 0);
	if (n > 0)
		TRUE(read(p[0], data, n) == n);
	return n;
}

static ssize_t recv_some(int fd, unsigned char *data, size_t len, unsigned int *seed)
{
	int n, peeked;

	switch (roll(seed, 12)) {
	case 0:
		return recv(fd, data, len < 3000 ? len : 3000, MSG_WAITALL);
	case 1:
		return recv(fd, data, len, MSG_DONTWAIT);
	case 2:
		peeked = recv(fd, data, len, MSG_PEEK);
		if (peeked <= 0)
			return peeked;
		n = recv(fd, data, peeked, MSG_WAITALL);
		if (n != peeked)
			printf("%d bytes of %d peeked at\n", n, peeked);
		TRUE(n == peeked);
		return n;
	case 3:
		return splice_some(fd, data, len);
	case 4:
		TRUE(poll_of(fd, POLLIN, WAIT_LIMIT_MS) > 0);
		n = recv(fd, data, len, MSG_DONTWAIT);
		TRUE(n >= 0);
		return n;
	default:
		return recv(fd, data, len, 0);
	}
}

/* Receives as recv_some() does, at an endpoint. */
static ssize_t endpoint_recv_some(int fd, unsigned char *data, size_t len, unsigned int *seed)
{
	t_scalar_t type;
	ssize_t n;

	switch (roll(seed, 6)) {
	case 0:
		TRUE(poll_of(fd, POLLIN, WAIT_LIMIT_MS) > 0);
		break;
	case 1:
		len = 1 + roll(seed, 100);
		break;
	}
	do {
		n = endpoint_get(fd, &type, data, len);
		TRUE(n >= 0 && (!type || type == T_DATA_IND || type == T_ORDREL_IND));
	} while (!n && type != T_ORDREL_IND);
	return n;
}

static void receiver(int fd, int direction, unsigned int seed)
{
	static unsigned char data[PIECE], want[PIECE];
	struct direction *d = &directions[direction];
	uint64_t at = 0;
	ssize_t n;

	for (;;) {
		n = proto_of(direction % 2) == ENDPOINT ?
		    endpoint_recv_some(fd, data, some_len(&seed), &seed) :
		    recv_some(fd, data, some_len(&seed), &seed);
		if (n < 0 && errno == EAGAIN) {
			poll_of(fd, POLLIN, WAIT_LIMIT_MS);
			continue;
		}
		if (n < 0)
			printf("recv: %s after %llu\n", strerror(errno), (unsigned long long)at);
		TRUE(n >= 0);
		if (!n)
			break;
		pattern(want, at, n, direction);
		if (memcmp(data, want, n)) {
			printf("direction %d: wrong bytes from %llu on\n", direction,
			       (unsigned long long)at);
			exit(1);
		}
		at += n;
		d->received = at;
	}
}

/* A packet socket that watches the loopback device for a while, again and again. */
static void observer(unsigned int seed)
{
	for (;;) {
		int fd = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL));

		TRUE(fd >= 0);
		usleep(roll(&seed, 3000));
		close(fd);
		usleep(roll(&seed, 9000));
	}
}

static pid_t child(void (*run)(int fd, int direction, unsigned int seed), int fd, int direction,
		   unsigned int seed)
{
	pid_t pid = fork();

	if (!pid) {
		run(fd, direction, seed);
		exit(0);
	}
	TRUE(pid > 0);
	return pid;
}

static void need_success(pid_t pid)
{
	int status;

	TRUE(waitpid(pid, &status, 0) == pid);
	if (status)
		printf("a process ended by status %#x\n", status);
	TRUE(!status);
}

/* Passes the bytes of both directions; the sender of one may be killed. */
static void transfer(int k, unsigned int seed)
{
	int fds[2], first = 2 * k, i, status;
	pid_t send[2], receive[2];

	ends_connected(fds, k % 2);
	for (i = 0; i < 2; i++) {
		receive[i] = child(receiver, fds[i], first + i, seed + 4 * i);
		send[i] = child(sender, fds[!i], first + i, seed + 4 * i + 1);
	}
	if (k % 4 == 3) {
		/* The other processes have the sockets too, so that no end comes of it. */
		UNTIL(directions[first].sent > total / 3);
		kill(send[0], SIGKILL);
		TRUE(waitpid(send[0], &status, 0) == send[0]);
		end_shutdown(proto_b, fds[1]);
	} else {
		need_success(send[0]);
	}
	need_success(send[1]);
	for (i = 0; i < 2; i++)
		need_success(receive[i]);
	/* A sender that was killed may have sent a message more than it has counted. */
	TRUE(directions[first].received >= directions[first].sent);
	TRUE(directions[first + 1].received == total);
	TRUE(k % 4 == 3 || directions[first].received == total);
	close(fds[0]);
	close(fds[1]);
}

int main(int argc, char **argv)
{
	int connections, k;
	unsigned int seed;
	pid_t *pids, watching;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if ((argc != 4 && argc != 5 && argc != 7) || (argc > 4 && !same_spelling(argv[4]))) {
		fputs("usage: tcp-transfer CONNECTIONS MEBIBYTES SEED [SPELLING [PROTO PROTO]]\n",
		      stderr);
		return 2;
	}
	connections = atoi(argv[1]);
	total = atoll(argv[2]) << 20;
	seed = atoi(argv[3]);
	proto_a = argc == 7 ? atoi(argv[5]) : IPPROTO_STREAMS;
	proto_b = argc == 7 ? atoi(argv[6]) : IPPROTO_STREAMS;
	directions = mmap(NULL, 2 * connections * sizeof(*directions), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pids = calloc(connections, sizeof(*pids));
	TRUE(directions != MAP_FAILED && pids);
	watching = fork();
	if (!watching)
		observer(seed);
	for (k = 0; k < connections; k++) {
		pids[k] = fork();
		if (!pids[k]) {
			transfer(k, seed + 100 * k);
			exit(0);
		}
	}
	for (k = 0; k < connections; k++)
		need_success(pids[k]);
	TRUE(!kill(watching, SIGKILL) && waitpid(watching, NULL, 0) == watching);
	return 0;
}
