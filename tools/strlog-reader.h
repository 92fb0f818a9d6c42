/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declarations that the readers of the STREAMS log share: strtracelog(8), strerrlog(8) */
#ifndef STRLOG_READER_H
#define STRLOG_READER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/strlog.h>

#define LOG_DEVICE	"/dev/streams/log"

struct log_record {
	struct log_ctl ctl;
	char text[LOGMSGSZ + 1];	/* ends with a NUL */
};

/*
 * Opens the log and selects by an I_STR the messages to read: I_TRCLOG with len
 * bytes of struct trace_ids, I_ERRLOG without data. Returns -1 after an error
 * was printed.
 */
int log_reader_open(int cmd, void *data, int len);

/*
 * Waits for a message. Returns false after an error was printed, or when a
 * signal arrived (EINTR).
 */
bool log_reader_next(int fd, struct log_record *record);

/*
 * Writes a message's line: its number, time of day, milliseconds since boot,
 * its level if levels, flags, module, part of it and text. Bytes of the text
 * that are not printable ASCII are written as \xHH, so that a message cannot
 * imitate another line.
 */
void log_reader_print(FILE *to, const struct log_record *record, bool levels);

#endif /* STRLOG_READER_H */
