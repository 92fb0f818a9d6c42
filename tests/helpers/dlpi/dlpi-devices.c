// SPDX-License-Identifier: GPL-2.0-only
/* dlpi-devices - devices by name, devices that take no frames, and what becomes of them */
#include <pthread.h>
#include <stdatomic.h>

#include "dlpi-test.h"

#define FEW	20	/* frames that arrive after each change of a device */

static const unsigned char broadcast[ADDR_LEN] = "\xff\xff\xff\xff\xff\xff\xb5\x88";

static int named(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/streams/net/%s", name);
	return open(path, O_RDWR);
}

/*
 * A stream of style 1 is attached to the device of that name in the opener's
 * namespace.
 */
static void g_named(void)
{
	int left = named("veth-left"), right = right_bound(TEST_TYPE), lo, other, old;
	unsigned char there[16];

	TRUE(left >= 0);
	IS(ASK(left, DL_INFO_REQ), DL_INFO_ACK);
	IS(got.prim.info_ack.dl_provider_style, DL_STYLE1);
	IS(got.prim.info_ack.dl_current_state, DL_UNBOUND);
	IS(got.prim.info_ack.dl_mac_type, DL_ETHER);
	IS(ASK(left, DL_ATTACH_REQ, 1), DLPI_ERROR(DL_NOTSUPPORTED));
	IS(ASK(left, DL_DETACH_REQ), DLPI_ERROR(DL_NOTSUPPORTED));
	IS(bind_sap(left, TEST_TYPE), DL_BIND_ACK);
	bound_addr(right, there);
	send_to(left, there, ADDR_LEN, "by name", 7);
	IS(dlpi_get(right), DL_UNITDATA_IND);
	TRUE(got.len == 7 && !memcmp(got.data, "by name", 7));
	IS(ASK(left, DL_UNBIND_REQ), DL_OK_ACK);
	IS(bind_sap(left, 0x88b6), DL_BIND_ACK);
	FAILS(named("nothing0"), ENXIO);
	/* There is another lo in each namespace, and no veth-left in right. */
	lo = named("lo");
	TRUE(lo >= 0);
	IS(bind_sap(lo, TEST_TYPE), DL_BIND_ACK);
	old = namespace_enter("right");
	shell("ip link set lo up");
	other = named("lo");
	FAILS(named("veth-left"), ENXIO);
	namespace_leave(old);
	IS(bind_sap(other, TEST_TYPE), DL_BIND_ACK);
	bound_addr(lo, there);
	send_to(lo, there, ADDR_LEN, "left's", 6);
	send_to(other, there, ADDR_LEN, "right's", 7);
	IS(dlpi_get(other), DL_UNITDATA_IND);
	TRUE(got.len == 7 && !memcmp(got.data, "right's", 7));
	IS(dlpi_get(lo), DL_UNITDATA_IND);
	TRUE(got.len == 6 && !memcmp(got.data, "left's", 6));
	shell("ip link del veth-left");
	hung_up(left);
	FAILS(named("veth-left"), ENXIO);
	close(right);
	close(lo);
	close(other);
}

/* The queues of a device are full, and the stream's: only what is urgent is done. */
static void g_blocked(void)
{
	t_uscalar_t info = DL_INFO_REQ;
	unsigned char ctl[sizeof(dl_unitdata_req_t) + ADDR_LEN];
	dl_unitdata_req_t *req = (dl_unitdata_req_t *)ctl;
	struct strbuf c = { .len = sizeof(ctl), .buf = (char *)ctl };
	static char data[1000];
	struct strbuf d = { .len = sizeof(data), .buf = data };
	struct strbuf hi = { .len = sizeof(info), .buf = (char *)&info };
	int left;

	shell("tc qdisc replace dev veth-left root tbf rate 8kbit burst 1100 limit 10mb");
	left = left_bound(TEST_TYPE);
	*req = (dl_unitdata_req_t){
		.dl_primitive = DL_UNITDATA_REQ, .dl_dest_addr_length = ADDR_LEN,
		.dl_dest_addr_offset = sizeof(*req),
	};
	memcpy(req + 1, broadcast, ADDR_LEN);
	TRUE(!fcntl(left, F_SETFL, O_NONBLOCK));
	while (!putmsg(left, &c, &d, 0))
		;
	TRUE(errno == EAGAIN);
	TRUE(!fcntl(left, F_SETFL, 0));
	TRUE(!putmsg(left, &hi, NULL, RS_HIPRI));
	IS(dlpi_get(left), DL_INFO_ACK);
	IS(got.prim.info_ack.dl_current_state, DL_IDLE);
	/* The frames are sent all the same, when the device takes them. */
	shell("tc qdisc change dev veth-left root tbf rate 1gbit burst 100k limit 10mb");
	IS(putmsg(left, &c, &d, 0), 0);
	IS(ASK(left, DL_UNBIND_REQ), DL_OK_ACK);
	IS(ASK(left, DL_INFO_REQ), DL_INFO_ACK);
	close(left);
}

/* Frames are sent and received all the while. */
struct traffic {
	int fd;
	atomic_bool stop;
	atomic_long count;	/* of frames received */
	pthread_t thread;
};

/*
 * Sends until the test ends or the stream is hung up; the device may be down.
 */
static void *traffic_send(void *arg)
{
	unsigned char ctl[sizeof(dl_unitdata_req_t) + ADDR_LEN], said[128];
	dl_unitdata_req_t *req = (dl_unitdata_req_t *)ctl;
	struct strbuf c = { .len = sizeof(ctl), .buf = (char *)ctl };
	struct strbuf d = { .len = 7, .buf = "traffic" };
	struct traffic *t = arg;

	*req = (dl_unitdata_req_t){
		.dl_primitive = DL_UNITDATA_REQ, .dl_dest_addr_length = ADDR_LEN,
		.dl_dest_addr_offset = sizeof(*req),
	};
	memcpy(req + 1, broadcast, ADDR_LEN);
	while (!t->stop && !putmsg(t->fd, &c, &d, 0)) {
		struct strbuf in = { .maxlen = sizeof(said), .buf = (char *)said };
		struct pollfd p = { .fd = t->fd, .events = POLLIN };
		int flags = 0;

		if (poll(&p, 1, 0) == 1 && getmsg(t->fd, &in, NULL, &flags))
			break;
		sched_yield();
	}
	return NULL;
}

/* Counts frames until the stream is hung up. */
static void *traffic_count(void *arg)
{
	char ctl[256], data[2000];
	struct traffic *t = arg;

	for (;;) {
		struct strbuf c = { .maxlen = sizeof(ctl), .buf = ctl };
		struct strbuf d = { .maxlen = sizeof(data), .buf = data };
		int flags = 0;

		if (getmsg(t->fd, &c, &d, &flags) || (c.len <= 0 && d.len <= 0))
			return NULL;
		t->count++;
	}
}

static void traffic_begin(struct traffic *t, int fd, void *(*run)(void *))
{
	*t = (struct traffic){ .fd = fd };
	TRUE(!pthread_create(&t->thread, NULL, run, t));
}

/* More frames have arrived since. */
static void flows(struct traffic *t)
{
	long before = t->count;

	UNTIL(t->count >= before + FEW);
}

/*
 * The ends of a veth: busy in this namespace, quiet in right. On each side one
 * endpoint sends, one receives its type, and one receives everything.
 */
struct link_traffic {
	struct traffic out, in, all, own;
};

static void link_begin(struct link_traffic *l)
{
	int old, fds[2];

	shell("ip link add busy type veth peer name quiet netns right");
	shell("ip link set busy up && ip -n right link set quiet up");
	await_link("left", "busy");
	await_link("right", "quiet");
	old = namespace_enter("right");
	fds[0] = attached_by("quiet");
	fds[1] = raw_attached("quiet");
	namespace_leave(old);
	IS(bind_sap(fds[0], TEST_TYPE), DL_BIND_ACK);
	IS(ASK(fds[1], DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	traffic_begin(&l->in, fds[0], traffic_count);
	traffic_begin(&l->all, fds[1], traffic_count);
	fds[0] = raw_attached("busy");
	IS(ASK(fds[0], DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	traffic_begin(&l->own, fds[0], traffic_count);
	fds[1] = attached_by("busy");
	IS(bind_sap(fds[1], TEST_TYPE), DL_BIND_ACK);
	traffic_begin(&l->out, fds[1], traffic_send);
	flows(&l->in);
	flows(&l->all);
	flows(&l->own);
}

static void traffic_end(struct traffic *t)
{
	t->stop = true;
	TRUE(!pthread_join(t->thread, NULL));
	close(t->fd);
}

/* The last of both devices is gone: all streams are hung up. */
static void link_end(struct link_traffic *l)
{
	traffic_end(&l->in);
	traffic_end(&l->all);
	traffic_end(&l->own);
	traffic_end(&l->out);
}

static void g_changes(void)
{
	struct link_traffic l;

	/* The link is taken down and up, and gets another name. */
	link_begin(&l);
	shell("ip -n right link set quiet down");
	shell("ip -n right link set quiet name still");
	shell("ip -n right link set still up");
	flows(&l.in);
	flows(&l.all);
	shell("ip link set busy down");
	shell("ip link set busy mtu 1400");
	shell("ip link set busy up");
	flows(&l.in);
	flows(&l.own);
	shell("ip link set busy address 02:00:00:00:00:07");
	flows(&l.in);
	shell("ip link del busy");
	link_end(&l);
	/*
	 * The receiver's device is moved: its streams are hung up, the sender's
	 * are not.
	 */
	link_begin(&l);
	shell("ip -n right link set quiet netns left");
	traffic_end(&l.in);
	traffic_end(&l.all);
	shell("ip link set quiet up");
	flows(&l.own);
	shell("ip link del quiet");
	traffic_end(&l.own);
	traffic_end(&l.out);
	/*
	 * A namespace is deleted with its devices, and with them their peers.
	 */
	link_begin(&l);
	shell("ip netns add third && ip link set busy netns third");
	traffic_end(&l.own);
	traffic_end(&l.out);
	shell("ip netns del third");
	traffic_end(&l.in);
	traffic_end(&l.all);
}

/* Endpoints are made and closed while frames arrive for them. */
static void g_endpoints(void)
{
	struct link_traffic l;
	int i;

	link_begin(&l);
	for (i = 0; i < 50; i++) {
		int fd = attached_by("busy");

		IS(ASK(fd, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
		IS(dlpi_get(fd), DL_UNITDATA_IND);
		if (i % 2)
			TRUE(!ioctl(fd, I_PUSH, "pfmod"));
		if (i % 3)
			IS(dlpi_get(fd), DL_UNITDATA_IND);
		close(fd);
	}
	shell("ip link del busy");
	link_end(&l);
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "named", g_named },
		{ "blocked", g_blocked },
		{ "changes", g_changes },
		{ "endpoints", g_endpoints },
		{ NULL, NULL }
	};

	return test_main(argc, argv, groups);
}
