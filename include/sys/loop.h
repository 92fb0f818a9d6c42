/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/loop.h - commands of /dev/streams/loop, by I_STR
 *
 * Each open is a stream with a number. Two of them are joined; data written to
 * one arrives at the other.
 */
#ifndef _SYS_LOOP_H
#define _SYS_LOOP_H

#define LOOP_GET	(('L' << 8) | 1)	/* returns the stream's number */
#define LOOP_SET	(('L' << 8) | 2)	/* int: the other stream's number */

#define LOOP_DEVICE	"/dev/streams/loop"

#endif /* _SYS_LOOP_H */
