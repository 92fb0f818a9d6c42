// SPDX-License-Identifier: GPL-2.0-only
/* tirdwr.c - read() and write() on a transport connection */
#include "tpi-loop.h"

#include <stdatomic.h>

/* Makes a connection with tirdwr on its first end. */
static void pushed(int fds[2])
{
	connected(TICOTSORD, fds);
	IS(ioctl(fds[0], I_PUSH, "tirdwr"), 0);
}

static void close_both(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static void run_data(void)
{
	int fds[2], i;
	char buf[16];

	pushed(fds);
	IS(write(fds[0], "written", 7), 7);
	receive_prim(fds[1], T_DATA_IND);
	has_data("written");
	/*
	 * The data comes with and without MORE; read() returns no data for an
	 * empty primitive.
	 */
	IS(put_data(fds[1], T_DATA_REQ, "re", 2, 1), 0);
	IS(put_data(fds[1], T_DATA_REQ, NULL, 0, 1), 0);
	IS(put_data(fds[1], T_DATA_REQ, "ad", 2, 0), 0);
	IS(read(fds[0], buf, sizeof(buf)), 4);
	TRUE(!memcmp(buf, "read", 4));
	/* A write() of no bytes sends no message. */
	IS(ioctl(fds[0], I_SWROPT, SNDZERO), 0);
	IS(write(fds[0], "", 0), 0);
	receive_none(fds[1]);
	IS(ioctl(fds[1], I_PUSH, "tirdwr"), 0);
	for (i = 0; i < 100; i++) {
		IS(write(fds[i % 2], &i, sizeof(i)), sizeof(i));
		IS(read(fds[!(i % 2)], buf, sizeof(buf)), sizeof(i));
		TRUE(!memcmp(buf, &i, sizeof(i)));
	}
	close_both(fds);
}

/*
 * Waits for one of the events; poll() reports POLLERR and POLLHUP in any case.
 */
static void await(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events & POLLIN };

	IS(poll(&p, 1, WAIT_MS), 1);
	TRUE(p.revents & events);
}

/* A release is the end of file; the other direction stays open. */
static void run_release(void)
{
	int fds[2];
	char buf[16];

	pushed(fds);
	IS(put_data(fds[1], T_DATA_REQ, "last", 4, 0), 0);
	send_ordrel(fds[1]);
	IS(read(fds[0], buf, sizeof(buf)), 4);
	IS(read(fds[0], buf, sizeof(buf)), 0);
	IS(write(fds[0], "reply", 5), 5);
	receive_prim(fds[1], T_DATA_IND);
	has_data("reply");
	/* A close answers the release. */
	close(fds[0]);
	receive_prim(fds[1], T_ORDREL_IND);
	IS(state_of(fds[1]), TS_IDLE);
	close(fds[1]);
	/*
	 * A pop answers the release as well; the stream is the transport user's
	 * again.
	 */
	pushed(fds);
	send_ordrel(fds[1]);
	IS(read(fds[0], buf, sizeof(buf)), 0);
	IS(ioctl(fds[0], I_POP, 0), 0);
	receive_prim(fds[1], T_ORDREL_IND);
	IS(state_of(fds[0]), TS_IDLE);
	receive_none(fds[0]);
	close_both(fds);
}

static void run_disconnect(void)
{
	int fds[2];
	char buf[16];

	pushed(fds);
	IS(put_data(fds[1], T_DATA_REQ, "last", 4, 0), 0);
	send_discon_req(fds[1], -1, "reason");
	receive_ok(fds[1], T_DISCON_REQ);
	await(fds[0], POLLHUP);
	/* Data that had arrived can still be read. */
	IS(read(fds[0], buf, sizeof(buf)), 4);
	IS(read(fds[0], buf, sizeof(buf)), 0);
	FAILS(write(fds[0], "x", 1), ENXIO);
	close_both(fds);
	/* A close without a release by the other side disconnects. */
	pushed(fds);
	IS(write(fds[0], "bye", 3), 3);
	close(fds[0]);
	receive_prim(fds[1], T_DATA_IND);
	has_data("bye");
	receive_discon(fds[1], ECONNRESET, -1);
	close(fds[1]);
	/* A pop disconnects as well; its acknowledgement is dropped. */
	pushed(fds);
	IS(ioctl(fds[0], I_POP, 0), 0);
	receive_discon(fds[1], ECONNRESET, -1);
	receive_none(fds[0]);
	IS(state_of(fds[0]), TS_IDLE);
	close_both(fds);
}

/* An event that read() and write() cannot express ends the stream. */
static void run_protocol(void)
{
	int fds[2], n;

	pushed(fds);
	IS(put_data(fds[0], T_DATA_REQ, "x", 1, 0), 0);
	await(fds[0], POLLERR);
	FAILS(write(fds[0], "x", 1), EPROTO);
	receive_none(fds[1]);
	close(fds[0]);
	receive_discon(fds[1], ECONNRESET, -1);
	close(fds[1]);
	pushed(fds);
	IS(put_data(fds[1], T_EXDATA_REQ, "x", 1, 0), 0);
	await(fds[0], POLLERR);
	FAILS(write(fds[0], "x", 1), EPROTO);
	FAILS(read(fds[0], in.data, 1), EPROTO);
	close_both(fds);
	/* A waiting primitive other than data prevents the push. */
	connected(TICOTSORD, fds);
	IS(put_data(fds[1], T_DATA_REQ, "early", 5, 0), 0);
	IS(put_data(fds[1], T_EXDATA_REQ, "urgent", 6, 0), 0);
	UNTIL(ioctl(fds[0], I_NREAD, &n) == 2);
	FAILS(ioctl(fds[0], I_PUSH, "tirdwr"), EPROTO);
	/* A refused push leaves the stream unchanged. */
	receive_prim(fds[0], T_EXDATA_IND);
	has_data("urgent");
	receive_prim(fds[0], T_DATA_IND);
	has_data("early");
	IS(ioctl(fds[0], I_PUSH, "tirdwr"), 0);
	/* An unknown ioctl passes. */
	struct strioctl ic = { .ic_cmd = 4711 };

	FAILS(ioctl(fds[0], I_STR, &ic), EINVAL);
	IS(write(fds[0], "x", 1), 1);
	close_both(fds);
}

/* Data waits at the stream head of a server whose client speaks first. */
static void run_waiting(void)
{
	char buf[2000] = "", want[2000] = "";
	int fds[2], i, n;

	/* A TLI server pops timod first. */
	connected(TICOTSORD, fds);
	if (ioctl(fds[0], I_FIND, "timod") != 1)
		IS(ioctl(fds[0], I_PUSH, "timod"), 0);
	IS(put_data(fds[1], T_DATA_REQ, "first", 5, 0), 0);
	/* Empty primitives do not end the file. */
	IS(put_data(fds[1], T_DATA_REQ, NULL, 0, 1), 0);
	IS(put_data(fds[1], T_DATA_REQ, "second", 6, 0), 0);
	UNTIL(ioctl(fds[0], I_NREAD, &n) == 3);
	IS(ioctl(fds[0], I_POP, 0), 0);
	IS(ioctl(fds[0], I_PUSH, "tirdwr"), 0);
	IS(ioctl(fds[0], I_NREAD, &n), 2);
	IS(n, 5);
	/* Each byte counts once. */
	IS(ioctl(fds[0], FIONREAD, &n), 0);
	IS(n, 11);
	IS(read(fds[0], buf, 3), 3);
	IS(memcmp(buf, "fir", 3), 0);
	IS(read(fds[0], buf, sizeof(buf)), 8);
	IS(memcmp(buf, "stsecond", 8), 0);
	IS(put_data(fds[1], T_DATA_REQ, "later", 5, 0), 0);
	IS(read(fds[0], buf, sizeof(buf)), 5);
	IS(write(fds[0], "answer", 6), 6);
	receive_prim(fds[1], T_DATA_IND);
	has_data("answer");
	close_both(fds);
	/*
	 * Any number of messages may wait, and the rest of one that was read in
	 * part.
	 */
	connected(TICOTSORD, fds);
	IS(fcntl(fds[1], F_SETFL, O_RDWR | O_NONBLOCK), 0);
	for (i = 0; i < 300; i++) {
		snprintf(buf, sizeof(buf), "%d,", i);
		if (put_data(fds[1], T_DATA_REQ, buf, strlen(buf), 0))
			break;
		strcat(want, buf);
	}
	/* The other messages wait at the sender's end. */
	UNTIL(ioctl(fds[0], I_NREAD, &n) > 100);
	IS(ioctl(fds[0], I_PUSH, "tirdwr"), 0);
	n = strlen(want);
	for (i = 0; i < n;) {
		ssize_t got = read(fds[0], buf, sizeof(buf));

		TRUE(got > 0);
		IS(memcmp(buf, want + i, got), 0);
		i += got;
	}
	IS(i, n);
	/* All data has been read, so that there is room again. */
	UNTIL(!put_data(fds[1], T_DATA_REQ, "more", 4, 0));
	IS(read(fds[0], buf, sizeof(buf)), 4);
	close_both(fds);
}

static int messages_at(int fd)
{
	int bytes, n = ioctl(fd, I_NREAD, &bytes);

	TRUE(n >= 0);
	return n;
}

/* The other end of a pipe, a provider that answers each T_DISCON_REQ */
struct peer {
	int fd;
	atomic_bool done;
};

static void *answers(void *arg)
{
	struct T_error_ack error = { T_ERROR_ACK, T_DISCON_REQ, TOUTSTATE, 0 };
	struct strbuf ack = { .len = sizeof(error), .buf = (char *)&error };
	struct peer *peer = arg;
	int n = 0;

	while (!atomic_load(&peer->done)) {
		if (messages_at(peer->fd) > n) {
			IS(putmsg(peer->fd, &ack, NULL, RS_HIPRI), 0);
			n++;
		}
		sched_yield();
	}
	return NULL;
}

/*
 * The data of a T_DATA_IND, and the T_DISCON_REQ of each pop, count for their objects
 * as the messages that a program sends do.
 */
static void run_counts(void)
{
	struct T_data_ind ind = { T_DATA_IND, 0 };
	struct strbuf ctl = { .len = sizeof(ind), .buf = (char *)&ind };
	struct strbuf data = { .len = 1, .buf = "d" };
	struct peer peer = { };
	int fds[2], n, error;
	pthread_t t;

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_PUSH, "tirdwr"), 0);
	test_nonblock(fds[1], true);
	for (n = 0; n <= 256 && !putmsg(fds[1], &ctl, &data, 0); n++)
		;
	TRUE(errno == EAGAIN);
	IS(n, 256);
	IS(messages_at(fds[0]), n);
	close_both(fds);

	/* 65,536 bytes, and the 262,144 above that a queue holds when a module is pushed */
	IS(strpipe(fds), 0);
	peer.fd = fds[1];
	IS(pthread_create(&t, NULL, answers, &peer), 0);
	for (n = 0; n < 2000 && !ioctl(fds[0], I_PUSH, "tirdwr"); n++)
		IS(ioctl(fds[0], I_POP, 0), 0);
	error = errno;
	atomic_store(&peer.done, true);
	pthread_join(t, NULL);
	IS(n, (65536 + 262144) / 256 + 1);
	IS(messages_at(fds[1]), n);
	IS(error, EAGAIN);
	close_both(fds);
}

static const struct test_case cases[] = {
	{ "data", run_data },
	{ "release", run_release },
	{ "disconnect", run_disconnect },
	{ "protocol", run_protocol },
	{ "waiting", run_waiting },
	{ "counts", run_counts },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
