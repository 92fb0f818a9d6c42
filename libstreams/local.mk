# libstreams.so: the system calls of System V that Linux has no number for
strname_cppflags = -DSTRNAME_HELPER='"$(pkglibexecdir)/strname-helper"'

lib_LTLIBRARIES += libstreams/libstreams.la
libstreams_libstreams_la_SOURCES = \
	libstreams/fattach.c \
	libstreams/getmsg.c \
	libstreams/isastream.c \
	libstreams/name.c libstreams/name.h \
	libstreams/putmsg.c \
	libstreams/strio.c libstreams/strio.h \
	libstreams/strmkfifo.c \
	libstreams/strpipe.c libstreams/strpipe.h
libstreams_libstreams_la_CPPFLAGS = $(AM_CPPFLAGS) $(strname_cppflags)
libstreams_libstreams_la_CFLAGS = $(AM_CFLAGS) -std=gnu11
libstreams_libstreams_la_LDFLAGS = -version-info 1:0:0 -Wl,-z,defs
