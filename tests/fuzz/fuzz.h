/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the targets share */
#ifndef _FUZZ_H
#define _FUZZ_H

#include "input.h"
#include "include/kernel.h"

/*
 * Tasks of the kernel that a target lets run: softirqs; one work, false: there was
 * none; all works, and what waits for a grace period; works that wait for a time.
 */
void fuzz_softirq(void);
bool fuzz_work(void);
void fuzz_settle(void);
void fuzz_tick(void);

/* At the end of an input: nothing warned, is held, or was left. */
void fuzz_begin(void);
void fuzz_end(void);

#endif /* _FUZZ_H */
