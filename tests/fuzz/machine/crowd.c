// SPDX-License-Identifier: GPL-2.0-only
/* Calls that make many of one kind, as random single calls never have them at once */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stropts.h>
#include <strsock.h>
#include <sys/bufmod.h>
#include <sys/ioctl.h>
#include <sys/strio.h>
#include <unistd.h>

#include "calls.h"
#include "oracle.h"

#define CROWD		12
#define FULL_MODULES	16
#define MODULE_PAGES	48	/* that bufmod counts for, see strlimits(7) */

/* Streams of one driver with one module, which wait for each other's close at exit. */
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
 * A pipe that is full in all places: its modules, and, when they are popped, its head.
 * A user whose pages are limited cannot push so many modules.
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
