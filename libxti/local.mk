# libxti.so: the X/Open Transport Interface
#
# It has getmsg() and the like inside: C libraries keep stubs of these names for
# old programs, and a program of -lxti alone would have its libxti bound to them.
lib_LTLIBRARIES += libxti/libxti.la
libxti_libxti_la_SOURCES = \
	libxti/accept.c \
	libxti/alloc.c \
	libxti/bind.c \
	libxti/carrier.h \
	libxti/connect.c \
	libxti/data.c \
	libxti/discon.c \
	libxti/endpoint.c libxti/endpoint.h \
	libxti/error.c libxti/error.h \
	libxti/info.c libxti/info.h \
	libxti/lock.c libxti/lock.h \
	libxti/look.c libxti/look.h \
	libxti/nd.h libxti/nd_error.c libxti/nd_inet.c libxti/nd_options.c libxti/nd_uaddr.c \
	libxti/netdir.c \
	libxti/open.c \
	libxti/optmgmt.c \
	libxti/put.c libxti/put.h \
	libxti/release.c \
	libxti/sock.c libxti/sock.h libxti/sock_addr.c libxti/sock_cmsg.c \
	libxti/sock_conn.c libxti/sock_data.c libxti/sock_dgram.c libxti/sock_learn.c \
	libxti/sock_listen.c libxti/sock_loop.c libxti/sock_loop.h \
	libxti/sock_loop_conn.c libxti/sock_loop_dgram.c libxti/sock_opt.c libxti/sock_opt.h \
	libxti/state.c libxti/state.h \
	libxti/stream.c libxti/stream.h libxti/stream_request.c \
	libxti/sysconf.c \
	libxti/tpi.c libxti/tpi.h \
	libxti/udata.c \
	libxti/vector.c libxti/vector.h \
	libxti/wait.c libxti/wait.h \
	libstreams/getmsg.c libstreams/isastream.c libstreams/libstreams.h libstreams/putmsg.c
libxti_libxti_la_CFLAGS = $(AM_CFLAGS) -std=gnu11
libxti_libxti_la_LDFLAGS = -version-info 1:0:0 -Wl,-z,defs \
	-export-symbols-regex '^(t_|_t_errno$$|netdir_|_nd_error$$|taddr2uaddr$$|uaddr2taddr$$)'
