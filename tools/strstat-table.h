/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strstat-table.h - a sample as lines of text: a line for each kind, and for each stream */
#ifndef STRSTAT_TABLE_H
#define STRSTAT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "strstat-sample.h"

/* The columns by which streams can be sorted */
enum order {
	ORDER_BYTES,		/* those that move most first */
	ORDER_MESSAGES,
	ORDER_FILL,
	ORDER_DROPS,
	ORDER_PROGRAM,
	ORDER_PID,
	ORDER_ID,
	ORDER_MAX
};

const char *order_name(enum order order);
/* Sorts the streams of a sample. */
void table_sort(struct sample *sample, enum order order, bool reverse);
/*
 * These functions write one line without its end, cut at width bytes; control characters are
 * replaced. The first index without a line returns false.
 */
bool table_total(const struct sample *sample, size_t index, char *line, size_t size);
void table_title(char *line, size_t size);
void table_stream(const struct sample_stream *s, char *line, size_t size);
/* Prints the whole. */
void table_print(const struct sample *sample, FILE *to);

#endif /* STRSTAT_TABLE_H */
