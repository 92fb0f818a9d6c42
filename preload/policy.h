/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * policy.h - what this process shall do, decided once when the library is loaded
 */
#ifndef STRSOCK_POLICY_H
#define STRSOCK_POLICY_H

#include <stdbool.h>

struct strsock_policy {
	bool pipe;		/* pipes are made of STREAMS */
	bool udp;		/* UDP sockets of AF_INET are; libsocket: of both */
	bool udp6;		/* UDP sockets of AF_INET6 are */
	bool require;		/* no STREAMS is an error, not a native call */
	bool verbose;		/* tell each decision */
};

/*
 * Written by the library's constructor and never again. All zero until then: a
 * library initialised before this one gets native descriptors.
 */
extern struct strsock_policy strsock_policy;

#endif /* STRSOCK_POLICY_H */
