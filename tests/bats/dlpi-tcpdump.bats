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

# frames_of COMMAND ARGUMENT...: of dlpi-capture.py, in the sender's namespace
frames_of() {
	ip netns exec left python3 "$HELPERS_SRC/dlpi-capture.py" "$1" veth-left "${@:2}"
}

# captured HOW: tcpdump has seen the last frame; the verdict is in $verdict. A last frame
# that was dropped is sent again.
captured() {
	verdict=0
	python3 "$HELPERS_SRC/dlpi-capture.py" "$1" frames capture >verdict || verdict=$?
	[ $verdict -eq 2 ] || return 0
	[ "$(counter device_dropped)" -eq "$dropped" ] || last
	false
}

last() {
	dropped=$(counter device_dropped)
	frames_of end
	ends=$((ends + 1))
}

# listening: tcpdump's frames count from now on; or it has failed
listening() {
	grep -q 'listening on' errors || ! kill -0 "$tcpdump"
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

# capture COUNT HOW: frames are sent to tcpdump and to a packet socket, and compared
capture() {
	local program=${STRSOCK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/strsock}/programs/tcpdump
	[ -e "$program/.fetched" ] || skip "needs tests/programs/fetch tcpdump"
	needs python3
	HELPERS_SRC=$STRSOCK_SRC/tests/helpers/dlpi
	export LD_LIBRARY_PATH=$STRSOCK_BUILD/libdlpi/.libs:$LD_LIBRARY_PATH
	cd "$BATS_TEST_TMPDIR"
	exec {says}< <(exec ip netns exec right python3 "$HELPERS_SRC/dlpi-capture.py" \
		packets veth-right frames 3>&-)
	read -r -t 300 -u "$says"
	[ "$2" = same ] || echo "$rmem" >/proc/sys/net/core/rmem_default
	# Debian's tcpdump wants the name of a user to become
	ip netns exec right "$program/source/tcpdump" -Z root -i veth-right -U -w capture 2>errors 3>&- &
	tcpdump=$!
	until_true listening
	cat errors
	frames_of send "$1"
	ends=0
	last
	read -r -t 300 -u "$says" || true
	until_true captured "$2"
	cat verdict
	[ $verdict -eq 0 ]
	until_true ended "$tcpdump"
	cat errors
}

@test "1,001 frames of IPv4, IPv6, ARP, VLAN and IEEE 802.2 are the same" {
	# Both may hold all frames until they read them
	echo 67108864 >/proc/sys/net/core/rmem_default
	capture 1000 same
	grep -qx '1001 frames' verdict
	grep -q '1001 packets captured' errors
	grep -q '^0 packets dropped by kernel' errors
}

@test "100,000 frames at full rate: those that tcpdump has not seen were counted as dropped" {
	local before seen dropped
	# The packet socket may hold all; tcpdump's stream has the usual room.
	echo 536870912 >/proc/sys/net/core/rmem_default
	before=$(counter device_dropped)
	capture 100000 some
	seen=$(sed -n 's/ packets captured$//p' errors)
	dropped=$(($(counter device_dropped) - before))
	echo "$seen seen, $dropped dropped, $((100000 + ends)) sent"
	[ $((seen + dropped)) -eq $((100000 + ends)) ]
	# Else nothing was counted that could have been missed
	[ "$dropped" -gt 0 ]
}
