/* SPDX-License-Identifier: GPL-2.0-only */
/* works.h - the measurements, over any transport */
#ifndef BENCH_WORKS_H
#define BENCH_WORKS_H

#include "measure.h"

struct work {
	const char *name;
	const char *what;	/* for --help */
	bool sized;		/* once for each size, else once */
	void (*run)(const struct work_options *o, size_t size);
};

/* The last row has no name. */
extern const struct work works[];

#endif /* BENCH_WORKS_H */
