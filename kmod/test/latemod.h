/* SPDX-License-Identifier: GPL-2.0-only */
/* I_STR commands of the test module latemod; each takes an unsigned int */
#ifndef _LATEMOD_H
#define _LATEMOD_H

#define LATEMOD_DELAY	0x5701	/* hold each message back: milliseconds */
#define LATEMOD_TIMES	0x5702	/* how many times to send each message */
#define LATEMOD_UP	0x5703	/* send up an empty message of this type */

#endif /* _LATEMOD_H */
