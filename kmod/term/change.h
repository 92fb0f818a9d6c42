/* SPDX-License-Identifier: GPL-2.0-only */
/* change.h - how the settings change */
#ifndef _TERM_CHANGE_H
#define _TERM_CHANGE_H

#include "instance.h"

void change_asked(struct ldterm *l, unsigned int id, int cmd, const mblk_t *data);
bool change_answered(struct ldterm *l, const mblk_t *mp);
bool change_report(const mblk_t *mp);
void change_reported(struct ldterm *l, const mblk_t *mp);

#endif /* _TERM_CHANGE_H */
