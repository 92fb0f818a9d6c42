/* SPDX-License-Identifier: GPL-2.0-only */
/* Flags of queues, for the executive itself */
#ifndef _STREAMS_QFLAG_H
#define _STREAMS_QFLAG_H

/* The bits of q_flag besides those of <sys/stream.h> */
#define QPROCSOFF	0x0040	/* its procedures are not to be called */
#define QMTSAFE		0x0080	/* its put procedure needs no perimeter */
#define QHEAD		0x0100	/* belongs to a stream head */
#define QPERIM		0x0200	/* its perimeter is not the stream's */
#define QWATCHED	0x0400	/* its procedures wake qwait() */

#endif /* _STREAMS_QFLAG_H */
