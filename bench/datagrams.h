/* SPDX-License-Identifier: GPL-2.0-only */
/* datagrams.h - declarations that the datagram transports share, and XTI's functions */
#ifndef BENCH_DATAGRAMS_H
#define BENCH_DATAGRAMS_H

#include "endpoint.h"

#define UDP_DEVICE		"/dev/streams/udp"
#define UDP_SOCKETS_DEVICE	"/dev/streams/udp_s"

/* The port to send from to this one */
struct sockaddr_in beside(struct sockaddr_in sin);

/* The data of a message, which must be whole, with a primitive of this type */
size_t get_message(struct channel *c, int want, void *data, size_t len);

int open_xti_udp(struct channel *c);
int open_xti_udp_sockets(struct channel *c);
void send_unitdata(struct channel *c, const void *data, size_t len);
size_t receive_unitdata(struct channel *c, void *data, size_t len);

#endif /* BENCH_DATAGRAMS_H */
