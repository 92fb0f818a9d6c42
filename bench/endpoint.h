/* SPDX-License-Identifier: GPL-2.0-only */
/* endpoint.h - endpoints of XTI, bound to ports of the loopback address */
#ifndef BENCH_ENDPOINT_H
#define BENCH_ENDPOINT_H

#include <xti.h>

#include "transport.h"

/* The end of the program: a function of XTI has failed. */
_Noreturn void xti_err(const char *what);

/* Opens an endpoint; -1 with errno if there is no such device. */
int open_endpoint(const char *device);
/*
 * Returns an endpoint bound to sin or, if its port is taken, to any port, which
 * is stored in sin. With a qlen it listens. Returns -1 as open_endpoint() does.
 */
int bound_endpoint(const char *device, struct sockaddr_in *sin, unsigned int qlen);

void close_endpoints(struct channel *c);

#endif /* BENCH_ENDPOINT_H */
