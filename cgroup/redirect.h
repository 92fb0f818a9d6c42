/* SPDX-License-Identifier: GPL-2.0-only */
/* The policies that the BPF program and its loader share: whose sockets are put on STREAMS */
#ifndef STRSOCK_CGROUP_REDIRECT_H
#define STRSOCK_CGROUP_REDIRECT_H

/* Kinds of sockets, one bit each */
#define REDIRECT_UDP	0x1
#define REDIRECT_UDP6	0x2
#define REDIRECT_TCP	0x4
#define REDIRECT_TCP6	0x8
#define REDIRECT_ALL	0xf

#define REDIRECT_NAME	16	/* bytes of a task's name, and of a rule's pattern */
#define REDIRECT_RULES	32
#define REDIRECT_LEVELS	32	/* of the cgroup hierarchy, from its root */
#define REDIRECT_GROUPS	256

/* The first rule that matches the name of a program decides about the kinds it names. */
struct redirect_rule {
	char pattern[REDIRECT_NAME];	/* with * and ?; 0-terminated */
	unsigned int kinds;
	unsigned int streams;		/* those of them that are put on STREAMS */
};

/* The policy of one cgroup and those below it */
struct redirect_group {
	unsigned int kinds;		/* where no rule decides */
	unsigned int nrules;
	struct redirect_rule rules[REDIRECT_RULES];
};

#endif /* STRSOCK_CGROUP_REDIRECT_H */
