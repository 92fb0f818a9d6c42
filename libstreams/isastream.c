// SPDX-License-Identifier: LGPL-2.1-or-later
/* isastream() */
#include <errno.h>
#include <stropts.h>
#include <sys/stat.h>
#include <sys/strio.h>

/**
 * isastream() - ask whether a descriptor is a stream
 * @fildes: any descriptor
 *
 * The historic ioctl numbers are those of CD-ROM drives; this one belongs to no
 * other driver, and is sent only to files that can be streams.
 *
 * Return: 1 if it is, 0 if not; -1 with EBADF. POSIX.1-2001 isastream().
 */
int isastream(int fildes)
{
	struct stat st;
	int saved = errno;

	if (fstat(fildes, &st) < 0)
		return -1;
	if (!S_ISCHR(st.st_mode) && !S_ISFIFO(st.st_mode) &&
	    !S_ISSOCK(st.st_mode))
		return 0;
	errno = 0;
	if (ioctl(fildes, STRIO_ISASTREAM) == 1) {
		errno = saved;
		return 1;
	}
	/* An O_PATH descriptor is not open for this. */
	if (errno == EBADF)
		return -1;
	errno = saved;
	return 0;
}
