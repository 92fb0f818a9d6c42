// SPDX-License-Identifier: GPL-2.0-only
/* 7.1: without UDP-Lite the lookup of a UDP socket takes no table */
#include <net/udp.h>

struct sock *probe(struct net *net);
struct sock *probe(struct net *net)
{
	return __udp4_lib_lookup(net, 0, 0, 0, 0, 0, 0, NULL);
}
