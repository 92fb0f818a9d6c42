// SPDX-License-Identifier: GPL-2.0-only
/* control.c - control messages of datagrams */
#include "control.h"
#include "addresses.h"
#include "fail.h"
#include "line.h"
#include "sequence.h"
#include "step.h"

#include <arpa/inet.h>
#include <linux/types.h>
#include <linux/errqueue.h>
#include <netinet/udp.h>
#include <string.h>
#include <time.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT	103
#endif

#ifndef IPV6_FLOWINFO
#define IPV6_FLOWINFO	11	/* of linux/in6.h, which the C library's header excludes */
#endif

static char control[256] __attribute__((aligned(8)));

static void add(struct msghdr *msg, int level, int type, const void *value, size_t len)
{
	struct cmsghdr *c = (void *)(control + msg->msg_controllen);

	c->cmsg_level = level;
	c->cmsg_type = type;
	c->cmsg_len = CMSG_LEN(len);
	memcpy(CMSG_DATA(c), value, len);
	msg->msg_control = control;
	msg->msg_controllen += CMSG_SPACE(len);
}

static void choose_ip4(struct msghdr *msg, uint32_t r)
{
	static const int ttls[] = { 1, 33, 64, 255, 0, 256, -1 };
	int ttl = PICK(ttls, r >> 8), tos = r >> 8 & 0xfc;
	struct in_pktinfo info = {
		.ipi_ifindex = (r >> 8) % 8 == 0 ? 999 : (r >> 8) % 2,
		.ipi_spec_dst.s_addr = htonl(0x7f000000 + (r >> 12) % 8),
	};

	switch (r % 6) {
	case 0:
	case 1:
		put(CALL, ", IP_TTL %d", ttl);
		add(msg, IPPROTO_IP, IP_TTL, &ttl, sizeof(ttl));
		break;
	case 2:
		put(CALL, ", IP_TOS %d", tos);
		add(msg, IPPROTO_IP, IP_TOS, &tos, r >> 16 & 1 ? sizeof(tos) : 1);
		break;
	case 3:
	case 4:
		put(CALL, ", IP_PKTINFO %d %08x", info.ipi_ifindex,
		    ntohl(info.ipi_spec_dst.s_addr));
		add(msg, IPPROTO_IP, IP_PKTINFO, &info, sizeof(info));
		break;
	default:
		put(CALL, ", IP_TTL %d, IP_TOS %d, IP_PKTINFO", ttl, tos);
		add(msg, IPPROTO_IP, IP_TTL, &ttl, sizeof(ttl));
		add(msg, IPPROTO_IP, IP_TOS, &tos, sizeof(tos));
		add(msg, IPPROTO_IP, IP_PKTINFO, &info, sizeof(info));
	}
}

static void choose_ip6(struct msghdr *msg, uint32_t r)
{
	static const int hops[] = { 1, 33, 64, 255, 0, 256, -1, -2 };
	static const char *const from[] = { "::1", "::", "::ffff:127.0.0.3", "::2", "::1" };
	int hop = PICK(hops, r >> 8), class = r >> 8 & 0xff, on = r >> 8 & 1;
	struct in6_pktinfo info = {
		.ipi6_ifindex = (r >> 8) % 8 == 0 ? 999 : (r >> 8) % 2,
	};

	inet_pton(AF_INET6, PICK(from, r >> 12), &info.ipi6_addr);
	switch (r % 6) {
	case 0:
		put(CALL, ", IPV6_HOPLIMIT %d", hop);
		add(msg, IPPROTO_IPV6, IPV6_HOPLIMIT, &hop, sizeof(hop));
		break;
	case 1:
		put(CALL, ", IPV6_TCLASS %d", class);
		add(msg, IPPROTO_IPV6, IPV6_TCLASS, &class, r >> 16 & 7 ? sizeof(class) : 1);
		break;
	case 2:
	case 3:
		put(CALL, ", IPV6_PKTINFO %u %s", info.ipi6_ifindex, PICK(from, r >> 12));
		add(msg, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof(info));
		break;
	case 4:
		put(CALL, ", IPV6_DONTFRAG %d", on);
		add(msg, IPPROTO_IPV6, IPV6_DONTFRAG, &on, sizeof(on));
		break;
	default:
		put(CALL, ", IPV6_HOPLIMIT %d, IPV6_TCLASS %d, IPV6_PKTINFO", hop, class);
		add(msg, IPPROTO_IPV6, IPV6_HOPLIMIT, &hop, sizeof(hop));
		add(msg, IPPROTO_IPV6, IPV6_TCLASS, &class, sizeof(class));
		add(msg, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof(info));
	}
}

/**
 * control_choose - a message is sent with control messages, some of them bad
 * @msg: the message
 * @r: the random number to choose by
 */
void control_choose(struct msghdr *msg, uint32_t r)
{
	uint16_t segment = (r >> 8) % 3 * 400;
	int mark = 7;

	memset(control, 0, sizeof(control));
	switch (r % 10) {
	case 0:
		put(CALL, ", UDP_SEGMENT %d", segment);
		add(msg, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof(segment));
		break;
	case 1:
		put(CALL, ", SO_MARK");
		add(msg, SOL_SOCKET, SO_MARK, &mark, sizeof(mark));
		break;
	case 2:
		put(CALL, ", control of level %d", r >> 8 & 1 ? SOL_SOCKET : IPPROTO_IP);
		add(msg, r >> 8 & 1 ? SOL_SOCKET : IPPROTO_IP, 999, &mark, sizeof(mark));
		break;
	case 3:
		put(CALL, ", control of %d bytes", (r >> 8) % 20);
		add(msg, IPPROTO_IP, IP_TTL, &mark, sizeof(mark));
		msg->msg_controllen = (r >> 8) % 20;
		break;
	default:
		r /= 10;
		if (kind->family == AF_INET || (r >> 20) % 4 == 0)
			choose_ip4(msg, r);
		else
			choose_ip6(msg, r);
	}
}

static void put_ip(const char *what, struct in_addr addr)
{
	char text[INET_ADDRSTRLEN];

	put(RESULT, " %s %s", what, inet_ntop(AF_INET, &addr, text, sizeof(text)));
}

static void put_bytes(const struct cmsghdr *c)
{
	unsigned int i;

	put(RESULT, " level %d type %d", c->cmsg_level, c->cmsg_type);
	for (i = 0; i + CMSG_LEN(0) < c->cmsg_len && i < 40; i++)
		put(RESULT, " %02x", CMSG_DATA(c)[i]);
}

static void put_error(const struct sock_extended_err *ee)
{
	const struct sockaddr_in *sin = (const void *)SO_EE_OFFENDER(ee);

	put(RESULT, " error %s origin %u type %u code %u info %u", error_name(ee->ee_errno),
	    ee->ee_origin, ee->ee_type, ee->ee_code, ee->ee_info);
	if (sin->sin_family == AF_INET)
		put_ip("offender", sin->sin_addr);
}

/**
 * control_put - the control messages received
 * @msg: with which message
 */
void control_put(struct msghdr *msg)
{
	const struct in_pktinfo *info;
	struct cmsghdr *c;

	put(RESULT, " control %zu", msg->msg_controllen);
	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type != SO_RXQ_OVFL) {
			/* Times are each run's own. */
			put(RESULT, " level %d type %d", c->cmsg_level, c->cmsg_type);
		} else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_FLOWINFO) {
			/* Flow labels depend on the ports of each run. */
			put(RESULT, " level %d type %d", c->cmsg_level, c->cmsg_type);
		} else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_ORIGDSTADDR) {
			put(RESULT, " original ");
			address_put(RESULT, CMSG_DATA(c), sizeof(struct sockaddr_in6));
		} else if (c->cmsg_level != IPPROTO_IP) {
			put_bytes(c);
		} else if (c->cmsg_type == IP_PKTINFO) {
			info = (const struct in_pktinfo *)CMSG_DATA(c);
			put(RESULT, " interface %d", info->ipi_ifindex);
			put_ip("local", info->ipi_spec_dst);
			put_ip("destination", info->ipi_addr);
		} else if (c->cmsg_type == IP_ORIGDSTADDR) {
			put(RESULT, " original ");
			address_put(RESULT, (void *)CMSG_DATA(c), sizeof(struct sockaddr_in));
		} else if (c->cmsg_type == IP_RECVERR &&
			   c->cmsg_len >= CMSG_LEN(sizeof(struct sock_extended_err) +
						   sizeof(struct sockaddr_in))) {
			put_error((const void *)CMSG_DATA(c));
		} else {
			put_bytes(c);
		}
	}
}
