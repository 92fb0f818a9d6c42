# libsocket.so: sockets the way that System V has them, -lsocket
#
# What it exports has no version, so that it is found before the C library's also
# by the other libraries of a program.
lib_LTLIBRARIES += libsocket/libsocket.la
libsocket_libsocket_la_SOURCES = \
	libsocket/policy.c \
	libsocket/sock2path.c libsocket/sock2path.h \
	libsocket/socket.c \
	preload/conf.c preload/conf.h \
	preload/hooks.h preload/sys.h \
	preload/inet.c preload/inet.h \
	preload/log.c preload/log.h \
	preload/policy.h \
	preload/setting.c preload/setting.h
libsocket_libsocket_la_CPPFLAGS = $(strsock_cppflags)
libsocket_libsocket_la_CFLAGS = $(AM_CFLAGS) -std=gnu11 -fvisibility=hidden -fno-plt
libsocket_libsocket_la_LDFLAGS = -version-info 0:0:0 \
	-Wl,-z,now -Wl,-z,relro -Wl,-z,defs
