// SPDX-License-Identifier: GPL-2.0-only
/* udp-ask.c - sends a line to a UDP server and prints the answer, by primitives */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/tihdr.h>

/* A primitive, and the address behind it */
static union {
	union T_primitives prim;
	char bytes[1024];
} ctl;
static char data[65507];

static int put(int fd, size_t size, char *text)
{
	struct strbuf c = { .len = size, .buf = ctl.bytes };
	struct strbuf d = { .len = text ? (int)strlen(text) : -1, .buf = text };

	return putmsg(fd, &c, &d, 0);
}

/* Waits for a message; returns its primitive, or -1, and how much data it has. */
static int get(int fd, int *len)
{
	struct strbuf c = { .maxlen = sizeof(ctl), .buf = ctl.bytes };
	struct strbuf d = { .maxlen = sizeof(data), .buf = data };
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };
	int flags = 0;

	if (poll(&p, 1, 5000) != 1 || getmsg(fd, &c, &d, &flags) < 0 ||
	    c.len < (int)sizeof(ctl.prim.type))
		return -1;
	*len = d.len;
	return ctl.prim.type;
}

int main(int argc, char **argv)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	int fd, len;
	long port;

	port = argc == 4 ? strtol(argv[2], NULL, 10) : 0;
	if (port < 1 || port > 65535 || !inet_aton(argv[1], &sin.sin_addr)) {
		fprintf(stderr, "usage: %s ADDRESS PORT TEXT\n", argv[0]);
		return 2;
	}
	sin.sin_port = htons(port);
	fd = open("/dev/streams/udp", O_RDWR);
	if (fd < 0) {
		perror("/dev/streams/udp");
		return 1;
	}
	/* To any port: without an address */
	ctl.prim.bind_req = (struct T_bind_req){ .PRIM_type = T_BIND_REQ };
	if (put(fd, sizeof(ctl.prim.bind_req), NULL) || get(fd, &len) != T_BIND_ACK) {
		fprintf(stderr, "not bound\n");
		return 1;
	}
	ctl.prim.unitdata_req = (struct T_unitdata_req){
		.PRIM_type = T_UNITDATA_REQ,
		.DEST_length = sizeof(sin),
		.DEST_offset = sizeof(ctl.prim.unitdata_req),
	};
	memcpy(ctl.bytes + sizeof(ctl.prim.unitdata_req), &sin, sizeof(sin));
	if (put(fd, sizeof(ctl.prim.unitdata_req) + sizeof(sin), argv[3])) {
		perror("putmsg");
		return 1;
	}
	switch (get(fd, &len)) {
	case T_UNITDATA_IND:
		printf("%.*s\n", len < 0 ? 0 : len, data);
		return 0;
	case T_UDERROR_IND:
		fprintf(stderr, "%s\n", strerror(ctl.prim.uderror_ind.ERROR_type));
		return 1;
	default:
		fprintf(stderr, "no answer\n");
		return 1;
	}
}
