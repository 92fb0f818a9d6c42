/* SPDX-License-Identifier: GPL-2.0-only */
/* epoll.h - steps of epoll */
#ifndef _DIFF_EPOLL_H
#define _DIFF_EPOLL_H

#include "step.h"

void epoll_begin(void);
void epoll_end(void);
void epoll_forget(unsigned int object);
extern const struct call epoll_calls[];

#endif /* _DIFF_EPOLL_H */
