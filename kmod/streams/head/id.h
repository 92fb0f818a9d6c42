/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers by which I_FDINSERT names streams */
#ifndef _STREAMS_ID_H
#define _STREAMS_ID_H

#include "stream.h"

unsigned int str_id(struct stream *sd, gfp_t gfp);
void str_id_free(struct str_more *more);

#endif /* _STREAMS_ID_H */
