/* SPDX-License-Identifier: GPL-2.0-only */
/* The places of the modules that calls reach: KCOV, where the kernel has it */
#ifndef _FUZZ_COVER_H
#define _FUZZ_COVER_H

#include <stdbool.h>

/* By root, before the processes are made; false: this kernel has no KCOV. */
bool cover_open(void);
/* By a thread before its first call: what it reaches is noted until it ends. */
void cover_begin(int process, int thread);
/*
 * When the threads have ended: how many places they reached that none did before. The
 * notes are then empty.
 */
unsigned int cover_take(void);
/* The places that were reached since cover_open() */
unsigned int cover_total(void);

#endif /* _FUZZ_COVER_H */
