/* SPDX-License-Identifier: GPL-2.0-only */
/* I_STR commands of the test driver /dev/streams/strtest */
#ifndef _STRTEST_H
#define _STRTEST_H

#define STRTEST_RVAL	7

#define STRTEST_ECHO	0x5401	/* M_IOCACK with the data back; the value STRTEST_RVAL */
#define STRTEST_NAK	0x5402	/* M_IOCNAK with the error in the first byte of the data */
#define STRTEST_SILENT	0x5403	/* no answer */
#define STRTEST_SEND	0x5404	/* sends up a message: its type, its band, its bytes */
#define STRTEST_HOLD	0x5405	/* written data stays in the driver from now on */
#define STRTEST_RELEASE	0x5406	/* ... is returned again */

#endif /* _STRTEST_H */
