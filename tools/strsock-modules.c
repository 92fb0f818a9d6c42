// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * strsock-modules.c - are the kernel modules there?
 *
 * Only the ways in are tried. No pipe is made, so that the counters of
 * strstat(8) show what the command did and nothing of the launcher.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sad.h>
#include <sys/socket.h>
#include <sys/strio.h>
#include <stropts.h>
#include <unistd.h>

#include "strsock-modules.h"

/**
 * modules_pipe - can STREAMS pipes be made?
 *
 * Return: 0, or an error number; ENOENT, ENODEV or ENXIO mean that strpipe.ko
 * is not loaded.
 */
int modules_pipe(void)
{
	int fd = open(STRIO_PIPE_DEVICE, O_ACCMODE | O_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/**
 * modules_socket - can STREAMS sockets be made?
 *
 * The kernel loads strsock.ko by itself where it is installed.
 *
 * Return: 0, or an error number; EPROTONOSUPPORT or ESOCKTNOSUPPORT mean that
 * strsock.ko is not loaded.
 */
int modules_socket(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_STREAMS);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/**
 * modules_named - is there a module to push of that name?
 * @name: of at most STRNAMESZ - 1 bytes
 *
 * The kernel loads it where it is installed.
 *
 * Return: whether there is; true if the kernel cannot be asked.
 */
bool modules_named(const char *name)
{
	struct str_mlist entry = { };
	struct str_list list = { .sl_nmods = 1, .sl_modlist = &entry };
	int sad, ret;

	strcpy(entry.l_name, name);
	sad = open(SAD_DEVICE, O_RDWR | O_CLOEXEC);
	ret = ioctl(sad, SAD_VML, &list);
	close(sad);
	return ret <= 0;
}
