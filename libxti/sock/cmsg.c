// SPDX-License-Identifier: LGPL-2.1-or-later
/* The options of a datagram, as control messages of the kernel */
#include <string.h>

#include "core/options.h"
#include "cmsg.h"

/* The control messages are put together in the room that msg has. */
struct controls {
	struct msghdr *msg;
	size_t room;
};

static int add_cmsg(struct controls *c, int level, int type, const void *value,
		    size_t len)
{
	size_t at = c->msg->msg_controllen;
	struct cmsghdr *hdr = (void *)((char *)c->msg->msg_control + at);

	if (CMSG_SPACE(len) > c->room - at)
		return EINVAL;
	memset(hdr, 0, CMSG_SPACE(len));
	hdr->cmsg_level = level;
	hdr->cmsg_type = type;
	hdr->cmsg_len = CMSG_LEN(len);
	memcpy(CMSG_DATA(hdr), value, len);
	c->msg->msg_controllen = at + CMSG_SPACE(len);
	return 0;
}

/*
 * Adds a number; an option of IPv6 that IPv4 carries has IPv4's name in control
 * messages.
 */
static int add_number(struct controls *c, const struct t_opthdr *oh,
		      t_uscalar_t number, int *flags, bool mapped)
{
	int value = number;

	if (oh->level == T_INET_IP && oh->name == T_IP_DONTROUTE) {
		if (number)
			*flags |= MSG_DONTROUTE;
		return 0;
	}
	if (number > 255)
		return EINVAL;
	if (oh->level == T_INET_IP && oh->name == T_IP_TTL)
		return number ? add_cmsg(c, SOL_IP, IP_TTL, &value, sizeof(value)) :
				EINVAL;
	if (oh->level == T_INET_IP && oh->name == T_IP_TOS)
		return add_cmsg(c, SOL_IP, IP_TOS, &value, sizeof(value));
	if (oh->level != T_INET_IPV6)
		return EINVAL;
	if (oh->name == T_IPV6_HOPLIMIT && number)
		return mapped ? add_cmsg(c, SOL_IP, IP_TTL, &value, sizeof(value)) :
			add_cmsg(c, SOL_IPV6, IPV6_HOPLIMIT, &value, sizeof(value));
	if (oh->name == T_IPV6_TCLASS)
		return mapped ? add_cmsg(c, SOL_IP, IP_TOS, &value, sizeof(value)) :
			add_cmsg(c, SOL_IPV6, IPV6_TCLASS, &value, sizeof(value));
	return EINVAL;
}

int sock_cmsg_make(const struct sock_kind *kind, const void *opt, size_t len,
		   struct msghdr *msg, size_t room, bool mapped, int *flags)
{
	struct controls c = { .msg = msg, .room = room };
	const char *at = opt, *value;
	struct t_opthdr oh;
	t_uscalar_t number;
	int got, failed = 0;

	msg->msg_controllen = 0;
	while (!failed && (got = options_next(&at, &len, &oh, &value)) > 0) {
		size_t size = oh.len - sizeof(oh);

		if (oh.level == T_INET_IPV6 && kind->domain != AF_INET6)
			return EINVAL;
		if (oh.level == T_INET_IPV6 && oh.name == T_IPV6_PKTINFO)
			failed = size == sizeof(struct in6_pktinfo) ?
				 add_cmsg(&c, SOL_IPV6, IPV6_PKTINFO, value, size) :
				 EINVAL;
		else
			failed = options_number(value, size, &number) ? EINVAL :
				 add_number(&c, &oh, number, flags, mapped);
	}
	if (!msg->msg_controllen)
		msg->msg_control = NULL;
	return failed ? failed : got < 0 ? EINVAL : 0;
}

/* The options are put together in the room behind to. */
struct cmsg_options {
	char *to;
	size_t len;
	size_t room;
};

static void put_option(struct cmsg_options *o, t_uscalar_t level, t_uscalar_t name,
		       const void *value, size_t len)
{
	struct t_opthdr oh = {
		.len = sizeof(oh) + len, .level = level, .name = name,
		.status = T_SUCCESS,
	};
	size_t step = T_ALIGN(oh.len);

	if (step > o->room - o->len)
		return;
	memset(o->to + o->len, 0, step);
	memcpy(o->to + o->len, &oh, sizeof(oh));
	memcpy(o->to + o->len + sizeof(oh), value, len);
	o->len += step;
}

/*
 * Adds an option of IPv4's, for an endpoint of IPv4, or of IPv6 that has a
 * datagram of IPv4's.
 */
static void put_ip(struct cmsg_options *o, const struct cmsghdr *c, bool six)
{
	const void *data = CMSG_DATA(c);
	const struct in_pktinfo *info = data;
	unsigned char byte;
	t_uscalar_t number;
	int value;

	switch (c->cmsg_type) {
	case IP_PKTINFO:
		if (!six)
			put_option(o, T_INET_IP, T_IP_RECVDSTADDR, &info->ipi_addr,
				   sizeof(info->ipi_addr));
		return;
	case IP_TTL:
		memcpy(&value, data, sizeof(value));
		number = value;
		byte = value;
		if (six)
			put_option(o, T_INET_IPV6, T_IPV6_HOPLIMIT, &number,
				   sizeof(number));
		else
			put_option(o, T_INET_IP, T_IP_TTL, &byte, sizeof(byte));
		return;
	case IP_TOS:
		number = *(const unsigned char *)data;
		if (six)
			put_option(o, T_INET_IPV6, T_IPV6_TCLASS, &number,
				   sizeof(number));
		else
			put_option(o, T_INET_IP, T_IP_TOS, &number, sizeof(number));
		return;
	}
}

static void put_ipv6(struct cmsg_options *o, const struct cmsghdr *c)
{
	switch (c->cmsg_type) {
	case IPV6_PKTINFO:
		put_option(o, T_INET_IPV6, T_IPV6_PKTINFO, CMSG_DATA(c),
			   sizeof(struct in6_pktinfo));
		return;
	case IPV6_HOPLIMIT:
		put_option(o, T_INET_IPV6, T_IPV6_HOPLIMIT, CMSG_DATA(c), sizeof(int));
		return;
	case IPV6_TCLASS:
		put_option(o, T_INET_IPV6, T_IPV6_TCLASS, CMSG_DATA(c), sizeof(int));
		return;
	}
}

size_t sock_cmsg_options(const struct sock_kind *kind, struct msghdr *msg, char *to,
			 size_t room)
{
	struct cmsg_options o = { .to = to, .room = room };
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level == SOL_IP)
			put_ip(&o, c, kind->domain == AF_INET6);
		else if (c->cmsg_level == SOL_IPV6)
			put_ipv6(&o, c);
	}
	return o.len;
}
