// SPDX-License-Identifier: GPL-2.0-only
/* Calls that make descriptors: pipes, devices, sockets, names */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/strio.h>
#include <unistd.h>

#include "calls.h"

const char *const families[FAMILIES] = {
	"pipes", "devices", "transports", "links", "sockets", "names",
};

int place_of(struct draw *d, struct player *p)
{
	return draw_below(d, FDS);
}

int any_fd(struct draw *d, const struct player *p)
{
	int i, fd = -1;

	for (i = 0; i < 4 && fd < 0; i++)
		fd = p->fd[draw_below(d, FDS)];
	return fd;
}

void keep_fd(struct draw *d, struct player *p, int fd)
{
	int at, old;

	if (fd < 0)
		return;
	at = place_of(d, p);
	old = __atomic_exchange_n(&p->fd[at], fd, __ATOMIC_SEQ_CST);
	if (old >= 0)
		close(old);
}

static int open_flags(struct draw *d)
{
	static const int modes[] = { O_RDWR, O_RDWR, O_RDWR, O_RDONLY, O_WRONLY };

	return modes[draw_below(d, 5)] | O_NOCTTY |
	       (draw_below(d, 3) ? O_NONBLOCK : 0) |
	       (draw_below(d, 2) ? O_CLOEXEC : 0);
}

static int open_pipe(struct draw *d, struct player *p)
{
	int *fds = memory_good(d, 2 * sizeof(int));
	struct strio_pipe arg = {
		.fds = (uintptr_t)fds,
		.flags = (draw_below(d, 2) ? O_NONBLOCK : 0) | O_CLOEXEC,
	};
	int fd = open(STRIO_PIPE_DEVICE, (draw_below(d, 2) ? O_RDWR : O_RDONLY) | O_CLOEXEC |
					 (draw_below(d, 2) ? O_NONBLOCK : 0));

	if (fd < 0)
		return -1;
	keep_fd(d, p, fd);
	arg.first = fd;
	if (!draw_below(d, 8))
		arg.flags |= O_DIRECT;
	if (!draw_below(d, 32))
		arg.fds = (uintptr_t)memory_arg(d, 8);
	fds[1] = -1;
	if (ioctl(fd, STRIO_PIPE, &arg))
		return 0;
	if (arg.fds == (uintptr_t)fds)
		keep_fd(d, p, fds[1]);
	return 0;
}

static int open_device(struct draw *d, struct player *p, enum family family)
{
	static const char *const any[] = {
		"echo", "loop", "mux", "nuls", "log", "sad", "pipe", "dlpi", "ticlts",
		"ticots", "ticotsord", "tcp", "tcp6", "udp", "udp6", "udp_s", "rawip", "rawip6",
		"sctp", "sctp6", "clone", "strlog", "tee",
	};
	static const char *const transports[] = {
		"ticlts", "ticots", "ticotsord", "tcp", "tcp6", "udp", "udp6", "udp_s",
		"rawip", "rawip6", "sctp", "sctp6", "dlpi",
	};
	static const char *const links[] = { "mux", "echo", "loop", "ticots", "tcp", "udp" };
	char path[64];
	const char *name;

	switch (family) {
	case TRANSPORTS:
		name = transports[draw_below(d, sizeof(transports) / sizeof(*transports))];
		break;
	case LINKS:
		name = links[draw_below(d, sizeof(links) / sizeof(*links))];
		break;
	default:
		name = any[draw_below(d, sizeof(any) / sizeof(*any))];
	}
	snprintf(path, sizeof(path), "/dev/streams/%s", name);
	keep_fd(d, p, open(path, open_flags(d)));
	return 0;
}

static int open_socket(struct draw *d, struct player *p)
{
	static const int types[] = { SOCK_DGRAM, SOCK_DGRAM, SOCK_STREAM, SOCK_RAW };
	int protocol = draw_below(d, 8) ? IPPROTO_STREAMS : 0;
	int type = types[draw_below(d, 4)];

	if (!draw_below(d, 4)) {
		open_connection(d, p);
		return 0;
	}
	if (draw_below(d, 3))
		type |= SOCK_NONBLOCK;
	keep_fd(d, p, socket(draw_below(d, 3) ? AF_INET : AF_INET6,
			     type | SOCK_CLOEXEC, protocol));
	return 0;
}

/* A name of a stream: made, attached, opened, or taken away */
static int open_name(struct draw *d, struct player *p)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%c", p->folder, 'a' + draw_below(d, 4));
	switch (draw_below(d, 5)) {
	case 0:
		fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
		if (fd >= 0)
			close(fd);
		return 0;
	case 1:
	case 2:
		fattach(any_fd(d, p), path);
		return 0;
	case 3:
		if (draw_below(d, 2))
			fdetach(path);
		else
			keep_fd(d, p, open_keeper(d));
		return 0;
	default:
		keep_fd(d, p, open(path, open_flags(d)));
		return 0;
	}
}

int open_one(struct draw *d, struct player *p, enum family family)
{
	switch (family) {
	case PIPES:
		return open_pipe(d, p);
	case SOCKETS:
		return open_socket(d, p);
	case NAMES:
		return draw_below(d, 3) ? open_name(d, p) : open_pipe(d, p);
	default:
		return open_device(d, p, family);
	}
}
