// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of a datagram to send
 *
 * Those of a T_UNITDATA_REQ become control messages and flags of sendmsg(2), so that
 * the kernel treats them as those of its own sockets.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/string.h>
#include <net/ipv6.h>
#include <sys/xti_inet.h>

#include "datagram.h"
#include "opt.h"

static int add_control(struct tpi_datagram *d, int level, int type, const void *value,
		       size_t len)
{
	struct cmsghdr *hdr = (struct cmsghdr *)(d->control + d->control_len);

	if (CMSG_SPACE(len) > sizeof(d->control) - d->control_len)
		return -EINVAL;
	hdr->cmsg_len = CMSG_LEN(len);
	hdr->cmsg_level = level;
	hdr->cmsg_type = type;
	memcpy(CMSG_DATA(hdr), value, len);
	d->control_len += CMSG_SPACE(len);
	return 0;
}

static int add_number(struct tpi_datagram *d, int level, int type, u32 value, u32 least)
{
	if (value < least || value > 255)
		return -EINVAL;
	return add_control(d, level, type, &value, sizeof(value));
}

static int option_in(struct tpi_datagram *d, const struct T_opthdr *oh, const void *at)
{
	u32 value;
	int err = strtpi_opt_value(at, oh->len - sizeof(*oh), &value);

	if (err)
		return err;
	switch (oh->name) {
	case T_IP_TTL:
		return add_number(d, SOL_IP, IP_TTL, value, 1);
	case T_IP_TOS:
		return add_number(d, SOL_IP, IP_TOS, value, 0);
	case T_IP_DONTROUTE:
		if (value)
			d->flags |= MSG_DONTROUTE;
		return 0;
	default:
		return -EINVAL;
	}
}

/* A datagram to an IPv4-mapped address has the fields of IPv4. */
static int option_in6(struct tpi_datagram *d, const struct T_opthdr *oh, const void *at)
{
	bool mapped = ipv6_addr_v4mapped(&d->dest.in6.sin6_addr);
	size_t len = oh->len - sizeof(*oh);
	u32 value;
	int err;

	if (oh->name == T_IPV6_PKTINFO)
		return len != sizeof(struct in6_pktinfo) ? -EINVAL :
		       add_control(d, SOL_IPV6, IPV6_PKTINFO, at, len);
	err = strtpi_opt_value(at, len, &value);
	if (err)
		return err;
	switch (oh->name) {
	case T_IPV6_HOPLIMIT:
		return mapped ? add_number(d, SOL_IP, IP_TTL, value, 1) :
				add_number(d, SOL_IPV6, IPV6_HOPLIMIT, value, 1);
	case T_IPV6_TCLASS:
		return mapped ? add_number(d, SOL_IP, IP_TOS, value, 0) :
				add_number(d, SOL_IPV6, IPV6_TCLASS, value, 0);
	default:
		return -EINVAL;
	}
}

/**
 * strtpi_datagram_options() - read the options of a T_UNITDATA_REQ
 * @d: the datagram; its destination is known, flags and control messages are added
 * @at: the list
 * @len: its bytes
 * @ipv4: the provider sends by IPv4, too: options of that level are allowed
 *
 * Return: 0; -EINVAL when an option is malformed, has a value out of its range, or
 * is none of a datagram to that destination.
 * Source: XTI (XNS Issue 5), chapter 6; TPI version 2, T_UNITDATA_REQ.
 */
int strtpi_datagram_options(struct tpi_datagram *d, const void *at, size_t len,
			    bool ipv4)
{
	bool ipv6 = IS_ENABLED(CONFIG_IPV6) && d->dest.sa.sa_family == AF_INET6;
	struct T_opthdr oh;
	const void *value;
	int err;

	while ((err = strtpi_opt_next(&at, &len, &oh, &value)) > 0) {
		if (oh.level == T_INET_IP && ipv4)
			err = option_in(d, &oh, value);
		else if (oh.level == T_INET_IPV6 && ipv6)
			err = option_in6(d, &oh, value);
		else
			err = -EINVAL;
		if (err)
			return err;
	}
	return err;
}
EXPORT_SYMBOL_GPL(strtpi_datagram_options);
