# Debian packages: make deb leaves them in deb below the folder built in.

EXTRA_DIST += \
	packaging/README.md \
	packaging/debian/changelog \
	packaging/debian/clean \
	packaging/debian/control \
	packaging/debian/copyright \
	packaging/debian/libdlpi-dev.install \
	packaging/debian/libdlpi1.install \
	packaging/debian/libsocket-streams-dev.install \
	packaging/debian/libsocket-streams.install \
	packaging/debian/libsocket-streams.lintian-overrides \
	packaging/debian/libstreams-dev.install \
	packaging/debian/libstreams1.install \
	packaging/debian/libxti-dev.install \
	packaging/debian/libxti1.install \
	packaging/debian/rules \
	packaging/debian/source/format \
	packaging/debian/strsock-dkms.dkms \
	packaging/debian/strsock-dkms.install \
	packaging/debian/strsock-dkms.postinst \
	packaging/debian/strsock-dkms.prerm \
	packaging/debian/strsock.install \
	packaging/debian/strsock.lintian-overrides \
	packaging/strsock.spec

deb_wants = $(shell $(srcdir)/tests/wanted $(srcdir)/packaging/packages)
EXTRA_DIST += packaging/packages

.PHONY: deb
deb: dist
	@test -z "$(strip $(deb_wants))" || { \
		echo "make deb needs these packages: $(deb_wants)" >&2; exit 1; }
	rm -rf deb
	$(MKDIR_P) deb
	tar xzf $(distdir).tar.gz -C deb
	cp -r deb/$(distdir)/packaging/debian deb/$(distdir)/debian
	cd deb/$(distdir) && dpkg-buildpackage -b -us -uc $(DEB_OPTIONS)
	@ls deb/*.deb

clean-local: packages-clean
.PHONY: packages-clean
packages-clean:
	-rm -rf deb
