/* SPDX-License-Identifier: GPL-2.0-only */
/* Trace points that are off: see types.h */
#ifndef _UNIT_LINUX_TRACEPOINT_H
#define _UNIT_LINUX_TRACEPOINT_H

#include <linux/types.h>

#define TP_PROTO(...)	__VA_ARGS__
#define PARAMS(...)	__VA_ARGS__
#define DECLARE_EVENT_CLASS(name, ...)
#define TRACE_EVENT(name, proto, ...)						\
	static inline void trace_##name(proto) { }				\
	static inline bool trace_##name##_enabled(void)				\
	{									\
		return false;							\
	}									\
	struct event_##name
#define DEFINE_EVENT(class, name, proto, args)	TRACE_EVENT(name, PARAMS(proto), args)

#endif /* _UNIT_LINUX_TRACEPOINT_H */
