/* SPDX-License-Identifier: GPL-2.0-only */
/* The head of a stream that is linked below a driver */
#ifndef _STREAMS_MUX_LOWER_H
#define _STREAMS_MUX_LOWER_H

#include "mux_link.h"

/* Lends a stream to the driver, which does not know it yet: messages wait. */
int mux_lower_take(struct mux_link *link);
/*
 * Gives the driver, which now knows the stream, the messages that arrived there
 * before.
 */
void mux_lower_begin(struct mux_link *link);
/* Makes the stream a head again, after a grace period without the driver. */
void mux_lower_return(struct mux_link *link);

#endif /* _STREAMS_MUX_LOWER_H */
