// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random and malformed primitives to the providers over kernel sockets
 *
 * The seed is fixed: each run sends the same. The stream that gets them may fail;
 * the connection of another continues.
 */
#include "tpi-inet.h"

static uint64_t seed = 20261122;

static unsigned int number(unsigned int below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % below;
}

static int odd_number(void)
{
	static const int odd[] = {
		0, 1, -1, 4, 15, 16, 17, 20, 28, 36, 1024, 65536, 0x7fffffff, -0x7fffffff - 1
	};

	return odd[number(COUNT(odd))];
}

/* Makes something that looks like a primitive, with an address perhaps. */
static int random_prim(const struct sockaddr_in *sin)
{
	int *word = (int *)out.bytes, size = number(80), i;

	for (i = 0; i < 40; i++)
		word[i] = number(3) ? odd_number() : (int)number(1u << 31);
	word[0] = number(8) ? (int)number(31) : odd_number();
	if (number(2)) {
		word[1] = 16;
		word[2] = 20 + 4 * number(3);
		memcpy(out.bytes + word[2], sin, sizeof(*sin));
		size = word[2] + 16;
	}
	return size;
}

/* Receives all messages; the stream may get an error meanwhile. */
static void drain(int fd)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = sizeof(in.data), .buf = in.data };
	int flags = 0;

	while (getmsg(fd, &c, &d, &flags) >= 0)
		flags = 0;
}

static bool is_broken(int fd)
{
	struct pollfd p = { .fd = fd };

	return poll(&p, 1, 0) == 1 && p.revents & (POLLERR | POLLHUP);
}

static void one_stream(const char *device, const struct sockaddr_in *sin)
{
	struct sockaddr_in any = loopback(0);
	int fd, n = 8 + number(24);

	inet_device = device;
	fd = endpoint();
	test_nonblock(fd, true);
	switch (number(4)) {
	case 0:
		bind_to(fd, NULL);
		break;
	case 1:
		if (strstr(device, "tcp"))
			listen_at(fd, &any, 2);
		break;
	case 2:
		if (strstr(device, "tcp")) {
			bind_to(fd, NULL);
			connect_to(fd, sin);
		}
		break;
	}
	while (n-- && !is_broken(fd)) {
		int size = random_prim(sin);

		send_prim(fd, size, number(2) ? "data" : NULL, 4, number(4) ? 0 : RS_HIPRI);
		if (!number(4))
			drain(fd);
	}
	if (!is_broken(fd))
		drain(fd);
	close(fd);
}

static void run_random(void)
{
	static const char *const devices[] = {
		"/dev/streams/tcp", "/dev/streams/tcp", "/dev/streams/udp_s", "/dev/streams/rawip"
	};
	struct sockaddr_in sin, other;
	int fd, sock, listening, rounds = test_scaled(200), i;

	listening = native_listener(&other, IPPROTO_TCP);
	test_nonblock(listening, true);
	inet_device = "/dev/streams/tcp";
	socket_pair(&fd, &sock, IPPROTO_TCP);
	sin = other;
	for (i = 0; i < rounds; i++) {
		int conn;

		one_stream(devices[number(COUNT(devices))], &sin);
		while ((conn = accept(listening, NULL, NULL)) >= 0)
			close(conn);
		if (i % 10)
			continue;
		inet_device = "/dev/streams/tcp";
		put_data(fd, "still there");
		native_receive(sock, "still there");
		IS(send(sock, "so am I", 7, 0), 7);
		receive_data(fd, "so am I");
	}
	close(fd);
	close(sock);
	close(listening);
}

static void ends(int fd, int size)
{
	IS(send_prim(fd, size, NULL, 0, 0), 0);
	expect_ended(fd);
}

/* The answer is cut off, or has malformed options. */
static void malformed_answers(void)
{
	struct T_conn_res *res = &out.prim.conn_res;
	struct sockaddr_in at;
	int fd = listener(&at, 1), sock = native_connect(&at, IPPROTO_TCP);
	unsigned int seq = receive_conn_ind(fd, NULL);

	*res = (struct T_conn_res){ T_CONN_RES, acceptor_id(fd), 0, 0, seq };
	res->PRIM_type = T_CONN_RES;
	IS(send_prim(fd, sizeof(*res) - 4, NULL, 0, 0), 0);
	receive_error(fd, T_CONN_RES, TBADSEQ, 0);
	*res = (struct T_conn_res){ T_CONN_RES, acceptor_id(fd), 12, sizeof(*res), seq };
	res->PRIM_type = T_CONN_RES;
	IS(send_prim(fd, sizeof(*res) + 12, NULL, 0, 0), 0);
	receive_error(fd, T_CONN_RES, TBADOPT, 0);
	out.prim.discon_req = (struct T_discon_req){ T_DISCON_REQ, seq };
	IS(send_prim(fd, 4, NULL, 0, 0), 0);
	receive_error(fd, T_DISCON_REQ, TBADSEQ, 0);
	accept_on(fd, seq, fd);
	/* A primitive of data is cut off. */
	out.prim.type = T_DATA_REQ;
	ends(fd, 4);
	close(sock);
}

static void run_table(void)
{
	struct T_conn_req *req = &out.prim.conn_req;
	struct sockaddr_in sin = loopback(9);
	static const struct {
		int dest_len, dest_off, opt_len, opt_off, size, tli;
	} rows[] = {
		{ 16, 20, 0, 0, 19, TBADADDR },		/* cut off */
		{ 15, 20, 0, 0, 36, TBADADDR },
		{ 28, 20, 0, 0, 48, TBADADDR },
		{ 16, 21, 0, 0, 36, TBADADDR },		/* beyond the end */
		{ 16, -4, 0, 0, 36, TBADADDR },
		{ -16, 20, 0, 0, 36, TBADADDR },
		{ 0x7fffffff, 0x7fffffff, 0, 0, 36, TBADADDR },
		{ 16, 20, 16, 36, 36, TBADOPT },
		{ 16, 20, -1, 36, 36, TBADOPT },
		{ 16, 20, 8, 28, 36, TBADOPT },
	};
	unsigned int i;
	int fd;

	memset(&out, 0, sizeof(out));
	ends(endpoint(), 0);
	ends(endpoint(), 3);
	out.prim.type = 4711;
	ends(endpoint(), 4);
	out.prim.type = T_CONN_CON;
	ends(endpoint(), 4);

	fd = endpoint();
	bind_to(fd, NULL);
	for (i = 0; i < COUNT(rows); i++) {
		*req = (struct T_conn_req){
			T_CONN_REQ, rows[i].dest_len, rows[i].dest_off, rows[i].opt_len,
			rows[i].opt_off
		};
		memcpy(req + 1, &sin, sizeof(sin));
		IS(send_prim(fd, rows[i].size, NULL, 0, 0), 0);
		receive_error(fd, T_CONN_REQ, rows[i].tli, 0);
	}
	/* The request has data, which TCP does not carry. */
	*req = (struct T_conn_req){ T_CONN_REQ, 16, sizeof(*req), 0, 0 };
	memcpy(req + 1, &sin, sizeof(sin));
	IS(send_prim(fd, sizeof(*req) + 16, "x", 1, 0), 0);
	receive_error(fd, T_CONN_REQ, TBADDATA, 0);
	IS(state_of(fd), TS_IDLE);
	close(fd);

	malformed_answers();
}

static const struct test_case cases[] = {
	{ "random", run_random },
	{ "table", run_table },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
