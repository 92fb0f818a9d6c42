#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Modules pushed when a device is opened: the sad device, autopush(8); and strconf(1) and
# strchg(1), which show and change the modules of a stream.
#
# bats file_tags=longdebug

load common
load streams
load cover

setup() {
	require_modules pipe
	require_loaded strecho strnuls nullmod pipemod openfail srvmod
	require_root
	cd "$BATS_TEST_TMPDIR"
}

teardown_file() {
	cover_table
}

teardown() {
	autopush -r -M echo 2>/dev/null || true
	autopush -r -M nuls 2>/dev/null || true
}

@test "SAP_ONE: configured modules are pushed in order, returned by SAD_GAP, and cleared" {
	cover sad one
}

@test "SAP_RANGE and SAP_ALL: EEXIST for overlaps, ERANGE for no range and from its middle" {
	cover sad ranges
}

@test "SAD_SAP, SAD_GAP: EFAULT, EINVAL, ENOSTR, ENODEV; up to 8 modules" {
	cover sad errors
}

@test "SAD_VML: 0 for modules, 1 otherwise; EINVAL, EFAULT" {
	cover sad verify
}

@test "a module that does not open fails the open with its error" {
	cover sad refused
}

@test "without privilege SAD_SAP is EPERM, SAD_GAP and SAD_VML are not" {
	cover sad unprivileged
}

@test "the configuration of a single device ends with its driver" {
	echo "echo - - nullmod" >rules
	autopush -f rules
	rmmod strecho
	modprobe strecho
	run -1 autopush -g -M echo
	[[ $output == *"nothing is set"* ]]
}

@test "autopush -f takes names and numbers, -g shows them, -r removes them" {
	cat >rules <<-END
		# a comment, and an empty line

		echo - - nullmod pipemod  # the second on top
		$((0x$(stat -c %t /dev/streams/nuls))) $((0x$(stat -c %T /dev/streams/nuls))) 0 nullmod
	END
	autopush -f rules
	run -0 strconf </dev/streams/echo
	[ "$output" = $'pipemod\nnullmod\necho' ]
	run -0 strconf </dev/streams/nuls
	[ "$output" = $'nullmod\nnuls' ]
	run -0 autopush -g -M echo
	[[ ${lines[0]} =~ Major\ +Minor\ +Lastminor\ +Modules ]]
	[[ ${lines[1]} == *" nullmod pipemod" ]]
	autopush -r -M echo
	autopush -r -M "$((0x$(stat -c %t /dev/streams/nuls)))" -m "$((0x$(stat -c %T /dev/streams/nuls)))"
	run -0 strconf </dev/streams/echo
	[ "$output" = echo ]
	run -1 autopush -g -M echo
	run -1 autopush -r -M nuls
}

@test "autopush carries out valid lines and reports the others" {
	printf '%s\n' "echo - - nosuchmodule" "nosuchdevice - - nullmod" "echo -" \
		"echo x y nullmod" "1 3 0 nullmod" "nuls - - nullmod" >rules
	run -1 autopush -f rules
	[[ $output == *"rules:1: one of the modules cannot be found"* ]]
	[[ $output == *"rules:2: no such device; is its kernel module loaded"* ]]
	[[ $output == *"rules:3: needs major"* ]]
	[[ $output == *"rules:4: bad numbers, or a name without - -"* ]]
	[[ $output == *"rules:5: not a STREAMS device"* ]]
	[[ $output != *"rules:6"* ]]
	run -0 strconf </dev/streams/nuls
	[ "$output" = $'nullmod\nnuls' ]
	run -1 autopush -f rules
	[[ $output == *"rules:6: something is set already"* ]]
	run -1 autopush -f nosuchfile
	[[ $output == *"nosuchfile: No such file"* ]]
	local arguments
	for arguments in "" -g "-f rules -g" "-g -r -M echo" "-g -M 1" \
		"-g -M echo -m 1" "-x" "-f rules more"; do
		# shellcheck disable=SC2086
		run -2 autopush $arguments
		[ "$output" ]
	done
	run -1 autopush -g -M nosuchdevice
	[[ $output == *"nosuchdevice: no such device; is its kernel module loaded"* ]]
	run -0 autopush -h
}

@test "strconf shows all modules, the topmost, or whether one is pushed" {
	exec {fd}<>/dev/streams/echo
	run -1 strconf -t <&"$fd"
	[ -z "$output" ]
	strchg -h nullmod,srvmod <&"$fd"
	run -0 strconf <&"$fd"
	[ "$output" = $'srvmod\nnullmod\necho' ]
	run -0 strconf -t <&"$fd"
	[ "$output" = srvmod ]
	run -0 strconf -m nullmod <&"$fd"
	[ "$output" = yes ]
	run -1 strconf -m pipemod <&"$fd"
	[ "$output" = no ]
	run -2 strconf </dev/null
	[[ $output == *"not a stream"* ]]
	run -2 strconf -t -m nullmod <&"$fd"
	run -2 strconf -x <&"$fd"
	run -2 strconf more <&"$fd"
	run -2 strconf -m "" <&"$fd"
	run -0 strconf -h
	exec {fd}>&-
}

@test "strchg pushes, pops one, some or all" {
	exec {fd}<>/dev/streams/echo
	strchg -h nullmod,srvmod,pipemod <&"$fd"
	strchg -p <&"$fd"
	run -0 strconf <&"$fd"
	[ "$output" = $'srvmod\nnullmod\necho' ]
	strchg -h pipemod <&"$fd"
	strchg -p -u nullmod <&"$fd"
	run -0 strconf -t <&"$fd"
	[ "$output" = nullmod ]
	run -1 strchg -p -u pipemod <&"$fd"
	[ "$output" = "strchg: pipemod is not pushed" ]
	strchg -h srvmod <&"$fd"
	strchg -p -a <&"$fd"
	run -0 strconf <&"$fd"
	[ "$output" = echo ]
	strchg -p -a <&"$fd"
	run -1 strchg -p <&"$fd"
	[ "$output" = "strchg: no module is pushed" ]
	run -1 strchg -h nullmod,nosuchmodule <&"$fd"
	[[ $output == *"cannot push nosuchmodule"* ]]
	run -2 strchg -p </dev/null
	[[ $output == *"not a stream"* ]]
	local arguments
	for arguments in "" -a "-u nullmod" "-p -a -u nullmod" "-h nullmod -p" "-f x -p" "-x" "-p more"; do
		# shellcheck disable=SC2086
		run -2 strchg $arguments <&"$fd"
	done
	exec {fd}>&-
}

@test "strchg reports why a module cannot be pushed: unknown, refused, too many, a linked stream" {
	local program
	exec {fd}<>/dev/streams/echo
	run -1 strchg -h nosuchmodule <&"$fd"
	[ "$output" = "strchg: cannot push nosuchmodule: there is no such module" ]
	echo 22 >/sys/module/openfail/parameters/error
	run -1 strchg -h openfail <&"$fd"
	echo 33 >/sys/module/openfail/parameters/error
	[ "$output" = "strchg: cannot push openfail: the module refuses this stream" ]
	strchg -h "$(printf 'nullmod,%.0s' {1..15})nullmod" <&"$fd"
	run -1 strchg -h nullmod <&"$fd"
	[ "$output" = "strchg: cannot push nullmod: 16 modules are pushed, which is the limit" ]
	exec {fd}>&-
	modprobe strmux
	program='import fcntl, os, subprocess, sys
lower, upper = (os.open("/dev/streams/" + name, os.O_RDWR) for name in ("echo", "mux"))
fcntl.ioctl(upper, 0x530C, lower)	# I_LINK
sys.exit(subprocess.call(["strchg", "-h", "nullmod"], stdin=lower))'
	run -1 python3 -c "$program"
	[ "$output" = "strchg: cannot push nullmod: the stream is linked below a multiplexor" ]
}

@test "strchg -f makes the stream as the file says, and keeps modules that are right" {
	exec {fd}<>/dev/streams/echo
	printf '# topmost first\npipemod\nsrvmod\n\nnullmod\n' >wanted
	strchg -f wanted <&"$fd"
	run -0 strconf <&"$fd"
	[ "$output" = $'pipemod\nsrvmod\nnullmod\necho' ]
	printf 'nullmod\nnullmod\n' >wanted
	strchg -f wanted <&"$fd"
	run -0 strconf <&"$fd"
	[ "$output" = $'nullmod\nnullmod\necho' ]
	: >wanted
	strchg -f wanted <&"$fd"
	run -0 strconf <&"$fd"
	[ "$output" = echo ]
	echo nosuchmodule >wanted
	run -1 strchg -f wanted <&"$fd"
	run -2 strchg -f nosuchfile <&"$fd"
	[[ $output == *"cannot open nosuchfile"* ]]
	exec {fd}>&-
}

@test "strchg and strconf change the stream of a running program, while it reads" {
	local copy sum
	sum=$(head -c 2000000 /dev/urandom | tee "$BATS_TEST_TMPDIR/file" | cksum)
	mkfifo "$BATS_TEST_TMPDIR/more"
	cd "$BATS_TEST_TMPDIR"
	strsock --no-udp --no-tcp bash -c 'cat file more | { echo $BASHPID >reader; exec cksum; } >sum' &
	copy=$!
	until_true test -s reader
	run -0 strconf --pid "$(cat reader)" --fd 0
	[ -z "$output" ]
	run -0 strchg --pid "$(cat reader)" --fd 0 -h nullmod,pipemod
	run -0 strconf --pid "$(cat reader)" --fd 0
	[ "$output" = $'pipemod\nnullmod' ]
	: >more
	wait "$copy"
	[ "$(cat sum)" = "$sum" ]
}

@test "strconf --pid reports a process, a descriptor or rights that are missing" {
	local pid
	exec {fd}<>/dev/streams/echo
	sleep 1000 <&"$fd" &
	pid=$!
	run -0 strconf --pid "$pid" --fd 0
	[ "$output" = echo ]
	run -2 strconf --pid "$pid" --fd 99
	[ "$output" = "strconf: cannot take descriptor 99 of process $pid: Bad file descriptor" ]
	run -2 setpriv --reuid 65534 --clear-groups "$(type -p strconf)" --pid "$pid" --fd 0
	[ "$output" = "strconf: cannot take descriptor 0 of process $pid: Operation not permitted (the rights of a debugger are needed, see ptrace(2))" ]
	run -2 strconf --pid "$pid" --fd 1
	[ "$output" = "strconf: descriptor 1 of process $pid is not a stream" ]
	kill "$pid"
	wait "$pid" || :
	run -2 strconf --pid "$pid" --fd 0
	[ "$output" = "strconf: cannot find the descriptors of process $pid: No such process" ]
	run -2 strconf --pid 0 --fd 0
	[ "$output" = "strconf: --pid: not a number from 1 on: '0'" ]
	run -2 strchg --pid 1 --fd 99999999999 -p
	[ "$output" = "strchg: --fd: not a number from 0 on: '99999999999'" ]
	run -2 strchg --pid 1 -p <&"$fd"
	[ "$output" = "strchg: --pid and --fd are given together" ]
	exec {fd}>&-
}
