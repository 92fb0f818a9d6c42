# libstrsock.so: loaded into programs by their dynamic linker, linked with by
# none, so it has no version.

strsock_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/preload -DSYSCONFDIR='"$(sysconfdir)"'

# The hooks that may run in a signal handler, and what they call: their symbols of the C
# library are bound when the library is loaded.
noinst_LTLIBRARIES = preload/libhooks.la
preload_libhooks_la_SOURCES = \
	preload/hooks.h preload/sys.h \
	preload/fcntl.c \
	preload/inet.c preload/inet.h preload/kind.h \
	preload/log.c preload/log.h \
	preload/mark.h preload/pipe.c preload/pipe.h preload/pipe-make.c preload/pipe-make.h \
	preload/policy.h \
	preload/push.c preload/push.h preload/pushlist.c preload/pushlist.h \
	preload/socket.c \
	preload/splice.c
preload_libhooks_la_CPPFLAGS = $(strsock_cppflags)
preload_libhooks_la_CFLAGS = $(AM_CFLAGS) -std=gnu11 -fvisibility=hidden -fno-plt

lib_LTLIBRARIES += preload/libstrsock.la
preload_libstrsock_la_SOURCES = \
	preload/conf.c preload/conf.h \
	preload/oldstreams.c \
	preload/policy.c \
	preload/popen.c \
	preload/rules.c preload/rules.h \
	preload/setting.c preload/setting.h \
	libstreams/fattach.c libstreams/getmsg.c libstreams/isastream.c \
	libstreams/name.c libstreams/name.h libstreams/putmsg.c \
	libstreams/strio.c libstreams/strio.h
preload_libstrsock_la_LIBADD = preload/libhooks.la
preload_libstrsock_la_CPPFLAGS = $(strsock_cppflags) $(strname_cppflags)
preload_libstrsock_la_CFLAGS = $(AM_CFLAGS) -std=gnu11 -fvisibility=hidden
# It is loaded into every program, so its start counts. Most call none of the other
# functions: what these need is bound at the first call. Without relro all data is in one
# page, and the kernel has one mapping less to make, copy and free. So the addresses of the
# C library's functions stay writable, as in each program and library that binds them at the
# first call. A build with LDFLAGS=-Wl,-z,relro,-z,now, as Debian's packages have it,
# protects them, and pays for it at each start. -nostartfiles leaves out the
# compiler's own constructors, which have nothing to do here.
preload_libstrsock_la_LDFLAGS = -module -avoid-version -shared -Wc,-nostartfiles \
	-Wl,-z,lazy -Wl,-z,norelro -Wl,-z,defs -Wl,-z,noseparate-code \
	-Wl,--version-script=$(srcdir)/preload/libstrsock.map
preload_libstrsock_la_DEPENDENCIES = preload/libhooks.la preload/libstrsock.map

EXTRA_DIST += preload/strsock.conf preload/libstrsock.map
