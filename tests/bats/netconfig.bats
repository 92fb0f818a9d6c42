#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# data/netconfig: lines of netconfig(5) for the transport providers, as libtirpc
# finds them, which reads /etc/netconfig and nothing else
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_loaded strudp strinet strtiloop
	modprobe sctp 2>/dev/null || true
	require_root
}

# found CASE [FILE]: with that in the place of /etc/netconfig
found() {
	run timeout 300 unshare -m bash -c 'mount --bind "$1" /etc/netconfig && "$2" "$3"' bash \
		"${2:-$STRSOCK_SRC/data/netconfig}" "$HELPERS/netconfig" "$1"
	echo "$output"
	[ "$status" -ne 77 ] || [ "${STRSOCK_IN_VM:-}" = 1 ] || skip "built without libtirpc (libtirpc-dev)"
	[ "$status" -eq 0 ]
}

@test "each line is found, opens, binds, and has the service it states" {
	found entries
}

@test "NETPATH selects transports, in its order; without it the visible ones are found" {
	found netpath
}
