/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/bufmod.h - commands of the buffering module, by I_STR */
#ifndef _SYS_BUFMOD_H
#define _SYS_BUFMOD_H

#include <linux/types.h>

#define SBIOC		('B' << 8)
#define SBIOCSTIME	(SBIOC | 1)	/* struct sb_time: set the timeout */
#define SBIOCGTIME	(SBIOC | 2)	/* ... get it */
#define SBIOCCTIME	(SBIOC | 3)	/* no timeout */
#define SBIOCSCHUNK	(SBIOC | 4)	/* unsigned int, bytes */
#define SBIOCGCHUNK	(SBIOC | 5)
#define SBIOCSSNAP	(SBIOC | 6)	/* unsigned int, bytes; 0: no limit */
#define SBIOCGSNAP	(SBIOC | 7)
#define SBIOCSFLAGS	(SBIOC | 8)	/* unsigned int, SB_* */
#define SBIOCGFLAGS	(SBIOC | 9)

#define SB_SEND_ON_WRITE	1	/* a write() sends up what is gathered */
#define SB_NO_HEADER		2	/* messages without struct sb_hdr */
#define SB_NO_PROTO_CVT		4	/* M_PROTO passes as it is, at once */
#define SB_DEFER_CHUNK		8	/* the first after a pause passes at once */
#define SB_NO_DROPS		16	/* hold back the sender, rather than drop */

#define SB_DFLT_CHUNK		8192

/* A struct timeval of a 64-bit program. */
struct sb_time {
	__s64 tv_sec;
	__s64 tv_usec;
};

/* The header of each message in a chunk; the next one begins sbh_totlen after it. */
struct sb_hdr {
	__u32 sbh_origlen;	/* bytes of the message as it arrived */
	__u32 sbh_msglen;	/* ... as far as they are here */
	__u32 sbh_totlen;	/* with header and padding */
	__u32 sbh_drops;	/* messages dropped so far for want of room */
	struct {
		__s32 tv_sec;
		__s32 tv_usec;
	} sbh_timestamp;	/* when it arrived */
};

#endif /* _SYS_BUFMOD_H */
