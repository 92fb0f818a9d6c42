// SPDX-License-Identifier: GPL-2.0-only
/*
 * inet-accept.c - /dev/streams/tcp: connections that are accepted or refused
 *
 * With sctp as second argument, /dev/streams/sctp.
 */
#include "inet-protocol.h"

#include <stddef.h>

/* Accepts on another stream, which is bound. Returns that stream. */
static int accept_on_bound(int fd, const struct sockaddr_in *sin)
{
	struct sockaddr_in from;
	int sock, acc, seq;
	char c;

	sock = native_connect(sin, protocol);
	seq = receive_conn_ind(fd, &from);
	IS(state_of(fd), TS_WRES_CIND);
	acc = endpoint();
	bind_to(acc, NULL);
	accept_on(fd, seq, acc);
	IS(state_of(fd), TS_IDLE);
	IS(state_of(acc), TS_DATA_XFER);
	IS(send(sock, "hello", 5, 0), 5);
	receive_data(acc, "hello");
	put_data(acc, "welcome");
	native_receive(sock, "welcome");
	put_simple(acc, T_ADDR_REQ);
	receive_prim(acc, T_ADDR_ACK);
	IS(address(in.prim.addr_ack.LOCADDR_offset, 16).sin_port, sin->sin_port);
	IS(address(in.prim.addr_ack.REMADDR_offset, 16).sin_port, from.sin_port);
	put_simple(acc, T_ORDREL_REQ);
	IS(recv(sock, &c, 1, 0), 0);
	close(sock);
	receive_prim(acc, T_ORDREL_IND);
	becomes(acc, TS_IDLE);
	return acc;
}

/*
 * Accepts on the same stream again, out of order, and on a stream that is not
 * bound.
 */
static void accept_out_of_order(int fd, const struct sockaddr_in *sin, int acc)
{
	int sock, other, seq, seq2;

	sock = native_connect(sin, protocol);
	seq = receive_conn_ind(fd, NULL);
	other = native_connect(sin, protocol);
	seq2 = receive_conn_ind(fd, NULL);
	TRUE(seq != seq2);
	put_conn_res(fd, seq2 + 1000, acceptor_id(acc));
	receive_error(fd, T_CONN_RES, TBADSEQ, 0);
	put_conn_res(fd, seq, 0x7ffffff0);
	receive_error(fd, T_CONN_RES, TBADF, 0);
	put_conn_res(fd, seq, acceptor_id(fd));
	receive_error(fd, T_CONN_RES, TINDOUT, 0);
	accept_on(fd, seq2, acc);
	IS(state_of(fd), TS_WRES_CIND);
	put_conn_res(fd, seq, acceptor_id(acc));
	receive_error(fd, T_CONN_RES, TOUTSTATE, 0);
	put_data(acc, "second");
	native_receive(other, "second");
	close(acc);
	acc = endpoint();
	accept_on(fd, seq, acc);
	put_data(acc, "first");
	native_receive(sock, "first");
	close(sock);
	close(other);
	close(acc);
}

/* Accepts on the listening stream itself, which listens again when the connection ends. */
static void accept_on_itself(int fd, const struct sockaddr_in *sin)
{
	int sock, other, acc, seq;

	sock = native_connect(sin, protocol);
	accept_on(fd, receive_conn_ind(fd, NULL), fd);
	IS(state_of(fd), TS_DATA_XFER);
	put_data(fd, "myself");
	native_receive(sock, "myself");
	other = native_connect(sin, protocol);
	native_reset(sock);
	receive_discon(fd, ECONNRESET, -1);
	seq = receive_conn_ind(fd, NULL);
	acc = endpoint();
	accept_on(fd, seq, acc);
	put_data(acc, "later");
	native_receive(other, "later");
	close(acc);
	close(other);
}

/*
 * A stream that listens, or is of another kind, accepts nothing; the connection
 * is refused.
 */
static void accept_refused(int fd, const struct sockaddr_in *sin)
{
	struct sockaddr_in from;
	int sock, acc, seq;
	char c;

	sock = native_connect(sin, protocol);
	seq = receive_conn_ind(fd, NULL);
	acc = listener(&from, 1);
	put_conn_res(fd, seq, acceptor_id(acc));
	receive_error(fd, T_CONN_RES, TRESQLEN, 0);
	close(acc);
	inet_device = "/dev/streams/udp_s";
	acc = endpoint();
	put_conn_res(fd, seq, acceptor_id(acc));
	receive_error(fd, T_CONN_RES, TPROVMISMATCH, 0);
	close(acc);

	/*
	 * A connection is refused; another is aborted before it was answered.
	 */
	put_discon(fd, seq + 1);
	receive_error(fd, T_DISCON_REQ, TBADSEQ, 0);
	put_discon(fd, seq);
	receive_ok(fd, T_DISCON_REQ);
	FAILS(recv(sock, &c, 1, 0), ECONNRESET);
	close(sock);
	IS(state_of(fd), TS_IDLE);
	sock = native_connect(sin, protocol);
	seq = receive_conn_ind(fd, NULL);
	native_reset(sock);
	receive_discon(fd, ECONNRESET, seq);
	becomes(fd, TS_IDLE);
}

static void run_accept(void)
{
	struct sockaddr_in sin;
	int fd = listener(&sin, 5);

	accept_out_of_order(fd, &sin, accept_on_bound(fd, &sin));
	accept_on_itself(fd, &sin);
	accept_refused(fd, &sin);
	close(fd);
	FAILS(connect(socket(AF_INET, SOCK_STREAM, protocol), (struct sockaddr *)&sin, sizeof(sin)),
	      ECONNREFUSED);
}

/* I_FDINSERT names the accepting stream as T_CAPABILITY_ACK does. */
static void run_fdinsert(void)
{
	struct sockaddr_in sin;
	int fd = listener(&sin, 1), acc = endpoint();
	int sock = native_connect(&sin, protocol);
	struct strfdinsert ins = {
		.ctlbuf = { .len = sizeof(struct T_conn_res), .buf = out.bytes },
		.fildes = acc,
		.offset = offsetof(struct T_conn_res, ACCEPTOR_id),
	};

	out.prim.conn_res = (struct T_conn_res){
		.PRIM_type = T_CONN_RES,
		.SEQ_number = receive_conn_ind(fd, NULL),
	};
	IS(ioctl(fd, I_FDINSERT, &ins), 0);
	receive_ok(fd, T_CONN_RES);
	put_data(acc, "inserted");
	native_receive(sock, "inserted");
	close(sock);
	close(acc);
	close(fd);
}

static const struct test_case cases[] = {
	{ "accept", run_accept },
	{ "fdinsert", run_fdinsert },
	{ }
};

int main(int argc, char **argv)
{
	return protocol_main(argc, argv, cases);
}
