/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRPIPE_LAST_H
#define _STRPIPE_LAST_H

#include <linux/types.h>

struct strpipe_last;
struct stream;

bool strpipe_last_send(struct strpipe_last **place, struct stream *from, struct stream *to);
void strpipe_last_forget(struct strpipe_last **place);

#endif /* _STRPIPE_LAST_H */
