/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * log.h - lines on standard error, from any context
 */
#ifndef STRSOCK_LOG_H
#define STRSOCK_LOG_H

#include <stddef.h>

/* One line under construction, on the caller's stack. */
struct log_line {
	size_t len;
	char text[512];
};

void log_open(void);
void log_begin(struct log_line *line);
void log_bytes(struct log_line *line, const char *s, size_t len);
void log_text(struct log_line *line, const char *s);
void log_number(struct log_line *line, long value);
void log_error(struct log_line *line, int error);
void log_end(struct log_line *line);

#endif /* STRSOCK_LOG_H */
