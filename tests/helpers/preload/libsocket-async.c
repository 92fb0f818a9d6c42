// SPDX-License-Identifier: GPL-2.0-only
/* libsocket-async.c - preload-async.c, linked with -lsocket */
#include "preload-async.c"
