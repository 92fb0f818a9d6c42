/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace points: the system "streams" of tracefs, perf and bpftrace
 *
 * A stream is named by its id in /proc/streams/open. A queue is named by its module, or
 * driver, and its side. A reader of the events knows a queue again by its address.
 * events.c has the code behind the trace points.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM streams

#if !defined(_STREAMS_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _STREAMS_TRACE_H

#include <linux/tracepoint.h>
#include <sys/stream.h>

struct str_entry;

/* The bytes of a module's name and of a reason, with the 0 at the end */
#define STR_TRACE_MODULE	16
#define STR_TRACE_REASON	24

/* A stream is opened, closed; bytes of data are queued at a stream head, taken by a reader. */
DECLARE_EVENT_CLASS(streams_stream,
	TP_PROTO(const struct str_entry *e, size_t bytes),
	TP_ARGS(e, bytes),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(size_t, bytes)
		__field(int, kind)
	),
	TP_fast_assign(
		__entry->id = e->number;
		__entry->bytes = bytes;
		__entry->kind = e->kind;
	),
	TP_printk("id=%llu kind=%s bytes=%zu", __entry->id, STR_TRACE_KIND(__entry->kind),
		  __entry->bytes)
);

#define STR_STREAM_EVENT(name)							\
	DEFINE_EVENT(streams_stream, name,					\
		     TP_PROTO(const struct str_entry *e, size_t bytes), TP_ARGS(e, bytes))

STR_STREAM_EVENT(streams_open);
STR_STREAM_EVENT(streams_close);
STR_STREAM_EVENT(streams_head_queue);
STR_STREAM_EVENT(streams_head_take);

/*
 * A module is pushed, popped; a procedure of a queue begins, ends; a queue is found full,
 * has room again; a task begins to wait at a stream head to read or to write, is woken. Only
 * the beginning of a put procedure has a message.
 */
DECLARE_EVENT_CLASS(streams_queue,
	TP_PROTO(const queue_t *q, const mblk_t *mp),
	TP_ARGS(q, mp),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(const void *, queue)
		__field(size_t, bytes)
		__field(int, type)
		__field(int, reads)
		__array(char, module, STR_TRACE_MODULE)
	),
	TP_fast_assign(
		__entry->id = STR_TRACE_ID(q);
		__entry->queue = q;
		__entry->bytes = mp ? msgsize(mp) : q->q_count;
		__entry->type = mp ? DB_TYPE(mp) : -1;
		__entry->reads = !!(q->q_flag & QREADR);
		strscpy(__entry->module, STR_TRACE_NAME(q), STR_TRACE_MODULE);
	),
	TP_printk("id=%llu module=%s side=%s queue=%p bytes=%zu type=%d", __entry->id,
		  __entry->module, __entry->reads ? "read" : "write", __entry->queue,
		  __entry->bytes, __entry->type)
);

#define STR_QUEUE_EVENT(name)							\
	DEFINE_EVENT(streams_queue, name,					\
		     TP_PROTO(const queue_t *q, const mblk_t *mp), TP_ARGS(q, mp))

STR_QUEUE_EVENT(streams_push);
STR_QUEUE_EVENT(streams_pop);
STR_QUEUE_EVENT(streams_put);
STR_QUEUE_EVENT(streams_put_done);
STR_QUEUE_EVENT(streams_service);
STR_QUEUE_EVENT(streams_service_done);
STR_QUEUE_EVENT(streams_flow_stop);
STR_QUEUE_EVENT(streams_flow_resume);
STR_QUEUE_EVENT(streams_wait);
STR_QUEUE_EVENT(streams_wake);

/* A message for a queue is lost. */
TRACE_EVENT(streams_drop,
	TP_PROTO(const queue_t *q, const char *reason),
	TP_ARGS(q, reason),
	TP_STRUCT__entry(
		__field(u64, id)
		__array(char, module, STR_TRACE_MODULE)
		__array(char, reason, STR_TRACE_REASON)
	),
	TP_fast_assign(
		__entry->id = STR_TRACE_ID(q);
		strscpy(__entry->module, STR_TRACE_NAME(q), STR_TRACE_MODULE);
		strscpy(__entry->reason, reason, STR_TRACE_REASON);
	),
	TP_printk("id=%llu module=%s reason=%s", __entry->id, __entry->module,
		  __entry->reason)
);

/* A message from a port of this host to another took the short way, or there was an obstacle. */
TRACE_EVENT(streams_way,
	TP_PROTO(int kind, unsigned int port, size_t bytes, const char *obstacle),
	TP_ARGS(kind, port, bytes, obstacle),
	TP_STRUCT__entry(
		__field(int, kind)
		__field(unsigned int, port)
		__field(size_t, bytes)
		__array(char, obstacle, STR_TRACE_REASON)
	),
	TP_fast_assign(
		__entry->kind = kind;
		__entry->port = port;
		__entry->bytes = bytes;
		strscpy(__entry->obstacle, obstacle, STR_TRACE_REASON);
	),
	TP_printk("kind=%s port=%u bytes=%zu obstacle=%s", STR_TRACE_KIND(__entry->kind),
		  __entry->port, __entry->bytes, __entry->obstacle)
);

#endif /* _STREAMS_TRACE_H */

/* The rest is outside the guard, as the kernel's headers read it several times. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH streams
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
