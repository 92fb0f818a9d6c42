# libdlpi.so: network devices by the Data Link Provider Interface
#
# It has getmsg() and putmsg() inside, as libxti has.
lib_LTLIBRARIES += libdlpi/libdlpi.la
libdlpi_libdlpi_la_SOURCES = \
	libdlpi/data.c \
	libdlpi/handle.h \
	libdlpi/local.c \
	libdlpi/names.c \
	libdlpi/notify.c \
	libdlpi/open.c \
	libdlpi/request.c \
	libstreams/getmsg.c libstreams/isastream.c libstreams/putmsg.c \
	libstreams/strio.c libstreams/strio.h
libdlpi_libdlpi_la_CFLAGS = $(AM_CFLAGS) -std=gnu11
libdlpi_libdlpi_la_LDFLAGS = -version-info 1:0:0 -Wl,-z,defs \
	-export-symbols-regex '^dlpi_'
