/* SPDX-License-Identifier: GPL-2.0-only */
/* lifetimes.h - works of channels rather than messages */
#ifndef BENCH_LIFETIMES_H
#define BENCH_LIFETIMES_H

#include "measure.h"

void run_create(const struct work_options *o, size_t size);
void run_memory(const struct work_options *o, size_t size);

#endif /* BENCH_LIFETIMES_H */
