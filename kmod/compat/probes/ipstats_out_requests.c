// SPDX-License-Identifier: GPL-2.0-only
/* 6.7: requests to send are counted apart from packets sent */
#include <linux/snmp.h>

int probe(void);
int probe(void)
{
	return IPSTATS_MIB_OUTREQUESTS;
}
