/* SPDX-License-Identifier: GPL-2.0-only */
/* reading.h - when input is passed up to the reader */
#ifndef _TERM_READING_H
#define _TERM_READING_H

#include "instance.h"

bool reading_room(struct ldterm *l);
void reading_line(struct ldterm *l);
void reading_add(struct ldterm *l, unsigned char c);
void reading_pass(struct ldterm *l);
void reading_wanted(struct ldterm *l, mblk_t *mp);
bool reading_again(struct ldterm *l);
void reading_change(struct ldterm *l);
void reading_close(struct ldterm *l);
void reading_drop(struct ldterm *l);

#endif /* _TERM_READING_H */
