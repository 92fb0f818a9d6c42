// SPDX-License-Identifier: GPL-2.0-only
/*
 * dlpi - what a data link endpoint sends and is given
 *
 * That a frame does not arrive is seen by the next one, which does.
 */

#include "dlpi-test.h"

static const unsigned char broadcast[ADDR_LEN] = "\xff\xff\xff\xff\xff\xff\xb5\x88";
static const unsigned char group[ADDR_LEN] = "\x03\x00\x00\x00\x00\x07\xb5\x88";
static const unsigned char nobody[ADDR_LEN] = "\x02\x00\x00\x00\x00\x07\xb5\x88";

/* The endpoint receives a frame with that data. */
static void gets_frame(int fd, const char *data)
{
	IS(dlpi_get(fd), DL_UNITDATA_IND);
	IS(got.len, strlen(data));
	TRUE(!memcmp(got.data, data, strlen(data)));
}

static const unsigned char *dest_of(void)
{
	return got.ctl + got.prim.unitdata_ind.dl_dest_addr_offset;
}

static const unsigned char *source_of(void)
{
	return got.ctl + got.prim.unitdata_ind.dl_src_addr_offset;
}

static void g_unitdata(void)
{
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE);
	unsigned char here[16], there[16];
	static char data[1501];

	IS(bound_addr(left, here), ADDR_LEN);
	IS(bound_addr(right, there), ADDR_LEN);
	TRUE(here[6] + here[7] * 256 == TEST_TYPE);
	send_to(left, there, ADDR_LEN, "hello", 5);
	gets_frame(right, "hello");
	IS(got.prim.unitdata_ind.dl_group_address, 0);
	IS(got.prim.unitdata_ind.dl_dest_addr_length, ADDR_LEN);
	IS(got.prim.unitdata_ind.dl_src_addr_length, ADDR_LEN);
	TRUE(!memcmp(dest_of(), there, ADDR_LEN));
	TRUE(!memcmp(source_of(), here, ADDR_LEN));
	send_to(right, source_of(), ADDR_LEN, "answer", 6);
	gets_frame(left, "answer");
	send_to(left, broadcast, ADDR_LEN, "all", 3);
	gets_frame(right, "all");
	IS(got.prim.unitdata_ind.dl_group_address, 1);
	memset(data, 'x', sizeof(data));
	send_to(left, there, ADDR_LEN, data, 1500);
	IS(dlpi_get(right), DL_UNITDATA_IND);
	IS(got.len, 1500);
	TRUE(!memcmp(got.data, data, 1500));
	close(left);
	close(right);
}

static void g_uderror(void)
{
	int left = left_bound(TEST_TYPE);
	static char data[1501];

	send_to(left, nobody, ADDR_LEN, data, 1501);
	IS(dlpi_get(left), DL_UDERROR_IND);
	IS(got.prim.uderror_ind.dl_errno, DL_BADDATA);
	IS(got.prim.uderror_ind.dl_dest_addr_length, ADDR_LEN);
	TRUE(!memcmp(got.ctl + got.prim.uderror_ind.dl_dest_addr_offset, nobody,
		     ADDR_LEN));
	send_to(left, nobody, ADDR_LEN, NULL, 0);
	IS(dlpi_get(left), DL_UDERROR_IND);
	IS(got.prim.uderror_ind.dl_errno, DL_BADDATA);
	shell("ip link set veth-left down");
	send_to(left, nobody, ADDR_LEN, "x", 1);
	IS(dlpi_get(left), DL_UDERROR_IND);
	IS(got.prim.uderror_ind.dl_errno, DL_SYSERR);
	IS(got.prim.uderror_ind.dl_unix_errno, ENETDOWN);
	/* Without DLIOCRAW a message of data alone is refused. */
	IS(write(left, "x", 1), 1);
	UNTIL(write(left, "x", 1) == -1);
	TRUE(errno == EPROTO);
	close(left);
}

static void g_info(void)
{
	unsigned char addr[16];
	int fd = dlpi_fd();

	IS(ASK(fd, DL_INFO_REQ), DL_INFO_ACK);
	IS(got.prim.info_ack.dl_current_state, DL_UNATTACHED);
	IS(got.prim.info_ack.dl_provider_style, DL_STYLE2);
	IS(got.prim.info_ack.dl_version, DL_VERSION_2);
	IS(got.prim.info_ack.dl_service_mode, DL_CLDLS);
	IS(got.prim.info_ack.dl_addr_offset, 0);
	close(fd);
	fd = left_attached();
	IS(ASK(fd, DL_INFO_REQ), DL_INFO_ACK);
	IS(got.prim.info_ack.dl_current_state, DL_UNBOUND);
	IS(got.prim.info_ack.dl_mac_type, DL_ETHER);
	IS(got.prim.info_ack.dl_max_sdu, 1500);
	IS(got.prim.info_ack.dl_min_sdu, 1);
	IS(got.prim.info_ack.dl_addr_length, ADDR_LEN);
	IS(got.prim.info_ack.dl_sap_length, -2);
	IS(got.prim.info_ack.dl_brdcst_addr_length, 6);
	TRUE(!memcmp(got.ctl + got.prim.info_ack.dl_brdcst_addr_offset, broadcast, 6));
	/* LLC's header leaves less room for data. */
	IS(bind_sap(fd, 0x42), DL_BIND_ACK);
	IS(bound_addr(fd, addr), ADDR_LEN);
	IS(got.prim.info_ack.dl_max_sdu, 1497);
	close(fd);
}

/*
 * Each endpoint receives the frames of its own type, and two of the same type
 * both do.
 */
static void g_saps(void)
{
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE);
	int other = right_bound(0x88b6), same = right_bound(TEST_TYPE);
	unsigned char there[16], to_other[16];

	bound_addr(right, there);
	IS(bound_addr(other, to_other), ADDR_LEN);
	send_to(left, there, ADDR_LEN, "one", 3);
	send_to(left, to_other, ADDR_LEN, "two", 3);
	gets_frame(other, "two");
	gets_frame(right, "one");
	gets_frame(same, "one");
	/*
	 * An unbound endpoint receives no frames; bound again it receives those
	 * sent from then on.
	 */
	IS(ASK(same, DL_UNBIND_REQ), DL_OK_ACK);
	send_to(left, there, ADDR_LEN, "lost", 4);
	gets_frame(right, "lost");
	IS(bind_sap(same, TEST_TYPE), DL_BIND_ACK);
	send_to(left, there, ADDR_LEN, "three", 5);
	gets_frame(same, "three");
	IS(ASK(same, DL_UNBIND_REQ), DL_OK_ACK);
	IS(ASK(same, DL_DETACH_REQ), DL_OK_ACK);
	IS(ASK(same, DL_ATTACH_REQ, 1), DL_OK_ACK);
	close(left);
	close(right);
	close(other);
	close(same);
}

static int multi(int fd, t_uscalar_t prim, const unsigned char *addr)
{
	t_uscalar_t words[] = { prim, 6, 12 };

	return dlpi_ask_with(fd, words, 3, addr, 6);
}

static void g_groups(void)
{
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE), i;
	int other = right_bound(TEST_TYPE);
	unsigned char there[16], addr[6] = "\x03\x00\x00\x00\x01\x00";

	bound_addr(right, there);
	/* A group that another endpoint has enabled is not this one's. */
	IS(multi(other, DL_ENABMULTI_REQ, group), DL_OK_ACK);
	send_to(left, group, ADDR_LEN, "group", 5);
	send_to(left, there, ADDR_LEN, "one", 3);
	gets_frame(right, "one");
	gets_frame(other, "group");
	IS(got.prim.unitdata_ind.dl_group_address, 1);
	gets_frame(other, "one");
	IS(multi(right, DL_ENABMULTI_REQ, group), DL_OK_ACK);
	IS(multi(right, DL_ENABMULTI_REQ, group), DL_OK_ACK);
	send_to(left, group, ADDR_LEN, "both", 4);
	gets_frame(right, "both");
	IS(multi(right, DL_DISABMULTI_REQ, group), DL_OK_ACK);
	IS(multi(right, DL_DISABMULTI_REQ, group), DLPI_ERROR(DL_NOTENAB));
	send_to(left, group, ADDR_LEN, "not", 3);
	send_to(left, there, ADDR_LEN, "two", 3);
	gets_frame(right, "two");
	for (i = 0; i < 64; i++) {
		addr[5] = i;
		IS(multi(right, DL_ENABMULTI_REQ, addr), DL_OK_ACK);
	}
	IS(multi(right, DL_ENABMULTI_REQ, group), DLPI_ERROR(DL_TOOMANY));
	close(right);
	/* The device drops the addresses soon after the close. */
	UNTIL(system("ip -n right maddress show dev veth-right | grep -q 03:00:00:00:01"));
	close(left);
	close(other);
}

static void g_promiscuous(void)
{
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE);
	int all = right_attached(), saps = right_bound(0x88b6);
	int multis = right_bound(TEST_TYPE);
	unsigned char there[16];

	bound_addr(right, there);
	IS(ASK(all, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	IS(ASK(saps, DL_PROMISCON_REQ, DL_PROMISC_SAP), DL_OK_ACK);
	IS(ASK(multis, DL_PROMISCON_REQ, DL_PROMISC_MULTI), DL_OK_ACK);
	send_to(left, nobody, ADDR_LEN, "other", 5);
	send_to(left, group, ADDR_LEN, "group", 5);
	send_to(left, there, ADDR_LEN, "one", 3);
	send_to(right, nobody, ADDR_LEN, "out", 3);
	gets_frame(right, "one");
	gets_frame(saps, "one");
	gets_frame(multis, "group");
	gets_frame(multis, "one");
	gets_frame(all, "other");
	TRUE(!memcmp(dest_of(), nobody, ADDR_LEN));
	gets_frame(all, "group");
	gets_frame(all, "one");
	/* Frames that other endpoints send by the device are received too. */
	gets_frame(all, "out");
	IS(ASK(all, DL_PROMISCOFF_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	IS(ASK(saps, DL_PROMISCOFF_REQ, DL_PROMISC_SAP), DL_OK_ACK);
	IS(ASK(multis, DL_PROMISCOFF_REQ, DL_PROMISC_MULTI), DL_OK_ACK);
	send_to(left, group, ADDR_LEN, "not", 3);
	send_to(left, there, ADDR_LEN, "two", 3);
	gets_frame(right, "two");
	gets_frame(multis, "two");
	TRUE(dlpi_is_empty(all));
	TRUE(dlpi_is_empty(saps));
	/*
	 * The device's mode is restored soon after the close, or when the mode
	 * is turned off.
	 */
	IS(ASK(all, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	shell("ip -n right -d link show veth-right | grep -q 'promiscuity 1 '");
	close(all);
	UNTIL(!system("ip -n right -d link show veth-right | grep -q 'promiscuity 0 '"));
	close(left);
	close(right);
	close(saps);
	close(multis);
}

static int str(int fd, int cmd, void *data, int *len)
{
	struct strioctl ic = { .ic_cmd = cmd, .ic_len = *len, .ic_dp = data };
	int ret = ioctl(fd, I_STR, &ic);

	*len = ic.ic_len;
	return ret;
}

static void g_raw(void)
{
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE), len = 0;
	unsigned char here[16], there[16], frame[2000];

	bound_addr(left, here);
	bound_addr(right, there);
	IS(str(right, DLIOCRAW, NULL, &len), 0);
	send_to(left, there, ADDR_LEN, "whole", 5);
	IS(dlpi_get(right), -1);
	IS(got.len, 14 + 5);
	TRUE(!memcmp(got.data, there, 6));
	TRUE(!memcmp(got.data + 6, here, 6));
	TRUE(!memcmp(got.data + 12, "\x88\xb5whole", 7));
	/* The frame sent back has the addresses that the program wrote. */
	memcpy(frame, here, 6);
	memcpy(frame + 6, nobody, 6);
	memcpy(frame + 12, "\x88\xb5raw", 5);
	IS(write(right, frame, 17), 17);
	gets_frame(left, "raw");
	TRUE(!memcmp(source_of(), nobody, 6));
	/*
	 * A header alone is not a frame, and neither is one longer than the
	 * device takes.
	 */
	IS(write(right, frame, 14), 14);
	memset(frame + 17, 0, sizeof(frame) - 17);
	IS(write(right, frame, 1515), 1515);
	IS(write(right, frame, 1514), 1514);
	IS(dlpi_get(left), DL_UNITDATA_IND);
	IS(got.len, 1500);
	len = 0;
	IS(str(left, DLIOCNATIVE, NULL, &len), DL_ETHER);
	close(left);
	close(right);
}

static void g_header(void)
{
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE);
	unsigned char here[16], there[16], buf[100];
	int len = sizeof(dl_unitdata_req_t) + ADDR_LEN;
	dl_unitdata_req_t req = {
		.dl_primitive = DL_UNITDATA_REQ, .dl_dest_addr_length = ADDR_LEN,
		.dl_dest_addr_offset = sizeof(req),
	};

	bound_addr(left, here);
	bound_addr(right, there);
	memcpy(buf, &req, sizeof(req));
	memcpy(buf + sizeof(req), there, ADDR_LEN);
	IS(str(left, DL_IOC_HDR_INFO, buf, &len), 0);
	IS(len, sizeof(req) + ADDR_LEN + 14);
	TRUE(!memcmp(buf + sizeof(req) + ADDR_LEN, there, 6));
	TRUE(!memcmp(buf + sizeof(req) + ADDR_LEN + 6, here, 6));
	TRUE(!memcmp(buf + sizeof(req) + ADDR_LEN + 12, "\x88\xb5", 2));
	/* With a primitive in front, data alone is sent. */
	memcpy(buf, buf + sizeof(req) + ADDR_LEN, 14);
	memcpy(buf + 14, "fast", 4);
	IS(write(left, buf, 18), 18);
	gets_frame(right, "fast");
	len = 10;
	FAILS(str(left, DL_IOC_HDR_INFO, buf, &len), EINVAL);
	close(left);
	left = left_attached();
	len = sizeof(req) + ADDR_LEN;
	memcpy(buf, &req, sizeof(req));
	FAILS(str(left, DL_IOC_HDR_INFO, buf, &len), EPROTO);
	close(left);
	close(right);
}

/* Sends XID or TEST up to the address, with the data. */
static void xid_to(int fd, t_uscalar_t prim, t_uscalar_t flag,
		   const unsigned char *addr, const char *data)
{
	dl_xid_req_t req = {
		.dl_primitive = prim, .dl_flag = flag,
		.dl_dest_addr_length = ADDR_LEN, .dl_dest_addr_offset = sizeof(req),
	};
	unsigned char ctl[64];

	memcpy(ctl, &req, sizeof(req));
	memcpy(ctl + sizeof(req), addr, ADDR_LEN);
	IS(dlpi_put(fd, ctl, sizeof(req) + ADDR_LEN, data, strlen(data)), 0);
}

static void g_llc(void)
{
	int left = left_bound(0x42), right = right_bound(0x44), zero = right_bound(0);
	unsigned char here[16], there[16];

	bound_addr(left, here);
	bound_addr(right, there);
	send_to(left, there, ADDR_LEN, "ui", 2);
	gets_frame(right, "ui");
	TRUE(!memcmp(dest_of(), there, ADDR_LEN));
	TRUE(!memcmp(source_of(), here, ADDR_LEN));
	/* SAP 0 has all of IEEE 802.3, with LLC's header. */
	IS(dlpi_get(zero), DL_UNITDATA_IND);
	IS(got.len, 5);
	TRUE(!memcmp(got.data, "\x44\x42\x03ui", 5));
	/* The program answers the commands, */
	xid_to(left, DL_TEST_REQ, DL_POLL_FINAL, there, "echo");
	IS(dlpi_get(right), DL_TEST_IND);
	IS(got.prim.test_ind.dl_flag, DL_POLL_FINAL);
	IS(got.len, 4);
	TRUE(!memcmp(got.ctl + got.prim.test_ind.dl_src_addr_offset, here, ADDR_LEN));
	xid_to(right, DL_TEST_RES, DL_POLL_FINAL, here, "echo");
	IS(dlpi_get(left), DL_TEST_CON);
	IS(got.prim.test_con.dl_flag, DL_POLL_FINAL);
	TRUE(got.len == 4 && !memcmp(got.data, "echo", 4));
	xid_to(left, DL_XID_REQ, 0, there, "\x81\1");
	IS(dlpi_get(right), DL_XID_IND);
	IS(got.prim.xid_ind.dl_flag, 0);
	xid_to(right, DL_XID_RES, 0, here, "\x81\1\1");
	IS(dlpi_get(left), DL_XID_CON);
	close(right);
	close(zero);
	close(left);
}

/* The provider answers the commands. */
static void g_llc_auto(void)
{
	int left = left_bound(0x42), right = right_attached();
	unsigned char there[16];

	IS(bind_sap_with(right, 0x44, DL_AUTO_XID | DL_AUTO_TEST), DL_BIND_ACK);
	IS(got.prim.bind_ack.dl_xidtest_flg, DL_AUTO_XID | DL_AUTO_TEST);
	bound_addr(right, there);
	xid_to(left, DL_TEST_REQ, DL_POLL_FINAL, there, "are you there");
	IS(dlpi_get(left), DL_TEST_CON);
	IS(got.prim.test_con.dl_flag, DL_POLL_FINAL);
	TRUE(got.len == 13 && !memcmp(got.data, "are you there", 13));
	TRUE(!memcmp(got.ctl + got.prim.test_con.dl_src_addr_offset, there, ADDR_LEN));
	xid_to(left, DL_XID_REQ, 0, there, "\x81\1");
	IS(dlpi_get(left), DL_XID_CON);
	TRUE(got.len == 3 && !memcmp(got.data, "\x81\1\0", 3));
	xid_to(right, DL_XID_REQ, 0, there, "");
	IS(dlpi_get(right), DL_ERROR_ACK);
	IS(got.prim.error_ack.dl_errno, DL_XIDAUTO);
	xid_to(right, DL_TEST_RES, 0, there, "");
	IS(dlpi_get(right), DL_ERROR_ACK);
	IS(got.prim.error_ack.dl_errno, DL_TESTAUTO);
	close(left);
	close(right);
}

static int subs(int fd, t_uscalar_t prim, const char *snap)
{
	t_uscalar_t bind[] = { prim, 16, 5, DL_HIERARCHICAL_BIND };
	t_uscalar_t unbind[] = { prim, 12, 5 };

	return prim == DL_SUBS_BIND_REQ ? dlpi_ask_with(fd, bind, 4, snap, 5) :
					  dlpi_ask_with(fd, unbind, 3, snap, 5);
}

static void g_snap(void)
{
	int left = left_bound(0xaa), right = right_bound(0xaa);
	int other = right_bound(0xaa);
	unsigned char there[16];

	IS(subs(left, DL_SUBS_BIND_REQ, "\x08\0\7\x80\x9b"), DL_SUBS_BIND_ACK);
	IS(got.prim.subs_bind_ack.dl_subs_sap_length, 5);
	IS(subs(left, DL_SUBS_BIND_REQ, "\x08\0\7\x80\x9b"),
	   DLPI_ERROR(DL_TOOMANY));
	IS(subs(right, DL_SUBS_BIND_REQ, "\x08\0\7\x80\x9b"), DL_SUBS_BIND_ACK);
	IS(subs(other, DL_SUBS_BIND_REQ, "\x08\0\7\x80\xf3"), DL_SUBS_BIND_ACK);
	IS(bound_addr(right, there), 13);
	IS(got.prim.info_ack.dl_sap_length, -7);
	IS(got.prim.info_ack.dl_max_sdu, 1492);
	send_to(left, there, 13, "snap", 4);
	gets_frame(right, "snap");
	IS(got.prim.unitdata_ind.dl_src_addr_length, 13);
	TRUE(!memcmp(source_of() + 8, "\x08\0\7\x80\x9b", 5));
	IS(subs(right, DL_SUBS_UNBIND_REQ, "\x08\0\7\x80\xf3"),
	   DLPI_ERROR(DL_BADADDR));
	IS(subs(right, DL_SUBS_UNBIND_REQ, "\x08\0\7\x80\x9b"), DL_OK_ACK);
	IS(bound_addr(right, there), ADDR_LEN);
	/* All five bytes of SNAP are the SAP then. */
	memcpy(there + ADDR_LEN, "\x08\0\7\x80\x9b", 5);
	send_to(left, there, 13, "again", 5);
	IS(dlpi_get(right), DL_UNITDATA_IND);
	IS(got.len, 10);
	TRUE(!memcmp(got.data, "\x08\0\7\x80\x9b", 5));
	TRUE(!memcmp(got.data + 5, "again", 5));
	TRUE(dlpi_is_empty(other));
	close(left);
	close(right);
	close(other);
}

static void g_physical(void)
{
	t_uscalar_t set[] = { DL_SET_PHYS_ADDR_REQ, 6, 12 };
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE);
	unsigned char here[16];
	dl_statistics_t stats;

	IS(dlpi_ask_with(left, set, 3, nobody, 6), DL_OK_ACK);
	IS(ASK(left, DL_PHYS_ADDR_REQ, DL_CURR_PHYS_ADDR), DL_PHYS_ADDR_ACK);
	TRUE(!memcmp(got.ctl + got.prim.physaddr_ack.dl_addr_offset, nobody, 6));
	shell("ip link show veth-left | grep -q 02:00:00:00:00:07");
	bound_addr(left, here);
	TRUE(!memcmp(here, nobody, 6));
	send_to(right, nobody, ADDR_LEN, "new", 3);
	gets_frame(left, "new");
	stats = get_statistics(right);
	TRUE(stats.dls_tx_frames >= 1);
	IS(stats.dls_stream_rx_dropped, 0);
	close(left);
	close(right);
}

static t_uscalar_t noted(int fd)
{
	IS(dlpi_get(fd), DL_NOTIFY_IND);
	return got.prim.notify_ind.dl_notification;
}

static void g_notify(void)
{
	int left = left_attached();

	IS(ASK(left, DL_NOTIFY_REQ, ~0U, 0), DL_NOTIFY_ACK);
	IS(got.prim.notify_ack.dl_notifications,
	   DL_NOTE_LINK_DOWN | DL_NOTE_LINK_UP | DL_NOTE_PHYS_ADDR |
	   DL_NOTE_SDU_SIZE);
	shell("ip link set veth-left down");
	IS(noted(left), DL_NOTE_LINK_DOWN);
	shell("ip link set veth-left mtu 1400");
	IS(noted(left), DL_NOTE_SDU_SIZE);
	IS(got.prim.notify_ind.dl_data, 1400);
	shell("ip link set veth-left address 02:00:00:00:00:07");
	IS(noted(left), DL_NOTE_PHYS_ADDR);
	IS(got.prim.notify_ind.dl_addr_length, 6);
	TRUE(!memcmp(got.ctl + got.prim.notify_ind.dl_addr_offset, nobody, 6));
	shell("ip link set veth-left up");
	IS(noted(left), DL_NOTE_LINK_UP);
	IS(ASK(left, DL_NOTIFY_REQ, 0, 0), DL_NOTIFY_ACK);
	shell("ip link set veth-left down");
	IS(ASK(left, DL_INFO_REQ), DL_INFO_ACK);
	TRUE(dlpi_is_empty(left));
	close(left);
}

static void g_gone(void)
{
	int left = left_bound(TEST_TYPE), all = left_attached(), right;
	int idle = dlpi_fd();

	IS(multi(left, DL_ENABMULTI_REQ, group), DL_OK_ACK);
	IS(ASK(all, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	/* Another name for the device has no effect. */
	shell("ip link set veth-left down && ip link set veth-left name other");
	shell("ip link set other up");
	await_link("left", "other");
	await_link("right", "veth-right");
	right = right_bound(TEST_TYPE);
	send_to(right, broadcast, ADDR_LEN, "still", 5);
	gets_frame(left, "still");
	gets_frame(all, "still");
	/* A device in another namespace is not found by this one's streams. */
	shell("ip link set other netns right");
	hung_up(left);
	hung_up(all);
	shell("ip -n right -d link show other | grep -q 'promiscuity 0 '");
	IS(ASK(right, DL_INFO_REQ), DL_INFO_ACK);
	shell("ip -n right link del veth-right");
	hung_up(right);
	IS(ASK(idle, DL_INFO_REQ), DL_INFO_ACK);
	close(idle);
}

/* The answer passes the frames that wait. */
static long dropped(int fd)
{
	struct strbuf c = { .maxlen = sizeof(got.ctl), .buf = (char *)got.ctl };
	t_uscalar_t prim = DL_GET_STATISTICS_REQ;
	int flags = RS_HIPRI;
	dl_statistics_t *s;

	TRUE(!dlpi_put(fd, &prim, sizeof(prim), NULL, 0));
	TRUE(!getmsg(fd, &c, NULL, &flags));
	TRUE(got.prim.dl_primitive == DL_GET_STATISTICS_ACK);
	s = (void *)(got.ctl + got.prim.get_statistics_ack.dl_stat_offset);
	return s->dls_stream_rx_dropped;
}

static long drain(int fd)
{
	long n = 0;

	for (; !dlpi_is_empty(fd); n++)
		IS(dlpi_get(fd), DL_UNITDATA_IND);
	return n;
}

/* Frames for which there is no room are lost, and counted. */
static void g_losses(void)
{
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE), i;
	const int frames = 2000;
	unsigned char there[16];
	static char data[1000];
	long read = 0;

	bound_addr(right, there);
	for (i = 0; i < frames; i++)
		send_to(left, there, ADDR_LEN, data, sizeof(data));
	UNTIL(dropped(right) > 0);
	UNTIL((read += drain(right)) + dropped(right) == frames);
	/* There is room again. */
	send_to(left, there, ADDR_LEN, "more", 4);
	gets_frame(right, "more");
	close(left);
	close(right);
}

/*
 * The bytes that a message of a small frame takes: its packet, and two objects
 */
#define SMALL_FRAME	(768 + 256 + 96)

/* The receive buffer counts frames with the messages that they are in. */
static void g_counted(void)
{
	FILE *file = fopen("/proc/sys/net/core/rmem_default", "r");
	int left = left_bound(TEST_TYPE), right = right_bound(TEST_TYPE), i;
	unsigned char there[16];
	long room, n;

	TRUE(file && fscanf(file, "%ld", &room) == 1);
	fclose(file);
	bound_addr(right, there);
	for (i = 0; i < 2000 && !dropped(right); i++)
		send_to(left, there, ADDR_LEN, "s", 1);
	TRUE(i < 2000);
	n = drain(right);
	TRUE(n > 100 && (n - 1) * SMALL_FRAME <= room);
	close(left);
	close(right);
}

static void g_loopback(void)
{
	int fd = attached_by("lo"), all = attached_by("lo");
	unsigned char here[16];

	IS(bind_sap(fd, TEST_TYPE), DL_BIND_ACK);
	IS(ASK(all, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	IS(bound_addr(fd, here), ADDR_LEN);
	send_to(fd, here, ADDR_LEN, "self", 4);
	gets_frame(fd, "self");
	/* The frame is received once, not as sent and again as received. */
	gets_frame(all, "self");
	TRUE(dlpi_is_empty(all));
	close(fd);
	close(all);
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
		{ "unitdata", g_unitdata },
		{ "uderror", g_uderror },
		{ "info", g_info },
		{ "saps", g_saps },
		{ "groups", g_groups },
		{ "promiscuous", g_promiscuous },
		{ "raw", g_raw },
		{ "header", g_header },
		{ "llc", g_llc },
		{ "llc_auto", g_llc_auto },
		{ "snap", g_snap },
		{ "physical", g_physical },
		{ "notify", g_notify },
		{ "gone", g_gone },
		{ "losses", g_losses },
		{ "counted", g_counted },
		{ "loopback", g_loopback },
		{ NULL, NULL }
	};

	one_processor();
	return test_main(argc, argv, groups);
}
