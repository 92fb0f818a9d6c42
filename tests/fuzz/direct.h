/* SPDX-License-Identifier: GPL-2.0-only */
/* putmsg() and getmsg() without a message, for drivers that take them */
#ifndef FUZZ_DIRECT_H
#define FUZZ_DIRECT_H

#include "input.h"
#include "streams.h"

/* Returns whether no message can be between the head and the driver. */
bool fuzz_is_straight(const struct stream *sd);
/* Passes a control part and data to the driver's put(). */
void fuzz_direct_put(struct input *in, struct fuzz_stream *s);

#endif
