/* SPDX-License-Identifier: GPL-2.0-only */
/* I_STR commands of the test modules strqpair, strpermod and strplain */
#ifndef _STRPERIM_H
#define _STRPERIM_H

#define STRPERIM_STAT	0x5601	/* gives back a struct strperim_stat */
#define STRPERIM_RESET	0x5602	/* all of it 0 */
#define STRPERIM_OUTER	0x5603	/* answered by a function of qwriter(PERIM_OUTER) */
#define STRPERIM_INNER	0x5604	/* ... of qwriter(PERIM_INNER) */
#define STRPERIM_STAY	0x5605	/* an int: milliseconds to stay inside */
#define STRPERIM_HOLD	0x5606	/* a kernel thread holds the perimeter, for 60 s at most */
#define STRPERIM_RELEASE 0x5607	/* ... until then; EINVAL when none does */

/* The counts of all instances of a module */
struct strperim_stat {
	int runs;		/* put and service procedures that ran */
	int most;		/* at once, of the module */
	int most_pair;		/* at once, of one instance */
	int most_open;		/* open and close procedures at once */
	int writers;		/* functions of qwriter() */
	int disturbed;		/* of those, beside which another ran */
};

#endif /* _STRPERIM_H */
