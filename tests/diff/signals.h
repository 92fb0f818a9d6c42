/* SPDX-License-Identifier: GPL-2.0-only */
/* signals.h - signals that arrive during a step */
#ifndef _DIFF_SIGNALS_H
#define _DIFF_SIGNALS_H

void signals_begin(void);
void signals_collect(void);
void signals_discard(void);

#endif /* _DIFF_SIGNALS_H */
