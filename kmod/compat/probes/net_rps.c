// SPDX-License-Identifier: GPL-2.0-only
/* 6.9: receive packet steering has a header of its own */
#include <net/rps.h>

void probe(const struct sock *sk);
void probe(const struct sock *sk)
{
	sock_rps_record_flow(sk);
}
