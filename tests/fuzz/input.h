/* SPDX-License-Identifier: GPL-2.0-only */
/* The input of a target, taken byte by byte; 0 when it has ended */
#ifndef _FUZZ_INPUT_H
#define _FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct input {
	const uint8_t *at;
	size_t left;
};

static inline uint8_t input_byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->at++;
}

static inline uint16_t input_short(struct input *in)
{
	uint16_t low = input_byte(in);

	return low | input_byte(in) << 8;
}

static inline uint32_t input_word(struct input *in)
{
	uint32_t low = input_short(in);

	return low | (uint32_t)input_short(in) << 16;
}

/* From 0 to n - 1; n is at most 256. */
static inline unsigned int input_below(struct input *in, unsigned int n)
{
	return input_byte(in) % n;
}

/* Fills all of it, at the end with zeros. */
static inline void input_bytes(struct input *in, void *to, size_t n)
{
	size_t part = n < in->left ? n : in->left;

	memcpy(to, in->at, part);
	memset((char *)to + part, 0, n - part);
	in->at += part;
	in->left -= part;
}

/* A number that a careless program would not expect, or any. */
static inline uint32_t input_odd(struct input *in)
{
	static const uint32_t odd[] = {
		0, 1, 2, 3, 4, 7, 8, 16, 20, 64, 127, 128, 255, 256, 1024,
		4096, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffffe,
		0xffffffff, 0x7ffffff0, 0xfffffff0,
	};
	unsigned int which = input_byte(in);

	if (which < sizeof(odd) / sizeof(odd[0]))
		return odd[which];
	if (which < 128)
		return input_byte(in);
	return which < 192 ? input_short(in) : input_word(in);
}

/* Calls of the code under test so far; tests/fuzz/run prints them. */
extern unsigned long *fuzz_calls;
#define FUZZ_CALL(call)		((*fuzz_calls)++, call)

/* Reads bytes, which have to be there. */
void fuzz_touch(const void *from, size_t n);

/* The target: one input. */
void fuzz_one(struct input *in);
/* Before the first one; 0, or the target cannot run. */
int fuzz_start(void);

#endif /* _FUZZ_INPUT_H */
