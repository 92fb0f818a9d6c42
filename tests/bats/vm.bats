#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=machine
#
# The virtual machine that the other tests run in: what it passes on, and that
# no misbehaviour of a kernel goes by unnoticed.

bats_require_minimum_version 1.5.0

setup_file() {
	local vm=$BATS_TEST_DIRNAME/../vm kernel

	[ "${STRSOCK_IN_VM:-}" != 1 ] || skip "starts machines itself"
	command -v qemu-system-x86_64 >/dev/null || skip "no QEMU"
	# Modules of one's own are built and given, for either kernel.
	mapfile -t kernel < <("$vm/kernel" default)
	[ ${#kernel[@]} -eq 4 ]
	build_fixture "${kernel[3]}" stock
	export VM=$vm/run FIXTURE=$BATS_FILE_TMPDIR/stock
}

build_fixture() {
	mkdir -p "$BATS_FILE_TMPDIR/$2"
	cp "$BATS_TEST_DIRNAME"/../vm/fixtures/* "$BATS_FILE_TMPDIR/$2"
	make -s -C "$1" M="$BATS_FILE_TMPDIR/$2" modules
}

setup() {
	export STRSOCK_KMOD=$FIXTURE
	cd "$BATS_TEST_TMPDIR"
}

@test "input, output, error, status, folder and variables are passed on" {
	export STRSOCK_TEST='a  "b" $c' LANG=C.UTF-8
	run --separate-stderr "$VM" --timeout 120 -- sh -c '
		cat; pwd; printf "%s\n" "$STRSOCK_TEST" "$1"; echo lost >kept; echo error >&2; exit 7' \
		sh "x  'y'" <<<"in"
	[ "$status" -eq 7 ]
	[ "${lines[0]}" = in ]
	[ "${lines[1]}" = "$PWD" ]
	[ "${lines[2]}" = 'a  "b" $c' ]
	[ "${lines[3]}" = "x  'y'" ]
	[ "$stderr" = error ]
	# What the command changed is gone.
	[ ! -e kept ]
}

@test "10 MB of any bytes go in and come out unchanged" {
	head -c 10000000 /dev/urandom >in
	"$VM" --timeout 120 -- cat <in >out
	cmp in out
}

@test "the command's signal is in the status, and nothing of it stays to be waited for" {
	# Input that never ends, and a process that holds the output open
	mkfifo never
	run "$VM" --timeout 120 -- sh -c 'sleep 1000 & kill -TERM $$' <>never
	[ "$status" -eq 143 ]
}

@test "modules are loaded unless not wanted, and the kernel's own on demand" {
	"$VM" --timeout 120 -- sh -c 'test -d /sys/module/vmfixture && ip link add d0 type dummy && unshare -Ur true'
	"$VM" --timeout 120 --no-modules -- test ! -d /sys/module/vmfixture
}

@test "a module that does not load is an error, which names it" {
	STRSOCK_KMOD=$BATS_TEST_TMPDIR/kmod
	mkdir kmod
	cp "$FIXTURE"/vmfixture.ko kmod
	# Half of it is no module.
	head -c "$(($(stat -c %s "$FIXTURE"/vmfixture.ko) / 2))" "$FIXTURE"/vmfixture.ko >kmod/cut.ko
	run "$VM" --timeout 120 -- true
	[ "$status" -eq 125 ]
	[[ $output = *"could not insert 'cut'"* ]]
}

@test "a kernel warning fails the run, which prints it and keeps the log" {
	run "$VM" --timeout 120 --klog log -- sh -c 'echo warn >/sys/module/vmfixture/parameters/act'
	[ "$status" -eq 123 ]
	[[ $output = *"vmfixture was told to warn"* ]]
	grep -q 'vmfixture was told to warn' log
	grep -q 'Linux version' log
}

@test "an oops fails the run" {
	run "$VM" --timeout 120 -- sh -c 'echo oops >/sys/module/vmfixture/parameters/act; true'
	[ "$status" -eq 123 ]
	[[ $output = *"kernel BUG at"* ]]
}

@test "a panic fails the run" {
	run "$VM" --timeout 120 -- sh -c 'echo panic >/sys/module/vmfixture/parameters/act'
	[ "$status" -eq 123 ]
	[[ $output = *"vmfixture was told to panic"* ]]
}

@test "a machine that dies without a word is an error" {
	run "$VM" --timeout 120 -- sh -c 'echo b >/proc/sysrq-trigger; sleep 60'
	[ "$status" -eq 125 ]
	[[ $output = *"the machine died"* ]]
}

@test "a machine that hangs is ended in time" {
	local start=$SECONDS
	run "$VM" --timeout 60 -- sh -c 'echo hang >/sys/module/vmfixture/parameters/act; sleep 1000'
	[ "$status" -eq 124 ]
	[ $((SECONDS - start)) -lt 90 ]
}

@test "wrong use is explained" {
	run "$VM" --no-such-option true
	[ "$status" -eq 125 ]
	[[ $output = *"unknown option --no-such-option"*--help* ]]
	run "$VM" --smp many true
	[ "$status" -eq 125 ]
	[[ $output = *"--smp needs a number"* ]]
	run "$VM"
	[ "$status" -eq 125 ]
	[[ $output = *"no COMMAND"* ]]
	run "$VM" --debug --kernel 6.1.0-1-amd64 true
	[ "$status" -eq 125 ]
	[[ $output = *"--debug and --kernel exclude each other"* ]]
	# In either order
	run "$VM" --smp 2 --icount true
	[ "$status" -eq 125 ]
	[[ $output = *"one processor only"* ]]
	run "$VM" --icount --smp 2 true
	[ "$status" -eq 125 ]
	STRSOCK_DEBUG_KERNEL=$PWD run "$VM" --debug true
	[ "$status" -eq 125 ]
	[[ $output = *build-debug-kernel* ]]
}

# bats test_tags=slow
@test "leaked kernel memory is found, on the debug kernel" {
	local kernel
	mapfile -t kernel < <("$BATS_TEST_DIRNAME/../vm/kernel" debug 2>/dev/null)
	[ ${#kernel[@]} -eq 4 ] || skip "no debug kernel"
	build_fixture "${kernel[3]}" debug
	export STRSOCK_KMOD=$BATS_FILE_TMPDIR/debug
	run "$VM" --debug --kmemleak --timeout 500 -- sh -c 'echo leak >/sys/module/vmfixture/parameters/act'
	[ "$status" -eq 123 ]
	[[ $output = *"memory leaked"*"unreferenced object"* ]]
	"$VM" --debug --kmemleak --timeout 500 -- true
}
