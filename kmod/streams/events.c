// SPDX-License-Identifier: GPL-2.0-only
/* The code behind the trace points of trace.h */
#include <linux/export.h>
#include <linux/string.h>

#include "streams/head/stat.h"
#include "streams/head/stream.h"

#define STR_TRACE_KIND(kind)							\
	__print_symbolic(kind, { STR_KIND_PIPE, "pipe" }, { STR_KIND_DEVICE, "device" }, \
			 { STR_KIND_UDP, "udp" }, { STR_KIND_TCP, "tcp" })
#define STR_TRACE_ID(q)		((q)->q_stream ? (q)->q_stream->sd_entry.number : 0)
#define STR_TRACE_NAME(q)	((q)->q_qinfo->qi_minfo->mi_idname)

#define CREATE_TRACE_POINTS
#include "streams/trace.h"

TRACE_DEFINE_ENUM(STR_KIND_PIPE);
TRACE_DEFINE_ENUM(STR_KIND_DEVICE);
TRACE_DEFINE_ENUM(STR_KIND_UDP);
TRACE_DEFINE_ENUM(STR_KIND_TCP);

/* Providers, which are modules of their own, use these trace points. */
EXPORT_TRACEPOINT_SYMBOL_GPL(streams_head_queue);
EXPORT_TRACEPOINT_SYMBOL_GPL(streams_head_take);
EXPORT_TRACEPOINT_SYMBOL_GPL(streams_wait);
EXPORT_TRACEPOINT_SYMBOL_GPL(streams_wake);
EXPORT_TRACEPOINT_SYMBOL_GPL(streams_way);
