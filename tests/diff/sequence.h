/* SPDX-License-Identifier: GPL-2.0-only */
/* sequence.h - the sequence that is played, and what its steps know of its pipes */
#ifndef _DIFF_SEQUENCE_H
#define _DIFF_SEQUENCE_H

#include <sys/types.h>

#include "step.h"

extern const struct kind *kind;
extern uint64_t seed, sequence;
extern bool quiet;		/* in this sequence only its steps poll */

/* The contents of a native pipe, page by page */
struct room {
	unsigned int bytes, pages;
	unsigned int padding;		/* up to the page that each packet counts */
	unsigned int more;		/* that messages on STREAMS may count, at most */
	bool messages;			/* it has had a packet */
	struct page {
		unsigned int len, end;
		bool joins, packet;
	} page[16];
};

#define ASYNC_READER	1
#define ASYNC_WRITER	2

/* Events that make an edge for epoll natively only (tests/diff/known: edge-...) */
struct stirred {
	bool pipe[SLOTS];		/* there was such, since epoll_wait() told all */
	unsigned int edges[SLOTS];	/* by epoll's data: which objects it would report */
};

struct shared {			/* with the child */
	pid_t pid;
	struct room room[SLOTS];
	unsigned short port[SLOTS];	/* network order; 0 unless bound */
	bool ended;			/* a connection was shut down */
	bool stream[SLOTS];		/* the socket was made a stream, if it can be one */
	bool urgent[SLOTS];		/* the socket has sent urgent data */
	unsigned int async[SLOTS];	/* ASYNC_*: ends for which SIGIO was ever asked */
	struct stirred refused;	/* a writer was */
	struct stirred moved;	/* pages were moved out, or their number set */
	struct stirred opened;	/* an open failed */
	bool unordered;		/* one of these has been, and made an order of its own */
};

extern struct shared *shared;

#endif /* _DIFF_SEQUENCE_H */
