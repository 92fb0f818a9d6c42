// SPDX-License-Identifier: GPL-2.0-only
/*
 * oldstreams.c - a program as one that was linked before 2018
 *
 * It refers to the STREAMS calls by the version that the GNU C Library had
 * them with, and is linked with nothing else. Run by itself it finds them all
 * to fail with ENOSYS; under the preload they work.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>
#include <sys/ioctl.h>
#include <sys/strio.h>
#include <unistd.h>

#include "check.h"
#include "waits.h"

#if defined(__x86_64__)
#define OLD	"@GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OLD	"@GLIBC_2.17"
#endif

#ifdef OLD

#define REFER(name)	__asm__(".symver " #name ", " #name OLD)

REFER(getmsg);
REFER(getpmsg);
REFER(putmsg);
REFER(putpmsg);
REFER(isastream);
REFER(fattach);
REFER(fdetach);

static int stream_pipe(int fds[2])
{
	struct strio_pipe arg = { .fds = (uintptr_t)fds };

	arg.first = open(STRIO_PIPE_DEVICE, O_RDWR);
	return ioctl(arg.first, STRIO_PIPE, &arg);
}

/* The functions fail as the C library's do. */
static void absent(void)
{
	struct strbuf buf = { 0, 0, "" };
	int flags = 0, band = 0;

	TRUE(getmsg(0, &buf, &buf, &flags) == -1 && errno == ENOSYS);
	TRUE(getpmsg(0, &buf, &buf, &band, &flags) == -1 && errno == ENOSYS);
	TRUE(putmsg(0, &buf, &buf, 0) == -1 && errno == ENOSYS);
	TRUE(putpmsg(0, &buf, &buf, 0, MSG_BAND) == -1 && errno == ENOSYS);
	TRUE(fattach(0, "/") == -1 && errno == ENOSYS);
	TRUE(fdetach("/") == -1 && errno == ENOSYS);
	/* The C library has isastream(): no descriptor is a stream. */
	TRUE(isastream(0) == 0);
}

static void messages(int fds[2])
{
	char control[16], bytes[16];
	struct strbuf ctl = { 0, 7, "control" }, data = { 0, 4, "data" };
	int flags = 0, band = 0;

	TRUE(isastream(fds[0]) == 1);
	TRUE(isastream(0) == 0);
	TRUE(putmsg(fds[0], &ctl, &data, 0) == 0);
	TRUE(putpmsg(fds[0], &ctl, &data, 5, MSG_BAND) == 0);
	ctl = (struct strbuf){ sizeof(control), 0, control };
	data = (struct strbuf){ sizeof(bytes), 0, bytes };
	flags = MSG_ANY;
	TRUE(getpmsg(fds[1], &ctl, &data, &band, &flags) == 0);
	TRUE(band == 5 && flags == MSG_BAND);
	flags = 0;
	TRUE(getmsg(fds[1], &ctl, &data, &flags) == 0);
	TRUE(ctl.len == 7 && !memcmp(control, "control", 7));
	TRUE(data.len == 4 && !memcmp(bytes, "data", 4));
	flags = 77;
	TRUE(getmsg(fds[1], &ctl, &data, &flags) == -1 && errno == EINVAL);
}

/* The test runs only where the process may mount. */
static void names(int fds[2])
{
	char byte = 0;
	int fd = open("name", O_WRONLY | O_CREAT | O_EXCL, 0600);

	close(fd);
	TRUE(fattach(fds[1], "name") == 0);
	fd = open("name", O_RDWR);
	TRUE(isastream(fd) == 1);
	TRUE(write(fds[0], "n", 1) == 1);
	TRUE(read(fd, &byte, 1) == 1 && byte == 'n');
	TRUE(fdetach("name") == 0);
	TRUE(fdetach("name") == -1 && errno == EINVAL);
}

int main(int argc, char **argv)
{
	int fds[2];

	if (argc == 2 && !strcmp(argv[1], "absent")) {
		absent();
	} else if (argc == 2 && !strcmp(argv[1], "present")) {
		TRUE(stream_pipe(fds) == 0);
		messages(fds);
		names(fds);
	} else {
		fprintf(stderr, "Usage: oldstreams absent|present\n");
		return 2;
	}
	return 0;
}

#else

int main(void)
{
	puts("the C library of this processor never had them");
	return 77;
}

#endif /* OLD */
