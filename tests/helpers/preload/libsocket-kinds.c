// SPDX-License-Identifier: GPL-2.0-only
/* libsocket-kinds.c - preload-socket.c, linked with -lsocket */
#include "preload-socket.c"
