// SPDX-License-Identifier: GPL-2.0-only
/* ticots-load.c - much over connections of the loopback transports */
#include "tpi-loop.h"
#include <stdatomic.h>

#define TRANSFER	(16 << 20)

/* Returns the byte at an offset of the data transferred. */
static unsigned char byte_at(long at)
{
	return at * 7 + at / 4093;
}

struct job {
	int fd;
	long size;
	int pause_every;	/* messages; 0: none */
};

static void fill(char *to, long at, int len)
{
	int i;

	for (i = 0; i < len; i++)
		to[i] = byte_at(at + i);
}

/* Sends all, in messages of many lengths, then releases the connection. */
static void *sender(void *arg)
{
	static char block[60000];
	struct job *job = arg;
	long at = 0;
	int n = 0;

	while (at < job->size) {
		int len = 1 + (n * 7919) % sizeof(block);
		struct T_data_req req = { T_DATA_REQ, n % 3 == 0 };
		struct strbuf c = { .len = sizeof(req), .buf = (char *)&req };
		struct strbuf d = { .buf = block };

		if (len > job->size - at)
			len = job->size - at;
		fill(block, at, len);
		d.len = len;
		IS(putmsg(job->fd, &c, &d, 0), 0);
		at += len;
		n++;
	}
	send_ordrel(job->fd);
	return NULL;
}

/* Takes all until the release, in order. */
static void receive_all(int fd, long size, int pause_every)
{
	long at = 0;
	int n = 0, i;

	for (;;) {
		TRUE(arrives(fd, WAIT_MS));
		if (in.prim.type == T_ORDREL_IND)
			break;
		IS(in.prim.type, T_DATA_IND);
		IS(in.prim.data_ind.MORE_flag, n % 3 == 0);
		for (i = 0; i < in.data_len; i++)
			if ((unsigned char)in.data[i] != byte_at(at + i))
				test_fail(__FILE__, __LINE__,
					  "byte %ld is wrong", at + i);
		at += in.data_len;
		n++;
		if (pause_every && n % pause_every == 0)
			usleep(2000);
	}
	IS(at, size);
}

static void run_transfer(void)
{
	struct job job = { .size = test_scaled(TRANSFER) };
	pthread_t thread;
	int fds[2];

	connected(TICOTSORD, fds);
	job.fd = fds[0];
	IS(pthread_create(&thread, NULL, sender, &job), 0);
	receive_all(fds[1], job.size, 20);
	IS(pthread_join(thread, NULL), 0);
	send_ordrel(fds[1]);
	receive_prim(fds[0], T_ORDREL_IND);
	IS(state_of(fds[0]), TS_IDLE);
	IS(state_of(fds[1]), TS_IDLE);
	close(fds[0]);
	close(fds[1]);
}

/*
 * A release is queued behind as much data as there is room for, followed by a
 * close: the close waits for room a while (I_SETCLTIME), and all data arrives.
 */
static void run_release(void)
{
	static char block[8192];
	int fds[2], n = 0, i;
	pid_t pid;

	connected(TICOTSORD, fds);
	test_nonblock(fds[0], true);
	for (;; n++) {
		memset(block, n, sizeof(block));
		if (put_data(fds[0], T_DATA_REQ, block, sizeof(block), 0))
			break;
	}
	TRUE(n > 10);
	test_nonblock(fds[0], false);
	pid = fork();
	TRUE(pid >= 0);
	if (!pid) {
		/*
		 * The release waits for room like any message, then for its
		 * turn.
		 */
		close(fds[1]);
		send_ordrel(fds[0]);
		close(fds[0]);
		_exit(0);
	}
	close(fds[0]);
	UNTIL(process_sleeps(pid) || process_ended(pid));
	for (i = 0; i < n; i++) {
		receive_prim(fds[1], T_DATA_IND);
		IS(in.data_len, sizeof(block));
		IS((unsigned char)in.data[0], i & 0xff);
	}
	receive_prim(fds[1], T_ORDREL_IND);
	/* The other side closed without this side's release. */
	receive_discon(fds[1], ECONNRESET, -1);
	close(fds[1]);
	IS(waitpid(pid, NULL, 0), pid);
}

/*
 * Connections are accepted one after the other, each on a stream of its own;
 * data is sent both ways.
 */
static void run_accept(void)
{
	int l = bound(TICOTSORD, "acceptor", 5), i;

	for (i = 0; i < 200; i++) {
		int a = bound(TICOTSORD, NULL, 0), b = endpoint(TICOTSORD), seq;

		call(a, "acceptor");
		seq = called(l);
		send_conn_res(l, acceptor_id(b), seq, NULL);
		receive_ok(l, T_CONN_RES);
		receive_prim(a, T_CONN_CON);
		IS(put_data(a, T_DATA_REQ, &i, sizeof(i), 0), 0);
		receive_prim(b, T_DATA_IND);
		TRUE(!memcmp(in.data, &i, sizeof(i)));
		IS(put_data(b, T_DATA_REQ, &i, sizeof(i), 0), 0);
		receive_prim(a, T_DATA_IND);
		close(a);
		receive_discon(b, ECONNRESET, -1);
		close(b);
	}
	IS(state_of(l), TS_IDLE);
	close(l);
}

/* A stream that calls the listener of run_crossing() */
static int call_busy(void)
{
	struct {
		struct T_conn_req req;
		char addr[4];
	} call = { { T_CONN_REQ, 4, sizeof(call.req), 0, 0 }, "busy" };
	struct T_bind_req bind = { T_BIND_REQ, 0, 0, 0 };
	struct strbuf c = { .len = sizeof(bind), .buf = (char *)&bind };
	int fd = open(TICOTSORD, O_RDWR | O_CLOEXEC);

	TRUE(fd >= 0);
	IS(putmsg(fd, &c, NULL, 0), 0);
	c = (struct strbuf){ .len = sizeof(call), .buf = (char *)&call };
	IS(putmsg(fd, &c, NULL, 0), 0);
	return fd;
}

/* Returns whether a call is accepted, however long that takes. */
static bool is_accepted(int fd)
{
	union T_primitives prim;
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };

	do {
		struct strbuf c = { .maxlen = sizeof(prim), .buf = (char *)&prim };
		int flags = 0;

		IS(poll(&p, 1, -1), 1);
		IS(getmsg(fd, &c, NULL, &flags), 0);
	} while (prim.type == T_BIND_ACK || prim.type == T_OK_ACK);
	return prim.type == T_CONN_CON;
}

static atomic_int callers;	/* that have not been accepted yet */

/* Connects and gives up at once, repeatedly; then connects to be accepted. */
static void *caller(void *arg)
{
	struct T_discon_req discon = { T_DISCON_REQ, -1 };
	struct strbuf c = { .len = sizeof(discon), .buf = (char *)&discon };
	long i, many = (long)arg;
	bool accepted;

	for (i = 0; i < many; i++) {
		int fd = call_busy();

		if (i % 3 == 1)
			IS(putmsg(fd, &c, NULL, 0), 0);
		else if (i % 3 == 2)
			usleep(i % 7 * 100);
		close(fd);
	}
	do {
		int fd = call_busy();

		accepted = is_accepted(fd);
		close(fd);
	} while (!accepted);
	callers--;
	return NULL;
}

/*
 * Returns the next message of high priority, whatever else has arrived before
 * it.
 */
static void receive_high(int fd)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct pollfd p = { .fd = fd, .events = POLLPRI };
	int band = 0, flags = MSG_HIPRI;

	IS(poll(&p, 1, WAIT_MS), 1);
	IS(getpmsg(fd, &c, NULL, &band, &flags), 0);
}

/*
 * A listener accepts all callers, while they give up or close: each T_CONN_RES
 * is acknowledged or refused, and in the end no caller is left.
 */
static void run_crossing(void)
{
	long many = test_scaled(600);
	int l = bound(TICOTSORD, "busy", 50), fds[2], accepted = 0, i;
	pthread_t thread[2];

	callers = 2;
	for (i = 0; i < 2; i++)
		IS(pthread_create(&thread[i], NULL, caller, (void *)many), 0);
	while (callers) {
		int b, seq;

		if (!arrives(l, 100) || in.prim.type == T_DISCON_IND)
			continue;
		IS(in.prim.type, T_CONN_IND);
		seq = in.prim.conn_ind.SEQ_number;
		b = endpoint(TICOTSORD);
		send_conn_res(l, acceptor_id(b), seq, NULL);
		/*
		 * Other callers may call, or give up, before the response is
		 * acknowledged.
		 */
		receive_high(l);
		if (in.prim.type == T_OK_ACK) {
			accepted++;
			receive_prim(b, T_DISCON_IND);
			IS(state_of(b), TS_IDLE);
		} else {
			IS(in.prim.type, T_ERROR_ACK);
			/* The caller has given up; another may be waiting. */
			TRUE(in.prim.error_ack.TLI_error == TOUTSTATE ||
			     in.prim.error_ack.TLI_error == TBADSEQ);
			IS(state_of(b), TS_UNBND);
		}
		close(b);
	}
	for (i = 0; i < 2; i++)
		IS(pthread_join(thread[i], NULL), 0);
	TRUE(accepted >= 2);
	while (arrives(l, 0))
		IS(in.prim.type, T_DISCON_IND);
	IS(state_of(l), TS_IDLE);
	close(l);
	connected(TICOTSORD, fds);
	close(fds[0]);
	close(fds[1]);
}

static const struct test_case cases[] = {
	{ "transfer", run_transfer },
	{ "release", run_release },
	{ "accept", run_accept },
	{ "crossing", run_crossing },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
