// SPDX-License-Identifier: GPL-2.0-only
/*
 * exit.c - a process that ends with many streams open
 *
 * Most tests assert how often the process slept too: a process that waits for
 * each of its streams sleeps as often as it has streams.
 */
#include <dirent.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/dlpi.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/tihdr.h>
#include <sys/wait.h>
#include <sys/loop.h>

#include "../../../kmod/test/testmux.h"
#include "streamio.h"
#include "streams-test.h"
#include "xti-test.h"

#define STREAMS_MOST	1000
#define SOME_STREAMS	100	/* of each driver and module that there is */
#define ENDS_WITHIN_MS	2000	/* a process that is killed */

/* The memory shared with the process that ends */
static struct {
	unsigned long slept;		/* voluntary switches before it ends */
	bool ready;
} *child;

/* The bytes that are written; their values do not matter. */
static char block[1024];

/* The output stays in the driver. */
static void open_held(void)
{
	int fd = probe(0);

	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(write(fd, "stays", 5), 5);
}

/* The output stays in a module as well. */
static void open_pushed(void)
{
	int fd = probe(O_NONBLOCK);

	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(ioctl(fd, I_PUSH, "srvmod"), 0);
	while (write(fd, block, sizeof(block)) > 0)
		;
	test_nonblock(fd, false);
}

/* Opens two streams that wait for each other to read. */
static void open_loop(void)
{
	int a = device("loop"), b = device("loop"), number, i;
	struct strioctl get = { .ic_cmd = LOOP_GET };

	number = ioctl(a, I_STR, &get);
	TRUE(number > 0);
	IS(str(b, LOOP_SET, &number, sizeof(number)), 0);
	for (i = 0; i < 8; i++)
		IS(write(i & 1 ? a : b, block, sizeof(block)), sizeof(block));
}

static void open_linked(void)
{
	TRUE(ioctl(device("mux"), I_LINK, device("echo")) > 0);
}

/* The driver never acknowledges the end of the link. */
static void open_silent(void)
{
	int up = device("testmux"), n = 9;

	TRUE(ioctl(up, I_LINK, device("echo")) > 0);
	IS(str(up, TESTMUX_SILENT, &n, sizeof(n)), 0);
}

static void open_pipe(void)
{
	int fds[2], i;

	IS(strpipe(fds), 0);
	for (i = 0; i < 4; i++)
		IS(ioctl(fds[i & 1], I_PUSH, i < 2 ? "nullmod" : "pipemod"), 0);
	IS(write(fds[0], "unread", 6), 6);
	IS(write(fds[1], "unread", 6), 6);
}

static void open_fifo(void)
{
	int fds[2];

	IS(test_fifo(fds, 0), 0);
	IS(write(fds[1], "unread", 6), 6);
}

/* Opens a stream of this host's network, with a datagram that stays unread. */
static void open_socket(void)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_STREAMS);
	socklen_t len = sizeof(sin);

	TRUE(fd >= 0);
	IS(bind(fd, (struct sockaddr *)&sin, len), 0);
	IS(getsockname(fd, (struct sockaddr *)&sin, &len), 0);
	IS(ioctl(fd, I_PUSH, "nullmod"), 0);
	IS(sendto(fd, "unread", 6, 0, (struct sockaddr *)&sin, len), 6);
}

/* A bound endpoint of a transport, and its address */
struct endpoint {
	int fd;
	union {
		struct sockaddr_in inet;
		char any[128];
	} name;
	struct t_bind bound;
};

/*
 * Opens and binds an endpoint; sin: the address, where the provider has those
 * of the internet.
 */
static void endpoint_open(struct endpoint *e, const char *name, bool sin, int qlen)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct t_bind req = {
		.addr = NETBUF((char *)&at, sin ? sizeof(at) : 0), .qlen = qlen,
	};
	char path[64];

	snprintf(path, sizeof(path), "/dev/streams/%s", name);
	e->fd = t_open(path, O_RDWR, NULL);
	TRUE(e->fd >= 0);
	e->bound = (struct t_bind){ .addr = NETBUF(e->name.any, 0) };
	TIS(t_bind(e->fd, &req, &e->bound), 0);
}

static void datagrams(const char *name, bool sin)
{
	struct t_unitdata u = { .udata = NETBUF("unread", 6) };
	struct endpoint e;

	endpoint_open(&e, name, sin, 0);
	u.addr = e.bound.addr;
	TIS(t_sndudata(e.fd, &u), 0);
}

static void open_ticlts(void)
{
	datagrams("ticlts", false);
}

static void open_udp(void)
{
	datagrams("udp", true);
}

static void open_udp_s(void)
{
	datagrams("udp_s", true);
}

/* Both ends of a connection, with unread data */
static struct endpoint caller, acceptor;

static void connection(const char *name, bool sin)
{
	static struct endpoint listener;
	char from[128];
	struct t_call call = { .addr = NETBUF(from, 0) }, to = { };

	if (!listener.fd)
		endpoint_open(&listener, name, sin, 1);
	endpoint_open(&caller, name, sin, 0);
	endpoint_open(&acceptor, name, sin, 0);
	to.addr = listener.bound.addr;
	test_nonblock(caller.fd, true);
	TFAILS(t_connect(caller.fd, &to, NULL), TNODATA);
	test_nonblock(caller.fd, false);
	TIS(t_listen(listener.fd, &call), 0);
	TIS(t_accept(listener.fd, acceptor.fd, &call), 0);
	TIS(t_rcvconnect(caller.fd, NULL), 0);
	TIS(t_snd(caller.fd, "unread", 6, 0), 6);
	TIS(t_snd(acceptor.fd, "unread", 6, 0), 6);
}

static void open_ticots(void)
{
	connection("ticotsord", false);
}

static void open_tcp(void)
{
	connection("tcp", true);
}

/* Receives the answer to a primitive of DLPI. */
static void dlpi_ask(int fd, const void *prim, int len, t_uscalar_t want,
		     union DL_primitives *answer)
{
	struct strbuf ctl = { .len = len, .buf = (char *)prim };
	int flags = 0;

	IS(putmsg(fd, &ctl, NULL, 0), 0);
	ctl = (struct strbuf){ .maxlen = sizeof(*answer), .buf = (char *)answer };
	IS(getmsg(fd, &ctl, NULL, &flags), 0);
	IS(answer->dl_primitive, want);
}

static void open_dlpi(void)
{
	dl_attach_req_t attach = {
		.dl_primitive = DL_ATTACH_REQ, .dl_ppa = if_nametoindex("lo"),
	};
	dl_bind_req_t bind = {
		.dl_primitive = DL_BIND_REQ, .dl_sap = 0x88b5,
		.dl_service_mode = DL_CLDLS,
	};
	union DL_primitives answer;
	int fd = device("dlpi");

	dlpi_ask(fd, &attach, sizeof(attach), DL_OK_ACK, &answer);
	dlpi_ask(fd, &bind, sizeof(bind), DL_BIND_ACK, &answer);
}

/* Opens an endpoint and asks to unbind it; the answer takes a grace period. */
static void open_unbinding(void)
{
	struct T_unbind_req req = { T_UNBIND_REQ };
	struct strbuf ctl = { .len = sizeof(req), .buf = (char *)&req };
	struct endpoint e;

	endpoint_open(&e, "udp", true, 0);
	IS(ioctl(e.fd, I_POP, 0), 0);
	IS(putmsg(e.fd, &ctl, NULL, 0), 0);
}

/* Makes connections that read() and write() can use. */
static void rdwr(const char *name, bool sin)
{
	connection(name, sin);
	IS(ioctl(caller.fd, I_PUSH, "tirdwr"), 0);
	IS(ioctl(acceptor.fd, I_PUSH, "tirdwr"), 0);
}

static void open_rdwr(void)
{
	rdwr("ticotsord", false);
}

static void open_rdwr_tcp(void)
{
	rdwr("tcp", true);
}

/* Opens any module on any stream, with output and input if it takes them. */
static const char *any_module, *any_driver;

static void fill(int fd)
{
	int i;

	test_nonblock(fd, true);
	for (i = 0; i < 8 && write(fd, block, sizeof(block)) > 0; i++)
		;
	test_nonblock(fd, false);
}

/* Returns whether the module was pushed, if there is one to push. */
static bool try_any(void)
{
	char path[300];
	int fds[2] = { -1, -1 };

	if (any_driver) {
		snprintf(path, sizeof(path), "/dev/streams/%s", any_driver);
		fds[0] = open(path, O_RDWR | O_NONBLOCK);
	} else {
		IS(strpipe(fds), 0);
	}
	if (fds[0] < 0)
		return false;
	if (any_module && ioctl(fds[0], I_PUSH, any_module)) {
		close(fds[0]);
		close(fds[1]);
		return false;
	}
	fill(fds[0]);
	if (fds[1] >= 0)
		fill(fds[1]);
	return true;
}

static void open_any(void)
{
	/* Some drivers have few minor devices. */
	TRUE(try_any() || errno == ENXIO || errno == EBUSY);
}

static const struct kind {
	const char *name;
	void (*open)(void);
	int streams;			/* that one open makes */
	bool works;			/* a close waits for a work item, if that runs */
} kinds[] = {
	{ "streams with output in the driver", open_held, 1, false },
	{ "streams with output in a module", open_pushed, 1, false },
	{ "streams of loop", open_loop, 2, false },
	{ "streams linked below mux", open_linked, 2, false },
	{ "streams linked below a driver that does not answer", open_silent, 2, false },
	{ "pipes with modules", open_pipe, 2, false },
	{ "FIFOs", open_fifo, 1, false },
	{ "sockets with a module", open_socket, 1, false },
	{ "endpoints of ticlts", open_ticlts, 1, false },
	{ "endpoints of ticotsord", open_ticots, 2, false },
	{ "endpoints of udp", open_udp, 1, false },
	{ "endpoints of udp_s", open_udp_s, 1, true },
	{ "endpoints of tcp", open_tcp, 2, true },
	{ "data links", open_dlpi, 1, false },
	{ "endpoints of udp that are unbound", open_unbinding, 1, true },
	{ "connections of ticotsord with tirdwr", open_rdwr, 2, false },
	{ "connections of tcp with tirdwr", open_rdwr_tcp, 2, true },
};

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Starts a process that opens n streams. Returns when the streams are open. */
static pid_t begin(void (*open)(void), int times, void (*then)(void))
{
	struct rlimit files = { 2 * STREAMS_MOST + 64, 2 * STREAMS_MOST + 64 };
	struct rusage use;
	pid_t pid;

	child = mmap(NULL, sizeof(*child), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	TRUE(child != MAP_FAILED);
	pid = fork();
	if (pid)
		return pid;
	IS(setrlimit(RLIMIT_NOFILE, &files), 0);
	while (times--)
		open();
	getrusage(RUSAGE_SELF, &use);
	child->slept = use.ru_nvcsw;
	__atomic_store_n(&child->ready, true, __ATOMIC_RELEASE);
	then();
	_exit(0);
}

static void await(pid_t pid)
{
	UNTIL(__atomic_load_n(&child->ready, __ATOMIC_ACQUIRE) || process_ended(pid));
	TRUE(child->ready);
}

static void stay(void)
{
	for (;;)
		pause();
}

/* Kills a process that has n streams of a kind. */
static void kill_with(const struct kind *kind, int n)
{
	struct rusage use;
	int status;
	long took;
	pid_t pid = begin(kind->open, (n + 1) / kind->streams, stay);

	await(pid);
	took = now();
	kill(pid, SIGKILL);
	IS(wait4(pid, &status, 0, &use), pid);
	took = now() - took;
	printf("killed with %d %s: %ld ms, slept %ld times\n", n, kind->name, took,
	       use.ru_nvcsw - child->slept);
	TRUE(WIFSIGNALED(status));
	TRUE(kind->works || use.ru_nvcsw - (long)child->slept < n / 4 + 8);
	TRUE(took < ENDS_WITHIN_MS);
	munmap(child, sizeof(*child));
}

/*
 * Another user's streams are in flight to a server that wants no descriptors:
 * its receive call closes them.
 */
static void send_all(int sock, int first)
{
	char control[CMSG_SPACE(250 * sizeof(int))];
	struct iovec iov = { block, 1 };
	int fds[250], n, fd = first, end = 2 * STREAMS_MOST + 64;

	while (fd < end) {
		struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control };
		struct cmsghdr *c = (struct cmsghdr *)control;

		for (n = 0; fd < end && n < 250; fd++)
			if (fcntl(fd, F_GETFD) >= 0)
				fds[n++] = fd;
		if (!n)
			return;
		msg.msg_controllen = CMSG_SPACE(n * sizeof(int));
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(c), fds, n * sizeof(int));
		IS(sendmsg(sock, &msg, 0), 1);
	}
}

static int passed_to, passed_first;

static void send_and_end(void)
{
	send_all(passed_to, passed_first);
}

static void set_passer(void)
{
	const struct passwd *nobody = getpwnam("nobody");

	/* Some drivers need these rights to be opened. */
	IS(setresuid(nobody->pw_uid, 0, 0), 0);
}

static const struct kind *passed_kind;

static void open_passed(void)
{
	if (getuid() == 0)
		set_passer();
	passed_kind->open();
}

static void pass_with(const struct kind *kind, int n)
{
	int socks[2], status;
	ssize_t got;
	char byte;
	long took;
	pid_t pid;

	IS(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, socks), 0);
	passed_to = socks[0];
	passed_first = socks[1] + 1;
	passed_kind = kind;
	pid = begin(open_passed, (n + 1) / kind->streams, send_and_end);
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	munmap(child, sizeof(*child));
	close(socks[0]);
	took = now();
	do
		got = recv(socks[1], &byte, 1, 0);
	while (got == 1);
	took = now() - took;
	close(socks[1]);
	printf("received %d %s: %ld ms\n", n, kind->name, took);
	TRUE(took < ENDS_WITHIN_MS);
}

static void each_kind(void (*end_with)(const struct kind *kind, int n), int n)
{
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		end_with(&kinds[i], n);
}

/*
 * Returns whether any_driver can be opened with any_module. The process that tries
 * is killed, since one that exits waits 15 s for output that the stream keeps.
 */
static bool any_works(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (try_any())
			raise(SIGKILL);
		_exit(1);
	}
	IS(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static bool end_any(void (*end_with)(const struct kind *kind, int n))
{
	char name[400];
	const struct kind kind = { name, open_any, any_driver ? 1 : 2, true };

	if (!any_works())
		return false;
	snprintf(name, sizeof(name), "streams of %s with %s", any_driver ?: "a pipe",
		 any_module ?: "nothing pushed");
	end_with(&kind, test_scaled(SOME_STREAMS));
	return true;
}

/* Calls a function for each driver that has a node. */
static void each_driver(void (*end_with)(const struct kind *kind, int n))
{
	DIR *dir = opendir("/dev/streams");
	struct dirent *d;
	int found = 0;

	TRUE(dir);
	any_module = NULL;
	while ((d = readdir(dir))) {
		any_driver = d->d_name;
		if (d->d_type == DT_CHR)
			found += end_any(end_with);
	}
	closedir(dir);
	TRUE(found >= 10);
}

/*
 * Calls a function for each module that I_PUSH can load: on a stream that
 * answers no message, on one that answers all, and on a pipe.
 */
static void each_module(void (*end_with)(const struct kind *kind, int n))
{
	static const char *const drivers[] = { "nuls", "echo", NULL };
	char path[300], line[300], name[100];
	struct utsname u;
	int found = 0, i, on;
	FILE *f;

	uname(&u);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.alias", u.release);
	f = fopen(path, "r");
	TRUE(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "alias strmod-%99s", name) != 1)
			continue;
		any_module = name;
		for (i = on = 0; i < 3; i++) {
			any_driver = drivers[i];
			on += end_any(end_with);
		}
		printf("%s: on %d of 3\n", name, on);
		found += !!on;
	}
	fclose(f);
	TRUE(found >= 8);
}

static void killed(void)
{
	each_kind(kill_with, test_scaled(STREAMS_MOST));
}

static void killed_any(void)
{
	each_driver(kill_with);
	each_module(kill_with);
}

static void received(void)
{
	each_kind(pass_with, test_scaled(SOME_STREAMS));
	each_driver(pass_with);
	each_module(pass_with);
}

/* Each stream may wait 3 s for its output, and all do so at once. */
static void open_patient(void)
{
	int fd = probe(0), ms = 3000;

	IS(ioctl(fd, I_SETCLTIME, &ms), 0);
	IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
	IS(write(fd, "stays", 5), 5);
}

static void nothing(void)
{
}

static void exits(void)
{
	pid_t pid = begin(open_patient, 20, nothing);
	long took = now();
	int status;

	IS(waitpid(pid, &status, 0), pid);
	took = now() - took;
	TRUE(WIFEXITED(status) && !WEXITSTATUS(status));
	printf("20 streams that wait 3 s each: %ld ms\n", took);
	TRUE(took >= 3000);
	TRUE(took < 30000);
}

/* The process has received another user's stream. */
static void passed(void)
{
	const struct passwd *nobody = getpwnam("nobody");
	int socks[2], ms = INT32_MAX, fd, status;
	struct strrecvfd recv;
	long took;
	pid_t pid;

	TRUE(nobody);
	IS(strpipe(socks), 0);
	pid = fork();
	if (!pid) {
		IS(setuid(nobody->pw_uid), 0);
		fd = probe(0);
		IS(ioctl(fd, I_SETCLTIME, &ms), 0);
		IS(ioctl(fd, I_GETCLTIME, &ms), 0);
		/* The time is at most a minute. */
		IS(ms, 60000);
		IS(str(fd, STRPROBE_HOLD, NULL, 0), 0);
		IS(write(fd, "stays", 5), 5);
		IS(ioctl(socks[0], I_SENDFD, fd), 0);
		_exit(0);
	}
	IS(waitpid(pid, &status, 0), pid);
	IS(status, 0);
	IS(ioctl(socks[1], I_RECVFD, &recv), 0);
	took = now();
	close(recv.fd);
	took = now() - took;
	printf("close() took %ld ms\n", took);
	TRUE(took < 15000);
}

static const struct test_case cases[] = {
	{ "killed", killed },
	{ "killed-any", killed_any },
	{ "received", received },
	{ "exits", exits },
	{ "passed", passed },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
