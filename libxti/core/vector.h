/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* vector.h - data in several places */
#ifndef _LIBXTI_VECTOR_H
#define _LIBXTI_VECTOR_H

#include <stdlib.h>

#include "error.h"

struct vector {
	const struct t_iovec *iov;
	unsigned int n;
	size_t size;			/* bytes in all */
	void *heap;			/* where they are together */
};

/*
 * Checks a vector. Returns TBADDATA if the vector has no piece, more than
 * T_IOV_MAX, or more bytes than an int counts.
 */
LOCAL int vector_check(struct vector *v, const struct t_iovec *iov,
		       unsigned int n);
/*
 * vector_gather() returns the bytes from an offset on in one place: in the
 * caller's piece, or in a copy. vector_room() returns room for as many, which
 * vector_scatter() distributes. Both return NULL when memory is short.
 */
LOCAL void *vector_gather(struct vector *v, size_t offset, size_t len);
LOCAL void *vector_room(struct vector *v, size_t len);
LOCAL void vector_scatter(struct vector *v, const void *from, size_t len);
static inline void vector_free(struct vector *v)
{
	if (v->heap)
		free(v->heap);
	v->heap = NULL;
}

/* Frees the room, for pthread_cleanup_push(). */
LOCAL void vector_cleanup(void *v);

#endif /* _LIBXTI_VECTOR_H */
