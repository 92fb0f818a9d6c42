/* SPDX-License-Identifier: GPL-2.0-only */
/* sockmap.h - bytes of a TCP socket that BPF redirects to another one */
#ifndef BENCH_SOCKMAP_H
#define BENCH_SOCKMAP_H

/*
 * Redirects what is sent on each of two connected sockets to the receive queue of the other.
 * Returns a descriptor, at whose close that ends; or ends the program, with 3 if the kernel
 * does not allow it.
 */
int sockmap_join(int tx, int rx);

#endif /* BENCH_SOCKMAP_H */
