/* SPDX-License-Identifier: GPL-2.0-only */
/* links.h - frames of a network device: by DLPI, and by packet sockets */
#ifndef BENCH_LINKS_H
#define BENCH_LINKS_H

#include "transport.h"

/* The data of one frame on the device with the largest frames */
#define LINK_MOST	65535

int open_dlpi(struct channel *c);
/* Streams bound on both devices, to a type that no frame has, until the process ends. */
int bind_links(const struct channel *c);
void put_frame(struct channel *c, const void *data, size_t len);
size_t get_frame(struct channel *c, void *data, size_t len);
int open_packet(struct channel *c);
void send_packet(struct channel *c, const void *data, size_t len);
int open_packet_raw(struct channel *c);
void send_packet_raw(struct channel *c, const void *data, size_t len);
size_t receive_packet_raw(struct channel *c, void *data, size_t len);

#endif /* BENCH_LINKS_H */
