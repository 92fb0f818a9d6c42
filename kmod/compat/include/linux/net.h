/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _STRSOCK_COMPAT_LINUX_NET_H
#define _STRSOCK_COMPAT_LINUX_NET_H

#include_next <linux/net.h>
#include <linux/socket.h>
#include "strsock_features.h"

/* 6.5: a caller can ask for pages to be spliced into a packet. */
#ifndef MSG_SPLICE_PAGES
#define MSG_SPLICE_PAGES	0
#endif

/**
 * TRY_ACCEPT_OP() - define NAME_accept() for struct proto_ops
 * @name: the NAME
 * @base: the operations whose accept() it calls
 * @accepted: called with both sockets after that, if there is a new one; returns 0 or
 *	an error
 */
#ifdef HAVE_PROTO_ACCEPT_ARG
#define TRY_ACCEPT_OP(name, base, accepted)				\
static int name##_accept(struct socket *sock, struct socket *newsock,	\
			 struct proto_accept_arg *arg)			\
{									\
	return (base)->accept(sock, newsock, arg) ?: accepted(sock, newsock); \
}
#else
#define TRY_ACCEPT_OP(name, base, accepted)				\
static int name##_accept(struct socket *sock, struct socket *newsock,	\
			 int flags, bool kern)				\
{									\
	return (base)->accept(sock, newsock, flags, kern) ?: accepted(sock, newsock); \
}
#endif

/**
 * SENDPAGE_OP() - define NAME_sendpage() for struct proto_ops, to be put into
 *	one by SET_SENDPAGE()
 * @name: the NAME
 * @base: the operations whose sendpage() it calls
 * @sent: called with the number of bytes after that, if any were sent
 *
 * sendfile(2) and splice(2) call it; in kernels without it they call
 * sendmsg().
 */
#ifdef HAVE_PROTO_OPS_SENDPAGE
#define SENDPAGE_OP(name, base, sent)					\
static ssize_t name##_sendpage(struct socket *sock, struct page *page,	\
			       int offset, size_t size, int flags)	\
{									\
	ssize_t ret = (base)->sendpage(sock, page, offset, size, flags); \
									\
	if (ret > 0)							\
		sent(ret);						\
	return ret;							\
}

/**
 * SENDPAGE_BY_MSG_OP() - as SENDPAGE_OP(), but by sendmsg()
 * @name: the NAME
 */
#define SENDPAGE_BY_MSG_OP(name)					\
static ssize_t name##_sendpage(struct socket *sock, struct page *page,	\
			       int offset, size_t size, int flags)	\
{									\
	if (flags & MSG_SENDPAGE_NOTLAST)				\
		flags |= MSG_MORE;					\
	return sock_no_sendpage(sock, page, offset, size, flags);	\
}

#define SET_SENDPAGE(ops, name)	((ops)->sendpage = name##_sendpage)
#else
#define SENDPAGE_OP(name, base, sent)
#define SENDPAGE_BY_MSG_OP(name)
#define SET_SENDPAGE(ops, name)	do { } while (0)
#endif

#endif
