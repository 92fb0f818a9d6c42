#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Device nodes that exist before their modules are loaded: an open loads the module

load common

setup() {
	require_modules pipe
	[ "$(id -u)" = 0 ] || skip "needs root"
	INDEX=/lib/modules/$(uname -r)
	cd "$BATS_TEST_TMPDIR" || return
}

# numbers NAME: of the node of a module that is loaded, decimal
numbers() {
	printf '%d:%d\n' "0x$(stat -c %t "/dev/streams/$1")" "0x$(stat -c %T "/dev/streams/$1")"
}

# nodes: a line for each that the installation makes: its name, and its numbers
nodes() {
	sed -n 's,^[a-z]* streams/\([a-z_0-9]*\) c\(.*\),\1 \2,p' "$INDEX/modules.devname"
	sed -n 's,^c! /dev/streams/\([a-z_0-9]*\) .* \([0-9:]*\)$,\1 \2,p' \
		"$STRSOCK_SRC/data/strsock-nodes.conf"
}

@test "the numbers that depmod and systemd-tmpfiles give to nodes are those of the modules" {
	modprobe -a strpipe strudp strinet strtiloop strdlpi strecho strloop strmux strnuls strtap
	run -0 nodes
	[ "${#lines[@]}" = 19 ]
	local name expected
	while read -r name expected; do
		[ "$(numbers "$name")" = "$expected" ] || { echo "$name"; false; }
	done <<<"$output"
}

@test "each node of an installation has an alias that loads its module" {
	local name number
	nodes | while read -r name number; do
		modprobe -n "char-major-${number/:/-}" || { echo "$name"; false; }
	done
}

@test "an open of a node loads its module" {
	modprobe -r strnuls
	[ ! -d /sys/module/strnuls ]
	local number
	number=$(nodes | sed -n 's/^nuls //p')
	# Where a user without privileges can reach it
	mknod -m 666 /dev/early-nuls c "${number%:*}" "${number#*:}"
	setpriv --reuid 65534 --regid 65534 --clear-groups sh -c 'echo ignored >/dev/early-nuls'
	rm /dev/early-nuls
	[ -d /sys/module/strnuls ]
}

@test "a node of a module that cannot be loaded is ENXIO" {
	local number
	number=$(nodes | sed -n 's/^nuls //p')
	mknod node c "${number%:*}" 255
	run ! cat node
	[[ $output == *"No such device or address"* ]]
}
