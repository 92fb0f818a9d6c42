// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp-delivery.c - each datagram reaches the endpoint that Linux chooses
 *
 * Native sockets, STREAMS sockets and streams of the provider are bound to any
 * address or to one, some connected, several to the same port, and come and go
 * at random; others send to them. A model of the kernel's rules predicts the
 * receiver of each datagram.
 *
 * Run as udp-delivery CASE, by a user that may open /dev/streams/udp.
 */
#include "udp-tpi.h"

#include <sched.h>

#define ENDPOINTS	24
#define SENDERS		6
#define PORTS		3
#define CASES		100000

enum kind { NATIVE, STREAMS, PROVIDER, KINDS };

struct endpoint {
	int fd;			/* -1: none */
	enum kind kind;
	in_addr_t addr;		/* network order; 0: any */
	int port;		/* which of them */
	struct sockaddr_in peer;	/* sin_port 0: not connected */
	unsigned long made;	/* of two that match alike the newer one has it */
};

static struct endpoint ends[ENDPOINTS];
static struct {
	int fd;
	struct sockaddr_in sin;
	in_addr_t to;		/* where it sent last */
	int port;
} senders[SENDERS], mark;
static in_port_t ports[PORTS];
static unsigned long changes;

static unsigned int drawn = 1;

/* Generates the same numbers in each run. */
static unsigned int draw(unsigned int below)
{
	drawn = drawn * 1664525 + 1013904223;
	return (drawn >> 8) % below;
}

static in_addr_t local(unsigned int last)
{
	return htonl(INADDR_LOOPBACK - 1 + last);
}

static struct sockaddr_in address_of(in_addr_t addr, in_port_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = port,
		.sin_addr.s_addr = addr,
	};
}

static int socket_of(enum kind kind)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC,
			kind == NATIVE ? IPPROTO_UDP : IPPROTO_STREAMS);

	TRUE(fd >= 0);
	return fd;
}

static void bind_socket(int fd, struct sockaddr_in sin, bool shared)
{
	if (shared)
		IS(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 },
			      sizeof(int)), 0);
	IS(bind(fd, (struct sockaddr *)&sin, sizeof(sin)), 0);
}

static struct sockaddr_in name_of(int fd)
{
	struct sockaddr_in sin;
	socklen_t len = sizeof(sin);

	IS(getsockname(fd, (struct sockaddr *)&sin, &len), 0);
	return sin;
}

/*
 * Sets SO_REUSEADDR on a stream, so that it may share its port like a socket.
 */
static void share_stream(int fd)
{
	const struct {
		struct T_optmgmt_req req;
		t_uscalar_t opt[5];
	} msg = {
		{ T_OPTMGMT_REQ, sizeof(msg.opt), sizeof(msg.req), T_NEGOTIATE },
		{ sizeof(msg.opt), T_INET_IP, T_IP_REUSEADDR, 0, T_YES },
	};

	memcpy(out.bytes, &msg, sizeof(msg));
	IS(send_prim(fd, sizeof(msg), NULL, 0, 0), 0);
	receive_prim(fd, T_OPTMGMT_ACK);
	IS(in.prim.optmgmt_ack.MGMT_flags, T_SUCCESS);
}

static void make(struct endpoint *e)
{
	struct sockaddr_in sin;

	e->kind = draw(KINDS);
	e->addr = draw(2) ? local(1 + draw(3)) : 0;
	e->port = draw(PORTS);
	e->peer.sin_port = 0;
	e->made = ++changes;
	sin = address_of(e->addr, ports[e->port]);
	if (e->kind == PROVIDER) {
		e->fd = endpoint();
		share_stream(e->fd);
		sin = bind_to(e->fd, &sin);
		IS(sin.sin_port, ports[e->port]);
	} else {
		e->fd = socket_of(e->kind);
		bind_socket(e->fd, sin, true);
	}
}

/*
 * Connects a socket to a sender for good: the kernel chooses the address that
 * it is bound to. No other socket with that address has that peer: between two
 * such sockets the choice would depend on the processor that they last ran on.
 */
static void meet(struct endpoint *e)
{
	struct sockaddr_in peer = senders[draw(SENDERS)].sin;
	int i;

	if (e->kind == PROVIDER || e->peer.sin_port)
		return;
	for (i = 0; i < ENDPOINTS; i++)
		if (ends[i].fd >= 0 && ends[i].port == e->port &&
		    ends[i].peer.sin_port == peer.sin_port)
			return;
	IS(connect(e->fd, (struct sockaddr *)&peer, sizeof(peer)), 0);
	e->addr = name_of(e->fd).sin_addr.s_addr;
	e->peer = peer;
}

static void change(void)
{
	struct endpoint *e = &ends[draw(ENDPOINTS)];

	if (e->fd < 0) {
		make(e);
	} else if (draw(3)) {
		close(e->fd);
		e->fd = -1;
	} else {
		meet(e);
	}
}

/*
 * Returns which receiver is preferred: one bound to the address before one
 * bound to any, then one connected to the sender before one not connected, then
 * the newer one.
 */
static struct endpoint *chosen(in_addr_t addr, int port, struct sockaddr_in from)
{
	struct endpoint *best = NULL;
	int i, best_score = -1;

	for (i = 0; i < ENDPOINTS; i++) {
		struct endpoint *e = &ends[i];
		int score;

		if (e->fd < 0 || e->port != port ||
		    (e->addr && e->addr != addr))
			continue;
		if (e->peer.sin_port &&
		    (e->peer.sin_port != from.sin_port ||
		     e->peer.sin_addr.s_addr != from.sin_addr.s_addr))
			continue;
		score = (e->addr ? 2 : 0) + (e->peer.sin_port ? 1 : 0);
		if (score > best_score ||
		    (score == best_score && e->made > best->made)) {
			best = e;
			best_score = score;
		}
	}
	return best;
}

static void takes(struct endpoint *e, unsigned long number)
{
	struct pollfd p = { .fd = e->fd, .events = POLLIN };
	unsigned long got = -1;

	IS(poll(&p, 1, WAIT_MS), 1);
	if (e->kind == PROVIDER) {
		receive_datagram(e->fd, &number, sizeof(number));
		return;
	}
	IS(recv(e->fd, &got, sizeof(got), MSG_DONTWAIT), sizeof(got));
	IS(got, number);
}

/*
 * Waits until all datagrams sent have arrived, or never will: those that one
 * processor sends to itself arrive in order.
 */
static void settle(void)
{
	char c;

	IS(sendto(mark.fd, "m", 1, 0, (struct sockaddr *)&mark.sin,
		  sizeof(mark.sin)), 1);
	IS(recv(mark.fd, &c, 1, 0), 1);
}

static void none_has_any(void)
{
	struct pollfd p[ENDPOINTS];
	int i;

	settle();
	for (i = 0; i < ENDPOINTS; i++)
		p[i] = (struct pollfd){ .fd = ends[i].fd, .events = POLLIN };
	if (!poll(p, ENDPOINTS, 0))
		return;
	for (i = 0; i < ENDPOINTS; i++)
		if (ends[i].fd >= 0)
			IS(p[i].revents & POLLIN, 0);
}

static void begin(void)
{
	int i, kept[PORTS];
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	IS(sched_setaffinity(0, sizeof(one), &one), 0);
	mark.fd = socket_of(NATIVE);
	bind_socket(mark.fd, address_of(local(1), 0), false);
	mark.sin = name_of(mark.fd);
	for (i = 0; i < PORTS; i++) {
		kept[i] = socket_of(NATIVE);
		/* The port is free for any address. */
		bind_socket(kept[i], address_of(0, 0), false);
		ports[i] = name_of(kept[i]).sin_port;
	}
	for (i = 0; i < ENDPOINTS; i++)
		ends[i].fd = -1;
	for (i = 0; i < SENDERS; i++) {
		senders[i].fd = socket_of(i % 2 ? NATIVE : STREAMS);
		bind_socket(senders[i].fd, address_of(local(1 + i % 3), 0), false);
		senders[i].sin = name_of(senders[i].fd);
	}
	for (i = 0; i < PORTS; i++)
		close(kept[i]);
}

static void run_random(void)
{
	unsigned long i, cases = test_scaled(CASES), reached = 0;

	begin();
	for (i = 0; i < cases; i++) {
		int who = draw(SENDERS);
		struct sockaddr_in to;
		struct endpoint *e;

		if (draw(4) == 0)
			change();
		/*
		 * A sender may know a shorter way to a host that it has sent to
		 * before.
		 */
		if (!senders[who].to || draw(8) == 0) {
			senders[who].to = local(1 + draw(4));
			senders[who].port = draw(PORTS);
		}
		to = address_of(senders[who].to, ports[senders[who].port]);
		e = chosen(to.sin_addr.s_addr, senders[who].port,
			   senders[who].sin);
		IS(sendto(senders[who].fd, &i, sizeof(i), 0,
			  (struct sockaddr *)&to, sizeof(to)), sizeof(i));
		if (e) {
			takes(e, i);
			reached++;
		}
		if (!e || i % 8 == 0)
			none_has_any();
	}
	TRUE(reached > cases / 2);
	printf("%lu cases, %lu reached a socket, %lu made\n", cases, reached, changes);
}

static const struct test_case cases[] = {
	{ "random", run_random },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
