/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/mux.h - commands of /dev/streams/mux, by I_STR
 *
 * Streams opened on it are the upper ones, those linked below it the lower
 * ones; the muxid that I_LINK or I_PLINK returned names a lower one.
 */
#ifndef _SYS_MUX_H
#define _SYS_MUX_H

#define MUX_ROUTE	(('X' << 8) | 1)	/* struct mux_route * */

struct mux_route {
	int mr_muxid;		/* a lower stream; 0: none */
	int mr_flags;		/* MUX_DOWN, MUX_UP or both */
};

#define MUX_DOWN	1	/* data written here is sent there */
#define MUX_UP		2	/* data arriving there is received here */

#define MUX_DEVICE	"/dev/streams/mux"

#endif /* _SYS_MUX_H */
