/* SPDX-License-Identifier: GPL-2.0-only */
/* The addresses and the state of a STREAMS socket, in its line of /proc/streams/open */
#ifndef _SOCKET_SHOW_H
#define _SOCKET_SHOW_H

struct seq_file;
struct sock;

void strsock_show_names(struct seq_file *m, const struct sock *sk);

#endif /* _SOCKET_SHOW_H */
