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

static int failed;

#define CHECK(cond) do {						\
	if (!(cond)) {							\
		printf("line %d: not so: %s (errno: %s)\n", __LINE__,	\
		       #cond, strerror(errno));				\
		failed = 1;						\
	}								\
} while (0)

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

	CHECK(getmsg(0, &buf, &buf, &flags) == -1 && errno == ENOSYS);
	CHECK(getpmsg(0, &buf, &buf, &band, &flags) == -1 && errno == ENOSYS);
	CHECK(putmsg(0, &buf, &buf, 0) == -1 && errno == ENOSYS);
	CHECK(putpmsg(0, &buf, &buf, 0, MSG_BAND) == -1 && errno == ENOSYS);
	CHECK(fattach(0, "/") == -1 && errno == ENOSYS);
	CHECK(fdetach("/") == -1 && errno == ENOSYS);
	/* The C library has isastream(): no descriptor is a stream. */
	CHECK(isastream(0) == 0);
}

static void messages(int fds[2])
{
	char control[16], bytes[16];
	struct strbuf ctl = { 0, 7, "control" }, data = { 0, 4, "data" };
	int flags = 0, band = 0;

	CHECK(isastream(fds[0]) == 1);
	CHECK(isastream(0) == 0);
	CHECK(putmsg(fds[0], &ctl, &data, 0) == 0);
	CHECK(putpmsg(fds[0], &ctl, &data, 5, MSG_BAND) == 0);
	ctl = (struct strbuf){ sizeof(control), 0, control };
	data = (struct strbuf){ sizeof(bytes), 0, bytes };
	flags = MSG_ANY;
	CHECK(getpmsg(fds[1], &ctl, &data, &band, &flags) == 0);
	CHECK(band == 5 && flags == MSG_BAND);
	flags = 0;
	CHECK(getmsg(fds[1], &ctl, &data, &flags) == 0);
	CHECK(ctl.len == 7 && !memcmp(control, "control", 7));
	CHECK(data.len == 4 && !memcmp(bytes, "data", 4));
	flags = 77;
	CHECK(getmsg(fds[1], &ctl, &data, &flags) == -1 && errno == EINVAL);
}

/* The test runs only where the process may mount. */
static void names(int fds[2])
{
	char byte = 0;
	int fd = open("name", O_WRONLY | O_CREAT | O_EXCL, 0600);

	close(fd);
	CHECK(fattach(fds[1], "name") == 0);
	fd = open("name", O_RDWR);
	CHECK(isastream(fd) == 1);
	CHECK(write(fds[0], "n", 1) == 1);
	CHECK(read(fd, &byte, 1) == 1 && byte == 'n');
	CHECK(fdetach("name") == 0);
	CHECK(fdetach("name") == -1 && errno == EINVAL);
}

int main(int argc, char **argv)
{
	int fds[2];

	if (argc == 2 && !strcmp(argv[1], "absent")) {
		absent();
	} else if (argc == 2 && !strcmp(argv[1], "present")) {
		CHECK(stream_pipe(fds) == 0);
		messages(fds);
		names(fds);
	} else {
		fprintf(stderr, "Usage: oldstreams absent|present\n");
		return 2;
	}
	return failed;
}

#else

int main(void)
{
	puts("the C library of this processor never had them");
	return 77;
}

#endif /* OLD */
