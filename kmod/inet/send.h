/* SPDX-License-Identifier: GPL-2.0-only */
/* Data of connections, from the user */
#ifndef _STRINET_SEND_H
#define _STRINET_SEND_H

#include "end.h"

/* Sends data. Returns false if the message left in mp has to wait. */
bool strinet_data_req(struct strinet_end *ep, mblk_t **mp, t_scalar_t type);
int strinet_data_put(struct strinet_end *ep, const mblk_t *ctl, struct iov_iter *from);
int strinet_data_rest(struct strinet_end *ep, const mblk_t *ctl,
		      const struct iov_iter *from);
void strinet_ordrel_req(struct strinet_end *ep, mblk_t *mp);
/* Makes the control part of some data; NULL: memory is short. */
mblk_t *strinet_data_prim(t_scalar_t type, bool more);

/* The blocks of data in the form that a socket takes */
#define INET_BLOCKS	16

unsigned int strinet_kvec(const mblk_t *mp, struct kvec *vec, size_t *len,
			  const mblk_t **rest);
bool strinet_is_data(const mblk_t *mp);

#endif /* _STRINET_SEND_H */
