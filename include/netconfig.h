/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * netconfig.h - the transports of /etc/netconfig
 *
 * The structure is what <netdir.h> needs. The functions are libtirpc's. Its
 * header of this name declares the same: whichever is included first serves for
 * both. Link with -ltirpc (pkg-config libtirpc).
 */
#ifndef _NETCONFIG_H_
#define _NETCONFIG_H_

#define NETCONFIG	"/etc/netconfig"
#define NETPATH		"NETPATH"

struct netconfig {
	char *nc_netid;			/* its name: "tcp" */
	unsigned long nc_semantics;	/* NC_TPI_CLTS ... */
	unsigned long nc_flag;		/* NC_VISIBLE ... */
	char *nc_protofmly;		/* NC_INET ... */
	char *nc_proto;			/* NC_TCP ... */
	char *nc_device;		/* for t_open() */
	unsigned long nc_nlookups;
	char **nc_lookups;		/* libraries that look up names; unused here */
	unsigned long nc_unused[9];
};

typedef struct {
	struct netconfig **nc_head;
	struct netconfig **nc_curr;
} NCONF_HANDLE;

/* nc_semantics */
#define NC_TPI_CLTS	1
#define NC_TPI_COTS	2
#define NC_TPI_COTS_ORD	3
#define NC_TPI_RAW	4

/* nc_flag */
#define NC_NOFLAG	0x00
#define NC_VISIBLE	0x01
#define NC_BROADCAST	0x02

/* nc_protofmly */
#define NC_NOPROTOFMLY	"-"
#define NC_LOOPBACK	"loopback"
#define NC_INET		"inet"
#define NC_INET6	"inet6"
#define NC_IMPLINK	"implink"
#define NC_PUP		"pup"
#define NC_CHAOS	"chaos"
#define NC_NS		"ns"
#define NC_NBS		"nbs"
#define NC_ECMA		"ecma"
#define NC_DATAKIT	"datakit"
#define NC_CCITT	"ccitt"
#define NC_SNA		"sna"
#define NC_DECNET	"decnet"
#define NC_DLI		"dli"
#define NC_LAT		"lat"
#define NC_HYLINK	"hylink"
#define NC_APPLETALK	"appletalk"
#define NC_NIT		"nit"
#define NC_IEEE802	"ieee802"
#define NC_OSI		"osi"
#define NC_X25		"x25"
#define NC_OSINET	"osinet"
#define NC_GOSIP	"gosip"

/* nc_proto */
#define NC_NOPROTO	"-"
#define NC_TCP		"tcp"
#define NC_UDP		"udp"
#define NC_ICMP		"icmp"

#ifdef __cplusplus
extern "C" {
#endif

void *setnetconfig(void);
struct netconfig *getnetconfig(void *handle);
struct netconfig *getnetconfigent(const char *netid);
void freenetconfigent(struct netconfig *nc);
int endnetconfig(void *handle);

void *setnetpath(void);
struct netconfig *getnetpath(void *handle);
int endnetpath(void *handle);

void nc_perror(const char *msg);
char *nc_sperror(void);

#ifdef __cplusplus
}
#endif

#endif /* _NETCONFIG_H_ */
