// SPDX-License-Identifier: GPL-2.0-only
/* draw.c - which step is the nth of a sequence */
#include "draw.h"
#include "step.h"

#include <string.h>

/* Vigna's splitmix64 */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static const struct call *find(const struct kind *kind, const char *name,
			       unsigned int at)
{
	const struct call *const *list, *call;
	unsigned int sum = 0;

	for (list = kind->calls; *list; list++)
		for (call = *list; call->name; call++) {
			if (name ? !strcmp(name, call->name) :
				   at < sum + call->weight)
				return call;
			sum += call->weight;
		}
	return NULL;
}

static unsigned int weights(const struct kind *kind)
{
	const struct call *const *list, *call;
	unsigned int sum = 0;

	for (list = kind->calls; *list; list++)
		for (call = *list; call->name; call++)
			sum += call->weight;
	return sum;
}

/* Mostly the first two, so that the steps of a sequence meet. */
static unsigned int some_slot(const struct kind *kind, uint32_t r)
{
	unsigned int n = r % 16;

	r >>= 8;
	if (n < 12)
		return r % 2;
	if (n < 14)
		return r % kind->slots;
	return kind->slots + r % (SLOTS - kind->slots);
}

/**
 * draw - a step, by its number alone
 * @kind: of what
 * @seed: of the run
 * @sequence: its number
 * @number: of the step
 * @s: the step
 *
 * It does not depend on the steps before it, or on whether they are made at
 * all: that lets the driver leave some out.
 */
void draw(const struct kind *kind, uint64_t seed, uint64_t sequence,
	  unsigned int number, struct step *s)
{
	uint64_t state = seed;
	unsigned int i, r;

	state = next(&state) ^ sequence;
	state = next(&state) ^ number;
	for (i = 0; i < COUNT(s->r); i++)
		s->r[i] = next(&state) >> 16;
	r = next(&state) >> 16;
	s->number = number;
	for (i = 0; kind->openings[i].call && i < number; i++)
		;
	if (kind->openings[i].call) {
		s->call = find(kind, kind->openings[i].call, 0);
		s->slot = kind->openings[i].slot;
		s->child = false;
	} else {
		s->call = find(kind, NULL, r % weights(kind));
		s->slot = some_slot(kind, next(&state) >> 16);
		s->child = (next(&state) >> 16) % 4 == 0;
	}
	s->other = kind->slots + (next(&state) >> 16) % (SLOTS - kind->slots);
}
