// SPDX-License-Identifier: GPL-2.0-only
/* arp.c - asks a network for the hardware address of an IPv4 address, by libdlpi */
#include <arpa/inet.h>
#include <libdlpi.h>
#include <net/if_arp.h>
#include <netinet/if_ether.h>
#include <stdio.h>
#include <string.h>

#define SECONDS	5	/* that an answer may take */

static int failed(const char *what, int error)
{
	fprintf(stderr, "%s: %s\n", what, dlpi_strerror(error));
	return 1;
}

/* Waits for the answer; false: it has not come. */
static int answer_from(dlpi_handle_t dh, struct in_addr ip, unsigned char *hw)
{
	struct ether_arp arp;
	int tries, err;

	/* Other hosts ask and answer as well. */
	for (tries = 0; tries < 100; tries++) {
		size_t len = sizeof(arp);

		err = dlpi_recv(dh, NULL, NULL, &arp, &len, SECONDS * 1000, NULL);
		if (err != DLPI_SUCCESS)
			return 0;
		if (len >= sizeof(arp) && arp.arp_op == htons(ARPOP_REPLY) &&
		    !memcmp(arp.arp_spa, &ip, sizeof(ip))) {
			memcpy(hw, arp.arp_sha, ETH_ALEN);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct ether_arp arp = {
		.ea_hdr = {
			.ar_hrd = htons(ARPHRD_ETHER), .ar_pro = htons(ETHERTYPE_IP),
			.ar_hln = ETH_ALEN, .ar_pln = sizeof(struct in_addr),
			.ar_op = htons(ARPOP_REQUEST),
		},
	};
	struct in_addr from, to;
	unsigned char hw[ETH_ALEN];
	dlpi_handle_t dh;
	dlpi_info_t info;
	int err, found;

	if (argc != 4 || !inet_aton(argv[2], &from) || !inet_aton(argv[3], &to)) {
		fprintf(stderr, "usage: %s LINK OWN-ADDRESS ADDRESS\n", argv[0]);
		return 2;
	}
	err = dlpi_open(argv[1], &dh, 0);
	if (err != DLPI_SUCCESS)
		return failed(argv[1], err);
	err = dlpi_bind(dh, ETHERTYPE_ARP, NULL);
	if (err == DLPI_SUCCESS)
		err = dlpi_info(dh, &info, 0);
	if (err != DLPI_SUCCESS)
		return failed(argv[1], err);
	memcpy(arp.arp_sha, info.di_physaddr, ETH_ALEN);
	memcpy(arp.arp_spa, &from, sizeof(from));
	memcpy(arp.arp_tpa, &to, sizeof(to));
	err = dlpi_send(dh, info.di_bcastaddr, info.di_bcastaddrlen, &arp, sizeof(arp),
			NULL);
	if (err != DLPI_SUCCESS)
		return failed(argv[1], err);
	found = answer_from(dh, to, hw);
	dlpi_close(dh);
	if (!found) {
		printf("%s: no answer\n", argv[3]);
		return 1;
	}
	printf("%s is at %02x:%02x:%02x:%02x:%02x:%02x\n", argv[3], hw[0], hw[1], hw[2],
	       hw[3], hw[4], hw[5]);
	return 0;
}
