#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# tcpdump, on a libpcap that was configured for DLPI, beside a packet socket: both see
# the same frames. tests/programs/fetch tcpdump compiles it.
#
# bats file_tags=slow

load common
load streams
load netns
load dlpi

# captured FRAMES CAPTURE: the last frame has arrived; the verdict is in $verdict
captured() {
	verdict=0
	python3 "$HELPERS_SRC/dlpi-capture.py" same "$@" >"$BATS_TEST_TMPDIR/verdict" || verdict=$?
	[ $verdict -ne 2 ]
}

# ended PID: the task is asked to end, and has. It may have looked for the signal just
# before it came, and wait for a frame.
ended() {
	! kill "$1" 2>/dev/null
}

setup_file() {
	rmem=$(cat /proc/sys/net/core/rmem_default)
	export rmem
}

teardown_file() {
	echo "$rmem" >/proc/sys/net/core/rmem_default
}

@test "1,001 frames of IPv4, IPv6, ARP, VLAN and IEEE 802.2 are the same" {
	local program=${STRSOCK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/strsock}/programs/tcpdump
	[ -e "$program/.fetched" ] || skip "needs tests/programs/fetch tcpdump"
	needs python3
	HELPERS_SRC=$STRSOCK_SRC/tests/helpers/dlpi
	export LD_LIBRARY_PATH=$STRSOCK_BUILD/libdlpi/.libs:$LD_LIBRARY_PATH
	cd "$BATS_TEST_TMPDIR"
	# Both may hold all frames until they read them
	echo 67108864 >/proc/sys/net/core/rmem_default
	exec {says}< <(exec ip netns exec right python3 "$HELPERS_SRC/dlpi-capture.py" \
		packets veth-right frames 3>&-)
	read -r -t 300 -u "$says"
	ip netns exec right "$program/source/tcpdump" -i veth-right -U -w capture 2>errors 3>&- &
	tcpdump=$!
	until_true grep -q 'listening on' errors
	ip netns exec left python3 "$HELPERS_SRC/dlpi-capture.py" send veth-left
	read -r -t 300 -u "$says" || true
	until_true captured frames capture
	cat verdict
	[ $verdict -eq 0 ]
	grep -qx '1001 frames' verdict
	until_true ended "$tcpdump"
	cat errors
	grep -q '1001 packets captured' errors
	grep -q '^0 packets dropped by kernel' errors
}
