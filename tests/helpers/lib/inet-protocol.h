/* SPDX-License-Identifier: GPL-2.0-only */
/* inet-protocol.h - cases that are run with TCP and, as their second argument says, SCTP */
#ifndef INET_PROTOCOL_H
#define INET_PROTOCOL_H

#include "tpi-inet.h"

static int protocol = IPPROTO_TCP;

static inline int protocol_main(int argc, char **argv, const struct test_case *cases)
{
	if (argc == 3 && !strcmp(argv[2], "sctp")) {
		inet_device = "/dev/streams/sctp";
		protocol = IPPROTO_SCTP;
		argc = 2;
	}
	return test_main(argc, argv, cases);
}

#endif /* INET_PROTOCOL_H */
