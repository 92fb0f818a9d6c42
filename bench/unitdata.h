/* SPDX-License-Identifier: GPL-2.0-only */
/* unitdata.h - datagrams over loopback by XTI */
#ifndef BENCH_UNITDATA_H
#define BENCH_UNITDATA_H

#include "transport.h"

#define UDP_DEVICE		"/dev/streams/udp"
#define UDP_SOCKETS_DEVICE	"/dev/streams/udp_s"

int open_xti_udp(struct channel *c);
int open_xti_udp_sockets(struct channel *c);
void send_unitdata(struct channel *c, const void *data, size_t len);
size_t receive_unitdata(struct channel *c, void *data, size_t len);

#endif /* BENCH_UNITDATA_H */
