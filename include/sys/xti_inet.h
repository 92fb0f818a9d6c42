/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sys/xti_inet.h - options of XTI and of its Internet providers */
#ifndef _SYS_XTI_INET_H
#define _SYS_XTI_INET_H

/* A name that stands for all options of a level */
#define T_ALLOPT		0
#define T_YES			1
#define T_NO			0

/* Level of options every provider has */
#define XTI_GENERIC		0xffff
#define XTI_DEBUG		0x0001	/* t_uscalar_t */
#define XTI_LINGER		0x0080	/* struct t_linger */
#define XTI_SNDBUF		0x1001	/* t_uscalar_t, bytes */
#define XTI_RCVBUF		0x1002	/* t_uscalar_t, bytes */
#define XTI_SNDLOWAT		0x1003	/* t_uscalar_t, bytes */
#define XTI_RCVLOWAT		0x1004	/* t_uscalar_t, bytes */

/* Level of TCP */
#define T_INET_TCP		6
#define T_TCP_NODELAY		1	/* t_uscalar_t: T_YES, T_NO */
#define T_TCP_MAXSEG		2	/* t_uscalar_t, bytes; read only */
#define T_TCP_KEEPALIVE		8	/* struct t_kpalive */
#define T_GARBAGE		0x02	/* kp_onoff: a probe carries a byte of garbage */

/* Level of UDP */
#define T_INET_UDP		17
#define T_UDP_CHECKSUM		0x0600	/* t_uscalar_t: T_YES, T_NO */

/* Level of IP */
#define T_INET_IP		0
#define T_IP_OPTIONS		1	/* up to 40 bytes, as RFC 791 has them */
#define T_IP_TOS		2	/* t_uscalar_t */
#define T_IP_TTL		3	/* unsigned char */
#define T_IP_REUSEADDR		4	/* t_uscalar_t: T_YES, T_NO */
#define T_IP_DONTROUTE		5	/* t_uscalar_t: T_YES, T_NO */
#define T_IP_BROADCAST		6	/* t_uscalar_t: T_YES, T_NO */
/*
 * Not in XTI: whether T_UNITDATA_IND has the destination address (as option
 * T_IP_RECVDSTADDR, a struct in_addr), the T_IP_TTL, the T_IP_TOS
 */
#define T_IP_RECVDSTADDR	0x0107	/* t_uscalar_t: T_YES, T_NO */
#define T_IP_RECVTTL		0x0108	/* t_uscalar_t: T_YES, T_NO */
#define T_IP_RECVTOS		0x0109	/* t_uscalar_t: T_YES, T_NO */

/*
 * Level of IPv6. Not in XTI; the options are those that RFC 3493 and RFC 3542
 * have for sockets, the numbers those of <netinet/in.h>.
 */
#define T_INET_IPV6		41
#define T_IPV6_UNICAST_HOPS	16	/* t_uscalar_t */
#define T_IPV6_V6ONLY		26	/* t_uscalar_t: T_YES, T_NO */
#define T_IPV6_TCLASS		67	/* t_uscalar_t */
/*
 * Whether T_UNITDATA_IND has the destination and the interface (as option
 * T_IPV6_PKTINFO), the T_IPV6_HOPLIMIT, the T_IPV6_TCLASS
 */
#define T_IPV6_RECVPKTINFO	49	/* t_uscalar_t: T_YES, T_NO */
#define T_IPV6_RECVHOPLIMIT	51	/* t_uscalar_t: T_YES, T_NO */
#define T_IPV6_RECVTCLASS	66	/* t_uscalar_t: T_YES, T_NO */
/* Of one datagram only, sent or received */
#define T_IPV6_PKTINFO		50	/* struct in6_pktinfo */
#define T_IPV6_HOPLIMIT		52	/* t_uscalar_t */

#endif /* _SYS_XTI_INET_H */
