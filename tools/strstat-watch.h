/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strstat-watch.h - strstat --watch */
#ifndef STRSTAT_WATCH_H
#define STRSTAT_WATCH_H

#include <stdbool.h>

#include "strstat-filter.h"

struct watch {
	double seconds;		/* between two samples */
	unsigned long count;	/* how many samples; 0: until it is ended */
	bool json;
	bool counters;		/* with the counters of all */
	struct filter filter;
};

/* Prints a table or a line of JSON for each sample. */
void watch_print(const struct watch *watch);
/* Shows the samples on a terminal, sorted and filtered by keys. */
void watch_screen(const struct watch *watch);

#endif /* STRSTAT_WATCH_H */
