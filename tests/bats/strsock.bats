#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# strsock(1), the launcher
#
# Programs more than kernel: under the debug kernel they take an hour.
# bats file_tags=nodebug,bare

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# The variables that the launcher passed to a command.
environment='env | sed -n "/^STRSOCK_[PDURTV]/p;/^LD_PRELOAD/p" | sort'

# ---- options

@test "--help and --version print to standard output" {
	run -0 --separate-stderr strsock --help
	[[ "$output" == "Usage: strsock "* ]]
	[ -z "$stderr" ]
	run -0 --separate-stderr strsock --version
	[[ "$output" =~ ^strsock\ [0-9] ]]
	[ -z "$stderr" ]
}

@test "no COMMAND, or an unknown option, is 125 and refers to the help" {
	run -125 strsock
	[[ "$output" == *"no COMMAND given"*"strsock --help"* ]]
	run -125 strsock --nonsense true
	[[ "$output" == *"--nonsense"*"strsock --help"* ]]
}

@test "options after COMMAND are its own" {
	run -0 --separate-stderr strsock echo --help -v
	[ "$output" = "--help -v" ]
	run -0 --separate-stderr strsock -- printenv -- HOME
	[ "$output" = "$HOME" ]
}

@test "options reach COMMAND, and its children, as variables" {
	run -0 --separate-stderr strsock --no-pipe --no-udp sh -c "$environment"
	[[ "$output" == *"STRSOCK_PIPE=0
STRSOCK_UDP=0"* ]]
	run -0 --separate-stderr strsock --no-pipe --no-udp --no-tcp sh -c "$environment"
	[[ "$output" == *"STRSOCK_PIPE=0
STRSOCK_TCP=0
STRSOCK_UDP=0"* ]]
	run -0 --separate-stderr strsock -P -d sh -c "$environment"
	[[ "$output" == *"STRSOCK_DUPLEX=1
STRSOCK_PIPE=1"* ]]
	run -0 --separate-stderr strsock -p -u -t -v sh -c "$environment"
	[[ "$output" == *"STRSOCK_PIPE=1
STRSOCK_TCP=1
STRSOCK_UDP=1
STRSOCK_VERBOSE=1"* ]]
}

@test "a variable that is neither 0 nor 1 is 125" {
	STRSOCK_UDP=yes run -125 strsock echo started
	[ "$output" = "strsock: STRSOCK_UDP=yes: must be 0 or 1" ]
}

# ---- exit status

@test "the exit status is COMMAND's" {
	run -0 strsock true
	run -7 strsock sh -c 'exit 7'
	# shellcheck disable=SC2016
	run -137 strsock sh -c 'kill -9 $$'
}

@test "a COMMAND that cannot be found is 127" {
	run -127 strsock nonexistent-command
	[ "$output" = "strsock: nonexistent-command: No such file or directory" ]
	run -127 strsock ./nonexistent
	run -127 strsock ""
	PATH=$STRSOCK_BUILD/tools run -127 strsock sort
}

@test "a COMMAND that cannot be executed is 126" {
	touch plain
	run -126 strsock ./plain
	[ "$output" = "strsock: ./plain: Permission denied" ]
	run -126 strsock /
}

@test "COMMAND is looked for as the shell does" {
	mkdir first second
	touch first/tool
	printf '#!/bin/sh\necho second\n' >second/tool
	chmod +x second/tool
	PATH=$PWD/first:$PWD/second:$PATH run -0 --separate-stderr strsock tool
	[ "$output" = second ]
	cd second
	PATH=:$PATH run -0 --separate-stderr strsock tool
	[ "$output" = second ]
}

# ---- without modules

@test "without modules: one clear line, and the native run" {
	! has_pipe || skip "STREAMS pipes are there"
	! has_udp || skip "STREAMS sockets are there"
	run -0 --separate-stderr strsock sh -c "echo out | cat; $environment"
	[ "$output" = out ]
	[ "$stderr" = "strsock: STREAMS modules are not loaded (run: modprobe -a strpipe strsock); running sh natively" ]
}

@test "without modules, --require: one clear line, 125, and COMMAND is not run" {
	! has_pipe || skip "STREAMS pipes are there"
	! has_udp || skip "STREAMS sockets are there"
	run -125 --separate-stderr strsock --require touch started
	[ "$stderr" = "strsock: STREAMS modules are not loaded (run: modprobe -a strpipe strsock); not running touch" ]
	[ ! -e started ]
	STRSOCK_REQUIRE=1 run -125 strsock touch started
	[ ! -e started ]
}

@test "one module missing is reported by its name" {
	! has_pipe || skip "strpipe is loaded"
	run -0 --separate-stderr without_pipes strsock --no-udp --no-tcp echo out
	[ "$output" = out ]
	[ "$stderr" = "strsock: STREAMS module strpipe is not loaded (run: modprobe strpipe); running echo natively" ]
	run -125 --separate-stderr without_pipes strsock --no-udp --no-tcp --require echo out
	[ -z "$output" ]
}

# As in a container
@test "strpipe is loaded and /dev/streams is not there: the reason and the remedy" {
	require_modules pipe
	require_root
	local why="STREAMS is not available (strpipe is loaded, but there is no /dev/streams/pipe here: bind-mount the host's /dev/streams)"
	run -0 --separate-stderr without_pipes strsock --no-udp --no-tcp echo out
	[ "$output" = out ]
	[ "$stderr" = "strsock: $why; running echo natively" ]
	run -125 --separate-stderr without_pipes strsock --no-udp --no-tcp --require echo out
	[ -z "$output" ]
	[ "$stderr" = "strsock: $why; not running echo" ]
	# The remedy
	run -0 --separate-stderr unshare -m bash -c 'mkdir there && mount --bind /dev/streams there &&
		mount -t tmpfs none /dev/streams && mount --bind there /dev/streams &&
		strsock --no-udp --no-tcp --require echo out'
	[ "$output" = out ]
	[ -z "$stderr" ]
}

@test "pipes alone missing: UDP sockets are still on STREAMS" {
	require_modules pipe udp
	run -0 --separate-stderr without_pipes strsock -v preload-socket udp
	[[ "$stderr" == *"no /dev/streams/pipe here"*"; pipes of preload-socket stay native"* ]]
	[[ "$stderr" == *"-> streams 3"* ]]
}

@test "a module that is not asked for is not reported missing" {
	run -0 strsock --no-pipe --no-udp --no-tcp --require echo out
	[ "$output" = out ]
}

# ---- rules

@test "bad rules: each bad line is reported with file, line and reason, 2, and nothing is started" {
	printf '%s\n' '# rules' '* pipe - - streams' '* inet dgram udp' 'x unix - - native' >rules
	run -2 --separate-stderr strsock --config rules touch started
	[ ! -e started ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ "${stderr_lines[0]}" = "strsock: rules:3: too few words (wanted: program domain type protocol provider), last is 'udp'" ]
	[ "${stderr_lines[1]}" = "strsock: rules:4: unknown domain (known are: inet inet6 pipe *) 'unix'" ]
	STRSOCK_CONF=$PWD/rules run -2 strsock touch started
	[ ! -e started ]
}

@test "bad rules: a file that cannot be read is 2" {
	run -2 strsock --config nonexistent touch started
	[ "$output" = "strsock: nonexistent: cannot be read: No such file or directory" ]
	STRSOCK_CONF=/nonexistent run -2 strsock touch started
	[ "$output" = "strsock: /nonexistent: cannot be read: No such file or directory" ]
	run -2 strsock --config . touch started
	[ "$output" = "strsock: .: cannot be read: Is a directory" ]
	yes '# comment' | head -c 70000 >long
	run -2 strsock --config long touch started
	[ "$output" = "strsock: long: longer than 65536 bytes" ]
	[ ! -e started ]
}

@test "rules for a path with a symbolic link in it: a warning; for other paths none" {
	ln -s "$(realpath "$(type -P true)")" link
	printf '%s\n' "$PWD/link pipe - - native" "$(realpath link) pipe - - native" \
		"/nonexistent/link pipe - - native" "$PWD/l*k pipe - - native" "link pipe - - native" >rules
	run -0 strsock --no-pipe --no-udp --no-tcp -c rules echo out
	[ "$output" = "strsock: rules:1: warning: never matches, the path without symbolic links is $(realpath link): '$PWD/link'
out" ]
}

@test "--config holds in whichever folder COMMAND works" {
	require_modules pipe
	echo 'preload-pipe pipe - - native' >rules
	run -0 --separate-stderr strsock --no-udp --no-tcp --config rules -v sh -c 'cd / && preload-pipe keeps-errno'
	[[ "$stderr" == *"preload-pipe: pipe -> native 3,4"* ]]
}

@test "STRSOCK_CONF is passed on as an absolute path" {
	echo 'nobody pipe - - native' >rules
	STRSOCK_CONF=rules run -0 --separate-stderr strsock printenv STRSOCK_CONF
	[ "$output" = "$PWD/rules" ]
}

@test "rules and options: an option wins" {
	require_modules pipe
	echo '* pipe - - native' >rules
	run -0 --separate-stderr strsock --no-udp --no-tcp -c rules -v preload-pipe keeps-errno
	[[ "$stderr" == *"pipe -> native 3,4"* ]]
	run -0 --separate-stderr strsock --no-udp --no-tcp -c rules -v --pipe preload-pipe keeps-errno
	[[ "$stderr" == *"pipe -> streams 3,4"* ]]
	run -0 --separate-stderr strsock --no-udp --no-tcp -v preload-pipe keeps-errno
	[[ "$stderr" == *"pipe -> streams 3,4"* ]]
}

# ---- the library

@test "the library comes first in LD_PRELOAD, and once" {
	require_modules pipe
	run -0 --separate-stderr env LD_PRELOAD=libdl.so.2 "$STRSOCK_BUILD/tools/strsock" --no-udp --no-tcp \
		sh -c 'echo $LD_PRELOAD'
	[ "$output" = "$(realpath "$LIBSTRSOCK"):libdl.so.2" ]
	run -0 --separate-stderr strsock --no-udp --no-tcp strsock sh -c 'echo $LD_PRELOAD'
	[ "$output" = "$(realpath "$LIBSTRSOCK")" ]
}

@test "a library that is missing, or with a path that LD_PRELOAD cannot hold, is 125" {
	require_modules pipe
	STRSOCK_LIB=/nonexistent.so run -125 strsock --no-udp --no-tcp echo started
	[ "$output" = "strsock: STRSOCK_LIB=/nonexistent.so: No such file or directory" ]
	mkdir "a b"
	cp "$LIBSTRSOCK" "a b/"
	STRSOCK_LIB="a b/libstrsock.so" run -125 strsock --no-udp --no-tcp echo started
	[[ "$output" == *"a b/libstrsock.so: a colon or a space in the path"* ]]
}

@test "a file that is not a library is 125, whatever is required" {
	require_modules pipe
	local option
	seq 100 >text
	: >empty
	for option in "" --require; do
		STRSOCK_LIB=text run -125 strsock --no-udp --no-tcp $option echo started
		[ "$output" = "strsock: $PWD/text: not a shared library; STRSOCK_LIB can name another" ]
	done
	STRSOCK_LIB=empty run -125 strsock --no-udp --no-tcp echo started
}

# ---- programs a library cannot be loaded into

# refused FILE REASON COMMAND...: warned of, and not run when required
refused() {
	local file=$1 reason=$2
	shift 2
	record plain strsock --no-udp --no-tcp "$@" </dev/null
	[ "$(cat plain.err)" = "strsock: warning: $file $reason: libstrsock.so cannot be preloaded, its pipes and sockets stay native" ]
	[ "$(cat plain.status)" -eq 0 ]
	record required strsock --no-udp --no-tcp --require "$@" </dev/null
	[ "$(cat required.err)" = "strsock: $file $reason: libstrsock.so cannot be preloaded; not running it" ]
	[ "$(cat required.status)" -eq 125 ]
}

@test "a statically linked COMMAND is reported" {
	require_modules pipe
	refused "$HELPERS/preload-static" "is statically linked" preload-static
}

@test "a script of a statically linked interpreter is reported" {
	require_modules pipe
	ln -s "$HELPERS/preload-static" interpreter
	printf '#! %s/interpreter\n' "$PWD" >script
	chmod +x script
	refused "$PWD/interpreter" "is statically linked" ./script
}

@test "a setuid COMMAND is reported" {
	require_modules pipe
	[ "$EUID" -eq 0 ] || skip "needs root, to give a file away"
	cp "$(type -P true)" mine
	chown 65534 mine
	chmod 4755 mine
	refused ./mine "is setuid, setgid or has file capabilities" ./mine
}

@test "a COMMAND for another architecture is reported" {
	require_modules pipe
	# A program no kernel here can run: its machine is made another.
	cp "$(type -P true)" foreign
	printf '\x08\x00' | dd of=foreign bs=1 seek=18 conv=notrunc status=none
	run strsock --no-udp --no-tcp ./foreign
	[[ "$output" == "strsock: warning: ./foreign is a program for another architecture than the library's:"* ]]
	run -125 strsock --no-udp --no-tcp --require ./foreign
	[ "$output" = "strsock: ./foreign is a program for another architecture than the library's: libstrsock.so cannot be preloaded; not running it" ]
}

# elf32 FILE TYPE: the head of one for i386, with an interpreter
elf32() {
	python3 - "$@" <<-'END'
		import struct, sys
		ident = b'\x7fELF\x01\x01\x01' + bytes(9)
		head = struct.pack('<HHIIIIIHHHHHH', int(sys.argv[2]), 3, 1, 0, 52, 0, 0, 52, 32, 1, 0, 0, 0)
		open(sys.argv[1], 'wb').write(ident + head + struct.pack('<8I', 3, 0, 0, 0, 0, 0, 4, 1))
	END
	chmod +x "$1"
}

@test "STRSOCK_LIB of another architecture is for a COMMAND of that one, and for no other" {
	require_modules pipe
	elf32 library.so 3
	elf32 command 2
	STRSOCK_LIB=library.so run ! strsock --no-udp --no-tcp --require ./command
	[[ "$output" != *architecture* ]]
	STRSOCK_LIB=library.so run -125 strsock --no-udp --no-tcp --require true
	[ "$output" = "strsock: $(type -P true) is a program for another architecture than the library's: libstrsock.so cannot be preloaded; not running it" ]
}

@test "an ordinary COMMAND, or script, causes no message" {
	require_modules pipe
	printf '#!/bin/sh\necho out | cat\n' >script
	chmod +x script
	run -0 strsock --no-udp --no-tcp --require ./script
	[ "$output" = out ]
	printf 'echo no interpreter\n' >script
	run -0 strsock --no-udp --no-tcp --require ./script
	[ "$output" = "no interpreter" ]
}
