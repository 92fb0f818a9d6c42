// SPDX-License-Identifier: GPL-2.0-only
/*
 * faults.c - what streams do while the kernel's memory fails
 *
 *	faults each|random SCENARIO
 *
 * A scenario is repeated. "each": in the n-th round the n-th allocation, or
 * copy from or to the user, fails, until a round is over before its n-th came.
 * "random": allocations fail as the machine was told to have them fail, a part
 * of 100 (Linux's fault injection: fail-nth and make-it-fail). A call that
 * fails must report lack of memory, and must work when it is made again, as if
 * it had not been made before.
 *
 * Works in the current folder, which is empty. By root.
 */
#include <net/ethernet.h>
#include <sys/mman.h>
#include <sys/sad.h>
#include <sys/stat.h>
#include <sys/strlog.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "../../../kmod/test/strcopy.h"
#include "../../../kmod/test/strddi.h"
#include "../../../kmod/test/strprobe.h"
#include "tpi-inet.h"
#include "streams-open.h"

#define NAME	"name"

static bool random_mode;
static int control;			/* fail-nth or make-it-fail */
static unsigned long failures;		/* calls that failed */
static unsigned long recovered;		/* drivers that waited by qbufcall() */
static unsigned long datagrams;		/* messages that had to be sent again */

/*
 * Arms the failures. The ioctl copies a number from the user, and that copy may
 * be the one that fails.
 */
static void faults(int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d\n", n), tries = 0;

	while (pwrite(control, text, len, 0) < 0)
		TRUE(++tries < 1000);
}

/*
 * Returns whether the operation that should fail has failed; otherwise this
 * read may fail in its place.
 */
static bool has_failed(void)
{
	char text[16] = "";

	return pread(control, text, sizeof(text) - 1, 0) > 0 && atoi(text) == 0;
}

static void unexpected(const char *what, int line, long got)
{
	int error = errno;

	faults(0);
	test_fail(__FILE__, line, "%s gives %ld (errno: %s), after %lu failures",
		  what, got, strerror(error), failures);
}

/*
 * Returns whether an error means that memory is short. pipe() returns ENFILE
 * for a pipe without an inode, as the kernel's own does.
 */
static bool memory_error(int error)
{
	return error == ENOSR || error == ENOMEM || error == EAGAIN ||
	       error == ENFILE ||
	       error == ENOBUFS || (error == EFAULT && !random_mode);
}

/* Counts a call that failed in tries. */
static void failed(const char *what, int line, int tries)
{
	failures++;
	if (!memory_error(errno) || tries > (random_mode ? 1000 : 1))
		unexpected(what, line, -1);
}

/*
 * Returns the value of a call once it succeeds; it fails for a limited number
 * of times.
 */
#define DONE(expr) ({							\
	long done_got;							\
	int done_tries = 0;						\
	while ((done_got = (long)(expr)) < 0)				\
		failed(#expr, __LINE__, ++done_tries);			\
	done_got;							\
})

#define GIVES(expr, value) do {						\
	long gives_got = DONE(expr);					\
	if (gives_got != (long)(value))					\
		unexpected(#expr, __LINE__, gives_got);			\
} while (0)

#define SURE(cond) do {							\
	if (!(cond))							\
		unexpected(#cond, __LINE__, 0);				\
} while (0)

static bool comes(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };

	return DONE(poll(&p, 1, ms)) == 1;
}

static char pattern[20000], got[20000];

static void write_all(int fd, size_t size)
{
	size_t done = 0;

	while (done < size)
		done += DONE(write(fd, pattern + done, size - done));
}

static void read_all(int fd, size_t size)
{
	size_t done = 0;

	memset(got, 0, size);
	while (done < size) {
		long n;

		SURE(comes(fd, 10000));
		n = DONE(read(fd, got + done, size - done));
		SURE(n > 0);
		done += n;
	}
	SURE(!memcmp(got, pattern, size));
}

static int next_fd(void)
{
	int fd = 3;

	while (fcntl(fd, F_GETFD) >= 0)
		fd++;
	return fd;
}

/* The device stays open where the kernel could not read which device it is. */
static long make_pipe(int fds[2], bool fifo)
{
	int device = next_fd();
	long ret = fifo ? test_fifo(fds, 0) : strpipe(fds);
	int error = errno;

	if (ret && error == EFAULT && fcntl(device, F_GETFD) >= 0)
		close(device);
	errno = error;
	return ret;
}

static void close_both(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static void pipes(void)
{
	int fds[2];

	DONE(make_pipe(fds, false));
	write_all(fds[1], 5000);
	read_all(fds[0], 5000);
	write_all(fds[0], 300);
	read_all(fds[1], 300);
	close_both(fds);
}

static void fifos(void)
{
	int fds[2], n;

	DONE(make_pipe(fds, true));
	write_all(fds[1], sizeof(pattern));
	read_all(fds[0], sizeof(pattern));
	write_all(fds[1], 100);
	/* The bytes in the ring become a message. */
	GIVES(ioctl(fds[0], I_NREAD, &n), 1);
	SURE(n == 100);
	read_all(fds[0], 100);
	close_both(fds);
}

static long send_message(int fd, int ctl, int data, int band, int flags)
{
	struct strbuf c = { .len = ctl, .buf = pattern };
	struct strbuf d = { .len = data, .buf = pattern };

	return putpmsg(fd, &c, &d, band, flags);
}

static void receive_message(int fd, int ctl, int data, int band)
{
	static char ctl_got[2000];
	struct strbuf c = { .maxlen = sizeof(ctl_got), .buf = ctl_got };
	struct strbuf d = { .maxlen = sizeof(got), .buf = got };
	int band_got = 0, flags = MSG_ANY;

	GIVES((flags = MSG_ANY, band_got = 0, getpmsg(fd, &c, &d, &band_got, &flags)), 0);
	SURE(c.len == ctl && d.len == data && band_got == band);
	SURE(ctl <= 0 || !memcmp(ctl_got, pattern, ctl));
	SURE(data <= 0 || !memcmp(got, pattern, data));
}

static void messages(void)
{
	struct strpeek peek = { .databuf = { .maxlen = 100, .buf = got } };
	struct strfdinsert insert = {
		.ctlbuf = { .len = 100, .buf = pattern },
		.databuf = { .len = -1 },
	};
	struct bandinfo band = { .bi_pri = 3, .bi_flag = FLUSHR };
	int fds[2];

	DONE(make_pipe(fds, false));
	GIVES(send_message(fds[1], 100, 3000, 0, MSG_BAND), 0);
	GIVES(send_message(fds[1], -1, 10, 3, MSG_BAND), 0);
	GIVES(send_message(fds[1], 1000, 400, 0, MSG_HIPRI), 0);
	GIVES(ioctl(fds[0], I_PEEK, &peek), 1);
	receive_message(fds[0], 1000, 400, 0);
	receive_message(fds[0], -1, 10, 3);
	receive_message(fds[0], 100, 3000, 0);
	insert.fildes = fds[0];
	GIVES(ioctl(fds[1], I_FDINSERT, &insert), 0);
	GIVES(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
	GIVES(send_message(fds[1], 10, 10, 3, MSG_BAND), 0);
	GIVES(ioctl(fds[0], I_FLUSHBAND, &band), 0);
	GIVES(ioctl(fds[0], I_SETSIG, S_INPUT | S_RDBAND), 0);
	GIVES(ioctl(fds[1], I_SWROPT, SNDHOLD), 0);
	write_all(fds[1], 10);
	read_all(fds[0], 10);
	close_both(fds);
}

static void modules(void)
{
	int fds[2], fd;

	DONE(make_pipe(fds, false));
	GIVES(ioctl(fds[0], I_PUSH, "nullmod"), 0);
	GIVES(ioctl(fds[1], I_PUSH, "nullmod"), 0);
	GIVES(ioctl(fds[1], I_LIST, NULL), 1);
	write_all(fds[1], 1000);
	read_all(fds[0], 1000);
	GIVES(ioctl(fds[1], I_FLUSH, FLUSHRW), 0);
	write_all(fds[0], 10);
	GIVES(ioctl(fds[0], I_POP, 0), 0);
	read_all(fds[1], 10);
	close_both(fds);
	fd = DONE(open("/dev/streams/echo", O_RDWR));
	GIVES(ioctl(fd, I_PUSH, "nullmod"), 0);
	write_all(fd, 3000);
	read_all(fd, 3000);
	close(fd);
}

static long command(int fd, int cmd, void *data, int len)
{
	struct strioctl ic = {
		.ic_cmd = cmd, .ic_timout = WAIT_SECONDS, .ic_len = len, .ic_dp = data,
	};

	return ioctl(fd, I_STR, &ic);
}

static void commands(void)
{
	struct strprobe seen;
	int fd, magic;

	fd = DONE(open("/dev/streams/strprobe", O_RDWR));
	write_all(fd, 300);
	GIVES(command(fd, STRPROBE_LOOK, &seen, 1000), 0);
	GIVES(ioctl(fd, I_FLUSH, FLUSHRW), 0);
	close(fd);
	fd = DONE(open("/dev/streams/strcopy", O_RDWR));
	GIVES(ioctl(fd, STRCOPY_GET, &magic), 0);
	SURE(magic == STRCOPY_MAGIC);
	close(fd);
}

static void links(void)
{
	int up = DONE(open("/dev/streams/mux", O_RDWR));
	int low = DONE(open("/dev/streams/echo", O_RDWR)), id;

	id = DONE(ioctl(up, I_LINK, low));
	SURE(id > 0);
	write_all(up, 500);
	read_all(up, 500);
	GIVES(ioctl(up, I_UNLINK, id), 0);
	write_all(low, 10);
	read_all(low, 10);
	id = DONE(ioctl(up, I_PLINK, low));
	GIVES(ioctl(up, I_PUNLINK, id), 0);
	SURE(DONE(ioctl(up, I_LINK, low)) > 0);
	/* The close ends the link. */
	close(up);
	write_all(low, 10);
	read_all(low, 10);
	close(low);
}

static void names(void)
{
	struct stat st;
	int fds[2], fd;

	DONE(make_pipe(fds, false));
	GIVES(fattach(fds[1], NAME), 0);
	fd = DONE(open(NAME, O_RDWR));
	write_all(fd, 100);
	read_all(fds[0], 100);
	close(fd);
	GIVES(fdetach(NAME), 0);
	GIVES(stat(NAME, &st), 0);
	SURE(S_ISREG(st.st_mode));
	close_both(fds);
}

static void descriptors(void)
{
	struct strrecvfd recv = { .fd = -1 };
	int fds[2];

	DONE(make_pipe(fds, false));
	GIVES(ioctl(fds[1], I_SENDFD, fds[1]), 0);
	GIVES(ioctl(fds[0], I_RECVFD, &recv), 0);
	write_all(recv.fd, 10);
	read_all(fds[0], 10);
	close(recv.fd);
	/* Files are left in flight, and a pipe would hold itself. */
	GIVES(ioctl(fds[1], I_SENDFD, fds[1]), 0);
	GIVES(ioctl(fds[1], I_SENDFD, control), 0);
	close_both(fds);
}

static void servers(void)
{
	struct strrecvfd recv = { .fd = -1 };
	int fds[2], fd;
	long n;

	DONE(make_pipe(fds, false));
	GIVES(ioctl(fds[1], I_PUSH, "connld"), 0);
	GIVES(fattach(fds[1], NAME), 0);
	fd = DONE(open(NAME, O_RDWR | O_NONBLOCK));
	write_all(fd, 10);
	/* Until then ends of pipes that could not be opened may arrive. */
	do {
		SURE(comes(fds[0], 10000));
		GIVES(ioctl(fds[0], I_RECVFD, &recv), 0);
		n = DONE(read(recv.fd, got, 10));
		if (!n)
			close(recv.fd);
	} while (!n);
	SURE(n == 10 && !memcmp(got, pattern, 10));
	close(recv.fd);
	close(fd);
	GIVES(fdetach(NAME), 0);
	close_both(fds);
}

/* Bytes come back by a driver that waits by qbufcall() for memory. */
static void waiters(void)
{
	int fd = DONE(open("/dev/streams/strddi", O_RDWR)), i;

	for (i = 0; i < 5; i++) {
		write_all(fd, 1000);
		read_all(fd, 1000);
	}
	recovered += DONE(command(fd, STRDDI_RAN, NULL, 0));
	close(fd);
}

/* Takes the next message; its data is stored in got. */
static void take(int fd)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = sizeof(got), .buf = got };
	int flags;

	SURE(comes(fd, 10000));
	GIVES((flags = 0, getmsg(fd, &c, &d, &flags)), 0);
	in.data_len = d.len;
}

/*
 * Sends a request until the provider's answer is the wanted one: memory may be
 * short for the answer, too.
 */
static void ask(int fd, int size, int want)
{
	int tries = 0;

	for (;;) {
		GIVES(send_prim(fd, size, NULL, 0, 0), 0);
		take(fd);
		if (in.prim.type == want)
			return;
		SURE(in.prim.type == T_ERROR_ACK &&
		     in.prim.error_ack.TLI_error == TSYSERR);
		errno = in.prim.error_ack.UNIX_error;
		failed("a request", __LINE__, ++tries);
	}
}

static void bind_at(int fd, const void *addr, int len, int qlen)
{
	out.prim.bind_req = (struct T_bind_req){
		.PRIM_type = T_BIND_REQ,
		.ADDR_length = len,
		.ADDR_offset = sizeof(out.prim.bind_req),
		.CONIND_number = qlen,
	};
	memcpy(out.bytes + sizeof(out.prim.bind_req), addr, len);
	ask(fd, sizeof(out.prim.bind_req) + len, T_BIND_ACK);
}

static struct sockaddr_in bind_endpoint(int fd)
{
	struct sockaddr_in sin = loopback(0);

	bind_at(fd, &sin, sizeof(sin), 0);
	memcpy(&sin, in.ctl + in.prim.bind_ack.ADDR_offset, sizeof(sin));
	return sin;
}

static void datagrams_by(const char *device)
{
	int fd = DONE(open(device, O_RDWR)), tries = 0;
	struct sockaddr_in sin = bind_endpoint(fd);

	/* A datagram may be lost, as always. */
	do {
		SURE(++tries < 1000);
		GIVES(put_datagram(fd, &sin, NULL, 0, pattern, 600), 0);
		if (!comes(fd, 50)) {
			datagrams++;
			continue;
		}
		take(fd);
		SURE(in.prim.type == T_UNITDATA_IND || in.prim.type == T_UDERROR_IND);
		if (in.prim.type == T_UDERROR_IND) {
			errno = in.prim.uderror_ind.ERROR_type;
			failed("T_UNITDATA_REQ", __LINE__, 1);
		}
	} while (in.prim.type != T_UNITDATA_IND);
	SURE(in.data_len == 600 && !memcmp(got, pattern, 600));
	close(fd);
}

static void transport(void)
{
	datagrams_by("/dev/streams/udp");
}

static void transport_sockets(void)
{
	datagrams_by("/dev/streams/udp_s");
}

#define ADDRESS	"faults"

/*
 * Calls until the other side is notified; when its memory is short, it is not
 * notified.
 */
static void call_up(int from, int to)
{
	struct pollfd p[2] = {
		{ .fd = to, .events = POLLIN }, { .fd = from, .events = POLLIN },
	};
	int len = strlen(ADDRESS), tries = 0;

	for (;;) {
		out.prim.conn_req = (struct T_conn_req){
			.PRIM_type = T_CONN_REQ,
			.DEST_length = len,
			.DEST_offset = sizeof(out.prim.conn_req),
		};
		memcpy(out.bytes + sizeof(out.prim.conn_req), ADDRESS, len);
		ask(from, sizeof(out.prim.conn_req) + len, T_OK_ACK);
		SURE(DONE(poll(p, 2, WAIT_LIMIT_MS)) == 1);
		if (p[0].revents)
			break;
		take(from);
		SURE(in.prim.type == T_DISCON_IND);
		errno = ENOSR;
		failed("T_CONN_REQ", __LINE__, ++tries);
	}
	take(to);
	SURE(in.prim.type == T_CONN_IND);
}

static void send_across(int from, int to)
{
	out.prim.data_req = (struct T_data_req){ T_DATA_REQ, 0 };
	GIVES(send_prim(from, sizeof(out.prim.data_req), pattern, 600, 0), 0);
	take(to);
	SURE(in.prim.type == T_DATA_IND);
	SURE(in.data_len == 600 && !memcmp(got, pattern, 600));
}

static void release(int from, int to)
{
	out.prim.type = T_ORDREL_REQ;
	GIVES(send_prim(from, sizeof(out.prim.ordrel_req), NULL, 0, 0), 0);
	take(to);
	SURE(in.prim.type == T_ORDREL_IND);
}

/* A connection of ticotsord is made, used both ways, and released. */
static void connections(void)
{
	int from = DONE(open("/dev/streams/ticotsord", O_RDWR));
	int to = DONE(open("/dev/streams/ticotsord", O_RDWR));
	struct T_conn_res res = { .PRIM_type = T_CONN_RES };

	bind_at(from, "", 0, 0);
	bind_at(to, ADDRESS, strlen(ADDRESS), 1);
	call_up(from, to);
	res.SEQ_number = in.prim.conn_ind.SEQ_number;
	out.prim.capability_req = (struct T_capability_req){
		T_CAPABILITY_REQ, TC1_ACCEPTOR_ID,
	};
	ask(to, sizeof(out.prim.capability_req), T_CAPABILITY_ACK);
	res.ACCEPTOR_id = in.prim.capability_ack.ACCEPTOR_id;
	out.prim.conn_res = res;
	ask(to, sizeof(res), T_OK_ACK);
	take(from);
	SURE(in.prim.type == T_CONN_CON);
	send_across(from, to);
	send_across(to, from);
	release(from, to);
	release(to, from);
	close(from);
	close(to);
}

/* The connection is kept: with failures the kernel takes long to make one. */
static void connect_tcp(int fds[2])
{
	struct sockaddr_in sin = loopback(0);
	struct T_conn_req req = {
		.PRIM_type = T_CONN_REQ,
		.DEST_length = sizeof(sin),
		.DEST_offset = sizeof(req),
	};
	int listens = DONE(open("/dev/streams/tcp", O_RDWR));

	fds[0] = DONE(open("/dev/streams/tcp", O_RDWR));
	fds[1] = DONE(open("/dev/streams/tcp", O_RDWR));
	bind_at(listens, &sin, sizeof(sin), 1);
	memcpy(&sin, in.ctl + in.prim.bind_ack.ADDR_offset, sizeof(sin));
	bind_endpoint(fds[0]);
	memcpy(out.bytes, &req, sizeof(req));
	memcpy(out.bytes + sizeof(req), &sin, sizeof(sin));
	ask(fds[0], sizeof(req) + sizeof(sin), T_OK_ACK);
	take(listens);
	SURE(in.prim.type == T_CONN_IND);
	accept_on(listens, in.prim.conn_ind.SEQ_number, fds[1]);
	take(fds[0]);
	SURE(in.prim.type == T_CONN_CON);
	close(listens);
}

/* Checks that exactly size bytes arrive, in any number of messages. */
static void carry(int from, int to, size_t size)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .buf = got };
	size_t done = 0;
	int flags;

	out.prim.data_req = (struct T_data_req){ T_DATA_REQ, 0 };
	GIVES(send_prim(from, sizeof(out.prim.data_req), pattern, size, 0), 0);
	memset(got, 0, sizeof(got));
	while (done < size) {
		SURE(comes(to, 20000));
		d.buf = got + done;
		d.maxlen = sizeof(got) - done;
		SURE(DONE((flags = 0, getmsg(to, &c, &d, &flags))) == 0);
		SURE(c.len < 0 || in.prim.type == T_DATA_IND);
		SURE(d.len >= 0);
		done += d.len;
	}
	SURE(done == size && !memcmp(got, pattern, size));
}

/*
 * Bytes are sent both ways over the kernel's TCP, which retransmits lost
 * segments: an observer of all packets closes the short way, which allocates nothing.
 */
static void connections_sockets(void)
{
	static const size_t sizes[] = { 1, 512, 513, 5000, sizeof(pattern) };
	static int fds[2];
	size_t i;

	if (!fds[0]) {
		DONE(socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL)));
		connect_tcp(fds);
	}
	for (i = 0; i < COUNT(sizes); i++)
		carry(fds[i & 1], fds[!(i & 1)], sizes[i]);
}

static void sockets(void)
{
	int fd = DONE(socket(AF_INET, SOCK_DGRAM, IPPROTO_STREAMS)), tries = 0;
	struct sockaddr_in sin = loopback(0);
	struct sockaddr *to = (struct sockaddr *)&sin;
	socklen_t len = sizeof(sin);
	ssize_t received = -1;

	GIVES(bind(fd, to, len), 0);
	GIVES(getsockname(fd, to, &len), 0);
	/*
	 * A call whose bytes could not be copied does not keep a byte for the
	 * next call.
	 */
	do {
		SURE(++tries < 1000);
		datagrams += tries > 1;
		GIVES(sendto(fd, pattern, 600, 0, to, len), 600);
		if (!comes(fd, 50))
			continue;
		received = recv(fd, got, sizeof(got), 0);
		if (received < 0)
			failed("recv", __LINE__, 1);
	} while (received < 0);
	SURE(received == 600 && !memcmp(got, pattern, 600));
	close(fd);
}

/*
 * Modules are pushed when a device is opened, and two openers share a minor
 * device.
 */
static void devices(void)
{
	struct strapush set = { .sap_cmd = SAP_ONE, .sap_npush = 2 }, told;
	int sad = DONE(open(SAD_DEVICE, O_RDWR)), fd, other;
	struct stat st;

	GIVES(stat("/dev/streams/echo", &st), 0);
	set.sap_major = major(st.st_rdev);
	set.sap_minor = minor(st.st_rdev);
	strcpy(set.sap_list[0], "nullmod");
	strcpy(set.sap_list[1], "bufmod");
	GIVES(ioctl(sad, SAD_SAP, &set), 0);
	told = set;
	told.sap_npush = 0;
	GIVES(ioctl(sad, SAD_GAP, &told), 0);
	SURE(told.sap_npush == 2 && !strcmp(told.sap_list[1], "bufmod"));
	fd = DONE(open("/dev/streams/echo", O_RDWR));
	GIVES(ioctl(fd, I_LIST, NULL), 3);
	close(fd);
	set.sap_cmd = SAP_CLEAR;
	GIVES(ioctl(sad, SAD_SAP, &set), 0);
	close(sad);
	fd = DONE(open("/dev/streams/strminor", O_RDWR));
	close(fd);
	fd = DONE(open("/dev/streams/strminor1", O_RDWR));
	other = DONE(open("/dev/streams/strminor1", O_RDWR));
	GIVES(ioctl(fd, I_PUSH, "nullmod"), 0);
	GIVES(ioctl(other, I_LIST, NULL), 2);
	close(fd);
	GIVES(ioctl(other, I_POP, 0), 0);
	close(other);
}

#define LOGGED	8		/* more than a stream head holds by itself */

/* Messages of the log are lost one by one, with a gap in their numbers. */
static void logs(void)
{
	struct trace_ids all = { .ti_mid = 77, .ti_sid = -1, .ti_level = -1 };
	struct log_ctl ctl = { .mid = 77, .flags = SL_TRACE };
	struct strbuf c = { .len = sizeof(ctl), .buf = (char *)&ctl };
	struct strbuf d = { .len = 1000, .buf = pattern };
	int fd = DONE(open("/dev/streams/log", O_RDWR)), i, n = 0;
	unsigned int first = 0, last = 0;

	GIVES(command(fd, I_TRCLOG, &all, sizeof(all)), 0);
	for (i = 0; i < LOGGED; i++)
		GIVES(putmsg(fd, &c, &d, 0), 0);
	while (comes(fd, 0)) {
		take(fd);
		memcpy(&ctl, in.ctl, sizeof(ctl));
		if (!n++)
			first = ctl.seq_no;
		else
			SURE(ctl.seq_no > last);
		last = ctl.seq_no;
		SURE(in.data_len == 1001 && !memcmp(got, pattern, 1000));
	}
	SURE(n <= LOGGED && (!n || last - first < LOGGED));
	SURE(random_mode || n >= LOGGED - 1);
	datagrams += LOGGED - n;
	close(fd);
}

static const struct test_case scenarios[] = {
	{ "pipes", pipes },
	{ "fifos", fifos },
	{ "messages", messages },
	{ "modules", modules },
	{ "commands", commands },
	{ "links", links },
	{ "names", names },
	{ "descriptors", descriptors },
	{ "servers", servers },
	{ "waiters", waiters },
	{ "transport", transport },
	{ "transport-sockets", transport_sockets },
	{ "connections", connections },
	{ "connections-sockets", connections_sockets },
	{ "devices", devices },
	{ "logs", logs },
	{ "sockets", sockets },
	{ }
};

/*
 * Makes an operation fail at each place where it can. Returns the number of
 * places.
 */
static unsigned long run_each(void (*run)(void))
{
	unsigned long n = 0;
	bool came;

	do {
		faults(++n);
		run();
		came = has_failed();
		faults(0);
	} while (came && n < 5000);
	TRUE(!came);
	return n;
}

/*
 * Repeats an operation until some hundreds of its calls failed, for 8 seconds
 * at most.
 */
static unsigned long run_random(void (*run)(void))
{
	time_t end = time(NULL) + 8;
	unsigned long n = 0;

	faults(1);
	do {
		run();
		n++;
	} while (failures < 300 && time(NULL) < end);
	faults(0);
	return n;
}

static void prepare(void)
{
	size_t i;
	int fd;

	for (i = 0; i < sizeof(pattern); i++)
		pattern[i] = 1 + i % 251;
	fd = open(NAME, O_WRONLY | O_CREAT, 0600);
	TRUE(fd >= 0);
	close(fd);
	signal(SIGPOLL, SIG_IGN);
	/* A missing page would have to be allocated. */
	IS(mlockall(MCL_CURRENT | MCL_FUTURE), 0);
	control = open(random_mode ? "/proc/self/make-it-fail" :
				     "/proc/thread-self/fail-nth", O_RDWR);
	TRUE(control >= 0);
}

int main(int argc, char **argv)
{
	const struct test_case *s;
	unsigned long rounds;
	long streams;
	int fd;

	for (s = scenarios; argc == 3 && s->name && strcmp(s->name, argv[2]); s++)
		;
	if (argc != 3 || !s->name || (strcmp(argv[1], "each") && strcmp(argv[1], "random"))) {
		fprintf(stderr, "Usage: faults each|random SCENARIO\n");
		return 2;
	}
	random_mode = !strcmp(argv[1], "random");
	prepare();
	/*
	 * All modules are loaded, and every call works when no allocation
	 * fails.
	 */
	s->run();
	IS(failures, 0);
	streams = streams_open();
	fd = next_fd();
	rounds = random_mode ? run_random(s->run) : run_each(s->run);
	printf("%s %s: %lu rounds, %lu calls failed, %lu waited, %lu sent again\n",
	       argv[1], argv[2], rounds, failures, recovered, datagrams);
	TRUE(failures + recovered + datagrams > 0);
	TRUE(s->run != waiters || recovered > 0);
	IS(next_fd(), fd);
	TRUE(streams_open_falls_to(streams));
	return 0;
}
