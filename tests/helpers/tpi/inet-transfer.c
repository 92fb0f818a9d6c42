// SPDX-License-Identifier: GPL-2.0-only
/*
 * Much data over /dev/streams/tcp, both ways at once, against a socket
 *
 * Each side sends the output of a generator and compares what it receives with
 * that of the other's, byte for byte; one of them may be slow to read.
 */
#include "slab.h"
#include "tpi-inet.h"

#define FULL		(16UL << 20)
#define PIECE		20000	/* no multiple of anything */
/* The number and length of a slow reader's pauses */
#define SLOW_STOPS	20
#define SLOW_MS		20

static unsigned long total;
static int protocol = IPPROTO_TCP;

/* Generates bytes that repeat only after more bytes than are sent. */
struct bytes {
	uint64_t state;
	unsigned long done;
};

static unsigned char next_byte(struct bytes *b)
{
	b->state = b->state * 6364136223846793005ULL + 1442695040888963407ULL;
	b->done++;
	return b->state >> 56;
}

static void fill(struct bytes *b, char *buf, int len)
{
	int i;

	for (i = 0; i < len; i++)
		buf[i] = next_byte(b);
}

static void compare(struct bytes *b, const char *buf, int len)
{
	int i;

	for (i = 0; i < len; i++)
		if ((char)next_byte(b) != buf[i])
			test_fail(__FILE__, __LINE__, "byte %lu differs", b->done - 1);
}

struct side {
	int fd;
	bool stream;
	bool slow;
	uint64_t sends, receives;	/* seeds */
};

static int piece(const struct bytes *b)
{
	return total - b->done < PIECE ? total - b->done : PIECE;
}

static void *sender(void *arg)
{
	const struct side *s = arg;
	struct bytes b = { .state = s->sends };
	struct T_data_req req = { T_DATA_REQ, 0 };
	char buf[PIECE];

	while (b.done < total) {
		int len = piece(&b);
		struct strbuf c = { .len = sizeof(req), .buf = (char *)&req };
		struct strbuf d = { .len = len, .buf = buf };

		fill(&b, buf, len);
		if (s->stream)
			IS(putmsg(s->fd, &c, &d, 0), 0);
		else
			IS(send(s->fd, buf, len, MSG_NOSIGNAL), len);
	}
	if (s->stream) {
		struct strbuf c = { .len = sizeof(req.PRIM_type), .buf = (char *)&req };

		req.PRIM_type = T_ORDREL_REQ;
		IS(putmsg(s->fd, &c, NULL, 0), 0);
	} else {
		IS(shutdown(s->fd, SHUT_WR), 0);
	}
	return NULL;
}

/* Returns the bytes read, 0 at the end. */
static int take(const struct side *s, char *buf, int size)
{
	union T_primitives prim;
	struct strbuf c = { .maxlen = sizeof(prim), .buf = (char *)&prim };
	struct strbuf d = { .maxlen = size, .buf = buf };
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	int flags = 0, got;

	if (!s->stream) {
		got = recv(s->fd, buf, size, 0);
		TRUE(got >= 0);
		return got;
	}
	IS(poll(&p, 1, WAIT_LIMIT_MS), 1);
	IS(getmsg(s->fd, &c, &d, &flags), 0);
	if (prim.type == T_ORDREL_IND)
		return 0;
	IS(prim.type, T_DATA_IND);
	return d.len;
}

static void *receiver(void *arg)
{
	const struct side *s = arg;
	struct bytes b = { .state = s->receives };
	char buf[65536];
	unsigned long stop = 0;
	int got;

	while ((got = take(s, buf, sizeof(buf))) > 0) {
		compare(&b, buf, got);
		TRUE(b.done <= total);
		if (s->slow && b.done >= stop) {
			usleep(SLOW_MS * 1000);
			stop += total / SLOW_STOPS;
		}
	}
	IS(b.done, total);
	return NULL;
}

static void transfer(bool slow_stream, bool slow_socket)
{
	struct side a = { .stream = true, .slow = slow_stream, .sends = 1, .receives = 2 };
	struct side b = { .slow = slow_socket, .sends = 2, .receives = 1 };
	pthread_t t[4];
	int i;

	total = test_scaled(FULL);
	socket_pair(&a.fd, &b.fd, protocol);
	IS(pthread_create(&t[0], NULL, receiver, &a), 0);
	IS(pthread_create(&t[1], NULL, receiver, &b), 0);
	IS(pthread_create(&t[2], NULL, sender, &a), 0);
	IS(pthread_create(&t[3], NULL, sender, &b), 0);
	for (i = 0; i < 4; i++)
		IS(pthread_join(t[i], NULL), 0);
	becomes(a.fd, TS_IDLE);
	close(a.fd);
	close(b.fd);
}

static void run_both(void)
{
	transfer(false, false);
}

static void run_slow_stream(void)
{
	transfer(true, false);
}

static void run_slow_socket(void)
{
	transfer(false, true);
}

/*
 * A reader that stays away closes the window: the sender is held. No data is
 * lost when the reader returns, though the sender has long closed.
 */
static void run_held(void)
{
	struct side a = { .stream = true, .receives = 3 };
	struct bytes b = { .state = 3 };
	int sock, len, sent;
	static char buf[PIECE];

	socket_pair(&a.fd, &sock, protocol);
	test_nonblock(sock, true);
	do {
		struct bytes was = b;

		fill(&b, buf, PIECE);
		sent = send(sock, buf, PIECE, MSG_NOSIGNAL);
		if (sent < 0)
			settles(sock, SIOCOUTQ);
		if (sent < 0)
			sent = send(sock, buf, PIECE, MSG_NOSIGNAL);
		if (sent < PIECE) {
			/* The part that was sent is compared. */
			b = was;
			for (len = 0; len < sent; len++)
				next_byte(&b);
		}
	} while (sent > 0);
	total = b.done;
	/* The limits are those of both buffers, and of the stream head. */
	TRUE(total > 65536 && total < 64UL << 20);
	close(sock);
	receiver(&a);
	close(a.fd);
}

/* The same holds when the stream sends and releases: T_ORDREL_REQ waits. */
static void run_held_stream(void)
{
	struct side b = { .receives = 4 };
	struct bytes bytes = { .state = 4 };
	static char buf[PIECE];
	int fd;

	socket_pair(&fd, &b.fd, protocol);
	test_nonblock(fd, true);
	for (;;) {
		struct bytes was = bytes;

		fill(&bytes, buf, PIECE);
		if (!put_data_flags(fd, T_DATA_REQ, 0, buf, PIECE))
			continue;
		bytes = was;
		settles(b.fd, SIOCINQ);
		fill(&bytes, buf, PIECE);
		if (!put_data_flags(fd, T_DATA_REQ, 0, buf, PIECE))
			continue;
		bytes = was;
		break;
	}
	total = bytes.done;
	TRUE(total > 65536 && total < 64UL << 20);
	out.prim.type = T_ORDREL_REQ;
	FAILS(send_prim(fd, sizeof(out.prim.type), NULL, 0, 0), EAGAIN);
	test_nonblock(fd, false);
	if (!fork()) {
		put_simple(fd, T_ORDREL_REQ);
		_exit(0);
	}
	receiver(&b);
	wait(NULL);
	close(b.fd);
	receive_prim(fd, T_ORDREL_IND);
	close(fd);
}

/* The data is larger than the buffers, in records of many lengths. */
#define RECORDS		400
#define RECORD_MAX	8000

static int record_len(int i)
{
	return 1 + i * 977 % RECORD_MAX;
}

static void *send_records(void *arg)
{
	struct bytes b = { .state = 5 };
	static char buf[RECORD_MAX];
	int fd = *(int *)arg, i;

	for (i = 0; i < RECORDS; i++) {
		int len = record_len(i), part = i % 2 ? len / 3 : 0;

		fill(&b, buf, len);
		if (part) {
			IS(put_data_flags(fd, T_DATA_REQ, 1, buf, part), 0);
			IS(put_data_flags(fd, T_DATA_REQ, 1, "", 0), 0);
		}
		IS(put_data_flags(fd, T_DATA_REQ, 0, buf + part, len - part), 0);
	}
	return NULL;
}

/* A late reader of SCTP finds all records, whole and in order. */
static void run_records(void)
{
	struct bytes b = { .state = 5 };
	static char buf[RECORD_MAX + 1];
	pthread_t t;
	int fd, sock, i;

	inet_device = "/dev/streams/sctp";
	socket_pair(&fd, &sock, IPPROTO_SCTP);
	t = thread_asleep(send_records, &fd);
	for (i = 0; i < RECORDS; i++) {
		struct iovec iov = { buf, sizeof(buf) };
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

		IS(recvmsg(sock, &msg, 0), record_len(i));
		TRUE(msg.msg_flags & MSG_EOR);
		compare(&b, buf, record_len(i));
	}
	IS(pthread_join(t, NULL), 0);
	close(sock);
	close(fd);
}

/*
 * Much data found by a reader is sent up in the largest cached buffers, of
 * 16,376 bytes.
 */
static void run_cached(void)
{
	static char data[3 * 16376];
	int fd[10], sock[COUNT(fd)], bytes, waits;
	long objects;
	unsigned int i;

	/* Streams that were closed before give their blocks back later. */
	UNTIL(!slab_objects("streams_data_16k"));
	for (i = 0; i < COUNT(fd); i++) {
		socket_pair(&fd[i], &sock[i], protocol);
		IS(send(sock[i], data, sizeof(data), 0), sizeof(data));
		UNTIL(!ioctl(sock[i], SIOCOUTQ, &waits) && !waits);
	}
	for (i = 0; i < COUNT(fd); i++)
		UNTIL(!ioctl(fd[i], FIONREAD, &bytes) && bytes == sizeof(data));
	objects = slab_objects("streams_data_16k");
	printf("%ld objects\n", objects);
	TRUE(objects > 2 * (long)COUNT(fd));
	for (i = 0; i < COUNT(fd); i++) {
		close(fd[i]);
		close(sock[i]);
	}
}

/* The peer of run_close_unread() reads late, and expects all written data. */
static int read_all(int sock, size_t size)
{
	static unsigned char buf[8192];
	size_t done = 0;
	ssize_t n, i;

	while ((n = recv(sock, buf, sizeof(buf), 0)) > 0) {
		for (i = 0; i < n; i++, done++)
			if (buf[i] != (unsigned char)(done * 7 + done / 256))
				return 1;
	}
	return n || done != size ? 2 : 0;
}

/* A close with unread input loses no written data. */
static void run_close_unread(void)
{
	static unsigned char block[32768];
	const size_t size = 8 * sizeof(block);
	struct pollfd p = { .events = POLLIN };
	size_t done, i;
	int fd, sock, room = 16384, status;
	pid_t child;
	char c;

	socket_pair(&fd, &sock, protocol);
	IS(send(sock, "u", 1, 0), 1);
	p.fd = fd;
	IS(poll(&p, 1, WAIT_MS), 1);
	put_data(fd, "the last there is");
	close(fd);
	native_receive(sock, "the last there is");
	/* The peer sees the end of the data, and no reset. */
	IS(recv(sock, &c, 1, 0), 0);
	close(sock);
	/* The same holds for more data than the kernel sends at once. */
	socket_pair(&fd, &sock, protocol);
	IS(setsockopt(sock, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)), 0);
	IS(send(sock, "u", 1, 0), 1);
	child = fork();
	TRUE(child >= 0);
	if (!child) {
		close(fd);
		_exit(read_all(sock, size));
	}
	close(sock);
	for (done = 0; done < size;) {
		for (i = 0; i < sizeof(block); i++, done++)
			block[i] = done * 7 + done / 256;
		IS(put_data_flags(fd, T_DATA_REQ, 0, (char *)block, sizeof(block)), 0);
	}
	close(fd);
	IS(waitpid(child, &status, 0), child);
	IS(status, 0);
}

static const struct test_case cases[] = {
	{ "both", run_both },
	{ "slow-stream", run_slow_stream },
	{ "slow-socket", run_slow_socket },
	{ "held", run_held },
	{ "held-stream", run_held_stream },
	{ "records", run_records },
	{ "close-unread", run_close_unread },
	{ "cached", run_cached },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
