// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transfers between a user and a kernel socket that make no message: of all
 * lengths, from and to memory that is there, is not, or is late
 */
#include "missing.h"
#include "tpi-inet.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define MOST	65536	/* bytes of a data part */

/*
 * Maps three pages more than the largest part has, of which the last cannot be
 * touched.
 */
static char *memory(void)
{
	long page = sysconf(_SC_PAGESIZE), size = MOST + 3 * page;
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	TRUE(at != MAP_FAILED);
	IS(mprotect(at + size - page, page, PROT_NONE), 0);
	return at;
}

/*
 * Returns the start of len bytes that end before memory that cannot be touched.
 */
static char *end_of(char *memory, int len)
{
	return memory + MOST + 2 * sysconf(_SC_PAGESIZE) - len;
}

static void fill(char *at, int len, int number)
{
	int i;

	for (i = 0; i < len; i++)
		at[i] = number + i * 7 + i / 251;
}

/* Takes a data part; the control part only has to be a primitive. */
static int take(int fd, void *ctl, void *to, int room, int *type, int *len)
{
	struct strbuf c = { .maxlen = 256, .buf = ctl };
	struct strbuf d = { .maxlen = room, .buf = to };
	int flags = 0, more = getmsg(fd, &c, &d, &flags);

	if (more < 0)
		return -1;
	TRUE(c.len < 0 || c.len >= (int)sizeof(*type));
	if (c.len >= 0)
		memcpy(type, ctl, sizeof(*type));
	*len = d.len;
	return more;
}

/* Reads len bytes from a connection, and compares them. */
static void take_bytes(int fd, char *to, const char *want, int len)
{
	char ctl[256];
	int done = 0, got, type;

	while (done < len) {
		IS(take(fd, ctl, to + done, len - done, &type, &got) & ~MOREDATA, 0);
		IS(type, T_DATA_IND);
		TRUE(got > 0 && got <= len - done);
		done += got;
	}
	TRUE(!memcmp(to, want, len));
}

static void stream_pair(int fds[2])
{
	struct sockaddr_in sin;
	int listens, seq;

	inet_device = "/dev/streams/tcp";
	listens = listener(&sin, 1);
	fds[0] = endpoint();
	bind_to(fds[0], NULL);
	put_conn_req(fds[0], &sin);
	receive_ok(fds[0], T_CONN_REQ);
	seq = receive_conn_ind(listens, NULL);
	fds[1] = endpoint();
	accept_on(listens, seq, fds[1]);
	receive_prim(fds[0], T_CONN_CON);
	close(listens);
}

static const int sizes[] = {
	0, 1, 63, 64, 65, 511, 512, 513, 1024, 4095, 4096, 4097, 16384, 65507, 65536,
};

static void run_sizes(void)
{
	char *from = memory(), *to = memory();
	int fds[2], fa, fb, type, got;
	struct sockaddr_in a, b;
	unsigned int i, j;
	char ctl[256];

	inet_device = "/dev/streams/udp_s";
	fa = bound(&a);
	fb = bound(&b);
	stream_pair(fds);
	for (i = 0; i < COUNT(sizes); i++) {
		int n = sizes[i];
		char *starts[] = { from, from + 1, from + 4095, end_of(from, n) };

		for (j = 0; j < COUNT(starts); j++) {
			fill(starts[j], n, i + j);
			if (n <= 65507) {
				IS(put_datagram(fa, &b, NULL, 0, starts[j], n), 0);
				IS(take(fb, ctl, end_of(to, n ?: 1), n ?: 1, &type, &got), 0);
				IS(type, T_UNITDATA_IND);
				IS(got, n);
				TRUE(!memcmp(end_of(to, n ?: 1), starts[j], n));
			}
			if (!n)
				continue;
			IS(put_data_flags(fds[0], T_DATA_REQ, j & 1, starts[j], n), 0);
			if (j & 1)
				IS(put_data_flags(fds[0], T_DATA_REQ, 0, "", 0), 0);
			take_bytes(fds[1], end_of(to, n), starts[j], n);
		}
	}
	receive_none(fb);
	receive_none(fds[1]);
}

/* Data in memory that cannot be read is not sent, not even in part. */
static void unreadable(int fd, const struct sockaddr_in *to, char *from)
{
	static const int lens[] = { 1, 512, 513, 40000 };
	unsigned int i;

	for (i = 0; i < COUNT(lens); i++) {
		char *at[] = { BAD_POINTER, end_of(from, lens[i] - 1) };
		unsigned int j;

		for (j = 0; j < COUNT(at); j++)
			FAILS(to ? put_datagram(fd, to, NULL, 0, at[j], lens[i]) :
				   put_data_flags(fd, T_DATA_REQ, 0, at[j], lens[i]),
			      EFAULT);
	}
}

/*
 * Data that cannot be stored stays, is still reported, and is received first.
 */
static void unwritable(int fd, char *to, int len)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char ctl[256];
	int type, got;

	IS(poll(&p, 1, WAIT_MS), 1);
	FAILS(take(fd, BAD_POINTER, to, len, &type, &got), EFAULT);
	IS(poll(&p, 1, 0), 1);
	FAILS(take(fd, ctl, BAD_POINTER, len, &type, &got), EFAULT);
	IS(poll(&p, 1, 0), 1);
	if (len > 1)
		FAILS(take(fd, ctl, end_of(to, len - 1), len, &type, &got), EFAULT);
}

static void run_faults(void)
{
	static const int lens[] = { 1, 512, 513, 5000, 16000 };
	char *from = memory(), *to = memory(), ctl[256];
	struct sockaddr_in a, b;
	int fds[2], fa, fb, type, got;
	unsigned int i;

	inet_device = "/dev/streams/udp_s";
	fa = bound(&a);
	fb = bound(&b);
	stream_pair(fds);
	unreadable(fa, &b, from);
	unreadable(fds[0], NULL, from);
	receive_none(fb);
	receive_none(fds[1]);
	for (i = 0; i < COUNT(lens); i++) {
		int n = lens[i];

		fill(from, n + 10, i);
		IS(put_datagram(fa, &b, NULL, 0, from, n), 0);
		IS(put_datagram(fa, &b, NULL, 0, from + 10, n), 0);
		unwritable(fb, to, n);
		IS(take(fb, ctl, to, n, &type, &got), 0);
		IS(got, n);
		TRUE(!memcmp(to, from, n));
		receive_datagram(fb, from + 10, n);
		IS(put_data_flags(fds[0], T_DATA_REQ, 0, from, n), 0);
		unwritable(fds[1], to, n);
		IS(put_data_flags(fds[0], T_DATA_REQ, 0, from + n, 10), 0);
		take_bytes(fds[1], to, from, n + 10);
	}
	receive_none(fb);
	receive_none(fds[1]);
}

/*
 * The same holds for more data than is sent at once, and for memory that ends
 * within the data.
 */
static void run_fault_large(void)
{
	const int size = 300000, room = 1 << 20, ends = 60000;
	char *from = malloc(size), *to = malloc(room), *end = end_of(memory(), ends), ctl[256];
	int fds[2], type, got, done, ret;

	stream_pair(fds);
	fill(from, size, 1);
	for (done = 0; done < size; done += got) {
		got = size - done < MOST ? size - done : MOST;
		IS(put_data_flags(fds[0], T_DATA_REQ, 0, from + done, got), 0);
	}
	IS(poll(&(struct pollfd){ .fd = fds[1], .events = POLLIN }, 1, WAIT_MS), 1);
	memset(end, 0, ends);
	ret = take(fds[1], ctl, end, MOST, &type, &done);
	if (ret < 0) {
		IS(ret, -1);
		done = 0;
	}
	TRUE(done <= ends && !memcmp(end, from, done));
	FAILS(take(fds[1], BAD_POINTER, to, room, &type, &got), EFAULT);
	memset(to, 0, room);
	take_bytes(fds[1], to, from + done, size - done);
	receive_none(fds[1]);
}

static int shared_fd;
static atomic_int got_any;

/* The call finds waiting data, but has no memory to store it. */
static void *hopeless(void *arg)
{
	int type, len;
	char to[64];

	FAILS(take(shared_fd, BAD_POINTER, to, sizeof(to), &type, &len), EFAULT);
	return NULL;
}

static void *hopeful(void *arg)
{
	char to[64], ctl[256];
	int type, len;

	IS(take(shared_fd, ctl, to, sizeof(to), &type, &len), 0);
	got_any++;
	return NULL;
}

/* A task that cannot take the data leaves it to one that sleeps. */
static void run_others(void)
{
	const int rounds = test_scaled(300);
	struct sockaddr_in a, b;
	pthread_t bad, good;
	int fa, i;

	inet_device = "/dev/streams/udp_s";
	fa = bound(&a);
	shared_fd = bound(&b);
	for (i = 0; i < rounds; i++) {
		pthread_create(i & 1 ? &bad : &good, NULL, i & 1 ? hopeless : hopeful, NULL);
		pthread_create(i & 1 ? &good : &bad, NULL, i & 1 ? hopeful : hopeless, NULL);
		if (i & 2)
			usleep(1000);
		IS(put_datagram(fa, &b, NULL, 0, "one", 3), 0);
		pthread_join(good, NULL);
		IS(got_any, i + 1);
		/* The datagram was too late for that reader. */
		IS(put_datagram(fa, &b, NULL, 0, "two", 3), 0);
		pthread_join(bad, NULL);
		receive_datagram(shared_fd, "two", 3);
	}
	receive_none(shared_fd);
}

static int mixed_fds[2];
#define MIXED	(2 << 20)

static char mixed_byte(unsigned int at)
{
	return at * 13 + at / 4099;
}

static void *mixed_writer(void *arg)
{
	unsigned int done = 0, total = test_scaled(MIXED), seed = 1;
	char *from = memory();

	while (done < total) {
		unsigned int n = rand_r(&seed) % (rand_r(&seed) % 2 ? 2000 : MOST) + 1, i;

		if (n > total - done)
			n = total - done;
		for (i = 0; i < n; i++)
			from[i] = mixed_byte(done + i);
		IS(put_data_flags(mixed_fds[0], T_DATA_REQ, rand_r(&seed) & 1, from, n), 0);
		done += n;
	}
	IS(put_data_flags(mixed_fds[0], T_DATA_REQ, 0, "", 0), 0);
	return NULL;
}

static void set_sndbuf(int fd, unsigned int bytes)
{
	struct {
		struct T_optmgmt_req req;
		struct T_opthdr option;
		t_uscalar_t value;
	} c = {
		.req = {
			.PRIM_type = T_OPTMGMT_REQ,
			.OPT_length = sizeof(c) - sizeof(c.req),
			.OPT_offset = sizeof(c.req),
			.MGMT_flags = T_NEGOTIATE,
		},
		.option = {
			.len = sizeof(c) - sizeof(c.req),
			.level = XTI_GENERIC,
			.name = XTI_SNDBUF,
		},
		.value = bytes,
	};

	memcpy(out.bytes, &c, sizeof(c));
	IS(send_prim(fd, sizeof(c), NULL, 0, 0), 0);
	receive_ack(fd, T_OPTMGMT_ACK);
	IS(in.prim.optmgmt_ack.MGMT_flags, T_SUCCESS);
}

/* Bytes stay in order, with or without messages: buffers are full and empty. */
static void mixed(unsigned int sndbuf)
{
	unsigned int done = 0, total = test_scaled(MIXED), seed = 2;
	char *to = memory(), ctl[256];
	pthread_t writer;
	int type = -1;

	stream_pair(mixed_fds);
	if (sndbuf)
		set_sndbuf(mixed_fds[0], sndbuf);
	pthread_create(&writer, NULL, mixed_writer, NULL);
	while (done < total) {
		int room = rand_r(&seed) % (rand_r(&seed) % 4 ? MOST : 500) + 1, len, i;

		if (!(rand_r(&seed) % 50))
			usleep(20000);
		IS(take(mixed_fds[1], ctl, to, room, &type, &len) & ~MOREDATA, 0);
		IS(type, T_DATA_IND);
		for (i = 0; i < len; i++)
			TRUE(to[i] == mixed_byte(done + i));
		done += len;
	}
	IS(done, total);
	pthread_join(writer, NULL);
	receive_none(mixed_fds[1]);
	close(mixed_fds[0]);
	close(mixed_fds[1]);
}

/* A buffer that is full soon takes parts of messages. */
static void run_mixed(void)
{
	mixed(0);
	mixed(10000);
	mixed(100000);
}

/*
 * The socket may take a part of a message: its bytes fit, but not in the small
 * pieces that a peer with a small window makes of them.
 */
static void run_parts(void)
{
	const int size = 60000, rcvbuf = 16384, rounds = test_scaled(20);
	struct sockaddr_in sin = loopback(0);
	char *from = memory(), *to = memory();
	socklen_t len = sizeof(sin);
	int listens, fd, sock, i, j;

	listens = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	IS(setsockopt(listens, SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof(rcvbuf)), 0);
	IS(bind(listens, (struct sockaddr *)&sin, len), 0);
	IS(listen(listens, 1), 0);
	IS(getsockname(listens, (struct sockaddr *)&sin, &len), 0);
	inet_device = "/dev/streams/tcp";
	fd = connected(&sin);
	sock = native_accept(listens);
	set_sndbuf(fd, 33000);
	for (i = 0; i < rounds; i++) {
		/* The second task waits for the first one's rest. */
		for (j = 0; j < 2; j++) {
			fill(from, size, i + j);
			IS(put_data_flags(fd, T_DATA_REQ, 0, from, size), 0);
		}
		for (j = 0; j < 2; j++) {
			fill(from, size, i + j);
			IS(recv(sock, to, size, MSG_WAITALL), size);
			TRUE(!memcmp(from, to, size));
		}
	}
	put_simple(fd, T_ORDREL_REQ);
	IS(recv(sock, to, 1, 0), 0);
	close(sock);
	close(listens);
	close(fd);
}

/* The peer learns that data is missing if a close has not waited for all of it. */
static int put_large(int fd, int type, char *from)
{
	struct T_optdata_req opt = { .PRIM_type = T_OPTDATA_REQ };
	struct strbuf ctl = { .len = sizeof(opt), .buf = (char *)&opt };
	struct strbuf data = { .len = 60000, .buf = from };

	if (type == T_OPTDATA_REQ)
		return putmsg(fd, &ctl, &data, 0);
	return put_data_flags(fd, type, 0, from, data.len);
}

static void cut(int type, char *from, char *to)
{
	int fd, sock, n;

	socket_pair(&fd, &sock, IPPROTO_TCP);
	/* The socket and its peer cannot take all that the queue has. */
	set_sndbuf(fd, 16384);
	test_nonblock(fd, true);
	while (put_large(fd, type, from) == 0)
		;
	TRUE(errno == EAGAIN);
	IS(close(fd), 0);
	do {
		errno = 0;
		n = recv(sock, to, MOST, 0);
	} while (n > 0);
	TRUE(n == -1 && errno == ECONNRESET);
	close(sock);
}

static void run_cut(void)
{
	char *from = memory(), *to = memory();
	int fd, sock;

	inet_device = "/dev/streams/tcp";
	cut(T_DATA_REQ, from, to);
	cut(T_OPTDATA_REQ, from, to);
	/* The part that has room is sent also when the caller does not wait. */
	socket_pair(&fd, &sock, IPPROTO_TCP);
	test_nonblock(fd, true);
	IS(write(fd, "last words", 10), 10);
	IS(close(fd), 0);
	native_receive(sock, "last words");
	IS(recv(sock, to, 1, 0), 0);
	close(sock);
}

/* A task whose page is not provided until another task has acted */
static struct {
	int fd;
	struct missing data;
	struct sockaddr_in to;
} late;

static void *late_putmsg(void *arg)
{
	struct T_unitdata_req req[2] = { {
		.PRIM_type = T_UNITDATA_REQ,
		.DEST_length = sizeof(late.to),
		.DEST_offset = sizeof(req[0]),
	} };
	struct strbuf c = { .len = sizeof(req[0]) + sizeof(late.to), .buf = (char *)req };
	struct strbuf d = { .len = *(int *)arg, .buf = late.data.page };

	memcpy(&req[1], &late.to, sizeof(late.to));
	IS(putmsg(late.fd, &c, &d, 0), 0);
	return NULL;
}

static void *late_getmsg(void *arg)
{
	int type, len;
	char ctl[256];

	IS(take(late.fd, ctl, late.data.page, *(int *)arg, &type, &len), 0);
	IS(len, *(int *)arg);
	return NULL;
}

static void *gone_getmsg(void *to)
{
	int type, len;

	FAILS(take(late.fd, late.data.page, to, 4096, &type, &len), EFAULT);
	return NULL;
}

/* Bytes whose memory is unmapped during the copy are lost: read() reports it. */
static void run_gone(void)
{
	struct pollfd p = { .events = POLLIN };
	long size = sysconf(_SC_PAGESIZE);
	int fds[2], type, len;
	char *to, ctl[256];
	pthread_t thread;

	to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(to, 1, size);
	late.data = missing_page();
	stream_pair(fds);
	late.fd = fds[1];
	IS(put_data_flags(fds[0], T_DATA_REQ, 0, "gone", 4), 0);
	p.fd = late.fd;
	IS(poll(&p, 1, WAIT_MS), 1);
	pthread_create(&thread, NULL, gone_getmsg, to);
	missing_await(&late.data);
	IS(munmap(to, size), 0);
	IS(munmap(late.data.page, size), 0);
	IS(ioctl(late.data.fd, UFFDIO_WAKE, &late.data.range), 0);
	pthread_join(thread, NULL);
	FAILS(take(late.fd, ctl, ctl, sizeof(ctl), &type, &len), EIO);
	IS(poll(&p, 1, 0), 1);
	TRUE(p.revents & POLLERR);
	IS(put_data_flags(late.fd, T_DATA_REQ, 0, "back", 4), 0);
	receive_prim(fds[0], T_DATA_IND);
	DATA_IS("back");
	close(late.data.fd);
}

static void run_late(void)
{
	static int lens[] = { 100, 4000 };
	long size = sysconf(_SC_PAGESIZE);
	int other;
	static char data[4000];
	struct sockaddr_in a;
	pthread_t thread;
	unsigned int i;

	inet_device = "/dev/streams/udp_s";
	late.data = missing_page();
	late.fd = bound(&a);
	other = bound(&late.to);
	for (i = 0; i < 2 * COUNT(lens); i++) {
		int *len = &lens[i / 2];
		bool puts = i & 1;

		madvise(late.data.page, size, MADV_DONTNEED);
		if (!puts)
			IS(put_datagram(other, &a, NULL, 0, data, *len), 0);
		pthread_create(&thread, NULL, puts ? late_putmsg : late_getmsg, len);
		missing_await(&late.data);
		/* Other tasks send and look meanwhile. */
		IS(put_datagram(late.fd, &late.to, NULL, 0, "beside", 6), 0);
		receive_datagram(other, "beside", 6);
		put_simple(late.fd, T_ADDR_REQ);
		missing_bring(&late.data);
		pthread_join(thread, NULL);
		receive_prim(late.fd, T_ADDR_ACK);
		if (puts)
			receive_datagram(other, data, *len);
	}
}

static void *put_most(void *from)
{
	IS(put_data_flags(late.fd, T_DATA_REQ, 0, from, MOST), 0);
	return NULL;
}

/*
 * A page is dropped while the caller waits for the next one, and is missing
 * when the socket has taken the bytes of both.
 */
static void run_vanished(void)
{
	char *from = memory(), *want = memory(), *to = memory();
	long size = sysconf(_SC_PAGESIZE), at = MOST - 2 * size;
	struct missing first, second;
	pthread_t most;
	int fds[2];

	fill(want, MOST, 1);
	memcpy(from, want, at);
	first = missing_at(from + at, want + at);
	second = missing_at(from + at + size, want + at + size);
	stream_pair(fds);
	late.fd = fds[0];
	pthread_create(&most, NULL, put_most, from);
	missing_await(&first);
	missing_bring(&first);
	missing_await(&second);
	IS(madvise(first.page, size, MADV_DONTNEED), 0);
	missing_bring(&second);
	/*
	 * The caller waits for the rest; other calls are not held up, nor
	 * overtake it.
	 */
	missing_await(&first);
	receive_none(fds[0]);
	IS(put_data_flags(fds[0], T_DATA_REQ, 0, "next", 4), 0);
	missing_bring(&first);
	pthread_join(most, NULL);
	take_bytes(fds[1], to, want, MOST);
	take_bytes(fds[1], to, "next", 4);
	receive_none(fds[1]);
}

static void *peek_behind(void *arg)
{
	char data[16];
	struct strpeek p = {
		.ctlbuf.maxlen = -1, .databuf = { .maxlen = sizeof(data), .buf = data },
	};

	IS(ioctl(late.fd, I_PEEK, &p), 1);
	IS(p.databuf.len, 6);
	TRUE(!memcmp(data, "behind", 6));
	return NULL;
}

/* Sends a text; to NULL: fd is the other end of a pipe. */
static void send_text(int fd, const struct sockaddr_in *to, const char *text)
{
	int len = strlen(text);

	if (to)
		IS(put_datagram(fd, to, NULL, 0, text, len), 0);
	else
		IS(write(fd, text, len), len);
}

/* A message arrives while a getmsg() copies the first one. */
static void peek_beside(int fd, const struct sockaddr_in *to)
{
	int len = 5, type, got;
	pthread_t getmsg, peek;
	char ctl[256], data[16];
	pid_t tid;

	late.data = missing_page();
	send_text(fd, to, "first");
	pthread_create(&getmsg, NULL, late_getmsg, &len);
	missing_await(&late.data);
	peek = thread_begin(peek_behind, NULL, &tid);
	UNTIL(task_state(getpid(), tid) == 'D');
	send_text(fd, to, "behind");
	missing_bring(&late.data);
	pthread_join(getmsg, NULL);
	pthread_join(peek, NULL);
	IS(take(late.fd, ctl, data, sizeof(data), &type, &got), 0);
	IS(got, 6);
	close(late.data.fd);
}

static void run_peek(void)
{
	struct strpeek none = { .ctlbuf.maxlen = -1, .databuf.maxlen = -1 };
	struct sockaddr_in a, b;
	int fds[2];

	IS(strpipe(fds), 0);
	/* A message is held while it is copied; a write in a ring is not. */
	IS(ioctl(fds[0], I_PEEK, &none), 0);
	late.fd = fds[0];
	peek_beside(fds[1], NULL);
	inet_device = "/dev/streams/udp_s";
	late.fd = bound(&a);
	peek_beside(bound(&b), &a);
}

static const struct test_case cases[] = {
	{ "sizes", run_sizes },
	{ "faults", run_faults },
	{ "fault-large", run_fault_large },
	{ "others-meanwhile", run_others },
	{ "mixed", run_mixed },
	{ "taken-in-parts", run_parts },
	{ "cut", run_cut },
	{ "late", run_late },
	{ "vanished", run_vanished },
	{ "peek", run_peek },
	{ "gone", run_gone },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
