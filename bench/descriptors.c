// SPDX-License-Identifier: GPL-2.0-only
/* How many descriptors the process may have */
#include <err.h>
#include <sys/resource.h>
#include <unistd.h>

#include "descriptors.h"

void room_for(int fds)
{
	struct rlimit limit;
	int top;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur < (rlim_t)fds) {
		limit.rlim_cur = fds;
		/* Only root may do this. */
		if (limit.rlim_max < limit.rlim_cur)
			limit.rlim_max = limit.rlim_cur;
		if (setrlimit(RLIMIT_NOFILE, &limit))
			err(1, "%d open files; raise the limit (ulimit -n) or lower --pairs", fds);
	}
	top = dup2(0, fds - 1);
	if (top >= 0)
		close(top);
}
