// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames of a network device: by DLPI, and by packet sockets
 *
 * From the device --link to the other end of the same link, --peer; loopback if none
 * is named. A channel sends frames of its own type, and its sender is bound to another
 * one, so that no end is given frames but those sent to it.
 */
#include <err.h>
#include <fcntl.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <stdint.h>
#include <stropts.h>
#include <string.h>
#include <sys/dlpi.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "links.h"
#include "message.h"

#define SENDER_TYPE	0x88b5		/* for experiments; none is sent */
#define FIRST_TYPE	0x9000		/* of the channels of this process */
#define TYPES		0x6000
#define ADDR		(ETH_ALEN + sizeof(uint16_t))

static const char *link_of(const char *name)
{
	return name ? name : "lo";
}

static unsigned int index_of(const char *name)
{
	unsigned int index = if_nametoindex(link_of(name));

	if (!index)
		err(1, "%s", link_of(name));
	return index;
}

static unsigned int next_type(void)
{
	static unsigned int n;

	return FIRST_TYPE + n++ % TYPES;
}

/*
 * Sends a message to the provider and reads its answer, which has to be of the
 * kind wanted.
 */
static void ask(int fd, const void *prim, size_t len, void *answer, size_t room,
		unsigned int want)
{
	struct strbuf out = { .len = len, .buf = (char *)prim };
	struct strbuf in = { .maxlen = room, .buf = answer };
	int flags = RS_HIPRI;

	if (putmsg(fd, &out, NULL, 0) || getmsg(fd, &in, NULL, &flags) < 0)
		err(1, DLPI_DEVICE);
	if (*(t_uscalar_t *)answer != want)
		errx(1, "the provider answers with primitive %u",
		     *(t_uscalar_t *)answer);
}

/* Binds a link; stores the address that it is bound to. */
static int bound_link(const char *name, unsigned int type, unsigned char *addr)
{
	dl_attach_req_t attach = { DL_ATTACH_REQ, index_of(name) };
	dl_bind_req_t bind = {
		.dl_primitive = DL_BIND_REQ, .dl_sap = type,
		.dl_service_mode = DL_CLDLS,
	};
	union {
		union DL_primitives prim;
		unsigned char bytes[128];
	} ack;
	int fd = open(DLPI_DEVICE, O_RDWR);

	if (fd < 0)
		return -1;
	ask(fd, &attach, sizeof(attach), &ack, sizeof(ack), DL_OK_ACK);
	ask(fd, &bind, sizeof(bind), &ack, sizeof(ack), DL_BIND_ACK);
	if (ack.prim.bind_ack.dl_addr_length != ADDR)
		errx(1, "%s: not Ethernet", link_of(name));
	memcpy(addr, ack.bytes + ack.prim.bind_ack.dl_addr_offset, ADDR);
	return fd;
}

int open_dlpi(struct channel *c)
{
	int back = namespace_enter(c->options);
	unsigned char own[ADDR];

	c->rx = bound_link(c->options->peer, next_type(), c->frame_to);
	namespace_leave(back);
	if (c->rx < 0)
		return -1;
	c->tx = bound_link(c->options->link, SENDER_TYPE, own);
	if (c->tx < 0)
		return -1;
	return push_modules(c->tx, c->options->push);
}

int bind_links(const struct channel *c)
{
	int back = namespace_enter(c->options);
	unsigned char own[ADDR];
	int far = bound_link(c->options->peer, SENDER_TYPE, own);

	namespace_leave(back);
	return far < 0 ? far : bound_link(c->options->link, SENDER_TYPE, own);
}

void put_frame(struct channel *c, const void *data, size_t len)
{
	struct {
		dl_unitdata_req_t req;
		unsigned char to[ADDR];
	} unit = {
		.req = {
			.dl_primitive = DL_UNITDATA_REQ,
			.dl_dest_addr_length = ADDR,
			.dl_dest_addr_offset = sizeof(unit.req),
		},
	};
	struct strbuf ctl = { .len = sizeof(unit), .buf = (char *)&unit };
	struct strbuf d = { .len = len, .buf = (char *)data };

	memcpy(unit.to, c->frame_to, ADDR);
	c->calls++;
	if (putmsg(c->tx, &ctl, &d, 0))
		err(1, "putmsg");
}

size_t get_frame(struct channel *c, void *data, size_t len)
{
	return get_message(c, DL_UNITDATA_IND, data, len);
}

static int bound_packet(const char *name, int kind, unsigned int type,
			unsigned char *addr)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET, .sll_protocol = htons(type),
		.sll_ifindex = index_of(name),
	};
	socklen_t len = sizeof(ll);
	int fd = socket(AF_PACKET, kind, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&ll, len) ||
	    getsockname(fd, (struct sockaddr *)&ll, &len))
		return -1;
	memcpy(addr, ll.sll_addr, ETH_ALEN);
	return fd;
}

static int open_packets(struct channel *c, int kind)
{
	int back = namespace_enter(c->options);
	uint16_t type = next_type();
	unsigned char own[ADDR];

	c->rx = bound_packet(c->options->peer, kind, type, c->frame_to);
	namespace_leave(back);
	/* The type follows the hardware address, as in a DLSAP address. */
	memcpy(c->frame_to + ETH_ALEN, &type, sizeof(type));
	c->tx = bound_packet(c->options->link, kind, SENDER_TYPE, own);
	c->frame_link = index_of(c->options->link);
	if (c->rx < 0 || c->tx < 0)
		return -1;
	grow_sockets(c);
	return 0;
}

int open_packet(struct channel *c)
{
	return open_packets(c, SOCK_DGRAM);
}

int open_packet_raw(struct channel *c)
{
	return open_packets(c, SOCK_RAW);
}

static uint16_t type_of(const struct channel *c)
{
	uint16_t type;

	memcpy(&type, c->frame_to + ETH_ALEN, sizeof(type));
	return htons(type);
}

void send_packet(struct channel *c, const void *data, size_t len)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET, .sll_protocol = type_of(c),
		.sll_ifindex = c->frame_link, .sll_halen = ETH_ALEN,
	};

	memcpy(ll.sll_addr, c->frame_to, ETH_ALEN);
	c->calls++;
	if (sendto(c->tx, data, len, 0, (struct sockaddr *)&ll, sizeof(ll)) < 0)
		err(1, "sendto");
}

/* The program makes the header. The sender's address is of no interest here. */
void send_packet_raw(struct channel *c, const void *data, size_t len)
{
	struct ether_header head = { .ether_type = type_of(c) };
	struct iovec parts[2] = {
		{ &head, sizeof(head) }, { (void *)data, len },
	};
	struct msghdr msg = { .msg_iov = parts, .msg_iovlen = 2 };

	memcpy(head.ether_dhost, c->frame_to, ETH_ALEN);
	c->calls++;
	if (sendmsg(c->tx, &msg, 0) < 0)
		err(1, "sendmsg");
}

size_t receive_packet_raw(struct channel *c, void *data, size_t len)
{
	struct ether_header head;
	struct iovec parts[2] = { { &head, sizeof(head) }, { data, len } };
	struct msghdr msg = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t n = recvmsg(c->rx, &msg, 0);

	c->calls++;
	if (n < (ssize_t)sizeof(head))
		err(1, "recvmsg");
	return n - sizeof(head);
}
