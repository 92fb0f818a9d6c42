// SPDX-License-Identifier: GPL-2.0-only
/* dlpi-header - the values and sizes of sys/dlpi.h are the standard's */
#include <stddef.h>
#include <sys/dlpi.h>

#include "check.h"
#include "waits.h"

static void g_primitives(void)
{
	IS(DL_CURRENT_VERSION, 0x02);
	IS(DL_VERSION_2, 0x02);
	IS(DL_INFO_REQ, 0x00);
	IS(DL_BIND_REQ, 0x01);
	IS(DL_UNBIND_REQ, 0x02);
	IS(DL_INFO_ACK, 0x03);
	IS(DL_BIND_ACK, 0x04);
	IS(DL_ERROR_ACK, 0x05);
	IS(DL_OK_ACK, 0x06);
	IS(DL_ATTACH_REQ, 0x0b);
	IS(DL_DETACH_REQ, 0x0c);
	IS(DL_SUBS_UNBIND_REQ, 0x15);
	IS(DL_SUBS_BIND_REQ, 0x1b);
	IS(DL_SUBS_BIND_ACK, 0x1c);
	IS(DL_ENABMULTI_REQ, 0x1d);
	IS(DL_DISABMULTI_REQ, 0x1e);
	IS(DL_PROMISCON_REQ, 0x1f);
	IS(DL_PROMISCOFF_REQ, 0x20);
	IS(DL_UNITDATA_REQ, 0x07);
	IS(DL_UNITDATA_IND, 0x08);
	IS(DL_UDERROR_IND, 0x09);
	IS(DL_UDQOS_REQ, 0x0a);
	IS(DL_CONNECT_REQ, 0x0d);
	IS(DL_CONNECT_IND, 0x0e);
	IS(DL_CONNECT_RES, 0x0f);
	IS(DL_CONNECT_CON, 0x10);
	IS(DL_TOKEN_REQ, 0x11);
	IS(DL_TOKEN_ACK, 0x12);
	IS(DL_DISCONNECT_REQ, 0x13);
	IS(DL_DISCONNECT_IND, 0x14);
	IS(DL_RESET_REQ, 0x17);
	IS(DL_RESET_IND, 0x18);
	IS(DL_RESET_RES, 0x19);
	IS(DL_RESET_CON, 0x1a);
	IS(DL_DATA_ACK_REQ, 0x21);
	IS(DL_DATA_ACK_IND, 0x22);
	IS(DL_DATA_ACK_STATUS_IND, 0x23);
	IS(DL_REPLY_REQ, 0x24);
	IS(DL_REPLY_IND, 0x25);
	IS(DL_REPLY_STATUS_IND, 0x26);
	IS(DL_REPLY_UPDATE_REQ, 0x27);
	IS(DL_REPLY_UPDATE_STATUS_IND, 0x28);
	IS(DL_XID_REQ, 0x29);
	IS(DL_XID_IND, 0x2a);
	IS(DL_XID_RES, 0x2b);
	IS(DL_XID_CON, 0x2c);
	IS(DL_TEST_REQ, 0x2d);
	IS(DL_TEST_IND, 0x2e);
	IS(DL_TEST_RES, 0x2f);
	IS(DL_TEST_CON, 0x30);
	IS(DL_PHYS_ADDR_REQ, 0x31);
	IS(DL_PHYS_ADDR_ACK, 0x32);
	IS(DL_SET_PHYS_ADDR_REQ, 0x33);
	IS(DL_GET_STATISTICS_REQ, 0x34);
	IS(DL_GET_STATISTICS_ACK, 0x35);
	IS(DL_NOTIFY_REQ, 0x100);
	IS(DL_NOTIFY_ACK, 0x101);
	IS(DL_NOTIFY_IND, 0x102);
}

static void g_states(void)
{
	IS(DL_UNBOUND, 0x00);
	IS(DL_BIND_PENDING, 0x01);
	IS(DL_UNBIND_PENDING, 0x02);
	IS(DL_IDLE, 0x03);
	IS(DL_UNATTACHED, 0x04);
	IS(DL_ATTACH_PENDING, 0x05);
	IS(DL_DETACH_PENDING, 0x06);
	IS(DL_UDQOS_PENDING, 0x07);
	IS(DL_OUTCON_PENDING, 0x08);
	IS(DL_INCON_PENDING, 0x09);
	IS(DL_CONN_RES_PENDING, 0x0a);
	IS(DL_DATAXFER, 0x0b);
	IS(DL_USER_RESET_PENDING, 0x0c);
	IS(DL_PROV_RESET_PENDING, 0x0d);
	IS(DL_RESET_RES_PENDING, 0x0e);
	IS(DL_DISCON8_PENDING, 0x0f);
	IS(DL_DISCON9_PENDING, 0x10);
	IS(DL_DISCON11_PENDING, 0x11);
	IS(DL_DISCON12_PENDING, 0x12);
	IS(DL_DISCON13_PENDING, 0x13);
	IS(DL_SUBS_BIND_PND, 0x14);
	IS(DL_SUBS_UNBIND_PND, 0x15);
}

static void g_errors(void)
{
	IS(DL_BADSAP, 0x00);
	IS(DL_BADADDR, 0x01);
	IS(DL_ACCESS, 0x02);
	IS(DL_OUTSTATE, 0x03);
	IS(DL_SYSERR, 0x04);
	IS(DL_BADCORR, 0x05);
	IS(DL_BADDATA, 0x06);
	IS(DL_UNSUPPORTED, 0x07);
	IS(DL_BADPPA, 0x08);
	IS(DL_BADPRIM, 0x09);
	IS(DL_BADQOSPARAM, 0x0a);
	IS(DL_BADQOSTYPE, 0x0b);
	IS(DL_BADTOKEN, 0x0c);
	IS(DL_BOUND, 0x0d);
	IS(DL_INITFAILED, 0x0e);
	IS(DL_NOADDR, 0x0f);
	IS(DL_NOTINIT, 0x10);
	IS(DL_UNDELIVERABLE, 0x11);
	IS(DL_NOTSUPPORTED, 0x12);
	IS(DL_TOOMANY, 0x13);
	IS(DL_NOTENAB, 0x14);
	IS(DL_BUSY, 0x15);
	IS(DL_NOAUTO, 0x16);
	IS(DL_NOXIDAUTO, 0x17);
	IS(DL_NOTESTAUTO, 0x18);
	IS(DL_XIDAUTO, 0x19);
	IS(DL_TESTAUTO, 0x1a);
	IS(DL_PENDING, 0x1b);
}

static void g_provider_values(void)
{
	IS(DL_CSMACD, 0x0);
	IS(DL_TPB, 0x1);
	IS(DL_TPR, 0x2);
	IS(DL_METRO, 0x3);
	IS(DL_ETHER, 0x4);
	IS(DL_HDLC, 0x05);
	IS(DL_CHAR, 0x06);
	IS(DL_CTCA, 0x07);
	IS(DL_FDDI, 0x08);
	IS(DL_OTHER, 0x09);
	IS(DL_CODLS, 0x01);
	IS(DL_CLDLS, 0x02);
	IS(DL_ACLDLS, 0x04);
	IS(DL_STYLE1, 0x0500);
	IS(DL_STYLE2, 0x0501);
	IS(DL_PROVIDER, 0x0700);
	IS(DL_USER, 0x0701);
	IS(DL_CONREJ_DEST_UNKNOWN, 0x0800);
	IS(DL_CONREJ_DEST_UNREACH_PERMANENT, 0x0801);
	IS(DL_CONREJ_DEST_UNREACH_TRANSIENT, 0x0802);
	IS(DL_CONREJ_QOS_UNAVAIL_PERMANENT, 0x0803);
	IS(DL_CONREJ_QOS_UNAVAIL_TRANSIENT, 0x0804);
	IS(DL_CONREJ_PERMANENT_COND, 0x0805);
	IS(DL_CONREJ_TRANSIENT_COND, 0x0806);
	IS(DL_DISC_ABNORMAL_CONDITION, 0x0807);
	IS(DL_DISC_NORMAL_CONDITION, 0x0808);
	IS(DL_DISC_PERMANENT_CONDITION, 0x0809);
	IS(DL_DISC_TRANSIENT_CONDITION, 0x080a);
	IS(DL_DISC_UNSPECIFIED, 0x080b);
	IS(DL_RESET_FLOW_CONTROL, 0x0900);
	IS(DL_RESET_LINK_ERROR, 0x0901);
	IS(DL_RESET_RESYNCH, 0x0902);
	IS(DL_QOS_CO_RANGE1, 0x0101);
	IS(DL_QOS_CO_SEL1, 0x0102);
	IS(DL_QOS_CL_RANGE1, 0x0103);
	IS(DL_QOS_CL_SEL1, 0x0104);
}

static void g_request_values(void)
{
	IS(DL_UNKNOWN, -1);
	IS(DL_QOS_DONT_CARE, -2);
	IS(DL_NONE, 0x0b01);
	IS(DL_MONITOR, 0x0b02);
	IS(DL_MAXIMUM, 0x0b03);
	IS(DL_PEER_BIND, 0x01);
	IS(DL_HIERARCHICAL_BIND, 0x02);
	IS(DL_PROMISC_PHYS, 0x01);
	IS(DL_PROMISC_SAP, 0x02);
	IS(DL_PROMISC_MULTI, 0x03);
	IS(DL_FACT_PHYS_ADDR, 0x01);
	IS(DL_CURR_PHYS_ADDR, 0x02);
	IS(DL_AUTO_XID, 0x01);
	IS(DL_AUTO_TEST, 0x02);
	IS(DL_POLL_FINAL, 0x01);
	IS(DL_RQST_RSP, 0x01);
	IS(DL_RQST_NORSP, 0x02);
	IS(DL_CMD_MASK, 0x0f);
	IS(DL_CMD_OK, 0x00);
	IS(DL_CMD_RS, 0x01);
	IS(DL_CMD_UE, 0x05);
	IS(DL_CMD_PE, 0x06);
	IS(DL_CMD_IP, 0x07);
	IS(DL_CMD_UN, 0x09);
	IS(DL_CMD_IT, 0x0f);
	IS(DL_RSP_MASK, 0xf0);
	IS(DL_RSP_OK, 0x00);
	IS(DL_RSP_RS, 0x10);
	IS(DL_RSP_NE, 0x30);
	IS(DL_RSP_NR, 0x40);
	IS(DL_RSP_UE, 0x50);
	IS(DL_RSP_IP, 0x70);
	IS(DL_RSP_UN, 0x90);
	IS(DL_RSP_IT, 0xf0);
	IS(DL_NOTE_LINK_DOWN, 0x0001);
	IS(DL_NOTE_LINK_UP, 0x0002);
	IS(DL_NOTE_PHYS_ADDR, 0x0004);
	IS(DL_NOTE_SDU_SIZE, 0x0100);
	IS(DLIOC, 0x4400);
	IS(DLIOCRAW, 0x4401);
	IS(DLIOCNATIVE, 0x4402);
	IS(DL_IOC_HDR_INFO, 0x440a);
}

static void g_sizes(void)
{
	IS(sizeof(dl_through_t), 8);
	IS(sizeof(dl_transdelay_t), 8);
	IS(sizeof(dl_priority_t), 8);
	IS(sizeof(dl_protect_t), 8);
	IS(sizeof(dl_resilience_t), 8);
	IS(sizeof(dl_qos_co_range1_t), 64);
	IS(sizeof(dl_qos_co_sel1_t), 40);
	IS(sizeof(dl_qos_cl_range1_t), 32);
	IS(sizeof(dl_qos_cl_sel1_t), 20);
	IS(sizeof(dl_info_req_t), 4);
	IS(sizeof(dl_info_ack_t), 76);
	IS(sizeof(dl_attach_req_t), 8);
	IS(sizeof(dl_detach_req_t), 4);
	IS(sizeof(dl_bind_req_t), 20);
	IS(sizeof(dl_bind_ack_t), 24);
	IS(sizeof(dl_subs_bind_req_t), 16);
	IS(sizeof(dl_subs_bind_ack_t), 12);
	IS(sizeof(dl_unbind_req_t), 4);
	IS(sizeof(dl_subs_unbind_req_t), 12);
	IS(sizeof(dl_ok_ack_t), 8);
	IS(sizeof(dl_error_ack_t), 16);
	IS(sizeof(dl_enabmulti_req_t), 12);
	IS(sizeof(dl_promiscon_req_t), 8);
	IS(sizeof(dl_phys_addr_req_t), 8);
	IS(sizeof(dl_phys_addr_ack_t), 12);
	IS(sizeof(dl_get_statistics_req_t), 4);
	IS(sizeof(dl_get_statistics_ack_t), 12);
	IS(sizeof(dl_notify_req_t), 12);
	IS(sizeof(dl_notify_ack_t), 8);
	IS(sizeof(dl_notify_ind_t), 20);
	IS(sizeof(dl_statistics_t), 88);
	IS(sizeof(dl_unitdata_req_t), 20);
	IS(sizeof(dl_unitdata_ind_t), 24);
	IS(sizeof(dl_uderror_ind_t), 20);
	IS(sizeof(dl_udqos_req_t), 12);
}

static void g_connection_sizes(void)
{
	IS(sizeof(dl_connect_req_t), 24);
	IS(sizeof(dl_connect_ind_t), 36);
	IS(sizeof(dl_connect_res_t), 24);
	IS(sizeof(dl_connect_con_t), 24);
	IS(sizeof(dl_token_req_t), 4);
	IS(sizeof(dl_token_ack_t), 8);
	IS(sizeof(dl_disconnect_req_t), 12);
	IS(sizeof(dl_disconnect_ind_t), 16);
	IS(sizeof(dl_reset_req_t), 4);
	IS(sizeof(dl_reset_ind_t), 12);
	IS(sizeof(dl_data_ack_req_t), 32);
	IS(sizeof(dl_data_ack_ind_t), 28);
	IS(sizeof(dl_data_ack_status_ind_t), 12);
	IS(sizeof(dl_reply_update_req_t), 16);
	IS(sizeof(dl_xid_req_t), 16);
	IS(sizeof(dl_xid_ind_t), 24);
	IS(sizeof(dl_disabmulti_req_t), 12);
	IS(sizeof(dl_promiscoff_req_t), 8);
	IS(sizeof(dl_set_phys_addr_req_t), 12);
	IS(sizeof(dl_reset_res_t), 4);
	IS(sizeof(dl_reset_con_t), 4);
	IS(sizeof(dl_reply_req_t), 32);
	IS(sizeof(dl_reply_ind_t), 28);
	IS(sizeof(dl_reply_status_ind_t), 12);
	IS(sizeof(dl_reply_update_status_ind_t), 12);
	IS(sizeof(dl_xid_res_t), 16);
	IS(sizeof(dl_xid_con_t), 24);
	IS(sizeof(dl_test_req_t), 16);
	IS(sizeof(dl_test_ind_t), 24);
	IS(sizeof(dl_test_res_t), 16);
	IS(sizeof(dl_test_con_t), 24);
	IS(sizeof(union DL_primitives), sizeof(dl_info_ack_t));
}

/* The narrow and signed fields are at the standard's offsets. */
static void g_fields(void)
{
	IS(offsetof(dl_bind_req_t, dl_service_mode), 12);
	IS(offsetof(dl_bind_req_t, dl_conn_mgmt), 14);
	IS(offsetof(dl_bind_req_t, dl_xidtest_flg), 16);
	IS(offsetof(dl_info_ack_t, dl_sap_length), 28);
	IS(offsetof(dl_info_ack_t, dl_provider_style), 52);
	IS(offsetof(dl_info_ack_t, dl_brdcst_addr_length), 64);
	IS(offsetof(dl_unitdata_req_t, dl_priority), 12);
	IS(offsetof(dl_unitdata_ind_t, dl_group_address), 20);
	IS(offsetof(dl_uderror_ind_t, dl_unix_errno), 12);
	IS(offsetof(dl_uderror_ind_t, dl_errno), 16);
	IS(offsetof(dl_error_ack_t, dl_errno), 8);
	IS(offsetof(dl_error_ack_t, dl_unix_errno), 12);
	TRUE((t_scalar_t)-1 < 0);
	TRUE((t_uscalar_t)-1 > 0);
}

int main(int argc, char **argv)
{
	static const struct test_case groups[] = {
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

	return test_main(argc, argv, groups);
}
