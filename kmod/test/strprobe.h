/* SPDX-License-Identifier: GPL-2.0-only */
/* I_STR commands of the test driver /dev/streams/strprobe */
#ifndef _STRPROBE_H
#define _STRPROBE_H

#define STRPROBE_SEND		0x5501	/* sends up a message: its type, band, flag, bytes */
#define STRPROBE_LOOK		0x5502	/* gives the struct strprobe, and begins a new one */
#define STRPROBE_HOLD		0x5503	/* written data stays in the driver's queue */
#define STRPROBE_RELEASE	0x5504	/* ... is dropped */
#define STRPROBE_ANSWER		0x5505	/* M_READ is answered with as many bytes, 'r' */
#define STRPROBE_ID		0x5506	/* gives the stream's strid() */
#define STRPROBE_LEAST		0x5507	/* the smallest packet that it takes is of 4 bytes */
#define STRPROBE_SAY		0x5508	/* written data is sent up as by STRPROBE_SEND */

/* The messages that came down since the last look */
struct strprobe {
	unsigned int messages;		/* of data and control */
	unsigned int reads;		/* M_READ */
	unsigned long read_size;	/* bytes that the last one wanted */
	long head_min;			/* packet sizes of the head's read queue */
	long head_max;
	/* The last message: */
	unsigned int type;
	unsigned int band;
	unsigned int flag;		/* MSGDELIM ... */
	unsigned int bytes;
	unsigned int blocks;
	unsigned int largest;		/* bytes of the largest block */
	unsigned int before;		/* bytes free before the first block */
	unsigned int after;		/* ... and after the last */
};

#endif /* _STRPROBE_H */
