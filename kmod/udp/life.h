/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening and closing an endpoint */
#ifndef _STRUDP_LIFE_H
#define _STRUDP_LIFE_H

#include "end.h"

int strudp_end_open(queue_t *q, const struct strudp_family *family,
		    const struct cred *cred);
void strudp_end_close(queue_t *q);
void strudp_adopt(struct strudp_end *ep, struct socket *sock,
		  const struct cred *cred);

#endif /* _STRUDP_LIFE_H */
