/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must hold for any calls: a finding if it does not
 *
 * Rights, what is left behind, and how long a killed process takes to end.
 */
#ifndef _FUZZ_ORACLE_H
#define _FUZZ_ORACLE_H

#include <stdbool.h>
#include <sys/types.h>

/* Notes the first promise that a call broke; for any process of a sequence. */
void oracle_broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The descriptor that the calling thread uses, in a mode that stays the same until
 * oracle_release(): a duplicate, as other threads close descriptors.
 */
int oracle_hold(int fd);
void oracle_release(int fd);
bool oracle_holds(void);
/* The held descriptor's call has read, or written: its mode must allow that. */
void oracle_read(const char *call, long ret);
void oracle_wrote(const char *call, long ret);

/* As many streams as there are now are no finding. */
void oracle_begin(void);
/* Whether streams are left after all processes and names of a sequence have ended. */
bool oracle_left(void);

/* Looks at a process once in each step of await_all(), of so many milliseconds. */
struct oracle_end {
	pid_t pid;
	long asleep_ms;		/* since it was killed */
};

void oracle_watch_end(struct oracle_end *end, long step_ms);

#endif /* _FUZZ_ORACLE_H */
