// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp-direct.c - datagrams of a host to itself, while obstacles on their way
 * come and go
 *
 * Runs in a network namespace of its own, as root. Whether STREAMS sockets met
 * without IP in each phase is written to the file $UDP_DIRECT_REPORT, since
 * nothing else may depend on it.
 */
#include "udp-same.h"

#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>

#include "missing.h"

#ifndef IPV6_AUTOFLOWLABEL
#define IPV6_AUTOFLOWLABEL	70
#endif

#define DATAGRAMS	64	/* of each phase */
/* Mounts a file system of this namespace's devices, which the test reads. */
#define STEER(processors) \
	"unshare -m sh -c 'mount -t sysfs sysfs /sys && " \
	"echo " #processors " >/sys/class/net/lo/queues/rx-0/rps_cpus'"

static int a, b;
static struct sockaddr_in to;

/* Sets an option of IPv4, or of IPv6, by its names there. */
static int set_ip(int fd, int name, int name6, int value)
{
	return spelling == AS_INET6 ? set_int(fd, SOL_IPV6, name6, value) :
				      set_int(fd, SOL_IP, name, value);
}

static unsigned long met_directly(void)
{
	FILE *f = fopen("/proc/streams/counters", "r");
	unsigned long n = 0;
	char line[100];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "udp_direct %lu", &n) == 1)
			break;
	if (f)
		fclose(f);
	return n;
}

static void report(const char *phase, const char *how)
{
	const char *path = getenv("UDP_DIRECT_REPORT");
	FILE *f = path ? fopen(path, "a") : NULL;

	if (!f)
		return;
	fprintf(f, "%s: %s\n", phase, how);
	fclose(f);
}

static void run(const char *command)
{
	char own[500];

	family_command(own, sizeof(own), command);
	printf("%s\n", own);
	fflush(stdout);
	TRUE(system(own) == 0);
}

/* A work item of IPv6 adds the route to an address. */
#define ROUTE_ADDED \
	"until ip {-6} route show table local | grep -q '{@}'; do sleep 0.01; done"

/* Sends datagrams, each read before the next. Returns how many were correct. */
static int pass(size_t len)
{
	int i, good = 0;
	char got[4096];

	for (i = 0; i < DATAGRAMS; i++) {
		memset(buf, 'a' + i % 26, len);
		if (send_in(a, buf, len, to) != (ssize_t)len)
			continue;
		if (poll_of(b, POLLIN, 2000) & POLLIN &&
		    recv(b, got, sizeof(got), 0) == (ssize_t)len &&
		    !memcmp(got, buf, len))
			good++;
	}
	return good;
}

static void phase(const char *name)
{
	unsigned long before = met_directly();

	printf("%s: %d datagrams right\n", name, pass(100));
	report(name, met_directly() != before ? "directly" : "through IP");
}

static void pair(void)
{
	a = sock_a();
	b = sock_b();
	to = bind_local(b);
	bind_local(a);
}

static void netns(void)
{
	TRUE(!unshare(CLONE_NEWNET));
	run("ip link set lo up");
}

static void begin(void)
{
	netns();
	pair();
	phase("at first");
}

/* Prints the lines of a file about IP, UDP and the loopback device. */
static void show(const char *path, const char *match, const char *but)
{
	FILE *f = fopen(path, "r");
	char line[2000];

	TRUE(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, match) && (!but || !strstr(line, but)))
			fputs(line, stdout);
	fclose(f);
}

static void show_counters(void)
{
	if (spelling == AS_INET6) {
		/* Others are of routers that are searched for. */
		show("/proc/net/snmp6", "Ip6", "Mcast");
		show("/proc/net/snmp6", "Udp6", NULL);
		show("/proc/net/dev_snmp6/lo", "Ip6", NULL);
	} else {
		show("/proc/net/snmp", "Ip: ", NULL);
		show("/proc/net/snmp", "Udp: ", NULL);
	}
}

static void run_counters(void)
{
	static const size_t sizes[] = { 0, 1, 1000, 4000 };
	unsigned int i;

	begin();
	for (i = 0; i < COUNT(sizes); i++)
		SAY(pass(sizes[i]));
	SAY(set_ip(a, IP_TOS, IPV6_TCLASS, 0x11));
	phase("marked for congestion control");
	SAY(connect_in(a, to));
	for (i = 0; i < DATAGRAMS; i++)
		TRUE(send(a, buf, 10, 0) == 10 &&
		     recv(b, buf, 100, 0) == 10);
	show_counters();
	show("/proc/net/netstat", "IpExt: ", NULL);
	show("/proc/net/dev", "lo:", NULL);
}

/*
 * The errors of a datagram are found in the kernel's order: its destination,
 * then its data; and the next datagram finds its receiver again.
 */
static void run_refused(void)
{
	static const in_addr_t hosts[] = {
		INADDR_LOOPBACK, 0x7fffffff, 0xc0000201, INADDR_LOOPBACK,
	};
	struct sockaddr_in bad;
	unsigned int i;

	begin();
	for (i = 0; i < COUNT(hosts); i++) {
		bad = inet(hosts[i], ntohs(to.sin_port));
		printf("%#x\n", hosts[i]);
		SAY(send_in(a, (void *)16, 1000, bad));
		SAY(send_in(a, (void *)16, 65508, bad));
		SAY(send_in(a, (void *)16, 0, bad));
	}
	show_counters();
	while (poll_of(b, POLLIN, 0) & POLLIN)
		SAY(recv(b, buf, 100, 0));
	phase("whole again");
}

/* A socket with a closer match takes over, and gives back. */
static void run_rebind(void)
{
	struct sockaddr_in any = inet(INADDR_ANY, 0);
	int other;

	netns();
	other = sock_of(0);
	a = sock_a();
	b = sock_b();
	set_int(b, SOL_SOCKET, SO_REUSEADDR, 1);
	set_int(other, SOL_SOCKET, SO_REUSEADDR, 1);
	TRUE(!bind_in(b, any));
	to = name_of(b);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind_local(a);
	phase("bound to any address");
	SAY(bind_in(other, to));
	SAY(send_in(a, "closer", 6, to));
	settle(other);
	SAY(recv(other, buf, 100, MSG_DONTWAIT));
	SAY(recv(b, buf, 100, MSG_DONTWAIT));
	close(other);
	phase("closed again");
	SAY(connect_in(b, nobody()));
	SAY(send_in(a, "stranger", 8, to));
	SAY(poll_of(b, POLLIN, 100));
	SAY(connect_in(b, name_of(a)));
	to.sin_addr.s_addr = name_of(b).sin_addr.s_addr;
	phase("connected to the sender");
	close(b);
	b = sock_b();
	TRUE(!bind_in(b, to));
	phase("another in its place");
	close(b);
	SAY(connect_in(a, to));
	SAY(send(a, "nobody", 6, 0));
	SAY(poll_of(a, POLLIN, 2000) & POLLIN);
	SAY(recv(a, buf, 100, MSG_DONTWAIT));
}

static void run_routes(void)
{
	bool inet6 = spelling == AS_INET6;

	begin();
	run("ip addr add {@}10.9.9.9/{len} dev lo && " ROUTE_ADDED);
	to.sin_addr.s_addr = htonl(0x0a090909);
	close(b);
	b = sock_b();
	TRUE(!bind_in(b, to));
	phase("an address of the host");
	run("ip addr del {@}10.9.9.9/{len} dev lo");
	SAY(send_in(a, "gone", 4, to));
	SAY(poll_of(b, POLLIN, 100));
	run("ip addr add {@}10.9.9.9/{len} dev lo && " ROUTE_ADDED);
	phase("back again");
	run("ip link set lo down");
	SAY(send_in(a, "down", 4, to));
	SAY(poll_of(b, POLLIN, 100));
	run("ip link set lo up");
	if (inet6)
		run("ip addr add {@}10.9.9.9/{len} dev lo && " ROUTE_ADDED);
	phase("up again");
	run(inet6 ? "ip link set lo mtu 1280" : "ip link set lo mtu 600");
	SAY(pass(2000));
	SAY(set_ip(a, IP_MTU_DISCOVER, IPV6_MTU_DISCOVER, IP_PMTUDISC_DO));
	SAY(send_in(a, buf, 2000, to));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	phase("that fit the device");
	show_counters();
}

static void run_rules(void)
{
	begin();
	run("ip {-6} rule add pref 9 from all lookup local && ip {-6} rule del pref 0");
	phase("local addresses later");
	run(spelling == AS_INET6 ? "ip -6 rule add pref 1 to ::1 unreachable" :
				   "ip rule add pref 1 to 127.0.0.1 unreachable");
	SAY(send_in(a, "rule", 4, to));
}

static int seen_by(int tap)
{
	int n = 0;

	while (recv(tap, buf, sizeof(buf), MSG_DONTWAIT) > 0)
		n++;
	return n;
}

static void run_taps(void)
{
	int tap;

	begin();
	tap = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
	TRUE(tap >= 0);
	phase("a tap of all");
	SAY(seen_by(tap) == 2 * DATAGRAMS);
	close(tap);
	phase("no tap");
	tap = socket(AF_PACKET, SOCK_DGRAM,
		     htons(spelling == AS_INET6 ? ETH_P_IPV6 : ETH_P_IP));
	TRUE(tap >= 0);
	phase("a tap of IP");
	SAY(seen_by(tap) == DATAGRAMS);
	close(tap);
	phase("no tap again");
}

/* A raw socket has a copy of each datagram. */
static void run_raw(void)
{
	int raw;

	begin();
	raw = socket(spelling == AS_INET6 ? AF_INET6 : AF_INET, SOCK_RAW, IPPROTO_UDP);
	TRUE(raw >= 0);
	phase("a raw socket");
	SAY(seen_by(raw) == DATAGRAMS);
	close(raw);
	phase("no raw socket");
}

/* The device may have another processor deliver the packets it receives. */
static void run_steering(void)
{
	begin();
	run(STEER(1));
	phase("packets steered");
	run(STEER(0));
	phase("not steered");
}

/* A security module has its hook at this priority. */
#define POSTROUTING \
	"nft 'add chain {ip} t c { type filter hook postrouting priority -225; }'"
#define CHAIN \
	"nft 'add chain {ip} t %s { type filter hook %s priority 0; }'"
#define INGRESS \
	"nft 'add chain netdev n c { type filter hook ingress device lo priority 0; }'"

/*
 * Runs a format with a hook's name in place of each %s, of which there may be
 * two.
 */
static void run_hook(const char *format, const char *hook)
{
	char command[200];

	snprintf(command, sizeof(command), format, hook, hook);
	run(command);
}

static void run_netfilter(void)
{
	static const char * const hooks[] = {
		"input", "output", "prerouting", "postrouting"
	};
	unsigned int i;

	begin();
	run("nft add table {ip} t");
	for (i = 0; i < COUNT(hooks); i++) {
		run_hook(CHAIN, hooks[i]);
		run_hook("nft add rule {ip} t %s udp dport 1-65535 counter",
			 hooks[i]);
		phase(hooks[i]);
		run_hook("nft list chain {ip} t %s | grep -o 'packets.*'",
			 hooks[i]);
		run_hook("nft flush chain {ip} t %s; nft delete chain {ip} t %s",
			 hooks[i]);
	}
	phase("no rules");
	run(POSTROUTING);
	run("nft add rule {ip} t c udp dport 1-65535 drop");
	printf("%zd sent\n", send_in(a, "drop", 4, to));
	SAY(poll_of(b, POLLIN, 100));
	run("nft delete table {ip} t");
	phase("none");
}

static void run_ingress(void)
{
	begin();
	run("nft add table netdev n");
	run(INGRESS);
	run("nft add rule netdev n c counter");
	phase("ingress");
	run("nft list chain netdev n c | grep -o 'packets.*'");
	run("nft delete table netdev n");
	phase("none");
}

static void run_queue(void)
{
	begin();
	run("tc qdisc add dev lo root pfifo");
	phase("a queue");
	run("tc qdisc del dev lo root");
	phase("no queue");
}

static void run_filter(void)
{
	begin();
	run("tc qdisc add dev lo clsact");
	run("tc filter add dev lo ingress matchall action drop");
	SAY(send_in(a, "drop", 4, to));
	SAY(poll_of(b, POLLIN, 100));
	run("tc qdisc del dev lo clsact");
	phase("no filter");
}

/*
 * Sends several datagrams: a change sends the first one through IP in any case.
 */
static void send_blocked(void)
{
	int i;

	for (i = 0; i < DATAGRAMS; i++)
		TRUE(send_in(a, "blocked", 7, to) == 7);
	SAY(poll_of(b, POLLIN, 100));
	while (recv(b, buf, sizeof(buf), MSG_DONTWAIT) >= 0)
		;
}

/* Policies of the loopback device are asked only if it says so. */
static void run_policies(void)
{
	begin();
	run("sysctl -qw net.ipv{v}.conf.lo.disable_policy=0");
	run(spelling == AS_INET6 ? "ip xfrm policy add src ::/0 dst ::/0 dir in action block" :
	    "ip xfrm policy add src 0.0.0.0/0 dst 0.0.0.0/0 dir in action block");
	send_blocked();
	run("ip xfrm policy flush");
	phase("no policy");
	run("ip xfrm policy setdefault in block");
	send_blocked();
	run("ip xfrm policy setdefault in accept");
	phase("accepted");
}

/* Receives a datagram, and prints the control messages with it. */
static void say_message(const char *what)
{
	char control[500];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;

	printf("%s: %zd bytes, flags %x\n", what, recvmsg(b, &msg, 0),
	       msg.msg_flags);
	for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		printf("level %d type %d", c->cmsg_level, c->cmsg_type);
		if (c->cmsg_level == SOL_SOCKET)
			printf(", a time");
		else if (c->cmsg_type == (c->cmsg_level == SOL_IP ? IP_RECVORIGDSTADDR :
						IPV6_ORIGDSTADDR))
			printf(", an address");
		else if (c->cmsg_level == SOL_IP && c->cmsg_type == IP_TOS)
			printf(", %d", *CMSG_DATA(c));
		else if (c->cmsg_level == SOL_IPV6 && c->cmsg_type == IPV6_PKTINFO)
			printf(", interface %d",
			       ((struct in6_pktinfo *)CMSG_DATA(c))->ipi6_ifindex);
		else
			printf(", %d", *(int *)CMSG_DATA(c));
		putchar('\n');
	}
}

/* A receiver gets the control messages that it asks for. */
static void say_control(const char *what)
{
	pass(50);
	TRUE(send_in(a, "control", 7, to) == 7);
	settle(b);
	say_message(what);
}

static void run_receiver(void)
{
	static struct sock_filter drop_all[] = {
		BPF_STMT(BPF_RET | BPF_K, 0)
	};
	struct sock_fprog prog = { 1, drop_all };
	int i, n = 0;

	begin();
	SAY(set_ip(b, IP_RECVTTL, IPV6_RECVHOPLIMIT, 1));
	SAY(set_ip(b, IP_RECVTOS, IPV6_RECVTCLASS, 1));
	SAY(set_ip(b, IP_RECVORIGDSTADDR, IPV6_RECVORIGDSTADDR, 1));
	say_control("as it was");
	SAY(set_ip(a, IP_TTL, IPV6_UNICAST_HOPS, 3));
	SAY(set_ip(a, IP_TOS, IPV6_TCLASS, 0x20));
	say_control("another TTL and TOS");
	phase("TTL and TOS requested");
	SAY(set_ip(b, IP_PKTINFO, IPV6_RECVPKTINFO, 1));
	say_control("IP_PKTINFO");
	phase("interface requested");
	SAY(set_ip(b, IP_PKTINFO, IPV6_RECVPKTINFO, 0));
	phase("interface not requested any more");
	SAY(setsockopt(b, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)));
	SAY(send_in(a, "filtered", 8, to));
	SAY(poll_of(b, POLLIN, 100));
	SAY(setsockopt(b, SOL_SOCKET, SO_DETACH_FILTER, &prog, sizeof(prog)));
	phase("not filtered");
	SAY(set_int(b, SOL_SOCKET, SO_RCVBUF, 5000));
	for (i = 0; i < 100; i++)
		TRUE(send_in(a, buf, 100 + i * 10, to) == 100 + i * 10);
	while (recv(b, buf, sizeof(buf), MSG_DONTWAIT) > 0)
		n++;
	printf("%d of 100 fit\n", n);
	phase("room again");
	SAY(set_int(b, SOL_SOCKET, SO_TIMESTAMP, 1));
	say_control("SO_TIMESTAMP");
	phase("time requested");
}

#define MOVES	20

/* Returns the number of packets that the device of the other host has sent. */
static unsigned long sent_away(void)
{
	FILE *f = fopen("/proc/net/dev", "r");
	unsigned long n = 0;
	char line[500];

	TRUE(f);
	while (fgets(line, sizeof(line), f))
		sscanf(line, " away: %*u %*u %*u %*u %*u %*u %*u %*u %*u %lu", &n);
	fclose(f);
	return n;
}

/* Sends bytes that have not arrived yet to the current destination of the socket. */
static void *send_missing(void *arg)
{
	const struct missing *m = arg;

	TRUE(send(a, m->page, 100, 0) == 100);
	return NULL;
}

/*
 * Sends to one host; while the data is copied the socket is connected to
 * another. Datagrams to the second host have been sent before, so that their
 * path is known.
 */
static void send_moving(struct sockaddr_in first, struct sockaddr_in then)
{
	struct missing m = missing_page();
	pthread_t thread;

	TRUE(!connect_in(a, to));
	TRUE(pass(100) == DATAGRAMS);
	TRUE(!connect_in(a, first));
	TRUE(!pthread_create(&thread, NULL, send_missing, &m));
	missing_await(&m);
	TRUE(!connect_in(a, then));
	missing_bring(&m);
	TRUE(!pthread_join(thread, NULL));
	close(m.fd);
}

static void report_moved(const char *what, struct sockaddr_in first,
			 struct sockaddr_in then)
{
	struct sockaddr_in any = inet(INADDR_ANY, ntohs(first.sin_port));
	unsigned long away = sent_away();
	int i, there = 0, got = sock_of(0);

	TRUE(!bind_in(got, any));
	for (i = 0; i < MOVES; i++) {
		send_moving(first, then);
		all_arrived();
		while (recv(got, buf, sizeof(buf), MSG_DONTWAIT) == 100)
			there++;
	}
	away = sent_away() - away;
	close(got);
	/* The kernel's own sockets may mix the two destinations. */
	if (proto_a != IPPROTO_STREAMS)
		return;
	snprintf(buf, sizeof(buf), "%d here, %lu away", there, away);
	report(what, buf);
}

/* The datagram has the destination of the moment when the call began. */
static void run_moved(void)
{
	struct sockaddr_in other;

	netns();
	run("ip link add away type dummy");
	run("ip link set away arp off addrgenmode none");
	if (spelling != AS_INET6)
		run("sysctl -qw net.ipv6.conf.away.disable_ipv6=1 || true");
	run("ip link set away up");
	if (spelling == AS_INET6)
		run("ip addr add {@}192.0.2.1/120 dev away nodad && " ROUTE_ADDED);
	else
		run("ip addr add 192.0.2.1/24 dev away");
	a = sock_a();
	b = sock_b();
	TRUE(!bind_in(b, inet(0xc0000201, 0)) && !bind_in(a, inet(0xc0000201, 0)));
	to = name_of(b);
	phase("at first");
	other = inet(0xc0000202, 4000);
	report_moved("to another host", other, to);
	report_moved("to this host", inet(0xc0000201, 4001), other);
	TRUE(!connect_in(a, to));
	phase("at rest");
}

static int bind_host(int fd, const char *host, unsigned int scope)
{
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6 };

	TRUE(inet_pton(AF_INET6, host, &sin6.sin6_addr) == 1);
	if (IN6_IS_ADDR_LINKLOCAL(&sin6.sin6_addr))
		sin6.sin6_scope_id = scope;
	return bind(fd, (struct sockaddr *)&sin6, sizeof(sin6));
}

static int connect_to(int fd, int peer)
{
	struct sockaddr_in6 sin6;
	socklen_t len = sizeof(sin6);

	TRUE(!getsockname(peer, (struct sockaddr *)&sin6, &len));
	return connect(fd, (struct sockaddr *)&sin6, len);
}

/* Sends on the connected socket; prints the control messages of the last datagram. */
static void phase_connected(const char *name)
{
	unsigned long before = met_directly();
	int i, good = 0;

	for (i = 0; i < DATAGRAMS; i++)
		if (send(a, "here", 4, 0) == 4 && poll_of(b, POLLIN, 2000) & POLLIN &&
		    (i == DATAGRAMS - 1 || recv(b, buf, 100, 0) == 4))
			good++;
	printf("%s: %d datagrams right\n", name, good);
	report(name, met_directly() != before ? "directly" : "through IP");
	if (poll_of(b, POLLIN, 0) & POLLIN)
		say_message(name);
}

/* Sends to a host beyond d0; prints the interface and the source of the last datagram. */
static void say_way(const char *what, int tap, struct sockaddr_in6 *there)
{
	struct sockaddr_ll ll = { };
	socklen_t ll_len = sizeof(ll);
	char source[INET6_ADDRSTRLEN] = "none", name[IF_NAMESIZE] = "none";
	int i;

	for (i = 0; i < DATAGRAMS; i++)
		TRUE(sendto(a, "away", 4, 0, (struct sockaddr *)there, sizeof(*there)) == 4);
	while (recvfrom(tap, buf, sizeof(buf), MSG_DONTWAIT, (struct sockaddr *)&ll,
			&ll_len) >= 40) {
		if (ll.sll_pkttype != PACKET_OUTGOING || buf[6] != IPPROTO_UDP)
			continue;
		TRUE(inet_ntop(AF_INET6, buf + 8, source, sizeof(source)));
		if_indextoname(ll.sll_ifindex, name);
	}
	printf("%s: by %s, from %s\n", what, name, source);
}

/* A route, and a source address, are the ones that are chosen now. */
static void run_choice(void)
{
	struct sockaddr_in6 there = { .sin6_family = AF_INET6, .sin6_port = htons(4000) };
	int tap;

	netns();
	TRUE(inet_pton(AF_INET6, "fd00:c::9", &there.sin6_addr) == 1);
	run("ip link add d0 type dummy && ip link add d1 type dummy");
	run("ip link set d0 addrgenmode none && ip link set d1 addrgenmode none");
	run("ip addr add fd00:a::1/64 dev d0 nodad && ip addr add fd00:b::1/64 dev d0 nodad");
	run("ip link set d0 up && ip link set d1 up");
	run("until ip -6 route show table local | grep -q fd00:b::1; do sleep 0.01; done");
	run("ip -6 route add fd00:c::/64 dev d0");
	tap = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL));
	TRUE(tap >= 0);
	a = sock_a();
	say_way("at first", tap, &there);
	run("ip addrlabel add prefix fd00:c::/64 label 77");
	run("ip addrlabel add prefix fd00:a::/64 label 77");
	say_way("another label", tap, &there);
	run("ip addrlabel del prefix fd00:a::/64 label 77");
	run("ip addrlabel add prefix fd00:b::/64 label 77");
	say_way("a third", tap, &there);
	close(a);
	a = sock_a();
	SAY(bind_host(a, "fd00:a::1", 0));
	say_way("bound", tap, &there);
	run("ip -6 route add fd00:c::9 dev d1");
	say_way("a closer route", tap, &there);
	run("ip -6 route del fd00:c::9 dev d1");
	say_way("as before", tap, &there);
	run("ip -6 route add local fd00:c::9 dev lo table local");
	say_way("an address of this host", tap, &there);
	run("ip -6 route del local fd00:c::9 dev lo table local");
	say_way("not any more", tap, &there);
	run("ip addr add fd00:c::9/128 dev d1 nodad");
	run("until ip -6 route show table local | grep -q fd00:c::9; do sleep 0.01; done");
	say_way("another address of this host", tap, &there);
	run("ip link set d1 down");
	say_way("of a device that is down", tap, &there);
	SAY(connect(a, (struct sockaddr *)&there, sizeof(there)));
	say_way("connected", tap, &there);
	run("ip -6 route add fd00:c::9 dev d0 mtu 1300");
	SAY(send(a, buf, 1000, 0));
	SAY(get_int(a, SOL_IPV6, IPV6_MTU));
	say_way("a route of a smaller MTU", tap, &there);
	SAY(send(a, buf, 1400, 0));
	SAY(set_int(a, SOL_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO));
	SAY(send(a, buf, 1400, 0));
	SAY(send(a, buf, 1252, 0));
	SAY(send(a, buf, 1253, 0));
	run("ip link del d0");
	SAY(send(a, buf, 100, 0));
	SAY(send(a, buf, 100, 0));
	close(a);
}

/* Returns the first word of the last datagram's header: its traffic class and flow label. */
static uint32_t first_word(int tap, struct sockaddr_in6 *there)
{
	uint32_t word = 0;
	int i;

	for (i = 0; i < DATAGRAMS; i++)
		TRUE(sendto(a, "away", 4, 0, (struct sockaddr *)there, sizeof(*there)) == 4);
	while (recv(tap, buf, sizeof(buf), MSG_DONTWAIT) >= 40)
		if (buf[6] == IPPROTO_UDP)
			memcpy(&word, buf, sizeof(word));
	return ntohl(word);
}

/* The kernel's label is a hash of addresses and ports, with a secret of each boot. */
static void run_labels(void)
{
	static const int all[] = { 1, 0, 2, 3 };
	struct sockaddr_in6 own = { .sin6_family = AF_INET6 };
	struct sockaddr_in6 there = own;
	char command[100];
	unsigned int i;
	int tap;

	netns();
	TRUE(inet_pton(AF_INET6, "fd00:a::1", &own.sin6_addr) == 1);
	TRUE(inet_pton(AF_INET6, "fd00:a::9", &there.sin6_addr) == 1);
	there.sin6_port = htons(4000);
	run("ip link add d0 type dummy && ip link set d0 addrgenmode none");
	run("ip addr add fd00:a::1/64 dev d0 nodad && ip link set d0 up");
	run("until ip -6 route show table local | grep -q fd00:a::1; do sleep 0.01; done");
	tap = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL));
	TRUE(tap >= 0);
	for (i = 0; i < 4 * COUNT(all); i++) {
		if (i % 4 == 0) {
			snprintf(command, sizeof(command), "sysctl -qw net.ipv6.auto_flowlabels=%d",
				 all[i / 4]);
			run(command);
		}
		a = sock_a();
		own.sin6_port = htons(4444 + i);
		TRUE(!bind(a, (struct sockaddr *)&own, sizeof(own)));
		printf("%#x\n", first_word(tap, &there));
		SAY(set_int(a, SOL_IPV6, IPV6_TCLASS, 0x44));
		SAY(set_int(a, SOL_IPV6, IPV6_AUTOFLOWLABEL, i % 2));
		printf("%#x\n", first_word(tap, &there));
		close(a);
	}
}

/*
 * Addresses of another interface: they are the sender's or the receiver's, or both. One of
 * the link is reached by the interface that its name has.
 */
static void run_interface(void)
{
	static const char * const hosts[] = { "fd00::7", "::1", "fe80::7" };
	unsigned int i, j, d0;
	char what[100];

	netns();
	run("ip link add d0 type dummy");
	run("ip link set d0 addrgenmode none && ip addr add fd00::7/64 dev d0 nodad");
	run("ip addr add fe80::7/64 dev d0 nodad && ip link set d0 up");
	run("until ip -6 route show table local | grep -q fe80::7; do sleep 0.01; done");
	run("until ip -6 route show table local | grep -q fd00::7; do sleep 0.01; done");
	d0 = if_nametoindex("d0");
	for (i = 0; i < COUNT(hosts); i++) {
		for (j = 0; j < COUNT(hosts); j++) {
			a = sock_a();
			b = sock_b();
			SAY(bind_host(a, hosts[i], d0));
			SAY(bind_host(b, hosts[j], d0));
			SAY(connect_to(a, b));
			SAY(set_int(b, SOL_IPV6, IPV6_RECVPKTINFO, 1));
			snprintf(what, sizeof(what), "from %s to %s", hosts[i], hosts[j]);
			phase_connected(what);
			close(a);
			close(b);
		}
	}
	show_counters();
	show("/proc/net/dev_snmp6/d0", "Ip6", "Mcast");
}

static const struct same_case cases[] = {
	{ "counters", run_counters },
	{ "interface", run_interface },
	{ "choice", run_choice },
	{ "labels", run_labels },
	{ "refused", run_refused },
	{ "rebind", run_rebind },
	{ "routes", run_routes },
	{ "rules", run_rules },
	{ "taps", run_taps },
	{ "raw", run_raw },
	{ "steering", run_steering },
	{ "netfilter", run_netfilter },
	{ "ingress", run_ingress },
	{ "queue", run_queue },
	{ "filter", run_filter },
	{ "policies", run_policies },
	{ "receiver", run_receiver },
	{ "moved", run_moved },
	{}
};

int main(int argc, char **argv)
{
	hosts_are_inet6 = true;
	return same_main(argc, argv, cases);
}
