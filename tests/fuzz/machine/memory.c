// SPDX-License-Identifier: GPL-2.0-only
/* Arguments of calls: addresses that are there, or not, and what is there */
#include <string.h>
#include <sys/mman.h>

#include "calls.h"

#define ARENA	(16 * 4096UL)
#define PAGE	4096UL

static char *arena, *none, *constant;
/* For arguments that have to be good */
static __thread char good[8][PAGE];
static __thread unsigned int next_good;

int memory_init(void)
{
	arena = mmap(NULL, ARENA + PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	constant = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (arena == MAP_FAILED || constant == MAP_FAILED)
		return -1;
	none = arena + ARENA;
	return mprotect(none, PAGE, PROT_NONE);
}

uint32_t odd_number(struct draw *d)
{
	static const uint32_t odd[] = {
		0, 1, 2, 3, 4, 7, 8, 16, 20, 31, 32, 64, 127, 128, 255, 256, 1024,
		1025, 4095, 4096, 65535, 65536, 65537, 0x7fffffff, 0x80000000,
		0xfffffffe, 0xffffffff, 0x7ffffff0,
	};
	unsigned int which = draw_below(d, 48);

	if (which < sizeof(odd) / sizeof(odd[0]))
		return odd[which];
	return which < 44 ? draw_below(d, 256) : draw(d);
}

void memory_fill(struct draw *d, void *at, size_t size)
{
	char *to = at;
	size_t i;
	void *p;

	for (i = 0; i + 4 <= size; i += 4) {
		uint32_t n = odd_number(d);

		memcpy(to + i, &n, 4);
	}
	/* Some of it are addresses. */
	for (i = 0; i + 8 <= size; i += 8) {
		if (draw_below(d, 4))
			continue;
		p = arena + draw_below(d, ARENA);
		memcpy(to + i, &p, sizeof(p));
	}
}

void *memory_arg(struct draw *d, size_t size)
{
	char *at;

	switch (draw_below(d, 16)) {
	case 0:
		return NULL;
	case 1:
		return none;
	case 2:
		return constant + draw_below(d, PAGE);
	case 3:
		/* Not all of it is there. */
		return none - draw_below(d, size + 1);
	case 4:
		return (void *)(0xffff888000000000 + draw_below(d, 1 << 20));
	default:
		at = arena + draw_below(d, ARENA / PAGE - 1) * PAGE +
		     8 * draw_below(d, 64);
		memory_fill(d, at, size < PAGE ? size : PAGE);
		return at;
	}
}

void *memory_good(struct draw *d, size_t size)
{
	char *at = good[next_good++ % 8];

	return memset(at, 0, size < PAGE ? size : PAGE);
}
