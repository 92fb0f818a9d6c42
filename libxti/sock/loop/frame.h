/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* frame.h - the messages of the loopback transports: a header, an address, data */
#ifndef _LIBXTI_SOCK_LOOP_FRAME_H
#define _LIBXTI_SOCK_LOOP_FRAME_H

#include "sock/end.h"

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

/* The results of loop_peek_frame() where there is no frame */
enum {
	LOOP_NOTHING = -1,	/* no frame has arrived */
	LOOP_THE_END = -2,	/* no frame will arrive */
	LOOP_NO_SOCKET = -3,	/* the number is not a socket's: TBADF */
};

/*
 * Looks at the first frame's header. Returns its kind, or one of the results
 * above.
 */
LOCAL int loop_peek_frame(int fd, struct loop_frame *frame);
LOCAL void loop_drop_frame(int fd);
/* Sends a frame without waiting; returns the bytes of its data, or -1. */
LOCAL ssize_t loop_send_frame(int fd, const struct loop_frame *frame,
			      const struct sock_addr *addr, const void *data, size_t len);
/*
 * Takes a frame. Its data is put into the given room, and the rest kept for
 * sock_spill_take(). Returns the frame's length, 0 at the end, or -1.
 */
LOCAL ssize_t loop_take_frame(struct endpoint *ep, int fd, struct loop_frame *frame,
			      struct sock_addr *addr, struct tpi_msg *msg, void *data,
			      size_t size, struct msghdr *m);

#endif /* _LIBXTI_SOCK_LOOP_FRAME_H */
