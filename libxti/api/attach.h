/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* attach.h - the carrier of an endpoint's primitives */
#ifndef _LIBXTI_API_ATTACH_H
#define _LIBXTI_API_ATTACH_H

#include "core/endpoint.h"

/* Finds out what carries the endpoint's primitives: TBADF, when it is not an endpoint. */
LOCAL int attach_carrier(struct endpoint *ep);

#endif /* _LIBXTI_API_ATTACH_H */
