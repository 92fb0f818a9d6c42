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
#include <pthread.h>
#include <sched.h>

#include "missing.h"

#define DATAGRAMS	64	/* of each phase */
/* Mounts a file system of this namespace's devices, which the test reads. */
#define STEER(processors) \
	"unshare -m sh -c 'mount -t sysfs sysfs /sys && " \
	"echo " #processors " >/sys/class/net/lo/queues/rx-0/rps_cpus'"

static int a, b;
static struct sockaddr_in to;

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
	printf("%s\n", command);
	fflush(stdout);
	NEED(system(command) == 0);
}

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
	NEED(!unshare(CLONE_NEWNET));
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

	NEED(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, match) && (!but || !strstr(line, but)))
			fputs(line, stdout);
	fclose(f);
}

static void run_counters(void)
{
	static const size_t sizes[] = { 0, 1, 1000, 4000 };
	unsigned int i;

	begin();
	for (i = 0; i < COUNT(sizes); i++)
		SAY(pass(sizes[i]));
	SAY(set_int(a, SOL_IP, IP_TOS, 0x11));
	phase("marked for congestion control");
	SAY(connect_in(a, to));
	for (i = 0; i < DATAGRAMS; i++)
		NEED(send(a, buf, 10, 0) == 10 &&
		     recv(b, buf, 100, 0) == 10);
	show("/proc/net/snmp", "Ip: ", NULL);
	show("/proc/net/snmp", "Udp: ", NULL);
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
	show("/proc/net/snmp", "Ip: ", NULL);
	show("/proc/net/snmp", "Udp: ", NULL);
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
	NEED(!bind_in(b, any));
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
	NEED(!bind_in(b, to));
	phase("another in its place");
	close(b);
	SAY(connect_in(a, to));
	SAY(send(a, "nobody", 6, 0));
	SAY(poll_of(a, POLLIN, 2000) & POLLIN);
	SAY(recv(a, buf, 100, MSG_DONTWAIT));
}

static void run_routes(void)
{
	begin();
	run("ip addr add 10.9.9.9/32 dev lo");
	to.sin_addr.s_addr = htonl(0x0a090909);
	close(b);
	b = sock_b();
	NEED(!bind_in(b, to));
	phase("an address of the host");
	run("ip addr del 10.9.9.9/32 dev lo");
	SAY(send_in(a, "gone", 4, to));
	SAY(poll_of(b, POLLIN, 100));
	run("ip addr add 10.9.9.9/32 dev lo");
	phase("back again");
	run("ip link set lo down");
	SAY(send_in(a, "down", 4, to));
	SAY(poll_of(b, POLLIN, 100));
	run("ip link set lo up");
	phase("up again");
	run("ip link set lo mtu 600");
	SAY(pass(1000));
	SAY(set_int(a, SOL_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO));
	SAY(send_in(a, buf, 1000, to));
	SAY(get_int(a, SOL_SOCKET, SO_ERROR));
	phase("that fit the device");
	show("/proc/net/snmp", "Ip: ", NULL);
}

static void run_rules(void)
{
	begin();
	run("ip rule add pref 9 from all lookup local && ip rule del pref 0");
	phase("local addresses later");
	run("ip rule add pref 1 to 127.0.0.1 unreachable");
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
	NEED(tap >= 0);
	phase("a tap of all");
	SAY(seen_by(tap) == 2 * DATAGRAMS);
	close(tap);
	phase("no tap");
	tap = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_IP));
	NEED(tap >= 0);
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
	raw = socket(AF_INET, SOCK_RAW, IPPROTO_UDP);
	NEED(raw >= 0);
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
	"nft 'add chain ip t c { type filter hook postrouting priority -225; }'"
#define CHAIN \
	"nft 'add chain ip t %s { type filter hook %s priority 0; }'"
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
	run("nft add table ip t");
	for (i = 0; i < COUNT(hooks); i++) {
		run_hook(CHAIN, hooks[i]);
		run_hook("nft add rule ip t %s udp dport 1-65535 counter",
			 hooks[i]);
		phase(hooks[i]);
		run_hook("nft list chain ip t %s | grep -o 'packets.*'",
			 hooks[i]);
		run_hook("nft flush chain ip t %s; nft delete chain ip t %s",
			 hooks[i]);
	}
	phase("no rules");
	run(POSTROUTING);
	run("nft add rule ip t c udp dport 1-65535 drop");
	printf("%zd sent\n", send_in(a, "drop", 4, to));
	SAY(poll_of(b, POLLIN, 100));
	run("nft delete table ip t");
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
		NEED(send_in(a, "blocked", 7, to) == 7);
	SAY(poll_of(b, POLLIN, 100));
	while (recv(b, buf, sizeof(buf), MSG_DONTWAIT) >= 0)
		;
}

/* Policies of the loopback device are asked only if it says so. */
static void run_policies(void)
{
	begin();
	run("sysctl -qw net.ipv4.conf.lo.disable_policy=0");
	run("ip xfrm policy add src 0.0.0.0/0 dst 0.0.0.0/0 dir in action block");
	send_blocked();
	run("ip xfrm policy flush");
	phase("no policy");
	run("ip xfrm policy setdefault in block");
	send_blocked();
	run("ip xfrm policy setdefault in accept");
	phase("accepted");
}

/* A receiver gets the control messages that it asks for. */
static void say_control(const char *what)
{
	char control[500];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;

	pass(50);
	NEED(send_in(a, "control", 7, to) == 7);
	settle(b);
	printf("%s: %zd bytes, flags %x\n", what, recvmsg(b, &msg, 0),
	       msg.msg_flags);
	for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		printf("level %d type %d", c->cmsg_level, c->cmsg_type);
		if (c->cmsg_level == SOL_SOCKET)
			printf(", a time");
		else if (c->cmsg_type == IP_RECVORIGDSTADDR)
			printf(", an address");
		else if (c->cmsg_type == IP_TOS)
			printf(", %d", *CMSG_DATA(c));
		else
			printf(", %d", *(int *)CMSG_DATA(c));
		putchar('\n');
	}
}

static void run_receiver(void)
{
	static struct sock_filter drop_all[] = {
		BPF_STMT(BPF_RET | BPF_K, 0)
	};
	struct sock_fprog prog = { 1, drop_all };
	int i, n = 0;

	begin();
	SAY(set_int(b, SOL_IP, IP_RECVTTL, 1));
	SAY(set_int(b, SOL_IP, IP_RECVTOS, 1));
	SAY(set_int(b, SOL_IP, IP_RECVORIGDSTADDR, 1));
	say_control("as it was");
	SAY(set_int(a, SOL_IP, IP_TTL, 3));
	SAY(set_int(a, SOL_IP, IP_TOS, 0x20));
	say_control("another TTL and TOS");
	phase("TTL and TOS requested");
	SAY(set_int(b, SOL_IP, IP_PKTINFO, 1));
	say_control("IP_PKTINFO");
	phase("interface requested");
	SAY(set_int(b, SOL_IP, IP_PKTINFO, 0));
	phase("interface not requested any more");
	SAY(setsockopt(b, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog)));
	SAY(send_in(a, "filtered", 8, to));
	SAY(poll_of(b, POLLIN, 100));
	SAY(setsockopt(b, SOL_SOCKET, SO_DETACH_FILTER, &prog, sizeof(prog)));
	phase("not filtered");
	SAY(set_int(b, SOL_SOCKET, SO_RCVBUF, 5000));
	for (i = 0; i < 100; i++)
		NEED(send_in(a, buf, 100 + i * 10, to) == 100 + i * 10);
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

	NEED(f);
	while (fgets(line, sizeof(line), f))
		sscanf(line, " away: %*u %*u %*u %*u %*u %*u %*u %*u %*u %lu", &n);
	fclose(f);
	return n;
}

/* Sends bytes that have not arrived yet to the current destination of the socket. */
static void *send_missing(void *arg)
{
	const struct missing *m = arg;

	NEED(send(a, m->page, 100, 0) == 100);
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

	NEED(!connect_in(a, to));
	NEED(pass(100) == DATAGRAMS);
	NEED(!connect_in(a, first));
	NEED(!pthread_create(&thread, NULL, send_missing, &m));
	missing_await(&m);
	NEED(!connect_in(a, then));
	missing_bring(&m);
	NEED(!pthread_join(thread, NULL));
	close(m.fd);
}

static void report_moved(const char *what, struct sockaddr_in first,
			 struct sockaddr_in then)
{
	struct sockaddr_in any = inet(INADDR_ANY, ntohs(first.sin_port));
	unsigned long away = sent_away();
	int i, there = 0, got = sock_of(0);

	NEED(!bind_in(got, any));
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
	run("sysctl -qw net.ipv6.conf.away.disable_ipv6=1 || true");
	run("ip addr add 192.0.2.1/24 dev away && ip link set away up");
	a = sock_a();
	b = sock_b();
	NEED(!bind_in(b, inet(0xc0000201, 0)) && !bind_in(a, inet(0xc0000201, 0)));
	to = name_of(b);
	phase("at first");
	other = inet(0xc0000202, 4000);
	report_moved("to another host", other, to);
	report_moved("to this host", inet(0xc0000201, 4001), other);
	NEED(!connect_in(a, to));
	phase("at rest");
}

static const struct same_case cases[] = {
	{ "counters", run_counters },
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
	return same_main(argc, argv, cases);
}
