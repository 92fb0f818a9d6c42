// SPDX-License-Identifier: GPL-2.0-only
/* 6.5: a protocol tells where its socks have what IPv6 keeps */
#include <net/sock.h>

void probe(struct proto *prot);
void probe(struct proto *prot)
{
	prot->ipv6_pinfo_offset = 0;
}
