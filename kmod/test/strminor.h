/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I_STR commands of the test driver /dev/streams/strminor, of four minor
 * devices
 */
#ifndef _STRMINOR_H
#define _STRMINOR_H

#define STRMINOR_MINORS	4

#define STRMINOR_GET	0x5601	/* struct strminor_state back */
#define STRMINOR_CHOOSE	0x5602	/* int: the minor device that the next clone open takes */
#define STRMINOR_REFUSE	0x5603	/* int: the error of all opens but this stream's; 0: none */
#define STRMINOR_AGAIN	0x5604	/* int: the error of this stream's next opens */
#define STRMINOR_CALL	0x5605	/* opens of this stream wait for STRMINOR_CARRIER */
#define STRMINOR_CARRIER 0x5606
#define STRMINOR_HANGUP	0x5607	/* M_HANGUP is sent up */
#define STRMINOR_SLOW	0x5608	/* int: first opens wait from now on, or go on */
#define STRMINOR_SILENT	0x5609	/* no answer */

struct strminor_state {
	int minor;
	int sflag;			/* of the first open */
	int opens;			/* calls of the open procedure for this stream */
	int waiting;			/* of them, those that wait */
	int modules;			/* calls of minormod's for this stream */
	int closes;			/* of the driver's streams, all */
	int opening;			/* first opens that wait, all */
};

#endif /* _STRMINOR_H */
