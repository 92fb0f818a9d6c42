/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fill.h - how full a queue is */
#ifndef _TOOLS_FILL_H
#define _TOOLS_FILL_H

/* A queue: the bytes that wait there, and the high water mark. */
struct fill {
	unsigned long long bytes;
	unsigned long long hiwat;
};

/* Reads "BYTES/HIWAT" and returns what follows. */
const char *fill_read(const char *text, struct fill *fill);
/* Returns 0 to 100. */
unsigned int fill_percent(struct fill fill);

#endif /* _TOOLS_FILL_H */
