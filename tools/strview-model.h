/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strview-model.h - the streams that are open, what they consist of, and their users */
#ifndef STRVIEW_MODEL_H
#define STRVIEW_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "fill.h"
#include "strstat-proc.h"

/* A module or a driver, with what it shows of itself. */
struct element {
	char *name;
	char *detail;		/* "NAME=VALUE NAME=VALUE", or "" */
	struct fill read;
	struct fill write;
};

/* A stream. Numbers that it does not have are 0. */
struct view_stream {
	const struct open_stream *open;
	const char *kind;
	unsigned long long id;
	unsigned long long peer;	/* the other end, if it is listed */
	unsigned long long control;	/* the stream below whose driver it is linked */
	const char *below;		/* the driver below which it is linked, or NULL */
	const char *muxid;
	struct fill head;
	struct element *elements;	/* from the top down */
	size_t nelements;
	bool has_driver;		/* the last of them is one */
	struct view_stream *other;	/* the end that it is connected with, or NULL */
	bool wanted;			/* it is in the picture */
	bool shown;			/* it was printed with a process */
};

/* A descriptor of a process that is a stream. */
struct holder {
	pid_t pid;
	uid_t uid;
	char *comm;
	int fd;
	bool reads;
	bool writes;
	struct view_stream *stream;
};

struct view {
	struct open_streams open;
	struct view_stream *streams;	/* in the order of their ids */
	size_t n;
	struct holder *holders;		/* by process, then by descriptor */
	size_t nholders;
};

/* The picture is of the processes that this selects; a member of 0 or NULL excludes none. */
struct view_filter {
	pid_t pid;
	const char *program;
	bool by_user;
	uid_t uid;
};

/* Reads all there is; ends the program with a message if that fails. */
void view_read(struct view *view);
/* Returns whether view_select() has marked a stream. */
bool view_is_wanted(const struct view *view);
/*
 * Marks the streams that the processes of the filter have open, those at the other ends,
 * and those linked above and below.
 */
void view_select(struct view *view, const struct view_filter *filter);

/* Returns the stream with an id; NULL: there is none, or this user may not see it. */
struct view_stream *view_find(const struct view *view, unsigned long long id);
/* Returns the value of a key of the stream's, or NULL. */
const char *view_get(const struct view_stream *s, const char *key);
/* Returns whether two descriptors are of one process. */
bool holder_same(const struct holder *a, const struct holder *b);

#endif /* STRVIEW_MODEL_H */
