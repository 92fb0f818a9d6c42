// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - transports while allocations of messages fail again and again
 *
 * /dev/streams/strddi makes allocations fail for all tasks, kernel threads too,
 * except the thread that asked for it. A write() may fail for lack of memory;
 * data that it accepted arrives, whole and in order.
 */
#include "xti-test.h"

#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/tihdr.h>
#include <sys/xti_inet.h>

#include "../../../kmod/test/strddi.h"

#define BYTES	4000000
#define PIECE	5000

static char data[BYTES], got[BYTES];
static atomic_bool begun, over;

static int ddi(int fd, int cmd, int value)
{
	struct strioctl ic = {
		.ic_cmd = cmd, .ic_timout = WAIT_SECONDS, .ic_len = sizeof(value),
		.ic_dp = (char *)&value,
	};

	return ioctl(fd, I_STR, &ic);
}

/* Lets memory fail for five milliseconds, and not fail for five. */
static void *flicker(void *arg)
{
	int fd = open("/dev/streams/strddi", O_RDWR), before;

	TRUE(fd >= 0);
	before = ddi(fd, STRDDI_FAILED, 0);
	while (!atomic_load(&over)) {
		IS(ddi(fd, STRDDI_FAIL, STRDDI_FAIL_ALL), 0);
		atomic_store(&begun, true);
		usleep(5000);
		IS(ddi(fd, STRDDI_FAIL, 0), 0);
		usleep(5000);
	}
	*(int *)arg = ddi(fd, STRDDI_FAILED, 0) - before;
	close(fd);
	return NULL;
}

/* Writes with an option that is set first. */
static int write_optdata(int fd, char *bytes, int n)
{
	struct {
		struct T_optdata_req req;
		struct T_opthdr oh;
		t_uscalar_t value;
	} ctl = {
		{ T_OPTDATA_REQ, 0, sizeof(ctl.oh) + sizeof(ctl.value), sizeof(ctl.req) },
		{ sizeof(ctl.oh) + sizeof(ctl.value), T_INET_TCP, T_TCP_NODELAY, 0 }, T_YES
	};
	struct strbuf c = { .len = sizeof(ctl), .buf = (char *)&ctl };
	struct strbuf d = { .len = n, .buf = bytes };

	return putmsg(fd, &c, &d, 0) < 0 ? -1 : n;
}

static bool with_options;

static void *sender(void *arg)
{
	int fd = *(int *)arg, done = 0;

	while (done < BYTES) {
		int n = with_options ? write_optdata(fd, data + done, PIECE) :
				       write(fd, data + done, PIECE);

		if (n > 0) {
			done += n;
			continue;
		}
		TRUE(n < 0 && errno == ENOSR);
		usleep(1000);
	}
	return NULL;
}

struct call {
	int fd;
	struct netbuf to;
};

static void *caller(void *arg)
{
	struct call *c = arg;
	struct t_call call = { .addr = c->to };

	TIS(t_connect(c->fd, &call, NULL), 0);
	return NULL;
}

static int endpoint(const char *device)
{
	int fd = t_open(device, O_RDWR, NULL);

	if (fd < 0)
		test_fail(__FILE__, __LINE__, "t_open: %s", t_strerror(t_errno));
	return fd;
}

/*
 * Makes both ends of a connection to addr, which becomes the listener's
 * address.
 */
static void connected(const char *device, struct netbuf addr, int fds[2])
{
	struct t_bind at = { .addr = addr, .qlen = 1 };
	int listener = endpoint(device);
	struct t_call from = { };
	struct call c;
	pthread_t t;

	fds[0] = endpoint(device);
	fds[1] = endpoint(device);
	TIS(t_bind(listener, &at, &at), 0);
	TIS(t_bind(fds[0], NULL, NULL), 0);
	c = (struct call){ fds[0], at.addr };
	pthread_create(&t, NULL, caller, &c);
	TIS(t_listen(listener, &from), 0);
	TIS(t_accept(listener, fds[1], &from), 0);
	pthread_join(t, NULL);
	TIS(t_close(listener), 0);
}

/* Sends all bytes one way while allocations fail. Returns how many failed. */
static int carry(int *from, int to)
{
	int failures, flags, done, n;
	pthread_t fails, sends;

	memset(got, 0, sizeof(got));
	atomic_store(&begun, false);
	atomic_store(&over, false);
	pthread_create(&fails, NULL, flicker, &failures);
	while (!atomic_load(&begun))
		usleep(1000);
	pthread_create(&sends, NULL, sender, from);
	for (done = 0; done < BYTES; done += n) {
		n = t_rcv(to, got + done, BYTES - done, &flags);
		if (n <= 0)
			test_fail(__FILE__, __LINE__, "t_rcv %d after %d: %s, errno %d",
				  n, done, t_strerror(t_errno), errno);
	}
	pthread_join(sends, NULL);
	atomic_store(&over, true);
	pthread_join(fails, NULL);
	TRUE(!memcmp(got, data, BYTES));
	printf("%d allocations failed\n", failures);
	return failures;
}

/*
 * Sends both ways, one after the other, until some allocations failed: the pace
 * is the machine's.
 */
static void carried(const char *device, struct netbuf addr)
{
	int fds[2], failures, i;

	for (i = 0; i < BYTES; i++)
		data[i] = i % 251;
	connected(device, addr, fds);
	for (i = 0; i < 2; i++)
		for (failures = 0; failures <= 10; )
			failures += carry(&fds[i], fds[!i]);
	TIS(t_close(fds[0]), 0);
	TIS(t_close(fds[1]), 0);
}

static void tcp(void)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	carried("/dev/streams/tcp", (struct netbuf){ sizeof(sin), sizeof(sin), (char *)&sin });
}

static void optdata(void)
{
	with_options = true;
	tcp();
}

/* In a call of this thread only the transport's own allocations fail. */
#define SHORT(fd, call) do {						\
	IS(ddi(fd, STRDDI_FAIL, STRDDI_FAIL_ALL), 0);			\
	TERRNO(call, ENOSR);						\
	IS(ddi(fd, STRDDI_FAIL, 0), 0);					\
} while (0)

/* Options come with a call, and with its acceptance. */
static void call_options(void)
{
	struct {
		struct t_opthdr oh;
		t_uscalar_t value;
	} nodelay = {
		{ sizeof(nodelay), T_INET_TCP, T_TCP_NODELAY, 0 }, T_YES
	};
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	const char *device = "/dev/streams/tcp";
	struct t_bind at = {
		.addr = { sizeof(sin), sizeof(sin), (char *)&sin }, .qlen = 1,
	};
	int listener = endpoint(device), calls = endpoint(device);
	int accepts = endpoint(device), fails = open("/dev/streams/strddi", O_RDWR);
	struct t_call to = { .opt = { 0, sizeof(nodelay), (char *)&nodelay } }, from = { };

	TRUE(fails >= 0);
	TIS(t_bind(listener, &at, &at), 0);
	TIS(t_bind(calls, NULL, NULL), 0);
	to.addr = at.addr;
	SHORT(fails, t_connect(calls, &to, NULL));
	test_nonblock(calls, true);
	TIS(t_connect(calls, &to, NULL), -1);
	IS(t_errno, TNODATA);
	TIS(t_listen(listener, &from), 0);
	from.opt = to.opt;
	SHORT(fails, t_accept(listener, accepts, &from));
	TIS(t_accept(listener, accepts, &from), 0);
	test_nonblock(calls, false);
	TIS(t_rcvconnect(calls, NULL), 0);
	IS(t_snd(calls, "x", 1, 0), 1);
	close(fails);
	TIS(t_close(listener), 0);
	TIS(t_close(calls), 0);
	TIS(t_close(accepts), 0);
}

static void ticotsord(void)
{
	char name[] = "memory";

	carried("/dev/streams/ticotsord", (struct netbuf)NETBUF(name, 6));
}

static const struct test_case cases[] = {
	{ "tcp", tcp },
	{ "optdata", optdata },
	{ "call-options", call_options },
	{ "ticotsord", ticotsord },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
