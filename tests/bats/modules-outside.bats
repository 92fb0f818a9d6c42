#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=machine
#
# Modules of others: those of examples/ built with nothing but what make install
# has installed, and loaded beside the installed modules.

load common

setup_file() {
	[ "${STRSOCK_IN_VM:-}" != 1 ] || skip "starts machines itself"
	command -v qemu-system-x86_64 >/dev/null || skip "no QEMU"
	local kernel release root=$BATS_FILE_TMPDIR/root
	release=$(sed -n 's/^KERNEL_RELEASE = //p' "$STRSOCK_BUILD/Makefile")
	mapfile -t kernel < <("$BATS_TEST_DIRNAME/../vm/kernel" default)
	[ "${kernel[0]}" = "$release" ] || skip "built for $release, not for the machine's ${kernel[0]}"
	modules_built || skip "configured without modules"

	in_build install DESTDIR="$root"
	export OUTSIDE=$BATS_FILE_TMPDIR/outside INSTALLED STRSOCK_KMOD=$BATS_FILE_TMPDIR/kmod
	# Where they are put is configured, as by distcheck.
	INSTALLED=$(dirname "$(find "$root" -name dkms.conf)")
	# Nothing of the source tree is near.
	cp -r "$(find "$root" -type d -path '*/examples/modules')" "$OUTSIDE"
	make -C "$OUTSIDE" STRSOCK="$INSTALLED" KERNEL_RELEASE="$release" \
		KERNEL_HEADERS="${kernel[3]}" W=1 >"$BATS_FILE_TMPDIR/make.log" 2>&1 || {
		cat "$BATS_FILE_TMPDIR/make.log"
		return 1
	}
	mkdir "$STRSOCK_KMOD"
	cp "$OUTSIDE"/*.ko "$(find "$root" -path "*/lib/modules/$release/updates/strsock")"/*.ko \
		"$STRSOCK_KMOD"
	in_machine >"$BATS_FILE_TMPDIR/cases" || {
		cat "$BATS_FILE_TMPDIR/cases"
		return 1
	}
}

# in_machine: all cases in one machine, as built and not as installed; each ends with
# a line of its name and status. Modules are loaded when they are pushed.
in_machine() {
	"$BATS_TEST_DIRNAME/../vm/run" --timeout 600 -- bash -c "
		export PATH='$STRSOCK_BUILD/tools:$HELPERS':\$PATH STRSOCK_LIB='$LIBSTRSOCK' STRSOCK_CONF=/dev/null
		export LD_LIBRARY_PATH='$STRSOCK_BUILD/libstreams/.libs'
		$(declare -f distribution)
		cd '$BATS_FILE_TMPDIR'
		rmmod rot13 strtee strrate || exit
		for each in rot13_live rot13_shared tee_live tee_copies tee_closed \
			rate_live rate_limits rate_popped twomux; do
			timeout 100 strsock --require --no-udp --no-tcp modules-outside \$each
			echo \"\$each: \$?\"
		done
		(distribution)
		echo \"distribution: \$?\"" 2>&1
}

# distribution: programs of the distribution, with the guide's command, and with a
# file that is sent through all three modules
distribution() {
	set -e
	said=$(strsock --require --no-udp --no-tcp bash -c '(strchg -h rot13 <&1; echo Hello) | cat')
	echo "$said"
	[ "$said" = Uryyb ]
	head -c 2000000 /dev/urandom | base64 >file
	strsock --require --no-udp --no-tcp bash -c '(strchg -h rot13,strtee,rate <&1; cat file; strchg -p -a <&1) |
		tr A-Za-z N-ZA-Mn-za-m | (for i in 1 2 3 4; do
			head -c 500000
			strchg -h strtee,rate <&0 && strchg -p -u strtee <&0 && strchg -p <&0 && echo changed >&2
		done; cat)' | cmp - file
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# passed CASE...: of modules-outside.c, in the machine
passed() {
	local each
	cat "$BATS_FILE_TMPDIR/cases"
	for each; do
		grep -qx "$each: 0" "$BATS_FILE_TMPDIR/cases"
	done
}

@test "all examples were built, without a warning" {
	local module
	for module in rot13 strtee strrate twomux; do
		[ -f "$OUTSIDE/$module.ko" ]
	done
	run ! grep -i warning "$BATS_FILE_TMPDIR/make.log"
}

@test "the guide's module is rot13.c, every byte of it" {
	sed -n '/^\.Bd -literal$/,/^\.Ed$/p' "$STRSOCK_SRC/man/man7/strmod.7" | sed '1d;$d' >guide.c
	cmp guide.c "$STRSOCK_SRC/examples/modules/rot13.c"
	# A source that needed another spelling in a manual page could not be
	# compared so.
	run ! grep -n "\\\\\|^[.']" guide.c
}

@test "the Makefile reports missing prerequisites" {
	run ! make -s -C "$OUTSIDE" STRSOCK= KERNEL_RELEASE=1.2.3
	[[ $output == *"strsock is not installed"* ]]
	run ! make -s -C "$OUTSIDE" STRSOCK=/nonexistent KERNEL_RELEASE=1.2.3
	[[ $output == *"/nonexistent/include/sys/stream.h is missing"* ]]
	run ! make -s -C "$OUTSIDE" STRSOCK="$INSTALLED" KERNEL_RELEASE=1.2.3
	[[ $output == *"install strsock for 1.2.3 first"* ]]
}

@test "rot13 is pushed and popped under a preloaded program's traffic: every byte in its place" {
	passed rot13_live rot13_shared
}

@test "tee is pushed and popped; its copies are whole, a slow tap holds up the writer, a closed one does not" {
	passed tee_live tee_copies tee_closed
}

@test "rate is pushed and popped; it limits; popped it keeps nothing back" {
	passed rate_live rate_limits rate_popped
}

@test "twomux carries traffic by two lower streams" {
	passed twomux
}

@test "programs of the distribution: the guide's command, and a file through all three" {
	passed distribution
	[ "$(grep -c '^changed$' "$BATS_FILE_TMPDIR/cases")" -eq 4 ]
}
