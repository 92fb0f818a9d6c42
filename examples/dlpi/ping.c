// SPDX-License-Identifier: GPL-2.0-only
/*
 * ping.c - an ICMP echo request and its answer, by the provider's own primitives
 *
 * The frame's destination is given, as arp.c finds it: there is no IP here but what
 * this program makes.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/ether.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <stropts.h>
#include <sys/dlpi.h>

#define SAP	ETHERTYPE_IP
#define ADDR	(ETH_ALEN + sizeof(short))	/* of a station and a SAP */
#define SECONDS	5

struct packet {
	struct iphdr ip;
	struct icmphdr icmp;
	char data[8];
};

/* A primitive, and what stands behind it */
static union {
	union DL_primitives prim;
	char bytes[512];
} ctl;
static char data[65536];

static int put(int fd, size_t size, const void *d, int len)
{
	struct strbuf c = { .len = size, .buf = ctl.bytes };
	struct strbuf b = { .len = len, .buf = (char *)d };

	return putmsg(fd, &c, &b, 0);
}

/* Waits for a message; returns its primitive, or -1, and how much data it has. */
static int get(int fd, int *len)
{
	struct strbuf c = { .maxlen = sizeof(ctl), .buf = ctl.bytes };
	struct strbuf d = { .maxlen = sizeof(data), .buf = data };
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };
	int flags = 0;

	if (poll(&p, 1, SECONDS * 1000) != 1 || getmsg(fd, &c, &d, &flags) < 0 ||
	    c.len < (int)sizeof(ctl.prim.dl_primitive))
		return -1;
	*len = d.len;
	return ctl.prim.dl_primitive;
}

/* A request without data, and whether the provider agrees. */
static int agreed(int fd, size_t size, int answer)
{
	int len;

	return !put(fd, size, NULL, -1) && get(fd, &len) == answer;
}

static unsigned short sum_of(const void *p, size_t len)
{
	const unsigned char *b = p;
	unsigned int sum = 0;

	for (; len > 1; len -= 2, b += 2)
		sum += b[0] << 8 | b[1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum);
}

static void make(struct packet *p, struct in_addr from, struct in_addr to)
{
	memset(p, 0, sizeof(*p));
	p->ip.version = 4;
	p->ip.ihl = sizeof(p->ip) / 4;
	p->ip.tot_len = htons(sizeof(*p));
	p->ip.ttl = 64;
	p->ip.protocol = IPPROTO_ICMP;
	p->ip.saddr = from.s_addr;
	p->ip.daddr = to.s_addr;
	p->ip.check = sum_of(&p->ip, sizeof(p->ip));
	p->icmp.type = ICMP_ECHO;
	p->icmp.un.echo.id = htons(4711);
	memcpy(p->data, "by dlpi", sizeof(p->data));
	p->icmp.checksum = sum_of(&p->icmp, sizeof(*p) - sizeof(p->ip));
}

static int is_answer(const struct packet *p, int len, const struct packet *asked)
{
	return len >= (int)sizeof(*p) && p->ip.saddr == asked->ip.daddr &&
	       p->ip.protocol == IPPROTO_ICMP && p->icmp.type == ICMP_ECHOREPLY &&
	       p->icmp.un.echo.id == asked->icmp.un.echo.id &&
	       !memcmp(p->data, asked->data, sizeof(p->data));
}

int main(int argc, char **argv)
{
	struct in_addr from, to;
	struct ether_addr *hw;
	unsigned short sap = SAP;
	struct packet p;
	int fd, len, prim;

	if (argc != 5 || !inet_aton(argv[2], &from) || !inet_aton(argv[3], &to)) {
		fprintf(stderr, "usage: %s LINK OWN-ADDRESS ADDRESS HARDWARE-ADDRESS\n",
			argv[0]);
		return 2;
	}
	fd = open(DLPI_DEVICE, O_RDWR);
	if (fd < 0) {
		perror(DLPI_DEVICE);
		return 1;
	}
	ctl.prim.attach_req = (dl_attach_req_t){
		.dl_primitive = DL_ATTACH_REQ, .dl_ppa = if_nametoindex(argv[1]),
	};
	if (!agreed(fd, sizeof(dl_attach_req_t), DL_OK_ACK)) {
		fprintf(stderr, "%s: no such link\n", argv[1]);
		return 1;
	}
	ctl.prim.bind_req = (dl_bind_req_t){
		.dl_primitive = DL_BIND_REQ, .dl_sap = SAP, .dl_service_mode = DL_CLDLS,
	};
	if (!agreed(fd, sizeof(dl_bind_req_t), DL_BIND_ACK)) {
		fprintf(stderr, "%s: cannot bind\n", argv[1]);
		return 1;
	}
	hw = ether_aton(argv[4]);
	if (!hw) {
		fprintf(stderr, "%s: not a hardware address\n", argv[4]);
		return 2;
	}
	make(&p, from, to);
	ctl.prim.unitdata_req = (dl_unitdata_req_t){
		.dl_primitive = DL_UNITDATA_REQ, .dl_dest_addr_length = ADDR,
		.dl_dest_addr_offset = sizeof(dl_unitdata_req_t),
	};
	memcpy(ctl.bytes + sizeof(dl_unitdata_req_t), hw, ETH_ALEN);
	memcpy(ctl.bytes + sizeof(dl_unitdata_req_t) + ETH_ALEN, &sap, sizeof(sap));
	if (put(fd, sizeof(dl_unitdata_req_t) + ADDR, &p, sizeof(p))) {
		perror(argv[1]);
		return 1;
	}
	/* All of IPv4 that is for this station comes here too. */
	while ((prim = get(fd, &len)) != -1) {
		if (prim == DL_UNITDATA_IND &&
		    is_answer((const struct packet *)data, len, &p)) {
			printf("%s answers\n", argv[3]);
			return 0;
		}
	}
	printf("%s: no answer\n", argv[3]);
	return 1;
}
