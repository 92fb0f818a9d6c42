// SPDX-License-Identifier: LGPL-2.1-or-later
/* The errno of an ioctl of a stream that has failed */
#include <errno.h>

#include "strio.h"

int stream_error(int fildes)
{
	int error = errno;

	switch (error) {
	case ENOTTY:
	case EINVAL:
	case ENOSYS:
	case EOPNOTSUPP:
		if (!isastream(fildes))
			error = ENOSTR;
	}
	errno = error;
	return -1;
}
