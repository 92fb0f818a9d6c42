#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/ports and kmod/test/ppp: programs and a module in the style of System V, which
# compile as they are, or with the changes that strport(7) names, and run

load common

setup_file() {
	local program
	command -v cc >/dev/null || skip "no C compiler"
	# In old C, as a makefile there has it
	for program in "$STRSOCK_SRC"/tests/ports/*.c; do
		cc -std=gnu89 -Wall -Werror -Wno-unused-result -I"$STRSOCK_SRC/include" \
			-o "$BATS_FILE_TMPDIR/$(basename "$program" .c)" "$program" \
			-L"$STRSOCK_BUILD/libxti/.libs" -lxti \
			-L"$STRSOCK_BUILD/libstreams/.libs" -lstreams
	done
}

setup() {
	export LD_LIBRARY_PATH=$STRSOCK_BUILD/libxti/.libs:$STRSOCK_BUILD/libstreams/.libs
	PATH=$BATS_FILE_TMPDIR:$PATH
	cd "$BATS_TEST_TMPDIR" || return
}

# started LINE FILE: the line is there
started() {
	until_true grep -qx "$1" "$2"
}

@test "TLI with tirdwr, not a line changed" {
	require_modules pipe
	modprobe -a strtiloop tirdwr
	seq 10000 >sent
	tli-server /dev/streams/ticotsord port <sent 2>says &
	started listening says
	tirdwr-client /dev/streams/ticotsord port all >received
	wait "$!"
	grep -qx "asked for all" says
	cmp sent received
}

@test "a server with connld, pipe() changed to strpipe()" {
	require_modules pipe
	connld-server name >says &
	local server=$!
	started "connld is on name" says
	# Each opener has a pipe of its own.
	[ "$(cat name)" = "hello, user $(id -u)" ]
	[ "$(cat name)" = "hello, user $(id -u)" ]
	kill "$server"
	wait "$server" || :
}

@test "primitives of TPI, long changed to t_scalar_t" {
	require_modules pipe
	modprobe -a strtiloop strudp
	run -0 tpi-bind /dev/streams/ticlts
	[[ $output =~ ^[0-9a-f]{2,}$ ]]
	# AF_INET, a port, no host
	run -0 tpi-bind /dev/streams/udp
	[[ $output =~ ^0200[0-9a-f]{4}0{8} ]]
}

@test "a module of PPP framing on the DDI's headers: frames, check sequences, timeouts" {
	require_modules pipe
	modprobe -n pppframe || skip "no module pppframe"
	run -0 ppp-line
	[ "${lines[0]}" = "7e7d5e68656c6c6f$(ppp_fcs '~hello')7e" ]
	[ "${lines[1]}" = "~hello" ]
	[ "${lines[2]}" = "bad 1" ]
	[ "${lines[3]}" = "bad 2" ]
	# It waits for its timeouts.
	rmmod pppframe
}

# ppp_fcs TEXT: RFC 1662's check sequence as it is sent, not escaped
ppp_fcs() {
	python3 -c '
import sys
fcs = 0xffff
for byte in sys.argv[1].encode():
    fcs ^= byte
    for _ in range(8):
        fcs = fcs >> 1 ^ 0x8408 if fcs & 1 else fcs >> 1
fcs ^= 0xffff
print("".join("%02x" % b if b not in (0x7d, 0x7e) and b >= 32 else "7d%02x" % (b ^ 32)
              for b in (fcs & 255, fcs >> 8)))' "$1"
}

# module: compiles the module as strport(7) says
module() {
	local headers
	headers=$(sed -n 's/^KERNEL_HEADERS = //p' "$STRSOCK_BUILD/Makefile" 2>/dev/null)
	[ "$headers" ] || skip "built without modules"
	cp "$STRSOCK_SRC/kmod/test/ppp/pppframe.c" .
	printf '%s\n' 'obj-m := pppframe.o' \
		"ccflags-y := -I$STRSOCK_SRC/include/ddi -I$STRSOCK_SRC/include $1" >Kbuild
	make -s -C "$headers" M="$PWD" pppframe.o
}

# bats test_tags=host
@test "a module is compiled outside of this tree with the lines that strport(7) names" {
	run -0 module "-DDDI_LICENSE='\"GPL v2\"' -DDDI_NAME=pppframe -Wno-missing-prototypes -Wno-missing-declarations"
	echo "$output"
	[[ $output != *warning* ]]
	nm pppframe.o | grep -q ' U strmod_register$'
	strings -a pppframe.o | grep -qx 'license=GPL v2'
	strings -a pppframe.o | grep -qx 'alias=strmod-pppframe'
	# No line of the source is for Linux.
	run ! grep -n 'linux/\|MODULE_\|THIS_MODULE\|module_init' pppframe.c
}

# bats test_tags=host
@test "a module without the licence in its makefile is not compiled" {
	run ! module ""
	[[ $output == *"the makefile must name the licence"* ]]
}
