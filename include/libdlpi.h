/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libdlpi.h - network devices by the Data Link Provider Interface; see libdlpi(3) */
#ifndef _LIBDLPI_H
#define _LIBDLPI_H

#include <stddef.h>
#include <sys/dlpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As System V's <sys/types.h> has it */
#ifndef _BOOLEAN_T
#define _BOOLEAN_T
typedef enum { B_FALSE, B_TRUE } boolean_t;
#endif

#define DLPI_PHYSADDR_MAX	64	/* bytes of any physical address */
#define DLPI_LINKNAME_MAX	32	/* ... of a link's name, with its end */

/* dlpi_open(): the use of the handle */
#define DLPI_PASSIVE	0x0001		/* without effect */
#define DLPI_RAW	0x0002		/* frames with their link header */
#define DLPI_NATIVE	0x0004		/* likewise */

#define DLPI_ANY_SAP	((unsigned int)-1)
#define DLPI_DEF_TIMEOUT	5	/* seconds */

/* Values that the functions return, besides those of dl_errno. */
enum {
	DLPI_SUCCESS = 10000,
	DLPI_EINVAL,			/* an argument */
	DLPI_ELINKNAMEINVAL,		/* not a link's name */
	DLPI_ENOLINK,			/* no such link */
	DLPI_EBADLINK,			/* a link of an unknown kind */
	DLPI_EINHANDLE,			/* no handle */
	DLPI_ETIMEDOUT,
	DLPI_EVERNOTSUP,		/* not version 2 */
	DLPI_EMODENOTSUP,		/* not connectionless */
	DLPI_EUNAVAILSAP,		/* another SAP was bound */
	DLPI_FAILURE,
	DLPI_ENOTSTYLE2,
	DLPI_EBADMSG,			/* not the message that should come */
	DLPI_ERAWNOTSUP,
	DLPI_ENOTEINVAL,		/* no such notification */
	DLPI_ENOTENOTSUP,		/* the link does not have it */
	DLPI_ENOTEIDINVAL,		/* no such registration */
	DLPI_ERRMAX
};

typedef struct dlpi_handle *dlpi_handle_t;
typedef struct dlpi_notify *dlpi_notifyid_t;

typedef struct {
	unsigned int di_opts;		/* 0 */
	unsigned int di_max_sdu;
	unsigned int di_min_sdu;
	unsigned int di_state;		/* DL_UNBOUND or DL_IDLE */
	unsigned char di_mactype;	/* DL_ETHER ... */
	char di_linkname[DLPI_LINKNAME_MAX];
	unsigned char di_physaddr[DLPI_PHYSADDR_MAX];
	unsigned char di_physaddrlen;	/* 0: it is not bound */
	unsigned char di_bcastaddr[DLPI_PHYSADDR_MAX];
	unsigned char di_bcastaddrlen;	/* 0: there is none */
	unsigned int di_sap;		/* 0: it is not bound */
	int di_timeout;			/* seconds */
	dl_qos_cl_sel1_t di_qos_sel;
	dl_qos_cl_range1_t di_qos_range;
} dlpi_info_t;

/* dri_destaddrtype */
typedef enum {
	DLPI_DESTADDR_UNICAST,
	DLPI_DESTADDR_GROUP
} dlpi_addrtype_t;

typedef struct {
	unsigned char dri_destaddr[DLPI_PHYSADDR_MAX];
	unsigned char dri_destaddrlen;
	dlpi_addrtype_t dri_destaddrtype;
	size_t dri_totmsglen;		/* bytes that there were */
} dlpi_recvinfo_t;

typedef struct {
	unsigned int dsi_sap;
	dl_priority_t dsi_prio;
} dlpi_sendinfo_t;

typedef struct {
	unsigned int dni_note;		/* DL_NOTE_LINK_UP ... */
	union {
		unsigned int dniu_speed;
		unsigned int dniu_size;
		struct {
			unsigned char physaddr[DLPI_PHYSADDR_MAX];
			unsigned char physaddrlen;
		} dniu_addr;
	} dni_data;
} dlpi_notifyinfo_t;

#define dni_speed	dni_data.dniu_speed
#define dni_size	dni_data.dniu_size
#define dni_physaddr	dni_data.dniu_addr.physaddr
#define dni_physaddrlen	dni_data.dniu_addr.physaddrlen

typedef void dlpi_notifyfunc_t(dlpi_handle_t dh, dlpi_notifyinfo_t *info, void *arg);
/* B_TRUE ends the walk. */
typedef boolean_t dlpi_walkfunc_t(const char *linkname, void *arg);

int dlpi_open(const char *linkname, dlpi_handle_t *dhp, unsigned int flags);
void dlpi_close(dlpi_handle_t dh);
int dlpi_info(dlpi_handle_t dh, dlpi_info_t *info, unsigned int opt);
int dlpi_bind(dlpi_handle_t dh, unsigned int sap, unsigned int *boundsap);
int dlpi_unbind(dlpi_handle_t dh);
int dlpi_enabmulti(dlpi_handle_t dh, const void *addr, size_t len);
int dlpi_disabmulti(dlpi_handle_t dh, const void *addr, size_t len);
int dlpi_promiscon(dlpi_handle_t dh, unsigned int level);
int dlpi_promiscoff(dlpi_handle_t dh, unsigned int level);
int dlpi_get_physaddr(dlpi_handle_t dh, unsigned int type, void *addr, size_t *lenp);
int dlpi_set_physaddr(dlpi_handle_t dh, unsigned int type, const void *addr, size_t len);
int dlpi_recv(dlpi_handle_t dh, void *saddr, size_t *saddrlenp, void *msg, size_t *msglenp,
	      int msec, dlpi_recvinfo_t *recv);
int dlpi_send(dlpi_handle_t dh, const void *daddr, size_t daddrlen, const void *msg,
	      size_t msglen, const dlpi_sendinfo_t *send);
int dlpi_enabnotify(dlpi_handle_t dh, unsigned int notes, dlpi_notifyfunc_t *func, void *arg,
		    dlpi_notifyid_t *idp);
int dlpi_disabnotify(dlpi_handle_t dh, dlpi_notifyid_t id, void **argp);
int dlpi_fd(dlpi_handle_t dh);
int dlpi_set_timeout(dlpi_handle_t dh, int sec);
const char *dlpi_linkname(dlpi_handle_t dh);
unsigned int dlpi_style(dlpi_handle_t dh);
void dlpi_walk(dlpi_walkfunc_t *func, void *arg, unsigned int flags);
int dlpi_parselink(const char *linkname, char *provider, unsigned int *ppa);
int dlpi_makelink(char *linkname, const char *provider, unsigned int ppa);
const char *dlpi_strerror(int error);
const char *dlpi_mactype(unsigned int mactype);
unsigned int dlpi_arptype(unsigned int mactype);
unsigned int dlpi_iftype(unsigned int mactype);

#ifdef __cplusplus
}
#endif

#endif /* _LIBDLPI_H */
