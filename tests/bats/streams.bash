# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of streams share. Loaded after common.

# Debug kernels are slow: there what is counted in thousands is less.
case $(uname -r) in
*debug*) export STRSOCK_TEST_SCALE=${STRSOCK_TEST_SCALE:-0.05} ;;
esac

# The libraries as built, not as installed.
export LD_LIBRARY_PATH=$STRSOCK_BUILD/libstreams/.libs:$STRSOCK_BUILD/libxti/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# The protocol of a datagram socket.
STREAMS=253
NATIVE=17

# helper PROGRAM CASE: run a case, and show what it says when it fails. Full sizes
# on a debug kernel want a higher STRSOCK_TEST_LIMIT, in seconds.
helper() {
	run timeout "${STRSOCK_TEST_LIMIT:-300}" "$HELPERS/$1" "$2"
	echo "$output"
	[ "$status" -eq 0 ]
}

require_nullmod() {
	modprobe nullmod 2>/dev/null || true
	lsmod | grep -q '^nullmod ' || skip "nullmod is not loaded"
}

# The test driver strddi has allocb() and the like fail, where a kernel lets it.
require_failing_memory() {
	not_on_uml "it has no kprobes, by which memory is made to fail"
	modprobe strddi 2>/dev/null || true
	[ "$(uname -m)" = x86_64 ] && grep -q ' register_kprobe$' /proc/kallsyms ||
		skip "memory is made to fail by kprobes, on x86_64"
}

# A pipe's memory goes when its last user's grace period has passed.
unload_pipe() {
	local i
	for i in $(seq 20); do
		rmmod strpipe && return
		sleep 0.1
	done
	return 1
}

# All of ours; those that others use go after those.
unload_all() {
	local module left=()
	for _ in 1 2 3 4 5; do
		left=()
		for module in /lib/modules/"$(uname -r)"/updates/strsock/*.ko; do
			module=$(basename "$module" .ko)
			rmmod "$module" 2>/dev/null || true
			[ ! -d "/sys/module/$module" ] || left+=("$module")
		done
		[ ${#left[@]} -gt 0 ] || return 0
		sleep 0.2
	done
	echo "still loaded: ${left[*]}"
	return 1
}

# slab: KiB in the kernel's slabs that cannot be reclaimed, when freeing is over.
slab() {
	sleep 2
	awk '$1 == "SUnreclaim:" { print $2 }' /proc/meminfo
}

# Takes away what a failed test left on the names in its folder. Nothing but the
# test's own folder is looked at: a skipped test has made none.
leave_no_names() {
	local name
	for name in "$BATS_TEST_TMPDIR"/d/* "$BATS_TEST_TMPDIR/d"; do
		while mountpoint -q "$name"; do
			umount -l "$name" || break
		done
	done
}
