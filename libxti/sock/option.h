/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* option.h - the options of an endpoint's socket */
#ifndef _LIBXTI_SOCK_OPTION_H
#define _LIBXTI_SOCK_OPTION_H

#include "end.h"

LOCAL extern const struct sock_opts sock_tcp_opts, sock_tcp6_opts, sock_udp_opts,
	sock_udp6_opts, sock_raw_opts, sock_raw6_opts, sock_loop_opts;

LOCAL int sock_option_manage(struct endpoint *ep, const struct tpi_req *req,
			     struct tpi_msg *ack);
/*
 * Sets the options that come with a connection. Returns TBADOPT if one is
 * invalid.
 */
LOCAL int sock_option_apply(struct endpoint *ep, int fd, const struct netbuf *opt);
/* Gives another socket the options that the endpoint's socket has. */
LOCAL void sock_option_copy(struct endpoint *ep, int to);
/* Returns whether datagrams come with options, by the socket's options. */
LOCAL bool sock_option_controls(const struct sock_kind *kind, int fd);

#endif /* _LIBXTI_SOCK_OPTION_H */
