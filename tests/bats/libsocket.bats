#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# libsocket(3): socket() and socketpair() of programs linked with -lsocket, and
# their table, sock2path(5)
#
# Programs more than kernel: under the debug kernel they take an hour.
# bats file_tags=nodebug,bare

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# No table but the test's.
	export SOCK2PATH=/dev/null
}

table() {
	cat >table
}

# says EXPECTED [FAMILY TYPE PROTOCOL]...
says() {
	local want=$1
	shift
	run sock2path table "$@"
	[ "$output" = "$want" ] || { echo "$output"; return 1; }
}

# As <sys/socket.h> has them: AF_INET 2, AF_INET6 10; SOCK_STREAM 1, SOCK_DGRAM 2.
udp="2 2 0" udp_17="2 2 17" tcp="2 1 0" tcp_6="2 1 6" udp6="10 2 0" udp6_17="10 2 17"
tcp6="10 1 0" tcp6_6="10 1 6"

# ---- the table

# bats test_tags=host
@test "table: without a line for it UDP and TCP are on STREAMS, all else the kernel's" {
	table </dev/null
	says "udp udp tcp tcp udp6 udp6 tcp6 tcp6 kernel kernel kernel" \
		$udp $udp_17 $tcp $tcp_6 $udp6 $udp6_17 $tcp6 $tcp6_6 2 2 6 10 3 0 1 1 0
}

# bats test_tags=host
@test "table: the first line that matches decides" {
	table <<-'END'
		# comment
		inet  dgram  udp  -                   # and here

		inet  dgram  udp  /dev/streams/udp
		inet  stream 0    -
	END
	says "udp kernel kernel" $udp $udp_17 $tcp
}

# bats test_tags=host
@test "table: names and numbers are the same, and the devices have their paths of System V too" {
	table <<-'END'
		2 2 17 -
		2 dgram 0 /dev/udp
		10 2 17 -
		inet6 dgram 0 /dev/udp6
		inet 1 6 -
		2 1 0 /dev/tcp
		10 1 0 -
		inet6 1 tcp /dev/tcp6
	END
	says "udp kernel udp6 kernel tcp kernel kernel tcp6" \
		$udp $udp_17 $udp6 $udp6_17 $tcp $tcp_6 $tcp6 $tcp6_6
	# A name is known in its own column only.
	table <<<"dgram inet 0 -"
	says "line 1: unknown family (write inet, inet6, unix or a number): 'dgram'
udp" $udp
}

# bats test_tags=host
@test "table: each bad line is reported, with a correct form, and skipped" {
	table <<-'END'
		inet dgram
		inet dgram 0 - x y z a b c
		decnet dgram 0 -
		inet datagram 0 -
		inet dgram ftp -
		inet dgram 2147483648 -
		inet dgram -1 -
		inet dgram 0 /dev/streams/rawip
		inet stream tcp /dev/streams/udp
		2 2 0 /dev/tcp
		inet dgram tcp /dev/streams/udp
		inet6 dgram udp /dev/streams/udp
		inet dgram udp /dev/streams/udp6
		inet6 stream 0 /dev/udp6
		inet dgram 0 -
		inet6 dgram 2147483647 -
	END
	says "line 1: too few words (write: family type protocol path), last is 'dgram'
line 2: unexpected word after the path (# begins a comment): 'x'
line 3: unknown family (write inet, inet6, unix or a number): 'decnet'
line 4: unknown type (write stream, dgram, raw, rdm, seqpacket or a number): 'datagram'
line 5: unknown protocol (write icmp, tcp, udp, sctp or a number): 'ftp'
line 6: unknown protocol (write icmp, tcp, udp, sctp or a number): '2147483648'
line 7: unknown protocol (write icmp, tcp, udp, sctp or a number): '-1'
line 8: no sockets of this path (write /dev/streams/udp, udp6, tcp or tcp6, or - for the kernel's): '/dev/streams/rawip'
line 9: only 'inet dgram 0' and 'inet dgram udp' go with it (write - for others; System V has types 1 and 2 the other way round): '/dev/streams/udp'
line 10: only 'inet stream 0' and 'inet stream tcp' go with it (write - for others; System V has types 1 and 2 the other way round): '/dev/tcp'
line 11: only 'inet dgram 0' and 'inet dgram udp' go with it (write - for others; System V has types 1 and 2 the other way round): '/dev/streams/udp'
line 12: only 'inet dgram 0' and 'inet dgram udp' go with it (write - for others; System V has types 1 and 2 the other way round): '/dev/streams/udp'
line 13: only 'inet6 dgram 0' and 'inet6 dgram udp' go with it (write - for others; System V has types 1 and 2 the other way round): '/dev/streams/udp6'
line 14: only 'inet6 dgram 0' and 'inet6 dgram udp' go with it (write - for others; System V has types 1 and 2 the other way round): '/dev/udp6'
kernel udp" $udp $udp_17
}

# bats test_tags=host
@test "table: no newline at its end, CR LF, a zero byte, a line and a file too long" {
	table < <(printf 'inet dgram 0 -\r\ninet dgram udp -')
	says "kernel kernel" $udp $udp_17
	table < <(printf '%600s dgram 0 -\ninet\0 dgram 0 -\ninet dgram 0 -\n' inet)
	says "line 1: line longer than 512 bytes
line 2: zero byte in a line: is this a text file?
kernel udp" $udp $udp_17
	table < <(yes '# comment' | head -c 65537)
	says "EFBIG
udp" $udp
}

# bats test_tags=host
@test "table: 128 lines, and no more" {
	table < <(seq -f 'unix dgram %.0f -' 127; echo 'inet dgram 0 -')
	says "kernel" $udp
	table < <(seq -f 'unix dgram %.0f -' 128; echo 'inet dgram 0 -'; echo 'inet dgram udp -')
	says "line 129: more than 128 lines (leave out those of the kernel's own)
udp" $udp
}

# bats test_tags=host
@test "table: a folder or a FIFO in its place stops no program" {
	mkdir table
	says "EISDIR
udp" $udp
	rmdir table
	mkfifo table
	run -0 timeout 300 sock2path table
}

# bats test_tags=host
@test "table: the installed table equals the built-in one" {
	cp "$STRSOCK_SRC/data/sock2path" table
	says "udp udp tcp tcp udp6 udp6 tcp6 tcp6" \
		$udp $udp_17 $tcp $tcp_6 $udp6 $udp6_17 $tcp6 $tcp6_6
	# The lines have these paths, not only the built-in table.
	run -0 grep -cE '^inet(6?) +(dgram +(0|udp) +/dev/streams/udp\1|stream +(0|tcp) +/dev/streams/tcp\1)$' table
	[ "$output" = 8 ]
	table < <(sed -E 's,/dev/streams/(udp|tcp)6?$,-,' "$STRSOCK_SRC/data/sock2path")
	says "kernel kernel kernel kernel kernel kernel kernel kernel" \
		$udp $udp_17 $tcp $tcp_6 $udp6 $udp6_17 $tcp6 $tcp6_6
}

# ---- the library

# bats test_tags=host
@test "the library exports two functions without a version, all it needs is bound when it is loaded" {
	local lib=$STRSOCK_BUILD/libsocket/.libs/libsocket.so
	run -0 sh -c "readelf -W --dyn-syms '$lib' | awk '\$7 != \"UND\" && \$5 == \"GLOBAL\" { print \$8 }' | sort"
	[ "$output" = "socket
socketpair" ]
	readelf -d "$lib" | grep -q 'FLAGS.*NOW'
	readelf -d "$lib" | grep -q 'SONAME.*\[libsocket\.so\.0\]'
}

@test "a program linked with -lsocket calls it; one that is not does not" {
	run -0 libsocket symbols
	[ "${lines[0]}" = "socket libsocket.so.0" ]
	[ "${lines[1]}" = "socketpair libsocket.so.0" ]
	run -0 libsocket-native symbols
	[[ "$output" != *libsocket* ]]
}

@test "the library reports errors of its table, and continues" {
	table <<<"inet dgram 0 udp"
	run -0 --separate-stderr env SOCK2PATH="$PWD/table" libsocket make
	[[ "$stderr" == "strsock: "*" libsocket: $PWD/table:1: no sockets of this path (write /dev/streams/udp, udp6, tcp or tcp6, or - for the kernel's): 'udp'; line skipped" ]]
	run -0 --separate-stderr env SOCK2PATH=/nonexistent libsocket make
	[[ "$stderr" == "strsock: "*" libsocket: /nonexistent: cannot be read (ENOENT), the built-in table is in force" ]]
}

@test "a program with more rights than its user ignores the variables" {
	[ "$EUID" -eq 0 ] || skip "needs root, to give a file another group"
	[[ "$(findmnt -no OPTIONS -T .)" != *nosuid* ]] || skip "set-group-ID means nothing in this folder"
	cp "$HELPERS/libsocket" mine
	chgrp 65534 mine
	run -0 --separate-stderr env SOCK2PATH=/nonexistent ./mine make
	[[ "$stderr" == *"/nonexistent: cannot be read"* ]]
	chmod 2755 mine
	run -0 --separate-stderr env SOCK2PATH=/nonexistent STRSOCK_VERBOSE=1 ./mine make
	[[ "$stderr" != *nonexistent* && "$stderr" != *socket* ]]
}

@test "sockets that the table leaves to the kernel are native, even if STREAMS is required" {
	table <<<"inet dgram 0 -"
	run -0 --separate-stderr env SOCK2PATH="$PWD/table" STRSOCK_REQUIRE=1 STRSOCK_VERBOSE=1 libsocket make
	[[ "$stderr" == "strsock: "*" libsocket: socket(inet, dgram, udp) -> native 3" ]]
}

@test "socketpair() is the kernel's" {
	record native libsocket-native pair
	record ours libsocket pair
	identical native ours
	grep -q '^then 3 4$' native.out
	[ "$(grep -c 'mode 0140000 type' native.out)" -eq 4 ]
}

@test "strsock's preload comes before the library" {
	# The table has it on STREAMS, and if they were missing the line would tell.
	run -0 --separate-stderr preloaded STRSOCK_UDP=0 STRSOCK_VERBOSE=1 libsocket make
	[[ "$stderr" == "strsock: "*" libsocket: socket(inet, dgram, udp) -> native 3" ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

# ---- without modules

@test "without modules: sockets of all kinds are native" {
	require_no_udp
	record native preload-socket
	record ours libsocket-kinds
	identical native ours
	record native preload-socket limits
	record ours libsocket-kinds limits
	identical native ours
}

@test "STRSOCK_UDP=0, STRSOCK_TCP=0: sockets are the kernel's, whatever the other settings" {
	record native preload-socket
	record ours env STRSOCK_UDP=0 STRSOCK_TCP=0 STRSOCK_REQUIRE=1 libsocket-kinds
	identical native ours
}

@test "without modules: STRSOCK_REQUIRE=1 makes that ENXIO, reported once" {
	require_no_udp
	run -0 --separate-stderr env STRSOCK_REQUIRE=1 libsocket-kinds
	[ "$(grep -c 'socket(2, 0x.*ENXIO' <<<"$output")" -eq 6 ]
	[[ "$output" == *"socket(2, 0x1, 0): ENXIO"* ]]
	[ "$(grep -c 'socket(10, 0x.*ENXIO' <<<"$output")" -eq 3 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ "$stderr" == *" libsocket-kinds: socket refused: no STREAMS sockets (protocol 253: EPROTONOSUPPORT)"*"run: modprobe strsock" ]]
}

@test "in vfork children and signal handlers" {
	readelf -d "$HELPERS/libsocket-async" | grep -q 'NEEDED.*libsocket'
	run -0 libsocket-async vfork
	run -0 libsocket-async signal
}

# ---- on STREAMS

@test "on STREAMS: sockets look as native ones do" {
	require_modules udp
	record native preload-socket
	record ours env STRSOCK_REQUIRE=1 libsocket-kinds
	identical native ours
	record native preload-socket limits
	record ours env STRSOCK_REQUIRE=1 libsocket-kinds limits
	identical native ours
	run -0 --separate-stderr env STRSOCK_VERBOSE=1 libsocket make
	[[ "$stderr" == *" libsocket: socket(inet, dgram, udp) -> streams 3" ]]
}

# exchange SERVER CLIENT: prints how many datagrams strstat counted as sent, and
# as received
exchange() {
	local sent received port
	sent=$(counter udp_messages_sent)
	received=$(counter udp_messages_received)
	coproc SERVER { exec timeout 300 "$1" server; }
	local pid=$SERVER_PID
	# set -e does not reach into $(exchange).
	read -r -t 300 port <&"${SERVER[0]}" || return 1
	timeout 300 "$2" client "$port" 200 >client.out || return 1
	wait "$pid" || return 1
	grep -qx '200 datagrams came back' client.out || return 1
	echo "$(($(counter udp_messages_sent) - sent)) $(($(counter udp_messages_received) - received))"
}

@test "on STREAMS: a -lsocket program and a native one echo each other's datagrams" {
	require_modules udp
	export STRSOCK_REQUIRE=1
	# 200, and the one that ends the server
	[ "$(exchange libsocket libsocket-native)" = "201 201" ]
	[ "$(exchange libsocket-native libsocket)" = "201 201" ]
	[ "$(exchange libsocket libsocket)" = "402 402" ]
	[ "$(exchange libsocket-native libsocket-native)" = "0 0" ]
	table <<-'END'
		inet dgram 0 -
	END
	export SOCK2PATH=$PWD/table
	[ "$(exchange libsocket libsocket)" = "0 0" ]
}
