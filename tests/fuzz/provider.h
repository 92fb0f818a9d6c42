/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that tpi.c needs of a provider */
#ifndef _FUZZ_PROVIDER_H
#define _FUZZ_PROVIDER_H

#include "prim.h"

extern const struct prim_kind provider_kind;

/* Registers its drivers. */
int provider_start(void);
/* Something happens below it, which the input selects. */
void provider_event(struct input *in, struct fuzz_stream *s);
/* All work is done: aborts unless the endpoint's fields agree with each other. */
void provider_check(const struct fuzz_stream *s);
/* No input is left: the side below lets all that waits go on. */
void provider_go_on(void);
/* After each input, all streams are closed: checks what is below. */
void provider_end(void);

#endif /* _FUZZ_PROVIDER_H */
