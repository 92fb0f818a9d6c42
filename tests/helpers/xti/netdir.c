// SPDX-License-Identifier: GPL-2.0-only
/* netdir.c - netdir(3): names of hosts and services, universal addresses, options */
#include "xti-test.h"

#include <arpa/inet.h>
#include <netdir.h>
#include <netinet/in.h>
#include <sys/un.h>

static char inet[] = NC_INET, inet6[] = NC_INET6, loopback[] = NC_LOOPBACK, osi[] = NC_OSI;
static char tcp_name[] = NC_TCP, udp_name[] = NC_UDP, none[] = "-";

#define TRANSPORT(family, protocol, semantics, device) {		\
	.nc_semantics = (semantics), .nc_protofmly = (family),		\
	.nc_proto = (protocol), .nc_device = (device),			\
}

static struct netconfig tcp =
	TRANSPORT(inet, tcp_name, NC_TPI_COTS_ORD, "/dev/streams/tcp");
static struct netconfig udp = TRANSPORT(inet, udp_name, NC_TPI_CLTS, "/dev/streams/udp");
static struct netconfig udp6 = TRANSPORT(inet6, udp_name, NC_TPI_CLTS, "/dev/streams/udp6");
static struct netconfig sctp = TRANSPORT(inet, "sctp", NC_TPI_COTS_ORD, "/dev/streams/sctp");
static struct netconfig rawip = TRANSPORT(inet, none, NC_TPI_RAW, "/dev/streams/rawip");
static struct netconfig ticlts = TRANSPORT(loopback, none, NC_TPI_CLTS, "/dev/streams/ticlts");
static struct netconfig ticots = TRANSPORT(loopback, none, NC_TPI_COTS, "/dev/streams/ticots");
static struct netconfig local = TRANSPORT(loopback, none, NC_TPI_COTS_ORD, none);
static struct netconfig other = TRANSPORT(osi, none, NC_TPI_COTS, "/dev/nowhere");

/* Checks a result, which _nderror has too. */
#define GIVES(expr, value) do {						\
	int gives_want = (value), gives_got = (expr);			\
									\
	IS(gives_got, gives_want);					\
	IS(_nderror, gives_want);					\
} while (0)

#define SAME(text, want) do {						\
	const char *same_got = (text);					\
									\
	if (!same_got || strcmp(same_got, want))			\
		test_fail(__FILE__, __LINE__, "\"%s\", not \"%s\"",	\
			  same_got ? same_got : "(none)", want);	\
} while (0)

static struct nd_addrlist *found(struct netconfig *nc, char *host, char *service)
{
	struct nd_hostserv names = { host, service };
	struct nd_addrlist *list = NULL;

	GIVES(netdir_getbyname(nc, &names, &list), ND_OK);
	TRUE(list && list->n_cnt > 0);
	return list;
}

/* Checks that the first address found has this universal address. */
static void is_at(struct netconfig *nc, char *host, char *service, const char *uaddr)
{
	struct nd_addrlist *list = found(nc, host, service);
	char *text = taddr2uaddr(nc, &list->n_addrs[0]);

	SAME(text, uaddr);
	free(text);
	netdir_free(list, ND_ADDRLIST);
}

static void is_nowhere(struct netconfig *nc, char *host, char *service, int result)
{
	struct nd_hostserv names = { host, service };
	struct nd_addrlist *list = NULL;

	GIVES(netdir_getbyname(nc, &names, &list), result);
	TRUE(!list);
}

static void run_names(void)
{
	is_at(&tcp, "127.0.0.1", "domain", "127.0.0.1.0.53");
	is_at(&udp, "localhost", "53", "127.0.0.1.0.53");
	is_at(&udp, "192.0.2.1", "65535", "192.0.2.1.255.255");
	is_at(&udp6, "2001:db8::1", "domain", "2001:db8::1.0.53");
	is_at(&tcp, "127.0.0.1", "rpcbind", "127.0.0.1.0.111");
	/* Services of SCTP are looked up as tcp's. */
	is_at(&sctp, "127.0.0.1", "domain", "127.0.0.1.0.53");
	is_at(&rawip, "127.0.0.1", NULL, "127.0.0.1.0.0");
	is_at(&tcp, "127.0.0.1", "", "127.0.0.1.0.0");
	is_nowhere(&tcp, "127.0.0.1", "no-such-service", ND_NOSERV);
	is_nowhere(&tcp, "127.0.0.1", "65536", ND_NOSERV);
	is_nowhere(&tcp, "127.0.0.1", "53x", ND_NOSERV);
	is_nowhere(&rawip, "127.0.0.1", "domain", ND_NOSERV);
	is_nowhere(&tcp, "256.0.0.1", "53", ND_NOHOST);
	is_nowhere(&tcp, "2001:db8::1", "53", ND_NOHOST);
	is_nowhere(&other, "127.0.0.1", "53", ND_NOSYM);
	is_nowhere(&local, "localhost", "53", ND_NOSYM);
}

static void run_special(void)
{
	struct nd_addrlist *list;
	struct sockaddr_in sin;
	int i;

	is_at(&tcp, HOST_SELF, "domain", "0.0.0.0.0.53");
	is_at(&udp, HOST_ANY, "domain", "0.0.0.0.0.53");
	is_at(&tcp, HOST_SELF_CONNECT, "domain", "127.0.0.1.0.53");
	is_at(&udp6, HOST_SELF, "domain", "::.0.53");
	is_at(&udp6, HOST_SELF_CONNECT, "domain", "::1.0.53");
	/* Only datagrams reach all hosts. */
	is_nowhere(&tcp, HOST_BROADCAST, "domain", ND_NOHOST);
	list = found(&udp, HOST_BROADCAST, "domain");
	for (i = 0; i < list->n_cnt; i++) {
		IS(list->n_addrs[i].len, sizeof(sin));
		memcpy(&sin, list->n_addrs[i].buf, sizeof(sin));
		IS(sin.sin_family, AF_INET);
		IS(ntohs(sin.sin_port), 53);
		TRUE(ntohl(sin.sin_addr.s_addr) & 1);
		TRUE(sin.sin_addr.s_addr != htonl(INADDR_LOOPBACK));
	}
	netdir_free(list, ND_ADDRLIST);
}

static void run_loopback(void)
{
	char name[256] = "", *text;
	struct nd_addrlist *list = found(&ticots, HOST_SELF, "echo");
	struct nd_hostservlist *names;

	/* The address is the name itself, as t_bind() takes it. */
	IS(list->n_cnt, 1);
	IS(list->n_addrs[0].len, 4);
	IS(memcmp(list->n_addrs[0].buf, "echo", 4), 0);
	IS(gethostname(name, sizeof(name) - 1), 0);
	GIVES(netdir_getbyaddr(&ticots, &names, &list->n_addrs[0]), ND_OK);
	IS(names->h_cnt, 1);
	SAME(names->h_hostservs[0].h_host, name);
	SAME(names->h_hostservs[0].h_serv, "echo");
	netdir_free(names, ND_HOSTSERVLIST);
	netdir_free(list, ND_ADDRLIST);
	is_at(&ticlts, name, "echo", "echo");
	is_at(&ticlts, "localhost", "echo", "echo");
	is_at(&ticlts, HOST_ANY, "echo", "echo");
	is_at(&ticlts, HOST_SELF_CONNECT, "echo", "echo");
	/* Without a service t_bind() chooses the port. */
	is_at(&ticlts, HOST_SELF, NULL, "");
	is_nowhere(&ticlts, HOST_BROADCAST, "echo", ND_NOHOST);
	is_nowhere(&ticlts, "elsewhere.invalid", "echo", ND_NOHOST);
	text = malloc(130);
	memset(text, 'x', 129);
	text[129] = '\0';
	is_nowhere(&ticlts, HOST_SELF, text, ND_NOSERV);
	free(text);
}

static void run_addresses(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct netbuf addr = NETBUF(&sin, sizeof(sin));
	struct nd_hostservlist *names;
	char name[256] = "";

	addr.maxlen = sizeof(sin);
	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	sin.sin_port = htons(53);
	GIVES(netdir_getbyaddr(&tcp, &names, &addr), ND_OK);
	SAME(names->h_hostservs[0].h_host, "localhost");
	SAME(names->h_hostservs[0].h_serv, "domain");
	netdir_free(names, ND_HOSTSERVLIST);
	/*
	 * A port without a name is reported by number, and the wildcard as this
	 * host.
	 */
	sin.sin_addr.s_addr = htonl(INADDR_ANY);
	sin.sin_port = htons(60001);
	GIVES(netdir_getbyaddr(&udp, &names, &addr), ND_OK);
	IS(gethostname(name, sizeof(name) - 1), 0);
	SAME(names->h_hostservs[0].h_host, name);
	SAME(names->h_hostservs[0].h_serv, "60001");
	netdir_free(names, ND_HOSTSERVLIST);
	names = NULL;
	addr.len = sizeof(sin) - 1;
	GIVES(netdir_getbyaddr(&udp, &names, &addr), ND_BADARG);
	addr.len = sizeof(sin);
	GIVES(netdir_getbyaddr(&udp6, &names, &addr), ND_BADARG);
	GIVES(netdir_getbyaddr(&other, &names, &addr), ND_NOSYM);
	GIVES(netdir_getbyaddr(&local, &names, &addr), ND_NOSYM);
	GIVES(netdir_getbyaddr(&udp, &names, NULL), ND_BADARG);
	TRUE(!names);
}

static void round_trip(struct netconfig *nc, const char *uaddr)
{
	struct netbuf *addr = uaddr2taddr(nc, uaddr);
	char *text;

	if (!addr)
		test_fail(__FILE__, __LINE__, "\"%s\": %s", uaddr, netdir_sperror());
	text = taddr2uaddr(nc, addr);
	SAME(text, uaddr);
	free(text);
	netdir_free(addr, ND_ADDR);
}

static void not_text(struct netconfig *nc, const char *uaddr)
{
	TRUE(!uaddr2taddr(nc, uaddr));
	IS(_nderror, ND_BADARG);
}

static void run_universal(void)
{
	struct netbuf bytes = NETBUF((char []){ "a\\ \0\377" }, 5), *addr;
	char *text = taddr2uaddr(&ticots, &bytes);

	SAME(text, "a\\\\\\040\\000\\377");
	addr = uaddr2taddr(&ticots, text);
	TRUE(addr);
	IS(addr->len, 5);
	IS(memcmp(addr->buf, bytes.buf, 5), 0);
	netdir_free(addr, ND_ADDR);
	free(text);
	round_trip(&tcp, "192.0.2.1.3.255");
	round_trip(&udp6, "2001:db8::1.255.0");
	round_trip(&udp6, "fe80::1%lo.0.7");
	round_trip(&ticlts, "echo.server");
	round_trip(&local, "/run/rpcbind.sock");
	not_text(&tcp, "192.0.2.1");
	not_text(&tcp, "192.0.2.1.0.256");
	not_text(&tcp, "192.0.2.1.0.");
	not_text(&tcp, "localhost.0.1");
	not_text(&tcp, "");
	not_text(&udp6, "192.0.2.1.0.1");
	not_text(&ticots, "\\40");
	not_text(&ticots, "\\400");
	not_text(&ticots, "\\-01");
	TRUE(!uaddr2taddr(&other, "1") && _nderror == ND_NOSYM);
	TRUE(!taddr2uaddr(&other, &bytes) && _nderror == ND_NOSYM);
	TRUE(!taddr2uaddr(&tcp, &bytes) && _nderror == ND_BADARG);
	TRUE(!taddr2uaddr(NULL, &bytes) && _nderror == ND_BADARG);
}

static void reserved(const char *uaddr, int result)
{
	struct netbuf *addr = uaddr2taddr(&udp, uaddr);

	GIVES(netdir_options(&udp, ND_CHECK_RESERVEDPORT, -1, (char *)addr), result);
	netdir_free(addr, ND_ADDR);
}

static void merged(struct netconfig *nc, char *server, char *client, const char *want)
{
	struct nd_mergearg arg = { .s_uaddr = server, .c_uaddr = client };

	GIVES(netdir_options(nc, ND_MERGEADDR, -1, (char *)&arg), ND_OK);
	SAME(arg.m_uaddr, want);
	free(arg.m_uaddr);
}

static void run_options(void)
{
	struct nd_mergearg arg = { .s_uaddr = "0.0.0.0.0.1", .c_uaddr = "nowhere" };

	reserved("127.0.0.1.3.255", ND_OK);
	reserved("127.0.0.1.4.0", ND_FAILCTRL);
	GIVES(netdir_options(&udp, ND_CHECK_RESERVEDPORT, -1, NULL), ND_BADARG);
	merged(&udp, "0.0.0.0.1.2", "127.0.0.1.0.7", "127.0.0.1.1.2");
	merged(&tcp, "192.0.2.1.1.2", "127.0.0.1.0.7", "192.0.2.1.1.2");
	merged(&ticots, "echo", "client", "echo");
	GIVES(netdir_options(&udp, ND_MERGEADDR, -1, (char *)&arg), ND_BADARG);
	GIVES(netdir_options(&udp, ND_MERGEADDR, -1, NULL), ND_BADARG);
	GIVES(netdir_options(&tcp, ND_SET_BROADCAST, -1, NULL), ND_NOCTRL);
	GIVES(netdir_options(&udp6, ND_SET_BROADCAST, -1, NULL), ND_NOCTRL);
	GIVES(netdir_options(&ticlts, ND_SET_BROADCAST, -1, NULL), ND_NOCTRL);
	GIVES(netdir_options(&ticlts, ND_SET_RESERVEDPORT, -1, NULL), ND_NOCTRL);
	/* The descriptor is not an endpoint. */
	GIVES(netdir_options(&udp, ND_SET_BROADCAST, -1, NULL), ND_FAILCTRL);
	GIVES(netdir_options(&udp, ND_SET_RESERVEDPORT, -1, NULL), ND_FAILCTRL);
	GIVES(netdir_options(&udp, 0, -1, NULL), ND_UKNWN);
	GIVES(netdir_options(&udp, 5, -1, NULL), ND_UKNWN);
	GIVES(netdir_options(&other, ND_SET_BROADCAST, -1, NULL), ND_NOSYM);
	GIVES(netdir_options(NULL, ND_SET_BROADCAST, -1, NULL), ND_BADARG);
}

static void run_errors(void)
{
	static const int results[] = {
		ND_BADARG, ND_NOMEM, ND_OK, ND_NOHOST, ND_NOSERV, ND_NOSYM, ND_OPEN,
		ND_ACCESS, ND_UKNWN, ND_NOCTRL, ND_FAILCTRL,
	};
	struct nd_addrlist *list;
	struct nd_hostserv names = { NULL, "domain" };
	struct nd_hostserv *pair = malloc(sizeof(*pair));
	const char *text;
	unsigned int i;
	int kept;

	for (i = 0; i < COUNT(results); i++) {
		_nderror = results[i];
		TRUE(strlen(netdir_sperror()) > 7 && !strstr(netdir_sperror(), "Unknown error"));
	}
	_nderror = ND_SYSTEM;
	errno = EMFILE;
	text = netdir_sperror();
	kept = errno;
	SAME(text, "System error: Too many open files");
	IS(kept, EMFILE);
	_nderror = 77;
	SAME(netdir_sperror(), "Unknown error 77");
	_nderror = ND_NOHOST;
	netdir_perror("somewhere");
	netdir_perror(NULL);
	GIVES(netdir_getbyname(NULL, &names, &list), ND_BADARG);
	GIVES(netdir_getbyname(&tcp, &names, &list), ND_BADARG);
	GIVES(netdir_getbyname(&tcp, NULL, &list), ND_BADARG);
	names.h_host = HOST_SELF;
	GIVES(netdir_getbyname(&tcp, &names, NULL), ND_BADARG);
	netdir_free(NULL, ND_ADDRLIST);
	*pair = (struct nd_hostserv){ strdup("host"), strdup("service") };
	netdir_free(pair, ND_HOSTSERV);
}

/* A server and its client find each other by names. */
static void met(struct netconfig *nc, char *service)
{
	struct nd_addrlist *at = found(nc, HOST_SELF, service);
	struct nd_addrlist *to = found(nc, HOST_SELF_CONNECT, service);
	struct t_bind bind = { .addr = at->n_addrs[0], .qlen = 1 };
	struct t_call call = { .addr = to->n_addrs[0] }, *got;
	int server = t_open(nc->nc_device, O_RDWR, NULL);
	int client = t_open(nc->nc_device, O_RDWR | O_NONBLOCK, NULL);

	TIS(t_bind(server, &bind, NULL), 0);
	TIS(t_bind(client, NULL, NULL), 0);
	TFAILS(t_connect(client, &call, NULL), TNODATA);
	got = t_alloc(server, T_CALL, T_ALL);
	TIS(t_listen(server, got), 0);
	TIS(t_accept(server, server, got), 0);
	IS(fcntl(client, F_SETFL, 0), 0);
	TIS(t_rcvconnect(client, NULL), 0);
	TIS(t_free(got, T_CALL), 0);
	TIS(t_close(client), 0);
	TIS(t_close(server), 0);
	netdir_free(at, ND_ADDRLIST);
	netdir_free(to, ND_ADDRLIST);
}

static void run_connections(void)
{
	met(&tcp, "21007");
	met(&ticots, "netdir.test");
}

static void run_endpoints(void)
{
	struct sockaddr_in sin = { };
	struct t_bind bound = { .addr = NETBUF(&sin, 0) }, peer = { };
	struct netbuf *self = uaddr2taddr(&udp, "127.0.0.1.0.0");
	int fd = t_open(udp.nc_device, O_RDWR, NULL);
	struct t_unitdata u = { .udata = NETBUF("x", 1) };
	struct nd_addrlist *all = found(&udp, HOST_BROADCAST, "21009");

	bound.addr.maxlen = sizeof(sin);
	TRUE(fd >= 0);
	GIVES(netdir_options(&udp, ND_SET_BROADCAST, fd, NULL), ND_OK);
	GIVES(netdir_options(&udp, ND_SET_RESERVEDPORT, fd, (char *)self), ND_OK);
	TIS(t_getprotaddr(fd, &bound, &peer), 0);
	IS(sin.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
	TRUE(ntohs(sin.sin_port) >= 512 && ntohs(sin.sin_port) < 1024);
	/* The port is bound. */
	GIVES(netdir_options(&udp, ND_SET_RESERVEDPORT, fd, NULL), ND_FAILCTRL);
	u.addr = all->n_addrs[0];
	TIS(t_sndudata(fd, &u), 0);
	TIS(t_close(fd), 0);
	IS(seteuid(65534), 0);
	fd = t_open(udp.nc_device, O_RDWR, NULL);
	TRUE(fd >= 0);
	GIVES(netdir_options(&udp, ND_SET_RESERVEDPORT, fd, NULL), ND_ACCESS);
	TIS(t_close(fd), 0);
	IS(seteuid(0), 0);
	netdir_free(self, ND_ADDR);
	netdir_free(all, ND_ADDRLIST);
}

static const struct test_case cases[] = {
	{ "names", run_names },
	{ "special", run_special },
	{ "loopback", run_loopback },
	{ "addresses", run_addresses },
	{ "universal", run_universal },
	{ "options", run_options },
	{ "errors", run_errors },
	{ "connections", run_connections },
	{ "endpoints", run_endpoints },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
