// SPDX-License-Identifier: GPL-2.0-only
/* dlpi-frames - frames of all kinds of devices, as they are on the wire */
#include <arpa/inet.h>
#include <linux/capability.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/ethernet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "dlpi-test.h"

#define PART	30000	/* bytes of TCP at a time: their frames fit the buffer */
#define PARTS	10

/*
 * These types of links are in <linux/if_arp.h>, which cannot be included here.
 */
#define LINK_ETHER	1
#define LINK_IP6GRE	823

static const unsigned char broadcast[ADDR_LEN] = "\xff\xff\xff\xff\xff\xff\xb5\x88";

static void go_raw(int fd)
{
	struct strioctl ic = { .ic_cmd = DLIOCRAW };

	IS(ioctl(fd, I_STR, &ic), 0);
	IS(ASK(fd, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
}

/*
 * Returns the sum of IP, TCP and UDP: 0xffff when the checksum in the packet is
 * right.
 */
static unsigned int sum_of(const unsigned char *p, int len, unsigned int sum)
{
	for (; len > 1; len -= 2, p += 2)
		sum += p[0] << 8 | p[1];
	if (len)
		sum += p[0] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/* Returns the bytes of TCP data in the received frame; checks its sums. */
static int tcp_bytes(uint32_t *seq, int *port)
{
	const unsigned char *ip = got.data + 14, *tcp;
	int len, ihl;

	if (got.data[12] != 8 || got.data[13] || ip[9] != IPPROTO_TCP)
		return -1;
	ihl = (ip[0] & 15) * 4;
	len = (ip[2] << 8 | ip[3]) - ihl;
	tcp = ip + ihl;
	TRUE(got.len <= 1514);
	IS(sum_of(ip, ihl, 0), 0xffff);
	IS(sum_of(tcp, len, sum_of(ip + 12, 8, IPPROTO_TCP + len)), 0xffff);
	*seq = (uint32_t)tcp[4] << 24 | tcp[5] << 16 | tcp[6] << 8 | tcp[7];
	*port = tcp[2] << 8 | tcp[3];
	return len - (tcp[12] >> 4) * 4;
}

/* Reads until that many more bytes have been seen on their way to a port. */
static void see_bytes(int fd, int port, int want, uint32_t *next)
{
	while (want > 0) {
		uint32_t seq;
		int to, n;

		IS(dlpi_get(fd), -1);
		n = tcp_bytes(&seq, &to);
		if (n <= 0 || to != port)
			continue;
		/* The retransmitted frames are no more than were received. */
		if (*next && (int32_t)(seq + n - *next) <= 0)
			continue;
		*next = seq + n;
		want -= n;
	}
	IS(want, 0);
}

static int connection(int *server, int *port)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	socklen_t len = sizeof(sin);
	int old = namespace_enter("right"), listener, client;

	listener = socket(AF_INET, SOCK_STREAM, 0);
	sin.sin_addr.s_addr = inet_addr("192.0.2.2");
	TRUE(!bind(listener, (void *)&sin, sizeof(sin)) && !listen(listener, 1));
	TRUE(!getsockname(listener, (void *)&sin, &len));
	namespace_leave(old);
	client = socket(AF_INET, SOCK_STREAM, 0);
	TRUE(!connect(client, (void *)&sin, sizeof(sin)));
	*server = accept(listener, NULL, NULL);
	TRUE(*server >= 0);
	close(listener);
	*port = ntohs(sin.sin_port);
	return client;
}

static void g_segments(void)
{
	int in = right_attached(), out = left_attached(), client, server, port, i;
	int packets = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)), most = 0, n;
	uint32_t next[2] = { 0, 0 };
	static char data[PART];

	go_raw(in);
	go_raw(out);
	client = connection(&server, &port);
	for (i = 0; i < PARTS; i++) {
		memset(data, 'a' + i, sizeof(data));
		IS(send(client, data, sizeof(data), 0), sizeof(data));
		IS(recv(server, data, sizeof(data), MSG_WAITALL),
		   sizeof(data));
		see_bytes(in, port, PART, &next[0]);
		see_bytes(out, port, PART, &next[1]);
	}
	/* A packet socket has seen frames larger than a device can send. */
	while ((n = recv(packets, data, 1, MSG_DONTWAIT | MSG_TRUNC)) > 0)
		most = n > most ? n : most;
	TRUE(most > 1514);
	close(client);
	close(server);
	close(packets);
	close(in);
	close(out);
}

static void g_vlan(void)
{
	int in = right_attached(), out = left_attached(), ind = right_attached();
	int tagged, right, old;

	shell("ip link add link veth-left name v5 type vlan id 5 && ip link set v5 up");
	shell("ip -n right link add link veth-right name v5 type vlan id 5");
	shell("ip -n right link set v5 up");
	await_link("left", "v5");
	await_link("right", "v5");
	tagged = attached_by("v5");
	IS(bind_sap(tagged, TEST_TYPE), DL_BIND_ACK);
	old = namespace_enter("right");
	right = attached_by("v5");
	namespace_leave(old);
	IS(bind_sap(right, TEST_TYPE), DL_BIND_ACK);
	go_raw(in);
	go_raw(out);
	IS(ASK(ind, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	send_to(tagged, broadcast, ADDR_LEN, "tagged", 6);
	IS(dlpi_get(in), -1);
	IS(got.len, 24);
	TRUE(!memcmp(got.data + 12, "\x81\0\0\5\x88\xb5tagged", 12));
	IS(dlpi_get(out), -1);
	IS(got.len, 24);
	TRUE(!memcmp(got.data + 12, "\x81\0\0\5\x88\xb5tagged", 12));
	/* The tag's type is the SAP. */
	IS(dlpi_get(ind), DL_UNITDATA_IND);
	TRUE(!memcmp(got.ctl + got.prim.unitdata_ind.dl_src_addr_offset + 6,
		     "\0\x81", 2));
	TRUE(got.len == 10 && !memcmp(got.data, "\0\5\x88\xb5tagged", 10));
	/* The VLAN's own device has no tag. */
	IS(dlpi_get(right), DL_UNITDATA_IND);
	TRUE(got.len == 6 && !memcmp(got.data, "tagged", 6));
	close(in);
	close(out);
	close(ind);
	close(tagged);
	close(right);
}

/* Sends len bytes from an endpoint to another. */
static void carries(int from, int to, int len)
{
	static unsigned char data[65536];
	unsigned char addr[16];
	int i;

	for (i = 0; i < len; i++)
		data[i] = i * 7 + i / 256;
	bound_addr(to, addr);
	send_to(from, addr, ADDR_LEN, data, len);
	IS(dlpi_get(to), DL_UNITDATA_IND);
	IS(got.len, len);
	TRUE(!memcmp(got.data, data, len));
}

static void g_jumbo(void)
{
	int left, right, lo = attached_by("lo");

	shell("ip link set veth-left mtu 9000 && ip -n right link set veth-right mtu 9000");
	left = left_bound(TEST_TYPE);
	right = right_bound(TEST_TYPE);
	carries(left, right, 9000);
	carries(right, left, 1);
	IS(bind_sap(lo, TEST_TYPE), DL_BIND_ACK);
	carries(lo, lo, 16384);
	carries(lo, lo, 65000);
	close(left);
	close(right);
	close(lo);
}

static void g_bridge(void)
{
	int right = right_bound(TEST_TYPE), bridge;

	shell("ip link add br0 type bridge && ip link set veth-left master br0");
	shell("ip link set br0 up");
	await_link("left", "br0");
	bridge = attached_by("br0");
	IS(bind_sap(bridge, TEST_TYPE), DL_BIND_ACK);
	carries(right, bridge, 100);
	carries(bridge, right, 100);
	close(right);
	close(bridge);
}

static void g_tunnel(void)
{
	struct ifreq ifr = { .ifr_flags = IFF_TUN | IFF_NO_PI, .ifr_name = "tun0" };
	unsigned char packet[28] = { 0x45, 0, 0, 28 }, buf[2000];
	static const unsigned char ip[2] = { 0, 8 };
	int tun = open("/dev/net/tun", O_RDWR), fd;
	t_uscalar_t group[] = { DL_ENABMULTI_REQ, 6, 12 };

	TRUE(tun >= 0 && !ioctl(tun, TUNSETIFF, &ifr));
	shell("ip link set tun0 up");
	await_link("left", "tun0");
	fd = attached_by("tun0");
	IS(bind_sap(fd, 0x42), DLPI_ERROR(DL_BADSAP));
	IS(bind_sap(fd, 0x0800), DL_BIND_ACK);
	IS(ASK(fd, DL_INFO_REQ), DL_INFO_ACK);
	IS(got.prim.info_ack.dl_mac_type, DL_OTHER);
	IS(got.prim.info_ack.dl_addr_length, 2);
	IS(got.prim.info_ack.dl_brdcst_addr_length, 0);
	IS(dlpi_ask_with(fd, group, 3, broadcast, 6),
	   DLPI_ERROR(DL_NOTSUPPORTED));
	IS(ASK(fd, DL_PHYS_ADDR_REQ, DL_CURR_PHYS_ADDR),
	   DLPI_ERROR(DL_NOADDR));
	/* The kernel may send packets of its own. */
	memcpy(packet + 20, "to wire", 8);
	send_to(fd, ip, 2, packet, sizeof(packet));
	do
		TRUE(read(tun, buf, sizeof(buf)) > 0);
	while (memcmp(buf, packet, sizeof(packet)));
	memcpy(packet + 20, "by wire", 8);
	IS(write(tun, packet, sizeof(packet)), sizeof(packet));
	IS(dlpi_get(fd), DL_UNITDATA_IND);
	IS(got.prim.unitdata_ind.dl_src_addr_length, 2);
	TRUE(!memcmp(got.ctl + got.prim.unitdata_ind.dl_src_addr_offset, ip, 2));
	IS(got.len, sizeof(packet));
	TRUE(!memcmp(got.data, packet, sizeof(packet)));
	close(fd);
	close(tun);
}

/*
 * Checks the protocol of a packet that is sent to the tunnel, and its first
 * byte.
 */
static void tunnel_gets(int tun, unsigned int protocol, unsigned char first)
{
	unsigned char buf[2000];

	/* The kernel may send packets of its own. */
	do
		TRUE(read(tun, buf, sizeof(buf)) > 0);
	while (memcmp(buf + 4 + 40, "to wire", 8));
	IS(buf[2] << 8 | buf[3], protocol);
	IS(buf[4], first);
}

static void tunnel_puts(int fd, unsigned char first)
{
	unsigned char packet[48] = { first };

	memcpy(packet + 40, "to wire", 8);
	IS(write(fd, packet, sizeof(packet)), sizeof(packet));
}

static void g_tunnel_raw(void)
{
	struct ifreq ifr = { .ifr_flags = IFF_TUN, .ifr_name = "tun0" };
	int tun = open("/dev/net/tun", O_RDWR), fd;

	TRUE(tun >= 0 && !ioctl(tun, TUNSETIFF, &ifr));
	shell("ip link set tun0 up");
	await_link("left", "tun0");
	fd = raw_attached("tun0");
	tunnel_puts(fd, 0x45);
	tunnel_gets(tun, 0x0800, 0x45);
	tunnel_puts(fd, 0x60);
	tunnel_gets(tun, 0x86dd, 0x60);
	/* A packet that is neither IPv4 nor IPv6, of no SAP, is dropped. */
	tunnel_puts(fd, 0x10);
	IS(get_statistics(fd).dls_stream_tx_dropped, 1);
	IS(bind_sap(fd, TEST_TYPE), DL_BIND_ACK);
	tunnel_puts(fd, 0x11);
	tunnel_gets(tun, TEST_TYPE, 0x11);
	close(fd);
	close(tun);
}

/* The hardware address of a tunnel of GRE over IPv6 has 16 bytes. */
static void g_retyped(void)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI, .ifr_name = "tap0" };
	t_uscalar_t enable[] = { DL_ENABMULTI_REQ, 6, 12 };
	int tap = open("/dev/net/tun", O_RDWR), bound, fd;
	unsigned char addr[16];

	TRUE(tap >= 0 && !ioctl(tap, TUNSETIFF, &ifr));
	fd = attached_by("tap0");
	bound = attached_by("tap0");
	IS(bind_sap(bound, TEST_TYPE), DL_BIND_ACK);
	IS(ASK(bound, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	IS(dlpi_ask_with(bound, enable, 3, broadcast, 6), DL_OK_ACK);
	IS(ioctl(tap, TUNSETLINK, LINK_IP6GRE), 0);
	hung_up(fd);
	hung_up(bound);
	fd = dlpi_fd();
	IS(ASK(fd, DL_ATTACH_REQ, if_nametoindex("tap0")),
	   DLPI_ERROR(DL_BADPPA));
	IS(ioctl(tap, TUNSETLINK, LINK_ETHER), 0);
	IS(ASK(fd, DL_ATTACH_REQ, if_nametoindex("tap0")), DL_OK_ACK);
	IS(bind_sap(fd, TEST_TYPE), DL_BIND_ACK);
	IS(bound_addr(fd, addr), ADDR_LEN);
	close(fd);
	close(tap);
}

/* Runs a function in a child, which exits with 1 if a check fails. */
static void in_child(void (*func)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		func();
		exit(0);
	}
	waitpid(pid, &status, 0);
	IS(status, 0);
}

static void without_privileges(void)
{
	TRUE(!setresuid(65534, 65534, 65534));
	FAILS(open(DLPI_DEVICE, O_RDWR), EPERM);
}

static void loopback_up(void)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	TRUE(s >= 0 && !ioctl(s, SIOCSIFFLAGS, &ifr));
	close(s);
}

/*
 * Root of a user namespace sends in its own network namespace, as with a packet
 * socket.
 */
static void in_own_namespace(void)
{
	int packets, fd;

	TRUE(!setresuid(65534, 65534, 65534));
	TRUE(!unshare(CLONE_NEWUSER));
	FAILS(socket(AF_PACKET, SOCK_RAW, 0), EPERM);
	FAILS(open(DLPI_DEVICE, O_RDWR), EPERM);
	TRUE(!unshare(CLONE_NEWNET));
	packets = socket(AF_PACKET, SOCK_RAW, 0);
	TRUE(packets >= 0);
	close(packets);
	loopback_up();
	fd = attached_by("lo");
	IS(bind_sap(fd, TEST_TYPE), DL_BIND_ACK);
	carries(fd, fd, 100);
	close(fd);
}

static void without_admin(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	t_uscalar_t set[] = { DL_SET_PHYS_ADDR_REQ, 6, 12 };
	struct __user_cap_data_struct caps[2];
	int fd;

	TRUE(!syscall(SYS_capget, &head, caps));
	caps[0].effective &= ~(1U << CAP_NET_ADMIN);
	TRUE(!syscall(SYS_capset, &head, caps));
	fd = left_attached();
	IS(dlpi_ask_with(fd, set, 3, "\2\0\0\0\0\1", 6), DLPI_ERROR(DL_SYSERR));
	IS(got.prim.error_ack.dl_unix_errno, EPERM);
}

static void g_privileges(void)
{
	in_child(without_privileges);
	in_child(in_own_namespace);
	in_child(without_admin);
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "privileges", g_privileges },
		{ "segments", g_segments },
		{ "vlan", g_vlan },
		{ "jumbo", g_jumbo },
		{ "bridge", g_bridge },
		{ "tunnel", g_tunnel },
		{ "tunnel_raw", g_tunnel_raw },
		{ "retyped", g_retyped },
		{ NULL, NULL }
	};

	one_processor();
	return test_main(argc, argv, groups);
}
