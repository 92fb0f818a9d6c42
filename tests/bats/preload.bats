#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# libstrsock.so: its effects on the programs it is loaded into
#
# Programs more than kernel: under the debug kernel they take an hour.
# bats file_tags=nodebug,bare

load common

# ---- the library itself

@test "the library exports eleven functions, and none of them has a version" {
	run -0 sh -c "readelf -W --dyn-syms '$LIBSTRSOCK' | awk '\$7 != \"UND\" && \$5 == \"GLOBAL\" && \$4 == \"FUNC\" && \$8 !~ /@/ { print \$8 }' | sort"
	[ "$output" = "__pipe
fcntl
fcntl64
pclose
pipe
pipe2
popen
socket
splice
tee
vmsplice" ]
}

@test "the symbols that hooks need in signal handlers are bound when the library is loaded" {
	run -0 readelf -rW "$LIBSTRSOCK"
	[[ $output == *" __errno_location@"* ]]
	for name in __errno_location __fcntl fstat getpagesize pthread_setcanceltype \
		    stat strlen strnlen; do
		[[ ! $output =~ _JUMP_SLO[^@]*" $name@" ]]
	done
}

@test "a program's calls reach the library" {
	run -0 preloaded preload-pipe symbols
	[ "${#lines[@]}" -eq 11 ]
	for line in "${lines[@]}"; do
		[ "${line#* }" = libstrsock.so ]
	done
}

# ---- without modules everything is native

natively_the_same_without_modules() {
	record native "$@"
	record preloaded without_pipes preloaded "$@"
	identical native preloaded
}

@test "without modules: descriptor numbers of pipes" {
	natively_the_same_without_modules preload-pipe numbers
}

@test "without modules: flags of pipe2()" {
	natively_the_same_without_modules preload-pipe flags
}

@test "without modules: bad addresses are EFAULT" {
	natively_the_same_without_modules preload-pipe addresses
}

@test "without modules: limits of open files" {
	natively_the_same_without_modules preload-pipe limits
}

@test "without modules: errno survives success" {
	natively_the_same_without_modules preload-pipe keeps-errno
}

@test "without modules: sockets of all kinds" {
	require_no_udp
	natively_the_same_without_modules preload-socket
	natively_the_same_without_modules preload-socket limits
}

@test "without modules: popen() is the C library's" {
	natively_the_same_without_modules preload-popen statuses
	run -0 without_pipes preloaded STRSOCK_VERBOSE=1 preload-popen limits
	[[ "$output" == *" preload-popen: popen -> native (/dev/streams/pipe: ENOENT)"* ]]
}

@test "a device that is not ours in place of /dev/streams/pipe: native pipes, nothing left open" {
	[ "$EUID" -eq 0 ] || skip "needs root, to mount"
	[ -d /dev/streams ] || skip "there is no /dev/streams to mount on"
	record native preload-pipe numbers
	record other unshare -m sh -c '
		mount -t tmpfs none /dev/streams && mknod -m 666 /dev/streams/pipe c 1 3 &&
		exec env LD_PRELOAD="$0" preload-pipe numbers' "$LIBSTRSOCK"
	identical native other
}

# ---- where little is allowed

@test "hooks work in a vfork child" {
	preloaded preload-async vfork
}

@test "hooks work in a signal handler that interrupts malloc and stdio" {
	preloaded preload-async signal
}

# ---- required

@test "STRSOCK_REQUIRE=1: a pipe that cannot be on STREAMS is ENXIO, reported once" {
	run -0 --separate-stderr without_pipes preloaded STRSOCK_REQUIRE=1 STRSOCK_UDP=0 preload-pipe addresses
	[[ "$output" == *"inside: ENXIO"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ "$stderr" == "strsock: "*" preload-pipe: pipe refused: no STREAMS pipe (/dev/streams/pipe: ENOENT) and STRSOCK_REQUIRE=1; run: modprobe strpipe" ]]
}

@test "STRSOCK_REQUIRE=1: a UDP or TCP socket that cannot be on STREAMS is ENXIO, others are native" {
	require_no_udp
	run -0 --separate-stderr preloaded STRSOCK_REQUIRE=1 preload-socket
	[ "$(grep -c 'socket(2, 0x.*ENXIO' <<<"$output")" -eq 6 ]
	[ "$(grep -c 'socket(10, 0x.*ENXIO' <<<"$output")" -eq 3 ]
	[[ "$output" == *"socket(2, 0x1, 0): ENXIO"* ]]
	[[ "$output" == *"socket(1, 0x1, 0): 3 "* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ "$stderr" == *"socket refused: no STREAMS sockets (protocol 253: EPROTONOSUPPORT)"*"run: modprobe strsock" ]]
}

@test "STRSOCK_REQUIRE=1: a call that the rules leave native does not fail" {
	run -0 without_pipes preloaded STRSOCK_REQUIRE=1 STRSOCK_PIPE=0 STRSOCK_UDP=0 preload-pipe numbers
	[ "$output" = "3 4, 5 6, 3 6" ]
	run -0 preloaded STRSOCK_REQUIRE=1 STRSOCK_PIPE=0 STRSOCK_UDP=0 preload-socket udp
}

# ---- its messages

@test "STRSOCK_VERBOSE=1 reports each decision in a line" {
	run -0 --separate-stderr without_pipes preloaded STRSOCK_VERBOSE=1 STRSOCK_UDP=0 preload-pipe keeps-errno
	[ "$output" = EXDEV ]
	[[ "$stderr" == "strsock: "*" preload-pipe: pipe -> native 3,4 (/dev/streams/pipe: ENOENT)" ]]
	run -0 --separate-stderr preloaded STRSOCK_VERBOSE=1 STRSOCK_PIPE=0 preload-pipe keeps-errno
	[[ "$stderr" == "strsock: "*" preload-pipe: pipe -> native 3,4" ]]
	run -0 --separate-stderr preloaded STRSOCK_VERBOSE=1 STRSOCK_UDP=0 preload-socket udp
	[[ "$stderr" == "strsock: "*" preload-socket: socket(inet, dgram, udp) -> native 3" ]]
}

@test "a program started without standard error never gets a line in a file of its own" {
	# The pipe is then 2 and 3, and a line would come out of it.
	run -0 preloaded STRSOCK_VERBOSE=1 sh -c "exec 2>&-; exec '$BASH' -c 'exec 2>\$0; echo x | cat' '$BATS_TEST_TMPDIR/data'"
	[ "$output" = x ]
	[ ! -s "$BATS_TEST_TMPDIR/data" ]
}

@test "a variable that is neither 0 nor 1 is reported, and ignored" {
	run -0 --separate-stderr preloaded STRSOCK_PIPE=no STRSOCK_UDP=0 preload-pipe numbers
	[[ "$stderr" == "strsock: "*" preload-pipe: STRSOCK_PIPE=no ignored: must be 0 or 1" ]]
}

# ---- rules

rules() {
	cat >"$BATS_TEST_TMPDIR/rules"
}

# says EXPECTED INVOKED EXE
says() {
	run preload-rules "$BATS_TEST_TMPDIR/rules" "$2" "$3"
	[ "$output" = "$1" ] || { echo "$output"; return 1; }
}

@test "rules: the first that matches decides, for each kind" {
	rules <<-'END'
		# comment
		git     pipe  -      -    native   # and here
		git     *     *      *    streams
		*       inet  dgram  udp  native
		ntpd    inet6 dgram  udp  native
	END
	says "pipe native, udp streams, udp6 streams, tcp streams, tcp6 streams" git /usr/bin/git
	says "pipe unsaid, udp native, udp6 native" ntpd /usr/sbin/ntpd
	says "pipe unsaid, udp native, udp6 unsaid" make /usr/bin/make
}

@test "rules: a program is matched by the name it was run by, and its file's" {
	rules <<<"bzip?  pipe  -  -  native"
	says "pipe native, udp unsaid, udp6 unsaid" bzip2 /opt/other
	says "pipe native, udp unsaid, udp6 unsaid" other /usr/bin/bzip2
	says "pipe unsaid, udp unsaid, udp6 unsaid" bzip /usr/bin/bzip
	says "pipe unsaid, udp unsaid, udp6 unsaid" bzip22 -
	says "pipe native, udp unsaid, udp6 unsaid" bzip2 -
}

@test "rules: a program with a slash is an absolute path" {
	rules <<-'END'
		/usr/lib/git-core/*  pipe  -  -  native
		*/sbin/*             inet  *  *  native
	END
	says "pipe native, udp unsaid, udp6 unsaid" x /usr/lib/git-core/git-remote-https
	says "pipe unsaid, udp unsaid, udp6 unsaid" git-core /usr/bin/git
	says "pipe unsaid, udp native, udp6 unsaid, tcp native" x /usr/local/sbin/dnsmasq
	says "pipe unsaid, udp unsaid, udp6 unsaid" x -
}

@test "rules: * matches any run, also none, and backs up" {
	rules <<<"a*b*c  *  *  *  native"
	says "pipe native, udp native, udp6 native, tcp native, tcp6 native" abc -
	says "pipe native, udp native, udp6 native, tcp native, tcp6 native" aXbcbYc -
	says "pipe unsaid, udp unsaid, udp6 unsaid" aXbcbY -
}

@test "rules: each bad line is reported and skipped" {
	rules <<-'END'
		cat pipe -
		cat pipe - - native nullmod x
		cat unix - - native
		cat inet raw tcp native
		cat inet - udp native
		cat inet stream udp native
		cat inet6 stream udp native
		cat pipe - - naive
		bin/cat pipe - - native
		cat * * * duplex
		cat inet dgram udp duplex
		* pipe - - streams
	END
	says "line 1: too few words (wanted: program domain type protocol provider), last is '-'
line 2: unexpected word after the modules: 'x'
line 3: unknown domain (known are: inet inet6 pipe *) 'unix'
line 4: unknown type (known are: dgram stream - *) 'raw'
line 5: wrong type or protocol (pipe: - -; inet and inet6: dgram udp, stream tcp) for domain 'inet'
line 6: wrong type or protocol (pipe: - -; inet and inet6: dgram udp, stream tcp) for domain 'inet'
line 7: wrong type or protocol (pipe: - -; inet and inet6: dgram udp, stream tcp) for domain 'inet6'
line 8: unknown provider (known are: streams native; for pipes alone: duplex) 'naive'
line 9: program is neither a name nor an absolute path: 'bin/cat'
line 10: unknown provider (known are: streams native; for pipes alone: duplex) 'duplex'
line 11: unknown provider (known are: streams native; for pipes alone: duplex) 'duplex'
pipe streams, udp unsaid, udp6 unsaid" cat /bin/cat
}

@test "rules: modules may be listed after the provider" {
	rules <<-'END'
		cat   pipe   -      -    streams  count,nullmod
		cat   inet   dgram  udp  streams
		*     pipe   -      -    duplex   nullmod
		*     *      *      *    streams  count
	END
	says "pipe streams with count,nullmod, udp streams, udp6 streams with count, tcp streams with count, tcp6 streams with count" cat -
	says "pipe duplex with nullmod, udp streams with count, udp6 streams with count, tcp streams with count, tcp6 streams with count" dd -
}

@test "rules: a bad list of modules is reported and the line skipped" {
	local long=abcdefghijklmnopqrstuvwxyzabcdef
	rules <<-END
		cat pipe - - native nullmod
		cat pipe - - streams nullmod,,nullmod
		cat pipe - - streams nullmod,
		cat pipe - - streams $long
		cat pipe - - streams a,b,c,d,e,f,g,h,i
		cat pipe - - streams a,b,c,d,e,f,g,${long%f}
		cat pipe - - streams a b c
	END
	says "line 1: modules, but no STREAMS to push them on: 'nullmod'
line 2: module without a name (wanted: NAME,NAME:SETTING=VALUE) 'nullmod,,nullmod'
line 3: module without a name (wanted: NAME,NAME:SETTING=VALUE) 'nullmod,'
line 4: name of a module longer than 31 bytes '$long'
line 5: more than 8 modules 'a,b,c,d,e,f,g,h,i'
line 7: unexpected word after the modules: 'b'
pipe streams with a,b,c,d,e,f,g,${long%f}, udp unsaid, udp6 unsaid" cat -
}

@test "rules: pipes may be full-duplex" {
	rules <<-'END'
		connserv  pipe  -  -  duplex
		*         *     *  *  native
	END
	says "pipe duplex, udp native, udp6 native, tcp native, tcp6 native" connserv -
	says "pipe native, udp native, udp6 native, tcp native, tcp6 native" cat -
}

@test "rules: TCP is a kind of its own" {
	rules <<-'END'
		nc      inet  stream  tcp  streams
		nc      inet6 stream  tcp  native
		nc      inet  *       udp  native
	END
	says "pipe unsaid, udp native, udp6 unsaid, tcp streams, tcp6 native" nc /bin/nc
	says "pipe unsaid, udp unsaid, udp6 unsaid" socat /usr/bin/socat
}

@test "rules: the last line needs no newline, lines may end in CR LF" {
	rules < <(printf 'x pipe - - native\r\ny pipe - - native')
	says "pipe native, udp unsaid, udp6 unsaid" x -
	says "pipe native, udp unsaid, udp6 unsaid" y -
}

@test "rules: a line too long, a zero byte, a file too long" {
	rules < <(printf '%600s pipe - - native\nx\0 pipe - - native\n* pipe - - streams\n' x)
	says "line 1: line longer than 512 bytes
line 2: zero byte in a line: is this a text file?
pipe streams, udp unsaid, udp6 unsaid" x -
	rules < <(yes '# comment' | head -c 65536)
	says "pipe unsaid, udp unsaid, udp6 unsaid" x -
	rules < <(yes '# comment' | head -c 65537)
	says EFBIG x -
}

@test "rules: a directory or a FIFO in place of the file stops no program" {
	run -1 preload-rules "$BATS_TEST_TMPDIR" x -
	[ "$output" = EISDIR ]
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	run -0 timeout 300 preload-rules "$BATS_TEST_TMPDIR/fifo" x -
}

@test "rules: the shipped example is free of faults" {
	run -0 preload-rules "$STRSOCK_SRC/preload/strsock.conf" sh /bin/dash
	[ "$output" = "pipe unsaid, udp unsaid, udp6 unsaid" ]
	run -0 preload-rules "$STRSOCK_SRC/preload/strsock.conf" charon-systemd /usr/sbin/charon-systemd
	[ "$output" = "pipe unsaid, udp native, udp6 native" ]
}

@test "rules: the library obeys them, and variables override them" {
	rules <<<"preload-pipe pipe - - native"
	run -0 preloaded STRSOCK_CONF="$BATS_TEST_TMPDIR/rules" STRSOCK_REQUIRE=1 preload-pipe numbers
	run -0 without_pipes preloaded STRSOCK_CONF="$BATS_TEST_TMPDIR/rules" STRSOCK_PIPE=1 STRSOCK_VERBOSE=1 preload-pipe keeps-errno
	[[ "$output" == *"/dev/streams/pipe: ENOENT"* ]]
}

@test "rules: the library reports a bad line, or a missing file, and continues" {
	rules <<<"nonsense"
	run -0 --separate-stderr preloaded STRSOCK_CONF="$BATS_TEST_TMPDIR/rules" preload-pipe keeps-errno
	[[ "$stderr" == "strsock: "*" preload-pipe: $BATS_TEST_TMPDIR/rules:1: too few words"*"'nonsense'; line skipped" ]]
	run -0 --separate-stderr preloaded STRSOCK_CONF=/nonexistent preload-pipe keeps-errno
	[[ "$stderr" == *" /nonexistent: cannot be read (ENOENT), no rules in force" ]]
}

# ---- popen() and pclose(), on native pipes: no modules needed

popen_as_the_c_library() {
	record libc timeout 300 preload-popen "$1"
	record ours timeout 300 preload-popen-unit "$1"
	identical libc ours
	[ -s "$BATS_TEST_TMPDIR/ours.out" ]
}

@test "popen: modes" {
	popen_as_the_c_library modes
}

@test "popen: exit statuses" {
	popen_as_the_c_library statuses
}

@test "popen: streams of earlier calls are closed in the command" {
	popen_as_the_c_library earlier-streams
}

@test "popen: standard input or output closed" {
	popen_as_the_c_library closed-descriptors
}

@test "popen: pclose() of a stream not from popen(), or without a child" {
	popen_as_the_c_library strangers
}

@test "popen: signals do not interrupt pclose()" {
	popen_as_the_c_library interrupts
}

@test "popen: a command that does not read" {
	popen_as_the_c_library broken-pipe
}

@test "popen: limits of open files" {
	popen_as_the_c_library limits
}

@test "popen: in four threads at once" {
	popen_as_the_c_library threads
}

@test "popen: fifty at once" {
	popen_as_the_c_library many
}

@test "popen: ten megabytes" {
	popen_as_the_c_library bulk
}


@test "popen: where STREAMS is absent it is the C library's; required, it fails" {
	record libc preload-popen statuses
	record absent preload-popen-unit statuses ENOENT
	identical libc absent
	run preload-popen-unit limits ENXIO
	[[ "$output" == *"popen refused: ENXIO"* ]]
}

# ---- on STREAMS

@test "on STREAMS: pipes look as native ones do" {
	require_modules pipe
	for case in numbers flags addresses limits keeps-errno forked; do
		same_natively_and_under_strsock preload-pipe $case
	done
}

@test "on STREAMS: a program of System V has full-duplex pipes and connld if it is told to" {
	require_modules pipe
	require_root
	local expected="packets: one way
back and there
server: hello"
	run -0 --separate-stderr strsock --no-udp --no-tcp --require --duplex preload-duplex name
	[ "$output" = "$expected" ]
	echo "preload-duplex pipe - - duplex" >rules
	run -0 --separate-stderr strsock --no-udp --no-tcp --require -c rules preload-duplex name
	[ "$output" = "$expected" ]
	STRSOCK_DUPLEX=0 run -1 --separate-stderr strsock --no-udp --no-tcp --require -c rules \
		preload-duplex name
	[ "$output" = "packets: one way
there: EBADF" ]
}

@test "on STREAMS: sockets look as native ones do" {
	require_modules udp
	record native preload-socket
	record streams strsock --require preload-socket
	identical native streams
	record native preload-socket limits
	record streams strsock --require preload-socket limits
	identical native streams
	run -0 --separate-stderr strsock --require --verbose preload-socket udp
	[[ "$stderr" == *"preload-socket: socket(inet, dgram, udp) -> streams 3" ]]
}

@test "on STREAMS: sockets in vfork children and signal handlers" {
	require_modules pipe udp
	same_natively_and_under_strsock preload-async vfork
	same_natively_and_under_strsock preload-async signal
}

@test "on STREAMS: vfork children" {
	require_modules pipe
	same_natively_and_under_strsock preload-async vfork
}

@test "on STREAMS: signal handlers" {
	require_modules pipe
	same_natively_and_under_strsock preload-async signal
}

@test "on STREAMS: popen() and pclose()" {
	require_modules pipe
	for case in modes statuses earlier-streams closed-descriptors strangers \
		interrupts broken-pipe threads many bulk; do
		echo "$case"
		same_natively_and_under_strsock preload-popen $case
	done
}

@test "on STREAMS: the descriptors serve a static program" {
	require_modules pipe
	same_natively_and_under_strsock sh -c "head -c 1000000 /dev/zero | preload-static"
}

@test "on STREAMS: the descriptors serve a program without the preload" {
	require_modules pipe
	same_natively_and_under_strsock sh -c "head -c 1000000 /dev/zero | env -u LD_PRELOAD cksum"
}

@test "on STREAMS: each decision is reported" {
	require_modules pipe
	run -0 --separate-stderr strsock --verbose --no-udp --no-tcp --require preload-pipe keeps-errno
	[ "$output" = EXDEV ]
	[[ "${stderr_lines[-1]}" == "strsock: "*" preload-pipe: pipe -> streams 3,4" ]]
}
