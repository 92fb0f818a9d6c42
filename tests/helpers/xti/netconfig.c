// SPDX-License-Identifier: GPL-2.0-only
/*
 * netconfig.c - entries that libtirpc's netconfig(5) functions find are
 * providers of XTI
 */
#include "xti-test.h"

#if __has_include("netconfig.h")
#include <netconfig.h>

static const char *const names[] = {
	"udp", "udp6", "tcp", "tcp6", "rawip", "rawip6", "udp_s", "sctp", "sctp6", "ticlts",
	"ticots", "ticotsord",
};

/* Returns netconfig's number for XTI's type of service. */
static int servtype(const struct netconfig *nc)
{
	switch (nc->nc_semantics) {
	case NC_TPI_CLTS:
	case NC_TPI_RAW:
		return T_CLTS;
	case NC_TPI_COTS:
		return T_COTS;
	case NC_TPI_COTS_ORD:
		return T_COTS_ORD;
	default:
		return -1;
	}
}

/*
 * Returns false if the transport cannot be opened: a kernel need not have SCTP.
 */
static bool opens(const struct netconfig *nc)
{
	struct t_info info;
	int fd = t_open(nc->nc_device, O_RDWR, &info);

	if (fd < 0 && !strncmp(nc->nc_netid, "sctp", 4) && t_errno == TSYSERR &&
	    (errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT))
		return false;
	if (fd < 0)
		test_fail(__FILE__, __LINE__, "%s: t_open(\"%s\"): %s (%s)", nc->nc_netid,
			  nc->nc_device, t_strerror(t_errno), strerror(errno));
	IS(info.servtype, servtype(nc));
	TIS(t_bind(fd, NULL, NULL), 0);
	TIS(t_close(fd), 0);
	return true;
}

/* Each line of the file is found, and its device is of the kind it states. */
static void run_entries(void)
{
	void *handle = setnetconfig();
	struct netconfig *nc, *same;
	unsigned int found = 0, opened = 0;

	TRUE(handle);
	while ((nc = getnetconfig(handle))) {
		TRUE(found < COUNT(names));
		TRUE(!strcmp(nc->nc_netid, names[found]));
		found++;
		same = getnetconfigent(nc->nc_netid);
		TRUE(same);
		TRUE(!strcmp(same->nc_device, nc->nc_device));
		IS(same->nc_semantics, nc->nc_semantics);
		IS(same->nc_nlookups, 0);
		freenetconfigent(same);
		opened += opens(nc);
	}
	IS(found, COUNT(names));
	TRUE(opened >= found - 2);
	IS(endnetconfig(handle), 0);
	TRUE(!getnetconfigent("nosuch"));
}

/*
 * The caller chooses the transports in NETPATH, in its order; without NETPATH
 * it gets the visible ones (v).
 */
static void run_netpath(void)
{
	static const char *const chosen[] = { "ticotsord", "udp" };
	static const char *const visible[] = { "udp", "udp6", "tcp", "tcp6" };
	const char *const *want;
	struct netconfig *nc;
	void *handle;
	int i, n, count;

	for (i = 0; i < 2; i++) {
		want = i ? chosen : visible;
		count = i ? COUNT(chosen) : COUNT(visible);
		if (i)
			setenv(NETPATH, "ticotsord:nosuch:udp", 1);
		else
			unsetenv(NETPATH);
		handle = setnetpath();
		TRUE(handle);
		for (n = 0; (nc = getnetpath(handle)); n++) {
			TRUE(n < count && !strcmp(nc->nc_netid, want[n]));
			TRUE(opens(nc));
		}
		IS(n, count);
		IS(endnetpath(handle), 0);
	}
}

static const struct test_case cases[] = {
	{ "entries", run_entries }, { "netpath", run_netpath },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
#else
/* The test that runs the program lists the cases that it skips. */
int main(void)
{
	printf("built without libtirpc\n");
	return 77;
}
#endif
