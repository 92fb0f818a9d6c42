// SPDX-License-Identifier: LGPL-2.1-or-later
/* Addresses that are allocated */
#include <stdlib.h>
#include <string.h>
#include <xti.h>

#include "netbuf.h"

static int set_netbuf(struct netbuf *nb, const void *addr, size_t len)
{
	/* An empty address has a buffer all the same. */
	nb->buf = calloc(1, len ? len : 1);
	if (!nb->buf)
		return ND_NOMEM;
	memcpy(nb->buf, addr, len);
	nb->len = len;
	nb->maxlen = len;
	return ND_OK;
}

struct netbuf *nd_make_netbuf(const void *addr, size_t len)
{
	struct netbuf *nb = calloc(1, sizeof(*nb));

	if (nb && set_netbuf(nb, addr, len)) {
		free(nb);
		return NULL;
	}
	return nb;
}

int nd_add_addr(struct nd_addrlist *list, const void *addr, size_t len)
{
	struct netbuf *more = reallocarray(list->n_addrs, list->n_cnt + 1, sizeof(*more));

	if (!more)
		return ND_NOMEM;
	list->n_addrs = more;
	if (set_netbuf(&more[list->n_cnt], addr, len))
		return ND_NOMEM;
	list->n_cnt++;
	return ND_OK;
}
