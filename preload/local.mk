# libstrsock.so: loaded into programs by their dynamic linker, linked with by
# none, so it has no version.

strsock_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/preload -DSYSCONFDIR='"$(sysconfdir)"'

lib_LTLIBRARIES += preload/libstrsock.la
preload_libstrsock_la_SOURCES = \
	preload/hooks.h preload/sys.h \
	preload/conf.c preload/conf.h \
	preload/fcntl.c \
	preload/inet.c preload/inet.h \
	preload/log.c preload/log.h \
	preload/oldstreams.c \
	preload/pipe.c preload/pipe.h \
	preload/policy.c preload/policy.h \
	preload/popen.c \
	preload/rules.c preload/rules.h \
	preload/setting.c preload/setting.h \
	preload/socket.c \
	preload/splice.c \
	libstreams/fattach.c libstreams/getmsg.c libstreams/isastream.c \
	libstreams/libstreams.h libstreams/name.c libstreams/name.h libstreams/putmsg.c
preload_libstrsock_la_CPPFLAGS = $(strsock_cppflags) $(strname_cppflags)
preload_libstrsock_la_CFLAGS = $(AM_CFLAGS) -std=gnu11 -fvisibility=hidden -fno-plt
preload_libstrsock_la_LDFLAGS = -module -avoid-version -shared \
	-Wl,-z,now -Wl,-z,relro -Wl,-z,defs -Wl,-z,noseparate-code \
	-Wl,--version-script=$(srcdir)/preload/libstrsock.map
preload_libstrsock_la_DEPENDENCIES = preload/libstrsock.map

EXTRA_DIST += preload/strsock.conf preload/libstrsock.map
