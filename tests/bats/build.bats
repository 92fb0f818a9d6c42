#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# configure, make and make install: their errors, and which files they install
# where

load common

setup_file() {
	# make install-data installs the symbols of the modules that were built.
	modules_built || :
}

setup() {
	[ -x "$STRSOCK_SRC/configure" ] || skip "no configure: run autoreconf -i"
	cd "$BATS_TEST_TMPDIR"
}

# headers RELEASE: a folder that looks like the headers of that kernel
headers() {
	mkdir -p headers/include/generated
	echo "#define UTS_RELEASE \"$1\"" >headers/include/generated/utsrelease.h
}

configure() {
	"$STRSOCK_SRC/configure" --quiet "$@"
}

@test "configure refuses a kernel older or newer than declared, and reports the range and the tested kernels" {
	local release range tested
	tested=$(sed -n 's/^Linux-Tested: *//p' "$STRSOCK_SRC/META")
	# META's Linux-Minimum and Linux-Maximum: "6.1 to 6.12", or one: "6.1"
	range=$(sed -n 's/^Linux-M[a-z]*: *//p' "$STRSOCK_SRC/META" | uniq | paste -sd- | sed 's/-/ to /')
	for release in 5.10.0-30-amd64 6.0.9 7.3.0-1-amd64 99.0.0-rc1; do
		headers "$release"
		run -1 configure --with-kernel-headers="$PWD/headers"
		[[ $output == *"made for Linux $range and has not been tried with $release (tested: $tested)."* ]]
		[[ $output == *--with-kernel=RELEASE* ]]
	done
}

@test "configure accepts such a kernel when told to, and finds that it has no headers" {
	headers 99.0.0
	run -1 configure --with-kernel-headers="$PWD/headers" --enable-untested-kernel
	[[ $output == *"has not been tried with Linux 99.0.0"* ]]
	[[ $output == *"cannot compile a kernel module"* ]]
}

@test "configure names the package to install when a kernel's headers are missing" {
	run -1 configure --with-kernel=6.1.0-999-amd64
	[[ $output == *"apt-get install linux-headers-6.1.0-999-amd64"* ]]
	mkdir empty
	run -1 configure --with-kernel-headers="$PWD/empty"
	[[ $output == *"holds no headers"* ]]
	run -1 configure --with-kernel
	[[ $output == *"takes a release"* ]]
}

@test "configure says so when it builds for another kernel than the running one" {
	compgen -G "/usr/src/linux-headers-*/include/generated/utsrelease.h" >/dev/null ||
		skip "no kernel headers in /usr/src"
	# As if the running kernel were one without headers.
	mkdir bin
	printf '%s\n' '#!/bin/sh' '[ "$*" = -r ] || exec /usr/bin/uname "$@"' 'echo 6.1.0-none' >bin/uname
	# It says so before it tries to compile a module.
	printf '%s\n' '#!/bin/sh' 'exit 1' >bin/make
	chmod +x bin/*
	PATH=$PWD/bin:$PATH run "$STRSOCK_SRC/configure"
	[[ $output == *"configure: building for kernel "*" (headers of the running one, 6.1.0-none, are not installed)"* ]]
}

@test "the probe refuses a folder that is not a tree of headers" {
	run -1 "$STRSOCK_SRC/kmod/compat/probe" "$PWD" "$PWD/out"
	[[ $output == *"not a tree of prepared kernel headers"* ]]
	run -1 "$STRSOCK_SRC/kmod/compat/probe" /nonexistent "$PWD/out"
	[[ $output == *"no such folder"* ]]
}

built_with_modules() {
	modules_built || skip "configured without modules"
}

# Files that make has built, and when; tests/fuzz/run may build its own meanwhile.
built_files() {
	find "$STRSOCK_BUILD" -path '*/tests/fuzz/bin' -prune -o -type f \
		\( -name '*.ko' -o -name '*.o' -o -name '*.so*' -o -path '*/tools/*' \) \
		-printf '%p %T@\n' | sort
}

# recording_headers: stand in for those of a kernel. kbuild's part is to run the compiler
# that ARCH and CROSS_COMPILE name; this one writes down which it would have been.
recording_headers() {
	headers 6.1.0-50-test
	printf 'modules:\n\t%s\n\t%s\n' 'echo "$(ARCH) $(CROSS_COMPILE)gcc" >>$(CURDIR)/called' \
		'touch $(M)/baseline.o' >headers/Makefile
}

@test "configure --host and make tell the kernel's makefiles which architecture and compiler that is" {
	recording_headers
	mkdir bin
	# It needs to compile programs only for what configure asks.
	printf '%s\n' '#!/bin/sh' 'exec gcc "$@"' >bin/aarch64-linux-gnu-gcc
	chmod +x bin/*
	mkdir arm64 native
	cd arm64
	PATH=$BATS_TEST_TMPDIR/bin:$PATH configure --host=aarch64-linux-gnu --build=x86_64-pc-linux-gnu \
		--with-kernel-headers="$BATS_TEST_TMPDIR/headers"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH make -s kmod-build
	run -0 sort "$BATS_TEST_TMPDIR/headers/called"
	# make needs no second probe.
	[ "$output" = $'arm64 aarch64-linux-gnu-gcc\narm64 aarch64-linux-gnu-gcc' ]
	rm "$BATS_TEST_TMPDIR/headers/called"
	cd ../native
	configure --with-kernel-headers="$BATS_TEST_TMPDIR/headers"
	[ "$(cat "$BATS_TEST_TMPDIR/headers/called")" = " gcc" ]
}

@test "configure --host asks for the headers of a kernel of that architecture" {
	run -1 configure --host=aarch64-linux-gnu --build=x86_64-pc-linux-gnu CC=gcc
	[[ $output == *"modules for aarch64-unknown-linux-gnu need --with-kernel-headers=DIR"* ]]
}

# arm64_headers: Debian 12's, with the programs of kbuild for this machine
arm64_headers() (
	# shellcheck source=tests/vm/lib.bash
	. "$STRSOCK_SRC/tests/vm/lib.bash"
	# shellcheck source=tests/vm/debian.bash
	. "$STRSOCK_SRC/tests/vm/debian.bash"
	suite=bookworm:arm64 dir=$VM_KERNELS/arm64
	unpack() {
		[ ! -f "$dir/headers" ] || return 0
		rm -rf "$dir"
		release=$(depends "$suite" linux-headers-arm64 '^linux-headers-')
		fetch "$suite" "$dir" "$release" "${release%-arm64}-common"
		fetch bookworm "$dir" linux-kbuild-6.1
		sed -i "s#/usr/src/#$dir/usr/src/#" "$dir/usr/src/$release/Makefile"
		# The host's version of the compiler
		sed -i '/^CC *=/s/gcc-[0-9]*$/gcc/' "$dir/usr/src/$release/.kernelvariables"
		echo "$dir/usr/src/$release" >"$dir/headers"
	}
	locked headers-arm64 unpack
	cat "$dir/headers"
)

# bats test_tags=slow
@test "configure --host=aarch64-linux-gnu and make build programs and modules for that architecture" {
	local headers module
	needs aarch64-linux-gnu-gcc file apt-get
	[ "$(uname -m)" = x86_64 ] || skip "for a host of x86_64"
	headers=$(arm64_headers)
	configure --host=aarch64-linux-gnu --with-kernel-headers="$headers"
	[ "$(grep -c '^#define HAVE_' kbuild/features/strsock_features.h)" -gt 3 ]
	"$STRSOCK_SRC/tests/vm/ccached" --kbuild arm64 "$PWD/kbuild" \
		make -s -j"$(nproc)" kmod-build tools/strsock >log 2>&1 || { tail -n 30 log; false; }
	[[ $(file -b tools/strsock) == *"ARM aarch64"* ]]
	for module in streams/streams pipe/strpipe udp/strudp socket/strsock; do
		[[ $(file -b "kbuild/kmod/$module.ko") == *"ARM aarch64"* ]]
	done
}

@test "building a second time changes nothing" {
	built_with_modules
	built_files >before
	in_build all
	built_files >after
	[ -s before ]
	diff before after
}

@test "the installed files suffice to build another project's module, and uninstalling leaves nothing" {
	built_with_modules
	in_build install DESTDIR="$PWD/root"
	local source modules symvers module
	# Where they are put is configured, as by distcheck.
	source=$(dirname "$(find "$PWD/root" -name dkms.conf)")
	modules=$(find "$PWD/root" -path '*/lib/modules/*/updates/strsock')
	symvers=$(echo "$source"/symvers/*/Module.symvers)
	[ -f "$symvers" ]
	for module in streams strpipe strudp strsock nullmod; do
		[ -f "$modules/$module.ko" ]
	done
	[ ! -e "$source/kmod/test" ]
	# DKMS builds for other kernels the modules that are installed for this one.
	diff <(basename -s .ko "$modules"/*.ko | sort) \
		<(sed -n 's/^BUILT_MODULE_NAME.*="\(.*\)"$/\1/p' "$source/dkms.conf" | sort)

	mkdir theirs
	sed 's/nullmod/theirs/g' "$source/kmod/modules/nullmod.c" >theirs/theirs.c
	printf 'obj-m := theirs.o\nccflags-y := -I%s/include\n' "$source" >theirs/Kbuild
	make -s -C "$(sed -n 's/^KERNEL_HEADERS = //p' "$STRSOCK_BUILD/Makefile")" M="$PWD/theirs" \
		KBUILD_EXTRA_SYMBOLS="$symvers" KBUILD_MODPOST_WARN= modules
	[ -f theirs/theirs.ko ]

	in_build uninstall DESTDIR="$PWD/root"
	run -0 find root ! -type d
	[ -z "$output" ]
}

# An install of programs and data alone: no module is built for it.
@test "make install leaves no libtool file, and -lsocket where only pkg-config finds it" {
	in_build install-exec-am install-data-am DESTDIR="$PWD/root" kmod_goal=
	[ -z "$(find root -name '*.la')" ]
	local link
	link=$(find root -name libsocket.so)
	[ "$(basename "$(dirname "$link")")" = strsock ]
	[ -e "$link" ]
	grep -q '^Libs: .*/strsock -lsocket$' "$(find root -name libsocket.pc)"
	# README and the licences come with it.
	[ "$(find root -path '*/doc/*' \( -name README.md -o -name 'COPYING*' \) | wc -l)" -eq 3 ]
}

# As after an interrupt: some folders are there, others not.
@test "uninstalling works after an install that did not end" {
	in_build install-libLTLIBRARIES install-binPROGRAMS DESTDIR="$PWD/root" kmod_goal=
	[ -n "$(find root -name strsock -type f)" ]
	in_build uninstall DESTDIR="$PWD/root"
	run -0 find root ! -type d
	[ -z "$output" ]
	# ... and when nothing was installed
	in_build uninstall DESTDIR="$PWD/none"
}

@test "the Debian packages and the RPM spec have the version of META" {
	local version
	version=$(sed -n 's/^Version: *//p' "$STRSOCK_SRC/META")
	[[ $(head -n 1 "$STRSOCK_SRC/packaging/debian/changelog") == "strsock ($version) "* ]]
	grep -qx "Version: *$version" "$STRSOCK_SRC/packaging/strsock.spec"
}

@test "edited configuration files survive installing and uninstalling" {
	in_build install-system-data DESTDIR="$PWD/root"
	local conf
	for conf in strsock.conf sock2path; do
		echo '# mine' >>"$(find root -name $conf -path '*/etc/*')"
	done
	in_build install-system-data uninstall-system-data DESTDIR="$PWD/root"
	for conf in strsock.conf sock2path; do
		grep -q '# mine' "$(find root -name $conf -path '*/etc/*')"
	done
}
