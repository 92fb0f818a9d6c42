// SPDX-License-Identifier: GPL-2.0-only
/*
 * residue.c - bytes of other users in memory that is used again
 *
 * Root fills blocks and packets' buffers of all sizes with one byte, and frees them.
 * Another user then makes use of such memory in as many ways as there are, and finds
 * that byte nowhere. Nothing that is sent contains it.
 */
#include "tpi-address.h"
#include "tpi-options.h"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <sys/bufmod.h>
#include <stddef.h>
#include <sys/mman.h>

#define SECRET		0xa5
#define STREAMS		253	/* the protocol of STREAMS sockets */

static char secret[65536], plain[65536];

static void become_nobody(void)
{
	IS(setgid(65534), 0);
	IS(setuid(65534), 0);
}

static void none_secret(const char *what, const void *bytes, int len)
{
	const char *at = len > 0 ? memchr(bytes, SECRET, len) : NULL;

	if (at)
		test_fail(__FILE__, __LINE__, "%s: at %ld of %d there is the byte %#x", what,
			  (long)(at - (const char *)bytes), len, SECRET);
	test_checks++;
}

/* Allocates blocks of all sizes, more than a slab of each. */
static void leave_messages(void)
{
	static const int sizes[] = {
		1, 64, 152, 153, 280, 281, 600, 601, 920, 921, 1240, 1241, 1752, 2048, 4096,
		9000, 16384, 65536
	};
	struct strbuf ctl = { .buf = secret }, data = { .buf = secret };
	int fds[2], with_ctl;
	unsigned int i, n;

	IS(strpipe(fds), 0);
	test_nonblock(fds[1], true);
	for (i = 0; i < COUNT(sizes); i++) {
		for (with_ctl = 0; with_ctl < 2; with_ctl++) {
			ctl.len = sizes[i] < 1024 ? sizes[i] : 96;
			data.len = sizes[i];
			for (n = 0; !putmsg(fds[1], with_ctl ? &ctl : NULL, &data, 0); n++)
				;
			TRUE(n && errno == EAGAIN);
			IS(ioctl(fds[0], I_FLUSH, FLUSHR), 0);
		}
	}
	close(fds[0]);
	close(fds[1]);
}

/*
 * Clears the values that the kernel chose, which may contain the byte: numbers,
 * and addresses of endpoints that asked for any. Of an internet address only
 * the port was chosen: the rest is checked.
 */
static void clear_chosen(void)
{
	const struct T_bind_ack *ack = &in.prim.bind_ack;
	struct sockaddr_in *sin;

	if (in.ctl_len >= (int)sizeof(in.prim.capability_ack) &&
	    in.prim.type == T_CAPABILITY_ACK)
		in.prim.capability_ack.ACCEPTOR_id = 0;
	if (in.ctl_len < (int)sizeof(*ack) || in.prim.type != T_BIND_ACK)
		return;
	TRUE(ack->ADDR_offset + ack->ADDR_length <= in.ctl_len);
	sin = (void *)(in.ctl + ack->ADDR_offset);
	if (ack->ADDR_length == sizeof(*sin) && sin->sin_family == AF_INET)
		sin->sin_port = 0;
	else
		memset(sin, 0, ack->ADDR_length);
}

/* Takes a message into buffers that show where the kernel has written. */
static void get(int fd)
{
	struct strbuf c = { .maxlen = sizeof(in.ctl), .buf = in.ctl };
	struct strbuf d = { .maxlen = sizeof(in.data), .buf = in.data };
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI | POLLRDBAND };
	int flags = MSG_ANY;

	memset(in.ctl, 0, sizeof(in.ctl));
	memset(in.data, 0, sizeof(in.data));
	IS(poll(&p, 1, WAIT_MS), 1);
	IS(getpmsg(fd, &c, &d, &in.band, &flags), 0);
	in.ctl_len = c.len;
	in.data_len = d.len;
}

static void take(int fd, const char *what)
{
	get(fd);
	clear_chosen();
	none_secret(what, in.ctl, sizeof(in.ctl));
	none_secret(what, in.data, sizeof(in.data));
}

/* Messages come back as they were sent, with no bytes behind them. */
static void echoed(void)
{
	static const int sizes[] = { 0, 1, 90, 200, 500, 1000, 3000, 20000 };
	struct strbuf ctl = { .buf = plain }, data = { .buf = plain };
	int fd = open("/dev/streams/echo", O_RDWR), back;
	unsigned int i;

	TRUE(fd >= 0);
	for (i = 0; i < COUNT(sizes); i++) {
		char answer[65536] = { };
		struct strioctl ic = { 'x' << 8 | 1, 0, sizes[i], answer };

		ctl.len = sizes[i] < 1024 ? sizes[i] : 1;
		data.len = sizes[i];
		IS(putmsg(fd, &ctl, &data, 0), 0);
		take(fd, "echo, both parts");
		IS(in.ctl_len, ctl.len);
		IS(in.data_len, data.len);
		IS(putmsg(fd, &ctl, NULL, RS_HIPRI), 0);
		take(fd, "echo, high priority");
		memset(answer, 'i', sizes[i]);
		IS(ioctl(fd, I_STR, &ic), 0);
		IS(ic.ic_len, sizes[i]);
		none_secret("echo, I_STR", answer, sizeof(answer));
		if (!sizes[i])
			continue;
		IS(write(fd, plain, sizes[i]), sizes[i]);
		memset(in.data, 0, sizeof(in.data));
		back = read(fd, in.data, sizeof(in.data));
		IS(back, sizes[i]);
		none_secret("echo, read()", in.data, sizeof(in.data));
	}
	close(fd);
}

/* A message of which a part cannot be read is not sent. */
static void faulting(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct strbuf data = { .len = 3000, .buf = page + 4096 - 1000 };
	int fds[2];

	TRUE(page != MAP_FAILED);
	memset(page, 'p', 4096);
	IS(munmap(page + 4096, 4096), 0);
	IS(strpipe(fds), 0);
	FAILS(putmsg(fds[1], NULL, &data, 0), EFAULT);
	FAILS(write(fds[1], data.buf, data.len), EFAULT);
	test_nonblock(fds[0], true);
	FAILS(read(fds[0], in.data, sizeof(in.data)), EAGAIN);
	close(fds[0]);
	close(fds[1]);
}

/* bufmod writes headers and padding; a time may contain the byte. */
static void gathered(void)
{
	unsigned int chunk = 600;
	struct strioctl ic = { SBIOCSCHUNK, 0, sizeof(chunk), (char *)&chunk };
	struct sb_hdr hdr;
	int fds[2], i;

	IS(strpipe(fds), 0);
	IS(ioctl(fds[0], I_PUSH, "bufmod"), 0);
	IS(ioctl(fds[0], I_STR, &ic), 0);
	for (i = 0; i < 40; i++)
		IS(write(fds[1], plain, 1 + i % 13), 1 + i % 13);
	get(fds[0]);
	TRUE(in.data_len > (int)sizeof(hdr));
	for (i = 0; i < in.data_len; i += hdr.sbh_totlen) {
		memcpy(&hdr, in.data + i, sizeof(hdr));
		TRUE(hdr.sbh_totlen >= sizeof(hdr) && hdr.sbh_totlen <= chunk);
		memset(in.data + i + offsetof(struct sb_hdr, sbh_timestamp), 0,
		       sizeof(hdr.sbh_timestamp));
	}
	none_secret("bufmod", in.data, sizeof(in.data));
	close(fds[0]);
	close(fds[1]);
}

/* Checks the answers of a provider about itself. */
static void told(const char *device, unsigned int level)
{
	static const int types[] = { T_INFO_REQ, T_ADDR_REQ, T_CAPABILITY_REQ };
	int fd = open(device, O_RDWR);
	unsigned int i;

	if (fd < 0) {
		printf("%s: %s\n", device, strerror(errno));
		return;
	}
	for (i = 0; i < COUNT(types); i++) {
		memset(&out, 0, sizeof(out.prim));
		out.prim.capability_req.PRIM_type = types[i];
		out.prim.capability_req.CAP_bits1 = TC1_INFO | TC1_ACCEPTOR_ID;
		IS(send_prim(fd, types[i] == T_CAPABILITY_REQ ?
				 sizeof(out.prim.capability_req) : sizeof(types[i]), NULL, 0,
			     types[i] == T_ADDR_REQ ? 0 : RS_HIPRI), 0);
		take(fd, device);
	}
	put_bind_req(fd, NULL, 0);
	take(fd, device);
	add(level, T_ALLOPT, NULL, 0);
	ask(fd, T_CURRENT);
	take(fd, device);
	add(level, T_ALLOPT, NULL, 0);
	ask(fd, T_DEFAULT);
	take(fd, device);
	put_simple(fd, T_UNBIND_REQ);
	take(fd, device);
	/* The request fails: the endpoint is not bound any more. */
	put_simple(fd, T_UNBIND_REQ);
	take(fd, device);
	close(fd);
}

static void messages(void)
{
	memset(secret, SECRET, sizeof(secret));
	memset(plain, 'p', sizeof(plain));
	leave_messages();
	become_nobody();
	echoed();
	faulting();
	gathered();
	told("/dev/streams/udp", T_INET_UDP);
	told("/dev/streams/tcp", T_INET_TCP);
	told("/dev/streams/ticlts", XTI_GENERIC);
	told("/dev/streams/ticotsord", XTI_GENERIC);
}

/* Returns a STREAMS socket at a port without the byte. */
static int datagrams(struct sockaddr_in *sin)
{
	socklen_t len = sizeof(*sin);
	int fd;

	for (;;) {
		fd = socket(AF_INET, SOCK_DGRAM, STREAMS);
		TRUE(fd >= 0);
		*sin = (struct sockaddr_in){
			.sin_family = AF_INET,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		};
		IS(bind(fd, (void *)sin, len), 0);
		IS(getsockname(fd, (void *)sin, &len), 0);
		if (!memchr(&sin->sin_port, SECRET, sizeof(sin->sin_port)))
			return fd;
		close(fd);
	}
}

/*
 * Returns the bytes of data for a buffer of 512 << i bytes: nearly as many as
 * fit, and fewer.
 */
#define BUFFERS		6
#define MOST(i)		((512 << (i)) - 400)
#define LEAST(i)	((i) ? (256 << (i)) - 370 : 1)

static int observer(void)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IP),
		.sll_ifindex = if_nametoindex("lo"),
	};
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	TRUE(fd >= 0 && ll.sll_ifindex);
	IS(bind(fd, (void *)&ll, sizeof(ll)), 0);
	return fd;
}

static unsigned int sum16(const void *bytes, int len)
{
	const unsigned short *word = bytes;
	unsigned int sum = 0;

	for (; len > 1; len -= 2)
		sum += *word++;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/*
 * Each byte of a packet has its expected value, and no bytes are before,
 * between or behind its parts.
 */
static void observed(int fd, const struct sockaddr_in *from, const struct sockaddr_in *to, int len)
{
	static char frame[70000];
	struct ether_header *eth = (void *)frame;
	struct iphdr ip;
	struct udphdr udp;
	int n;

	/* Packets of other programs on this device pass too. */
	do {
		memset(frame, 0, sizeof(frame));
		n = recv(fd, frame, sizeof(frame), MSG_TRUNC);
		TRUE(n >= (int)(sizeof(*eth) + sizeof(ip) + sizeof(udp)));
		memcpy(&ip, eth + 1, sizeof(ip));
		memcpy(&udp, frame + sizeof(*eth) + sizeof(ip), sizeof(udp));
	} while (ip.protocol != IPPROTO_UDP || udp.dest != to->sin_port);
	IS(n, sizeof(*eth) + sizeof(ip) + sizeof(udp) + len);
	none_secret("ethernet", eth, sizeof(*eth));
	IS(ip.version, 4);
	IS(ip.ihl, 5);
	IS(ip.tos, 0);
	IS(ntohs(ip.tot_len), n - sizeof(*eth));
	IS(ip.ttl, 64);
	IS(ip.saddr, from->sin_addr.s_addr);
	IS(ip.daddr, to->sin_addr.s_addr);
	IS(sum16(&ip, sizeof(ip)), 0xffff);
	IS(udp.source, from->sin_port);
	IS(ntohs(udp.len), sizeof(udp) + len);
	none_secret("data", frame + n - len, sizeof(frame) - (n - len));
}

static void send_to(int fd, const struct sockaddr_in *to, const char *bytes, int len)
{
	IS(sendto(fd, bytes, len, 0, (const void *)to, sizeof(*to)), len);
}

static void received(int fd, int len)
{
	memset(in.data, 0, sizeof(in.data));
	IS(recv(fd, in.data, sizeof(in.data), MSG_TRUNC), len);
	TRUE(!memcmp(in.data, plain, len));
	none_secret("recv()", in.data, sizeof(in.data));
}

/* A datagram that cannot be read whole reaches no receiver. */
static void send_faulting(int fd, const struct sockaddr_in *to, int len)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	TRUE(page != MAP_FAILED);
	IS(munmap(page + 4096, 4096), 0);
	len++;
	FAILS(sendto(fd, page + 4096 - len / 2, len, 0, (const void *)to, sizeof(*to)), EFAULT);
	IS(munmap(page, 4096), 0);
}

static void user(int id)
{
	IS(seteuid(0), 0);
	IS(seteuid(id), 0);
}

/*
 * A buffer is used again: with an observer, through IP, and without one,
 * directly; by a socket, and by the stream of a socket.
 */
static void packets_of(bool watched, bool stream)
{
	struct sockaddr_in from, to, roots;
	int root[2], a, b, watch = watched ? observer() : -1, i;

	root[0] = datagrams(&roots);
	root[1] = datagrams(&roots);
	user(65534);
	a = datagrams(&from);
	b = datagrams(&to);
	if (stream)
		IS(ioctl(b, I_PUSH, "nullmod"), 0);
	for (i = 0; i < BUFFERS; i++) {
		user(0);
		send_to(root[0], &roots, secret, MOST(i));
		IS(recv(root[1], in.data, sizeof(in.data), 0), MOST(i));
		user(65534);
		send_faulting(a, &to, LEAST(i));
		send_to(a, &to, plain, LEAST(i));
		received(b, LEAST(i));
		if (watched)
			observed(watch, &from, &to, LEAST(i));
	}
	user(0);
	closefrom(3);
}

static void packets(void)
{
	memset(secret, SECRET, sizeof(secret));
	memset(plain, 'p', sizeof(plain));
	packets_of(true, false);
	packets_of(true, true);
	packets_of(false, false);
	packets_of(false, true);
}

static const struct test_case cases[] = {
	{ "messages", messages },
	{ "packets", packets },
	{ }
};

int main(int argc, char **argv)
{
	return test_main(argc, argv, cases);
}
