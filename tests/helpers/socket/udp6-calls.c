// SPDX-License-Identifier: GPL-2.0-only
/* udp6-calls.c - addresses and ports of UDP sockets of AF_INET6, alone and beside AF_INET */
#include "udp6-same.h"

#include <linux/bpf.h>
#include <net/if.h>
#include <sys/syscall.h>

static void say_names(int fd)
{
	struct name n = { .len = sizeof(n.in6) };

	SAY(getsockname(fd, &n.sa, &n.len));
	say_name("own", &n);
	n = (struct name){ .len = sizeof(n.in6) };
	SAY(getpeername(fd, &n.sa, &n.len));
	say_name("peer", &n);
}

static void run_sizes(void)
{
	static const int sizes[] = { 0, 1, 1231, 1232, 1233, 1452, 1453, 9000,
		60000, 65487, 65488, 65507, 65508, 65527, 65528, 65535, 66000 };
	int a = sock_a(), b = sock_b();
	struct name to, mapped;
	unsigned int i, j;
	long n;

	SAY(bind_to(b, in6("::", 0, 0)));
	to = in6("::1", port_of(b), 0);
	mapped = in6("::ffff:127.0.0.1", port_of(b), 0);
	for (i = 0; i < COUNT(sizes); i++) {
		for (j = 0; j < (size_t)sizes[i]; j++)
			buf[j] = j * 7 + j / 251;
		SAY(send_to(a, buf, sizes[i], to));
		memset(buf, 0, sizeof(buf));
		SAY(n = receive(b, MSG_DONTWAIT));
		say_data("to ::1", buf, n);
		SAY(send_to(a, buf, sizes[i], mapped));
		SAY(n = receive(b, MSG_DONTWAIT));
		say_data("mapped", buf, n);
	}
	close(a);
	close(b);
}

static void run_names(void)
{
	unsigned int d0 = if_nametoindex("d0");
	struct sockaddr unspec = { .sa_family = AF_UNSPEC };
	struct name link = in6("fe80::7", 0, d0), short_name;
	int a = sock_a(), b = sock_b();

	say_names(a);
	SAY(bind_to(a, in6("2001:db8::1", 0, 0)));
	SAY(bind_to(a, in6("fe80::7", 0, 0)));
	SAY(bind_to(a, in6("fe80::7", 0, d0 + 77)));
	SAY(bind_to(a, in6("ff02::7", 0, 0)));
	SAY(bind_to(a, in6("::ffff:8.8.8.8", 0, 0)));
	SAY(bind_to(b, link));
	say_names(b);
	short_name = in6("::1", 9, 0);
	short_name.len = 24;
	SAY(connect_to(a, short_name));
	short_name.len = 23;
	SAY(connect_to(a, short_name));
	SAY(send_to(a, "x", 1, short_name));
	SAY(connect(a, &unspec, sizeof(unspec)));
	link.in6.sin6_port = htons(port_of(b));
	SAY(send_to(a, "scoped", 6, link));
	SAY(receive(b, MSG_DONTWAIT));
	say_name("from", &r.from);
	link.in6.sin6_scope_id = 0;
	SAY(send_to(a, "unscoped", 8, link));
	SAY(connect_to(a, link));
	link.in6.sin6_scope_id = d0;
	SAY(connect_to(a, link));
	say_names(a);
	SAY(send(a, "peer", 4, 0));
	SAY(receive(b, MSG_DONTWAIT));
	say_name("from", &r.from);
	SAY(connect(a, &unspec, sizeof(unspec)));
	say_names(a);
	SAY(connect_to(a, in6("::", 9, 0)));
	say_names(a);
	SAY(connect_to(a, in6("::ffff:127.0.0.1", 9, 0)));
	say_names(a);
	SAY(connect_to(a, in6("::1", 9, 0)));
	say_names(a);
	close(a);
	a = sock_a();
	SAY(bind_to(a, in6("::ffff:0.0.0.0", 0, 0)));
	say_names(a);
	SAY(connect_to(a, in6("::1", 9, 0)));
	SAY(connect_to(a, in6("::", 9, 0)));
	say_names(a);
	SAY(connect_to(a, in6("::1", 0, 0)));
	close(a);
	a = sock_a();
	SAY(connect_to(a, in6("2001:db8::1", 9, 0)));
	SAY(send_to(a, "x", 1, in6("2001:db8::1", 9, 0)));
	SAY(send_to(a, "x", 1, in6("::1", 0, 0)));
	close(a);
	close(b);
}

/* IPv4 and IPv6 share one port by the order in which they bind. */
static void conflict(int only, int reuse, const char *addr6, uint32_t addr4,
		     bool inet_first)
{
	int six = sock_a(), four = socket(AF_INET, SOCK_DGRAM, proto_b);

	TRUE(four >= 0);
	printf("v6only %d, reuse %d, %s, %#x, %s first\n", only, reuse, addr6,
	       addr4, inet_first ? "IPv4" : "IPv6");
	TRUE(!set_int(six, SOL_IPV6, IPV6_V6ONLY, only));
	if (reuse) {
		TRUE(!set_int(six, SOL_SOCKET, reuse, 1));
		TRUE(!set_int(four, SOL_SOCKET, reuse, 1));
	}
	if (inet_first) {
		struct sockaddr_in at = inet(addr4, 0);

		SAY(bind(four, (struct sockaddr *)&at, sizeof(at)));
		SAY(bind_to(six, in6(addr6, port_of(four), 0)));
	} else {
		struct sockaddr_in at;

		SAY(bind_to(six, in6(addr6, 0, 0)));
		at = inet(addr4, port_of(six));
		SAY(bind(four, (struct sockaddr *)&at, sizeof(at)));
	}
	close(four);
	close(six);
}

static void run_conflicts(void)
{
	static const char *const addr6[] = { "::", "::1", "::ffff:127.0.0.1",
		"::ffff:0.0.0.0" };
	static const int reuse[] = { 0, SO_REUSEADDR, SO_REUSEPORT };
	unsigned int only, i, j;

	for (only = 0; only < 2; only++)
		for (i = 0; i < COUNT(reuse); i++)
			for (j = 0; j < COUNT(addr6); j++) {
				conflict(only, reuse[i], addr6[j], INADDR_ANY, true);
				conflict(only, reuse[i], addr6[j], INADDR_LOOPBACK, false);
				conflict(only, reuse[i], addr6[j], 0x7f000002, true);
			}
}

/* A socket receives by both families, or by IPv6 alone. */
static void run_dual(void)
{
	int a, b, four, only;
	struct sockaddr_in to;

	for (only = 0; only < 2; only++) {
		a = sock_a();
		b = sock_b();
		four = socket(AF_INET, SOCK_DGRAM, proto_b);
		TRUE(four >= 0);
		SAY(set_int(a, SOL_IPV6, IPV6_V6ONLY, only));
		SAY(bind_to(a, in6("::", 0, 0)));
		SAY(set_int(a, SOL_IPV6, IPV6_V6ONLY, !only));
		to = inet(INADDR_LOOPBACK, port_of(a));
		SAY(bind_in(b, inet(INADDR_ANY, 0)));
		SAY(sendto(four, "four", 4, 0, (struct sockaddr *)&to, sizeof(to)));
		SAY(receive(a, MSG_DONTWAIT));
		say_name("from", &r.from);
		if (!only)
			SAY(send_to(a, "back", 4, r.from));
		SAY(receive(four, MSG_DONTWAIT));
		SAY(send_to(b, "six", 3, in6("::1", port_of(a), 0)));
		SAY(receive(a, MSG_DONTWAIT));
		say_name("from", &r.from);
		SAY(send_to(a, "back", 4, r.from));
		SAY(receive(b, MSG_DONTWAIT));
		SAY(send_to(a, "out", 3, in6("::ffff:127.0.0.1", port_of(b), 0)));
		SAY(receive(b, MSG_DONTWAIT));
		/* The destination is a name of AF_INET. */
		to.sin_port = htons(port_of(b));
		SAY(sendto(a, "out", 3, 0, (struct sockaddr *)&to, sizeof(to)));
		SAY(receive(b, MSG_DONTWAIT));
		SAY(connect_to(a, in6("::ffff:127.0.0.1", port_of(b), 0)));
		say_names(a);
		SAY(send(a, "peer", 4, 0));
		SAY(receive(b, MSG_DONTWAIT));
		/* A datagram from another sender is not received. */
		SAY(send_to(b, "six", 3, in6("::1", port_of(a), 0)));
		SAY(receive(a, MSG_DONTWAIT));
		SAY(sendto(a, "out", 3, 0, (struct sockaddr *)&to, sizeof(to)));
		SAY(receive(b, MSG_DONTWAIT));
		close(a);
		close(b);
		close(four);
	}
}

static void run_addrform(void)
{
	int a = sock_a(), b = sock_b(), copy, i;

	SAY(set_int(a, SOL_IPV6, IPV6_ADDRFORM, AF_INET));
	SAY(bind_to(b, in6("::", 0, 0)));
	SAY(connect_to(a, in6("::1", port_of(b), 0)));
	SAY(set_int(a, SOL_IPV6, IPV6_ADDRFORM, AF_INET));
	/* The socket is made anew: its own address would stay that of IPv6. */
	close(a);
	a = sock_a();
	SAY(connect_to(a, in6("::ffff:127.0.0.1", port_of(b), 0)));
	SAY(set_int(a, SOL_IPV6, IPV6_ADDRFORM, AF_INET6));
	SAY(set_int(a, SOL_IPV6, IPV6_ADDRFORM, 99));
	SAY(send_to(b, "waits", 5, in6("::ffff:127.0.0.1", port_of(a), 0)));
	settle(a);
	copy = dup(a);
	SAY(set_int(a, SOL_IPV6, IPV6_ADDRFORM, AF_INET));
	SAY(get_int(copy, SOL_SOCKET, SO_DOMAIN));
	SAY(get_int(a, SOL_SOCKET, SO_PROTOCOL));
	SAY(get_int(a, SOL_SOCKET, SO_TYPE));
	say_names(a);
	SAY(receive(a, MSG_DONTWAIT));
	say_name("from", &r.from);
	SAY(set_int(a, SOL_IPV6, IPV6_ADDRFORM, AF_INET));
	SAY(get_int(a, SOL_IPV6, IPV6_ADDRFORM));
	SAY(get_int(a, SOL_IP, IP_TTL));
	SAY(get_int(a, SOL_UDP, 100 /* UDP_ENCAP */));
	for (i = 0; i < 5; i++) {
		SAY(send(a, "on its way", 10 - i, 0));
		SAY(receive(b, MSG_DONTWAIT));
		SAY(send_to(b, "back", i, in6("::ffff:127.0.0.1", port_of(a), 0)));
		SAY(receive(copy, MSG_DONTWAIT));
	}
	SAY(connect_in(a, inet(INADDR_LOOPBACK, port_of(b))));
	SAY(connect_to(a, in6("::1", port_of(b), 0)));
	close(a);
	SAY(send(copy, "still", 5, 0));
	SAY(receive(b, MSG_DONTWAIT));
	close(b);
	SAY(send(copy, "closed", 6, 0));
	all_arrived();
	SAY(poll_of(copy, POLLIN | POLLOUT, 0));
	SAY(recv(copy, buf, 10, MSG_DONTWAIT));
	close(copy);
}

static long map_put(int map, uint32_t key, int fd)
{
	union bpf_attr attr = { .map_fd = map, .key = (uintptr_t)&key };
	uint32_t value = fd;

	attr.value = (uintptr_t)&value;
	return syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr));
}

static long map_take(int map, uint32_t key)
{
	union bpf_attr attr = { .map_fd = map, .key = (uintptr_t)&key };

	return syscall(SYS_bpf, BPF_MAP_DELETE_ELEM, &attr, sizeof(attr));
}

static void to_each_other(int a, int b)
{
	SAY(send_to(a, "there", 5, in6("::1", port_of(b), 0)));
	SAY(receive(b, MSG_DONTWAIT));
	say_name("from", &r.from);
	SAY(send_to(b, "and back", 8, in6("::1", port_of(a), 0)));
	SAY(receive(a, MSG_DONTWAIT));
	say_name("from", &r.from);
}

/* A BPF map holds sockets of both kinds, and replaces their operations meanwhile. */
static void run_map(void)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_SOCKMAP,
		.key_size = 4, .value_size = 4, .max_entries = 4 };
	int map, a = sock_a(), b = sock_b(), c = sock_a();

	SAY((map = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr))) >= 0);
	SAY(map_put(map, 0, a));
	TRUE(!bind_to(a, in6("::1", 0, 0)));
	TRUE(!bind_to(b, in6("::1", 0, 0)));
	TRUE(!bind_to(c, in6("::1", 0, 0)));
	SAY(map_put(map, 0, a));
	SAY(map_put(map, 1, b));
	SAY(map_put(map, 2, a));
	SAY(map_put(map, 3, c));
	to_each_other(a, b);
	SAY(map_take(map, 0));
	to_each_other(a, b);
	SAY(map_take(map, 2));
	to_each_other(a, b);
	SAY(map_put(map, 2, a));
	SAY(map_take(map, 1));
	to_each_other(a, c);
	to_each_other(b, c);
	close(a);
	close(b);
	a = sock_a();
	b = sock_b();
	TRUE(!bind_to(a, in6("::1", 0, 0)));
	TRUE(!bind_to(b, in6("::1", 0, 0)));
	to_each_other(a, b);
	SAY(map_put(map, 1, b));
	close(map);
	to_each_other(c, b);
	close(a);
	close(b);
	close(c);
}

static const struct same_case cases[] = {
	{ "sizes", run_sizes },
	{ "names", run_names },
	{ "conflicts", run_conflicts },
	{ "dual", run_dual },
	{ "addrform", run_addrform },
	{ "map", run_map },
	{}
};

int main(int argc, char **argv)
{
	spelling = AS_INET6;
	one_processor();
	return same_main(argc, argv, cases);
}
