#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=machine
#
# The Debian packages and the RPM spec. Clean systems of Debian are folders that
# debootstrap makes once, in the cache; they are used in the virtual machine, so what is
# done there is lost afterwards.

bats_require_minimum_version 1.5.0

setup_file() {
	[ "${STRSOCK_IN_VM:-}" != 1 ] || skip "starts machines itself"
}

setup() {
	SRC=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	BUILD=${STRSOCK_BUILD:-$SRC/build}
}

wanted() {
	local missing
	missing=$("$SRC/tests/wanted" "$@")
	[ -z "$missing" ] || skip "not installed: ${missing//$'\n'/ }"
}

# source_package: makes it, and its path is $source
source_package() {
	[ -f "$BUILD/Makefile" ] || skip "not configured"
	make -s -C "$BUILD" dist >"$BATS_FILE_TMPDIR/dist" 2>&1 || { cat "$BATS_FILE_TMPDIR/dist"; false; }
	source=$(echo "$BUILD"/strsock-*.tar.gz)
	[ -f "$source" ]
}

# later_packages: the packages of a version 9.0.0 in the folder $later
later_packages() {
	later=$BATS_FILE_TMPDIR/later/deb
	[ ! -d "$later" ] || return 0
	mkdir "${later%/deb}"
	tar xzf "$source" --strip-components 1 -C "${later%/deb}"
	(
		cd "${later%/deb}"
		sed -i 's/^Version:.*/Version: 9.0.0/' META
		sed -i '1s/(.*)/(9.0.0)/' packaging/debian/changelog
		./configure -q --without-kmod && make -s deb
	) >"$BATS_FILE_TMPDIR/log" 2>&1 || { tail -n 60 "$BATS_FILE_TMPDIR/log"; false; }
}

# in_clean_system SUITE
in_clean_system() {
	local uml source later root manual
	[ "$(id -u)" = 0 ] || skip "debootstrap needs root"
	command -v debootstrap >/dev/null || skip "no debootstrap"
	uml=$("$SRC/tests/vm/uml-kernel" --missing)
	[ -z "$uml" ] || skip "no User Mode Linux: $uml"
	wanted "$SRC/packaging/packages"
	source_package
	later_packages
	root=$("$SRC/tests/clean/system" "$1")
	manual=$("$SRC/tests/clean/debs" "$1" manpages manpages-dev)
	manual=${manual%%/manpages_*}
	mapfile -t uml < <("$SRC/tests/vm/uml-kernel" plain)
	run --separate-stderr "$SRC/tests/vm/run" --uml --no-modules --memory 4096 --timeout 3000 -- \
		"$SRC/tests/clean/job" "$root" "$source" "$later" "${uml[3]}" "$manual"
	# shellcheck disable=SC2154
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "${lines[-1]}" = purged ]
}

# bats test_tags=slow
@test "Debian 12: the commands of README and packaging/README lead from the source package to a module; upgrade; removal leaves nothing" {
	in_clean_system bookworm
}

# bats test_tags=slow
@test "Debian 13: the commands of README and packaging/README lead from the source package to a module; upgrade; removal leaves nothing" {
	in_clean_system trixie
}

# dpkg_in ROOT ARGUMENT...: runs dpkg, without the packages' scripts
dpkg_in() {
	local root=$1
	shift
	fakeroot dpkg --root="$root" --force-depends "$@" >"$BATS_TEST_TMPDIR/log" 2>&1 ||
		{ cat "$BATS_TEST_TMPDIR/log"; false; }
}

# files_in ROOT: prints the files there, except those of dpkg
files_in() {
	(cd "$1" && find . -path ./var/lib/dpkg -prune -o -print | sort)
}

# beside_manual SUITE: installs the packages before and after those of Linux's manual
beside_manual() {
	local source later older=$BATS_FILE_TMPDIR/older deb root theirs order names
	command -v dpkg >/dev/null || skip "needs dpkg"
	wanted "$SRC/packaging/packages"
	source_package
	later_packages
	mapfile -t theirs < <("$SRC/tests/clean/debs" "$1" manpages manpages-dev)
	[ ${#theirs[@]} -eq 2 ]
	# The older packages are the same with a lower version.
	if [ ! -d "$older" ]; then
		mkdir "$older"
		for deb in "$later"/*.deb; do
			dpkg-deb -R "$deb" "$BATS_TEST_TMPDIR/deb"
			sed -i 's/^Version: .*/Version: 8.0.0/' "$BATS_TEST_TMPDIR/deb/DEBIAN/control"
			dpkg-deb -Znone -b "$BATS_TEST_TMPDIR/deb" "$older" >/dev/null
			rm -r "$BATS_TEST_TMPDIR/deb"
		done
	fi
	mapfile -t names < <(for deb in "$older"/*.deb; do dpkg-deb -f "$deb" Package; done)
	[ ${#names[@]} -ge 10 ]
	for order in first last; do
		root=$BATS_TEST_TMPDIR/$order
		mkdir -p "$root"/var/lib/dpkg/{info,updates}
		: >"$root/var/lib/dpkg/status"
		[ $order = last ] || dpkg_in "$root" --unpack "${theirs[@]}"
		files_in "$root" >"$BATS_TEST_TMPDIR/before"
		dpkg_in "$root" --unpack "$older"/*.deb
		[ $order = first ] || dpkg_in "$root" --unpack "${theirs[@]}"
		dpkg_in "$root" --unpack "$later"/*.deb
		[ -e "$root/usr/share/man/man3/getmsg.3.gz" ]
		[ -e "$root/usr/share/man/man2/getmsg.2.gz" ]
		# README.md and the manual name this folder of the examples.
		diff -r "$SRC/examples" "$root/usr/share/doc/strsock/examples" |
			grep -v "^Only in $SRC/examples: \(README.md\|local.mk\)$" | diff - /dev/null
		dpkg_in "$root" --purge "${names[@]}"
		[ $order = first ] || dpkg_in "$root" --purge manpages manpages-dev
		files_in "$root" | diff "$BATS_TEST_TMPDIR/before" -
	done
}

# bats test_tags=slow
@test "the packages install, upgrade and purge beside Debian 12's manpages and manpages-dev, in either order" {
	beside_manual bookworm
}

# bats test_tags=slow
@test "the packages install, upgrade and purge beside Debian 13's manpages and manpages-dev, in either order" {
	beside_manual trixie
}

# bats test_tags=slow
@test "lintian finds nothing in the packages that the overrides do not explain" {
	local source later
	command -v lintian >/dev/null || skip "no lintian"
	wanted "$SRC/packaging/packages"
	source_package
	later_packages
	run -0 lintian --allow-root --fail-on error,warning "$later"/*.deb
	[ -z "$output" ]
}

@test "the source package has the list of packages for building, and no built package" {
	local source
	source_package
	mkdir -p "$BUILD/deb"
	run -0 tar tzf "$source"
	grep -qx 'strsock-[0-9.]*/packages' <<<"$output"
	run ! grep "[.]deb$\|/deb/" <<<"$output"
}

# bats test_tags=slow
@test "rpmbuild makes packages of the source package" {
	local source
	command -v rpmbuild >/dev/null || skip "no rpmbuild"
	source_package
	run -0 rpmbuild --quiet --nodeps --define "_topdir $BATS_TEST_TMPDIR" -tb "$source"
	cd "$BATS_TEST_TMPDIR"/RPMS
	run -0 find . -name '*.rpm'
	for name in strsock strsock-dkms strsock-libs strsock-devel; do
		compgen -G "*/$name-[0-9]*.rpm" >/dev/null
	done
	rpm -qpl ./*/strsock-libs-*.rpm | grep -q '/libxti\.so\.'
	[ "$(rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' ./*/strsock-[0-9]*.rpm |
		sed -n 's, .*/strname-helper$,,p')" = -rwsr-xr-x ]
}

@test "each list of Debian's packages is in the source package" {
	local file
	for file in "$SRC"/packaging/debian/* "$SRC"/packaging/debian/source/*; do
		[ -d "$file" ] || grep -q "packaging/debian/${file##*/debian/}" "$SRC/packaging/local.mk" || {
			echo "$file"
			false
		}
	done
}
