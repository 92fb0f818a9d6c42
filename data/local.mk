# Files for the system: udev's rule, modules to load, DKMS, pkg-config, and
# the caches to refresh when not installing for another root.

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = data/strsock.pc data/xti.pc data/libsocket.pc
dist_udevrules_DATA = data/60-strsock.rules
dist_tmpfiles_DATA = data/strsock-nodes.conf
# For reading: the system's own netconfig is left alone.
dist_doc_DATA = data/netconfig data/61-strsock-links.rules README.md COPYING COPYING.LIB
completionsdir = $(datadir)/bash-completion/completions
dist_completions_DATA = \
	data/completions/autopush \
	data/completions/strchg \
	data/completions/strconf \
	data/completions/strinfo \
	data/completions/strsock \
	data/completions/strstat \
	data/completions/strview
EXTRA_DIST += data/strsock-modules.conf data/dkms-symvers data/sock2path

install-data-local: install-system-data
uninstall-local: uninstall-system-data
install-exec-hook: refresh-caches
uninstall-hook: refresh-caches

.PHONY: install-system-data uninstall-system-data refresh-caches
install-system-data:
	$(MKDIR_P) "$(DESTDIR)$(modulesloaddir)"
	$(INSTALL_DATA) $(srcdir)/data/strsock-modules.conf "$(DESTDIR)$(modulesloaddir)/strsock.conf"
	$(MKDIR_P) "$(DESTDIR)$(sysconfdir)"
	test -e "$(DESTDIR)$(sysconfdir)/strsock.conf" || \
		$(INSTALL_DATA) $(srcdir)/preload/strsock.conf "$(DESTDIR)$(sysconfdir)/strsock.conf"
	test -e "$(DESTDIR)$(sysconfdir)/sock2path" || \
		$(INSTALL_DATA) $(srcdir)/data/sock2path "$(DESTDIR)$(sysconfdir)/sock2path"
if INSTALL_DKMS
	$(MKDIR_P) "$(DESTDIR)$(dkms_srcdir)"
	(cd $(srcdir) && $(kmod_find) | grep -v '^kmod/test/' | tar cf - --mode=u=rwX,go=rX -T -) | \
		(cd "$(DESTDIR)$(dkms_srcdir)" && tar xf - --no-same-owner)
	$(INSTALL_SCRIPT) $(srcdir)/data/dkms-symvers "$(DESTDIR)$(dkms_srcdir)/dkms-symvers"
	$(INSTALL_DATA) data/dkms.conf "$(DESTDIR)$(dkms_srcdir)/dkms.conf"
if BUILD_KMOD
	$(MKDIR_P) "$(DESTDIR)$(dkms_srcdir)/symvers/$(KERNEL_RELEASE)"
	$(INSTALL_DATA) kbuild/kmod/Module.symvers \
		"$(DESTDIR)$(dkms_srcdir)/symvers/$(KERNEL_RELEASE)/Module.symvers"
endif
endif

uninstall-system-data:
	rm -f "$(DESTDIR)$(modulesloaddir)/strsock.conf"
	! cmp -s $(srcdir)/preload/strsock.conf "$(DESTDIR)$(sysconfdir)/strsock.conf" || \
		rm -f "$(DESTDIR)$(sysconfdir)/strsock.conf"
	! cmp -s $(srcdir)/data/sock2path "$(DESTDIR)$(sysconfdir)/sock2path" || \
		rm -f "$(DESTDIR)$(sysconfdir)/sock2path"
if BUILD_KMOD
	rm -rf "$(kmod_dir)"
endif
if INSTALL_DKMS
	rm -rf "$(DESTDIR)$(dkms_srcdir)"
endif

# A user that may not refresh them does not install for the running system.
refresh-caches:
	@if test -z "$(DESTDIR)" && test "$$(id -u)" = 0; then \
		ldconfig || :; \
		if test -n "$(KERNEL_RELEASE)" && test "$(kernelmodulesdir)" = /lib/modules; then \
			depmod "$(KERNEL_RELEASE)" || :; \
		fi; \
		udevadm control --reload 2>/dev/null || :; \
	fi
