# Kernel modules are built in kbuild/, a tree of links to the sources, so that
# kbuild writes nothing beside them and one source serves many build folders.

# The sources of the modules, without files that a build by hand left there.
kmod_find = find kmod include -type f \( -name '*.c' ! -name '*.mod.c' \
	-o -name '*.h' ! -name strsock_features.h \
	-o -name Kbuild -o -path kmod/Makefile -o -path kmod/compat/probe \) -print

# The path of kbuild/ that the compiler sees, and by which ccache finds what it compiled.
# The last one is kept in kbuild/path: with another one all is compiled again.
kbuild_path = $(abs_builddir)/kbuild

kbuild_make = $(MAKE) -C kbuild/kmod $(KERNEL_CROSS) KERNEL_RELEASE=$(KERNEL_RELEASE) \
	KERNEL_HEADERS=$(KERNEL_HEADERS) MODULES_DIR=$(kbuild_path)/kmod \
	FEATURES_DIR=$(kbuild_path)/features

EXTRA_DIST += kmod/Kbuild kmod/Makefile kmod/compat/probe kmod/SYMBOLS kmod/COVERAGE kmod/README.md

if BUILD_KMOD
kmod_goal = kmod-build
endif

all-local: $(kmod_goal)
install-exec-local: $(kmod_goal:build=install)

.PHONY: kbuild-tree kmod-build kmod-install
kbuild-tree:
	@$(MKDIR_P) kbuild
	@(cd $(srcdir) && $(kmod_find)) | sort >kbuild/sources.new
	@cmp -s kbuild/sources.new kbuild/sources || { \
		rm -f kbuild/sources; \
		find kbuild -type l -delete; \
		sed 's|/[^/]*$$||' kbuild/sources.new | sort -u | while read -r dir; do \
			$(MKDIR_P) "kbuild/$$dir" && \
			grep "^$$dir/[^/]*$$" kbuild/sources.new | sed 's|^|$(abs_srcdir)/|' | \
				xargs ln -sft "kbuild/$$dir" || exit 1; \
		done && \
		mv kbuild/sources.new kbuild/sources; \
	}

kmod-build: kbuild-tree
	@echo '$(kbuild_path)' >kbuild/path
	+$(AM_V_GEN)$(kbuild_make)

kmod_dir = $(DESTDIR)$(kernelmodulesdir)/$(KERNEL_RELEASE)/updates/strsock

kmod-install: kmod-build
	$(MKDIR_P) "$(kmod_dir)"
	find kbuild/kmod -name '*.ko' ! -path 'kbuild/kmod/test/*' -exec $(INSTALL_DATA) -t "$(kmod_dir)" {} +

clean-local: kmod-clean
distclean-local: kmod-clean
.PHONY: kmod-clean
kmod-clean:
	-rm -rf kbuild/kmod kbuild/include kbuild/sources kbuild/path

# kbuild/features is configure's
distclean-local: kmod-distclean
.PHONY: kmod-distclean
kmod-distclean:
	-rm -rf kbuild

dist-hook: dist-kmod
.PHONY: dist-kmod
dist-kmod:
	(cd $(srcdir) && $(kmod_find) | tar cf - -T -) | (cd $(distdir) && tar xf -)
