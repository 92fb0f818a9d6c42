/* SPDX-License-Identifier: GPL-2.0-only */
/* tpi-options.h - T_OPTMGMT_REQ and its answer; after tpi-test.h */
#ifndef TPI_OPTIONS_H
#define TPI_OPTIONS_H

/* A list of options: for a T_OPTMGMT_REQ, or a part of a T_UNITDATA_REQ. */
static char list[1000];
static int list_len;

static inline void add(unsigned int level, unsigned int name, const void *value,
		       int len)
{
	struct T_opthdr oh = { sizeof(oh) + len, level, name, 0 };

	memcpy(list + list_len, &oh, sizeof(oh));
	if (len)
		memcpy(list + list_len + sizeof(oh), value, len);
	list_len += _TPI_ALIGN_OPT(oh.len);
}

static inline void add_int(unsigned int level, unsigned int name, unsigned int value)
{
	add(level, name, &value, sizeof(value));
}

/* Sends the options that were added, and forgets them. */
static inline void ask(int fd, int flags)
{
	out.prim.optmgmt_req = (struct T_optmgmt_req){
		T_OPTMGMT_REQ, list_len, sizeof(out.prim.optmgmt_req), flags
	};
	memcpy(out.bytes + sizeof(out.prim.optmgmt_req), list, list_len);
	IS(send_prim(fd, sizeof(out.prim.optmgmt_req) + list_len, NULL, 0, 0),
	   0);
	list_len = 0;
}

/* Checks the overall result of the answer. */
static inline void receive_answer(int fd, int worst)
{
	struct T_optmgmt_ack *ack = &in.prim.optmgmt_ack;

	receive_prim(fd, T_OPTMGMT_ACK);
	IS(in.hipri, 1);
	IS(ack->MGMT_flags, worst);
	TRUE(ack->OPT_offset + ack->OPT_length <= in.ctl_len);
}

/* Returns the header of option number n of a list in the last message. */
static inline struct T_opthdr option_at(int offset, int length, int n, void *value,
					int size)
{
	struct T_opthdr oh;

	for (;;) {
		TRUE(length >= (int)sizeof(oh));
		memcpy(&oh, in.ctl + offset, sizeof(oh));
		TRUE(oh.len >= sizeof(oh) && (int)oh.len <= length);
		if (!n--)
			break;
		offset += _TPI_ALIGN_OPT(oh.len);
		length -= _TPI_ALIGN_OPT(oh.len);
	}
	memset(value, 0, size);
	TRUE(oh.len - sizeof(oh) <= (unsigned int)size);
	memcpy(value, in.ctl + offset + sizeof(oh), oh.len - sizeof(oh));
	return oh;
}

static inline unsigned int answered(int n, unsigned int level, unsigned int name,
				    unsigned int status)
{
	struct T_optmgmt_ack *ack = &in.prim.optmgmt_ack;
	unsigned int value[16];
	struct T_opthdr oh = option_at(ack->OPT_offset, ack->OPT_length, n,
				       value, sizeof(value));

	IS(oh.level, level);
	IS(oh.name, name);
	IS(oh.status, status);
	return value[0];
}

#endif /* TPI_OPTIONS_H */
