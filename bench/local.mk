# The programs that measure. They are for bench/run, and are not installed.

bench_common = bench/descriptors.c bench/descriptors.h bench/lifetimes.c bench/lifetimes.h \
	bench/main.c bench/measure.c bench/measure.h bench/processes.c bench/processes.h \
	bench/sample.c bench/sample.h bench/table.h bench/transport.c bench/transport.h \
	bench/works.c bench/works.h
bench_xti = bench/endpoint.c bench/endpoint.h

noinst_PROGRAMS += bench/perftest bench/udptest bench/conntest bench/timetest

bench_perftest_SOURCES = $(bench_common) bench/pipes.c
bench_perftest_CPPFLAGS = $(strsock_cppflags)
bench_perftest_CFLAGS = $(AM_CFLAGS) -std=gnu11 -O2
bench_perftest_LDADD = libstreams/libstreams.la
# No libtool script, which the counted machine would run first
bench_perftest_LDFLAGS = -no-install -Wl,-z,now

bench_udptest_SOURCES = $(bench_common) $(bench_xti) bench/datagrams.c \
	bench/links.c bench/links.h bench/message.c bench/message.h \
	bench/unitdata.c bench/unitdata.h
bench_udptest_CPPFLAGS = $(strsock_cppflags)
bench_udptest_CFLAGS = $(AM_CFLAGS) -std=gnu11 -O2
bench_udptest_LDADD = libxti/libxti.la libstreams/libstreams.la
bench_udptest_LDFLAGS = -no-install -Wl,-z,now

bench_conntest_SOURCES = $(bench_common) $(bench_xti) bench/connections.c \
	bench/sockmap.c bench/sockmap.h
bench_conntest_CPPFLAGS = $(strsock_cppflags)
bench_conntest_CFLAGS = $(AM_CFLAGS) -std=gnu11 -O2
bench_conntest_LDADD = libxti/libxti.la libstreams/libstreams.la
bench_conntest_LDFLAGS = -no-install -Wl,-z,now

bench_timetest_SOURCES = bench/timetest.c
bench_timetest_CPPFLAGS = $(strsock_cppflags)
bench_timetest_CFLAGS = $(AM_CFLAGS) -std=gnu11 -O2

# Preloaded by bench/apps; linked as libstrsock.so is.
noinst_LTLIBRARIES += bench/libempty.la
bench_libempty_la_SOURCES = bench/libempty.c
bench_libempty_la_LDFLAGS = -module -avoid-version -shared -rpath $(libdir) -Wc,-nostartfiles \
	-Wl,-z,lazy -Wl,-z,norelro -Wl,-z,noseparate-code

dist-hook: dist-bench
.PHONY: dist-bench
dist-bench:
	(cd $(srcdir) && find bench -type f ! -name '*.mk' ! -name '*.[ch]' ! -name '*.o' ! -name '*.pyc' \
		! -name '.*.swp' | tar cf - -T -) | (cd $(distdir) && tar xf -)
