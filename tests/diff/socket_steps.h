/* SPDX-License-Identifier: GPL-2.0-only */
/* socket_steps.h - the calls of socket_steps.c */
#ifndef _DIFF_SOCKET_STEPS_H
#define _DIFF_SOCKET_STEPS_H

#include "step.h"

extern const struct call socket_calls[];
void play_shutdown(const struct step *s);
void play_error(const struct step *s);
void read_room(const struct step *s, size_t len);
void write_parts(const struct step *s, size_t len, bool (*may)(unsigned int slot, size_t len));

#endif /* _DIFF_SOCKET_STEPS_H */
