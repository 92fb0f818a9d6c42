/* SPDX-License-Identifier: GPL-2.0-only */
/* retry.h - work that waits for memory */
#ifndef _TERM_RETRY_H
#define _TERM_RETRY_H

#include "instance.h"

void term_retry(queue_t *q, size_t size);
void term_retry_cancel(queue_t *q);

#endif /* _TERM_RETRY_H */
