/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * xti.h - the X/Open Transport Interface (XNS Issue 5 and 5.2)
 *
 * Link with -lxti. Names that begin with IP_ and TCP_ are left to the system's
 * own headers where these have them; those with T_ before them are the same.
 *
 * Where the compiler finds libtirpc's headers, struct netbuf and struct t_bind are
 * those of its <rpc/types.h>, so that a program can include <rpc/rpc.h> too.
 */
#ifndef _XTI_H
#define _XTI_H

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>		/* _SC_T_IOV_MAX */
#include <sys/xti_inet.h>
#ifdef __has_include
#if __has_include(<rpc/types.h>)
#include <rpc/types.h>
#endif
#endif

/* <sys/tpi.h> has them too. */
#ifndef _T_SCALAR_T
#define _T_SCALAR_T
typedef int32_t t_scalar_t;
typedef uint32_t t_uscalar_t;
#endif

/* t_errno */
#define TBADADDR		1	/* address in a wrong format */
#define TBADOPT			2	/* options in a wrong format */
#define TACCES			3	/* no permission */
#define TBADF			4	/* not a transport endpoint */
#define TNOADDR			5	/* no address could be allocated */
#define TOUTSTATE		6	/* not in this state */
#define TBADSEQ			7	/* no such connection indication */
#define TSYSERR			8	/* see errno */
#define TLOOK			9	/* see t_look() */
#define TBADDATA		10	/* amount of data */
#define TBUFOVFLW		11	/* a buffer is too small */
#define TFLOW			12	/* flow control */
#define TNODATA			13	/* nothing there yet */
#define TNODIS			14	/* no disconnection indication */
#define TNOUDERR		15	/* no unit data error indication */
#define TBADFLAG		16	/* flags */
#define TNOREL			17	/* no orderly release indication */
#define TNOTSUPPORT		18	/* not with this provider */
#define TSTATECHNG		19	/* the state is changing just now */
#define TNOSTRUCTYPE		20	/* no such structure */
#define TBADNAME		21	/* no such provider */
#define TBADQLEN		22	/* qlen is 0 */
#define TADDRBUSY		23	/* address in use */
#define TINDOUT			24	/* connection indications outstanding */
#define TPROVMISMATCH		25	/* not of the same provider */
#define TRESQLEN		26	/* the accepting endpoint has a qlen */
#define TRESADDR		27	/* the accepting endpoint's address */
#define TQFULL			28	/* qlen indications are outstanding */
#define TPROTO			29	/* the provider does not keep the protocol */

/* Events, of t_look() */
#define T_LISTEN		0x0001
#define T_CONNECT		0x0002
#define T_DATA			0x0004
#define T_EXDATA		0x0008
#define T_DISCONNECT		0x0010
#define T_UDERR			0x0040
#define T_ORDREL		0x0080
#define T_GODATA		0x0100
#define T_GOEXDATA		0x0200

/* Flags of data */
#define T_MORE			0x001
#define T_EXPEDITED		0x002
#define T_PUSH			0x004

/* Flags of t_optmgmt(), and the results of options */
#define T_NEGOTIATE		0x004
#define T_CHECK			0x008
#define T_DEFAULT		0x010
#define T_SUCCESS		0x020
#define T_FAILURE		0x040
#define T_CURRENT		0x080
#define T_PARTSUCCESS		0x100
#define T_READONLY		0x200
#define T_NOTSUPPORT		0x400

/* servtype of struct t_info */
#define T_COTS			1	/* connections */
#define T_COTS_ORD		2	/* connections with orderly release */
#define T_CLTS			3	/* datagrams */

/* flags of struct t_info */
#define T_SENDZERO		0x001	/* TSDUs of 0 bytes can be sent */
#define T_ORDRELDATA		0x002	/* data can be sent with an orderly release */

/* t_alloc(), t_free(): structures and their fields */
#define T_BIND			1
#define T_OPTMGMT		2
#define T_CALL			3
#define T_DIS			4
#define T_UNITDATA		5
#define T_UDERROR		6
#define T_INFO			7
#define T_ADDR			0x01
#define T_OPT			0x02
#define T_UDATA			0x04
#define T_ALL			0xffff

/* States, of t_getstate() and t_sync() */
#define T_UNINIT		0	/* not an endpoint; never returned */
#define T_UNBND			1
#define T_IDLE			2
#define T_OUTCON		3
#define T_INCON			4
#define T_DATAXFER		5
#define T_OUTREL		6
#define T_INREL			7

/* Values of options and sizes */
#define T_NULL			0
#define T_ABSREQ		0x8000
#define T_INFINITE		(-1)
#define T_INVALID		(-2)
#define T_UNSPEC		(~0 - 2)

/* The buffers of t_sndv() and the other functions with a vector, at most */
#define T_IOV_MAX		16
#ifndef _SC_T_IOV_MAX
#define _SC_T_IOV_MAX		66
#endif

struct t_iovec {
	void *iov_base;
	size_t iov_len;
};

struct t_info {
	t_scalar_t addr;	/* bytes of an address */
	t_scalar_t options;	/* bytes of options */
	t_scalar_t tsdu;	/* bytes of a TSDU; 0: there are only streams of bytes */
	t_scalar_t etsdu;	/* bytes of an expedited TSDU */
	t_scalar_t connect;	/* bytes of data with a connection's begin */
	t_scalar_t discon;	/* and with its end */
	t_scalar_t servtype;	/* T_COTS ... */
	t_scalar_t flags;	/* T_SENDZERO ... */
};

/* <tiuser.h> sets these macros. */
#ifndef _XTI_BUF
#define _XTI_BUF		void
#define _XTI_ERROR		int
#define _XTI_TEXT		const char
#endif

#ifndef _TIRPC_TYPES_H
struct netbuf {
	unsigned int maxlen;	/* bytes there is room for */
	unsigned int len;	/* bytes there are */
	_XTI_BUF *buf;
};

struct t_bind {
	struct netbuf addr;
	unsigned int qlen;
};
#endif

/* An option; its value follows, and the next one at a multiple of 4. */
struct t_opthdr {
	t_uscalar_t len;	/* of header and value */
	t_uscalar_t level;
	t_uscalar_t name;
	t_uscalar_t status;
};

struct t_optmgmt {
	struct netbuf opt;
	t_scalar_t flags;
};

struct t_discon {
	struct netbuf udata;
	int reason;
	int sequence;
};

struct t_call {
	struct netbuf addr;
	struct netbuf opt;
	struct netbuf udata;
	int sequence;
};

struct t_unitdata {
	struct netbuf addr;
	struct netbuf opt;
	struct netbuf udata;
};

struct t_uderr {
	struct netbuf addr;
	struct netbuf opt;
	t_scalar_t error;
};

/* Value of XTI_LINGER */
struct t_linger {
	t_scalar_t l_onoff;	/* T_YES, T_NO */
	t_scalar_t l_linger;	/* seconds, T_INFINITE, T_UNSPEC */
};

/* Value of T_TCP_KEEPALIVE */
struct t_kpalive {
	t_scalar_t kp_onoff;	/* T_YES, T_NO, T_YES | T_GARBAGE */
	t_scalar_t kp_timeout;	/* minutes */
};

/* The address of the next option in a buffer that starts at a multiple of 4 */
#define T_ALIGN(p)							\
	(((uintptr_t)(p) + (sizeof(t_scalar_t) - 1)) &			\
	 ~(uintptr_t)(sizeof(t_scalar_t) - 1))
#define T_OPT_FIRSTHDR(nbp)						\
	((nbp)->len >= sizeof(struct t_opthdr) ?			\
	 (struct t_opthdr *)(void *)(nbp)->buf : (struct t_opthdr *)0)
#define T_OPT_DATA(tohp)						\
	((unsigned char *)(tohp) + sizeof(struct t_opthdr))
#define _T_OPT_NEXT(buflen, at)						\
	((at) + sizeof(struct t_opthdr) <= (size_t)(buflen) ? (at) : (size_t)0)
#define _T_OPT_AT(pbuf, popt)						\
	((size_t)((char *)(popt) - (char *)(pbuf)))
#define _T_OPT_AFTER(pbuf, popt)					\
	(_T_OPT_AT(pbuf, popt) +					\
	 (size_t)T_ALIGN(((struct t_opthdr *)(popt))->len))
#define OPT_NEXTHDR(pbuf, buflen, popt)					\
	(((struct t_opthdr *)(popt))->len >= sizeof(struct t_opthdr) &&	\
	 ((struct t_opthdr *)(popt))->len <=				\
	 (size_t)(buflen) - _T_OPT_AT(pbuf, popt) &&			\
	 _T_OPT_NEXT(buflen, _T_OPT_AFTER(pbuf, popt)) ?		\
	 (struct t_opthdr *)(void *)((char *)(pbuf) + _T_OPT_AFTER(pbuf, popt)) : \
	 (struct t_opthdr *)0)
#define T_OPT_NEXTHDR(pbuf, buflen, popt)	OPT_NEXTHDR(pbuf, buflen, popt)

/* Value of T_IP_TOS: precedence and type of service */
#define T_ROUTINE		0
#define T_PRIORITY		1
#define T_IMMEDIATE		2
#define T_FLASH			3
#define T_OVERRIDEFLASH		4
#define T_CRITIC_ECP		5
#define T_INETCONTROL		6
#define T_NETCONTROL		7
#define T_NOTOS			0
#define T_LDELAY		(1 << 4)
#define T_HITHRPT		(1 << 3)
#define T_HIREL			(1 << 2)
#define T_LOCOST		(1 << 1)
#define SET_TOS(prec, tos)	((0x7 & (prec)) << 5 | (0x1e & (tos)))

/* The Internet's names without T_, except those of <netinet/in.h>, <netinet/tcp.h> */
#define INET_TCP		T_INET_TCP
#define INET_UDP		T_INET_UDP
#define INET_IP			T_INET_IP
#define UDP_CHECKSUM		T_UDP_CHECKSUM
#define TCP_KEEPALIVE		T_TCP_KEEPALIVE
#define IP_REUSEADDR		T_IP_REUSEADDR
#define IP_DONTROUTE		T_IP_DONTROUTE
#define IP_BROADCAST		T_IP_BROADCAST

/* ISO transport: level, and options of connections and of datagrams */
#define T_ISO_TP		0x0100
#define T_TCO_THROUGHPUT	0x0001	/* struct thrpt */
#define T_TCO_TRANSDEL		0x0002	/* struct transdel */
#define T_TCO_RESERRORRATE	0x0003	/* struct rate */
#define T_TCO_TRANSFFAILPROB	0x0004
#define T_TCO_ESTFAILPROB	0x0005
#define T_TCO_RELFAILPROB	0x0006
#define T_TCO_ESTDELAY		0x0007
#define T_TCO_RELDELAY		0x0008
#define T_TCO_CONNRESIL		0x0009
#define T_TCO_PROTECTION	0x000a	/* t_uscalar_t: T_NOPROTECT ... */
#define T_TCO_PRIORITY		0x000b	/* t_uscalar_t: T_PRITOP ... */
#define T_TCO_EXPD		0x000c	/* t_uscalar_t: T_YES, T_NO */
#define T_TCL_TRANSDEL		0x000d	/* struct rate */
#define T_TCL_RESERRORRATE	T_TCO_RESERRORRATE
#define T_TCL_PROTECTION	T_TCO_PROTECTION
#define T_TCL_PRIORITY		T_TCO_PRIORITY
#define T_TCO_LTPDU		0x0100
#define T_TCO_ACKTIME		0x0200
#define T_TCO_REASTIME		0x0300
#define T_TCO_EXTFORM		0x0400
#define T_TCO_FLOWCTRL		0x0500
#define T_TCO_CHECKSUM		0x0600
#define T_TCO_NETEXP		0x0700
#define T_TCO_NETRECPTCF	0x0800
#define T_TCO_PREFCLASS		0x0900	/* t_uscalar_t: T_CLASS0 ... */
#define T_TCO_ALTCLASS1		0x0a00
#define T_TCO_ALTCLASS2		0x0b00
#define T_TCO_ALTCLASS3		0x0c00
#define T_TCO_ALTCLASS4		0x0d00
#define T_TCL_CHECKSUM		T_TCO_CHECKSUM
#define T_CLASS0		0
#define T_CLASS1		1
#define T_CLASS2		2
#define T_CLASS3		3
#define T_CLASS4		4
#define T_PRITOP		0
#define T_PRIHIGH		1
#define T_PRIMID		2
#define T_PRILOW		3
#define T_PRIDFLT		4
#define T_NOPROTECT		1
#define T_PASSIVEPROTECT	2
#define T_ACTIVEPROTECT		4
#define T_LTPDUDFLT		128

struct rate {
	t_scalar_t targetvalue;
	t_scalar_t minacceptvalue;
};

struct reqvalue {
	struct rate called;
	struct rate calling;
};

struct thrpt {
	struct reqvalue maxthrpt;
	struct reqvalue avgthrpt;
};

struct transdel {
	struct reqvalue maxdel;
	struct reqvalue avgdel;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the error of the calling thread. */
int *_t_errno(void);
#define t_errno			(*_t_errno())

int t_accept(int fd, int resfd, const struct t_call *call);
_XTI_BUF *t_alloc(int fd, int struct_type, int fields);
int t_bind(int fd, const struct t_bind *req, struct t_bind *ret);
int t_close(int fd);
int t_connect(int fd, const struct t_call *sndcall, struct t_call *rcvcall);
_XTI_ERROR t_error(const char *errmsg);
int t_free(void *ptr, int struct_type);
int t_getinfo(int fd, struct t_info *info);
int t_getprotaddr(int fd, struct t_bind *bound, struct t_bind *peer);
int t_getstate(int fd);
int t_listen(int fd, struct t_call *call);
int t_look(int fd);
int t_open(const char *name, int oflag, struct t_info *info);
int t_optmgmt(int fd, const struct t_optmgmt *req, struct t_optmgmt *ret);
int t_rcv(int fd, void *buf, unsigned int nbytes, int *flags);
int t_rcvconnect(int fd, struct t_call *call);
int t_rcvdis(int fd, struct t_discon *discon);
int t_rcvrel(int fd);
int t_rcvreldata(int fd, struct t_discon *discon);
int t_rcvudata(int fd, struct t_unitdata *unitdata, int *flags);
int t_rcvuderr(int fd, struct t_uderr *uderr);
int t_rcvv(int fd, struct t_iovec *iov, unsigned int iovcount, int *flags);
int t_rcvvudata(int fd, struct t_unitdata *unitdata, struct t_iovec *iov,
		unsigned int iovcount, int *flags);
int t_snd(int fd, void *buf, unsigned int nbytes, int flags);
int t_snddis(int fd, const struct t_call *call);
int t_sndrel(int fd);
int t_sndreldata(int fd, struct t_discon *discon);
int t_sndudata(int fd, const struct t_unitdata *unitdata);
int t_sndv(int fd, const struct t_iovec *iov, unsigned int iovcount, int flags);
int t_sndvudata(int fd, struct t_unitdata *unitdata, struct t_iovec *iov,
		unsigned int iovcount);
_XTI_TEXT *t_strerror(int errnum);
int t_sync(int fd);
int t_sysconf(int name);
int t_unbind(int fd);

#ifdef __cplusplus
}
#endif

#endif /* _XTI_H */
