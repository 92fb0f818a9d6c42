/* SPDX-License-Identifier: GPL-2.0-only */
/* Data of connections, to the user */
#ifndef _TPI_INET_RECV_H
#define _TPI_INET_RECV_H

#include "end.h"

extern const struct inet_data_ops inet_conn_data;
/* For the close, while the head drops arriving messages. */
void strinet_data_drop(struct inet_end *ep, size_t most);

#endif /* _TPI_INET_RECV_H */
