/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * loop.h - the loopback transports, by sockets of AF_UNIX
 *
 * ticots and ticotsord are SOCK_SEQPACKET, ticlts is SOCK_DGRAM. Each message is a
 * frame: this header, an address, data.
 *
 * The sockets have abstract names, which the kernel knows within a network
 * namespace, and which end with their sockets. Such names have no owner. So a
 * name contains the number of a user; a caller tries its own user and then
 * root, and trusts a socket that answers only if the kernel says that it
 * belongs to that user.
 */
#ifndef _LIBXTI_SOCK_LOOP_H
#define _LIBXTI_SOCK_LOOP_H

#include <sys/un.h>

#include "sock/sock.h"

#define LOOP_QLEN_MAX	1024	/* connections that wait to be accepted */

enum loop_what {
	LOOP_CALL,		/* a connection is wanted; with the caller's address */
	LOOP_LOOKED,		/* the listener found no LOOP_CALL, see conn.c */
	LOOP_ANSWER,		/* there is one; with the address of its endpoint */
	LOOP_DISCON,		/* it has ended, or was refused: value is the reason */
	LOOP_DATA,		/* value: the TSDU continues */
	LOOP_EXDATA,
	LOOP_ORDREL,
	LOOP_UNITDATA,		/* with the sender's address */
};

struct loop_frame {
	uint32_t what;
	int32_t value;
	uint32_t addr_len;	/* bytes of the address that follows */
};

/* An address as a name, of that user. */
LOCAL socklen_t loop_name(const struct sock_kind *kind, uid_t user,
			  const struct sock_addr *addr, struct sockaddr_un *name);
/* Makes an address of a name; of no bytes when the name does not hold all of them. */
LOCAL void loop_addr(struct sock_addr *addr);
/* Whether a socket of that name may say that it has the address. */
LOCAL bool loop_is_name(const struct sock_kind *kind, const struct sock_addr *addr,
			const struct sockaddr_un *name, socklen_t len);
/* The users to try: how many, 1 or 2. */
LOCAL int loop_users(uid_t user[2]);
/* Sends a frame without waiting; bytes of data, or -1. */
LOCAL ssize_t loop_send(int fd, const struct loop_frame *frame,
			const struct sock_addr *addr, const void *data, size_t len);
/*
 * Takes a frame, whose data is put into the room there is and the rest kept for
 * sock_take_rest(); its length, 0 at the end, -1.
 */
LOCAL ssize_t loop_take(struct endpoint *ep, int fd, struct loop_frame *frame,
			struct sock_addr *addr, struct tpi_msg *msg, void *data,
			size_t size, struct msghdr *m);
/* Copies data into a message's room, and keeps the rest. */
LOCAL void loop_give(struct sock_end *s, struct tpi_msg *msg, void *data,
		     size_t size, const void *from, size_t len);

/* The endpoint's socket gets a name: 0 or an errno. Of no bytes: any that is free. */
LOCAL int loop_bind(struct endpoint *ep, struct sock_addr *addr);

/* conn.c, for ../conn.c and ../listen.c */
LOCAL int loop_call(struct endpoint *ep, const struct sock_addr *to,
		    const struct netbuf *udata);
LOCAL void loop_answer(struct endpoint *ep, struct endpoint *res, int fd,
		       const struct netbuf *udata);
LOCAL void loop_farewell(int fd, int reason, const struct netbuf *udata);
/*
 * Whether the caller of an accepted connection has sent its address: 1, 0 not
 * yet, -1 never.
 */
LOCAL int loop_asked(struct endpoint *ep, struct sock_pending *p);
/* Makes the listening endpoint's descriptor readable. */
LOCAL void loop_knock(struct endpoint *ep);
LOCAL void loop_looked(struct sock_pending *p);

#endif /* _LIBXTI_SOCK_LOOP_H */
