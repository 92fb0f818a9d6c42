/* SPDX-License-Identifier: GPL-2.0-only */
/* data.h - buffers of data to send, and for data received */
#ifndef _DIFF_DATA_H
#define _DIFF_DATA_H

#include <sys/uio.h>

#include "step.h"

#define DATA_MAX	(160 * 1024)
extern char *data_out, *data_in;	/* behind each a page that is not there */
void data_begin(void);
void data_fill(const struct step *s, size_t len);
static inline size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

int data_vector(struct iovec iov[3], int n, char *data, size_t len);

#endif /* _DIFF_DATA_H */
