// SPDX-License-Identifier: GPL-2.0-only
/*
 * dlpi-capture - what a data link is given at full rate, beside a packet socket
 *
 * A frame has a number, from which all its other bytes follow: each receiver checks
 * whole frames, and that their numbers rise. The frames that it has not received must
 * have been counted as lost.
 */
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "dlpi-test.h"

#define FRAME_MAX	1518

/* A receiver of everything on a device, in a thread of its own */
struct receiver {
	int fd;
	int (*get)(int fd, unsigned char *frame);
	atomic_long received;
	atomic_long last;	/* the number of the last frame */
	long wrong;
	pthread_t thread;
};

static unsigned char own[ETH_ALEN];
static atomic_bool stop;

/*
 * Makes frame number n, and returns its length. The frames have all kinds of
 * destinations, types and sizes.
 */
static int frame_make(unsigned char *frame, uint32_t n)
{
	static const char *const to[] = {
		"\xff\xff\xff\xff\xff\xff", "\3\0\0\0\0\1", "\2\0\0\0\0\7",
	};
	static const char *const kinds[] = {
		"\x88\xb5\0\0", "\x08\0\0\0", "\x86\xdd\0\0", "\x08\6\0\0",
		"\x81\0\0\5", "\0\x2e\x42\x42",
	};
	static const int sizes[] = { 60, 114, 1014, 1514 };
	int len = sizes[n % 4], i;
	const char *kind = kinds[n % 6];

	/* A length of IEEE 802.3 is that of its frame. */
	if (!kind[0])
		len = 60;
	memset(frame, n, len);
	memcpy(frame, to[n % 3], ETH_ALEN);
	memcpy(frame + ETH_ALEN, own, ETH_ALEN);
	memcpy(frame + 12, kind, 4);
	/* In a VLAN's frame the type follows the tag. */
	memcpy(frame + 16, "\x88\xb5", 2);
	for (i = 0; i < 4; i++)
		frame[18 + i] = n >> (24 - 8 * i);
	return len;
}

static void frame_check(struct receiver *r, const unsigned char *frame, int len)
{
	unsigned char want[FRAME_MAX];
	long n = (uint32_t)frame[18] << 24 | frame[19] << 16 | frame[20] << 8 | frame[21];

	if (len != frame_make(want, n) || memcmp(frame, want, len) || n <= r->last)
		r->wrong++;
	r->last = n;
	r->received++;
}

static int dlpi_frame(int fd, unsigned char *frame)
{
	struct strbuf d = { .maxlen = FRAME_MAX, .buf = (char *)frame };
	int flags = 0;

	TRUE(!getmsg(fd, NULL, &d, &flags));
	return d.len;
}

/* Puts back the tag of a VLAN, which the kernel has taken out. */
static int tag_insert(unsigned char *frame, int len, const struct tpacket_auxdata *aux)
{
	if (!(aux->tp_status & TP_STATUS_VLAN_VALID))
		return len;
	memmove(frame + 16, frame + 12, len - 12);
	frame[12] = aux->tp_vlan_tpid >> 8;
	frame[13] = aux->tp_vlan_tpid;
	frame[14] = aux->tp_vlan_tci >> 8;
	frame[15] = aux->tp_vlan_tci;
	return len + 4;
}

static int packet_frame(int fd, unsigned char *frame)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
	} control;
	struct iovec iov = { frame, FRAME_MAX };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct tpacket_auxdata aux;
	int len = recvmsg(fd, &msg, 0);

	TRUE(len > 14 && CMSG_FIRSTHDR(&msg));
	memcpy(&aux, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(aux));
	return tag_insert(frame, len, &aux);
}

static void *receive(void *arg)
{
	struct receiver *r = arg;
	unsigned char frame[FRAME_MAX];
	struct pollfd p = { .fd = r->fd, .events = POLLIN };

	while (!stop || poll(&p, 1, 0) == 1) {
		if (poll(&p, 1, 10) == 1)
			frame_check(r, frame, r->get(r->fd, frame));
	}
	return NULL;
}

static void receiver_begin(struct receiver *r)
{
	r->last = -1;
	TRUE(!pthread_create(&r->thread, NULL, receive, r));
}

static int packet_socket(const char *ifname)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = if_nametoindex(ifname),
	};
	int fd = socket(AF_PACKET, SOCK_RAW, 0), on = 1;

	TRUE(fd >= 0);
	TRUE(!setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &on, sizeof(on)));
	TRUE(!bind(fd, (struct sockaddr *)&ll, sizeof(ll)));
	return fd;
}

/* No other thread reads the stream now. */
static long dlpi_lost(int fd)
{
	return get_statistics(fd).dls_stream_rx_dropped;
}

static long packet_lost(int fd)
{
	struct tpacket_stats stats;
	socklen_t len = sizeof(stats);

	TRUE(!getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len));
	return stats.tp_drops;
}

/*
 * Returns the frames that the kernel has dropped before any receiver, of all
 * devices.
 */
static long backlog_lost(void)
{
	FILE *f = fopen("/proc/net/softnet_stat", "r");
	unsigned int all, lost;
	long sum = 0;

	TRUE(f);
	while (fscanf(f, "%x %x%*[^\n]", &all, &lost) == 2)
		sum += lost;
	fclose(f);
	return sum;
}

static void send_frame(int fd, long n)
{
	unsigned char frame[FRAME_MAX];
	int len = frame_make(frame, n);

	IS(send(fd, frame, len, 0), len);
}

/*
 * Sends the frames at full rate, then more one by one until both receivers have
 * the last one: the earlier frames have been received then, or lost. Returns
 * how many were sent.
 */
static long send_all(long frames, const struct receiver *one, const struct receiver *two)
{
	int fd = packet_socket("veth-left"), i;
	long n;

	for (n = 0; n < frames; n++)
		send_frame(fd, n);
	do {
		send_frame(fd, n);
		for (i = 0; i < 1000 && (one->last < n || two->last < n); i++)
			usleep(1000);
		n++;
	} while (one->last < n - 1 || two->last < n - 1);
	close(fd);
	return n;
}

static void compare(long frames)
{
	struct receiver dlpi = { .get = dlpi_frame };
	struct receiver packets = { .get = packet_frame };
	int old = namespace_enter("right");
	long sent, arrived, lost[2];

	memcpy(own, "\2\0\0\0\0\1", ETH_ALEN);
	packets.fd = packet_socket("veth-right");
	dlpi.fd = raw_attached("veth-right");
	IS(ASK(dlpi.fd, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	namespace_leave(old);
	receiver_begin(&dlpi);
	receiver_begin(&packets);
	one_processor();
	arrived = -backlog_lost();
	sent = send_all(frames, &dlpi, &packets);
	arrived = sent - (arrived + backlog_lost());
	stop = true;
	pthread_join(dlpi.thread, NULL);
	pthread_join(packets.thread, NULL);
	lost[0] = dlpi_lost(dlpi.fd);
	lost[1] = packet_lost(packets.fd);
	printf("%ld frames sent, %ld arrived\n", sent, arrived);
	printf("DLPI: %ld received, %ld lost\n", dlpi.received, lost[0]);
	printf("packet socket: %ld received, %ld lost\n", packets.received, lost[1]);
	IS(dlpi.received + lost[0], arrived);
	IS(packets.received + lost[1], arrived);
	IS(dlpi.wrong, 0);
	IS(packets.wrong, 0);
	close(dlpi.fd);
	close(packets.fd);
}

static void g_some(void)
{
	compare(5000);
}

static void g_all(void)
{
	compare(100000);
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "some", g_some },
		{ "all", g_all },
		{ NULL, NULL }
	};

	return test_main(argc, argv, groups);
}
