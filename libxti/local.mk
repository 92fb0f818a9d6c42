# libxti.so: the X/Open Transport Interface
#
# It has getmsg() and the like inside: C libraries keep stubs of these names for
# old programs, and a program of -lxti alone would have its libxti bound to them.
lib_LTLIBRARIES += libxti/libxti.la
libxti_libxti_la_SOURCES = \
	libxti/api/accept.c \
	libxti/api/alloc.c \
	libxti/api/attach.c libxti/api/attach.h \
	libxti/api/bind.c \
	libxti/api/connect.c \
	libxti/api/data.c \
	libxti/api/discon.c \
	libxti/api/info.c \
	libxti/api/look.c \
	libxti/api/open.c \
	libxti/api/optmgmt.c \
	libxti/api/release.c \
	libxti/api/sync.c libxti/api/sync.h \
	libxti/api/sysconf.c \
	libxti/api/udata.c \
	libxti/core/carrier.h \
	libxti/core/endpoint.c libxti/core/endpoint.h \
	libxti/core/error.c libxti/core/error.h \
	libxti/core/event.c libxti/core/event.h \
	libxti/core/info.c libxti/core/info.h \
	libxti/core/lock.c libxti/core/lock.h \
	libxti/core/options.c libxti/core/options.h \
	libxti/core/put.c libxti/core/put.h \
	libxti/core/receive.c libxti/core/receive.h \
	libxti/core/state.c libxti/core/state.h \
	libxti/core/tpi.c libxti/core/tpi.h \
	libxti/core/vector.c libxti/core/vector.h \
	libxti/core/wait.c libxti/core/wait.h \
	libxti/netdir/error.c \
	libxti/netdir/inet.c libxti/netdir/inet.h \
	libxti/netdir/kind.c libxti/netdir/kind.h \
	libxti/netdir/netbuf.c libxti/netdir/netbuf.h \
	libxti/netdir/netdir.c \
	libxti/netdir/options.c \
	libxti/netdir/uaddr.c libxti/netdir/uaddr.h \
	libxti/sock/addr.c libxti/sock/addr.h \
	libxti/sock/cmsg.c libxti/sock/cmsg.h \
	libxti/sock/conn.c libxti/sock/conn.h \
	libxti/sock/data.c libxti/sock/data.h \
	libxti/sock/dgram.c libxti/sock/dgram.h \
	libxti/sock/end.c libxti/sock/end.h \
	libxti/sock/listen.c libxti/sock/listen.h \
	libxti/sock/option.c libxti/sock/option.h \
	libxti/sock/over.c libxti/sock/over.h \
	libxti/sock/pending.c libxti/sock/pending.h \
	libxti/sock/provider.c libxti/sock/provider.h \
	libxti/sock/renew.c libxti/sock/renew.h \
	libxti/sock/spill.c libxti/sock/spill.h \
	libxti/sock/state.c libxti/sock/state.h \
	libxti/sock/uderr.c libxti/sock/uderr.h \
	libxti/sock/loop/call.c libxti/sock/loop/call.h \
	libxti/sock/loop/conn.c libxti/sock/loop/conn.h \
	libxti/sock/loop/dgram.c libxti/sock/loop/dgram.h \
	libxti/sock/loop/frame.c libxti/sock/loop/frame.h \
	libxti/sock/loop/name.c libxti/sock/loop/name.h \
	libxti/stream/message.c libxti/stream/message.h \
	libxti/stream/request.c libxti/stream/request.h \
	libxti/stream/stream.c libxti/stream/stream.h \
	libstreams/getmsg.c libstreams/isastream.c libstreams/putmsg.c \
	libstreams/strio.c libstreams/strio.h
libxti_libxti_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_srcdir)/libxti
libxti_libxti_la_CFLAGS = $(AM_CFLAGS) -std=gnu11
libxti_libxti_la_LDFLAGS = -version-info 1:0:0 -Wl,-z,defs \
	-export-symbols-regex '^(t_|_t_errno$$|netdir_|_nd_error$$|taddr2uaddr$$|uaddr2taddr$$)'
