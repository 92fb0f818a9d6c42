// SPDX-License-Identifier: GPL-2.0-only
/* 6.18: UDP gathers datagrams before it queues them, and drops what does not fit */
#include <linux/udp.h>

void *probe(const struct udp_sock *up);
void *probe(const struct udp_sock *up)
{
	return up->udp_prod_queue;
}
