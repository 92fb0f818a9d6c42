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
