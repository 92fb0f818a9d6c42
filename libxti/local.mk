# libxti.so: the X/Open Transport Interface
#
# It has getmsg() and the like inside: C libraries keep stubs of these names for
# old programs, and a program of -lxti alone would have its libxti bound to them.
lib_LTLIBRARIES += libxti/libxti.la
libxti_libxti_la_SOURCES = \
	libxti/api/accept.c \
	libxti/api/alloc.c \
	libxti/api/bind.c \
	libxti/api/connect.c \
	libxti/api/data.c \
	libxti/api/discon.c \
	libxti/api/info.c libxti/api/info.h \
	libxti/api/open.c \
	libxti/api/optmgmt.c \
	libxti/api/release.c \
	libxti/api/sysconf.c \
	libxti/api/udata.c \
	libxti/core/carrier.h \
	libxti/core/endpoint.c libxti/core/endpoint.h \
	libxti/core/error.c libxti/core/error.h \
	libxti/core/lock.c libxti/core/lock.h \
	libxti/core/look.c libxti/core/look.h \
	libxti/core/put.c libxti/core/put.h \
	libxti/core/state.c libxti/core/state.h \
	libxti/core/tpi.c libxti/core/tpi.h \
	libxti/core/vector.c libxti/core/vector.h \
	libxti/core/wait.c libxti/core/wait.h \
	libxti/netdir/error.c \
	libxti/netdir/inet.c \
	libxti/netdir/nd.h \
	libxti/netdir/netdir.c \
	libxti/netdir/options.c \
	libxti/netdir/uaddr.c \
	libxti/sock/addr.c \
	libxti/sock/cmsg.c \
	libxti/sock/conn.c \
	libxti/sock/data.c \
	libxti/sock/dgram.c \
	libxti/sock/learn.c \
	libxti/sock/listen.c \
	libxti/sock/option.c libxti/sock/option.h \
	libxti/sock/sock.c libxti/sock/sock.h \
	libxti/sock/loop/conn.c \
	libxti/sock/loop/dgram.c \
	libxti/sock/loop/loop.c libxti/sock/loop/loop.h \
	libxti/stream/request.c \
	libxti/stream/stream.c libxti/stream/stream.h \
	libstreams/getmsg.c libstreams/isastream.c libstreams/libstreams.h libstreams/putmsg.c
libxti_libxti_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_srcdir)/libxti
libxti_libxti_la_CFLAGS = $(AM_CFLAGS) -std=gnu11
libxti_libxti_la_LDFLAGS = -version-info 1:0:0 -Wl,-z,defs \
	-export-symbols-regex '^(t_|_t_errno$$|netdir_|_nd_error$$|taddr2uaddr$$|uaddr2taddr$$)'
