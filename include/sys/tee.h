/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/tee.h - what a reader of /dev/streams/tee gets, see tee(4) */
#ifndef _SYS_TEE_H
#define _SYS_TEE_H

#include <linux/types.h>

/* The control part; the data part is what passed the module. */
struct tee_ctl {
	__u32 number;		/* of the module's instance, as strstat shows it */
	__u32 up;		/* 0: passed down, as by write(); 1: passed up, to be read */
	__u64 lost;		/* copies lost to this reader before this one */
};

#endif /* _SYS_TEE_H */
