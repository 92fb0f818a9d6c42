# Static where that is possible: it runs before every command, and a dynamic linker takes
# more instructions than the launcher's own work.
bin_PROGRAMS += tools/strsock
tools_strsock_SOURCES = \
	tools/strsock.c tools/options.h \
	tools/say.c tools/say.h \
	tools/strsock-beside.c tools/strsock-beside.h \
	tools/strsock-command.c tools/strsock-command.h \
	tools/strsock-modules.c tools/strsock-modules.h \
	preload/conf.c preload/conf.h preload/rules.c preload/rules.h preload/sys.h \
	preload/pushlist.c preload/pushlist.h
tools_strsock_CPPFLAGS = $(strsock_cppflags) -DLIBDIR='"$(libdir)"' \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"'
tools_strsock_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_strsock_LDFLAGS = $(STATIC_LDFLAGS) -Wl,-z,noseparate-code

# Not in sbin: any user may ask for the streams of their own.
bin_PROGRAMS += tools/strstat
tools_strstat_SOURCES = \
	tools/strstat.c tools/options.h \
	tools/fill.c tools/fill.h tools/must.h \
	tools/strstat-filter.c tools/strstat-filter.h \
	tools/strstat-json.c tools/strstat-json.h \
	tools/strstat-proc.c tools/strstat-proc.h \
	tools/strstat-prometheus.c tools/strstat-prometheus.h \
	tools/strstat-sample.c tools/strstat-sample.h \
	tools/strstat-table.c tools/strstat-table.h \
	tools/strstat-watch.c tools/strstat-watch.h \
	tools/text.c tools/text.h tools/user.c tools/user.h
tools_strstat_CPPFLAGS = $(AM_CPPFLAGS)
tools_strstat_CFLAGS = $(AM_CFLAGS) -std=gnu11
# Without ncurses --watch prints tables, on a terminal too.
if NCURSES
tools_strstat_SOURCES += tools/strstat-screen.c
tools_strstat_CPPFLAGS += -DHAVE_NCURSES
tools_strstat_LDADD = $(NCURSES_LIBS)
endif

bin_PROGRAMS += tools/strinfo
tools_strinfo_SOURCES = \
	tools/strinfo.c tools/must.h tools/options.h \
	tools/strstat-proc.c tools/strstat-proc.h \
	tools/text.c tools/text.h
tools_strinfo_CFLAGS = $(AM_CFLAGS) -std=gnu11

bin_PROGRAMS += tools/strview
tools_strview_SOURCES = \
	tools/strview.c tools/fill.c tools/fill.h tools/must.h tools/options.h \
	tools/strview-draw.h tools/strview-dot.c tools/strview-tree.c \
	tools/strview-model.c tools/strview-model.h \
	tools/strstat-proc.c tools/strstat-proc.h \
	tools/text.c tools/text.h tools/user.c tools/user.h
tools_strview_CFLAGS = $(AM_CFLAGS) -std=gnu11

bin_PROGRAMS += tools/strchg tools/strconf
sbin_PROGRAMS += tools/autopush
tools_strchg_SOURCES = tools/strchg.c preload/pushlist.c preload/pushlist.h tools/options.h tools/target.c tools/target.h
tools_strconf_SOURCES = tools/strconf.c tools/options.h tools/target.c tools/target.h
tools_autopush_SOURCES = tools/autopush.c
tools_strchg_CPPFLAGS = $(strsock_cppflags)
tools_strchg_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_strconf_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_autopush_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_strchg_LDADD = libstreams/libstreams.la
tools_strconf_LDADD = libstreams/libstreams.la

# fattach() and fdetach() run it for users that may not mount; set-user-ID when
# root installs it.
pkglibexec_PROGRAMS = tools/strname-helper
tools_strname_helper_SOURCES = tools/strname-helper.c libstreams/name.c libstreams/name.h
tools_strname_helper_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
tools_strname_helper_CFLAGS = $(AM_CFLAGS) -std=gnu11 -fPIE
tools_strname_helper_LDFLAGS = -pie -Wl,-z,relro -Wl,-z,now

install-exec-hook: install-helper-mode
.PHONY: install-helper-mode
install-helper-mode:
	@if test "$$(id -u)" = 0; then \
		chmod 4755 "$(DESTDIR)$(pkglibexecdir)/strname-helper"; \
	fi

sbin_PROGRAMS += tools/fdetach
tools_fdetach_SOURCES = tools/fdetach.c
tools_fdetach_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_fdetach_LDADD = libstreams/libstreams.la

bin_PROGRAMS += tools/strfifo
tools_strfifo_SOURCES = tools/strfifo.c
tools_strfifo_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_strfifo_LDADD = libstreams/libstreams.la

# Like autopush, for the administrator.
sbin_PROGRAMS += tools/strtracelog tools/strerrlog
tools_strtracelog_SOURCES = tools/strtracelog.c tools/strlog-reader.c tools/strlog-reader.h
tools_strerrlog_SOURCES = tools/strerrlog.c tools/strlog-reader.c tools/strlog-reader.h
tools_strtracelog_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_strerrlog_CFLAGS = $(AM_CFLAGS) -std=gnu11
tools_strtracelog_LDADD = libstreams/libstreams.la
tools_strerrlog_LDADD = libstreams/libstreams.la
