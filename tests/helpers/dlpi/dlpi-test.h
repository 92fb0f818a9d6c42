/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dlpi-test.h - data link endpoints in two network namespaces
 *
 * The caller is in the namespace "left"; "right" is at the other end of the veth.
 */
#ifndef _DLPI_TEST_H
#define _DLPI_TEST_H

#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stropts.h>
#include <sys/dlpi.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "dlpi-links.h"

#define TEST_TYPE	0x88b5	/* for experiments */
#define ADDR_LEN	8	/* of an address on Ethernet */

struct dlpi_msg {
	union {
		union DL_primitives prim;
		unsigned char ctl[512];
	};
	unsigned char data[66000];
	int ctllen;
	int len;
};

/* The message received last; the tests need one at a time. */
static struct dlpi_msg got;

static inline int dlpi_fd(void)
{
	int fd = open(DLPI_DEVICE, O_RDWR);

	TRUE(fd >= 0);
	return fd;
}

static inline int dlpi_put(int fd, const void *ctl, int ctllen, const void *data,
			   int len)
{
	struct strbuf c = { .len = ctllen, .buf = (char *)ctl };
	struct strbuf d = { .len = len, .buf = (char *)data };

	return putmsg(fd, ctl ? &c : NULL, data ? &d : NULL, 0);
}

/* Receives the next message. Returns its primitive, or -1 for data alone. */
static inline int dlpi_get(int fd)
{
	struct strbuf c = { .maxlen = sizeof(got.ctl), .buf = (char *)got.ctl };
	struct strbuf d = { .maxlen = sizeof(got.data), .buf = (char *)got.data };
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };
	int flags = 0;

	TRUE(poll(&p, 1, WAIT_LIMIT_MS) == 1);
	TRUE(!getmsg(fd, &c, &d, &flags));
	got.ctllen = c.len;
	got.len = d.len;
	return c.len >= 4 ? (int)got.prim.dl_primitive : -1;
}

/* Returns the answer to a primitive; DL_ERROR_ACK as -1 - dl_errno. */
static inline int dlpi_ask(int fd, const void *ctl, int ctllen)
{
	int prim;

	TRUE(!dlpi_put(fd, ctl, ctllen, NULL, 0));
	prim = dlpi_get(fd);
	return prim == DL_ERROR_ACK ? -1 - (int)got.prim.error_ack.dl_errno : prim;
}

#define DLPI_ERROR(error)	(-1 - (error))
#define ASK(fd, ...)							\
	dlpi_ask(fd, (t_uscalar_t[]){ __VA_ARGS__ },			\
		 sizeof((t_uscalar_t[]){ __VA_ARGS__ }))

/*
 * Sends a primitive with bytes behind its fixed part of n words, and returns
 * the answer.
 */
static inline int dlpi_ask_with(int fd, const t_uscalar_t *words, int n,
				const void *bytes, int len)
{
	unsigned char ctl[512];

	memcpy(ctl, words, n * 4);
	memcpy(ctl + n * 4, bytes, len);
	return dlpi_ask(fd, ctl, n * 4 + len);
}

static inline int bind_sap_with(int fd, t_uscalar_t sap, t_uscalar_t autos)
{
	dl_bind_req_t req = {
		.dl_primitive = DL_BIND_REQ, .dl_sap = sap,
		.dl_service_mode = DL_CLDLS, .dl_xidtest_flg = autos,
	};

	return dlpi_ask(fd, &req, sizeof(req));
}

static inline int bind_sap(int fd, t_uscalar_t sap)
{
	return bind_sap_with(fd, sap, 0);
}

static inline int attached_by(const char *ifname)
{
	int fd = dlpi_fd();

	IS(ASK(fd, DL_ATTACH_REQ, if_nametoindex(ifname)), DL_OK_ACK);
	return fd;
}

/* Returns a stream on which frames with their headers are messages of data. */
static inline int raw_attached(const char *ifname)
{
	struct strioctl ic = { .ic_cmd = DLIOCRAW };
	int fd = attached_by(ifname);

	TRUE(!ioctl(fd, I_STR, &ic));
	return fd;
}

static inline int left_attached(void)
{
	return attached_by("veth-left");
}

static inline int right_attached(void)
{
	int old = namespace_enter("right"), fd = attached_by("veth-right");

	namespace_leave(old);
	return fd;
}

static inline int left_bound(t_uscalar_t sap)
{
	int fd = left_attached();

	IS(bind_sap(fd, sap), DL_BIND_ACK);
	return fd;
}

static inline int right_bound(t_uscalar_t sap)
{
	int fd = right_attached();

	IS(bind_sap(fd, sap), DL_BIND_ACK);
	return fd;
}

/* Stores the address that an endpoint is bound to, and returns its length. */
static inline int bound_addr(int fd, unsigned char *addr)
{
	IS(ASK(fd, DL_INFO_REQ), DL_INFO_ACK);
	TRUE(got.prim.info_ack.dl_addr_offset);
	memcpy(addr, got.ctl + got.prim.info_ack.dl_addr_offset,
	       got.prim.info_ack.dl_addr_length);
	return got.prim.info_ack.dl_addr_length;
}

static inline void send_to(int fd, const void *addr, int addrlen, const void *data,
			   int len)
{
	unsigned char ctl[64];

	*(dl_unitdata_req_t *)ctl = (dl_unitdata_req_t){
		.dl_primitive = DL_UNITDATA_REQ,
		.dl_dest_addr_length = addrlen,
		.dl_dest_addr_offset = sizeof(dl_unitdata_req_t),
	};
	memcpy(ctl + sizeof(dl_unitdata_req_t), addr, addrlen);
	IS(dlpi_put(fd, ctl, sizeof(dl_unitdata_req_t) + addrlen, data, len),
	   0);
}

/*
 * Returns the statistics; the answer is the next message, as nothing else comes
 * meanwhile.
 */
static inline dl_statistics_t get_statistics(int fd)
{
	dl_statistics_t stats;

	IS(ASK(fd, DL_GET_STATISTICS_REQ), DL_GET_STATISTICS_ACK);
	IS(got.prim.get_statistics_ack.dl_stat_length, sizeof(stats));
	memcpy(&stats, got.ctl + got.prim.get_statistics_ack.dl_stat_offset,
	       sizeof(stats));
	return stats;
}

/* Returns whether no message came before one that is sent now and arrives. */
static inline int dlpi_is_empty(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };

	return poll(&p, 1, 0) == 0;
}

/* Frames that have arrived are read first. */
static inline void hung_up(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char buf[100];

	IS(poll(&p, 1, WAIT_LIMIT_MS), 1);
	TRUE(p.revents & POLLHUP);
	IS(read(fd, buf, sizeof(buf)), 0);
	FAILS(write(fd, buf, 1), ENXIO);
	close(fd);
}

#endif /* _DLPI_TEST_H */
