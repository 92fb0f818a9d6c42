/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tpi-bind - binds a transport's stream by primitives, and prints the address
 *
 *	tpi-bind device
 *
 * As a program of System V has it, but for t_scalar_t in the place of long, as
 * strport(7) says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/stream.h>
#include <sys/stropts.h>
#include <sys/tihdr.h>

int
main(int argc, char **argv)
{
	union {
		union T_primitives prim;
		char bytes[512];
	} u;
	struct strbuf ctl;
	t_scalar_t i;
	int fd, flags = 0;

	if (argc != 2) {
		fprintf(stderr, "usage: tpi-bind device\n");
		exit(2);
	}
	if ((fd = open(argv[1], O_RDWR)) < 0) {
		perror(argv[1]);
		exit(1);
	}
	u.prim.bind_req.PRIM_type = T_BIND_REQ;
	u.prim.bind_req.ADDR_length = 0;
	u.prim.bind_req.ADDR_offset = 0;
	u.prim.bind_req.CONIND_number = 0;
	ctl.buf = u.bytes;
	ctl.len = sizeof(struct T_bind_req);
	if (putmsg(fd, &ctl, (struct strbuf *)NULL, 0) < 0) {
		perror("putmsg");
		exit(1);
	}
	ctl.maxlen = sizeof(u);
	if (getmsg(fd, &ctl, (struct strbuf *)NULL, &flags) < 0) {
		perror("getmsg");
		exit(1);
	}
	if (ctl.len < (int)sizeof(struct T_bind_ack) || u.prim.type != T_BIND_ACK) {
		fprintf(stderr, "no T_BIND_ACK, but primitive %ld\n", (long)u.prim.type);
		exit(1);
	}
	for (i = 0; i < u.prim.bind_ack.ADDR_length; i++)
		printf("%02x", u.bytes[u.prim.bind_ack.ADDR_offset + i] & 0xff);
	printf("\n");
	return (0);
}
