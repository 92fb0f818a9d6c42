bin_PROGRAMS += tools/strsock
tools_strsock_SOURCES = \
	tools/strsock.c \
	tools/strsock-command.c tools/strsock-command.h \
	tools/strsock-modules.c tools/strsock-modules.h \
	preload/rules.c preload/rules.h preload/sys.h
tools_strsock_CPPFLAGS = $(strsock_cppflags) -DLIBDIR='"$(libdir)"'
tools_strsock_CFLAGS = $(AM_CFLAGS) -std=gnu11

# Not in sbin: any user may ask for the streams of their own.
bin_PROGRAMS += tools/strstat
tools_strstat_SOURCES = \
	tools/strstat.c \
	tools/strstat-json.c tools/strstat-json.h \
	tools/strstat-proc.c tools/strstat-proc.h
tools_strstat_CFLAGS = $(AM_CFLAGS) -std=gnu11

bin_PROGRAMS += tools/strchg tools/strconf
sbin_PROGRAMS += tools/autopush
tools_strchg_SOURCES = tools/strchg.c
tools_strconf_SOURCES = tools/strconf.c
tools_autopush_SOURCES = tools/autopush.c
tools_strchg_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_strconf_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_autopush_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_strchg_LDADD = libstreams/libstreams.la
tools_strconf_LDADD = libstreams/libstreams.la
