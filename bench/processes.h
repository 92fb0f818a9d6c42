/* SPDX-License-Identifier: GPL-2.0-only */
/* processes.h - works of several processes */
#ifndef BENCH_PROCESSES_H
#define BENCH_PROCESSES_H

#include "measure.h"

void run_two(const struct work_options *o, size_t size);
void run_rtt(const struct work_options *o, size_t size);
void run_jobs(const struct work_options *o, size_t size);

#endif /* BENCH_PROCESSES_H */
