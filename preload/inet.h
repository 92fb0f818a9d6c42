/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * inet.h - sockets, on STREAMS and native, for the hook and for libsocket
 */
#ifndef STRSOCK_INET_H
#define STRSOCK_INET_H

int inet_streams(int domain, int type, int protocol);
int inet_native(int domain, int type, int protocol);

#endif /* STRSOCK_INET_H */
