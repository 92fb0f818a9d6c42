// SPDX-License-Identifier: GPL-2.0-only
/*
 * held.c - the memory that a user holds by streams that are full, and what is charged
 *
 * Prints a line for each kind of stream: the bytes sent, those that the opener's cgroup is
 * charged, those that the machine has fewer, and the ratio of these two.
 */
#include "cgroup.h"
#include "proc.h"
#include "slab.h"
#include "tpi-inet.h"

#include <sched.h>
#include <sys/bufmod.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

/*
 * The bytes of data to be sent for a kind: far more than the machine's own
 * noise
 */
#define ENOUGH		(16 << 20)
#define NOISE		(2 << 20)
#define STREAMS_MOST	2000

static char block[65536];
static char dir[40];

static long charged(void)
{
	char path[60];

	snprintf(path, sizeof(path), "%s/memory.current", dir);
	return number_in(path, "%ld");
}

static long used(void)
{
	return -memory_free();
}

static long write_all(int fd, int size)
{
	long done = 0;
	int n;

	test_nonblock(fd, true);
	while ((n = write(fd, block, size)) > 0)
		done += n;
	TRUE(errno == EAGAIN);
	return done;
}

static long fifo(int size)
{
	int fds[2];

	IS(test_fifo(fds, 0), 0);
	/*
	 * Bytes are joined here as well: writes of one byte would only take
	 * time.
	 */
	if (size < 1000)
		size = 1000;
	return write_all(fds[1], size);
}

/*
 * Each putmsg() makes a message of its own: bytes of write() would be joined.
 */
static long put_all(int fd, int size)
{
	struct strbuf ctl = { .len = 4, .buf = block };
	struct strbuf data = { .len = size, .buf = block };
	long done = 0;

	test_nonblock(fd, true);
	while (putmsg(fd, &ctl, &data, 0) == 0)
		done += ctl.len + size;
	TRUE(errno == EAGAIN);
	return done;
}

static long duplex(int size)
{
	int fds[2];

	IS(strpipe(fds), 0);
	return put_all(fds[0], size) + write_all(fds[1], size < 1000 ? 1000 : size);
}

static long bands(int size)
{
	struct strbuf ctl = { .len = 4, .buf = block };
	struct strbuf data = { .len = size, .buf = block };
	long done = 0;
	int fds[2], band;

	IS(strpipe(fds), 0);
	test_nonblock(fds[0], true);
	for (band = 1; band < 256; band++)
		while (putpmsg(fds[0], &ctl, &data, band, MSG_BAND) == 0)
			done += ctl.len + size;
	return done;
}

static long datagrams(int size)
{
	struct sockaddr_in sin = loopback(0);
	socklen_t len = sizeof(sin);
	int fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_STREAMS);
	long done = 0, n;

	TRUE(fd >= 0);
	IS(bind(fd, (struct sockaddr *)&sin, len), 0);
	IS(getsockname(fd, (struct sockaddr *)&sin, &len), 0);
	/* Datagrams without room are dropped. */
	for (n = 0; n < 600000; n += size + 512)
		done += sendto(fd, block, size, 0, (struct sockaddr *)&sin, len);
	return done;
}

static long loopback_pair(int size)
{
	struct T_unitdata_req *req = &out.prim.unitdata_req;
	long done = 0;
	int fd[2], i;
	char name[40];

	for (i = 0; i < 2; i++) {
		fd[i] = open("/dev/streams/ticlts", O_RDWR);
		TRUE(fd[i] >= 0);
		put_bind_req(fd[i], NULL, 0);
		receive_prim(fd[i], T_BIND_ACK);
	}
	i = in.prim.bind_ack.ADDR_length;
	memcpy(name, in.ctl + in.prim.bind_ack.ADDR_offset, i);
	test_nonblock(fd[0], true);
	*req = (struct T_unitdata_req){ T_UNITDATA_REQ, i, sizeof(*req), 0, 0 };
	memcpy(req + 1, name, i);
	while (send_prim(fd[0], sizeof(*req) + i, block, size, 0) == 0)
		done += size;
	return done;
}

static long connection(int size)
{
	int fd, sock;
	long done = 0;

	inet_device = "/dev/streams/tcp";
	socket_pair(&fd, &sock, IPPROTO_TCP);
	if (size < 1000)
		size = 1000;
	test_nonblock(fd, true);
	while (put_data_flags(fd, T_DATA_REQ, 0, block, size) == 0)
		done += size;
	while (send(sock, block, sizeof(block), MSG_DONTWAIT) > 0)
		done += sizeof(block);
	return done;
}

static void gather(int fd, unsigned int snap)
{
	unsigned int chunk = sizeof(block), flags = SB_NO_HEADER | SB_NO_DROPS;
	struct strioctl set[] = {
		{ SBIOCSCHUNK, 0, sizeof(chunk), (char *)&chunk },
		{ SBIOCSFLAGS, 0, sizeof(flags), (char *)&flags },
		{ SBIOCSSNAP, 0, sizeof(snap), (char *)&snap },
	};
	unsigned int i;

	IS(ioctl(fd, I_PUSH, "bufmod"), 0);
	for (i = 0; i < COUNT(set); i++)
		IS(ioctl(fd, I_STR, &set[i]), 0);
}

static long gathered(int size)
{
	int fds[2];

	IS(strpipe(fds), 0);
	gather(fds[0], 0);
	return write_all(fds[1], size);
}

/*
 * size: the bytes that are kept of each message, which has the largest length.
 */
static long cut(int size)
{
	int fds[2];

	IS(strpipe(fds), 0);
	gather(fds[0], size);
	return write_all(fds[1], sizeof(block));
}

static int udp_bound(struct sockaddr_in *sin)
{
	int fd = open("/dev/streams/udp", O_RDWR);

	TRUE(fd >= 0);
	*sin = loopback(0);
	put_bind_req(fd, sin, sizeof(*sin));
	receive_prim(fd, T_BIND_ACK);
	memcpy(sin, in.ctl + in.prim.bind_ack.ADDR_offset, sizeof(*sin));
	return fd;
}

/* Datagrams without room are dropped. */
static long flood(const struct sockaddr_in *to, int size, long most)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	long done = 0, n;

	TRUE(fd >= 0);
	for (n = 0; n < most; n += size + 512)
		done += sendto(fd, block, size, 0, (struct sockaddr *)to, sizeof(*to));
	close(fd);
	return done;
}

static long received(int size)
{
	struct sockaddr_in sin;

	udp_bound(&sin);
	return flood(&sin, size, 600000);
}

static long received_gathered(int size)
{
	struct sockaddr_in sin;

	gather(udp_bound(&sin), 0);
	return flood(&sin, size, 2000000);
}

static long received_cut(int size)
{
	struct sockaddr_in sin;

	/* Bytes are gathered: datagrams that are cut to one byte would only take time. */
	if (size < 32)
		size = 32;
	gather(udp_bound(&sin), size);
	return flood(&sin, 4 * size, 8000000);
}

static long socket_gathered(int size)
{
	struct sockaddr_in sin = loopback(0);
	socklen_t len = sizeof(sin);
	int fd = socket(AF_INET, SOCK_DGRAM, IPPROTO_STREAMS);

	TRUE(fd >= 0);
	IS(bind(fd, (struct sockaddr *)&sin, len), 0);
	IS(getsockname(fd, (struct sockaddr *)&sin, &len), 0);
	gather(fd, 0);
	return flood(&sin, size, 2000000);
}

/*
 * Runs a case in a process and a cgroup of its own: memory that others had is
 * freed after a grace period, and counts for a while where it was charged.
 */
static void hold(const char *what, long (*fill)(int size), int size)
{
	struct rlimit files = { 4 * STREAMS_MOST, 4 * STREAMS_MOST };
	long sent = 0, before, had, held;
	int status, n;
	pid_t pid;

	IS(mkdir(dir, 0755), 0);
	pid = fork();
	TRUE(pid >= 0);
	if (pid) {
		IS(waitpid(pid, &status, 0), pid);
		TRUE(WIFEXITED(status) && !WEXITSTATUS(status));
		/*
		 * The cgroup is empty before the next case looks at the
		 * machine's memory.
		 */
		UNTIL(charged() < NOISE);
		IS(rmdir(dir), 0);
		return;
	}
	cgroup_write(dir, "cgroup.procs", "0");
	IS(setrlimit(RLIMIT_NOFILE, &files), 0);
	fill(size);
	/* Pages left over in the caches would be used, and not be missing. */
	slab_shrink_all();
	before = charged();
	had = used();
	for (n = 0; n < STREAMS_MOST && (used() - had < ENOUGH); n++)
		sent += fill(size);
	held = used() - had;
	printf("%-28s %6d B: %4d, %9ld sent, %9ld charged, %9ld held, %.2f\n", what, size, n,
	       sent, charged() - before, held, (double)held / (charged() - before));
	TRUE(held <= (charged() - before) * 1.25);
	exit(0);
}

static char root[] = "/tmp/cgroupXXXXXX";

static void in_cgroup(void)
{
	TRUE(mkdtemp(root));
	IS(unshare(CLONE_NEWNS), 0);
	IS(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	IS(mount("cgroup2", root, "cgroup2", 0, NULL), 0);
	cgroup_write(root, "cgroup.subtree_control", "+memory");
	snprintf(dir, sizeof(dir), "%s/held", root);
}

static void out_of_cgroup(void)
{
	IS(umount2(root, MNT_DETACH), 0);
	IS(rmdir(root), 0);
}

static void run_held(void)
{
	static const int sizes[] = { 1, 4097, 8192 };
	unsigned int i;

	in_cgroup();
	for (i = 0; i < COUNT(sizes); i++) {
		hold("FIFO", fifo, sizes[i]);
		hold("full-duplex pipe", duplex, sizes[i]);
		hold("bands of a pipe", bands, sizes[i]);
		hold("UDP socket", datagrams, sizes[i]);
		hold("ticlts", loopback_pair, sizes[i]);
		hold("tcp over a socket", connection, sizes[i]);
	}
	out_of_cgroup();
}

static void run_modules(void)
{
	static const int sizes[] = { 100, 4097, 16000, 32767 };
	unsigned int i;

	in_cgroup();
	for (i = 0; i < COUNT(sizes); i++) {
		hold("bufmod", gathered, sizes[i]);
		hold("bufmod, messages cut", cut, sizes[i]);
	}
	out_of_cgroup();
}

/* The receive hooks run in softirqs. */
static void run_received(void)
{
	static const int sizes[] = { 1, 200, 4097 };
	unsigned int i;

	in_cgroup();
	for (i = 0; i < COUNT(sizes); i++) {
		hold("udp(4)", received, sizes[i]);
		hold("udp(4), bufmod", received_gathered, sizes[i]);
		hold("udp(4), bufmod, cut", received_cut, sizes[i]);
		hold("UDP socket, bufmod", socket_gathered, sizes[i]);
	}
	out_of_cgroup();
}

static const struct test_case cases[] = {
	{ "held", run_held },
	{ "modules", run_modules },
	{ "received", run_received },
	{ }
};

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	return test_main(argc, argv, cases);
}
