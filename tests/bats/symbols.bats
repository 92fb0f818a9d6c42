#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=host
#
# kmod/SYMBOLS lists what the modules import of the kernel

load common

setup_file() {
	modules_built || skip "configured without modules"
}

setup() {
	modules=$STRSOCK_BUILD/kbuild/kmod
	symbols=$STRSOCK_SRC/tests/symbols
	list=$BATS_TEST_TMPDIR/list
}

@test "the modules import the symbols that are listed, and no others" {
	run -0 "$symbols" "$modules"
}

@test "a symbol that is not listed fails, and so does one not listed for the kernel" {
	grep -v '^udp_sendmsg ' "$STRSOCK_SRC/kmod/SYMBOLS" >"$list"
	run -1 "$symbols" --list "$list" "$modules"
	[[ $output == *"imports udp_sendmsg, which is not listed"* ]]
	echo "udp_sendmsg 99.1" >>"$list"
	run -1 "$symbols" --list "$list" "$modules"
	[[ $output == *"imports udp_sendmsg, which is not listed for that release"* ]]
}

@test "a symbol that is listed and not imported fails; one that may be missing does of all kernels" {
	cp "$STRSOCK_SRC/kmod/SYMBOLS" "$list"
	echo "udp_poll 6.1" >>"$list"
	run -1 "$symbols" --list "$list" "$modules"
	[[ $output == *"udp_poll is listed, and no module"* ]]
	sed -i '$s/$/ ?/' "$list"
	run -0 "$symbols" --list "$list" "$modules"
	run -1 "$symbols" --all --list "$list" "$modules"
	[[ $output == *"udp_poll is listed, and no kernel's modules import it"* ]]
}

@test "a malformed list, and a folder without modules" {
	echo "udp_poll" >"$list"
	run -1 "$symbols" --list "$list" "$modules"
	[[ $output == *"$list:1: not 'NAME RELEASE"* ]]
	mkdir "$BATS_TEST_TMPDIR/empty"
	run -1 "$symbols" "$BATS_TEST_TMPDIR/empty"
	[[ $output == *"no modules"* ]]
}
