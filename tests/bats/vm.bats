#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bats file_tags=machine
#
# The virtual machine that the other tests run in: input, output and status are passed
# on, and no misbehaviour of a kernel is missed.

bats_require_minimum_version 1.5.0

setup_file() {
	local vm=$BATS_TEST_DIRNAME/../vm kernel none

	[ "${STRSOCK_IN_VM:-}" != 1 ] || skip "starts machines itself"
	command -v qemu-system-x86_64 >/dev/null || skip "no QEMU"
	export MACHINES=emulator
	# Modules of one's own are built and given, for each kernel.
	mapfile -t kernel < <("$vm/kernel" default)
	[ ${#kernel[@]} -eq 4 ]
	build_fixture "${kernel[3]}" emulator
	none=$("$vm/uml-kernel" --missing)
	if [ "$none" ]; then
		echo "# the emulated machine only: $none" >&3
	else
		MACHINES+=" uml"
		mapfile -t kernel < <("$vm/uml-kernel" plain)
		[ ${#kernel[@]} -eq 4 ]
		build_fixture "${kernel[3]}" uml ARCH=um
	fi
}

# build_fixture HEADERS NAME [MAKEARG...]
build_fixture() {
	mkdir -p "$BATS_FILE_TMPDIR/$2"
	cp "$BATS_TEST_DIRNAME"/../vm/fixtures/* "$BATS_FILE_TMPDIR/$2"
	make -s -C "$1" M="$BATS_FILE_TMPDIR/$2" "${@:3}" modules
}

setup() {
	RUN=$BATS_TEST_DIRNAME/../vm/run in_place=
	cd "$BATS_TEST_TMPDIR"
}

# vm ARG...: tests/vm/run as $machine needs it, with its modules
vm() {
	local options=()

	[ "$machine" = emulator ] || options=(--uml)
	STRSOCK_KMOD=${kmod:-$BATS_FILE_TMPDIR/$machine} $in_place "$RUN" "${options[@]}" "$@"
}

# each_machine STEP: with $machine set, which a failure names
each_machine() {
	for machine in $MACHINES; do
		echo "machine: $machine"
		mkdir "$machine"
		pushd "$machine" >/dev/null
		"$1"
		popd >/dev/null
	done
}

# one_machine STEP: on the machine that starts fastest. The script inside is the same in
# all, and their channels are tried by the next test.
one_machine() {
	MACHINES=${MACHINES##* } each_machine "$1"
}

# files: their names, kinds, owners, modes, times and contents
files() {
	find . -printf '%p %y %U %m %T@\n' | sort
	find . -type f -exec cat {} +
}

@test "the emulated machine: 2 MB of any bytes in and out, error, signal, modules, and files that do not change" {
	local before status=0
	machine=emulator
	head -c 2000000 /dev/urandom >in
	mkdir files
	echo one >files/one
	before=$(cd files && files)
	# Input that never ends, of which the last part waits to be encoded, and a process
	# that holds the output open
	mkfifo never
	cat in in >never 3>&- &
	vm --timeout 600 -- bash -c '
		head -c 2000000
		echo "$STRSOCK_MACHINE" >&2
		echo two >files/one && rm -r files || exit
		test -d /sys/module/vmfixture && ip link add d0 type dummy && unshare -Ur true || exit
		sleep 1000 &
		kill -TERM $$' <>never >out 2>err || status=$?
	cat err
	[ "$status" -eq 143 ]
	cmp in out
	[ "$(cat err)" = emulator ]
	[ "$(cd files && files)" = "$before" ]
}

@test "input, output, error, status, folder and variables are passed on" {
	step() {
		export STRSOCK_TEST='a  "b" $c' LANG=C.UTF-8
		run --separate-stderr vm --timeout 120 -- sh -c '
			cat; pwd; printf "%s\n" "$STRSOCK_TEST" "$1" "$STRSOCK_MACHINE"; echo error >&2; exit 7' \
			sh "x  'y'" <<<"in"
		[ "$status" -eq 7 ]
		[ "${lines[0]}" = in ]
		[ "${lines[1]}" = "$PWD" ]
		[ "${lines[2]}" = 'a  "b" $c' ]
		[ "${lines[3]}" = "x  'y'" ]
		[ "${lines[4]}" = "$machine" ]
		[ "$stderr" = error ]
	}
	one_machine step
}

@test "nothing on the host changes, whatever the command does to its files" {
	step() {
		local before
		mkdir full
		echo one >full/one
		echo two >two
		ln -s two link
		before=$(files)
		vm --timeout 120 --no-modules -- sh -ec '
			echo new >new; echo more >>two; chmod 600 two; chown 1:1 full; rm -r full; rm link
			mkdir full; mount -o remount,rw /; echo again >full/again; sync
			[ "$(cat two)" = "$(printf "two\nmore")" ]'
		[ "$(files)" = "$before" ]
	}
	one_machine step
}

@test "2 MB of any bytes go in and come out unchanged" {
	step() {
		head -c 2000000 /dev/urandom >in
		vm --timeout 600 -- cat <in >out
		cmp in out
	}
	one_machine step
}

@test "the command's signal is in the status, and nothing of it stays to be waited for" {
	step() {
		# Input that never ends, and a process that holds the output open
		mkfifo never
		run vm --timeout 120 -- sh -c 'sleep 1000 & kill -TERM $$' <>never
		[ "$status" -eq 143 ]
	}
	one_machine step
}

@test "modules are loaded unless not wanted, and the kernel's own on demand" {
	step() {
		vm --timeout 120 -- sh -c 'test -d /sys/module/vmfixture && ip link add d0 type dummy && unshare -Ur true'
		vm --timeout 120 --no-modules -- test ! -d /sys/module/vmfixture
	}
	one_machine step
}

@test "a module that does not load is an error, which names it" {
	step() {
		local whole=$BATS_FILE_TMPDIR/$machine/vmfixture.ko kmod=$PWD/kmod
		mkdir kmod
		cp "$whole" kmod
		# Half of a module cannot be loaded.
		head -c "$(($(stat -c %s "$whole") / 2))" "$whole" >kmod/cut.ko
		run vm --timeout 120 -- true
		[ "$status" -eq 125 ]
		[[ $output = *"could not insert 'cut'"* ]]
	}
	one_machine step
}

@test "a kernel warning fails the run, which prints it and keeps the log" {
	step() {
		run vm --timeout 120 --klog log -- sh -c 'echo warn >/sys/module/vmfixture/parameters/act'
		[ "$status" -eq 123 ]
		[[ $output = *"vmfixture was told to warn"* ]]
		grep -q 'vmfixture was told to warn' log
		grep -q 'Linux version' log
	}
	each_machine step
}

@test "an oops fails the run" {
	step() {
		run vm --timeout 120 -- sh -c 'echo oops >/sys/module/vmfixture/parameters/act; true'
		[ "$status" -eq 123 ]
		# As x86 words it, and as User Mode Linux does
		[[ $output = *"kernel BUG at"* || $output = *"BUG: failure at"* ]]
	}
	one_machine step
}

@test "a panic fails the run" {
	step() {
		run vm --timeout 120 -- sh -c 'echo panic >/sys/module/vmfixture/parameters/act'
		[ "$status" -eq 123 ]
		[[ $output = *"vmfixture was told to panic"* ]]
	}
	each_machine step
}

@test "a machine that dies without a message is an error" {
	step() {
		run vm --timeout 120 -- sh -c 'echo b >/proc/sysrq-trigger; sleep 60'
		[ "$status" -eq 125 ]
		[[ $output = *"the machine died"* ]]
	}
	each_machine step
}

@test "a machine that hangs is ended when its time is over" {
	step() {
		# The emulated machine has begun to hang by then, if the host is not busy.
		local seconds=12
		[ "$machine" = emulator ] || seconds=5
		run vm --timeout "$seconds" -- sh -c 'echo hang >/sys/module/vmfixture/parameters/act; sleep 1000'
		[ "$status" -eq 124 ]
	}
	each_machine step
}

# below PID: the processes that it started, and theirs, one a line
below() {
	local pid
	for pid in $(pgrep -P "$1"); do
		echo "$pid"
		below "$pid"
	done
}

@test "a signal to the script ends the machine, and leaves no process" {
	step() {
		local script started pid deadline=$((SECONDS + 100))
		# In the shell's place, or the shell would get the signal.
		in_place=exec vm --timeout 120 --no-modules -- sh -c 'echo up; sleep 1000' >out 2>err </dev/null &
		script=$!
		until grep -q up out; do
			[ $SECONDS -lt $deadline ]
			sleep 0.1
		done
		started=$(below "$script")
		[ "$(wc -l <<<"$started")" -ge 4 ]
		kill -TERM "$script"
		# Not by run, because its shell has other children.
		status=0
		wait "$script" || status=$?
		[ "$status" -eq 130 ]
		for pid in $started; do
			while kill -0 "$pid" 2>/dev/null; do
				[ $SECONDS -lt $deadline ]
				sleep 0.1
			done
		done
	}
	each_machine step
}

@test "where User Mode Linux cannot be built the machine is emulated, with a message" {
	mkdir bin
	# A program that is in several folders is linked once: ln reports the others.
	(IFS=:; find $PATH /sbin -maxdepth 1 -name '[a-z]*' ! -name bison -exec ln -st bin {} +) 2>/dev/null || :
	[ -e bin/bash ] && [ ! -e bin/bison ]
	PATH=$PWD/bin run --separate-stderr "$RUN" --uml --timeout 120 --no-modules -- sh -c 'echo $STRSOCK_MACHINE'
	[ "$status" -eq 0 ]
	[ "$output" = emulator ]
	[[ $stderr = *"no bison"*"emulating the machine"* ]]
}

@test "machines of one processor take different ones, until there is none free" {
	local all first second third
	VM_CACHE=$PWD
	. "$BATS_TEST_DIRNAME/../vm/uml.bash"
	all=$(nproc)
	[ "$all" -ge 2 ] || skip "there is one processor only"
	uml_pin
	first=$processor first_lock=$lock
	uml_pin
	second=$processor
	[ "$second" != "$first" ]
	# A processor is free when its machine has ended.
	exec {first_lock}>&-
	uml_pin
	[ "$processor" = "$first" ]
	for _ in $(seq "$all"); do
		uml_pin
	done
	[[ $processor = [0-9]* ]]
}

@test "wrong use is answered with the reason" {
	machine=emulator
	run vm --no-such-option true
	[ "$status" -eq 125 ]
	[[ $output = *"unknown option --no-such-option"*--help* ]]
	run vm --smp many true
	[ "$status" -eq 125 ]
	[[ $output = *"--smp needs a number"* ]]
	run vm
	[ "$status" -eq 125 ]
	[[ $output = *"no COMMAND"* ]]
	run vm --debug --kernel 6.1.0-1-amd64 true
	[ "$status" -eq 125 ]
	[[ $output = *"--debug and --kernel exclude each other"* ]]
	# In either order
	run vm --smp 2 --icount true
	[ "$status" -eq 125 ]
	[[ $output = *"one processor only"* ]]
	run vm --icount --smp 2 true
	[ "$status" -eq 125 ]
	run vm --uml --icount true
	[ "$status" -eq 125 ]
	[[ $output = *"--uml and --icount exclude each other"* ]]
	run vm --kernel 6.1.0-1-amd64 --uml true
	[ "$status" -eq 125 ]
	[[ $output = *"--uml and --kernel exclude each other"* ]]
	run vm --uml --kmemleak true
	[ "$status" -eq 125 ]
	[[ $output = *"say --debug too"* ]]
	STRSOCK_DEBUG_KERNEL=$PWD run vm --debug true
	[ "$status" -eq 125 ]
	[[ $output = *build-debug-kernel* ]]
}

# bats test_tags=slow
@test "leaked kernel memory is found, on the debug kernel" {
	local kernel
	step() {
		if [ "$machine" = uml ]; then
			mapfile -t kernel < <("$BATS_TEST_DIRNAME/../vm/uml-kernel" debug)
			build_fixture "${kernel[3]}" uml-debug ARCH=um
		else
			mapfile -t kernel < <("$BATS_TEST_DIRNAME/../vm/kernel" debug 2>/dev/null)
			[ ${#kernel[@]} -eq 4 ] || skip "no debug kernel"
			build_fixture "${kernel[3]}" emulator-debug
		fi
		kmod=$BATS_FILE_TMPDIR/$machine-debug
		run vm --debug --kmemleak --timeout 500 -- sh -c 'echo leak >/sys/module/vmfixture/parameters/act'
		[ "$status" -eq 123 ]
		[[ $output = *"memory leaked"*"unreferenced object"* ]]
		vm --debug --kmemleak --timeout 500 -- true
	}
	each_machine step
}
