// SPDX-License-Identifier: GPL-2.0-only
/* 6.2: directions of an iov_iter are named for what they are */
#include <linux/uio.h>

int probe(void);
int probe(void)
{
	return ITER_SOURCE + ITER_DEST;
}
