# SPDX-License-Identifier: GPL-2.0-only
#
# Code that the tests of streams share. Loaded after common.

# Debug kernels are slow: there what is counted in thousands is less.
case $(</proc/sys/kernel/osrelease) in
*debug*) export STRSOCK_TEST_SCALE=${STRSOCK_TEST_SCALE:-0.05} ;;
esac

# The libraries as built, not as installed.
export LD_LIBRARY_PATH=$STRSOCK_BUILD/libstreams/.libs:$STRSOCK_BUILD/libxti/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# The protocol of a datagram socket.
STREAMS=253
NATIVE=17

# helper PROGRAM CASE [HOW]: run a case; its output is shown when the test fails. Full
# sizes on a debug kernel want a higher STRSOCK_TEST_LIMIT, in seconds.
helper() {
	timeout "${STRSOCK_TEST_LIMIT:-300}" "$HELPERS/$1" "$2" ${3:+"$3"}
}

# strname_helper: the path at which the libraries look for strname-helper
strname_helper() {
	grep -ao '/[[:print:]]*/strname-helper' "$STRSOCK_BUILD/libstreams/.libs/libstreams.so"
}

require_nullmod() {
	loaded nullmod || modprobe nullmod 2>/dev/null || skip "nullmod is not loaded"
}

# The test driver strddi has allocb() and the like fail, where a kernel lets it.
require_failing_memory() {
	not_on_uml "it has no kprobes, by which memory is made to fail"
	loaded strddi || modprobe strddi 2>/dev/null || true
	[ "$HOSTTYPE" = x86_64 ] &&
		once has_kprobes strddi grep -q ' register_kprobe$' /proc/kallsyms ||
		skip "memory is made to fail by kprobes, on x86_64"
}

# A pipe's memory is freed when its last user's grace period has passed.
unload_pipe() {
	until_true unloaded strpipe
}

# None of ours is loaded any more; those that others use are freed after those.
none_loaded() {
	local module
	left=()
	for module in /lib/modules/"$release"/updates/strsock/*.ko; do
		module=${module##*/}
		module=${module%.ko}
		! loaded "$module" || left+=("$module")
	done
	[ ${#left[@]} -eq 0 ] || { rmmod "${left[@]}" 2>/dev/null; false; }
}

unload_all() {
	local release left
	read -r release </proc/sys/kernel/osrelease
	until_true none_loaded || {
		echo "still loaded: ${left[*]}"
		return 1
	}
}

# slab: KiB in the kernel's slabs that cannot be reclaimed
slab() {
	local name kib
	while read -r name kib _; do
		[ "$name" != SUnreclaim: ] || echo "$kib"
	done </proc/meminfo
}

# slab_at_most KIB: to be waited for, as memory is freed later
slab_at_most() {
	local now
	now=$(slab)
	[ "$now" -le "$1" ] || { echo "in slabs: $now KiB, more than $1"; return 1; }
}

# Unmounts what a failed test left on the names in its folder. Nothing but the
# test's own folder is looked at: a skipped test has made none.
leave_no_names() {
	local mounts name i
	mapfile -t mounts </proc/self/mounts
	for ((i = ${#mounts[@]} - 1; i >= 0; i--)); do
		read -r _ name _ <<<"${mounts[i]}"
		printf -v name %b "$name"
		case $name in
		"$BATS_TEST_TMPDIR"/d | "$BATS_TEST_TMPDIR"/d/*) umount -l "$name" || true ;;
		esac
	done
}
