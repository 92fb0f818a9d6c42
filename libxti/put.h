/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* put.h - a primitive and its parts in one piece, as a stream takes them */
#ifndef _LIBXTI_PUT_H
#define _LIBXTI_PUT_H

#include "tpi.h"

struct put {
	union T_primitives *prim;
	size_t len;
	void *heap;
	union {
		union T_primitives prim;
		char bytes[256];
	} room;
};

/* TSYSERR; put_free() only after 0. */
LOCAL int put_make(struct put *put, const struct tpi_req *req);
LOCAL void put_free(struct put *put);

#endif /* _LIBXTI_PUT_H */
