/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strstat-filter.h - which of the open streams are shown */
#ifndef STRSTAT_FILTER_H
#define STRSTAT_FILTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "strstat-proc.h"

/* A member that is NULL excludes nothing. */
struct filter {
	const char *program;
	const char *kind;
	const char *port;
	const char *address;
	const char *state;
	bool by_user;
	uid_t uid;
};

/* Removes the streams that the filter excludes from a list. */
/* The names that the kernel has for kinds and states; NULL ends a list. */
extern const char *const filter_kinds[];
extern const char *const filter_states[];

/* Returns whether every stream passes, as no filter was given. */
bool filter_is_empty(const struct filter *filter);
void filter_apply(const struct filter *filter, struct open_streams *streams);

#endif /* STRSTAT_FILTER_H */
