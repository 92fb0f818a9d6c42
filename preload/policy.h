/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * policy.h - which calls of this process use STREAMS, decided when the library
 * is loaded
 */
#ifndef STRSOCK_POLICY_H
#define STRSOCK_POLICY_H

#include <stdbool.h>

#include "kind.h"

struct strsock_policy {
	bool pipe;		/* pipes are made of STREAMS */
	bool duplex;		/* pipes on STREAMS are full-duplex, as on System V */
	bool socket[INET_KINDS];	/* sockets of a kind are; never INET_NONE */
	const char *push_pipe;	/* modules for each new pipe (pushlist.h); or NULL */
	const char *push[INET_KINDS];	/* ... for each new socket of a kind; or NULL */
	bool require;		/* absence of STREAMS is an error, not a native call */
	bool verbose;		/* report each decision */
};

/*
 * The library's constructor writes the policy, which does not change any more.
 * The policy is all zero until then: a library initialised before this one gets
 * native descriptors.
 */
extern struct strsock_policy strsock_policy;

#endif /* STRSOCK_POLICY_H */
