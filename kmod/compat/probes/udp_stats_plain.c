// SPDX-License-Identifier: GPL-2.0-only
/* 7.1: without UDP-Lite the counters of UDP need not say which of the two */
#include <net/udp.h>

void probe(struct net *net);
void probe(struct net *net)
{
	UDP_INC_STATS(net, UDP_MIB_OUTDATAGRAMS);
}
