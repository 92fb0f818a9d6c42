/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * strstat-proc.h - the contents of /proc/streams
 *
 * Nothing is known here of which counters and keys there are, so that new ones
 * of the kernel's are shown by an old strstat.
 */
#ifndef STRSTAT_PROC_H
#define STRSTAT_PROC_H

#include <stdbool.h>
#include <stddef.h>

#define PROC_COUNTERS	"/proc/streams/counters"
#define PROC_OPEN	"/proc/streams/open"
#define PROC_SHORTCUT	"/proc/sys/net/strsock/shortcut"

/* A line of the form "kind_name value" */
struct counter {
	char *kind;
	char *name;
	unsigned long long value;
};

struct counters {
	struct counter *list;
	size_t n;
};

/* A "key=value" pair, whose value is decoded */
struct pair {
	char *key;
	char *value;
};

/* A line: an open stream. */
struct open_stream {
	struct pair *pairs;
	size_t n;
};

struct open_streams {
	struct open_stream *list;
	size_t n;
	char *shortcut;		/* the setting of this network namespace, or NULL */
};

/* Returns false if the file exists, and this user may not read it. */
bool proc_may_read(const char *path);
/* Both functions end the program with a message when they fail. */
void proc_read_counters(struct counters *counters);
void proc_read_open(struct open_streams *streams);

bool counter_is_first(const struct counters *counters, size_t i);
unsigned long long counter_total(const struct counters *counters, const char *name);
void open_stream_free(struct open_stream *stream);
void proc_free_open(struct open_streams *streams);
void proc_free_counters(struct counters *counters);
const char *open_stream_get(const struct open_stream *stream, const char *key);

#endif /* STRSTAT_PROC_H */
