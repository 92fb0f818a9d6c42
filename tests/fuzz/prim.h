/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages for a transport provider, made of an input */
#ifndef _FUZZ_PRIM_H
#define _FUZZ_PRIM_H

#include "streams.h"

/* A provider's addresses and options. */
struct prim_kind {
	/* Writes an address of at most PRIM_ADDR bytes; their number. */
	size_t (*addr)(struct input *in, unsigned char *at);
	const u32 *levels;		/* of options, ended by 0 */
};

#define PRIM_ADDR	140

/* A primitive, mostly a correct one; NULL: no memory. */
mblk_t *prim_make(struct input *in, const struct prim_kind *kind,
		  const struct fuzz_stream *s);
/* A message of any other type. */
mblk_t *prim_other(struct input *in);
/* Options that make a list, mostly. Returns their bytes, at most @most. */
size_t prim_options(struct input *in, const u32 *levels, unsigned char *at,
		    size_t most);
/* Aborts unless it is a primitive of a provider, with its parts inside. */
void prim_check(const mblk_t *mp);

#endif /* _FUZZ_PRIM_H */
