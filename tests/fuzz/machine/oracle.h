/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Promises that must hold for any calls; a broken one is a finding
 *
 * They are about rights, streams that are left behind, and the time that a killed process
 * takes to end.
 */
#ifndef _FUZZ_ORACLE_H
#define _FUZZ_ORACLE_H

#include <stdbool.h>
#include <sys/types.h>

/* Notes the first promise that a call broke. Any process of a sequence may call this. */
void oracle_broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Returns the descriptor that the calling thread uses, whose mode stays the same until
 * oracle_release(). It is a duplicate, as other threads close descriptors.
 */
int oracle_hold(int fd);
void oracle_release(int fd);
bool oracle_holds(void);
/* Check that the mode of the held descriptor allows a call that has read, or written. */
void oracle_read(const char *call, long ret);
void oracle_wrote(const char *call, long ret);

/* Counts the streams that exist before the first sequence. */
void oracle_begin(void);
/* Returns whether streams are left after the processes and names of a sequence ended. */
bool oracle_left(void);

/* The state of a process at which await_all() looks once in each step */
struct oracle_end {
	pid_t pid;
	long asleep_ms;		/* since it was killed */
};

/* Looks at a process; step_ms is the number of milliseconds since the last look. */
void oracle_watch_end(struct oracle_end *end, long step_ms);

#endif /* _FUZZ_ORACLE_H */
