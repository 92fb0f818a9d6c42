# Example modules; users build them with the installed headers. Not built here.
examplesdir = $(docdir)/examples/modules
dist_examples_DATA = \
	examples/modules/Makefile \
	examples/modules/rot13.c \
	examples/modules/strrate.c \
	examples/modules/strrate.h \
	examples/modules/strtee.c \
	examples/modules/strtee.h \
	examples/modules/twomux.c

# Programs. Built here, and installed to read.

# ... of the X/Open Transport Interface
xtiexamplesdir = $(docdir)/examples/xti
dist_xtiexamples_DATA = \
	examples/xti/echo-client.c \
	examples/xti/echo-server.c \
	examples/xti/tcp-client.c \
	examples/xti/tcp-server.c
noinst_PROGRAMS += \
	examples/xti/echo-client \
	examples/xti/echo-server \
	examples/xti/tcp-client \
	examples/xti/tcp-server
examples_xti_echo_client_SOURCES = examples/xti/echo-client.c
examples_xti_echo_client_LDADD = libxti/libxti.la
examples_xti_echo_server_SOURCES = examples/xti/echo-server.c
examples_xti_echo_server_LDADD = libxti/libxti.la
examples_xti_tcp_client_SOURCES = examples/xti/tcp-client.c
examples_xti_tcp_client_LDADD = libxti/libxti.la
examples_xti_tcp_server_SOURCES = examples/xti/tcp-server.c
examples_xti_tcp_server_LDADD = libxti/libxti.la

# ... of the Transport Provider Interface's primitives
tpiexamplesdir = $(docdir)/examples/tpi
dist_tpiexamples_DATA = examples/tpi/udp-ask.c
noinst_PROGRAMS += examples/tpi/udp-ask
examples_tpi_udp_ask_SOURCES = examples/tpi/udp-ask.c
examples_tpi_udp_ask_LDADD = libstreams/libstreams.la

# ... that pass open files
streamsexamplesdir = $(docdir)/examples/streams
dist_streamsexamples_DATA = \
	examples/streams/file-client.c \
	examples/streams/file-server.c
noinst_PROGRAMS += examples/streams/file-client examples/streams/file-server
examples_streams_file_client_SOURCES = examples/streams/file-client.c
examples_streams_file_client_LDADD = libstreams/libstreams.la
examples_streams_file_server_SOURCES = examples/streams/file-server.c
examples_streams_file_server_LDADD = libstreams/libstreams.la

# ... of data links
dlpiexamplesdir = $(docdir)/examples/dlpi
dist_dlpiexamples_DATA = examples/dlpi/arp.c examples/dlpi/ping.c
noinst_PROGRAMS += examples/dlpi/arp examples/dlpi/ping
examples_dlpi_arp_SOURCES = examples/dlpi/arp.c
examples_dlpi_arp_LDADD = libdlpi/libdlpi.la
examples_dlpi_ping_SOURCES = examples/dlpi/ping.c
examples_dlpi_ping_LDADD = libstreams/libstreams.la

# A drop-in for services of systemd
systemdexamplesdir = $(docdir)/examples/systemd
dist_systemdexamples_DATA = examples/systemd/strsock.conf

# Programs for bpftrace, to be run as they are installed
traceexamplesdir = $(docdir)/examples/trace
dist_traceexamples_SCRIPTS = \
	examples/trace/latency.bt \
	examples/trace/lost.bt \
	examples/trace/procedures.bt \
	examples/trace/sizes.bt \
	examples/trace/waits.bt \
	examples/trace/way.bt
