/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stream.h - the carrier of providers that are drivers of the kernel's */
#ifndef _LIBXTI_STREAM_STREAM_H
#define _LIBXTI_STREAM_STREAM_H

#include "core/carrier.h"

LOCAL extern const struct carrier stream_carrier;

/* Pushes timod, if there is one. */
LOCAL int stream_push_timod(struct endpoint *ep);

#endif /* _LIBXTI_STREAM_STREAM_H */
