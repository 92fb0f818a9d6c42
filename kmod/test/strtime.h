/* SPDX-License-Identifier: GPL-2.0-only */
/* The ioctl of /dev/strtime */
#ifndef _STRTIME_H
#define _STRTIME_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Messages are written to one file and read from another one, in turn. */
struct strtime {
	__s32 tx, rx;		/* descriptors; each write is for the reader of rx */
	__u32 size;		/* of a message, bytes: 1 to STRTIME_MOST */
	__u32 count;		/* messages: 1 to 1,000,000 */
	__u64 buf;		/* pointer to size bytes */
	__u64 ns;		/* result: nanoseconds for all of them */
};

#define STRTIME_MOST	65536

#define STRTIME_RUN	_IOWR('T', 0x53, struct strtime)

#endif /* _STRTIME_H */
