// SPDX-License-Identifier: GPL-2.0-only
/*
 * preload-popen-unit.c - the cases of preload-popen.c, with the preload's
 * popen() linked in and given native pipes
 *
 * So that it can be tried where there are no kernel modules. With an argument
 * more, "ENOENT", STREAMS is absent; with "ENXIO" it is, and required.
 */
#include <errno.h>
#include <unistd.h>

#include "pipe.h"
#include "pipe-make.h"
#include "policy.h"

int cases_main(int argc, char **argv);

#define main cases_main
#include "preload-popen.c"
#undef main

struct strsock_policy strsock_policy = { .pipe = true };
static int error;

int pipe_make(int fds[2], int access, int flags)
{
	if (error)
		return -error;
	return pipe2(fds, flags) ? -errno : 0;
}

bool pipe_error_is_final(int err)
{
	return err == EMFILE;
}

int pipe_refuse(const char *call, int err)
{
	printf("%s refused: %s\n", call, strerrorname_np(err));
	return err;
}

int pipe_push(const char *call, const int fds[2])
{
	(void)call;
	(void)fds;
	return 0;
}

void pipe_tell(const char *call, const char *provider, const int fds[2], int err)
{
	(void)call;
	(void)provider;
	(void)fds;
	(void)err;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[2], "ENOENT"))
		error = ENOENT;
	if (argc == 3 && !strcmp(argv[2], "ENXIO"))
		error = ENXIO;
	strsock_policy.require = error == ENXIO;
	return cases_main(2, argv);
}
