// SPDX-License-Identifier: GPL-2.0-only
/* T_OPTMGMT_REQ: the options of the UDP provider; runs in the endpoint's work item */
#include <linux/kernel.h>
#include <sys/xti_inet.h>

#include "end.h"
#include "opt.h"

static const struct tpi_opt in_opt[] = {
	TPI_SOCKET_OPTS(SOL_SOCKET, SO_RCVLOWAT),
	TPI_BOOLEAN(T_INET_UDP, T_UDP_CHECKSUM, SOL_SOCKET, SO_NO_CHECK),
	TPI_IP_HEADER_OPTS,
	TPI_IP_OPTS,
	TPI_RECEIVED(T_INET_IP, T_IP_RECVDSTADDR, 0, 0, TPI_RCV_DSTADDR),
	TPI_RECEIVED(T_INET_IP, T_IP_RECVTTL, 0, 0, TPI_RCV_TTL),
	TPI_RECEIVED(T_INET_IP, T_IP_RECVTOS, 0, 0, TPI_RCV_TOS),
};

const struct tpi_opts strudp_in_opts = TPI_OPTS(in_opt, strtpi_sock);

#if IS_ENABLED(CONFIG_IPV6)
static const struct tpi_opt in6_opt[] = {
	TPI_SOCKET_OPTS(SOL_SOCKET, SO_RCVLOWAT),
	/* IPv6 has no datagrams without a checksum. */
	{ .level = T_INET_UDP, .name = T_UDP_CHECKSUM, .size = sizeof(u32),
	  .flags = TPI_OPT_BOOL | TPI_OPT_READONLY, .so_level = SOL_SOCKET,
	  .so_name = SO_NO_CHECK, .max = 1 },
	TPI_IP_OPTS,
	TPI_IPV6_OPTS,
	TPI_RECEIVED(T_INET_IPV6, T_IPV6_RECVPKTINFO, 0, 0, TPI_RCV_DSTADDR),
	TPI_RECEIVED(T_INET_IPV6, T_IPV6_RECVHOPLIMIT, 0, 0, TPI_RCV_TTL),
	TPI_RECEIVED(T_INET_IPV6, T_IPV6_RECVTCLASS, 0, 0, TPI_RCV_TOS),
};

const struct tpi_opts strudp_in6_opts = TPI_OPTS(in6_opt, strtpi_sock);
#endif

/**
 * strudp_optmgmt() - act on a T_OPTMGMT_REQ
 * @ep: the endpoint
 * @mp: the primitive, consumed
 *
 * Context: process, sleeps.
 * Return: as strtpi_optmgmt().
 */
mblk_t *strudp_optmgmt(struct strudp_end *ep, mblk_t *mp)
{
	struct tpi_sock_end end = { .sock = ep->sock, .kept = &ep->kept };

	mp = strtpi_optmgmt(ep->family->opts, &end, mp, GFP_KERNEL);
	strudp_end_fit_head(ep);
	return mp;
}
