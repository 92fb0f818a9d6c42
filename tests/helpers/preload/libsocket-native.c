// SPDX-License-Identifier: GPL-2.0-only
/* libsocket-native.c - libsocket.c, linked with the C library alone */
#include "libsocket.c"
