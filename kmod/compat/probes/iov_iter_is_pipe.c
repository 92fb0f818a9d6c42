// SPDX-License-Identifier: GPL-2.0-only
/* Until 6.4: iterators over pipes */
#include <linux/uio.h>

bool probe(const struct iov_iter *i);
bool probe(const struct iov_iter *i)
{
	return iov_iter_is_pipe(i);
}
