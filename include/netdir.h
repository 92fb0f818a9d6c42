/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * netdir.h - names of hosts and services to addresses of transports, and back
 *
 * The functions are libxti's. See netdir(3).
 */
#ifndef _NETDIR_H
#define _NETDIR_H

#include <netconfig.h>

struct netbuf;			/* <xti.h> or <tiuser.h> has it */

struct nd_hostserv {
	char *h_host;
	char *h_serv;
};

struct nd_hostservlist {
	int h_cnt;
	struct nd_hostserv *h_hostservs;
};

struct nd_addrlist {
	int n_cnt;
	struct netbuf *n_addrs;
};

/* Argument of ND_MERGEADDR */
struct nd_mergearg {
	char *s_uaddr;		/* the server's universal address */
	char *c_uaddr;		/* the client's */
	char *m_uaddr;		/* result: the server's as the client reaches it */
};

/* h_host: not names of hosts, but these */
#define HOST_SELF		"\\1"	/* this host */
#define HOST_ANY		"\\2"	/* any of its addresses, for t_bind() */
#define HOST_BROADCAST		"\\3"	/* all hosts of the network */
#define HOST_SELF_CONNECT	"\\4"	/* this host, for t_connect() */

/* netdir_free() */
#define ND_HOSTSERV		0
#define ND_HOSTSERVLIST		1
#define ND_ADDR			2
#define ND_ADDRLIST		3

/* netdir_options() */
#define ND_SET_BROADCAST	1	/* no argument */
#define ND_SET_RESERVEDPORT	2	/* struct netbuf *, or NULL */
#define ND_CHECK_RESERVEDPORT	3	/* struct netbuf * */
#define ND_MERGEADDR		4	/* struct nd_mergearg * */

/* Results, and _nderror */
#define ND_BADARG		(-2)	/* an argument is wrong */
#define ND_NOMEM		(-1)	/* memory is short */
#define ND_OK			0
#define ND_NOHOST		1	/* no such host */
#define ND_NOSERV		2	/* no such service */
#define ND_NOSYM		3	/* no lookup for this family of protocols */
#define ND_OPEN			4	/* not used here */
#define ND_ACCESS		5	/* no permission */
#define ND_UKNWN		6	/* not a known option */
#define ND_NOCTRL		7	/* not an option of this transport */
#define ND_FAILCTRL		8	/* the option failed */
#define ND_SYSTEM		9	/* see errno */

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the error of the calling thread. */
int *_nd_error(void);
#define _nderror		(*_nd_error())

int netdir_getbyname(struct netconfig *nc, struct nd_hostserv *service,
		     struct nd_addrlist **addrs);
int netdir_getbyaddr(struct netconfig *nc, struct nd_hostservlist **services,
		     struct netbuf *addr);
void netdir_free(void *ptr, int type);
int netdir_options(struct netconfig *nc, int option, int fd, char *arg);
char *taddr2uaddr(const struct netconfig *nc, const struct netbuf *addr);
struct netbuf *uaddr2taddr(const struct netconfig *nc, const char *uaddr);
void netdir_perror(const char *msg);
char *netdir_sperror(void);

#ifdef __cplusplus
}
#endif

#endif /* _NETDIR_H */
