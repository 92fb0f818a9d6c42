# Modules for readers, who build them with what is installed. Not built here.
examplesdir = $(docdir)/examples/modules
dist_examples_DATA = \
	examples/modules/Makefile \
	examples/modules/rot13.c \
	examples/modules/strrate.c \
	examples/modules/strrate.h \
	examples/modules/strtee.c \
	examples/modules/strtee.h \
	examples/modules/twomux.c

# Programs of the X/Open Transport Interface. Built here, and installed to read.
xtiexamplesdir = $(docdir)/examples/xti
dist_xtiexamples_DATA = \
	examples/xti/echo-client.c \
	examples/xti/echo-server.c
noinst_PROGRAMS += examples/xti/echo-client examples/xti/echo-server
examples_xti_echo_client_SOURCES = examples/xti/echo-client.c
examples_xti_echo_client_LDADD = libxti/libxti.la
examples_xti_echo_server_SOURCES = examples/xti/echo-server.c
examples_xti_echo_server_LDADD = libxti/libxti.la
