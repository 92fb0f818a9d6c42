// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/streams/tcp: connections, against the kernel's own sockets and each other
 *
 * With sctp as second argument, /dev/streams/sctp.
 */
#include "inet-protocol.h"

#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void run_info(void)
{
	static const struct {
		const char *device;
		int serv, tsdu, etsdu, tidu, flags;
	} rows[] = {
		{ "/dev/streams/tcp", T_COTS_ORD, 0, T_INFINITE, 65536, XPG4_1 | EXPINLINE },
		{ "/dev/streams/udp_s", T_CLTS, 65507, T_INVALID, 65507, XPG4_1 | SENDZERO },
		{ "/dev/streams/rawip", T_CLTS, 65535, T_INVALID, 65535, XPG4_1 | SENDZERO },
	};
	unsigned int i;

	for (i = 0; i < COUNT(rows); i++) {
		const struct T_info_ack *info = &in.prim.info_ack;
		int fd;

		inet_device = rows[i].device;
		fd = endpoint();
		put_simple(fd, T_INFO_REQ);
		receive_prim(fd, T_INFO_ACK);
		IS(in.hipri, 1);
		IS(info->SERV_type, rows[i].serv);
		IS(info->TSDU_size, rows[i].tsdu);
		IS(info->ETSDU_size, rows[i].etsdu);
		IS(info->TIDU_size, rows[i].tidu);
		IS(info->CDATA_size, T_INVALID);
		IS(info->DDATA_size, T_INVALID);
		IS(info->ADDR_size, 16);
		IS(info->CURRENT_state, TS_UNBND);
		IS(info->PROVIDER_flag, rows[i].flags);
		out.prim.capability_req = (struct T_capability_req){
			.PRIM_type = T_CAPABILITY_REQ,
			.CAP_bits1 = TC1_INFO | TC1_ACCEPTOR_ID | 0x100,
		};
		IS(send_prim(fd, sizeof(out.prim.capability_req), NULL, 0, 0), 0);
		receive_prim(fd, T_CAPABILITY_ACK);
		IS(in.hipri, 0);
		IS(in.prim.capability_ack.CAP_bits1, TC1_INFO | TC1_ACCEPTOR_ID);
		IS(in.prim.capability_ack.INFO_ack.SERV_type, rows[i].serv);
		close(fd);
	}
}

static void run_bind(void)
{
	struct sockaddr_in sin, again;
	int fd = endpoint(), other, sock;

	sin = loopback(0);
	sin = bind_to(fd, &sin);
	put_simple(fd, T_ADDR_REQ);
	receive_prim(fd, T_ADDR_ACK);
	again = address(in.prim.addr_ack.LOCADDR_offset, in.prim.addr_ack.LOCADDR_length);
	IS(again.sin_port, sin.sin_port);
	IS(in.prim.addr_ack.REMADDR_length, 0);
	send_bind(fd, NULL);
	receive_error(fd, T_BIND_REQ, TOUTSTATE, 0);
	other = endpoint();
	send_bind(other, &sin);
	receive_error(other, T_BIND_REQ, TADDRBUSY, 0);
	sock = socket(AF_INET, SOCK_STREAM, protocol);
	FAILS(bind(sock, (struct sockaddr *)&sin, sizeof(sin)), EADDRINUSE);
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	IS(state_of(fd), TS_UNBND);
	put_simple(fd, T_UNBIND_REQ);
	receive_error(fd, T_UNBIND_REQ, TOUTSTATE, 0);
	again = bind_to(other, &sin);
	IS(again.sin_port, sin.sin_port);

	/* No other endpoint gets a listener's port; T_UNBIND_REQ frees it. */
	again = loopback(0);
	again = listen_at(fd, &again, 3);
	put_conn_req(fd, &sin);
	receive_error(fd, T_CONN_REQ, TSYSERR, EISCONN);
	put_simple(fd, T_UNBIND_REQ);
	receive_ok(fd, T_UNBIND_REQ);
	FAILS(connect(sock, (struct sockaddr *)&again, sizeof(again)), ECONNREFUSED);

	/* These addresses are invalid, or not this host's. */
	again.sin_family = AF_INET6;
	send_bind(fd, &again);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	again = loopback(0);
	again.sin_addr.s_addr = htonl(0x08080808);
	send_bind(fd, &again);
	receive_error(fd, T_BIND_REQ, TBADADDR, 0);
	IS(state_of(fd), TS_UNBND);
	close(sock);
	close(other);
	close(fd);
}

static void run_privileged(void)
{
	struct sockaddr_in sin = loopback(80);
	int fd = endpoint();

	send_bind(fd, &sin);
	receive_error(fd, T_BIND_REQ, TACCES, 0);
	close(fd);
	inet_device = "/dev/streams/rawip";
	FAILS(open(inet_device, O_RDWR), EPERM);
}

static void run_opener(void)
{
	rights_of_opener(80);
}

/* Data is sent both ways, and the connection ends in both orders. */
static void run_connect(void)
{
	struct sockaddr_in sin;
	int fd, sock, i;
	char c;

	for (i = 0; i < 2; i++) {
		socket_pair(&fd, &sock, protocol);
		IS(state_of(fd), TS_DATA_XFER);
		put_simple(fd, T_ADDR_REQ);
		receive_prim(fd, T_ADDR_ACK);
		sin = address(in.prim.addr_ack.REMADDR_offset, in.prim.addr_ack.REMADDR_length);
		IS(sin.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
		put_data(fd, "from a stream");
		native_receive(sock, "from a stream");
		IS(send(sock, "from a socket", 13, 0), 13);
		receive_data(fd, "from a socket");
		/* Data without a primitive is sent as well. */
		IS(write(fd, "written", 7), 7);
		native_receive(sock, "written");
		if (i) {
			put_simple(fd, T_ORDREL_REQ);
			IS(recv(sock, &c, 1, 0), 0);
			/* An association of SCTP's is released from both sides at once. */
			if (protocol == IPPROTO_TCP) {
				becomes(fd, TS_WIND_ORDREL);
				IS(send(sock, "still", 5, 0), 5);
				receive_data(fd, "still");
			}
			close(sock);
			receive_prim(fd, T_ORDREL_IND);
		} else {
			IS(shutdown(sock, SHUT_WR), 0);
			receive_prim(fd, T_ORDREL_IND);
			if (protocol == IPPROTO_TCP) {
				IS(state_of(fd), TS_WREQ_ORDREL);
				put_data(fd, "still");
				native_receive(sock, "still");
			}
			put_simple(fd, T_ORDREL_REQ);
			/*
			 * An association of SCTP has no half-open state; it has
			 * ended now.
			 */
			if (protocol == IPPROTO_TCP)
				IS(recv(sock, &c, 1, 0), 0);
			close(sock);
		}
		becomes(fd, TS_IDLE);
		/* The same stream connects once more. */
		sock = native_listener(&sin, protocol);
		connect_to(fd, &sin);
		put_data(fd, "again");
		close(fd);
		fd = native_accept(sock);
		native_receive(fd, "again");
		IS(recv(fd, &c, 1, 0), 0);
		close(fd);
		close(sock);
	}
}

static void run_refused(void)
{
	struct sockaddr_in sin, closed;
	int fd = endpoint(), sock = native_listener(&closed, protocol);

	close(sock);
	bind_to(fd, NULL);
	put_conn_req(fd, &closed);
	receive_ok(fd, T_CONN_REQ);
	receive_discon(fd, ECONNREFUSED, -1);
	IS(state_of(fd), TS_IDLE);
	/* A refused request may be repeated. */
	sock = native_listener(&sin, protocol);
	connect_to(fd, &sin);
	close(sock);
	close(fd);
	/* These addresses are invalid. */
	fd = endpoint();
	bind_to(fd, NULL);
	sin.sin_port = 0;
	put_conn_req(fd, &sin);
	receive_error(fd, T_CONN_REQ, TBADADDR, 0);
	sin.sin_family = AF_INET6;
	put_conn_req(fd, &sin);
	receive_error(fd, T_CONN_REQ, TBADADDR, 0);
	IS(state_of(fd), TS_IDLE);
	close(fd);
}

static void run_reset(void)
{
	int fd, sock;
	char c;

	/* The peer resets the connection, */
	socket_pair(&fd, &sock, protocol);
	IS(send(sock, "last words", 10, 0), 10);
	receive_data(fd, "last words");
	native_reset(sock);
	receive_discon(fd, ECONNRESET, -1);
	IS(state_of(fd), TS_IDLE);
	put_data(fd, "too late");
	put_simple(fd, T_ORDREL_REQ);
	IS(state_of(fd), TS_IDLE);
	close(fd);
	/* also after it has released its side. */
	if (protocol == IPPROTO_TCP) {
		socket_pair(&fd, &sock, protocol);
		IS(shutdown(sock, SHUT_WR), 0);
		receive_prim(fd, T_ORDREL_IND);
		native_reset(sock);
		receive_discon(fd, ECONNRESET, -1);
		close(fd);
	}
	/* The stream resets the connection. */
	socket_pair(&fd, &sock, protocol);
	put_discon(fd, -1);
	receive_ok(fd, T_DISCON_REQ);
	IS(state_of(fd), TS_IDLE);
	FAILS(recv(sock, &c, 1, 0), ECONNRESET);
	close(sock);
	put_discon(fd, -1);
	receive_error(fd, T_DISCON_REQ, TOUTSTATE, 0);
	close(fd);
}

/* Returns whether the kernel has a TCP connection of that port at this end. */
static bool listed(in_port_t port)
{
	FILE *list = fopen("/proc/net/tcp", "r");
	unsigned int local;
	char line[256];
	bool found = false;

	TRUE(list);
	while (fgets(line, sizeof(line), list))
		if (sscanf(line, " %*d: %*x:%x", &local) == 1)
			found |= local == ntohs(port);
	fclose(list);
	return found;
}

/* A reset found by the task that takes the last data before it is reported as a reset. */
static void run_reset_full(void)
{
	/*
	 * Primitives with control parts fill the head, in the largest messages.
	 */
	static char data[4 * 16376];
	static union T_primitives ctl[8];
	struct strbuf c = { .maxlen = sizeof(ctl), .buf = (char *)ctl };
	struct strbuf d = { .maxlen = sizeof(data), .buf = data };
	int fd, sock, left = sizeof(data), n, type, flags = 0;
	struct sockaddr_in local;
	socklen_t len = sizeof(local);

	socket_pair(&fd, &sock, IPPROTO_TCP);
	IS(getpeername(sock, (struct sockaddr *)&local, &len), 0);
	IS(send(sock, data, sizeof(data), 0), sizeof(data));
	do {
		IS(ioctl(fd, FIONREAD, &n), 0);
	} while (n < (int)sizeof(data));
	native_reset(sock);
	/*
	 * The reset has arrived when the kernel no longer lists the connection.
	 */
	UNTIL(!listed(local.sin_port));
	/*
	 * A task that does not poll finds the reset, because poll() would
	 * process it.
	 */
	do {
		IS(getmsg(fd, &c, &d, &flags), 0);
		memcpy(&type, ctl, sizeof(type));
		left -= d.len > 0 ? d.len : 0;
	} while (type == T_DATA_IND);
	IS(left, 0);
	IS(type, T_DISCON_IND);
	IS(ctl->discon_ind.DISCON_reason, ECONNRESET);
	becomes(fd, TS_IDLE);
	close(fd);
}

/* Aborting does not wait behind data that the peer does not take. */
static void run_abort_full(void)
{
	static char block[32768];
	struct pollfd p = { .events = POLLOUT };
	int fd, sock, n = 0, err;
	ssize_t got;

	socket_pair(&fd, &sock, protocol);
	test_nonblock(fd, true);
	p.fd = fd;
	do {
		while (!put_data_flags(fd, T_DATA_REQ, 0, block, sizeof(block)))
			n++;
		settles(sock, SIOCINQ);
	} while (!put_data_flags(fd, T_DATA_REQ, 0, block, sizeof(block)));
	err = errno;
	IS(err, EAGAIN);
	TRUE(n > 4);
	/* There is room for more, behind data that waits. */
	do {
		got = recv(sock, block, 4096, MSG_DONTWAIT);
		TRUE(got > 0 || errno == EAGAIN);
	} while (!poll(&p, 1, 10));
	put_simple(fd, T_ADDR_REQ);
	receive_ack(fd, T_ADDR_ACK);
	IS(in.prim.addr_ack.REMADDR_length, sizeof(struct sockaddr_in));
	put_simple(fd, T_INFO_REQ);
	receive_ack(fd, T_INFO_ACK);
	while (!put_data_flags(fd, T_DATA_REQ, 0, block, sizeof(block)))
		;
	/* High priority passes also where the stream head has no room. */
	out.prim.discon_req = (struct T_discon_req){ T_DISCON_REQ, -1 };
	IS(send_prim(fd, sizeof(out.prim.discon_req), NULL, 0, RS_HIPRI), 0);
	receive_ok(fd, T_DISCON_REQ);
	becomes(fd, TS_IDLE);
	do {
		got = recv(sock, block, sizeof(block), 0);
		err = errno;
	} while (got > 0);
	IS(got, -1);
	IS(err, ECONNRESET);
	close(sock);
	close(fd);
}

static void run_streams(void)
{
	struct sockaddr_in sin;
	int fd = listener(&sin, 1), client = endpoint(), acc = endpoint(), seq;

	bind_to(client, NULL);
	put_conn_req(client, &sin);
	receive_ok(client, T_CONN_REQ);
	seq = receive_conn_ind(fd, NULL);
	accept_on(fd, seq, acc);
	receive_prim(client, T_CONN_CON);
	put_data(client, "ping");
	receive_data(acc, "ping");
	put_data(acc, "pong");
	receive_data(client, "pong");
	put_simple(client, T_ORDREL_REQ);
	receive_prim(acc, T_ORDREL_IND);
	put_simple(acc, T_ORDREL_REQ);
	receive_prim(client, T_ORDREL_IND);
	becomes(client, TS_IDLE);
	becomes(acc, TS_IDLE);
	close(client);
	close(acc);
	close(fd);
}

/* The marked byte is reported as such, at its place. */
static void run_urgent(void)
{
	int fd, sock, mark, on = 1;
	char buf[16];

	socket_pair(&fd, &sock, protocol);
	IS(send(sock, "abc", 3, 0), 3);
	IS(send(sock, "defU", 4, MSG_OOB), 4);
	IS(send(sock, "xyz", 3, 0), 3);
	mark = 0;
	buf[0] = 0;
	while (strlen(buf) < 10) {
		TRUE(arrives(fd, WAIT_MS));
		buf[strlen(buf) + in.data_len] = 0;
		if (in.prim.type == T_EXDATA_IND) {
			IS(in.data_len, 1);
			IS(in.data[0], 'U');
			IS(strlen(buf), 6);
			mark++;
		} else {
			IS(in.prim.type, T_DATA_IND);
		}
		memcpy(buf + strlen(buf), in.data, in.data_len);
	}
	IS(mark, 1);
	TRUE(!strcmp(buf, "abcdefUxyz"));

	put_data(fd, "123");
	IS(put_data_flags(fd, T_EXDATA_REQ, 1, "4", 1), 0);
	IS(put_data_flags(fd, T_EXDATA_REQ, 0, "5!", 2), 0);
	put_data(fd, "67");
	IS(setsockopt(sock, SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on)), 0);
	native_receive(sock, "12345");
	IS(ioctl(sock, SIOCATMARK, &mark), 0);
	IS(mark, 1);
	native_receive(sock, "!67");
	close(sock);
	close(fd);
}

/* These primitives are not allowed in the state. */
static void run_states(void)
{
	static const struct {
		int type, size, tli;
	} unbound[] = {
		{ T_UNBIND_REQ, 4, TOUTSTATE },
		{ T_CONN_REQ, sizeof(struct T_conn_req), TOUTSTATE },
		{ T_CONN_RES, sizeof(struct T_conn_res), TOUTSTATE },
		{ T_DISCON_REQ, sizeof(struct T_discon_req), TOUTSTATE },
		{ T_UNITDATA_REQ, sizeof(struct T_unitdata_req), TNOTSUPPORT },
	};
	struct sockaddr_in sin;
	unsigned int i;
	int fd = endpoint(), sock;

	for (i = 0; i < COUNT(unbound); i++) {
		memset(&out, 0, sizeof(out));
		out.prim.type = unbound[i].type;
		IS(send_prim(fd, unbound[i].size, NULL, 0, 0), 0);
		receive_error(fd, unbound[i].type, unbound[i].tli, 0);
	}
	/* A primitive out of state that has no answer ends the stream. */
	IS(put_data_flags(fd, T_DATA_REQ, 0, "x", 1), 0);
	expect_ended(fd);
	fd = endpoint();
	put_simple(fd, T_ORDREL_REQ);
	expect_ended(fd);
	/* The endpoint has a connection. */
	socket_pair(&fd, &sock, protocol);
	send_bind(fd, NULL);
	receive_error(fd, T_BIND_REQ, TOUTSTATE, 0);
	put_simple(fd, T_UNBIND_REQ);
	receive_error(fd, T_UNBIND_REQ, TOUTSTATE, 0);
	sin = loopback(1);
	put_conn_req(fd, &sin);
	receive_error(fd, T_CONN_REQ, TOUTSTATE, 0);
	put_data(fd, "unharmed");
	native_receive(sock, "unharmed");
	/* After T_ORDREL_REQ no data can be sent. */
	put_simple(fd, T_ORDREL_REQ);
	becomes(fd, TS_WIND_ORDREL);
	put_data(fd, "x");
	expect_ended(fd);
	close(sock);
}

/*
 * A user may accept a connection only on some streams: ACCEPTOR_ids can be
 * guessed.
 */
static void run_strangers(void)
{
	struct sockaddr_in sin, at;
	int roots = endpoint(), fd, acc, sock, other, seq;

	IS(seteuid(65534), 0);
	fd = listener(&sin, 2);
	acc = endpoint();
	IS(seteuid(0), 0);
	sock = native_connect(&sin, protocol);
	seq = receive_conn_ind(fd, NULL);
	put_conn_res(fd, seq, acceptor_id(roots));
	receive_error(fd, T_CONN_RES, TBADF, 0);
	IS(state_of(roots), TS_UNBND);
	accept_on(fd, seq, acc);
	put_data(acc, "mine");
	native_receive(sock, "mine");
	close(acc);
	close(fd);
	/* Root may name any stream. */
	IS(seteuid(65534), 0);
	acc = endpoint();
	IS(seteuid(0), 0);
	fd = listener(&at, 1);
	other = native_connect(&at, protocol);
	accept_on(fd, receive_conn_ind(fd, NULL), acc);
	put_data(acc, "yours");
	native_receive(other, "yours");
	close(other);
	close(sock);
	close(acc);
	close(fd);
	close(roots);
}

/*
 * Data for a connection that has ended is ignored, also when the next
 * connection waits.
 */
static void run_ignored(void)
{
	struct sockaddr_in sin;
	int fd = listener(&sin, 1), sock = native_connect(&sin, protocol);
	int seq = receive_conn_ind(fd, NULL);

	put_data(fd, "too late");
	IS(write(fd, "as well", 7), 7);
	put_simple(fd, T_ORDREL_REQ);
	accept_on(fd, seq, fd);
	IS(state_of(fd), TS_DATA_XFER);
	put_data(fd, "in time");
	native_receive(sock, "in time");
	close(sock);
	close(fd);
}

/* Data sent before a close arrives, and then the end. */
static void run_close(void)
{
	struct sockaddr_in sin = loopback(0);
	char buf[64];
	int fd, sock;

	socket_pair(&fd, &sock, protocol);
	put_data(fd, "the last there is");
	close(fd);
	native_receive(sock, "the last there is");
	IS(recv(sock, buf, sizeof(buf), 0), 0);
	close(sock);
	/*
	 * The endpoint connects to no host: documentation addresses have none.
	 */
	fd = endpoint();
	bind_to(fd, NULL);
	sin.sin_port = htons(9);
	sin.sin_addr.s_addr = htonl(0x7f000001);
	put_conn_req(fd, &sin);
	close(fd);
	/* Connections have not been answered. */
	fd = listener(&sin, 2);
	sock = native_connect(&sin, protocol);
	receive_conn_ind(fd, NULL);
	close(fd);
	FAILS(recv(sock, buf, 1, 0), ECONNRESET);
	close(sock);
}

/* 200 connections come one after the other, then 50 at once. */
static void run_many(void)
{
	struct sockaddr_in sin;
	int fd = listener(&sin, 50), sock[50], i, seq, acc;
	unsigned int rounds = test_scaled(200);
	char c;

	for (i = 0; i < (int)rounds; i++) {
		sock[0] = native_connect(&sin, protocol);
		seq = receive_conn_ind(fd, NULL);
		acc = endpoint();
		accept_on(fd, seq, acc);
		put_data(acc, "in turn");
		native_receive(sock[0], "in turn");
		close(acc);
		IS(recv(sock[0], &c, 1, 0), 0);
		close(sock[0]);
	}
	for (i = 0; i < 50; i++)
		sock[i] = native_connect(&sin, protocol);
	for (i = 0; i < 50; i++)
		IS(send(sock[i], &i, sizeof(i), 0), sizeof(i));
	for (i = 0; i < 50; i++) {
		struct sockaddr_in from, mine;
		socklen_t len = sizeof(mine);
		int which;

		seq = receive_conn_ind(fd, &from);
		acc = endpoint();
		accept_on(fd, seq, acc);
		receive_prim(acc, T_DATA_IND);
		IS(in.data_len, sizeof(which));
		memcpy(&which, in.data, sizeof(which));
		TRUE(which >= 0 && which < 50);
		IS(getsockname(sock[which], (struct sockaddr *)&mine, &len), 0);
		IS(mine.sin_port, from.sin_port);
		put_data(acc, "x");
		native_receive(sock[which], "x");
		close(acc);
	}
	for (i = 0; i < 50; i++)
		close(sock[i]);
	becomes(fd, TS_IDLE);
	close(fd);
}

static void run_namespace(void)
{
	struct sockaddr_in sin, same;
	int before = endpoint(), after, sock;

	/*
	 * A stream belongs to the namespace where it was opened, as sockets do.
	 */
	IS(unshare(CLONE_NEWNET), 0);
	after = endpoint();
	sin = loopback(0);
	sin = listen_at(before, &sin, 1);
	sock = socket(AF_INET, SOCK_STREAM, protocol);
	/* In this namespace even the loopback device is down. */
	TRUE(connect(sock, (struct sockaddr *)&sin, sizeof(sin)) < 0);
	same = sin;
	same.sin_addr.s_addr = 0;
	same = bind_to(after, &same);
	IS(same.sin_port, sin.sin_port);
	put_conn_req(after, &sin);
	TRUE(arrives(after, WAIT_MS));
	TRUE(in.prim.type == T_ERROR_ACK || in.prim.type == T_OK_ACK);
	TRUE(!arrives(before, 100));
	close(before);
	close(after);
}

static const struct test_case cases[] = {
	{ "info", run_info },
	{ "bind", run_bind },
	{ "privileged", run_privileged },
	{ "opener", run_opener },
	{ "connect", run_connect },
	{ "refused", run_refused },
	{ "reset", run_reset },
	{ "reset-full", run_reset_full },
	{ "abort-full", run_abort_full },
	{ "streams", run_streams },
	{ "urgent", run_urgent },
	{ "states", run_states },
	{ "strangers", run_strangers },
	{ "ignored", run_ignored },
	{ "close", run_close },
	{ "many", run_many },
	{ "namespace", run_namespace },
	{ }
};

int main(int argc, char **argv)
{
	return protocol_main(argc, argv, cases);
}
