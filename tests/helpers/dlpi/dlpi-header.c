// SPDX-License-Identifier: GPL-2.0-only
/* dlpi-header - the values and sizes of sys/dlpi.h are the standard's */
#include <stddef.h>
#include <sys/dlpi.h>

#include "check.h"

static void g_primitives(void)
{
	CHECK_IS(DL_CURRENT_VERSION, 0x02);
	CHECK_IS(DL_VERSION_2, 0x02);
	CHECK_IS(DL_INFO_REQ, 0x00);
	CHECK_IS(DL_BIND_REQ, 0x01);
	CHECK_IS(DL_UNBIND_REQ, 0x02);
	CHECK_IS(DL_INFO_ACK, 0x03);
	CHECK_IS(DL_BIND_ACK, 0x04);
	CHECK_IS(DL_ERROR_ACK, 0x05);
	CHECK_IS(DL_OK_ACK, 0x06);
	CHECK_IS(DL_ATTACH_REQ, 0x0b);
	CHECK_IS(DL_DETACH_REQ, 0x0c);
	CHECK_IS(DL_SUBS_UNBIND_REQ, 0x15);
	CHECK_IS(DL_SUBS_BIND_REQ, 0x1b);
	CHECK_IS(DL_SUBS_BIND_ACK, 0x1c);
	CHECK_IS(DL_ENABMULTI_REQ, 0x1d);
	CHECK_IS(DL_DISABMULTI_REQ, 0x1e);
	CHECK_IS(DL_PROMISCON_REQ, 0x1f);
	CHECK_IS(DL_PROMISCOFF_REQ, 0x20);
	CHECK_IS(DL_UNITDATA_REQ, 0x07);
	CHECK_IS(DL_UNITDATA_IND, 0x08);
	CHECK_IS(DL_UDERROR_IND, 0x09);
	CHECK_IS(DL_UDQOS_REQ, 0x0a);
	CHECK_IS(DL_CONNECT_REQ, 0x0d);
	CHECK_IS(DL_CONNECT_IND, 0x0e);
	CHECK_IS(DL_CONNECT_RES, 0x0f);
	CHECK_IS(DL_CONNECT_CON, 0x10);
	CHECK_IS(DL_TOKEN_REQ, 0x11);
	CHECK_IS(DL_TOKEN_ACK, 0x12);
	CHECK_IS(DL_DISCONNECT_REQ, 0x13);
	CHECK_IS(DL_DISCONNECT_IND, 0x14);
	CHECK_IS(DL_RESET_REQ, 0x17);
	CHECK_IS(DL_RESET_IND, 0x18);
	CHECK_IS(DL_RESET_RES, 0x19);
	CHECK_IS(DL_RESET_CON, 0x1a);
	CHECK_IS(DL_DATA_ACK_REQ, 0x21);
	CHECK_IS(DL_DATA_ACK_IND, 0x22);
	CHECK_IS(DL_DATA_ACK_STATUS_IND, 0x23);
	CHECK_IS(DL_REPLY_REQ, 0x24);
	CHECK_IS(DL_REPLY_IND, 0x25);
	CHECK_IS(DL_REPLY_STATUS_IND, 0x26);
	CHECK_IS(DL_REPLY_UPDATE_REQ, 0x27);
	CHECK_IS(DL_REPLY_UPDATE_STATUS_IND, 0x28);
	CHECK_IS(DL_XID_REQ, 0x29);
	CHECK_IS(DL_XID_IND, 0x2a);
	CHECK_IS(DL_XID_RES, 0x2b);
	CHECK_IS(DL_XID_CON, 0x2c);
	CHECK_IS(DL_TEST_REQ, 0x2d);
	CHECK_IS(DL_TEST_IND, 0x2e);
	CHECK_IS(DL_TEST_RES, 0x2f);
	CHECK_IS(DL_TEST_CON, 0x30);
	CHECK_IS(DL_PHYS_ADDR_REQ, 0x31);
	CHECK_IS(DL_PHYS_ADDR_ACK, 0x32);
	CHECK_IS(DL_SET_PHYS_ADDR_REQ, 0x33);
	CHECK_IS(DL_GET_STATISTICS_REQ, 0x34);
	CHECK_IS(DL_GET_STATISTICS_ACK, 0x35);
	CHECK_IS(DL_NOTIFY_REQ, 0x100);
	CHECK_IS(DL_NOTIFY_ACK, 0x101);
	CHECK_IS(DL_NOTIFY_IND, 0x102);
}

static void g_states(void)
{
	CHECK_IS(DL_UNBOUND, 0x00);
	CHECK_IS(DL_BIND_PENDING, 0x01);
	CHECK_IS(DL_UNBIND_PENDING, 0x02);
	CHECK_IS(DL_IDLE, 0x03);
	CHECK_IS(DL_UNATTACHED, 0x04);
	CHECK_IS(DL_ATTACH_PENDING, 0x05);
	CHECK_IS(DL_DETACH_PENDING, 0x06);
	CHECK_IS(DL_UDQOS_PENDING, 0x07);
	CHECK_IS(DL_OUTCON_PENDING, 0x08);
	CHECK_IS(DL_INCON_PENDING, 0x09);
	CHECK_IS(DL_CONN_RES_PENDING, 0x0a);
	CHECK_IS(DL_DATAXFER, 0x0b);
	CHECK_IS(DL_USER_RESET_PENDING, 0x0c);
	CHECK_IS(DL_PROV_RESET_PENDING, 0x0d);
	CHECK_IS(DL_RESET_RES_PENDING, 0x0e);
	CHECK_IS(DL_DISCON8_PENDING, 0x0f);
	CHECK_IS(DL_DISCON9_PENDING, 0x10);
	CHECK_IS(DL_DISCON11_PENDING, 0x11);
	CHECK_IS(DL_DISCON12_PENDING, 0x12);
	CHECK_IS(DL_DISCON13_PENDING, 0x13);
	CHECK_IS(DL_SUBS_BIND_PND, 0x14);
	CHECK_IS(DL_SUBS_UNBIND_PND, 0x15);
}

static void g_errors(void)
{
	CHECK_IS(DL_BADSAP, 0x00);
	CHECK_IS(DL_BADADDR, 0x01);
	CHECK_IS(DL_ACCESS, 0x02);
	CHECK_IS(DL_OUTSTATE, 0x03);
	CHECK_IS(DL_SYSERR, 0x04);
	CHECK_IS(DL_BADCORR, 0x05);
	CHECK_IS(DL_BADDATA, 0x06);
	CHECK_IS(DL_UNSUPPORTED, 0x07);
	CHECK_IS(DL_BADPPA, 0x08);
	CHECK_IS(DL_BADPRIM, 0x09);
	CHECK_IS(DL_BADQOSPARAM, 0x0a);
	CHECK_IS(DL_BADQOSTYPE, 0x0b);
	CHECK_IS(DL_BADTOKEN, 0x0c);
	CHECK_IS(DL_BOUND, 0x0d);
	CHECK_IS(DL_INITFAILED, 0x0e);
	CHECK_IS(DL_NOADDR, 0x0f);
	CHECK_IS(DL_NOTINIT, 0x10);
	CHECK_IS(DL_UNDELIVERABLE, 0x11);
	CHECK_IS(DL_NOTSUPPORTED, 0x12);
	CHECK_IS(DL_TOOMANY, 0x13);
	CHECK_IS(DL_NOTENAB, 0x14);
	CHECK_IS(DL_BUSY, 0x15);
	CHECK_IS(DL_NOAUTO, 0x16);
	CHECK_IS(DL_NOXIDAUTO, 0x17);
	CHECK_IS(DL_NOTESTAUTO, 0x18);
	CHECK_IS(DL_XIDAUTO, 0x19);
	CHECK_IS(DL_TESTAUTO, 0x1a);
	CHECK_IS(DL_PENDING, 0x1b);
}

static void g_provider_values(void)
{
	CHECK_IS(DL_CSMACD, 0x0);
	CHECK_IS(DL_TPB, 0x1);
	CHECK_IS(DL_TPR, 0x2);
	CHECK_IS(DL_METRO, 0x3);
	CHECK_IS(DL_ETHER, 0x4);
	CHECK_IS(DL_HDLC, 0x05);
	CHECK_IS(DL_CHAR, 0x06);
	CHECK_IS(DL_CTCA, 0x07);
	CHECK_IS(DL_FDDI, 0x08);
	CHECK_IS(DL_OTHER, 0x09);
	CHECK_IS(DL_CODLS, 0x01);
	CHECK_IS(DL_CLDLS, 0x02);
	CHECK_IS(DL_ACLDLS, 0x04);
	CHECK_IS(DL_STYLE1, 0x0500);
	CHECK_IS(DL_STYLE2, 0x0501);
	CHECK_IS(DL_PROVIDER, 0x0700);
	CHECK_IS(DL_USER, 0x0701);
	CHECK_IS(DL_CONREJ_DEST_UNKNOWN, 0x0800);
	CHECK_IS(DL_CONREJ_DEST_UNREACH_PERMANENT, 0x0801);
	CHECK_IS(DL_CONREJ_DEST_UNREACH_TRANSIENT, 0x0802);
	CHECK_IS(DL_CONREJ_QOS_UNAVAIL_PERMANENT, 0x0803);
	CHECK_IS(DL_CONREJ_QOS_UNAVAIL_TRANSIENT, 0x0804);
	CHECK_IS(DL_CONREJ_PERMANENT_COND, 0x0805);
	CHECK_IS(DL_CONREJ_TRANSIENT_COND, 0x0806);
	CHECK_IS(DL_DISC_ABNORMAL_CONDITION, 0x0807);
	CHECK_IS(DL_DISC_NORMAL_CONDITION, 0x0808);
	CHECK_IS(DL_DISC_PERMANENT_CONDITION, 0x0809);
	CHECK_IS(DL_DISC_TRANSIENT_CONDITION, 0x080a);
	CHECK_IS(DL_DISC_UNSPECIFIED, 0x080b);
	CHECK_IS(DL_RESET_FLOW_CONTROL, 0x0900);
	CHECK_IS(DL_RESET_LINK_ERROR, 0x0901);
	CHECK_IS(DL_RESET_RESYNCH, 0x0902);
	CHECK_IS(DL_QOS_CO_RANGE1, 0x0101);
	CHECK_IS(DL_QOS_CO_SEL1, 0x0102);
	CHECK_IS(DL_QOS_CL_RANGE1, 0x0103);
	CHECK_IS(DL_QOS_CL_SEL1, 0x0104);
}

static void g_request_values(void)
{
	CHECK_IS(DL_UNKNOWN, -1);
	CHECK_IS(DL_QOS_DONT_CARE, -2);
	CHECK_IS(DL_NONE, 0x0b01);
	CHECK_IS(DL_MONITOR, 0x0b02);
	CHECK_IS(DL_MAXIMUM, 0x0b03);
	CHECK_IS(DL_PEER_BIND, 0x01);
	CHECK_IS(DL_HIERARCHICAL_BIND, 0x02);
	CHECK_IS(DL_PROMISC_PHYS, 0x01);
	CHECK_IS(DL_PROMISC_SAP, 0x02);
	CHECK_IS(DL_PROMISC_MULTI, 0x03);
	CHECK_IS(DL_FACT_PHYS_ADDR, 0x01);
	CHECK_IS(DL_CURR_PHYS_ADDR, 0x02);
	CHECK_IS(DL_AUTO_XID, 0x01);
	CHECK_IS(DL_AUTO_TEST, 0x02);
	CHECK_IS(DL_POLL_FINAL, 0x01);
	CHECK_IS(DL_RQST_RSP, 0x01);
	CHECK_IS(DL_RQST_NORSP, 0x02);
	CHECK_IS(DL_CMD_MASK, 0x0f);
	CHECK_IS(DL_CMD_OK, 0x00);
	CHECK_IS(DL_CMD_RS, 0x01);
	CHECK_IS(DL_CMD_UE, 0x05);
	CHECK_IS(DL_CMD_PE, 0x06);
	CHECK_IS(DL_CMD_IP, 0x07);
	CHECK_IS(DL_CMD_UN, 0x09);
	CHECK_IS(DL_CMD_IT, 0x0f);
	CHECK_IS(DL_RSP_MASK, 0xf0);
	CHECK_IS(DL_RSP_OK, 0x00);
	CHECK_IS(DL_RSP_RS, 0x10);
	CHECK_IS(DL_RSP_NE, 0x30);
	CHECK_IS(DL_RSP_NR, 0x40);
	CHECK_IS(DL_RSP_UE, 0x50);
	CHECK_IS(DL_RSP_IP, 0x70);
	CHECK_IS(DL_RSP_UN, 0x90);
	CHECK_IS(DL_RSP_IT, 0xf0);
	CHECK_IS(DL_NOTE_LINK_DOWN, 0x0001);
	CHECK_IS(DL_NOTE_LINK_UP, 0x0002);
	CHECK_IS(DL_NOTE_PHYS_ADDR, 0x0004);
	CHECK_IS(DL_NOTE_SDU_SIZE, 0x0100);
	CHECK_IS(DLIOC, 0x4400);
	CHECK_IS(DLIOCRAW, 0x4401);
	CHECK_IS(DLIOCNATIVE, 0x4402);
	CHECK_IS(DL_IOC_HDR_INFO, 0x440a);
}

static void g_sizes(void)
{
	CHECK_IS(sizeof(dl_through_t), 8);
	CHECK_IS(sizeof(dl_transdelay_t), 8);
	CHECK_IS(sizeof(dl_priority_t), 8);
	CHECK_IS(sizeof(dl_protect_t), 8);
	CHECK_IS(sizeof(dl_resilience_t), 8);
	CHECK_IS(sizeof(dl_qos_co_range1_t), 64);
	CHECK_IS(sizeof(dl_qos_co_sel1_t), 40);
	CHECK_IS(sizeof(dl_qos_cl_range1_t), 32);
	CHECK_IS(sizeof(dl_qos_cl_sel1_t), 20);
	CHECK_IS(sizeof(dl_info_req_t), 4);
	CHECK_IS(sizeof(dl_info_ack_t), 76);
	CHECK_IS(sizeof(dl_attach_req_t), 8);
	CHECK_IS(sizeof(dl_detach_req_t), 4);
	CHECK_IS(sizeof(dl_bind_req_t), 20);
	CHECK_IS(sizeof(dl_bind_ack_t), 24);
	CHECK_IS(sizeof(dl_subs_bind_req_t), 16);
	CHECK_IS(sizeof(dl_subs_bind_ack_t), 12);
	CHECK_IS(sizeof(dl_unbind_req_t), 4);
	CHECK_IS(sizeof(dl_subs_unbind_req_t), 12);
	CHECK_IS(sizeof(dl_ok_ack_t), 8);
	CHECK_IS(sizeof(dl_error_ack_t), 16);
	CHECK_IS(sizeof(dl_enabmulti_req_t), 12);
	CHECK_IS(sizeof(dl_promiscon_req_t), 8);
	CHECK_IS(sizeof(dl_phys_addr_req_t), 8);
	CHECK_IS(sizeof(dl_phys_addr_ack_t), 12);
	CHECK_IS(sizeof(dl_get_statistics_req_t), 4);
	CHECK_IS(sizeof(dl_get_statistics_ack_t), 12);
	CHECK_IS(sizeof(dl_notify_req_t), 12);
	CHECK_IS(sizeof(dl_notify_ack_t), 8);
	CHECK_IS(sizeof(dl_notify_ind_t), 20);
	CHECK_IS(sizeof(dl_statistics_t), 88);
	CHECK_IS(sizeof(dl_unitdata_req_t), 20);
	CHECK_IS(sizeof(dl_unitdata_ind_t), 24);
	CHECK_IS(sizeof(dl_uderror_ind_t), 20);
	CHECK_IS(sizeof(dl_udqos_req_t), 12);
}

static void g_connection_sizes(void)
{
	CHECK_IS(sizeof(dl_connect_req_t), 24);
	CHECK_IS(sizeof(dl_connect_ind_t), 36);
	CHECK_IS(sizeof(dl_connect_res_t), 24);
	CHECK_IS(sizeof(dl_connect_con_t), 24);
	CHECK_IS(sizeof(dl_token_req_t), 4);
	CHECK_IS(sizeof(dl_token_ack_t), 8);
	CHECK_IS(sizeof(dl_disconnect_req_t), 12);
	CHECK_IS(sizeof(dl_disconnect_ind_t), 16);
	CHECK_IS(sizeof(dl_reset_req_t), 4);
	CHECK_IS(sizeof(dl_reset_ind_t), 12);
	CHECK_IS(sizeof(dl_data_ack_req_t), 32);
	CHECK_IS(sizeof(dl_data_ack_ind_t), 28);
	CHECK_IS(sizeof(dl_data_ack_status_ind_t), 12);
	CHECK_IS(sizeof(dl_reply_update_req_t), 16);
	CHECK_IS(sizeof(dl_xid_req_t), 16);
	CHECK_IS(sizeof(dl_xid_ind_t), 24);
	CHECK_IS(sizeof(dl_disabmulti_req_t), 12);
	CHECK_IS(sizeof(dl_promiscoff_req_t), 8);
	CHECK_IS(sizeof(dl_set_phys_addr_req_t), 12);
	CHECK_IS(sizeof(dl_reset_res_t), 4);
	CHECK_IS(sizeof(dl_reset_con_t), 4);
	CHECK_IS(sizeof(dl_reply_req_t), 32);
	CHECK_IS(sizeof(dl_reply_ind_t), 28);
	CHECK_IS(sizeof(dl_reply_status_ind_t), 12);
	CHECK_IS(sizeof(dl_reply_update_status_ind_t), 12);
	CHECK_IS(sizeof(dl_xid_res_t), 16);
	CHECK_IS(sizeof(dl_xid_con_t), 24);
	CHECK_IS(sizeof(dl_test_req_t), 16);
	CHECK_IS(sizeof(dl_test_ind_t), 24);
	CHECK_IS(sizeof(dl_test_res_t), 16);
	CHECK_IS(sizeof(dl_test_con_t), 24);
	CHECK_IS(sizeof(union DL_primitives), sizeof(dl_info_ack_t));
}

/* The narrow and signed fields are at the standard's offsets. */
static void g_fields(void)
{
	CHECK_IS(offsetof(dl_bind_req_t, dl_service_mode), 12);
	CHECK_IS(offsetof(dl_bind_req_t, dl_conn_mgmt), 14);
	CHECK_IS(offsetof(dl_bind_req_t, dl_xidtest_flg), 16);
	CHECK_IS(offsetof(dl_info_ack_t, dl_sap_length), 28);
	CHECK_IS(offsetof(dl_info_ack_t, dl_provider_style), 52);
	CHECK_IS(offsetof(dl_info_ack_t, dl_brdcst_addr_length), 64);
	CHECK_IS(offsetof(dl_unitdata_req_t, dl_priority), 12);
	CHECK_IS(offsetof(dl_unitdata_ind_t, dl_group_address), 20);
	CHECK_IS(offsetof(dl_uderror_ind_t, dl_unix_errno), 12);
	CHECK_IS(offsetof(dl_uderror_ind_t, dl_errno), 16);
	CHECK_IS(offsetof(dl_error_ack_t, dl_errno), 8);
	CHECK_IS(offsetof(dl_error_ack_t, dl_unix_errno), 12);
	CHECK((t_scalar_t)-1 < 0);
	CHECK((t_uscalar_t)-1 > 0);
}

int main(int argc, char **argv)
{
	static const struct check_group groups[] = {
		{ "primitives", g_primitives },
		{ "states", g_states },
		{ "errors", g_errors },
		{ "provider values", g_provider_values },
		{ "request values", g_request_values },
		{ "sizes", g_sizes },
		{ "connection sizes", g_connection_sizes },
		{ "fields", g_fields },
		{ NULL, NULL }
	};

	return check_main(argc, argv, groups);
}
