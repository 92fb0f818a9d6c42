// SPDX-License-Identifier: GPL-2.0-only
/*
 * ticots-states.c - each primitive in each state of ticotsord, and messages that
 * are not primitives
 */
#include "tpi-loop.h"

/* The effect of a primitive */
enum fate {
	OK,		/* T_OK_ACK or T_BIND_ACK */
	OUT,		/* T_ERROR_ACK, TOUTSTATE */
	SENT,		/* no answer, and the other side gets it */
	LOST,		/* no answer, and the other side does not get it */
	ENDED,		/* M_ERROR */
};

static const int types[] = {
	T_BIND_REQ, T_UNBIND_REQ, T_CONN_REQ, T_CONN_RES, T_DISCON_REQ,
	T_DATA_REQ, T_EXDATA_REQ, T_ORDREL_REQ,
};

/* The tables of states in TPI version 2, by the columns above */
static const struct {
	int state;
	enum fate fate[COUNT(types)];
} table[] = {
	{ TS_UNBND, { OK, OUT, OUT, OUT, OUT, ENDED, ENDED, ENDED } },
	{ TS_IDLE, { OUT, OK, OK, OUT, OUT, LOST, LOST, LOST } },
	{ TS_WCON_CREQ, { OUT, OUT, OUT, OUT, OK, ENDED, ENDED, ENDED } },
	{ TS_WRES_CIND, { OUT, OUT, OUT, OK, OK, LOST, LOST, LOST } },
	{ TS_DATA_XFER, { OUT, OUT, OUT, OUT, OK, SENT, SENT, SENT } },
	{ TS_WIND_ORDREL, { OUT, OUT, OUT, OUT, OK, ENDED, ENDED, ENDED } },
	{ TS_WREQ_ORDREL, { OUT, OUT, OUT, OUT, OK, SENT, SENT, SENT } },
};

/*
 * Puts fds[0] into a state; fds[1] is at the other side of it. Returns the
 * sequence number of its T_CONN_IND.
 */
static int arrange(int state, int fds[2])
{
	static int serial;
	char addr[20];
	int seq = -1;

	snprintf(addr, sizeof(addr), "state %d", serial++);
	switch (state) {
	case TS_UNBND:
	case TS_IDLE:
		fds[0] = state == TS_IDLE ? bound(TICOTSORD, addr, 0) :
					    endpoint(TICOTSORD);
		fds[1] = endpoint(TICOTSORD);
		break;
	case TS_WCON_CREQ:
		fds[0] = bound(TICOTSORD, NULL, 0);
		fds[1] = bound(TICOTSORD, addr, 1);
		call(fds[0], addr);
		called(fds[1]);
		break;
	case TS_WRES_CIND:
		fds[0] = bound(TICOTSORD, addr, 1);
		fds[1] = bound(TICOTSORD, NULL, 0);
		call(fds[1], addr);
		seq = called(fds[0]);
		break;
	default:
		connected(TICOTSORD, fds);
		if (state == TS_WIND_ORDREL) {
			send_ordrel(fds[0]);
			receive_prim(fds[1], T_ORDREL_IND);
		} else if (state == TS_WREQ_ORDREL) {
			send_ordrel(fds[1]);
			receive_prim(fds[0], T_ORDREL_IND);
		}
	}
	IS(state_of(fds[0]), state);
	return seq;
}

static void send_type(int fd, int type, int seq)
{
	switch (type) {
	case T_BIND_REQ:
		send_bind(fd, NULL, 0);
		break;
	case T_CONN_REQ:
		send_conn_req(fd, "an unbound one", NULL);
		break;
	case T_CONN_RES:
		send_conn_res(fd, acceptor_id(fd), seq, NULL);
		break;
	case T_DISCON_REQ:
		send_discon_req(fd, seq, NULL);
		break;
	case T_DATA_REQ:
	case T_EXDATA_REQ:
		IS(put_data(fd, type, "x", 1, 0), 0);
		break;
	default:
		out.prim.type = type;
		IS(send_prim(fd, sizeof(out.prim.type), NULL, 0, 0), 0);
	}
}

static void check_fate(int fds[2], int state, int type, enum fate fate)
{
	switch (fate) {
	case OK:
		if (type == T_BIND_REQ)
			receive_prim(fds[0], T_BIND_ACK);
		else
			receive_ok(fds[0], type);
		return;
	case OUT:
		receive_error(fds[0], type, TOUTSTATE, 0);
		IS(state_of(fds[0]), state);
		return;
	case SENT:
		receive_prim(fds[1], type == T_DATA_REQ ? T_DATA_IND :
			     type == T_EXDATA_REQ ? T_EXDATA_IND :
			     T_ORDREL_IND);
		return;
	case LOST:
		IS(state_of(fds[0]), state);
		receive_none(fds[1]);
		return;
	case ENDED:
		UNTIL(is_ended(fds[0]));
		return;
	}
}

static void run_table(void)
{
	unsigned int i, j;
	int fds[2], seq;

	for (i = 0; i < COUNT(table); i++) {
		for (j = 0; j < COUNT(types); j++) {
			printf("state %d, primitive %d\n", table[i].state,
			       types[j]);
			seq = arrange(table[i].state, fds);
			send_type(fds[0], types[j], seq);
			check_fate(fds, table[i].state, types[j],
				   table[i].fate[j]);
			close(fds[0]);
			close(fds[1]);
		}
	}
}

static void ended_by(int type, int size, int state)
{
	int fds[2];

	arrange(state, fds);
	memset(&out, 0, sizeof(out.prim));
	out.prim.type = type;
	IS(send_prim(fds[0], size, NULL, 0, 0), 0);
	UNTIL(is_ended(fds[0]));
	close(fds[0]);
	close(fds[1]);
}

static void conn_req_error(int fd, int length, int offset, int opt_length,
			   int opt_offset, int size, int tli)
{
	out.prim.conn_req = (struct T_conn_req){
		T_CONN_REQ, length, offset, opt_length, opt_offset
	};
	IS(send_prim(fd, size, NULL, 0, 0), 0);
	receive_error(fd, T_CONN_REQ, tli, tli == TSYSERR ? EINVAL : 0);
}

static void run_malformed(void)
{
	static char udata[1025];
	int fds[2], seq, fd;

	/* These primitives have no answer to report the error with. */
	ended_by(T_DATA_REQ, 4, TS_DATA_XFER);
	ended_by(T_EXDATA_REQ, 7, TS_DATA_XFER);
	ended_by(4711, 4, TS_IDLE);
	ended_by(-1, 4, TS_IDLE);
	ended_by(T_CONN_IND, 64, TS_IDLE);
	ended_by(T_INFO_ACK, 64, TS_DATA_XFER);
	ended_by(T_DATA_REQ, 0, TS_DATA_XFER);
	ended_by(T_DATA_REQ, 3, TS_DATA_XFER);

	memset(&out, 0, sizeof(out));
	fd = bound(TICOTSORD, NULL, 0);
	conn_req_error(fd, 4, 20, 0, 0, 19, TSYSERR);
	conn_req_error(fd, 4, 21, 0, 0, 24, TBADADDR);
	conn_req_error(fd, 4, -4, 0, 0, 24, TBADADDR);
	conn_req_error(fd, -4, 20, 0, 0, 24, TBADADDR);
	conn_req_error(fd, 0, 20, 0, 0, 24, TBADADDR);
	conn_req_error(fd, 129, 20, 0, 0, 300, TBADADDR);
	conn_req_error(fd, 0x7fffffff, 0x7fffffff, 0, 0, 24, TBADADDR);
	conn_req_error(fd, 4, 20, 16, 24, 39, TBADOPT);
	conn_req_error(fd, 4, 20, 16, 24, 40, TBADOPT);
	conn_req_error(fd, 4, 20, -1, 24, 40, TBADOPT);
	send_prim(fd, 24, udata, sizeof(udata), 0);
	receive_error(fd, T_CONN_REQ, TBADOPT, 0);
	out.prim.conn_req.OPT_length = 0;
	send_prim(fd, 24, udata, sizeof(udata), 0);
	receive_error(fd, T_CONN_REQ, TBADDATA, 0);
	out.prim.type = T_OPTDATA_REQ;
	send_prim(fd, 16, "x", 1, 0);
	receive_error(fd, T_OPTDATA_REQ, TNOTSUPPORT, 0);
	IS(state_of(fd), TS_IDLE);
	close(fd);

	seq = arrange(TS_WRES_CIND, fds);
	out.prim.type = T_CONN_RES;
	IS(send_prim(fds[0], 19, NULL, 0, 0), 0);
	receive_error(fds[0], T_CONN_RES, TSYSERR, EINVAL);
	out.prim.type = T_DISCON_REQ;
	IS(send_prim(fds[0], 7, NULL, 0, 0), 0);
	receive_error(fds[0], T_DISCON_REQ, TSYSERR, EINVAL);
	out.prim.discon_req = (struct T_discon_req){ T_DISCON_REQ, seq };
	IS(send_prim(fds[0], 8, udata, sizeof(udata), 0), 0);
	receive_error(fds[0], T_DISCON_REQ, TBADDATA, 0);
	out.prim.conn_res = (struct T_conn_res){
		T_CONN_RES, acceptor_id(fds[0]), 8, 20, seq
	};
	out.prim.type = T_CONN_RES;
	IS(send_prim(fds[0], 24, NULL, 0, 0), 0);
	receive_error(fds[0], T_CONN_RES, TBADOPT, 0);
	IS(state_of(fds[0]), TS_WRES_CIND);
	send_discon_req(fds[0], seq, NULL);
	receive_ok(fds[0], T_DISCON_REQ);
	close(fds[0]);
	close(fds[1]);
}

/* Generates random numbers, so that the sequence is the same everywhere. */
static uint32_t random_state = 20261122;

static uint32_t random_number(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % below;
}

/* Returns a field's value: valid, at a limit, or random. */
static uint32_t random_field(void)
{
	static const uint32_t edges[] = {
		0, 1, 4, 16, 20, 24, 128, 129, 0x7fffffff, 0x80000000,
		0xffffffff, 0xfffffffe, 0xfffffff0,
	};

	switch (random_number(4)) {
	case 0:
		return edges[random_number(COUNT(edges))];
	case 1:
		return random_number(64);
	case 2:
		return random_number(1u << 31) * 2 + random_number(2);
	default:
		return 16;
	}
}

static void random_primitive(int fd)
{
	uint32_t *word = (uint32_t *)out.bytes;
	struct strbuf c = { .len = random_number(80), .buf = out.bytes };
	struct strbuf d = { .len = random_number(200), .buf = in.data };
	static const uint32_t answered[] = {
		T_BIND_REQ, T_UNBIND_REQ, T_CONN_REQ, T_CONN_RES, T_DISCON_REQ,
		T_OPTMGMT_REQ, T_ADDR_REQ, T_CAPABILITY_REQ,
	};
	unsigned int i;

	for (i = 0; i < 20; i++)
		word[i] = random_field();
	/* Most primitives have an answer; now and then one does not exist. */
	if (random_number(12))
		word[0] = answered[random_number(COUNT(answered))];
	else
		word[0] = random_number(40);
	putpmsg(fd, &c, random_number(3) ? NULL : &d, random_number(8) ? 0 :
		random_number(256), random_number(10) ? MSG_BAND : MSG_HIPRI);
}

/* Reads all messages that wait. */
static void drain(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI | POLLRDBAND };
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = sizeof(in.data), .buf = in.data };
	int i;

	for (i = 0; i < 100 && poll(&p, 1, 0) == 1 && !(p.revents & POLLERR); i++) {
		int band, flags = MSG_ANY;

		if (getpmsg(fd, &c, &d, &band, &flags) < 0)
			break;
	}
}

/*
 * Sends random primitives in any state to all three; then two others still
 * work.
 */
static void run_random(void)
{
	static const char *const devices[] = { TICLTS, TICOTS, TICOTSORD };
	unsigned long i, many = test_scaled(20000), kept = 0, ended = 0;
	int fds[2] = { -1, -1 };

	for (i = 0; i < many; i++) {
		int who = random_number(2);

		if (fds[0] < 0) {
			int kind = random_number(4);

			if (kind == 3) {
				arrange(table[random_number(COUNT(table))].state,
					fds);
			} else {
				fds[0] = endpoint(devices[kind]);
				fds[1] = bound(devices[kind], NULL,
					       kind ? 5 : 0);
			}
			test_nonblock(fds[0], true);
			test_nonblock(fds[1], true);
		}
		random_primitive(fds[who]);
		drain(fds[who]);
		if (is_ended(fds[who]) ? ++ended : ++kept % 50 == 0) {
			drain(fds[!who]);
			close(fds[0]);
			close(fds[1]);
			fds[0] = -1;
		}
	}
	if (fds[0] >= 0) {
		close(fds[0]);
		close(fds[1]);
	}
	printf("%lu answered or thrown away, %lu ended their stream\n", kept, ended);
	TRUE(kept > many / 2 && ended > many / 100);
	connected(TICOTSORD, fds);
	IS(put_data(fds[0], T_DATA_REQ, "still", 5, 0), 0);
	receive_prim(fds[1], T_DATA_IND);
	has_data("still");
	close(fds[0]);
	close(fds[1]);
}

static const struct test_case cases[] = {
	{ "table", run_table },
	{ "malformed", run_malformed },
	{ "random", run_random },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
