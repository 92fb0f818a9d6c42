// SPDX-License-Identifier: GPL-2.0-only
/* A sequence: see sequence.h */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sequence.h"

/* A number that is not 0, as 0 is a call that is not made */
static uint64_t call_number(struct draw *d)
{
	return draw(d) | 1;
}

static uint64_t *any_call(struct draw *d, struct sequence *s, int room)
{
	unsigned int process = draw_below(d, PROCESSES), thread = draw_below(d, THREADS);

	return &s->call[process][thread][draw_below(d, CALLS - room + 1)];
}

/* Few exit: their streams may take fifteen seconds to drain. */
static void draw_ends(struct draw *d, struct sequence *s)
{
	int i;

	s->kill_at = draw_below(d, 2) ? (int)draw_below(d, CALLS) : -1;
	for (i = 0; i < PROCESSES; i++)
		s->end[i] = !draw_below(d, 16) ? EXITS :
			    draw_below(d, 2) ? KILLED_IN_CALL : KILLED;
}

void sequence_new(struct sequence *s, unsigned long seed, unsigned long number, int only)
{
	struct draw d = { .state = seed * 1000003 + number };
	uint64_t *call = &s->call[0][0][0];
	size_t i;

	draw(&d);
	s->family = draw_below(&d, FAMILIES);
	if (only >= 0)
		s->family = only;
	s->root = !draw_below(&d, 4);
	s->namespaces = !draw_below(&d, 2);
	s->idle = !draw_below(&d, 8);
	draw_ends(&d, s);
	for (i = 0; i < sizeof(s->call) / sizeof(*call); i++)
		call[i] = call_number(&d);
	snprintf(s->name, sizeof(s->name), "%lu", number);
}

bool sequence_change(struct sequence *s, unsigned long seed, unsigned long number)
{
	struct draw d = { .state = ~seed * 1000003 + number };
	unsigned int changes, n;
	size_t used = strlen(s->name);

	if (used + 24 > sizeof(s->name))
		return false;
	snprintf(s->name + used, sizeof(s->name) - used, ".%lu", number);
	draw(&d);
	if (!draw_below(&d, 8))
		draw_ends(&d, s);
	for (changes = 1 + draw_below(&d, 24); changes; changes--) {
		if (draw_below(&d, 4)) {
			*any_call(&d, s, 1) = call_number(&d);
			continue;
		}
		/* Some calls of one thread are made by another as well. */
		n = 1 + draw_below(&d, 16);
		memmove(any_call(&d, s, n), any_call(&d, s, n), n * sizeof(uint64_t));
	}
	return true;
}

int sequence_named(struct sequence *s, unsigned long seed, const char *name, int only)
{
	bool first = true;
	char *end;

	do {
		unsigned long number = strtoul(name, &end, 10);

		if (end == name || (*end && *end != '.'))
			return -1;
		if (first)
			sequence_new(s, seed, number, only);
		else if (!sequence_change(s, seed, number))
			return -1;
		first = false;
		name = end + 1;
	} while (*end);
	return 0;
}

int sequence_keep(struct sequence *s, const char *file)
{
	bool kept[PROCESSES][THREADS][CALLS] = { };
	unsigned int p, t, i;
	char line[64];
	FILE *f = fopen(file, "r");

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%u %u %u", &p, &t, &i) == 3 && p < PROCESSES &&
		    t < THREADS && i < CALLS)
			kept[p][t][i] = true;
	fclose(f);
	for (p = 0; p < PROCESSES; p++)
		for (t = 0; t < THREADS; t++)
			for (i = 0; i < CALLS; i++)
				if (!kept[p][t][i])
					s->call[p][t][i] = 0;
	return 0;
}

void sequence_print(const struct sequence *s)
{
	int p, t, i;

	for (p = 0; p < PROCESSES; p++)
		for (t = 0; t < THREADS; t++)
			for (i = 0; i < CALLS; i++)
				if (s->call[p][t][i])
					printf("%d %d %d\n", p, t, i);
}
