/* SPDX-License-Identifier: GPL-2.0-only */
/* descriptors.h - how many descriptors the process may have */
#ifndef BENCH_DESCRIPTORS_H
#define BENCH_DESCRIPTORS_H

/* Allows the process fds descriptors, and makes its table grow now. */
void room_for(int fds);

#endif /* BENCH_DESCRIPTORS_H */
