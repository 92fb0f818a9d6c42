/* SPDX-License-Identifier: GPL-2.0-only */
/* Data of connections, to the user */
#ifndef _STRINET_RECV_H
#define _STRINET_RECV_H

#include "end.h"

extern const struct strinet_data_ops inet_conn_data;
/* Called by the close, while the head drops arriving messages. */
void strinet_data_drop(struct strinet_end *ep, size_t most);

#endif /* _STRINET_RECV_H */
