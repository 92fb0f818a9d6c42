/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sequence: the calls of three processes of two threads
 *
 * Each call follows from a number of its own, so a sequence can be played without some of
 * its calls. A sequence that is not new is another one with some of its calls
 * changed. Its name says which: "27.311.412" is the sequence 27, changed as the number
 * 311 says, and then as 412 does.
 */
#ifndef _FUZZ_SEQUENCE_H
#define _FUZZ_SEQUENCE_H

#include "calls.h"

#define CALLS		200	/* of each thread */

struct sequence {
	char name[256];
	enum family family;
	bool root;
	bool namespaces;	/* of users and mounts, of its own */
	bool idle;			/* SCHED_IDLE */
	int kill_at;		/* the call before which a process is killed, or -1 */
	enum { EXITS, KILLED_IN_CALL, KILLED } end[PROCESSES];
	uint64_t call[PROCESSES][THREADS][CALLS];	/* 0: not made */
};

/* only: the family, or -1 */
void sequence_new(struct sequence *s, unsigned long seed, unsigned long number, int only);
/* False, and nothing is changed, if its name would be too long. */
bool sequence_change(struct sequence *s, unsigned long seed, unsigned long number);
/* -1 if name is not one of a sequence */
int sequence_named(struct sequence *s, unsigned long seed, const char *name, int only);

/* Takes the calls away that are not in the file; -1, and errno, if it cannot be read. */
int sequence_keep(struct sequence *s, const char *file);
/* A line for each call: process, thread, number. */
void sequence_print(const struct sequence *s);

#endif /* _FUZZ_SEQUENCE_H */
