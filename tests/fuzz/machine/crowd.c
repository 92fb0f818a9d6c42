// SPDX-License-Identifier: GPL-2.0-only
/* Calls that make many objects of one kind at once, as random single calls never do */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stropts.h>
#include <strsock.h>
#include <sys/bufmod.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/strio.h>
#include <unistd.h>

#include "calls.h"
#include "oracle.h"

#define CROWD		12
#define FULL_MODULES	16
#define MODULE_PAGES	48	/* counted for a bufmod, see strlimits(7) */

/* Opens streams of one driver with one module, which are closed one by one at exit. */
void crowd_streams(struct draw *d, struct player *p)
{
	static const char *const drivers[] = {
		"nuls", "echo", "loop", "mux", "ticots", "ticotsord", "ticlts", "tcp", "udp",
	};
	static const char *const modules[] = {
		"tirdwr", "timod", "bufmod", "pfmod", "nullmod",
	};
	const char *module = modules[draw_below(d, 5)];
	char path[64];
	int i, fd;

	snprintf(path, sizeof(path), "/dev/streams/%s", drivers[draw_below(d, 9)]);
	for (i = 0; i < CROWD; i++) {
		fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			return;
		ioctl(fd, I_PUSH, module);
		if (draw_below(d, 2))
			(void)!write(fd, "left", 4);
		p->fd[i] < 0 ? (p->fd[i] = fd) : keep_fd(d, p, fd);
	}
}

static void set_number(int fd, int cmd, unsigned int n)
{
	struct strioctl ic = { cmd, 1, sizeof(n), (char *)&n };

	ioctl(fd, I_STR, &ic);
}

/*
 * Fills a pipe in all places: its modules, and, when they are popped, its head. The limit
 * of pages stops a user without privileges before the last module.
 */
void crowd_modules(struct draw *d, struct player *p)
{
	static char block[4096];
	int fds[2] = { -1, -1 }, n;

	if (strpipe(fds))
		return;
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	for (n = 0; n < FULL_MODULES && !ioctl(fds[0], I_PUSH, "bufmod"); n++) {
		set_number(fds[0], SBIOCSCHUNK, 65536);
		set_number(fds[0], SBIOCSFLAGS, SB_NO_HEADER | SB_NO_DROPS);
	}
	if (!p->root && n * MODULE_PAGES > PIPE_PAGES)
		oracle_broken("a user with %d pages of pipes pushed %d modules of %d pages",
			      PIPE_PAGES, n, MODULE_PAGES);
	while (write(fds[1], block, 1000) > 0)
		;
	if (draw_below(d, 2))
		while (!ioctl(fds[0], I_POP, 0))
			;
	keep_fd(d, p, fds[0]);
	keep_fd(d, p, fds[1]);
}

/* Files that keep a namespace of mounts, with the names in it */
static const char *const keepers[] = {
	"/proc/self/mountinfo", "/proc/self/ns/mnt", "/", "/tmp",
};

int open_keeper(struct draw *d)
{
	return open(keepers[draw_below(d, 4)], O_RDONLY | O_CLOEXEC);
}

/*
 * Gives names to both ends of a pipe, which keep them open when the process has ended, and
 * sends such files to the ends, before or after the names are made.
 */
void crowd_names(struct draw *d, struct player *p)
{
	int fds[2] = { -1, -1 }, keeper = open_keeper(d), end;
	bool sent_first = draw_below(d, 2);
	char path[256];

	if (strpipe(fds))
		return;
	for (end = 0; end < 2; end++) {
		snprintf(path, sizeof(path), "%s/%c", p->folder, 'a' + draw_below(d, 4));
		close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666));
		fcntl(fds[end], F_SETFL, O_NONBLOCK);
		if (sent_first)
			ioctl(fds[!end], I_SENDFD, keeper);
		fattach(fds[end], path);
		ioctl(fds[draw_below(d, 2)], I_SENDFD, keeper);
	}
	close(keeper);
	keep_fd(d, p, fds[0]);
	keep_fd(d, p, fds[1]);
}

/*
 * Sends from a connected socket, and connects it to another host while its data is late:
 * the datagram is still for the first one. Another socket has the port on this host.
 */
void crowd_sends(struct draw *d, struct player *p)
{
	static const struct sockaddr none = { .sa_family = AF_UNSPEC };
	struct sockaddr_storage ss, other;
	int from, at, times = 16;

	at = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_STREAMS);
	from = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_STREAMS);
	address_here(d, &ss);
	bind(at, (struct sockaddr *)&ss, sizeof(struct sockaddr_in));
	while (times--) {
		struct labelled to = { };
		struct iovec v[2] = { { &to, sizeof(to) }, { NULL, 64 } };
		struct msghdr m = { .msg_iov = v, .msg_iovlen = 2 };
		bool here = draw_below(d, 2);

		address_turn(&ss, here);
		other = ss;
		address_turn(&other, !here);
		/* Else the source address of the last connection would stay. */
		connect(from, &none, sizeof(none));
		if (connect(from, (struct sockaddr *)&ss, sizeof(struct sockaddr_in)))
			continue;
		label(&to, &ss);
		v[1].iov_base = late_connect_begin(from, &other);
		if (!v[1].iov_base)
			continue;
		sendmsg(from, &m, MSG_NOSIGNAL);
		late_connect_end();
		while (recv(at, &to, sizeof(to), MSG_TRUNC) > 0)
			label_check(at, &to, sizeof(to));
	}
	keep_fd(d, p, from);
	keep_fd(d, p, at);
}
