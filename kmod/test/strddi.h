/* SPDX-License-Identifier: GPL-2.0-only */
/* I_STR commands of the test driver strddi */
#ifndef _STRDDI_H
#define _STRDDI_H

/* The checks in the driver return 0, or the line of the one that failed. */
#define STRDDI_TIMEOUT	0x5701	/* an int of milliseconds: answered after them */
#define STRDDI_CANCEL	0x5702	/* qtimeout() taken back: never runs */
#define STRDDI_BUFCALL	0x5703	/* answered when bufcall() called */
#define STRDDI_QBUFCALL	0x5704	/* ... qbufcall() */
#define STRDDI_UNBUF	0x5705	/* both taken back: never run */
#define STRDDI_FREEZE	0x5706	/* rmvq() and insq() on a frozen queue */
#define STRDDI_LEAVE	0x5707	/* calls that are pending at the close */
#define STRDDI_RAN	0x5708	/* returns how many of all calls ran */
#define STRDDI_FAIL	0x5709	/* an int: the functions that fail; 0: none */
#define STRDDI_FAILED	0x570a	/* returns how often they did */
#define STRDDI_LOG	0x570b	/* struct strddi_log: strlog() of it */
#define STRDDI_WAIT	0x570c	/* an int: how the next open waits for a message */
#define STRDDI_ABANDON	0x570d	/* calls that ran after their close */
#define STRDDI_STARVE	0x570e	/* allocb_gfp() and its like fail, while no other is open */
#define STRDDI_FEED	0x570f	/* ... no more */

/* STRDDI_FAIL */
#define STRDDI_FAIL_MODULES	1	/* allocb() and testb() */
#define STRDDI_FAIL_ALL		2	/* ... and others, except the caller's thread */

/* The argument of STRDDI_WAIT: how to wait, and what arrives */
#define STRDDI_QWAIT_SIG	1	/* a timeout's message */
#define STRDDI_QWAIT_SIG_NONE	2
#define STRDDI_QWAIT		3

struct strddi_log {
	short mid;
	short sid;
	char level;
	unsigned short flags;
	char text[64];
};

#endif /* _STRDDI_H */
