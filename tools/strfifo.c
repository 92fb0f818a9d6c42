// SPDX-License-Identifier: LGPL-2.1-or-later
/* strfifo - make STREAMS FIFOs that have names */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/strio.h>

static const char usage[] =
	"Usage: strfifo [-m MODE] NAME...\n"
	"Make STREAMS FIFOs. fdetach NAME and rm NAME take one away.\n"
	"  -m MODE  permissions, in octal (default: 666 less the umask)\n";

static int pipe_of_streams(int fds[2])
{
	struct strio_pipe arg = {
		.fds = (uintptr_t)fds,
		.flags = O_CLOEXEC,
		.kind = STRIO_PIPE_FIFO,
	};

	arg.control = open(STRIO_PIPE_DEVICE, O_RDWR | O_CLOEXEC);
	if (arg.control < 0)
		return -1;
	return ioctl(arg.control, STRIO_PIPE, &arg);
}

static const char *advice(const char *what, int error)
{
	if (!strcmp(what, STRIO_PIPE_DEVICE) && (error == ENOENT || error == ENXIO))
		return "; run: modprobe strpipe";
	if (error == EPERM)
		return "; it takes CAP_SYS_ADMIN, or strname-helper(8)";
	return "";
}

static int complain(const char *what)
{
	int error = errno;

	fprintf(stderr, "strfifo: %s: %s%s\n", what, strerror(error),
		advice(what, error));
	return 1;
}

static int make(const char *name, mode_t mode, int set_mode)
{
	int fds[2], fd, status = 0;

	if (pipe_of_streams(fds))
		return complain(STRIO_PIPE_DEVICE);
	/* Writable by its owner until it is attached, which asks for that. */
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0200);
	if (fd < 0) {
		status = complain(name);
		goto out;
	}
	close(fd);
	if (fattach(fds[0], name)) {
		status = complain(name);
		unlink(name);
	} else if (set_mode && chmod(name, mode)) {
		status = complain(name);
	}
out:
	close(fds[0]);
	close(fds[1]);
	return status;
}

int main(int argc, char **argv)
{
	mode_t mode = 0666;
	int opt, set_mode = 0, status = 0;
	char *end;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	while ((opt = getopt(argc, argv, "m:")) != -1) {
		unsigned long value = opt == 'm' ? strtoul(optarg, &end, 8) : 01000;

		if (value > 0777 || (opt == 'm' && (*end || end == optarg))) {
			fputs(usage, stderr);
			return 2;
		}
		mode = value;
		set_mode = 1;
	}
	if (optind == argc) {
		fputs(usage, stderr);
		return 2;
	}
	for (; optind < argc; optind++)
		status |= make(argv[optind], mode, set_mode);
	return status;
}
