/* SPDX-License-Identifier: GPL-2.0-only */
/* line.h - the line that a step prints */
#ifndef _DIFF_LINE_H
#define _DIFF_LINE_H

#include <stdbool.h>

#include "step.h"

/* The fields of a step's line, which contains nothing that may differ between two runs. */
enum field {
	CALL, RESULT, SIGNALS, STATE,
	CONTEXT,	/* words that tests/diff/known may ask for */
	FIELDS,
};

void put(enum field field, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void put_result(const char *name, long ret);
void put_data(const void *data, long len);
void put_events(enum field field, unsigned int events);
void line_begin(void);
void line_end(const struct step *s);
bool line_telling(void);
void line_send(int fd);
void line_receive(int fd);
void lines_end(void);
const char *line_result(void);

#endif /* _DIFF_LINE_H */
