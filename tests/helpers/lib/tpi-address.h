/* SPDX-License-Identifier: GPL-2.0-only */
/* tpi-address.h - primitives that have an address, of any family */
#ifndef TPI_ADDRESS_H
#define TPI_ADDRESS_H

#include "tpi-test.h"

#include <netinet/in.h>

/* Copies an address of that length out of the message received last. */
static inline void copy_address(int offset, int length, void *addr, int size)
{
	IS(length, size);
	TRUE(offset >= 0 && offset + length <= in.ctl_len);
	memcpy(addr, in.ctl + offset, size);
}

/* Sends T_BIND_REQ with len bytes of an address; 0: any address. */
static inline void put_bind_req(int fd, const void *addr, int len)
{
	out.prim.bind_req = (struct T_bind_req){
		.PRIM_type = T_BIND_REQ,
		.ADDR_length = len,
		.ADDR_offset = len ? sizeof(out.prim.bind_req) : 0,
	};
	if (len)
		memcpy(out.bytes + sizeof(out.prim.bind_req), addr, len);
	IS(send_prim(fd, sizeof(out.prim.bind_req) + len, NULL, 0, 0), 0);
}

static inline int put_unitdata_req(int fd, const void *to, int to_len,
				   const void *opts, int opts_len,
				   const void *data, int len)
{
	struct T_unitdata_req *req = &out.prim.unitdata_req;
	int size = sizeof(*req) + to_len;

	*req = (struct T_unitdata_req){
		.PRIM_type = T_UNITDATA_REQ,
		.DEST_length = to_len,
		.DEST_offset = sizeof(*req),
		.OPT_length = opts_len,
		.OPT_offset = opts_len ? size : 0,
	};
	memcpy(out.bytes + sizeof(*req), to, to_len);
	if (opts_len)
		memcpy(out.bytes + size, opts, opts_len);
	return send_prim(fd, size + opts_len, data, len, 0);
}

/*
 * Sends a datagram for one of several threads, which must not share the buffer
 * out.
 */
static inline int put_unitdata_at_once(int fd, const struct sockaddr_in *to,
				       const void *data, int len)
{
	struct {
		struct T_unitdata_req req;
		struct sockaddr_in to;
	} c = {
		.req = {
			.PRIM_type = T_UNITDATA_REQ,
			.DEST_length = sizeof(c.to),
			.DEST_offset = sizeof(c.req),
		},
		.to = *to,
	};
	struct strbuf ctl = { .len = sizeof(c), .buf = (char *)&c };
	struct strbuf body = { .len = len, .buf = (char *)data };

	return putmsg(fd, &ctl, &body, 0);
}

/* Checks that the next message is this datagram. */
static inline void receive_unitdata(int fd, const void *data, int len)
{
	receive_prim(fd, T_UNITDATA_IND);
	IS(in.hipri, 0);
	IS(in.data_len, len);
	TRUE(!memcmp(in.data, data, len));
}

/* Checks the T_INFO_ACK of a UDP provider. */
static inline void check_udp_info(const struct T_info_ack *info, int state,
				  int tsdu, int addr_size)
{
	IS(info->PRIM_type, T_INFO_ACK);
	IS(info->TSDU_size, tsdu);
	IS(info->TIDU_size, tsdu);
	IS(info->ETSDU_size, T_INVALID);
	IS(info->CDATA_size, T_INVALID);
	IS(info->DDATA_size, T_INVALID);
	IS(info->ADDR_size, addr_size);
	TRUE(info->OPT_size > 0);
	IS(info->SERV_type, T_CLTS);
	IS(info->CURRENT_state, state);
	IS(info->PROVIDER_flag, SENDZERO | XPG4_1);
}

#endif /* TPI_ADDRESS_H */
