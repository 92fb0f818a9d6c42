/* SPDX-License-Identifier: GPL-2.0-only */
/* message.h - whole messages of a stream */
#ifndef BENCH_MESSAGE_H
#define BENCH_MESSAGE_H

#include "transport.h"

/* Receives the data of a message, which must be whole, with a primitive of this type. */
size_t get_message(struct channel *c, int want, void *data, size_t len);

#endif /* BENCH_MESSAGE_H */
