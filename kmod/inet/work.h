/* SPDX-License-Identifier: GPL-2.0-only */
/* An endpoint's work item, which opening makes and closing ends */
#ifndef _STRINET_WORK_H
#define _STRINET_WORK_H

#include "end.h"

int strinet_end_open(queue_t *q, const struct strinet_provider *provider,
		     const struct cred *cred);
void strinet_end_close(queue_t *q, int oflag);

#endif /* _STRINET_WORK_H */
