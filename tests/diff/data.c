// SPDX-License-Identifier: GPL-2.0-only
/*
 * data.c - buffers of data to send, and for data received
 *
 * Behind each buffer is a page that may not be touched: a call that is given a
 * length beyond the buffer reaches it.
 */
#include "data.h"
#include "fail.h"
#include "step.h"

#include <sys/mman.h>

char *data_out, *data_in;

static char *buffer(void)
{
	char *at = mmap(NULL, DATA_MAX + 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (at == MAP_FAILED || mprotect(at + DATA_MAX, 4096, PROT_NONE))
		broken("mmap");
	return at;
}

/** data_begin - get the buffers */
void data_begin(void)
{
	data_out = buffer();
	data_in = buffer();
}

/**
 * data_vector - a buffer in up to three pieces
 * @iov: where to; of two or three pieces the first has a third
 * @n: how many pieces
 * @data: the buffer
 * @len: of all of it
 *
 * Return: @n
 */
int data_vector(struct iovec iov[3], int n, char *data, size_t len)
{
	size_t first = len / 3;

	iov[0] = (struct iovec){ data, n == 1 ? len : first };
	iov[1] = (struct iovec){ data + first, n == 2 ? len - first : 0 };
	iov[2] = (struct iovec){ data + first, len - first };
	return n;
}

/**
 * data_fill - bytes that identify the step that sent them
 * @s: the step
 * @len: how many
 *
 * Each page differs from the next in its first bytes; that is enough to see
 * pages that are lost or exchanged, and soon done.
 */
void data_fill(const struct step *s, size_t len)
{
	uint64_t word = s->r[7] * 0x100000001b3ULL + s->number;
	size_t i, j, end = len < DATA_MAX - 64 ? len : DATA_MAX - 64;

	for (i = 0; i < end; i += i < 256 ? 8 : 512)
		for (j = 0; j < 8; j++)
			data_out[i + j] = (word + i * 37) >> j * 8;
}
