// SPDX-License-Identifier: GPL-2.0-only
/*
 * udp-obstacles.c - datagrams of a host to itself, with one thing after the other in
 * the way
 *
 * The module names the obstacles that send datagrams through IP. Each name has a case
 * here, which puts the obstacle up; a witness counts the datagrams that it sees. Each case
 * runs in its own network namespace, as root, over IPv4 and over IPv6.
 */
#include "udp-same.h"

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/xfrm.h>
#include <net/if.h>
#include <sched.h>
#include <sys/dlpi.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define NAMES		"/sys/module/strudp/parameters/obstacles"
#define DATAGRAMS	64	/* of each phase */
#define LEN		100
#define REALM		7
#define HOST		0x0a090909	/* 10.9.9.9 */
#define LOCAL		"ip route replace local {@}10.9.9.9 dev lo table local"
#define OTHER		0x0a090908	/* 10.9.9.8 */
#define CLSACT		"tc qdisc add dev lo clsact"
#define CGROUP		"/tmp/udp-obstacles"
#define CHOOSE(word)	"echo " #word " >/proc/sys/net/strsock/shortcut"
#define STEER(processors)							\
	"unshare -m sh -c 'mount -t sysfs sysfs /sys && "			\
	"echo " #processors " >/sys/class/net/lo/queues/rx-0/rps_cpus'"

static int a, b, tap, program;
static int len = LEN;
static struct sockaddr_in to;

static bool by_inet6(void)
{
	return spelling == AS_INET6;
}

/* Returns the number that follows a word in a file, or 0 without the word. */
static unsigned long number_after(const char *path, const char *word)
{
	FILE *f = fopen(path, "r");
	unsigned long n = 0;
	char line[200];
	size_t len = strlen(word);

	TRUE(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, word, len) && line[len] == ' ')
			n = strtoul(line + len, NULL, 10);
	fclose(f);
	return n;
}

static unsigned long met_directly(void)
{
	return number_after("/proc/streams/counters", "udp_direct");
}

static bool run(const char *command)
{
	char own[400], quiet[500];

	family_command(own, sizeof(own), command);
	snprintf(quiet, sizeof(quiet), "(%s) >/dev/null 2>&1", own);
	return !system(quiet);
}

/* Returns the number that a command prints. */
static unsigned long number_of(const char *command)
{
	FILE *f = popen(command, "r");
	unsigned long n = 0;

	TRUE(f);
	if (fscanf(f, "%lu", &n) != 1)
		n = 0;
	pclose(f);
	return n;
}

static void receiver(int fd)
{
	close(b);
	b = fd;
	TRUE(!bind_in(b, to));
}

/* Sends datagrams and reads each before the next. */
static void pass(void)
{
	char got[4000];
	int i;

	/* The first bytes differ from those of ESP in UDP. */
	memset(buf, 0, 8);
	for (i = 0; i < DATAGRAMS; i++) {
		memset(buf + 8, 'a' + i % 26, len - 8);
		TRUE(send_in(a, buf, len, to) == len);
		TRUE(poll_of(b, POLLIN, WAIT_LIMIT_MS) & POLLIN);
		TRUE(recv(b, got, sizeof(got), 0) == len);
		TRUE(!memcmp(got, buf, len));
	}
}

static bool pass_directly(void)
{
	unsigned long before = met_directly();

	pass();
	return met_directly() != before;
}

static void netns(void)
{
	TRUE(!unshare(CLONE_NEWNET));
	/* The kernel makes a route of IPv6 for an address that no other can replace. */
	TRUE(run("ip link set lo up"));
	TRUE(run(by_inet6() ? LOCAL " && sysctl -qw net.ipv6.ip_nonlocal_bind=1" :
		 "ip addr add 10.9.9.9/32 dev lo"));
}

/* Returns the number of packets that a tap has received; a tap is a descriptor to read. */
static unsigned long seen_by_tap(void)
{
	unsigned long n = 0;

	while (recv(tap, buf, sizeof(buf), MSG_DONTWAIT) > 0)
		n++;
	return n;
}

static bool packet_up(void)
{
	tap = socket(AF_PACKET, SOCK_DGRAM, htons(by_inet6() ? ETH_P_IPV6 : ETH_P_IP));
	return tap >= 0;
}

static bool raw_up(void)
{
	tap = socket(by_inet6() ? AF_INET6 : AF_INET, SOCK_RAW, IPPROTO_UDP);
	return tap >= 0;
}

static void tap_down(void)
{
	close(tap);
}

/* Sends a primitive to a data link and takes the answer. */
static void link_ask(const void *prim, int len, t_uscalar_t want)
{
	struct strbuf ctl = { .len = len, .buf = (char *)prim };
	union DL_primitives answer;
	int flags = 0;

	TRUE(!putmsg(tap, &ctl, NULL, 0));
	ctl = (struct strbuf){ .maxlen = sizeof(answer), .buf = (char *)&answer };
	TRUE(!getmsg(tap, &ctl, NULL, &flags) && answer.dl_primitive == want);
}

static void link_open(t_uscalar_t sap)
{
	dl_attach_req_t attach = {
		.dl_primitive = DL_ATTACH_REQ, .dl_ppa = if_nametoindex("lo"),
	};
	dl_bind_req_t bind = {
		.dl_primitive = DL_BIND_REQ, .dl_sap = sap, .dl_service_mode = DL_CLDLS,
	};

	tap = open("/dev/streams/dlpi", O_RDWR | O_CLOEXEC);
	TRUE(tap >= 0);
	link_ask(&attach, sizeof(attach), DL_OK_ACK);
	link_ask(&bind, sizeof(bind), DL_BIND_ACK);
}

/* Opens a stream bound to the type of IP. */
static bool types_up(void)
{
	link_open(by_inet6() ? ETH_P_IPV6 : ETH_P_IP);
	return true;
}

/* Opens a stream that receives frames of all types. */
static bool taps_up(void)
{
	dl_promiscon_req_t on = {
		.dl_primitive = DL_PROMISCON_REQ, .dl_level = DL_PROMISC_SAP,
	};

	link_open(0x88b5);
	link_ask(&on, sizeof(on), DL_OK_ACK);
	return true;
}

static unsigned long seen_by_link(void)
{
	struct pollfd p = { .fd = tap, .events = POLLIN };
	char addresses[200];
	unsigned long n = 0;

	while (poll(&p, 1, 0) == 1) {
		struct strbuf ctl = { .maxlen = sizeof(addresses), .buf = addresses };
		struct strbuf data = { .maxlen = sizeof(buf), .buf = buf };
		int flags = 0;

		TRUE(!getmsg(tap, &ctl, &data, &flags));
		n++;
	}
	return n;
}

/* A BPF program that counts its calls in a map, and its verdict */
static int counts;

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static bool bpf_load(int type, int attach, int verdict)
{
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1,
	};
	struct bpf_insn insns[] = {
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 2,
		  .src_reg = BPF_PSEUDO_MAP_VALUE },
		{ },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .imm = 1 },
		{ .code = BPF_STX | BPF_DW | BPF_ATOMIC, .dst_reg = 2, .src_reg = 3,
		  .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = verdict },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr prog = {
		.prog_type = type, .expected_attach_type = attach,
		.insns = (uintptr_t)insns, .insn_cnt = COUNT(insns),
		.license = (uintptr_t)"GPL",
	};

	counts = bpf(BPF_MAP_CREATE, &map);
	if (counts < 0)
		return false;
	insns[0].imm = counts;
	program = bpf(BPF_PROG_LOAD, &prog);
	return program >= 0;
}

static unsigned long seen_by_bpf(void)
{
	static unsigned long before;
	uint32_t key = 0;
	uint64_t n = 0;
	union bpf_attr look = {
		.map_fd = counts, .key = (uintptr_t)&key, .value = (uintptr_t)&n,
	};

	TRUE(!bpf(BPF_MAP_LOOKUP_ELEM, &look));
	n -= before;
	before += n;
	return n;
}

/*
 * Attaches a BPF program by a link, which ends when its descriptor is closed.
 */
static bool bpf_link(int target, int attach)
{
	union bpf_attr link = {
		.link_create = {
			.prog_fd = program, .target_fd = target, .attach_type = attach,
		},
	};

	tap = bpf(BPF_LINK_CREATE, &link);
	return tap >= 0;
}

static bool bpf_lookup_up(void)
{
	return bpf_load(BPF_PROG_TYPE_SK_LOOKUP, BPF_SK_LOOKUP, 1) &&
	       bpf_link(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), BPF_SK_LOOKUP);
}

/* Loads a program of cgroups, and links it to a cgroup that no socket is in. */
static bool bpf_elsewhere(int attach)
{
	if ((mkdir(CGROUP, 0700) && errno != EEXIST) ||
	    (mount("none", CGROUP, "cgroup2", 0, NULL) && errno != EBUSY) ||
	    (mkdir(CGROUP "/other", 0700) && errno != EEXIST))
		return false;
	return bpf_load(BPF_PROG_TYPE_CGROUP_SKB, attach, 1) &&
	       bpf_link(open(CGROUP "/other", O_RDONLY | O_DIRECTORY | O_CLOEXEC), attach);
}

/* Moves this process into a cgroup, for the sockets that it makes from then on. */
static void enter(const char *processes)
{
	FILE *f = fopen(processes, "w");

	TRUE(f && fputs("0", f) >= 0 && !fclose(f));
}

/* A program of the cgroup that both sockets are in */
static bool bpf_cgroup_up(void)
{
	if (!bpf_elsewhere(BPF_CGROUP_INET_EGRESS))
		return false;
	TRUE(pass_directly() && !seen_by_bpf());
	tap_down();
	return bpf_link(open(CGROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
			BPF_CGROUP_INET_EGRESS);
}

/* A program of a cgroup that the receiver alone is in */
static bool peer_bpf_up(void)
{
	if (!bpf_elsewhere(BPF_CGROUP_INET_INGRESS))
		return false;
	enter(CGROUP "/other/cgroup.procs");
	receiver(sock_b());
	enter(CGROUP "/cgroup.procs");
	return true;
}

static bool xdp_up(void)
{
	return bpf_load(BPF_PROG_TYPE_XDP, BPF_XDP, XDP_PASS) &&
	       bpf_link(if_nametoindex("lo"), BPF_XDP);
}

static unsigned long realm_packets(void)
{
	struct {
		uint32_t o_bytes, o_packets, i_bytes, i_packets;
	} realms[256];
	static unsigned long before;
	FILE *f = fopen("/proc/net/rt_acct", "r");
	unsigned long n;

	TRUE(f && fread(realms, sizeof(realms), 1, f) == 1);
	fclose(f);
	n = realms[REALM].o_packets - before;
	before += n;
	return n;
}

static bool realm_up(void)
{
	return !access("/proc/net/rt_acct", R_OK) &&
	       run(LOCAL " realms 7") &&
	       (realm_packets(), true);
}

/* Restores the route that the kernel makes for the address. */
static void route_down(void)
{
	TRUE(run(LOCAL));
}

static bool policy_up(void)
{
	struct xfrm_userpolicy_info policy = {
		.sel.family = by_inet6() ? AF_INET6 : AF_INET,
		.dir = XFRM_POLICY_IN, .action = XFRM_POLICY_ALLOW,
		.lft = {
			.soft_byte_limit = XFRM_INF, .hard_byte_limit = XFRM_INF,
			.soft_packet_limit = XFRM_INF, .hard_packet_limit = XFRM_INF,
		},
	};

	return by_inet6() ?
	       !setsockopt(b, SOL_IPV6, IPV6_XFRM_POLICY, &policy, sizeof(policy)) :
	       !setsockopt(b, SOL_IP, IP_XFRM_POLICY, &policy, sizeof(policy));
}

static bool tunnel_up(void)
{
	receiver(sock_of(0));
	return !set_int(b, SOL_UDP, UDP_ENCAP, UDP_ENCAP_ESPINUDP);
}

/* Sends datagrams that no receiver may have. */
static void send_in_vain(void)
{
	unsigned long before = met_directly();
	int i;

	for (i = 0; i < DATAGRAMS; i++)
		TRUE(send_in(a, buf, LEN, to) == LEN);
	all_arrived();
	TRUE(recv(b, buf, LEN, MSG_DONTWAIT) < 0 && errno == EAGAIN);
	TRUE(met_directly() == before);
}

/*
 * Over IPv6 a receiver on the interface of the address may have the datagrams directly, and
 * one on another may not have them at all.
 */
static bool interface_up(void)
{
	if (!by_inet6())
		return !setsockopt(b, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
	TRUE(run("ip link add other type dummy && ip link set other up"));
	TRUE(!setsockopt(b, SOL_SOCKET, SO_BINDTODEVICE, "other", 6));
	send_in_vain();
	return true;
}

/* Datagrams to the address of another interface, of which the loopback device has none */
static bool disabled_up(void)
{
	struct sockaddr_in there = inet(OTHER, ntohs(to.sin_port));

	TRUE(run("ip link add other type dummy && ip link set other up"));
	TRUE(run("ip addr add {@}10.9.9.8/{len} dev other nodad"));
	/* A work item adds the route. */
	UNTIL(run("ip -6 route show table local | grep -q a09:908"));
	to = there;
	receiver(sock_b());
	UNTIL(pass_directly());
	TRUE(run("sysctl -qw net.ipv6.conf.lo.disable_ipv6=1"));
	send_in_vain();
	TRUE(run("sysctl -qw net.ipv6.conf.lo.disable_ipv6=0"));
	return true;
}

static bool flow_up(void)
{
	return !set_int(b, SOL_IPV6, IPV6_FLOWINFO, 1);
}

static bool size_up(void)
{
	/* IPv6 does not use a device of a smaller MTU than 1280. */
	len = by_inet6() ? 2000 : LEN;
	return run(by_inet6() ? "ip link set lo mtu 1280" : "ip link set lo mtu 100");
}

static void size_down(void)
{
	len = LEN;
	TRUE(run("ip link set lo mtu 65536"));
}

static bool time_up(void)
{
	return !set_int(b, SOL_SOCKET, SO_TIMESTAMP, 1);
}

static bool group_up(void)
{
	int fd = sock_b();

	if (set_int(fd, SOL_SOCKET, SO_REUSEPORT, 1))
		return false;
	receiver(fd);
	return true;
}

static bool filter_up(void)
{
	static struct sock_filter all[] = { BPF_STMT(BPF_RET | BPF_K, 0xffff) };
	struct sock_fprog prog = { COUNT(all), all };

	return !setsockopt(b, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog));
}

static bool pktinfo_up(void)
{
	return !set_int(b, SOL_IP, IP_PKTINFO, 1);
}

static void peer_down(void)
{
	receiver(sock_b());
}

/* Rules let datagrams through to a sock, and then another has its address. */
static bool peer_netfilter_up(void)
{
	unsigned long before = number_after(NAMES, "peer_netfilter");

	if (!run("nft 'add table {ip} t; "
		 "add chain {ip} t c { type filter hook input priority 0; }'"))
		return false;
	TRUE(run(CHOOSE(established)));
	UNTIL(pass_directly());
	/* A datagram in each second passes through IP, and then the receiver is known. */
	UNTIL((receiver(sock_b()), pass(), number_after(NAMES, "peer_netfilter") != before));
	UNTIL(pass_directly());
	TRUE(run(CHOOSE(strict)) && run("nft delete table {ip} t"));
	return true;
}

/*
 * The datagrams are sent to another host's address, and the device counts them.
 */
static unsigned long sent_away(void)
{
	return number_of("awk '/ *away:/ { print $11 }' /proc/net/dev");
}

static bool host_up(void)
{
	int i;

	if (!run("ip link add away type dummy && ip link set away up"))
		return false;
	if (!by_inet6())
		run("sysctl -qw net.ipv6.conf.away.disable_ipv6=1");
	TRUE(run("ip route add {@}192.0.2.2/{len} dev away"));
	for (i = 0; i < DATAGRAMS; i++)
		TRUE(send_in(a, buf, LEN, inet(0xc0000202, 4000)) == LEN);
	TRUE(sent_away() >= DATAGRAMS);
	TRUE(run("ip link del away"));
	return true;
}

#define SENT(command) \
	number_of(command " | sed -n 's/.*Sent [0-9]* bytes \\([0-9]*\\) pkt.*/\\1/p' | head -n 1")

static unsigned long queue_seen(void)
{
	return SENT("tc -s qdisc show dev lo");
}

static unsigned long tc_seen(void)
{
	return SENT("tc -s filter show dev lo ingress");
}

static unsigned long nft_seen(void)
{
	return number_of("nft list ruleset | sed -n 's/.*packets \\([0-9]*\\).*/\\1/p'");
}

/*
 * An obstacle is put up by a function or a command, and taken down by one. The witness
 * returns the datagrams that it has seen since the last call; a packet that the
 * loopback device sends and receives may count twice.
 */
static const struct obstacle {
	const char *name;
	bool (*up)(void);
	const char *put;
	void (*down)(void);
	const char *take;
	unsigned long (*seen)(void);
	bool never;			/* the kernel lets nothing have it */
	int only;			/* the family that has it; 0: both */
} obstacles[] = {
	{ "host", .up = host_up },
	{ "tunnel", .put = LOCAL " encap {ip} id 9 dst {@}192.0.2.9",
	  .down = route_down },
	{ "mtu", .put = LOCAL " mtu 1300",
	  .down = route_down },
	{ "realm", .up = realm_up, .down = route_down, .seen = realm_packets, .only = AF_INET },
	{ "size", .up = size_up, .down = size_down },
	{ "disabled", .up = disabled_up, .only = AF_INET6 },
	{ "off", .put = CHOOSE(off), .take = CHOOSE(strict) },
	{ "netfilter", .put = "nft 'add table {ip} t; "
	  "add chain {ip} t c { type filter hook input priority 0; }; add rule {ip} t c counter'",
	  .take = "nft delete table {ip} t", .seen = nft_seen },
	{ "netfilter_device", .put = "nft 'add table netdev n; "
	  "add chain netdev n c { type filter hook ingress device lo priority 0; }; "
	  "add rule netdev n c counter'",
	  .take = "nft delete table netdev n", .seen = nft_seen },
	{ "packet", packet_up, .down = tap_down, .seen = seen_by_tap },
	{ "taps", taps_up, .down = tap_down, .seen = seen_by_link },
	{ "types", types_up, .down = tap_down, .seen = seen_by_link },
	{ "raw", raw_up, .down = tap_down, .seen = seen_by_tap },
	{ "bpf_lookup", bpf_lookup_up, .down = tap_down, .seen = seen_by_bpf },
	{ "bpf_cgroup", bpf_cgroup_up, .down = tap_down, .seen = seen_by_bpf },
	{ "xdp", xdp_up, .down = tap_down, .seen = seen_by_bpf },
	{ "queue", .put = "tc qdisc add dev lo root pfifo", .take = "tc qdisc del dev lo root",
	  .seen = queue_seen },
	{ "tc", .put = CLSACT " && tc filter add dev lo ingress matchall action pass",
	  .take = "tc qdisc del dev lo clsact", .seen = tc_seen },
	/* Bridges, bonds and the like refuse the loopback device. */
	{ "handler", .put = "ip link add br type bridge && ip link set lo master br",
	  .never = true },
	{ "steering", .put = STEER(1), .take = STEER(0) },
	{ "ipsec", .put = "ip xfrm policy add src 192.0.2.0/24 dst 192.0.2.0/24 dir in",
	  .take = "ip xfrm policy flush" },
	{ "peer_ipsec", policy_up, .down = peer_down },
	{ "peer_tunnel", tunnel_up, .down = peer_down },
	{ "peer_interface", interface_up, .down = peer_down },
	{ "peer_time", time_up, .down = peer_down },
	{ "peer_group", group_up, .down = peer_down },
	{ "peer_filter", filter_up, .down = peer_down },
	{ "peer_bpf", peer_bpf_up, .down = peer_down, .seen = seen_by_bpf },
	{ "peer_pktinfo", pktinfo_up, .down = peer_down, .only = AF_INET },
	{ "peer_netfilter", .up = peer_netfilter_up },
	{ "peer_flow", flow_up, .down = peer_down, .only = AF_INET6 },
};

static bool put_up(const struct obstacle *o)
{
	return o->up ? o->up() : run(o->put);
}

static void take_down(const struct obstacle *o)
{
	if (o->down)
		o->down();
	else if (o->take)
		TRUE(run(o->take));
}

static void must_not_meet(const struct obstacle *o)
{
	unsigned long before = met_directly(), seen = 0;

	pass();
	if (met_directly() != before) {
		printf("%s: %lu of %d were delivered directly\n", o->name,
		       met_directly() - before, DATAGRAMS);
		exit(1);
	}
	if (o->seen)
		seen = o->seen();
	if (o->seen && seen != DATAGRAMS && seen != 2 * DATAGRAMS) {
		printf("%s: the witness has seen %lu of %d\n", o->name, seen, DATAGRAMS);
		exit(1);
	}
}

static void run_obstacle(const struct obstacle *o)
{
	unsigned long before;

	netns();
	a = sock_a();
	b = sock_b();
	TRUE(!bind_in(b, inet(HOST, 0)));
	to = name_of(b);
	TRUE(!bind_in(a, inet(HOST, 0)));
	UNTIL(pass_directly());
	before = number_after(NAMES, o->name);
	if (!put_up(o) || o->never) {
		TRUE(!o->never || !run("ip link show dev lo | grep -q master"));
		printf("%s: %s\n", o->name, o->never ? "nothing can be" : "not in this kernel");
		exit(0);
	}
	if (o->take || (o->down && !(o->up == interface_up && by_inet6())))
		must_not_meet(o);
	if (number_after(NAMES, o->name) == before) {
		printf("%s: not counted\n", o->name);
		exit(1);
	}
	take_down(o);
	/* A data link is closed by a work item. */
	UNTIL(pass_directly());
	printf("%s: in the way\n", o->name);
	exit(0);
}

static const struct obstacle *find(const char *name)
{
	unsigned int i;

	for (i = 0; i < COUNT(obstacles); i++)
		if (!strcmp(obstacles[i].name, name))
			return &obstacles[i];
	return NULL;
}

/*
 * Runs the case of a name in a process of its own. Returns false if it failed.
 */
static bool works(const char *name)
{
	const struct obstacle *o = find(name);
	int status;
	pid_t pid;

	if (!o) {
		printf("%s: there is no test of it\n", name);
		return false;
	}
	if (o->only && o->only != (by_inet6() ? AF_INET6 : AF_INET)) {
		printf("%s: not of this family\n", name);
		return true;
	}
	pid = fork();
	if (!pid) {
		alarm(100);
		run_obstacle(o);
	}
	TRUE(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (status)
		printf("%s: status %#x\n", name, status);
	return !status;
}

int main(int argc, char **argv)
{
	static char names[COUNT(obstacles) + 1][32];
	FILE *f = fopen(NAMES, "r");
	int failed = 0, n = 0, i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	TRUE(argc == 2 && same_spelling(argv[1]));
	hosts_are_inet6 = true;
	proto_a = IPPROTO_STREAMS;
	proto_b = IPPROTO_STREAMS;
	TRUE(f);
	while (n <= (int)COUNT(obstacles) && fscanf(f, "%31s %*u", names[n]) == 1)
		n++;
	fclose(f);
	TRUE(n == COUNT(obstacles));
	for (i = 0; i < n; i++)
		failed += !works(names[i]);
	return !!failed;
}
