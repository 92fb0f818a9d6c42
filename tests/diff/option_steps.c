// SPDX-License-Identifier: GPL-2.0-only
/* option_steps.c - options of sockets, asked for and set */
#include "option_steps.h"
#include "line.h"
#include "sequence.h"
#include "slots.h"
#include "step.h"
#include "../helpers/lib/socket-options.h"

#include <errno.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/time.h>

/*
 * Options beside socket_options and udp_options. Not among them: options that
 * depend on a processor (SO_INCOMING_CPU), on a counter of the whole machine
 * (SO_COOKIE, SO_MEMINFO), or would send beyond the machine.
 */
static const struct option options[] = {
	OPTION(SOL_SOCKET, SO_LINGER), OPTION(SOL_SOCKET, SO_RCVTIMEO),
	OPTION(SOL_SOCKET, SO_SNDTIMEO), OPTION(SOL_SOCKET, SO_BINDTODEVICE),
	OPTION(SOL_SOCKET, SO_PEERCRED), OPTION(SOL_SOCKET, SO_SNDBUFFORCE),
	OPTION(SOL_SOCKET, SO_RCVBUFFORCE), OPTION(SOL_SOCKET, SO_LOCK_FILTER),
	OPTION(IPPROTO_IP, IP_MULTICAST_IF), OPTION(IPPROTO_IP, IP_OPTIONS),
	OPTION(IPPROTO_IP, IP_ADD_MEMBERSHIP), OPTION(IPPROTO_IP, IP_DROP_MEMBERSHIP),
	/* Twice as often as others, for the control messages that datagrams then have */
	OPTION(IPPROTO_IP, IP_PKTINFO), OPTION(IPPROTO_IP, IP_RECVERR),
	OPTION(IPPROTO_IP, IP_RECVTTL), OPTION(IPPROTO_IP, IP_RECVTOS),
};

/*
 * Options of AF_INET6. Not among them: IPV6_FLOWINFO, whose labels depend on the ports of
 * each run.
 */
static const struct option options6[] = {
	OPTION(SOL_IPV6, IPV6_V6ONLY), OPTION(SOL_IPV6, IPV6_UNICAST_HOPS),
	OPTION(SOL_IPV6, IPV6_MULTICAST_HOPS), OPTION(SOL_IPV6, IPV6_MULTICAST_LOOP),
	OPTION(SOL_IPV6, IPV6_MULTICAST_IF), OPTION(SOL_IPV6, IPV6_MULTICAST_ALL),
	OPTION(SOL_IPV6, IPV6_RECVPKTINFO), OPTION(SOL_IPV6, IPV6_RECVPKTINFO),
	OPTION(SOL_IPV6, IPV6_RECVHOPLIMIT), OPTION(SOL_IPV6, IPV6_RECVHOPLIMIT),
	OPTION(SOL_IPV6, IPV6_RECVTCLASS), OPTION(SOL_IPV6, IPV6_TCLASS),
	OPTION(SOL_IPV6, IPV6_RECVERR), OPTION(SOL_IPV6, IPV6_RECVERR),
	OPTION(SOL_IPV6, IPV6_MTU_DISCOVER), OPTION(SOL_IPV6, IPV6_DONTFRAG),
	OPTION(SOL_IPV6, IPV6_RECVORIGDSTADDR), OPTION(SOL_IPV6, IPV6_FREEBIND),
	OPTION(SOL_IPV6, IPV6_RECVFRAGSIZE), OPTION(SOL_IPV6, IPV6_MINHOPCOUNT),
	OPTION(SOL_IPV6, IPV6_AUTOFLOWLABEL), OPTION(SOL_IPV6, IPV6_ADDR_PREFERENCES),
	OPTION(SOL_IPV6, IPV6_ADDRFORM), OPTION(SOL_IPV6, IPV6_RECVPATHMTU),
	OPTION(SOL_IPV6, IPV6_MTU), OPTION(SOL_IPV6, IPV6_TRANSPARENT),
	OPTION(SOL_IPV6, IPV6_RECVRTHDR), OPTION(SOL_IPV6, 999),
};

#define LIST(array)	{ array, COUNT(array) }

const struct option_list udp_option_lists[] = {
	LIST(socket_options), LIST(udp_options), LIST(options), {},
};

const struct option_list udp6_option_lists[] = {
	LIST(socket_options), LIST(udp_options), LIST(options6), LIST(options), {},
};

static const struct option *option_of(uint32_t r)
{
	const struct option_list *list;
	unsigned int all = 0;

	for (list = kind->options; list->count; list++)
		all += list->count;
	r %= all;
	for (list = kind->options; r >= list->count; list++)
		r -= list->count;
	return &list->option[r];
}

static const socklen_t lengths[] = { 4, 4, 4, 4, 4, 4, 4, 1, 0, 3, 8, 16, 60, -1 };

static void play_get(const struct step *s)
{
	const struct option *o = option_of(s->r[0]);
	socklen_t i, len = PICK(lengths, s->r[1]), given = len;
	bool bad = s->r[2] % 32 == 0;
	unsigned char value[64] = {};
	int ret;

	put(CALL, "getsockopt(slot %u, %s, %d bytes%s)", s->slot, o->label, (int)len,
	    bad ? " at a bad address" : "");
	ret = getsockopt(slot_fd(s->slot), o->level, o->name, bad ? (void *)16 : value, &len);
	put_result(NULL, ret);
	put(RESULT, " length %d", (int)len);
	/* The number of the process, and the peer's of a socket that has none */
	if (ret || o->name == SO_PEERCRED)
		return;
	for (i = 0; i < len && i < given && i < sizeof(value); i++)
		put(RESULT, " %02x", value[i]);
}

/* Values of options that are not numbers. */
static const void *special(const struct option *o, uint32_t r, socklen_t *len)
{
	static struct ip_mreqn group;
	static struct timeval time = { .tv_usec = 1000 };
	static struct {
		int on, time;
	} linger = { 1, 0 };
	static const unsigned char nothing[] = { 1, 1, 1, 0 };

	group.imr_multiaddr.s_addr = htonl(0xefffff00 + r % 3);
	group.imr_address.s_addr = htonl(INADDR_LOOPBACK);
	if (o->level == SOL_SOCKET && (o->name == SO_RCVTIMEO || o->name == SO_SNDTIMEO)) {
		*len = sizeof(time);
		return &time;
	}
	if (o->level == SOL_SOCKET && o->name == SO_LINGER) {
		*len = sizeof(linger);
		return &linger;
	}
	if (o->level == SOL_SOCKET && o->name == SO_BINDTODEVICE) {
		*len = r % 4 ? 3 : 5;
		return r % 4 ? "lo" : "none";
	}
	if (o->level == IPPROTO_IP && (o->name == IP_ADD_MEMBERSHIP ||
				       o->name == IP_DROP_MEMBERSHIP ||
				       o->name == IP_MULTICAST_IF)) {
		*len = r % 4 ? sizeof(group) : sizeof(struct ip_mreq);
		return &group;
	}
	if (o->level == IPPROTO_IP && o->name == IP_OPTIONS) {
		*len = r % 5;
		return nothing;
	}
	return NULL;
}

/* Does a socket refuse an option when it is a stream? */
static bool streams_refuse(const struct option *o)
{
	if (kind->options != udp_option_lists && kind->options != udp6_option_lists)
		return false;
	switch (o->level) {
	case SOL_SOCKET:
		return o->name == SO_ZEROCOPY;
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
		return o->name == UDP_ENCAP || o->name == UDP_GRO;
	case IPPROTO_IP:
		return o->name == IP_RECVERR || o->name == IP_RECVERR_RFC4884 ||
		       o->name == IP_CHECKSUM;
	case SOL_IPV6:
		return o->name == IPV6_RECVERR || o->name == IPV6_RECVERR_RFC4884 ||
		       o->name == IPV6_ADDRFORM;
	}
	return false;
}

static void play_set(const struct step *s)
{
	static const int values[] = { 1, 1, 1, 0, 0, 2, 3, -1, 64, 255, 256, 5000, 70000, 200000 };
	const struct option *o = option_of(s->r[0]);
	socklen_t len = PICK(lengths, s->r[1]);
	int value[16] = { PICK(values, s->r[2]) };
	const void *at = value, *other = special(o, s->r[4], &len);

	if (other && s->r[3] % 8)
		at = other;
	if (s->r[3] % 32 == 1)
		at = (void *)16;
	put(CALL, "setsockopt(slot %u, %s, %d, %d bytes%s)", s->slot, o->label,
	    at == value ? value[0] : -1, (int)len, at == (void *)16 ? " at a bad address" : "");
	/* The kernel chooses among several in a group by a hash with each run's port. */
	if (o->level == SOL_SOCKET && o->name == SO_REUSEPORT && slots[s->slot].object) {
		put(RESULT, "not made: for slot 0 only");
		return;
	}
	if (shared->stream[slots[s->slot].object] && streams_refuse(o)) {
		put(RESULT, "not made: stream-options");
		return;
	}
	put_result(NULL, setsockopt(slot_fd(s->slot), o->level, o->name, at, len));
}

const struct call option_calls[] = {
	{ "getsockopt", 60, play_get },
	{ "setsockopt", 110, play_set },
	{}
};
