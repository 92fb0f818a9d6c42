# libsocket.so: sockets the way that System V has them, -lsocket
#
# Its symbols have no version, so that they are found before the C library's also
# by the other libraries of a program.
lib_LTLIBRARIES += libsocket/libsocket.la
libsocket_libsocket_la_SOURCES = \
	libsocket/policy.c \
	libsocket/sock2path.c libsocket/sock2path.h \
	libsocket/socket.c \
	preload/conf.c preload/conf.h \
	preload/hooks.h preload/sys.h \
	preload/inet.c preload/inet.h preload/kind.h \
	preload/log.c preload/log.h \
	preload/policy.h \
	preload/setting.c preload/setting.h
libsocket_libsocket_la_CPPFLAGS = $(strsock_cppflags)
libsocket_libsocket_la_CFLAGS = $(AM_CFLAGS) -std=gnu11 -fvisibility=hidden -fno-plt
libsocket_libsocket_la_LDFLAGS = -version-info 0:0:0 \
	-Wl,-z,now -Wl,-z,relro -Wl,-z,defs

# Its development link is in a folder of its own. A configure script that looks for
# -lsocket must not find it by default: the program would be put on STREAMS without
# having asked for it. libtool's .la files serve static linking, which is not built.
install-exec-hook: install-socket-link
install-socket-link:
	$(MKDIR_P) "$(DESTDIR)$(pkglibdir)"
	cd "$(DESTDIR)$(libdir)" && \
		rm -f libsocket.so $(notdir $(lib_LTLIBRARIES)) && \
		ln -sf ../libsocket.so.0 $(PACKAGE)/libsocket.so

# Rules of automake's enter these folders, which an interrupted install has not made.
uninstall_programs = uninstall-binPROGRAMS uninstall-sbinPROGRAMS uninstall-pkglibexecPROGRAMS
$(uninstall_programs): uninstall-folders
uninstall-folders:
	@$(MKDIR_P) "$(DESTDIR)$(bindir)" "$(DESTDIR)$(sbindir)" "$(DESTDIR)$(pkglibexecdir)"

# Without the .la files libtool does not know what it installed; those of the build do.
uninstall-local: uninstall-libraries
uninstall-libraries:
	@for la in $(lib_LTLIBRARIES); do \
		for name in $$(sed -n "s/^library_names='\(.*\)'/\1/p" $$la); do \
			rm -f "$(DESTDIR)$(libdir)/$$name"; \
		done; \
	done
	rm -f "$(DESTDIR)$(pkglibdir)/libsocket.so"
	test ! -d "$(DESTDIR)$(pkglibdir)" || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$(pkglibdir)"
.PHONY: install-socket-link uninstall-folders uninstall-libraries
