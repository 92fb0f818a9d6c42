// SPDX-License-Identifier: GPL-2.0-only
/* dlpi-library - libdlpi, in the namespace "left" and with "right" behind a veth */
#include <libdlpi.h>
#include <poll.h>

#include "dlpi-links.h"

#define TEST_TYPE	0x88b5

static const unsigned char nobody[6] = { 2, 0, 0, 0, 0, 7 };
static const unsigned char group[6] = { 3, 0, 0, 0, 0, 7 };

static dlpi_handle_t opened(const char *link, unsigned int flags)
{
	dlpi_handle_t dh;
	int err = dlpi_open(link, &dh, flags);

	if (err != DLPI_SUCCESS) {
		printf("%s: %s\n", link, dlpi_strerror(err));
		exit(1);
	}
	return dh;
}

static dlpi_handle_t right_opened(unsigned int flags)
{
	int old = namespace_enter("right");
	dlpi_handle_t dh = opened("veth-right", flags);

	namespace_leave(old);
	return dh;
}

#define OK(call)	IS(call, DLPI_SUCCESS)

static void g_handle(void)
{
	dlpi_handle_t dh;

	IS(dlpi_open("", &dh, 0), DLPI_ELINKNAMEINVAL);
	IS(dlpi_open(NULL, &dh, 0), DLPI_ELINKNAMEINVAL);
	IS(dlpi_open("a-name-much-longer-than-any-link-has", &dh, 0),
	   DLPI_ELINKNAMEINVAL);
	IS(dlpi_open("nothing0", &dh, 0), DLPI_ENOLINK);
	TRUE(!dh);
	IS(dlpi_open("lo", &dh, 0x1000), DLPI_EINVAL);
	IS(dlpi_open("lo", NULL, 0), DLPI_EINVAL);
	OK(dlpi_open("veth-left", &dh, DLPI_PASSIVE));
	TRUE(!strcmp(dlpi_linkname(dh), "veth-left"));
	TRUE(fcntl(dlpi_fd(dh), F_GETFD) & FD_CLOEXEC);
	IS(dlpi_style(dh), DL_STYLE2);
	OK(dlpi_set_timeout(dh, 30));
	dlpi_close(dh);
	IS(dlpi_fd(NULL), -1);
	IS(dlpi_bind(NULL, TEST_TYPE, NULL), DLPI_EINHANDLE);
	IS(dlpi_unbind(NULL), DLPI_EINHANDLE);
	TRUE(!dlpi_linkname(NULL));
	dlpi_close(NULL);
}

static void g_info(void)
{
	dlpi_handle_t dh = opened("veth-left", 0), tun;
	unsigned char addr[DLPI_PHYSADDR_MAX];
	size_t len = sizeof(addr);
	unsigned int sap = 0;
	dlpi_info_t info;

	OK(dlpi_info(dh, &info, 0));
	IS(info.di_state, DL_UNBOUND);
	IS(info.di_max_sdu, 1500);
	IS(info.di_min_sdu, 1);
	IS(info.di_mactype, DL_ETHER);
	IS(info.di_physaddrlen, 0);
	IS(info.di_bcastaddrlen, 6);
	TRUE(!memcmp(info.di_bcastaddr, "\xff\xff\xff\xff\xff\xff", 6));
	IS(info.di_timeout, DLPI_DEF_TIMEOUT);
	TRUE(!strcmp(info.di_linkname, "veth-left"));
	IS(dlpi_info(dh, &info, 1), DLPI_EINVAL);
	OK(dlpi_bind(dh, TEST_TYPE, &sap));
	IS(sap, TEST_TYPE);
	IS(dlpi_bind(dh, TEST_TYPE, NULL), DL_OUTSTATE);
	OK(dlpi_info(dh, &info, 0));
	IS(info.di_state, DL_IDLE);
	IS(info.di_sap, TEST_TYPE);
	IS(info.di_physaddrlen, 6);
	OK(dlpi_get_physaddr(dh, DL_CURR_PHYS_ADDR, addr, &len));
	IS(len, 6);
	TRUE(!memcmp(info.di_physaddr, addr, 6));
	OK(dlpi_unbind(dh));
	IS(dlpi_unbind(dh), DL_OUTSTATE);
	IS(dlpi_bind(dh, 0x43, NULL), DL_BADSAP);
	OK(dlpi_bind(dh, DLPI_ANY_SAP, &sap));
	IS(sap, 0);
	/* The device has no factory address. */
	len = sizeof(addr);
	OK(dlpi_get_physaddr(dh, DL_FACT_PHYS_ADDR, addr, &len));
	IS(len, 0);
	len = 6;
	IS(dlpi_get_physaddr(dh, DL_CURR_PHYS_ADDR, addr, &len), DLPI_EINVAL);
	OK(dlpi_set_physaddr(dh, DL_CURR_PHYS_ADDR, nobody, 6));
	shell("ip link show veth-left | grep -q 02:00:00:00:00:07");
	IS(dlpi_set_physaddr(dh, DL_FACT_PHYS_ADDR, nobody, 6), DLPI_EINVAL);
	IS(dlpi_set_physaddr(dh, DL_CURR_PHYS_ADDR, group, 6), DL_BADADDR);
	dlpi_close(dh);
	if (access("/dev/net/tun", F_OK))
		return;
	shell("ip tuntap add tun0 mode tun && ip link set tun0 up");
	tun = opened("tun0", 0);
	OK(dlpi_bind(tun, DLPI_ANY_SAP, &sap));
	OK(dlpi_info(tun, &info, 0));
	IS(info.di_mactype, DL_OTHER);
	IS(info.di_physaddrlen, 0);
	IS(info.di_bcastaddrlen, 0);
	dlpi_close(tun);
}

/* The result of the last dlpi_recv() */
static unsigned char msg[2000], saddr[DLPI_PHYSADDR_MAX];
static size_t msglen, saddrlen;
static dlpi_recvinfo_t rinfo;

static int recv_for(dlpi_handle_t dh, int msec)
{
	msglen = sizeof(msg);
	saddrlen = sizeof(saddr);
	return dlpi_recv(dh, saddr, &saddrlen, msg, &msglen, msec, &rinfo);
}

static void gets(dlpi_handle_t dh, const char *data)
{
	OK(recv_for(dh, WAIT_LIMIT_MS));
	IS(msglen, strlen(data));
	TRUE(!memcmp(msg, data, strlen(data)));
}

static void g_data(void)
{
	dlpi_handle_t left = opened("veth-left", 0), right = right_opened(0);
	dlpi_sendinfo_t other = { .dsi_sap = 0x88b6 };
	dlpi_info_t here, there;

	IS(dlpi_send(left, nobody, 6, "x", 1, NULL), DL_OUTSTATE);
	IS(recv_for(left, 0), DL_OUTSTATE);
	OK(dlpi_bind(left, TEST_TYPE, NULL));
	OK(dlpi_bind(right, TEST_TYPE, NULL));
	OK(dlpi_info(left, &here, 0));
	OK(dlpi_info(right, &there, 0));
	IS(recv_for(right, 0), DLPI_ETIMEDOUT);
	IS(recv_for(right, 10), DLPI_ETIMEDOUT);
	IS(INTERRUPTED(recv_for(right, -1)), DL_SYSERR);
	TRUE(errno == EINTR);
	OK(dlpi_send(left, there.di_physaddr, 6, "hello", 5, NULL));
	gets(right, "hello");
	IS(saddrlen, 6);
	TRUE(!memcmp(saddr, here.di_physaddr, 6));
	IS(rinfo.dri_destaddrlen, 6);
	TRUE(!memcmp(rinfo.dri_destaddr, there.di_physaddr, 6));
	IS(rinfo.dri_destaddrtype, DLPI_DESTADDR_UNICAST);
	IS(rinfo.dri_totmsglen, 5);
	OK(dlpi_send(right, saddr, saddrlen, "answer", 6, NULL));
	gets(left, "answer");
	/*
	 * One frame has a type other than the bound one; the other is cut to 3
	 * bytes.
	 */
	OK(dlpi_send(left, there.di_physaddr, 6, "lost", 4, &other));
	OK(dlpi_send(left, here.di_bcastaddr, 6, "0123456789", 10, NULL));
	msglen = 3;
	OK(dlpi_recv(right, NULL, NULL, msg, &msglen, WAIT_LIMIT_MS, &rinfo));
	IS(msglen, 3);
	TRUE(!memcmp(msg, "012", 3));
	IS(rinfo.dri_totmsglen, 10);
	IS(rinfo.dri_destaddrtype, DLPI_DESTADDR_GROUP);
	/* A frame that cannot be sent is dropped, and the next one is sent. */
	OK(dlpi_send(right, here.di_physaddr, 5, "bad", 3, NULL));
	OK(dlpi_send(left, there.di_physaddr, 6, "next", 4, NULL));
	gets(right, "next");
	IS(dlpi_send(left, nobody, 6, "", 0, NULL), DLPI_EINVAL);
	IS(dlpi_send(left, nobody, 65, "x", 1, NULL), DLPI_EINVAL);
	saddrlen = 6;
	IS(dlpi_recv(right, saddr, &saddrlen, NULL, NULL, 0, NULL), DLPI_EINVAL);
	shell("ip link del veth-left");
	IS(recv_for(right, WAIT_LIMIT_MS), DL_SYSERR);
	TRUE(errno == ENXIO);
	dlpi_close(left);
	dlpi_close(right);
}

static void g_groups(void)
{
	dlpi_handle_t left = opened("veth-left", 0), right = right_opened(0);
	dlpi_handle_t all = right_opened(0);

	OK(dlpi_bind(left, TEST_TYPE, NULL));
	OK(dlpi_bind(right, TEST_TYPE, NULL));
	OK(dlpi_bind(all, 0x88b6, NULL));
	OK(dlpi_promiscon(all, DL_PROMISC_PHYS));
	OK(dlpi_enabmulti(right, group, 6));
	OK(dlpi_send(left, group, 6, "group", 5, NULL));
	gets(right, "group");
	IS(rinfo.dri_destaddrtype, DLPI_DESTADDR_GROUP);
	gets(all, "group");
	OK(dlpi_send(left, nobody, 6, "nobody", 6, NULL));
	gets(all, "nobody");
	OK(dlpi_disabmulti(right, group, 6));
	IS(dlpi_disabmulti(right, group, 6), DL_NOTENAB);
	IS(dlpi_enabmulti(right, nobody, 6), DL_BADADDR);
	IS(dlpi_enabmulti(right, NULL, 6), DLPI_EINVAL);
	OK(dlpi_promiscoff(all, DL_PROMISC_PHYS));
	IS(dlpi_promiscoff(all, DL_PROMISC_PHYS), DL_NOTENAB);
	IS(dlpi_promiscon(all, 7), DL_UNSUPPORTED);
	dlpi_close(left);
	dlpi_close(right);
	dlpi_close(all);
}

static void g_raw(void)
{
	dlpi_handle_t left = opened("veth-left", 0), right = right_opened(DLPI_RAW);
	dlpi_handle_t native = opened("veth-left", DLPI_NATIVE);
	unsigned char frame[17];

	OK(dlpi_bind(left, TEST_TYPE, NULL));
	OK(dlpi_bind(right, TEST_TYPE, NULL));
	OK(dlpi_send(left, (unsigned char *)"\xff\xff\xff\xff\xff\xff", 6, "all", 3,
		     NULL));
	OK(recv_for(right, WAIT_LIMIT_MS));
	IS(msglen, 17);
	IS(saddrlen, 0);
	TRUE(!memcmp(msg + 14, "all", 3));
	memcpy(frame, msg + 6, 6);
	memcpy(frame + 6, nobody, 6);
	memcpy(frame + 12, "\x88\xb5", 2);
	memcpy(frame + 14, "raw", 3);
	OK(dlpi_send(right, NULL, 0, frame, sizeof(frame), NULL));
	gets(left, "raw");
	TRUE(!memcmp(saddr, nobody, 6));
	dlpi_close(left);
	dlpi_close(right);
	dlpi_close(native);
}

static unsigned int told;
static dlpi_notifyinfo_t told_of;

static void note(dlpi_handle_t dh, dlpi_notifyinfo_t *info, void *arg)
{
	TRUE(arg == &told);
	told |= info->dni_note;
	told_of = *info;
}

/* Notes are reported while there is nothing to receive. */
static int told_of_note(dlpi_handle_t dh, unsigned int want)
{
	IS(recv_for(dh, 1), DLPI_ETIMEDOUT);
	return told == want;
}

static void g_notify(void)
{
	dlpi_handle_t dh = opened("veth-left", 0);
	dlpi_notifyid_t id, sizes;
	void *arg = NULL;

	OK(dlpi_bind(dh, TEST_TYPE, NULL));
	IS(dlpi_enabnotify(dh, 0, note, &told, &id), DLPI_ENOTEINVAL);
	IS(dlpi_enabnotify(dh, 0x8000, note, &told, &id), DLPI_ENOTEINVAL);
	IS(dlpi_enabnotify(dh, DL_NOTE_LINK_UP, NULL, &told, &id), DLPI_EINVAL);
	OK(dlpi_enabnotify(dh, DL_NOTE_LINK_DOWN, note, &told, &id));
	OK(dlpi_enabnotify(dh, DL_NOTE_SDU_SIZE, note, &told, &sizes));
	shell("ip link set veth-left mtu 1400");
	UNTIL(told_of_note(dh, DL_NOTE_SDU_SIZE));
	IS(told_of.dni_size, 1400);
	OK(dlpi_disabnotify(dh, sizes, &arg));
	TRUE(arg == &told);
	IS(dlpi_disabnotify(dh, sizes, NULL), DLPI_ENOTEIDINVAL);
	told = 0;
	shell("ip link set veth-left mtu 1300");
	shell("ip link set veth-left down");
	UNTIL(told_of_note(dh, DL_NOTE_LINK_DOWN));
	dlpi_close(dh);
}

static boolean_t seen(const char *name, void *arg)
{
	if (!strcmp(name, "lo") || !strcmp(name, "veth-left"))
		++*(int *)arg;
	return *(int *)arg == 2 ? B_TRUE : B_FALSE;
}

static void g_names(void)
{
	char name[DLPI_LINKNAME_MAX];
	unsigned int ppa = 0;
	int n = 0;

	dlpi_walk(seen, &n, 0);
	IS(n, 2);
	OK(dlpi_parselink("eth12", name, &ppa));
	TRUE(!strcmp(name, "eth"));
	IS(ppa, 12);
	OK(dlpi_parselink("e1000g0", name, &ppa));
	TRUE(!strcmp(name, "e1000g"));
	IS(ppa, 0);
	IS(dlpi_parselink("lo", name, &ppa), DLPI_ELINKNAMEINVAL);
	IS(dlpi_parselink("12", name, &ppa), DLPI_ELINKNAMEINVAL);
	IS(dlpi_parselink("", name, &ppa), DLPI_ELINKNAMEINVAL);
	OK(dlpi_makelink(name, "eth", 7));
	TRUE(!strcmp(name, "eth7"));
	IS(dlpi_makelink(name, "eth1", 7), DLPI_ELINKNAMEINVAL);
	IS(dlpi_makelink(name, "", 7), DLPI_ELINKNAMEINVAL);
	TRUE(!strcmp(dlpi_strerror(DLPI_SUCCESS), "Success"));
	TRUE(!strcmp(dlpi_strerror(DL_BADPPA), "No such physical point of attachment"));
	for (n = 0; n <= DL_PENDING; n++)
		TRUE(strcmp(dlpi_strerror(n), "Unknown DLPI error"));
	for (n = DLPI_SUCCESS; n < DLPI_ERRMAX; n++)
		TRUE(dlpi_strerror(n) && strcmp(dlpi_strerror(n), "Unknown DLPI error"));
	TRUE(!strcmp(dlpi_strerror(DLPI_ERRMAX), "Unknown DLPI error"));
	TRUE(!strcmp(dlpi_strerror(-1), "Unknown DLPI error"));
	TRUE(!strcmp(dlpi_mactype(DL_ETHER), "Ethernet"));
	TRUE(!strcmp(dlpi_mactype(99), "Unknown MAC Type"));
	IS(dlpi_arptype(DL_ETHER), 1);
	IS(dlpi_iftype(DL_ETHER), 6);
	IS(dlpi_iftype(DL_OTHER), 1);
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "handle", g_handle },
		{ "info", g_info },
		{ "data", g_data },
		{ "groups", g_groups },
		{ "raw", g_raw },
		{ "notify", g_notify },
		{ "names", g_names },
		{ NULL, NULL }
	};

	one_processor();
	return test_main(argc, argv, groups);
}
