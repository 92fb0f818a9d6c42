// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connections of TCP on this host, whose short way begins and ends at random
 *
 * Both ends are among the descriptors for any call. Other connections are of one thread
 * alone, which numbers their bytes: they must arrive once and in order.
 */
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/strio.h>
#include <unistd.h>

#include "calls.h"
#include "oracle.h"

#ifndef TCP_INQ
#define TCP_INQ		36
#endif

#define MESSAGES	48
#define MESSAGE_MOST	5000
#define PATIENCE_MS	10000	/* until bytes that do not arrive count as lost */

static int stream_socket(int family, int flags)
{
	return socket(family, SOCK_STREAM | SOCK_CLOEXEC | flags, IPPROTO_STREAMS);
}

/* Listens at a free port of this host, whose address is stored. */
static int listen_here(struct draw *d, struct sockaddr_in6 *at, socklen_t *len)
{
	struct sockaddr_in *in = (struct sockaddr_in *)at;
	int fd, family = draw_below(d, 2) ? AF_INET : AF_INET6;

	memset(at, 0, sizeof(*at));
	at->sin6_family = family;
	*len = family == AF_INET ? sizeof(*in) : sizeof(*at);
	if (family == AF_INET)
		in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		at->sin6_addr = in6addr_loopback;
	fd = stream_socket(family, 0);
	if (!bind(fd, (struct sockaddr *)at, *len) && !listen(fd, 1) &&
	    !getsockname(fd, (struct sockaddr *)at, len))
		return fd;
	close(fd);
	return -1;
}

/* Returns whether there is a connection; its ends do not wait. */
static bool connect_ends(struct draw *d, int end[2])
{
	struct sockaddr_in6 at;
	socklen_t len;
	int listener = listen_here(d, &at, &len);
	struct pollfd p = { .fd = listener, .events = POLLIN };

	end[0] = -1;
	end[1] = -1;
	if (listener >= 0) {
		end[0] = stream_socket(at.sin6_family, SOCK_NONBLOCK);
		connect(end[0], (struct sockaddr *)&at, len);
		/* A connection that another thread has spoilt does not come. */
		if (poll(&p, 1, 1000) > 0)
			end[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		close(listener);
	}
	return end[0] >= 0 && end[1] >= 0;
}

void open_connection(struct draw *d, struct player *p)
{
	int end[2];

	connect_ends(d, end);
	keep_fd(d, p, end[0]);
	keep_fd(d, p, end[1]);
}

static unsigned char numbered(size_t at)
{
	return at ^ at >> 8 ^ at >> 16;
}

static size_t send_numbered(int fd, size_t at, size_t len)
{
	unsigned char bytes[MESSAGE_MOST];
	ssize_t n;
	size_t i;

	for (i = 0; i < len; i++)
		bytes[i] = numbered(at + i);
	n = send(fd, bytes, len, MSG_NOSIGNAL);
	return n > 0 ? n : 0;
}

/* Returns how many bytes arrived; a peek returns none. */
static size_t receive_numbered(int fd, size_t at, size_t len, int flags)
{
	unsigned char bytes[2 * MESSAGE_MOST];
	ssize_t i, n = recv(fd, bytes, len, flags);

	for (i = 0; i < n; i++)
		if (bytes[i] != numbered(at + i)) {
			oracle_broken("byte %zu of a TCP connection is not the one sent", at + i);
			break;
		}
	return n > 0 && !(flags & MSG_PEEK) ? n : 0;
}

/* An obstacle to the short way, there or no longer; a tap needs a privilege. */
static void toggle_obstacle(struct draw *d, const int end[2], int *tap)
{
	static const struct {
		int level, name, off, on, end;
	} options[] = {
		{ IPPROTO_TCP, TCP_INQ, 0, 1, 1 }, { SOL_SOCKET, SO_RCVLOWAT, 1, 2, 1 },
		{ SOL_SOCKET, SO_PRIORITY, 0, 1, 0 }, { IPPROTO_TCP, TCP_CORK, 0, 1, 0 },
		{ SOL_SOCKET, SO_TIMESTAMP, 0, 1, 1 },
	};
	unsigned int i = draw_below(d, sizeof(options) / sizeof(*options) + 1);
	int value;

	if (i < sizeof(options) / sizeof(*options)) {
		value = draw_below(d, 2) ? options[i].on : options[i].off;
		setsockopt(end[options[i].end], options[i].level, options[i].name, &value,
			   sizeof(value));
	} else if (*tap >= 0) {
		close(*tap);
		*tap = -1;
	} else {
		*tap = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL));
	}
}

/* Receives all that is still to come. */
static void receive_rest(const int end[2], size_t sent, size_t came)
{
	struct pollfd p = { .fd = end[1], .events = POLLIN };
	int off = 0, one = 1;

	setsockopt(end[0], IPPROTO_TCP, TCP_CORK, &off, sizeof(off));
	setsockopt(end[1], SOL_SOCKET, SO_RCVLOWAT, &one, sizeof(one));
	while (came < sent && poll(&p, 1, PATIENCE_MS))
		came += receive_numbered(end[1], came, 2 * MESSAGE_MOST, 0);
	if (came != sent)
		oracle_broken("of %zu bytes of a TCP connection %zu arrived", sent, came);
}

static void *number_bytes(void *arg)
{
	struct draw *d = arg;
	size_t sent = 0, came = 0;
	int end[2], tap = -1, i;

	/* No other thread has these descriptors. */
	if (unshare(CLONE_FILES) || !connect_ends(d, end))
		return NULL;
	for (i = 0; i < MESSAGES; i++) {
		if (!draw_below(d, 4))
			toggle_obstacle(d, end, &tap);
		sent += send_numbered(end[0], sent, 1 + draw_below(d, MESSAGE_MOST));
		if (draw_below(d, 2))
			came += receive_numbered(end[1], came,
						 1 + draw_below(d, 2 * MESSAGE_MOST),
						 draw_below(d, 4) ? 0 : MSG_PEEK);
	}
	receive_rest(end, sent, came);
	return NULL;
}

void crowd_bytes(struct draw *d, struct player *p)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, number_bytes, d))
		pthread_join(thread, NULL);
}
