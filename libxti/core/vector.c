// SPDX-License-Identifier: LGPL-2.1-or-later
/* Data in several places: struct t_iovec */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "vector.h"

int vector_check(struct vector *v, const struct t_iovec *iov, unsigned int n)
{
	unsigned int i;

	*v = (struct vector){ .iov = iov, .n = n };
	if (!n || n > T_IOV_MAX)
		return TBADDATA;
	for (i = 0; i < n; i++) {
		if (iov[i].iov_len > INT_MAX - v->size)
			return TBADDATA;
		v->size += iov[i].iov_len;
	}
	return 0;
}

/* Returns the requested bytes' place if one piece holds them all, or NULL. */
static void *in_one(const struct vector *v, size_t offset, size_t len)
{
	unsigned int i;

	for (i = 0; i < v->n; i++) {
		if (offset + len <= v->iov[i].iov_len)
			return (char *)v->iov[i].iov_base + offset;
		if (offset < v->iov[i].iov_len)
			return NULL;
		offset -= v->iov[i].iov_len;
	}
	return NULL;
}

static void *make_heap(struct vector *v, size_t len)
{
	/* All pieces of one call are as long as the first, or shorter. */
	if (!v->heap)
		v->heap = malloc(len ? len : 1);
	return v->heap;
}

void *vector_gather(struct vector *v, size_t offset, size_t len)
{
	char *to = in_one(v, offset, len);
	size_t part, done = 0;
	unsigned int i;

	if (to || !make_heap(v, len))
		return to;
	to = v->heap;
	for (i = 0; i < v->n && done < len; i++) {
		if (offset >= v->iov[i].iov_len) {
			offset -= v->iov[i].iov_len;
			continue;
		}
		part = v->iov[i].iov_len - offset;
		if (part > len - done)
			part = len - done;
		memcpy(to + done, (char *)v->iov[i].iov_base + offset, part);
		done += part;
		offset = 0;
	}
	return to;
}

void *vector_room(struct vector *v, size_t len)
{
	void *one = in_one(v, 0, len);

	return one ? one : make_heap(v, len);
}

void vector_scatter(struct vector *v, const void *from, size_t len)
{
	const char *at = from;
	unsigned int i;
	size_t part;

	if (from != v->heap)
		return;
	for (i = 0; i < v->n && len; i++) {
		part = v->iov[i].iov_len < len ? v->iov[i].iov_len : len;
		memcpy(v->iov[i].iov_base, at, part);
		at += part;
		len -= part;
	}
}

void vector_cleanup(void *v)
{
	vector_free(v);
}
