// SPDX-License-Identifier: GPL-2.0-only
/* Options of the providers over kernel sockets */
#include "slab.h"
#include "tpi-inet.h"
#include "tpi-options.h"

/* The structures t_linger and t_kpalive of XTI */
struct pair {
	int onoff, number;
};

static struct pair answered_pair(int n, unsigned int name)
{
	struct T_optmgmt_ack *ack = &in.prim.optmgmt_ack;
	struct pair value[8];
	struct T_opthdr oh;

	oh = option_at(ack->OPT_offset, ack->OPT_length, n, value, sizeof(value));
	IS(oh.name, name);
	IS(oh.status, T_SUCCESS);
	IS(oh.len, sizeof(oh) + sizeof(struct pair));
	return value[0];
}

static void ask_current(int fd, unsigned int level, unsigned int name)
{
	add(level, name, NULL, 0);
	ask(fd, T_CURRENT);
}

/*
 * Returns the seconds that the endpoint lingers when the option is set to
 * these.
 */
static int lingers(int fd, int onoff, int seconds)
{
	struct pair linger = { onoff, seconds };

	add(XTI_GENERIC, XTI_LINGER, &linger, sizeof(linger));
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	linger = answered_pair(0, XTI_LINGER);
	IS(linger.onoff, onoff);
	return linger.number;
}

/*
 * The peer of a process that is killed sees a reset if the process asked for
 * that, with 0 seconds; else the end of the data, as with native sockets.
 */
static void run_killed(void)
{
	struct sockaddr_in sin;
	int listening = native_listener(&sin, IPPROTO_TCP), sock, reset, status, fd;
	char byte;
	pid_t pid;

	for (reset = 0; reset < 2; reset++) {
		pid = fork();
		TRUE(pid >= 0);
		if (!pid) {
			fd = endpoint();
			bind_to(fd, NULL);
			connect_to(fd, &sin);
			if (reset)
				IS(lingers(fd, T_YES, 0), 0);
			raise(SIGKILL);
		}
		sock = native_accept(listening);
		IS(waitpid(pid, &status, 0), pid);
		IS(WTERMSIG(status), SIGKILL);
		if (reset)
			FAILS(recv(sock, &byte, 1, 0), ECONNRESET);
		else
			IS(recv(sock, &byte, 1, 0), 0);
		close(sock);
	}
}

/* Options of 4 and of 8 bytes are set before T_BIND_REQ. */
static void tcp_set(int fd)
{
	struct pair linger = { T_YES, 5 }, keep = { T_YES, 10 };
	unsigned long wide = T_YES;

	add_int(T_INET_TCP, T_TCP_NODELAY, T_YES);
	add(T_INET_IP, T_IP_REUSEADDR, &wide, sizeof(wide));
	add_int(T_INET_IP, T_IP_TOS, 0x10);
	add(XTI_GENERIC, XTI_LINGER, &linger, sizeof(linger));
	add(T_INET_TCP, T_TCP_KEEPALIVE, &keep, sizeof(keep));
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_TCP, T_TCP_NODELAY, T_SUCCESS), T_YES);
	IS(answered(1, T_INET_IP, T_IP_REUSEADDR, T_SUCCESS), T_YES);
	IS(answered(2, T_INET_IP, T_IP_TOS, T_SUCCESS), 0x10);
	IS(answered_pair(3, XTI_LINGER).number, 5);
	IS(answered_pair(4, T_TCP_KEEPALIVE).number, 10);
}

/* The options outlive a connection, whose socket is closed, and T_UNBIND_REQ. */
static void tcp_kept(int fd, int listening, const struct sockaddr_in *sin)
{
	int sock;

	bind_to(fd, NULL);
	connect_to(fd, sin);
	sock = native_accept(listening);
	native_reset(sock);
	receive_discon(fd, ECONNRESET, -1);
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	ask_current(fd, T_INET_TCP, T_TCP_NODELAY);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_TCP, T_TCP_NODELAY, T_SUCCESS), T_YES);
	ask_current(fd, XTI_GENERIC, XTI_LINGER);
	receive_answer(fd, T_SUCCESS);
	IS(answered_pair(0, XTI_LINGER).onoff, T_YES);
	ask_current(fd, T_INET_TCP, T_TCP_KEEPALIVE);
	receive_answer(fd, T_SUCCESS);
	IS(answered_pair(0, T_TCP_KEEPALIVE).number, 10);
}

/*
 * Tries all options of a level, a read-only one, one that does not exist, and
 * bad values.
 */
static void tcp_refused(int fd)
{
	struct pair keep = { T_YES, 547 };
	unsigned long wide;

	add(T_INET_TCP, T_ALLOPT, NULL, 0);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	ask_current(fd, T_INET_TCP, T_TCP_NODELAY);
	receive_answer(fd, T_SUCCESS);
	IS(answered(0, T_INET_TCP, T_TCP_NODELAY, T_SUCCESS), T_NO);
	add_int(T_INET_TCP, T_TCP_MAXSEG, 500);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_READONLY);
	add_int(T_INET_TCP, 99, 1);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_NOTSUPPORT);
	add_int(T_INET_UDP, T_UDP_CHECKSUM, T_NO);
	ask(fd, T_NEGOTIATE);
	receive_error(fd, T_OPTMGMT_REQ, TBADOPT, 0);
	add(T_INET_TCP, T_TCP_KEEPALIVE, &keep, sizeof(keep));
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_FAILURE);
	/* The value is one number. */
	for (wide = T_NO; wide <= T_YES; wide++) {
		add(T_INET_TCP, T_TCP_KEEPALIVE, &wide, sizeof(wide));
		ask(fd, T_NEGOTIATE);
		receive_answer(fd, T_SUCCESS);
		IS(answered_pair(0, T_TCP_KEEPALIVE).onoff, wide);
	}
}

static void tcp_linger(int fd)
{
	struct pair linger = { T_YES, -4 };

	IS(lingers(fd, T_YES, 7), 7);
	IS(lingers(fd, T_YES, -1), -1);		/* T_INFINITE */
	IS(lingers(fd, T_YES, ~0 - 2), 15);	/* T_UNSPEC */
	IS(lingers(fd, T_NO, -1), 0);
	IS(lingers(fd, T_NO, -9), 0);
	add(XTI_GENERIC, XTI_LINGER, &linger, sizeof(linger));
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_FAILURE);
}

static void run_tcp(void)
{
	struct sockaddr_in sin;
	int fd = endpoint(), listening = native_listener(&sin, IPPROTO_TCP), sock;
	struct pair linger = { T_YES, 0 };

	tcp_set(fd);
	tcp_kept(fd, listening, &sin);
	tcp_refused(fd);
	tcp_linger(fd);
	/* With a linger time of 0 seconds a close resets the connection. */
	add(XTI_GENERIC, XTI_LINGER, &linger, sizeof(linger));
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	bind_to(fd, NULL);
	connect_to(fd, &sin);
	sock = native_accept(listening);
	close(fd);
	FAILS(recv(sock, in.data, 1, 0), ECONNRESET);
	close(sock);
	close(listening);
}

static void run_dgram(void)
{
	struct T_unitdata_ind *ind = &in.prim.unitdata_ind;
	struct sockaddr_in a, b;
	struct in_addr addr;
	unsigned char ttl = 9;
	unsigned int tos;
	int fa, fb;

	inet_device = "/dev/streams/udp_s";
	fa = bound(&a);
	fb = bound(&b);
	add_int(T_INET_IP, T_IP_RECVDSTADDR, T_YES);
	add_int(T_INET_IP, T_IP_RECVTTL, T_YES);
	add_int(T_INET_IP, T_IP_RECVTOS, T_YES);
	ask(fb, T_NEGOTIATE);
	receive_answer(fb, T_SUCCESS);
	add(T_INET_IP, T_IP_TTL, &ttl, sizeof(ttl));
	add_int(T_INET_IP, T_IP_TOS, 0x08);
	IS(put_datagram(fa, &b, list, list_len, "optional", 8), 0);
	list_len = 0;
	receive_datagram(fb, "optional", 8);
	TRUE(ind->OPT_offset + ind->OPT_length <= in.ctl_len);
	IS(option_at(ind->OPT_offset, ind->OPT_length, 0, &addr, sizeof(addr)).name,
	   T_IP_RECVDSTADDR);
	IS(addr.s_addr, htonl(INADDR_LOOPBACK));
	IS(option_at(ind->OPT_offset, ind->OPT_length, 1, &ttl, sizeof(ttl)).name, T_IP_TTL);
	IS(ttl, 9);
	IS(option_at(ind->OPT_offset, ind->OPT_length, 2, &tos, sizeof(tos)).name, T_IP_TOS);
	IS(tos, 0x08);
	/* The option was for one datagram. */
	IS(put_datagram(fa, &b, NULL, 0, "usual", 5), 0);
	receive_datagram(fb, "usual", 5);
	option_at(ind->OPT_offset, ind->OPT_length, 1, &ttl, sizeof(ttl));
	IS(ttl, 64);
	/* These options do not exist. */
	add_int(T_INET_UDP, T_UDP_CHECKSUM, T_NO);
	IS(put_datagram(fa, &b, list, list_len, "x", 1), 0);
	list_len = 0;
	receive_uderror(fa, &b, EINVAL);
	close(fa);
	close(fb);
}

/*
 * Datagrams wait at the head of a stream: each takes one object, its control
 * part and a few bytes of data.
 */
static void take_one_object(int fd, int fn, const struct sockaddr_in *to)
{
	const int runs = 5, run = 40;
	int i, j, bytes;
	long medium, small;

	/* Streams that were closed before give their objects back later. */
	UNTIL(!slab_objects("streams_medium"));
	small = slab_objects("streams_small");
	for (i = 1; i <= runs; i++) {
		for (j = 0; j < run; j++)
			IS(sendto(fn, "datagram", 8, 0, (struct sockaddr *)to, sizeof(*to)), 8);
		UNTIL(ioctl(fd, I_NREAD, &bytes) == i * run);
	}
	medium = slab_objects("streams_medium");
	small = slab_objects("streams_small") - small;
	printf("%d datagrams: %ld objects of 384 bytes, %ld of 256\n", runs * run, medium, small);
	TRUE(medium > runs * run * 3 / 4);
	TRUE(small < runs * run / 4);
	IS(ioctl(fd, I_FLUSH, FLUSHR), 0);
}

static void run_one_object(void)
{
	struct sockaddr_in a, b, n;
	int fa, fb, fn;

	inet_device = "/dev/streams/udp_s";
	fa = bound(&a);
	fb = bound(&b);
	fn = udp_socket(&n);
	take_one_object(fa, fn, &a);
	add_int(T_INET_IP, T_IP_RECVDSTADDR, T_YES);
	add_int(T_INET_IP, T_IP_RECVTTL, T_YES);
	add_int(T_INET_IP, T_IP_RECVTOS, T_YES);
	ask(fb, T_NEGOTIATE);
	receive_answer(fb, T_SUCCESS);
	take_one_object(fb, fn, &b);
	close(fa);
	close(fb);
	close(fn);
}

static int default_of(int fd, unsigned int level, unsigned int name)
{
	add(level, name, NULL, 0);
	ask(fd, T_DEFAULT);
	receive_answer(fd, T_SUCCESS);
	return answered(0, level, name, T_SUCCESS);
}

static int current_of(int fd, unsigned int level, unsigned int name)
{
	ask_current(fd, level, name);
	receive_answer(fd, T_SUCCESS);
	return answered(0, level, name, T_SUCCESS);
}

static void set(int fd, unsigned int level, unsigned int name, int value)
{
	add_int(level, name, value);
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
}

/* T_DEFAULT reports an option's first value, whatever its current value is. */
static void run_defaults(void)
{
	static const unsigned char nops[] = { 1, 1, 1, 0 };
	unsigned char options[8], many[44] = { 0 };
	struct sockaddr_in sin;
	struct T_opthdr oh;
	int fd, was;

	inet_device = "/dev/streams/udp_s";
	fd = bound(&sin);
	IS(default_of(fd, T_INET_UDP, T_UDP_CHECKSUM), T_YES);
	set(fd, T_INET_UDP, T_UDP_CHECKSUM, T_NO);
	IS(current_of(fd, T_INET_UDP, T_UDP_CHECKSUM), T_NO);
	IS(default_of(fd, T_INET_UDP, T_UDP_CHECKSUM), T_YES);
	IS(default_of(fd, T_INET_IP, T_IP_BROADCAST), T_NO);
	was = current_of(fd, XTI_GENERIC, XTI_RCVBUF);
	set(fd, XTI_GENERIC, XTI_RCVBUF, 20000);
	IS(current_of(fd, XTI_GENERIC, XTI_RCVBUF), 20000);
	IS(default_of(fd, XTI_GENERIC, XTI_RCVBUF), was);
	IS(default_of(fd, XTI_GENERIC, XTI_SNDBUF), current_of(fd, XTI_GENERIC, XTI_SNDBUF));
	set(fd, XTI_GENERIC, XTI_RCVLOWAT, 100);
	IS(current_of(fd, XTI_GENERIC, XTI_RCVLOWAT), 100);
	IS(default_of(fd, XTI_GENERIC, XTI_RCVLOWAT), 1);

	/* The bytes of IP's options are set, and more than IP has room for. */
	add(T_INET_IP, T_IP_OPTIONS, nops, sizeof(nops));
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_SUCCESS);
	ask_current(fd, T_INET_IP, T_IP_OPTIONS);
	receive_answer(fd, T_SUCCESS);
	oh = option_at(in.prim.optmgmt_ack.OPT_offset, in.prim.optmgmt_ack.OPT_length, 0,
		       options, sizeof(options));
	IS(oh.len, sizeof(oh) + sizeof(nops));
	IS(memcmp(options, nops, sizeof(nops)), 0);
	add(T_INET_IP, T_IP_OPTIONS, many, sizeof(many));
	ask(fd, T_NEGOTIATE);
	receive_answer(fd, T_FAILURE);
	close(fd);
}

/* Sends data with the options that were added, which are forgotten. */
static void put_optdata(int fd, int flag, const char *text)
{
	struct T_optdata_req *req = &out.prim.optdata_req;

	*req = (struct T_optdata_req){
		T_OPTDATA_REQ, flag, list_len, list_len ? sizeof(*req) : 0
	};
	memcpy(req + 1, list, list_len);
	IS(send_prim(fd, sizeof(*req) + list_len, text, strlen(text), 0), 0);
	list_len = 0;
}

/*
 * The primitive has no answer: a malformed one ends the stream, and its data is
 * not sent.
 */
static void optdata_ends(int protocol, int flag)
{
	char byte;
	int fd, sock;

	socket_pair(&fd, &sock, protocol);
	put_optdata(fd, flag, "x");
	expect_ended(fd);
	TRUE(recv(sock, &byte, 1, 0) <= 0);
	close(sock);
}

static void optdata_of(int protocol)
{
	struct T_opthdr oh = { 100, T_INET_IP, T_IP_TTL, 0 };
	int fd, sock;

	socket_pair(&fd, &sock, protocol);
	add_int(T_INET_IP, T_IP_TTL, 9);
	put_optdata(fd, 0, "with an option");
	native_receive(sock, "with an option");
	IS(current_of(fd, T_INET_IP, T_IP_TTL), 9);
	put_optdata(fd, 0, "without");
	native_receive(sock, "without");
	put_optdata(fd, T_ODF_MORE, "begun, ");
	put_data(fd, "and ended");
	native_receive(sock, "begun, and ended");
	put_simple(fd, T_ORDREL_REQ);
	becomes(fd, TS_WIND_ORDREL);
	put_optdata(fd, 0, "x");
	expect_ended(fd);
	close(sock);

	/*
	 * These are invalid: a value that TTL cannot have, an unknown option, a
	 * malformed list, an unknown flag.
	 */
	add_int(T_INET_IP, T_IP_TTL, 0x1000);
	optdata_ends(protocol, 0);
	add_int(T_INET_UDP, T_UDP_CHECKSUM, T_NO);
	optdata_ends(protocol, 0);
	memcpy(list, &oh, list_len = sizeof(oh));
	optdata_ends(protocol, 0);
	optdata_ends(protocol, 4);
}

/*
 * An option of data that waits for room is set once: an option that is set
 * meanwhile stays.
 */
static void run_optdata_waits(void)
{
	struct T_optdata_req *req = &out.prim.optdata_req;
	static char data[60000], got[sizeof(data)];
	struct sockaddr_in sin;
	int listening, fd, sock, room = 4096;

	listening = native_listener(&sin, IPPROTO_TCP);
	IS(setsockopt(listening, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)), 0);
	fd = connected(&sin);
	sock = native_accept(listening);
	set(fd, XTI_GENERIC, XTI_SNDBUF, room);
	add_int(T_INET_TCP, T_TCP_NODELAY, T_YES);
	*req = (struct T_optdata_req){ T_OPTDATA_REQ, 0, list_len, sizeof(*req) };
	memcpy(req + 1, list, list_len);
	IS(send_prim(fd, sizeof(*req) + list_len, data, sizeof(data), 0), 0);
	list_len = 0;
	UNTIL(current_of(fd, T_INET_TCP, T_TCP_NODELAY) == T_YES);
	set(fd, T_INET_TCP, T_TCP_NODELAY, T_NO);
	IS(recv(sock, got, sizeof(got), MSG_WAITALL), sizeof(got));
	IS(current_of(fd, T_INET_TCP, T_TCP_NODELAY), T_NO);
	close(fd);
	close(sock);
	close(listening);
}

/* Data that may wait for room cannot pass data that waits. */
static void optdata_of_priority(void)
{
	int fd, sock;

	socket_pair(&fd, &sock, IPPROTO_TCP);
	out.prim.optdata_req = (struct T_optdata_req){ .PRIM_type = T_OPTDATA_REQ };
	IS(send_prim(fd, sizeof(out.prim.optdata_req), "x", 1, RS_HIPRI), 0);
	expect_ended(fd);
	close(sock);
}

static void run_optdata(void)
{
	int fd, sock, mark, on = 1;

	optdata_of(IPPROTO_TCP);
	optdata_of_priority();
	socket_pair(&fd, &sock, IPPROTO_TCP);
	put_optdata(fd, T_ODF_EX | T_ODF_MORE, "1");
	put_optdata(fd, T_ODF_EX, "2!");
	put_optdata(fd, 0, "3");
	IS(setsockopt(sock, SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on)), 0);
	native_receive(sock, "12");
	IS(ioctl(sock, SIOCATMARK, &mark), 0);
	IS(mark, 1);
	native_receive(sock, "!3");
	/* The data may have crossed the end of the connection. */
	native_reset(sock);
	receive_discon(fd, ECONNRESET, -1);
	put_optdata(fd, 0, "late");
	becomes(fd, TS_IDLE);
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	put_optdata(fd, 0, "never bound");
	expect_ended(fd);

	/* Datagrams have options of their own. */
	inet_device = "/dev/streams/udp_s";
	fd = endpoint();
	put_optdata(fd, 0, "x");
	receive_error(fd, T_OPTDATA_REQ, TNOTSUPPORT, 0);
	close(fd);
}

/* The connection has no urgent data. */
static void run_optdata_sctp(void)
{
	inet_device = "/dev/streams/sctp";
	optdata_of(IPPROTO_SCTP);
	optdata_ends(IPPROTO_SCTP, T_ODF_EX);
}

static const struct test_case cases[] = {
	{ "tcp", run_tcp },
	{ "killed", run_killed },
	{ "dgram", run_dgram },
	{ "one-object", run_one_object },
	{ "defaults", run_defaults },
	{ "optdata", run_optdata },
	{ "optdata-waits", run_optdata_waits },
	{ "optdata-sctp", run_optdata_sctp },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
