/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/dlpi.h - the Data Link Provider Interface, version 2
 *
 * Messages between a data link user and a data link provider. A primitive is the
 * control part of a message; its first word tells which it is. All fields are 32
 * bits wide unless they say otherwise and in host order; offsets count from its
 * first byte. See dlpi(4).
 */
#ifndef _SYS_DLPI_H
#define _SYS_DLPI_H

#include <linux/types.h>

/* <xti.h> has them too. */
#ifndef _T_SCALAR_T
#define _T_SCALAR_T
typedef __s32 t_scalar_t;
typedef __u32 t_uscalar_t;
#endif

#define DL_CURRENT_VERSION	0x02
#define DL_VERSION_2		0x02

/* Local management */
#define DL_INFO_REQ		0x00
#define DL_BIND_REQ		0x01
#define DL_UNBIND_REQ		0x02
#define DL_INFO_ACK		0x03
#define DL_BIND_ACK		0x04
#define DL_ERROR_ACK		0x05
#define DL_OK_ACK		0x06
#define DL_ATTACH_REQ		0x0b
#define DL_DETACH_REQ		0x0c
#define DL_SUBS_UNBIND_REQ	0x15
#define DL_SUBS_BIND_REQ	0x1b
#define DL_SUBS_BIND_ACK	0x1c
#define DL_ENABMULTI_REQ	0x1d
#define DL_DISABMULTI_REQ	0x1e
#define DL_PROMISCON_REQ	0x1f
#define DL_PROMISCOFF_REQ	0x20
/* Connectionless service */
#define DL_UNITDATA_REQ		0x07
#define DL_UNITDATA_IND		0x08
#define DL_UDERROR_IND		0x09
#define DL_UDQOS_REQ		0x0a
/* Connections */
#define DL_CONNECT_REQ		0x0d
#define DL_CONNECT_IND		0x0e
#define DL_CONNECT_RES		0x0f
#define DL_CONNECT_CON		0x10
#define DL_TOKEN_REQ		0x11
#define DL_TOKEN_ACK		0x12
#define DL_DISCONNECT_REQ	0x13
#define DL_DISCONNECT_IND	0x14
#define DL_RESET_REQ		0x17
#define DL_RESET_IND		0x18
#define DL_RESET_RES		0x19
#define DL_RESET_CON		0x1a
/* Acknowledged connectionless service */
#define DL_DATA_ACK_REQ		0x21
#define DL_DATA_ACK_IND		0x22
#define DL_DATA_ACK_STATUS_IND	0x23
#define DL_REPLY_REQ		0x24
#define DL_REPLY_IND		0x25
#define DL_REPLY_STATUS_IND	0x26
#define DL_REPLY_UPDATE_REQ	0x27
#define DL_REPLY_UPDATE_STATUS_IND	0x28
/* XID and TEST of IEEE 802.2 */
#define DL_XID_REQ		0x29
#define DL_XID_IND		0x2a
#define DL_XID_RES		0x2b
#define DL_XID_CON		0x2c
#define DL_TEST_REQ		0x2d
#define DL_TEST_IND		0x2e
#define DL_TEST_RES		0x2f
#define DL_TEST_CON		0x30
/* Addresses and counters */
#define DL_PHYS_ADDR_REQ	0x31
#define DL_PHYS_ADDR_ACK	0x32
#define DL_SET_PHYS_ADDR_REQ	0x33
#define DL_GET_STATISTICS_REQ	0x34
#define DL_GET_STATISTICS_ACK	0x35
/* Not of the standard: events of the link */
#define DL_NOTIFY_REQ		0x100
#define DL_NOTIFY_ACK		0x101
#define DL_NOTIFY_IND		0x102

/* dl_current_state */
#define DL_UNBOUND		0x00
#define DL_BIND_PENDING		0x01
#define DL_UNBIND_PENDING	0x02
#define DL_IDLE			0x03
#define DL_UNATTACHED		0x04
#define DL_ATTACH_PENDING	0x05
#define DL_DETACH_PENDING	0x06
#define DL_UDQOS_PENDING	0x07
#define DL_OUTCON_PENDING	0x08
#define DL_INCON_PENDING	0x09
#define DL_CONN_RES_PENDING	0x0a
#define DL_DATAXFER		0x0b
#define DL_USER_RESET_PENDING	0x0c
#define DL_PROV_RESET_PENDING	0x0d
#define DL_RESET_RES_PENDING	0x0e
#define DL_DISCON8_PENDING	0x0f
#define DL_DISCON9_PENDING	0x10
#define DL_DISCON11_PENDING	0x11
#define DL_DISCON12_PENDING	0x12
#define DL_DISCON13_PENDING	0x13
#define DL_SUBS_BIND_PND	0x14
#define DL_SUBS_UNBIND_PND	0x15

/* dl_errno */
#define DL_BADSAP		0x00	/* no such SAP */
#define DL_BADADDR		0x01	/* no such address, or of a wrong form */
#define DL_ACCESS		0x02	/* no permission */
#define DL_OUTSTATE		0x03	/* not in this state */
#define DL_SYSERR		0x04	/* dl_unix_errno tells */
#define DL_BADCORR		0x05	/* no such correlation number */
#define DL_BADDATA		0x06	/* too much data, or too little */
#define DL_UNSUPPORTED		0x07	/* a service that the provider has not */
#define DL_BADPPA		0x08	/* no such physical point of attachment */
#define DL_BADPRIM		0x09	/* no such primitive, or too short */
#define DL_BADQOSPARAM		0x0a
#define DL_BADQOSTYPE		0x0b
#define DL_BADTOKEN		0x0c
#define DL_BOUND		0x0d
#define DL_INITFAILED		0x0e
#define DL_NOADDR		0x0f
#define DL_NOTINIT		0x10
#define DL_UNDELIVERABLE	0x11
#define DL_NOTSUPPORTED		0x12	/* a primitive that the provider has not */
#define DL_TOOMANY		0x13	/* more than the provider can keep */
#define DL_NOTENAB		0x14	/* not enabled before */
#define DL_BUSY			0x15
#define DL_NOAUTO		0x16	/* no answers to XID and TEST by itself */
#define DL_NOXIDAUTO		0x17
#define DL_NOTESTAUTO		0x18
#define DL_XIDAUTO		0x19	/* XID is the provider's by DL_BIND_REQ */
#define DL_TESTAUTO		0x1a
#define DL_PENDING		0x1b

/* dl_mac_type */
#define DL_CSMACD		0x0	/* IEEE 802.3 */
#define DL_TPB			0x1
#define DL_TPR			0x2
#define DL_METRO		0x3
#define DL_ETHER		0x4
#define DL_HDLC			0x05
#define DL_CHAR			0x06
#define DL_CTCA			0x07
#define DL_FDDI			0x08
#define DL_OTHER		0x09

/* dl_service_mode */
#define DL_CODLS		0x01	/* connections */
#define DL_CLDLS		0x02	/* connectionless */
#define DL_ACLDLS		0x04	/* connectionless, acknowledged */

/* dl_provider_style */
#define DL_STYLE1		0x0500
#define DL_STYLE2		0x0501

/* dl_originator */
#define DL_PROVIDER		0x0700
#define DL_USER			0x0701

/* dl_reason of DL_DISCONNECT_REQ and DL_DISCONNECT_IND */
#define DL_CONREJ_DEST_UNKNOWN			0x0800
#define DL_CONREJ_DEST_UNREACH_PERMANENT	0x0801
#define DL_CONREJ_DEST_UNREACH_TRANSIENT	0x0802
#define DL_CONREJ_QOS_UNAVAIL_PERMANENT		0x0803
#define DL_CONREJ_QOS_UNAVAIL_TRANSIENT		0x0804
#define DL_CONREJ_PERMANENT_COND		0x0805
#define DL_CONREJ_TRANSIENT_COND		0x0806
#define DL_DISC_ABNORMAL_CONDITION		0x0807
#define DL_DISC_NORMAL_CONDITION		0x0808
#define DL_DISC_PERMANENT_CONDITION		0x0809
#define DL_DISC_TRANSIENT_CONDITION		0x080a
#define DL_DISC_UNSPECIFIED			0x080b

/* dl_reason of DL_RESET_IND */
#define DL_RESET_FLOW_CONTROL	0x0900
#define DL_RESET_LINK_ERROR	0x0901
#define DL_RESET_RESYNCH	0x0902

/* dl_qos_type */
#define DL_QOS_CO_RANGE1	0x0101
#define DL_QOS_CO_SEL1		0x0102
#define DL_QOS_CL_RANGE1	0x0103
#define DL_QOS_CL_SEL1		0x0104
/* Values of their fields */
#define DL_UNKNOWN		(-1)
#define DL_QOS_DONT_CARE	(-2)
#define DL_NONE			0x0b01
#define DL_MONITOR		0x0b02
#define DL_MAXIMUM		0x0b03

/* dl_subs_bind_class */
#define DL_PEER_BIND		0x01
#define DL_HIERARCHICAL_BIND	0x02

/* dl_level */
#define DL_PROMISC_PHYS		0x01	/* every frame on the wire */
#define DL_PROMISC_SAP		0x02	/* every SAP */
#define DL_PROMISC_MULTI	0x03	/* every group address */

/* dl_addr_type */
#define DL_FACT_PHYS_ADDR	0x01	/* the device's own */
#define DL_CURR_PHYS_ADDR	0x02	/* the one in use */

/* dl_xidtest_flg: the provider answers */
#define DL_AUTO_XID		0x01
#define DL_AUTO_TEST		0x02
/* dl_flag of XID and TEST */
#define DL_POLL_FINAL		0x01

/* dl_service_class */
#define DL_RQST_RSP		0x01
#define DL_RQST_NORSP		0x02

/* dl_status: of the command, and of the response */
#define DL_CMD_MASK		0x0f
#define DL_CMD_OK		0x00
#define DL_CMD_RS		0x01
#define DL_CMD_UE		0x05
#define DL_CMD_PE		0x06
#define DL_CMD_IP		0x07
#define DL_CMD_UN		0x09
#define DL_CMD_IT		0x0f
#define DL_RSP_MASK		0xf0
#define DL_RSP_OK		0x00
#define DL_RSP_RS		0x10
#define DL_RSP_NE		0x30
#define DL_RSP_NR		0x40
#define DL_RSP_UE		0x50
#define DL_RSP_IP		0x70
#define DL_RSP_UN		0x90
#define DL_RSP_IT		0xf0

/* dl_notifications, dl_notification */
#define DL_NOTE_LINK_DOWN	0x0001
#define DL_NOTE_LINK_UP		0x0002
#define DL_NOTE_PHYS_ADDR	0x0004	/* the new one is in the message */
#define DL_NOTE_SDU_SIZE	0x0100	/* dl_data: the new dl_max_sdu */

/* Commands for I_STR */
#define DLIOC			('D' << 8)
#define DLIOCRAW		(DLIOC | 1)	/* frames whole, as M_DATA */
#define DLIOCNATIVE		(DLIOC | 2)	/* likewise; returns dl_mac_type */
#define DL_IOC_HDR_INFO		(DLIOC | 10)	/* a DL_UNITDATA_REQ's header */

/*
 * Quality of service
 */
typedef struct {
	t_scalar_t dl_target_value;
	t_scalar_t dl_accept_value;
} dl_through_t;

typedef struct {
	t_scalar_t dl_target_value;
	t_scalar_t dl_accept_value;
} dl_transdelay_t;

typedef struct {
	t_scalar_t dl_min;
	t_scalar_t dl_max;
} dl_priority_t;

typedef struct {
	t_scalar_t dl_min;
	t_scalar_t dl_max;
} dl_protect_t;

typedef struct {
	t_scalar_t dl_disc_prob;
	t_scalar_t dl_reset_prob;
} dl_resilience_t;

typedef struct {
	t_uscalar_t dl_qos_type;
	dl_through_t dl_rcv_throughput;
	dl_transdelay_t dl_rcv_trans_delay;
	dl_through_t dl_xmt_throughput;
	dl_transdelay_t dl_xmt_trans_delay;
	dl_priority_t dl_priority;
	dl_protect_t dl_protection;
	t_scalar_t dl_residual_error;
	dl_resilience_t dl_resilience;
} dl_qos_co_range1_t;

typedef struct {
	t_uscalar_t dl_qos_type;
	t_scalar_t dl_rcv_throughput;
	t_scalar_t dl_rcv_trans_delay;
	t_scalar_t dl_xmt_throughput;
	t_scalar_t dl_xmt_trans_delay;
	t_scalar_t dl_priority;
	t_scalar_t dl_protection;
	t_scalar_t dl_residual_error;
	dl_resilience_t dl_resilience;
} dl_qos_co_sel1_t;

typedef struct {
	t_uscalar_t dl_qos_type;
	dl_transdelay_t dl_trans_delay;
	dl_priority_t dl_priority;
	dl_protect_t dl_protection;
	t_scalar_t dl_residual_error;
} dl_qos_cl_range1_t;

typedef struct {
	t_uscalar_t dl_qos_type;
	t_scalar_t dl_trans_delay;
	t_scalar_t dl_priority;
	t_scalar_t dl_protection;
	t_scalar_t dl_residual_error;
} dl_qos_cl_sel1_t;

/*
 * Local management
 */
typedef struct {
	t_uscalar_t dl_primitive;
} dl_info_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_max_sdu;			/* bytes */
	t_uscalar_t dl_min_sdu;
	t_uscalar_t dl_addr_length;		/* of a DLSAP address, SAP and all */
	t_uscalar_t dl_mac_type;		/* DL_ETHER ... */
	t_uscalar_t dl_reserved;
	t_uscalar_t dl_current_state;
	t_scalar_t dl_sap_length;		/* < 0: it follows the address */
	t_uscalar_t dl_service_mode;		/* DL_CLDLS ... */
	t_uscalar_t dl_qos_length;
	t_uscalar_t dl_qos_offset;
	t_uscalar_t dl_qos_range_length;
	t_uscalar_t dl_qos_range_offset;
	t_uscalar_t dl_provider_style;
	t_uscalar_t dl_addr_offset;		/* 0: none is bound */
	t_uscalar_t dl_version;
	t_uscalar_t dl_brdcst_addr_length;
	t_uscalar_t dl_brdcst_addr_offset;
	t_uscalar_t dl_growth;
} dl_info_ack_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_ppa;
} dl_attach_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
} dl_detach_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_sap;
	t_uscalar_t dl_max_conind;
	__u16 dl_service_mode;
	__u16 dl_conn_mgmt;
	t_uscalar_t dl_xidtest_flg;		/* DL_AUTO_XID ... */
} dl_bind_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_sap;
	t_uscalar_t dl_addr_length;
	t_uscalar_t dl_addr_offset;
	t_uscalar_t dl_max_conind;
	t_uscalar_t dl_xidtest_flg;
} dl_bind_ack_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_subs_sap_offset;
	t_uscalar_t dl_subs_sap_length;
	t_uscalar_t dl_subs_bind_class;
} dl_subs_bind_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_subs_sap_offset;
	t_uscalar_t dl_subs_sap_length;
} dl_subs_bind_ack_t;

typedef struct {
	t_uscalar_t dl_primitive;
} dl_unbind_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_subs_sap_offset;
	t_uscalar_t dl_subs_sap_length;
} dl_subs_unbind_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_correct_primitive;
} dl_ok_ack_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_error_primitive;
	t_uscalar_t dl_errno;
	t_uscalar_t dl_unix_errno;		/* with DL_SYSERR */
} dl_error_ack_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_addr_length;
	t_uscalar_t dl_addr_offset;
} dl_enabmulti_req_t;

typedef dl_enabmulti_req_t dl_disabmulti_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_level;
} dl_promiscon_req_t;

typedef dl_promiscon_req_t dl_promiscoff_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_addr_type;
} dl_phys_addr_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_addr_length;
	t_uscalar_t dl_addr_offset;
} dl_phys_addr_ack_t;

typedef dl_phys_addr_ack_t dl_set_phys_addr_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
} dl_get_statistics_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_stat_length;
	t_uscalar_t dl_stat_offset;		/* a dl_statistics_t */
} dl_get_statistics_ack_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_notifications;		/* those wanted */
	t_uscalar_t dl_timelimit;		/* without effect */
} dl_notify_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_notifications;		/* those that will come */
} dl_notify_ack_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_notification;
	t_uscalar_t dl_data;
	t_uscalar_t dl_addr_length;
	t_uscalar_t dl_addr_offset;
} dl_notify_ind_t;

/* The data of DL_GET_STATISTICS_ACK; the standard leaves it to the provider. */
typedef struct {
	__u64 dls_rx_frames;			/* of the device */
	__u64 dls_tx_frames;
	__u64 dls_rx_bytes;
	__u64 dls_tx_bytes;
	__u64 dls_rx_errors;
	__u64 dls_tx_errors;
	__u64 dls_rx_dropped;
	__u64 dls_tx_dropped;
	__u64 dls_multicast;
	__u64 dls_stream_rx_dropped;		/* of this stream: for want of room */
	__u64 dls_stream_tx_dropped;		/* ... by the device, or malformed */
} dl_statistics_t;

/*
 * Connectionless service
 */
typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_dest_addr_length;
	t_uscalar_t dl_dest_addr_offset;
	dl_priority_t dl_priority;
} dl_unitdata_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_dest_addr_length;
	t_uscalar_t dl_dest_addr_offset;
	t_uscalar_t dl_src_addr_length;
	t_uscalar_t dl_src_addr_offset;
	t_uscalar_t dl_group_address;		/* 1: the destination is one */
} dl_unitdata_ind_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_dest_addr_length;
	t_uscalar_t dl_dest_addr_offset;
	t_uscalar_t dl_unix_errno;
	t_uscalar_t dl_errno;
} dl_uderror_ind_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_qos_length;
	t_uscalar_t dl_qos_offset;
} dl_udqos_req_t;

/*
 * Connections
 */
typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_dest_addr_length;
	t_uscalar_t dl_dest_addr_offset;
	t_uscalar_t dl_qos_length;
	t_uscalar_t dl_qos_offset;
	t_uscalar_t dl_growth;
} dl_connect_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_correlation;
	t_uscalar_t dl_called_addr_length;
	t_uscalar_t dl_called_addr_offset;
	t_uscalar_t dl_calling_addr_length;
	t_uscalar_t dl_calling_addr_offset;
	t_uscalar_t dl_qos_length;
	t_uscalar_t dl_qos_offset;
	t_uscalar_t dl_growth;
} dl_connect_ind_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_correlation;
	t_uscalar_t dl_resp_token;
	t_uscalar_t dl_qos_length;
	t_uscalar_t dl_qos_offset;
	t_uscalar_t dl_growth;
} dl_connect_res_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_resp_addr_length;
	t_uscalar_t dl_resp_addr_offset;
	t_uscalar_t dl_qos_length;
	t_uscalar_t dl_qos_offset;
	t_uscalar_t dl_growth;
} dl_connect_con_t;

typedef struct {
	t_uscalar_t dl_primitive;
} dl_token_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_token;
} dl_token_ack_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_reason;
	t_uscalar_t dl_correlation;
} dl_disconnect_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_originator;
	t_uscalar_t dl_reason;
	t_uscalar_t dl_correlation;
} dl_disconnect_ind_t;

typedef struct {
	t_uscalar_t dl_primitive;
} dl_reset_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_originator;
	t_uscalar_t dl_reason;
} dl_reset_ind_t;

typedef dl_reset_req_t dl_reset_res_t;

typedef dl_reset_req_t dl_reset_con_t;

/*
 * Acknowledged connectionless service
 */
typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_correlation;
	t_uscalar_t dl_dest_addr_length;
	t_uscalar_t dl_dest_addr_offset;
	t_uscalar_t dl_src_addr_length;
	t_uscalar_t dl_src_addr_offset;
	t_uscalar_t dl_priority;
	t_uscalar_t dl_service_class;
} dl_data_ack_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_dest_addr_length;
	t_uscalar_t dl_dest_addr_offset;
	t_uscalar_t dl_src_addr_length;
	t_uscalar_t dl_src_addr_offset;
	t_uscalar_t dl_priority;
	t_uscalar_t dl_service_class;
} dl_data_ack_ind_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_correlation;
	t_uscalar_t dl_status;
} dl_data_ack_status_ind_t;

typedef dl_data_ack_req_t dl_reply_req_t;

typedef dl_data_ack_ind_t dl_reply_ind_t;

typedef dl_data_ack_status_ind_t dl_reply_status_ind_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_correlation;
	t_uscalar_t dl_src_addr_length;
	t_uscalar_t dl_src_addr_offset;
} dl_reply_update_req_t;

typedef dl_data_ack_status_ind_t dl_reply_update_status_ind_t;

/*
 * XID and TEST
 */
typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_flag;			/* DL_POLL_FINAL */
	t_uscalar_t dl_dest_addr_length;
	t_uscalar_t dl_dest_addr_offset;
} dl_xid_req_t;

typedef struct {
	t_uscalar_t dl_primitive;
	t_uscalar_t dl_flag;
	t_uscalar_t dl_dest_addr_length;
	t_uscalar_t dl_dest_addr_offset;
	t_uscalar_t dl_src_addr_length;
	t_uscalar_t dl_src_addr_offset;
} dl_xid_ind_t;

typedef dl_xid_req_t dl_xid_res_t;
typedef dl_xid_ind_t dl_xid_con_t;
typedef dl_xid_req_t dl_test_req_t;
typedef dl_xid_ind_t dl_test_ind_t;
typedef dl_xid_req_t dl_test_res_t;
typedef dl_xid_ind_t dl_test_con_t;

/* A message of any kind */
union DL_primitives {
	t_uscalar_t dl_primitive;
	dl_info_req_t info_req;
	dl_info_ack_t info_ack;
	dl_attach_req_t attach_req;
	dl_detach_req_t detach_req;
	dl_bind_req_t bind_req;
	dl_bind_ack_t bind_ack;
	dl_unbind_req_t unbind_req;
	dl_subs_bind_req_t subs_bind_req;
	dl_subs_bind_ack_t subs_bind_ack;
	dl_subs_unbind_req_t subs_unbind_req;
	dl_ok_ack_t ok_ack;
	dl_error_ack_t error_ack;
	dl_enabmulti_req_t enabmulti_req;
	dl_disabmulti_req_t disabmulti_req;
	dl_promiscon_req_t promiscon_req;
	dl_promiscoff_req_t promiscoff_req;
	dl_phys_addr_req_t physaddr_req;
	dl_phys_addr_ack_t physaddr_ack;
	dl_set_phys_addr_req_t set_physaddr_req;
	dl_get_statistics_req_t get_statistics_req;
	dl_get_statistics_ack_t get_statistics_ack;
	dl_notify_req_t notify_req;
	dl_notify_ack_t notify_ack;
	dl_notify_ind_t notify_ind;
	dl_unitdata_req_t unitdata_req;
	dl_unitdata_ind_t unitdata_ind;
	dl_uderror_ind_t uderror_ind;
	dl_udqos_req_t udqos_req;
	dl_connect_req_t connect_req;
	dl_connect_ind_t connect_ind;
	dl_connect_res_t connect_res;
	dl_connect_con_t connect_con;
	dl_token_req_t token_req;
	dl_token_ack_t token_ack;
	dl_disconnect_req_t disconnect_req;
	dl_disconnect_ind_t disconnect_ind;
	dl_reset_req_t reset_req;
	dl_reset_ind_t reset_ind;
	dl_reset_res_t reset_res;
	dl_reset_con_t reset_con;
	dl_data_ack_req_t data_ack_req;
	dl_data_ack_ind_t data_ack_ind;
	dl_data_ack_status_ind_t data_ack_status_ind;
	dl_reply_req_t reply_req;
	dl_reply_ind_t reply_ind;
	dl_reply_status_ind_t reply_status_ind;
	dl_reply_update_req_t reply_update_req;
	dl_reply_update_status_ind_t reply_update_status_ind;
	dl_xid_req_t xid_req;
	dl_xid_ind_t xid_ind;
	dl_xid_res_t xid_res;
	dl_xid_con_t xid_con;
	dl_test_req_t test_req;
	dl_test_ind_t test_ind;
	dl_test_res_t test_res;
	dl_test_con_t test_con;
};

#define DL_INFO_REQ_SIZE		sizeof(dl_info_req_t)
#define DL_INFO_ACK_SIZE		sizeof(dl_info_ack_t)
#define DL_ATTACH_REQ_SIZE		sizeof(dl_attach_req_t)
#define DL_DETACH_REQ_SIZE		sizeof(dl_detach_req_t)
#define DL_BIND_REQ_SIZE		sizeof(dl_bind_req_t)
#define DL_BIND_ACK_SIZE		sizeof(dl_bind_ack_t)
#define DL_UNBIND_REQ_SIZE		sizeof(dl_unbind_req_t)
#define DL_SUBS_BIND_REQ_SIZE		sizeof(dl_subs_bind_req_t)
#define DL_SUBS_BIND_ACK_SIZE		sizeof(dl_subs_bind_ack_t)
#define DL_SUBS_UNBIND_REQ_SIZE		sizeof(dl_subs_unbind_req_t)
#define DL_OK_ACK_SIZE			sizeof(dl_ok_ack_t)
#define DL_ERROR_ACK_SIZE		sizeof(dl_error_ack_t)
#define DL_ENABMULTI_REQ_SIZE		sizeof(dl_enabmulti_req_t)
#define DL_DISABMULTI_REQ_SIZE		sizeof(dl_disabmulti_req_t)
#define DL_PROMISCON_REQ_SIZE		sizeof(dl_promiscon_req_t)
#define DL_PROMISCOFF_REQ_SIZE		sizeof(dl_promiscoff_req_t)
#define DL_PHYS_ADDR_REQ_SIZE		sizeof(dl_phys_addr_req_t)
#define DL_PHYS_ADDR_ACK_SIZE		sizeof(dl_phys_addr_ack_t)
#define DL_SET_PHYS_ADDR_REQ_SIZE	sizeof(dl_set_phys_addr_req_t)
#define DL_GET_STATISTICS_REQ_SIZE	sizeof(dl_get_statistics_req_t)
#define DL_GET_STATISTICS_ACK_SIZE	sizeof(dl_get_statistics_ack_t)
#define DL_UNITDATA_REQ_SIZE		sizeof(dl_unitdata_req_t)
#define DL_UNITDATA_IND_SIZE		sizeof(dl_unitdata_ind_t)
#define DL_UDERROR_IND_SIZE		sizeof(dl_uderror_ind_t)
#define DL_UDQOS_REQ_SIZE		sizeof(dl_udqos_req_t)
#define DL_XID_REQ_SIZE			sizeof(dl_xid_req_t)
#define DL_XID_IND_SIZE			sizeof(dl_xid_ind_t)
#define DL_XID_RES_SIZE			sizeof(dl_xid_res_t)
#define DL_XID_CON_SIZE			sizeof(dl_xid_con_t)
#define DL_TEST_REQ_SIZE		sizeof(dl_test_req_t)
#define DL_TEST_IND_SIZE		sizeof(dl_test_ind_t)
#define DL_TEST_RES_SIZE		sizeof(dl_test_res_t)
#define DL_TEST_CON_SIZE		sizeof(dl_test_con_t)

#define DLPI_DEVICE	"/dev/streams/dlpi"

#endif /* _SYS_DLPI_H */
