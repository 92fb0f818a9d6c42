/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sys/timod.h - commands of the module timod, by I_STR
 *
 * Each is given a primitive of the Transport Provider Interface and returns the
 * provider's answer in its place. ioctl() gives 0, or what a T_ERROR_ACK says:
 * TLI_error in the low 8 bits and, when that is TSYSERR, the errno value in the
 * next 8.
 */
#ifndef _SYS_TIMOD_H
#define _SYS_TIMOD_H

#define TIMOD		('T' << 8)

#define TI_GETINFO	(TIMOD | 140)	/* T_info_req: T_info_ack */
#define TI_OPTMGMT	(TIMOD | 141)	/* T_optmgmt_req: T_optmgmt_ack */
#define TI_BIND		(TIMOD | 142)	/* T_bind_req: T_bind_ack */
#define TI_UNBIND	(TIMOD | 143)	/* T_unbind_req: T_ok_ack */
#define TI_SYNC		(TIMOD | 148)	/* T_info_req: T_info_ack */
#define TI_GETADDRS	(TIMOD | 149)	/* T_addr_req: T_addr_ack */
#define TI_CAPABILITY	(TIMOD | 150)	/* T_capability_req: T_capability_ack */

/* By ioctl() itself, with a pointer to a struct netbuf of <xti.h> */
#define TI_GETMYNAME	(TIMOD | 144)
#define TI_GETPEERNAME	(TIMOD | 145)

/* Bytes that an answer has at most; a longer one is EPROTO. */
#define TI_ANSWER_MAX	65536

#endif /* _SYS_TIMOD_H */
