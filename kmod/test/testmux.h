/* SPDX-License-Identifier: GPL-2.0-only */
/* I_STR commands of the test multiplexor /dev/streams/testmux */
#ifndef _TESTMUX_H
#define _TESTMUX_H

#define TESTMUX_NAK	0x5501	/* int: links fail with this error; 0: no more */
#define TESTMUX_SILENT	0x5502	/* int: how many links or unlinks get no answer */
#define TESTMUX_LATE	0x5505	/* int: the next link waits for TESTMUX_NOW */
#define TESTMUX_NOW	0x5506	/* ... and is made and answered now */
#define TESTMUX_COUNT	0x5503	/* returns how many streams are linked, of all */
#define TESTMUX_TURN	0x5507	/* int: 1: messages are sent on to the last one linked */
#define TESTMUX_SEND	0x5504	/* sends up a message: its type, its band, its bytes */

#endif /* _TESTMUX_H */
