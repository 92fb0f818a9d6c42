/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * step.h - the steps of a sequence
 *
 * A sequence is STEPS steps, drawn from a seed and the number of the sequence.
 * A step is one call on a slot, which holds a descriptor or none.
 */
#ifndef _DIFF_STEP_H
#define _DIFF_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STEPS		40	/* of a sequence */
#define SLOTS		8
#define PIPE_PAIRS	2	/* slots 0 and 1, 2 and 3; those after them are for dup() */
#define SOCKETS		5	/* slots 0 to 4 */
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define PICK(array, n)	((array)[(n) % COUNT(array)])

struct step {
	unsigned int number;
	const struct call *call;
	bool child;		/* made by the forked child, if there is one */
	unsigned int slot;
	unsigned int other;	/* slot for the descriptor it makes, or its other side */
	uint32_t r[8];		/* random numbers for the arguments */
};

struct call {
	const char *name;
	unsigned int weight;
	void (*play)(const struct step *s);
};

/* A first step of all sequences. */
struct opening {
	const char *call;
	unsigned int slot;
};

struct option_list;

struct kind {
	const char *name;
	void (*begin)(void);	/* once, or NULL */
	void (*end)(void);	/* after each sequence, or NULL */
	const struct call *const *calls;	/* lists; NULL is the last */
	const struct opening *openings;
	int family;		/* of its sockets; 0: pipes, or sockets of several */
	const struct option_list *options;	/* of its sockets; NULL: none */
	unsigned int slots;	/* that the kind's own call fills */
};

#endif /* _DIFF_STEP_H */
