// SPDX-License-Identifier: GPL-2.0-only
/* udp-tpi.c - the answers of the UDP provider to a transport user */
#include "udp-tpi.h"

#include <net/ethernet.h>
#include <netinet/udp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

static char big[65507];

static void check_info(const struct T_info_ack *info, int state)
{
	check_udp_info(info, state, 65507, sizeof(struct sockaddr_in));
}

static void run_info(void)
{
	struct sockaddr_in sin;
	int fd = endpoint();

	out.prim.type = T_INFO_REQ;
	IS(send_prim(fd, sizeof(out.prim.info_req), NULL, 0, RS_HIPRI), 0);
	receive_prim(fd, T_INFO_ACK);
	IS(in.hipri, 1);
	IS(in.ctl_len, sizeof(in.prim.info_ack));
	check_info(&in.prim.info_ack, TS_UNBND);
	sin = loopback(0);
	bind_to(fd, &sin);
	out.prim.type = T_INFO_REQ;
	IS(send_prim(fd, sizeof(out.prim.info_req), NULL, 0, 0), 0);
	receive_prim(fd, T_INFO_ACK);
	check_info(&in.prim.info_ack, TS_IDLE);
	close(fd);
}

static void run_capability(void)
{
	int fd = endpoint();

	out.prim.capability_req = (struct T_capability_req){
		.PRIM_type = T_CAPABILITY_REQ,
		.CAP_bits1 = TC1_INFO | TC1_ACCEPTOR_ID | 0x8000,
	};
	IS(send_prim(fd, sizeof(out.prim.capability_req), NULL, 0, 0), 0);
	receive_prim(fd, T_CAPABILITY_ACK);
	IS(in.hipri, 0);
	IS(in.prim.capability_ack.CAP_bits1, TC1_INFO);
	check_info(&in.prim.capability_ack.INFO_ack, TS_UNBND);
	out.prim.capability_req.CAP_bits1 = 0;
	IS(send_prim(fd, sizeof(out.prim.capability_req), NULL, 0, RS_HIPRI), 0);
	receive_prim(fd, T_CAPABILITY_ACK);
	IS(in.hipri, 1);
	IS(in.prim.capability_ack.CAP_bits1, 0);
	close(fd);
}

static void run_bind(void)
{
	struct sockaddr_in sin, again, wild;
	socklen_t len = sizeof(sin);
	int fd, other, sock;

	/* The endpoint asks for any address, and then for none. */
	fd = endpoint();
	wild = bind_to(fd, NULL);
	IS(wild.sin_addr.s_addr, INADDR_ANY);
	TRUE(wild.sin_port);
	send_bind(fd, NULL);
	receive_error(fd, T_BIND_REQ, TOUTSTATE, 0);
	put_simple(fd, T_ADDR_REQ);
	receive_prim(fd, T_ADDR_ACK);
	again = address(in.prim.addr_ack.LOCADDR_offset,
			in.prim.addr_ack.LOCADDR_length);
	IS(again.sin_port, wild.sin_port);
	IS(in.prim.addr_ack.REMADDR_length, 0);
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	put_simple(fd, T_UNBIND_REQ);
	receive_error(fd, T_UNBIND_REQ, TOUTSTATE, 0);
	put_simple(fd, T_ADDR_REQ);
	receive_prim(fd, T_ADDR_ACK);
	IS(in.prim.addr_ack.LOCADDR_length, 0);

	/* The same port can be bound again; two endpoints cannot have it. */
	again = bind_to(fd, &wild);
	IS(again.sin_port, wild.sin_port);
	other = endpoint();
	send_bind(other, &wild);
	receive_error(other, T_BIND_REQ, TADDRBUSY, 0);
	sock = socket(AF_INET, SOCK_DGRAM, 0);
	FAILS(bind(sock, (struct sockaddr *)&wild, sizeof(wild)), EADDRINUSE);
	close(fd);
	IS(bind(sock, (struct sockaddr *)&wild, sizeof(wild)), 0);
	send_bind(other, &wild);
	receive_error(other, T_BIND_REQ, TADDRBUSY, 0);
	close(sock);
	sin = bind_to(other, &wild);
	IS(sin.sin_port, wild.sin_port);
	close(other);

	/* A socket's port is found in use by an endpoint. */
	sock = udp_socket(&sin);
	IS(getsockname(sock, (struct sockaddr *)&sin, &len), 0);
	fd = endpoint();
	send_bind(fd, &sin);
	receive_error(fd, T_BIND_REQ, TADDRBUSY, 0);
	close(sock);
	close(fd);
}

static void run_bad_bind(void)
{
	struct sockaddr_in sin = loopback(0);
	struct T_bind_req *req = &out.prim.bind_req;
	int fd = endpoint();

	sin.sin_family = AF_INET6;
	send_bind(fd, &sin);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	sin = loopback(0);
	sin.sin_addr.s_addr = htonl(0x08080808);	/* not one of ours */
	send_bind(fd, &sin);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);

	*req = (struct T_bind_req){ T_BIND_REQ, 15, sizeof(*req), 0 };
	IS(send_prim(fd, sizeof(*req) + 16, NULL, 0, 0), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	*req = (struct T_bind_req){ T_BIND_REQ, 16, sizeof(*req) + 1, 0 };
	IS(send_prim(fd, sizeof(*req) + 16, NULL, 0, 0), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	*req = (struct T_bind_req){ T_BIND_REQ, 16, 0x7ffffff8, 0 };
	IS(send_prim(fd, sizeof(*req) + 16, NULL, 0, 0), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	*req = (struct T_bind_req){ T_BIND_REQ, 16, -16, 0 };
	IS(send_prim(fd, sizeof(*req) + 16, NULL, 0, 0), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	*req = (struct T_bind_req){ T_BIND_REQ, -16, sizeof(*req), 0 };
	IS(send_prim(fd, sizeof(*req) + 16, NULL, 0, 0), 0);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	IS(send_prim(fd, 8, NULL, 0, 0), 0);
	receive_error(fd, T_BIND_REQ, TSYSERR, EINVAL);

	/* The endpoint still works after these errors. */
	sin = loopback(0);
	bind_to(fd, &sin);
	close(fd);
}

/* A user that may not bind ports below 1024 runs this. */
static void run_privileged(void)
{
	struct sockaddr_in sin = loopback(53);
	int fd = endpoint();

	send_bind(fd, &sin);
	receive_error(fd, T_BIND_REQ, TACCES, 0);
	close(fd);
}

static void run_opener(void)
{
	rights_of_opener(53);
}

static void run_datagrams(void)
{
	static const int sizes[] = { 0, 1, 2, 7, 511, 1472, 1473, 4096, 9000,
		16384, 32768, 60000, 65507 };
	struct sockaddr_in a, b, n, from;
	socklen_t len = sizeof(from);
	int fa = bound(&a), fb = bound(&b), fn = udp_socket(&n);
	unsigned int i;

	for (i = 0; i < sizeof(big); i++)
		big[i] = i * 7 + i / 251;
	for (i = 0; i < COUNT(sizes); i++) {
		int size = sizes[i];

		IS(put_datagram(fa, &b, NULL, 0, big, size), 0);
		from = receive_datagram(fb, big, size);
		IS(from.sin_port, a.sin_port);
		IS(from.sin_addr.s_addr, a.sin_addr.s_addr);

		IS(put_datagram(fa, &n, NULL, 0, big, size), 0);
		IS(recvfrom(fn, in.data, sizeof(in.data), 0,
			    (struct sockaddr *)&from, &len), size);
		TRUE(!memcmp(in.data, big, size));
		IS(from.sin_port, a.sin_port);

		IS(sendto(fn, big, size, 0, (struct sockaddr *)&a, sizeof(a)),
		   size);
		from = receive_datagram(fa, big, size);
		IS(from.sin_port, n.sin_port);
	}
	/* A message without a data part is an empty datagram. */
	IS(put_datagram(fa, &n, NULL, 0, NULL, 0), 0);
	IS(recv(fn, in.data, sizeof(in.data), 0), 0);
	close(fa);
	close(fb);
	close(fn);
}

static void run_uderror(void)
{
	struct sockaddr_in a, to;
	int fd = bound(&a), sock = udp_socket(&to);
	static char longer[65508];

	/* The receiver has been closed. */
	close(sock);
	IS(put_datagram(fd, &to, NULL, 0, "x", 1), 0);
	receive_uderror(fd, &to, ECONNREFUSED);
	to.sin_port = 0;
	IS(put_datagram(fd, &to, NULL, 0, "x", 1), 0);
	receive_uderror(fd, &to, EINVAL);
	to = loopback(9);
	IS(put_datagram(fd, &to, NULL, 0, longer, sizeof(longer)), 0);
	receive_uderror(fd, &to, EMSGSIZE);
	to.sin_addr.s_addr = htonl(INADDR_BROADCAST);
	IS(put_datagram(fd, &to, NULL, 0, "x", 1), 0);
	receive_prim(fd, T_UDERROR_IND);
	TRUE(in.prim.uderror_ind.ERROR_type == EACCES ||
	     in.prim.uderror_ind.ERROR_type == ENETUNREACH);
	/* The endpoint still works. */
	IS(put_datagram(fd, &a, NULL, 0, "abc", 3), 0);
	receive_datagram(fd, "abc", 3);
	close(fd);
}

/* A BPF program (udp-bpf) refuses all destinations. */
static void run_forbidden(void)
{
	struct sockaddr_in a, b;
	int fa = bound(&a), fb = bound(&b);

	IS(put_datagram(fa, &b, NULL, 0, "x", 1), 0);
	receive_uderror(fa, &b, EPERM);
	receive_none(fb);
	close(fa);
	close(fb);
}

/*
 * ss -K takes the endpoint's port away, and no datagram is sent without a port.
 */
static void run_aborted(void)
{
	struct sockaddr_in to;
	int fd = endpoint(), sock = udp_socket(&to), port;
	char command[60], byte;

	port = ntohs(bind_to(fd, NULL).sin_port);
	IS(put_datagram(fd, &to, NULL, 0, "x", 1), 0);
	IS(recv(sock, &byte, 1, 0), 1);
	snprintf(command, sizeof(command), "ss -uaK sport = :%d >/dev/null", port);
	IS(system(command), 0);
	do {
		IS(put_datagram(fd, &to, NULL, 0, "x", 1), 0);
		receive_prim(fd, T_UDERROR_IND);
	} while (in.prim.uderror_ind.ERROR_type == ECONNABORTED);
	IS(in.prim.uderror_ind.ERROR_type, EADDRNOTAVAIL);
	FAILS(recv(sock, &byte, 1, MSG_DONTWAIT), EAGAIN);
	close(fd);
	close(sock);
}

static void run_unsupported(void)
{
	static const int types[] = { T_CONN_REQ, T_CONN_RES, T_DISCON_REQ,
		T_DATA_REQ, T_EXDATA_REQ, T_ORDREL_REQ, T_OPTDATA_REQ };
	int fd = endpoint();
	unsigned int i;

	memset(&out, 0, sizeof(out));
	for (i = 0; i < COUNT(types); i++) {
		put_simple(fd, types[i]);
		receive_error(fd, types[i], TNOTSUPPORT, 0);
	}
	close(fd);
}

static void malformed(int fd, int dest_len, int dest_off, int opt_len,
		      int opt_off, int size)
{
	out.prim.unitdata_req = (struct T_unitdata_req){
		T_UNITDATA_REQ, dest_len, dest_off, opt_len, opt_off
	};
	IS(send_prim(fd, size, "x", 1, 0), 0);
	expect_ended(fd);
}

static void run_malformed(void)
{
	struct sockaddr_in a;
	int fd;

	/*
	 * One message is too short for a primitive, one is an unknown
	 * primitive.
	 */
	memset(&out, 0, sizeof(out));
	fd = endpoint();
	IS(send_prim(fd, 0, NULL, 0, 0), 0);
	expect_ended(fd);
	fd = endpoint();
	IS(send_prim(fd, 3, NULL, 0, 0), 0);
	expect_ended(fd);
	fd = endpoint();
	put_simple(fd, 4711);
	expect_ended(fd);
	fd = endpoint();
	put_simple(fd, T_UNITDATA_IND);
	expect_ended(fd);
	fd = endpoint();
	IS(write(fd, "x", 1), 1);
	expect_ended(fd);

	malformed(bound(&a), 16, 20, 0, 0, 19);		/* cut off */
	malformed(bound(&a), 16, 21, 0, 0, 36);		/* beyond the end */
	malformed(bound(&a), 16, -4, 0, 0, 36);
	malformed(bound(&a), -16, 20, 0, 0, 36);
	malformed(bound(&a), 0x7fffffff, 0x7fffffff, 0, 0, 36);
	malformed(bound(&a), 16, 20, 16, 36, 36);
	malformed(bound(&a), 16, 20, -1, 36, 36);
	malformed(bound(&a), 16, 20, 1, 0x7fffffff, 36);
	/*
	 * The primitive is not acknowledged, so in a wrong state it ends the
	 * stream.
	 */
	a = loopback(9);
	fd = endpoint();
	IS(put_datagram(fd, &a, NULL, 0, "x", 1), 0);
	expect_ended(fd);
}

/* Primitives that wait for an answer are carried out after it, in order. */
static void run_order(void)
{
	struct sockaddr_in a = loopback(0), n;
	int fd = endpoint(), fn = udp_socket(&n), i;

	for (i = 0; i < 50; i++) {
		send_bind(fd, &a);
		IS(put_datagram(fd, &n, NULL, 0, &i, sizeof(i)), 0);
		receive_prim(fd, T_BIND_ACK);
		/*
		 * The endpoint is read before its unbind: an acknowledged
		 * T_UNBIND_REQ flushes what is unread.
		 */
		put_simple(fd, T_UNBIND_REQ);
		receive_ok(fd, T_UNBIND_REQ);
		IS(recv(fn, in.data, sizeof(in.data), 0), sizeof(i));
		TRUE(!memcmp(in.data, &i, sizeof(i)));
	}
	close(fd);
	close(fn);
}

/*
 * A reader stays away: the queue is bounded, and its datagrams are still in
 * order.
 */
static void run_overflow(void)
{
	struct sockaddr_in a, n;
	int fd = bound(&a), fn = udp_socket(&n), i, last = -1, got = 0;
	const int sent = 20000;
	cpu_set_t one;

	/* Loopback keeps the order of what one processor sends. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	IS(sched_setaffinity(0, sizeof(one), &one), 0);
	for (i = 0; i < sent; i++)
		IS(sendto(fn, &i, sizeof(i), 0, (struct sockaddr *)&a,
			  sizeof(a)), sizeof(i));
	for (;;) {
		int number;

		/*
		 * One more datagram is sent behind all others, when there is
		 * room for it.
		 */
		if (!arrives(fd, 0)) {
			IS(sendto(fn, "last one", 8, 0, (struct sockaddr *)&a, sizeof(a)), 8);
			TRUE(arrives(fd, WAIT_MS));
		}
		IS(in.prim.type, T_UNITDATA_IND);
		if (in.data_len == 8)
			break;
		memcpy(&number, in.data, sizeof(number));
		TRUE(number > last);
		last = number;
		got++;
	}
	TRUE(got > 100 && got < sent);
	close(fd);
	close(fn);
}

/*
 * The data is larger than the send buffer: the sender waits, and no datagram is
 * lost.
 */
static void run_many(void)
{
	const unsigned long sent = test_scaled(100000);
	struct sockaddr_in a, b;
	int fa = bound(&a), fb = bound(&b);
	unsigned long i;

	for (i = 0; i < sent; i++) {
		IS(put_datagram(fa, &b, NULL, 0, &i, sizeof(i)), 0);
		receive_datagram(fb, &i, sizeof(i));
	}
	close(fa);
	close(fb);
}

static void run_ioctl(void)
{
	struct strioctl ic = { .ic_cmd = ('T' << 8) | 140, .ic_timout = WAIT_SECONDS };
	struct sockaddr_in a;
	int fd = bound(&a), i, bytes;

	FAILS(ioctl(fd, I_STR, &ic), EINVAL);
	FAILS(ioctl(fd, I_PUSH, "udp"), EINVAL);
	IS(isastream(fd), 1);
	for (i = 0; i < 10; i++)
		IS(put_datagram(fd, &a, NULL, 0, "x", 1), 0);
	UNTIL(ioctl(fd, I_NREAD, &bytes) == 10);
	IS(ioctl(fd, I_FLUSH, FLUSHRW), 0);
	IS(put_datagram(fd, &a, NULL, 0, "after", 5), 0);
	receive_datagram(fd, "after", 5);
	close(fd);
}

/* Modules are pushed and popped between while datagrams wait. */
static void run_pushed(void)
{
	struct sockaddr_in a, from;
	int fd = bound(&a), i;

	for (i = 0; i < 5; i++) {
		IS(put_datagram(fd, &a, NULL, 0, "waits", 5), 0);
		IS(ioctl(fd, I_PUSH, "nullmod"), 0);
		IS(put_datagram(fd, &a, NULL, 0, "passes", 6), 0);
		receive_datagram(fd, "waits", 5);
		from = receive_datagram(fd, "passes", 6);
		IS(from.sin_port, a.sin_port);
	}
	out.prim.type = T_INFO_REQ;
	IS(send_prim(fd, sizeof(out.prim.info_req), NULL, 0, RS_HIPRI), 0);
	receive_prim(fd, T_INFO_ACK);
	check_info(&in.prim.info_ack, TS_IDLE);
	for (i = 0; i < 5; i++)
		IS(ioctl(fd, I_POP, 0), 0);
	FAILS(ioctl(fd, I_POP, 0), EINVAL);
	close(fd);
}

/*
 * Datagrams of another stream that arrive directly bypass timod, but a module
 * that changes data gets each, as long as it is pushed.
 */
static void run_changed(void)
{
	struct sockaddr_in a, b;
	int fd = bound(&a), other = bound(&b), i;

	IS(ioctl(fd, I_PUSH, "timod"), 0);
	for (i = 0; i < 50; i++) {
		IS(put_datagram(other, &a, NULL, 0, "plain", 5), 0);
		IS(ioctl(fd, I_PUSH, "flipmod"), 0);
		IS(put_datagram(other, &a, NULL, 0, "plain", 5), 0);
		IS(receive_datagram(fd, "plain", 5).sin_port, b.sin_port);
		IS(receive_datagram(fd, "PLAIN", 5).sin_port, b.sin_port);
		IS(ioctl(fd, I_POP, 0), 0);
	}
	close(fd);
	close(other);
}

/* Returns a file that has a number of bytes "a". */
static int file_of(size_t len)
{
	int fd = memfd_create("data", MFD_CLOEXEC);

	TRUE(fd >= 0);
	memset(big, 'a', len);
	IS(write(fd, big, len), len);
	return fd;
}

/* Sends a part of a file by a socket, as one datagram that the file's pages are part of. */
static void send_file(int fd, int file, off_t from, size_t len)
{
	int on = 1, off = 0;

	IS(setsockopt(fd, IPPROTO_UDP, UDP_CORK, &on, sizeof(on)), 0);
	IS(sendfile(fd, file, &from, len), len);
	IS(setsockopt(fd, IPPROTO_UDP, UDP_CORK, &off, sizeof(off)), 0);
}

/* A module changes its copy of the bytes, and not the file. */
static void run_file(void)
{
	size_t page = sysconf(_SC_PAGESIZE), len = 3 * page, i;
	static char changed[65507], read_back[65507];
	struct sockaddr_in a, s;
	int fd = bound(&a), sock = udp_socket(&s), file = file_of(4 * page);

	IS(ioctl(fd, I_PUSH, "flipmod"), 0);
	IS(connect(sock, (struct sockaddr *)&a, sizeof(a)), 0);
	memset(changed, 'A', len);
	for (i = 0; i < 3; i++) {
		send_file(sock, file, i, len);
		IS(receive_datagram(fd, changed, len).sin_port, s.sin_port);
	}
	IS(pread(file, read_back, sizeof(read_back), 0), 4 * page);
	IS(memcmp(read_back, big, 4 * page), 0);
	close(fd);
	close(sock);
	close(file);
}

/* A packet socket sees all datagrams, so that they pass IP. */
static void run_observed(void)
{
	int tap = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL));
	struct sockaddr_in a, b;
	int fd = bound(&a), other = bound(&b), len;

	TRUE(tap >= 0);
	for (len = 0; len < (int)sizeof(big); len++)
		big[len] = len * 7 + len / 251;
	for (len = 0; len <= (int)sizeof(big); len = len * 3 + 1) {
		IS(put_datagram(fd, &b, NULL, 0, big, len), 0);
		IS(put_datagram(fd, &b, NULL, 0, "behind", 6), 0);
		IS(receive_datagram(other, big, len).sin_port, a.sin_port);
		receive_datagram(other, "behind", 6);
	}
	IS(put_datagram(fd, &b, NULL, 0, big, sizeof(big)), 0);
	receive_datagram(other, big, sizeof(big));
	/* The data is missing: nothing is sent. */
	FAILS(put_datagram(fd, &b, NULL, 0, (void *)8, 20000), EFAULT);
	IS(put_datagram(fd, &b, NULL, 0, "after", 5), 0);
	receive_datagram(other, "after", 5);
	/* An error does not end the stream. */
	b.sin_port = 0;
	IS(put_datagram(fd, &b, NULL, 0, "nowhere", 7), 0);
	receive_uderror(fd, &b, EINVAL);
	close(tap);
	close(fd);
	close(other);
}

/* A stream belongs to the namespace it was opened in, whichever process uses it. */
static void run_namespace(void)
{
	struct sockaddr_in a, n;
	int fd = bound(&a), fn = udp_socket(&n), other;

	IS(unshare(CLONE_NEWNET), 0);
	IS(put_datagram(fd, &n, NULL, 0, "here", 4), 0);
	IS(recv(fn, in.data, sizeof(in.data), 0), 4);
	other = endpoint();
	/* In the new namespace no address is up; the wildcard can be bound. */
	a.sin_addr.s_addr = INADDR_ANY;
	bind_to(other, &a);
	IS(put_datagram(other, &n, NULL, 0, "x", 1), 0);
	receive_uderror(other, &n, ENETUNREACH);
	close(fd);
	close(other);
	close(fn);
}

static const struct test_case cases[] = {
	{ "info", run_info },
	{ "capability", run_capability },
	{ "bind", run_bind },
	{ "bad-bind", run_bad_bind },
	{ "privileged", run_privileged },
	{ "opener", run_opener },
	{ "datagrams", run_datagrams },
	{ "uderror", run_uderror },
	{ "forbidden", run_forbidden },
	{ "aborted", run_aborted },
	{ "unsupported", run_unsupported },
	{ "malformed", run_malformed },
	{ "order", run_order },
	{ "overflow", run_overflow },
	{ "many", run_many },
	{ "ioctl", run_ioctl },
	{ "pushed", run_pushed },
	{ "changed", run_changed },
	{ "file", run_file },
	{ "observed", run_observed },
	{ "namespace", run_namespace },
	{}
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
