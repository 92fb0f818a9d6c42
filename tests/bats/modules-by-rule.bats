#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# strsock --push and the sixth word of a rule: modules on each new pipe and socket of an
# unmodified program
# bats file_tags=oldest

load common

setup() {
	require_modules pipe udp
	cd "$BATS_TEST_TMPDIR"
}

# pushed OPTION...: the modules on the shell's pipe, the topmost first
pushed() {
	strsock --no-tcp "$@" bash -c 'strconf <&1 >&2 | :' 2>&1 | paste -sd' '
}

# on_socket FAMILY OPTION...: the modules on a datagram socket of a Python program
on_socket() {
	local family=$1
	shift
	strsock --no-tcp "$@" python3 -c "
import os, socket, subprocess
s = socket.socket(socket.$family, socket.SOCK_DGRAM)
os.dup2(s.fileno(), 0)
subprocess.run(['strconf'])" | paste -sd' '
}

@test "--push: each pipe of a command and of its children has the modules, the last one topmost" {
	[ "$(pushed --push nullmod)" = "nullmod" ]
	[ "$(pushed --push nullmod,pipemod)" = "pipemod nullmod" ]
	run -0 strsock --push nullmod sh -c "echo hello | sh -c 'cat | cat'"
	[ "$output" = hello ]
}

@test "--push: popen() makes its pipe with the modules" {
	run -0 strsock --push nullmod python3 -c '
import ctypes, sys
c = ctypes.CDLL(None)
c.popen.restype = ctypes.c_void_p
c.popen.argtypes = [ctypes.c_char_p] * 2
c.pclose.argtypes = [ctypes.c_void_p]
sys.exit(c.pclose(c.popen(b"strconf", b"w")))'
	[ "$output" = nullmod ]
}

@test "--push: full-duplex pipes have the modules at the second descriptor" {
	run -0 strsock --duplex --push nullmod bash -c '{ strconf <&1 >&2; echo; } |
		{ read -r; strconf; echo below; }'
	[ "$output" = "nullmod
below" ]
}

@test "--push: a UDP socket has the modules before its first use" {
	[[ "$(on_socket AF_INET --push nullmod)" == "nullmod sockmod "* ]]
}

@test "--on limits --push to kinds, and the last --push decides for a kind" {
	[ "$(pushed --push nullmod --on udp)" = "" ]
	[ "$(pushed --push nullmod --on udp,pipe)" = nullmod ]
	[ "$(pushed --push nullmod --push pipemod --on udp)" = nullmod ]
	[[ "$(on_socket AF_INET --push nullmod --push pipemod --on udp)" == "pipemod sockmod "* ]]
	[[ "$(on_socket AF_INET --push nullmod --on pipe)" != *nullmod* ]]
}

@test "the same bytes pass with eight modules as with none" {
	local sum eight=nullmod,pipemod,nullmod,nullmod,bufmod,nullmod,nullmod,nullmod
	sum=$(head -c 3000000 /dev/urandom | tee file | cksum)
	# bufmod puts headers into the data, so that it may not be on the way
	eight=${eight/bufmod/nullmod}
	[ "$(strsock --push "$eight" bash -c 'cat file | dd bs=1000 2>/dev/null | cksum')" = "$sum" ]
}

@test "a rule pushes modules, and --push overrides it" {
	echo "bash pipe - - streams nullmod,pipemod" >rules
	echo "* inet dgram udp streams nullmod" >>rules
	[ "$(pushed -c rules)" = "pipemod nullmod" ]
	[ "$(pushed -c rules --push nullmod)" = nullmod ]
	[ "$(pushed -c rules --push nullmod --on udp)" = "pipemod nullmod" ]
	[[ "$(on_socket AF_INET -c rules)" == "nullmod sockmod "* ]]
}

@test "a pipe that is native by a rule has no modules, and none is reported" {
	echo "* pipe - - native" >rules
	run -0 strsock -c rules --push nullmod sh -c 'echo hello | cat'
	[ "$output" = hello ]
}

@test "a module that does not exist: --push starts nothing; a rule reports it once in a process" {
	run -125 strsock --push nullmod,nosuchmod touch started
	[ "$output" = "strsock: there is no module nosuchmod to push (run: modprobe strmod-nosuchmod)" ]
	[ ! -e started ]
	STRSOCK_PUSH_UDP=nosuchmod run -125 strsock touch started
	[ "$output" = "strsock: there is no module nosuchmod to push (run: modprobe strmod-nosuchmod)" ]
	echo "*/python3* pipe - - streams nosuchmod,nullmod" >rules
	run -0 strsock -c rules python3 -c '
import os, subprocess
for i in range(2):
	subprocess.run(["strconf"], stdin=os.pipe()[0])'
	[ "${#lines[@]}" -eq 3 ]
	[[ "${lines[0]}" == "strsock: "*" python3: pipe2: cannot push nosuchmod on "*" (EINVAL: no such module, or it refuses this stream; run: modprobe strmod-nosuchmod)" ]]
	[ "${lines[*]:1}" = "nullmod nullmod" ]
}

@test "--require: a pipe whose module cannot be pushed is not made, and nothing stays open" {
	echo "* pipe - - streams nullmod,nosuchmod" >rules
	run -0 strsock --require -c rules python3 -c '
import errno, os
free = os.dup(0)
for i in range(2):
	try:
		os.pipe()
	except OSError as e:
		print(errno.errorcode[e.errno])
print(os.dup(0) - free)'
	[[ "${lines[0]}" == "strsock: "*" cannot push nosuchmod on "*" (EINVAL: "*"; refused, as STRSOCK_REQUIRE=1" ]]
	[ "${lines[*]:1}" = "ENXIO ENXIO 1" ]
}

@test "--require: a socket whose module cannot be pushed is not made" {
	run -0 strsock --require --push connld --on udp python3 -c '
import errno, os, socket
free = os.dup(0)
try:
	socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
except OSError as e:
	print(errno.errorcode[e.errno])
print(os.dup(0) - free)'
	[[ "${lines[0]}" == *": socket: cannot push connld on "*" (EINVAL: "*"; refused, as STRSOCK_REQUIRE=1" ]]
	[ "${lines[*]:1}" = "ENXIO 1" ]
}

@test "bad lists and kinds: 125, one line, nothing started" {
	local long=abcdefghijklmnopqrstuvwxyzabcdef
	run -125 strsock --push a,b,c,d,e,f,g,h,i touch started
	[ "$output" = "strsock: --push=a,b,c,d,e,f,g,h,i: more than 8 modules" ]
	run -125 strsock --push "" touch started
	[ "$output" = "strsock: --push=: module without a name (wanted: NAME,NAME:SETTING=VALUE)" ]
	run -125 strsock --push $long touch started
	[ "$output" = "strsock: --push=$long: name of a module longer than 31 bytes" ]
	run -125 strsock --push nullmod --on pipe,sctp touch started
	[ "$output" = "strsock: --on: unknown kind 'sctp' (known are: pipe udp tcp)" ]
	run -125 strsock --push nullmod --on "" touch started
	[ "$output" = "strsock: --on: unknown kind '' (known are: pipe udp tcp)" ]
	run -125 strsock --on pipe touch started
	[ "$output" = "strsock: --on without --push before it; try 'strsock --help'" ]
	STRSOCK_PUSH_PIPE=,x run -125 strsock touch started
	[ "$output" = "strsock: STRSOCK_PUSH_PIPE=,x: module without a name (wanted: NAME,NAME:SETTING=VALUE)" ]
	[ ! -e started ]
	STRSOCK_PUSH_PIPE=,x LD_PRELOAD=$LIBSTRSOCK run -0 sh -c 'echo hello | cat'
	[[ "$output" == *" ignored: module without a name (wanted: NAME,NAME:SETTING=VALUE)"*hello ]]
}

# On the debug kernel the timer's next signal comes before a push has ended.
# bats test_tags=nodebug
@test "modules are pushed in a child of vfork() and in a signal handler" {
	local case
	for case in vfork signal; do
		record native preload-async $case
		record streams strsock --push nullmod --on pipe,udp preload-async $case
		identical native streams
	done
}
