# libstreams.so: the system calls of System V that Linux has no number for
lib_LTLIBRARIES += libstreams/libstreams.la
libstreams_libstreams_la_SOURCES = \
	libstreams/getmsg.c \
	libstreams/isastream.c \
	libstreams/libstreams.h \
	libstreams/putmsg.c \
	libstreams/strpipe.c
libstreams_libstreams_la_CFLAGS = $(AM_CFLAGS) -std=gnu11
libstreams_libstreams_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,defs
