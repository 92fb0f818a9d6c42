// SPDX-License-Identifier: LGPL-2.1-or-later
/* t_alloc() and t_free() */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sync.h"

/* T_ALL allocates these bytes where a provider has no largest size. */
#define SIZE_OF_INFINITE	8192

/* A structure has the netbufs at these offsets; 0 means none, except for the first. */
static const struct layout {
	size_t size;
	struct {
		int field;		/* T_ADDR ... */
		size_t at;
	} part[3];
} layouts[] = {
	[T_BIND] = { sizeof(struct t_bind), {
		{ T_ADDR, offsetof(struct t_bind, addr) } } },
	[T_OPTMGMT] = { sizeof(struct t_optmgmt), {
		{ T_OPT, offsetof(struct t_optmgmt, opt) } } },
	[T_CALL] = { sizeof(struct t_call), {
		{ T_ADDR, offsetof(struct t_call, addr) },
		{ T_OPT, offsetof(struct t_call, opt) },
		{ T_UDATA, offsetof(struct t_call, udata) } } },
	[T_DIS] = { sizeof(struct t_discon), {
		{ T_UDATA, offsetof(struct t_discon, udata) } } },
	[T_UNITDATA] = { sizeof(struct t_unitdata), {
		{ T_ADDR, offsetof(struct t_unitdata, addr) },
		{ T_OPT, offsetof(struct t_unitdata, opt) },
		{ T_UDATA, offsetof(struct t_unitdata, udata) } } },
	[T_UDERROR] = { sizeof(struct t_uderr), {
		{ T_ADDR, offsetof(struct t_uderr, addr) },
		{ T_OPT, offsetof(struct t_uderr, opt) } } },
	[T_INFO] = { sizeof(struct t_info), {} },
};

#define PARTS	3

static const struct layout *layout_of(int struct_type)
{
	if (struct_type < T_BIND || struct_type > T_INFO)
		return NULL;
	return &layouts[struct_type];
}

static struct netbuf *part_of(const struct layout *l, void *ptr, int i)
{
	return (struct netbuf *)((char *)ptr + l->part[i].at);
}

/* Returns the largest size of a part, as the provider reports it. */
static t_scalar_t size_of(const struct t_info *info, int struct_type, int field)
{
	switch (field) {
	case T_ADDR:
		return info->addr;
	case T_OPT:
		return info->options;
	}
	switch (struct_type) {
	case T_UNITDATA:
		return info->tsdu;
	case T_DIS:
		return info->discon;
	default:
		/* The data is for t_connect() or for t_snddis(): the larger size counts. */
		if (info->connect == T_INFINITE || info->discon == T_INFINITE)
			return T_INFINITE;
		return info->connect > info->discon ? info->connect :
						      info->discon;
	}
}

static void free_all(const struct layout *l, void *ptr)
{
	int i;

	for (i = 0; i < PARTS; i++)
		if (l->part[i].field)
			free(part_of(l, ptr, i)->buf);
	free(ptr);
}

static int alloc_part(struct netbuf *nb, t_scalar_t size, bool named)
{
	/* A part that the caller names and that has no known size is an error. */
	if (size < 0 && named)
		return xti_system(EINVAL);
	if (size == T_INFINITE)
		size = SIZE_OF_INFINITE;
	if (size <= 0)
		return 0;
	nb->buf = calloc(1, size);
	if (!nb->buf)
		return xti_system(ENOMEM);
	nb->maxlen = size;
	return 0;
}

static int alloc_all(const struct t_info *info, int struct_type, int fields,
		     void **ptr)
{
	const struct layout *l = layout_of(struct_type);
	int error = 0, i, field;

	if (!l)
		return TNOSTRUCTYPE;
	*ptr = calloc(1, l->size);
	if (!*ptr)
		return xti_system(ENOMEM);
	for (i = 0; i < PARTS && !error; i++) {
		field = l->part[i].field;
		if (field & fields)
			error = alloc_part(part_of(l, *ptr, i),
					   size_of(info, struct_type, field),
					   fields != T_ALL);
	}
	if (error)
		free_all(l, *ptr);
	return error;
}

/**
 * t_alloc() - a structure for an endpoint, with buffers as large as needed
 * @fd: the endpoint
 * @struct_type: T_BIND ... T_INFO
 * @fields: T_ADDR, T_OPT, T_UDATA: the buffers wanted; T_ALL: all that the
 *	provider has a use for
 *
 * Return: the structure, for t_free(); or NULL. XNS Issue 5, t_alloc().
 */
void *t_alloc(int fd, int struct_type, int fields)
{
	struct endpoint *ep;
	void *ptr = NULL;
	int error;

	error = endpoint_get(fd, &ep);
	if (!error)
		error = alloc_all(&ep->info, struct_type, fields, &ptr);
	return endpoint_result(ep, error) ? NULL : ptr;
}

/**
 * t_free() - free a structure and its buffers
 * @ptr: from t_alloc(); buffers that are NULL are left out
 * @struct_type: as t_alloc() was given it
 *
 * Return: 0 or -1. XNS Issue 5, t_free().
 */
int t_free(void *ptr, int struct_type)
{
	const struct layout *l = layout_of(struct_type);

	if (!l)
		return xti_result(TNOSTRUCTYPE);
	if (ptr)
		free_all(l, ptr);
	return 0;
}
