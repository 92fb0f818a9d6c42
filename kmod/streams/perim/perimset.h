/* SPDX-License-Identifier: GPL-2.0-only */
/* A few perimeters held at once, by plumbing; always in the same order */
#ifndef _STREAMS_PERIMSET_H
#define _STREAMS_PERIMSET_H

#include "perim.h"

/* The perimeters of a stream, of a pair, and of the pair's two neighbours */
#define PERIMSET_MOST	4

struct perimset {
	struct strperim *p[PERIMSET_MOST];	/* by address, each once */
	int n;
};

static inline void perimset_init(struct perimset *set)
{
	set->n = 0;
}

static inline void perimset_add(struct perimset *set, struct strperim *p)
{
	int i, at = 0;

	while (at < set->n && set->p[at] < p)
		at++;
	if (at < set->n && set->p[at] == p)
		return;
	for (i = set->n++; i > at; i--)
		set->p[i] = set->p[i - 1];
	set->p[at] = p;
}

/* Sleeps until all perimeters of the set are handed over. */
static inline void perimset_lock(struct perimset *set)
{
	int i;

	for (i = 0; i < set->n; i++)
		str_perim_lock(set->p[i]);
}

/* Releases one perimeter of the set before the others. */
static inline void perimset_unlock(struct perimset *set, struct strperim *first)
{
	str_perim_unlock(first);
	while (set->n) {
		if (set->p[--set->n] != first)
			str_perim_unlock(set->p[set->n]);
	}
}

#endif /* _STREAMS_PERIMSET_H */
