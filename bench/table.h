/* SPDX-License-Identifier: GPL-2.0-only */
/* table.h - the transports of a program, which its own source defines */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "transport.h"

/* The last row has no name. */
extern const struct transport transports[];

#endif /* BENCH_TABLE_H */
