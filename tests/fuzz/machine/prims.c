// SPDX-License-Identifier: GPL-2.0-only
/* The control parts of messages: primitives, mostly correct, of TPI and DLPI */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/dlpi.h>
#include <sys/tihdr.h>
#include <sys/xti_inet.h>

#include "calls.h"

/* An address: of a loopback transport, or a port of this host */
static size_t addr_fill(struct draw *d, char *at)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = htons(7000 + draw_below(d, 4)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	if (draw_below(d, 2)) {
		*at = 'a' + draw_below(d, 4);
		return 1;
	}
	memcpy(at, &sin, sizeof(sin));
	return sizeof(sin);
}

static size_t options_fill(struct draw *d, char *at)
{
	static const uint32_t levels[] = {
		XTI_GENERIC, T_INET_IP, T_INET_TCP, T_INET_UDP, 0x7777,
	};
	size_t len = 0;
	int n = draw_below(d, 4);

	while (n--) {
		struct T_opthdr oh = {
			.len = sizeof(oh) + 4,
			.level = levels[draw_below(d, 5)],
			.name = draw_below(d, 40),
		};
		uint32_t value = odd_number(d);

		if (!draw_below(d, 16))
			oh.len = odd_number(d);
		memcpy(at + len, &oh, sizeof(oh));
		memcpy(at + len + sizeof(oh), &value, sizeof(value));
		len += sizeof(oh) + sizeof(value);
	}
	return len;
}

static size_t tpi_fill(struct draw *d, char *at)
{
	int32_t word[6] = { draw_below(d, 30) }, fixed;
	static const unsigned char n[] = {
		[T_CONN_REQ] = 5, [T_CONN_RES] = 5, [T_DISCON_REQ] = 2,
		[T_DATA_REQ] = 2, [T_EXDATA_REQ] = 2, [T_INFO_REQ] = 1,
		[T_BIND_REQ] = 4, [T_UNBIND_REQ] = 1, [T_UNITDATA_REQ] = 5,
		[T_OPTMGMT_REQ] = 4, [T_ORDREL_REQ] = 1, [T_OPTDATA_REQ] = 4,
		[T_ADDR_REQ] = 1, [T_CAPABILITY_REQ] = 2, [29] = 0,
	};
	size_t addr = 0, opts = 0;

	fixed = 4 * (n[word[0]] ? n[word[0]] : 6);
	switch (word[0]) {
	case T_BIND_REQ:
	case T_CONN_REQ:
	case T_UNITDATA_REQ:
		addr = addr_fill(d, at + fixed);
		word[1] = addr;
		word[2] = fixed;
		word[3] = draw_below(d, 3);
		if (word[0] == T_BIND_REQ)
			break;
		opts = options_fill(d, at + fixed + addr);
		word[3] = opts;
		word[4] = fixed + addr;
		break;
	case T_OPTMGMT_REQ:
		opts = options_fill(d, at + fixed);
		word[1] = opts;
		word[2] = fixed;
		word[3] = 4 << draw_below(d, 6);
		break;
	case T_CONN_RES:
		word[1] = draw_below(d, 64);
		word[4] = 1 + draw_below(d, 3);
		break;
	default:
		word[1] = draw_below(d, 4);
	}
	if (!draw_below(d, 6))
		word[draw_below(d, 6)] = odd_number(d);
	memcpy(at, word, fixed);
	return fixed + addr + opts;
}

static size_t dlpi_fill(struct draw *d, char *at)
{
	static const uint32_t prims[] = {
		DL_INFO_REQ, DL_ATTACH_REQ, DL_ATTACH_REQ, DL_BIND_REQ, DL_BIND_REQ,
		DL_UNBIND_REQ, DL_DETACH_REQ, DL_UNITDATA_REQ, DL_UNITDATA_REQ,
		DL_PROMISCON_REQ, DL_PROMISCOFF_REQ, DL_ENABMULTI_REQ,
		DL_SUBS_BIND_REQ, DL_SUBS_UNBIND_REQ, DL_PHYS_ADDR_REQ,
		DL_TEST_REQ, DL_XID_REQ, DL_TEST_RES, DL_UDQOS_REQ,
		DL_GET_STATISTICS_REQ, DL_NOTIFY_REQ, DL_SET_PHYS_ADDR_REQ,
	};
	uint32_t word[16] = { prims[draw_below(d, sizeof(prims) / 4)] };
	int i;

	for (i = 1; i < 16; i++)
		word[i] = draw_below(d, 3) ? draw_below(d, 8) : odd_number(d);
	if (word[0] == DL_ATTACH_REQ)
		word[1] = 1 + draw_below(d, 3);
	if (word[0] == DL_BIND_REQ)
		word[3] = DL_CLDLS;
	memcpy(at, word, sizeof(word));
	return draw_below(d, 4) ? sizeof(word) : 4 * draw_below(d, 16);
}

size_t prim_fill(struct draw *d, void *at)
{
	return draw_below(d, 5) ? tpi_fill(d, at) : dlpi_fill(d, at);
}
