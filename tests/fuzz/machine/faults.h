/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocations and copies that fail: the kernel's fault injection, where it has it */
#ifndef _FUZZ_FAULTS_H
#define _FUZZ_FAULTS_H

#include <stdbool.h>

/* By root; false: this kernel has none. */
bool faults_allow(void);
/* By a thread, before its first call */
void faults_begin(void);
/*
 * The n-th allocation, or copy from or to the user, of this thread fails; 0: none does
 * any more.
 */
void faults_next(unsigned int n);

#endif /* _FUZZ_FAULTS_H */
