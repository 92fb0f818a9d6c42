/* SPDX-License-Identifier: GPL-2.0-only */
/* room.h - how much a native pipe would hold */
#ifndef _DIFF_ROOM_H
#define _DIFF_ROOM_H

#include "sequence.h"

void room_begin(void);
struct room *room_of(unsigned int slot);
bool room_joins(struct room *room, size_t len);
void room_packet(struct room *room);
long room_write(struct room *room, size_t len, bool packet);
void room_read(struct room *room, size_t len);
bool room_move(struct room *room, size_t first, size_t len, bool join);
long room_transfer(struct room *from, struct room *to, size_t len, bool copy);
bool room_packets(const struct room *room);
bool room_alike(const struct room *room);
long room_write_streams(const struct room *room, size_t len);

#endif /* _DIFF_ROOM_H */
