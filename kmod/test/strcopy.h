/* SPDX-License-Identifier: GPL-2.0-only */
/* Ioctls of the test driver and module strcopy */
#ifndef _STRCOPY_H
#define _STRCOPY_H

/* Transparent ones */
#define STRCOPY_MODEL	0x5501	/* returns the model of the caller */
#define STRCOPY_ARG	0x5502	/* returns the argument */
#define STRCOPY_GET	0x5503	/* stores STRCOPY_MAGIC, an int */
#define STRCOPY_UPPER	0x5504	/* struct strcopy_upper: its text in capitals */
#define STRCOPY_TAKE	0x5505	/* asks for the bytes that STRCOPY_SIZE said */
#define STRCOPY_LEAK	0x5506	/* gives fewer bytes than it says */
#define STRCOPY_TWICE	0x5507	/* asks twice at once */
#define STRCOPY_ANEW	0x5508	/* asks in a message block of its own */
#define STRCOPY_HOLD	0x5509	/* no answer, until STRCOPY_LATE */
#define STRCOPY_NAK	0x550a	/* M_IOCNAK with the argument as the error */
#define STRCOPY_FAIL	0x550b	/* M_IOCACK with the argument as the error */
/* By I_STR */
#define STRCOPY_SIZE	0x5581	/* an int: bytes for STRCOPY_TAKE */
#define STRCOPY_LATE	0x5582	/* asks for what is held: 0 M_COPYIN, 1 M_IOCACK */
#define STRCOPY_LEFT	0x5583	/* returns requests that were not answered */
#define STRCOPY_FAILED	0x5584	/* returns the last cp_rval that was not 0 */
#define STRCOPY_ASK	0x5585	/* asks for a copy, which I_STR has not */
#define STRCOPY_UID	0x5586	/* returns the caller's user id */

#define STRCOPY_MAGIC	0x57524453

/* The argument in the sizes of the caller's model */
struct strcopy_upper {
	char *text;
	int len;
};

#endif /* _STRCOPY_H */
