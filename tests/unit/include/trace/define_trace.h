/* SPDX-License-Identifier: GPL-2.0-only */
/* Nothing is defined: see linux/tracepoint.h */
