#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# strview(1)
#
# bats file_tags=longdebug

load common
load streams
load demo

# shows PATTERN: a line of the output is that, with branches before it
shows() {
	grep -qxE "([|] |[|\`]-| )*$1" <<<"$output" || { echo "$output"; echo "no line: $1"; false; }
}

@test "wrong options and arguments are refused, and nothing is written" {
	cd "$BATS_TEST_TMPDIR"
	run -2 strview argument
	[[ $output == *"unexpected argument 'argument'"* ]]
	run -2 strview --output picture.gif
	[[ $output == *"'picture.gif' does not end in .svg, .png, .pdf or .dot"* ]]
	run -2 strview --pid 1x
	[[ $output == *"'1x' is not a process number"* ]]
	run -2 strview --user 'nobody at all'
	[[ $output == *"there is no user"* ]]
	run -2 strview --color sometimes
	[[ $output == *"always"* ]]
	run ! ls picture.*
}

@test "a process without streams: nothing is drawn, and that is said" {
	require_modules pipe
	run -0 --separate-stderr strview --pid $$
	[ ! "$output" ]
	[ "$stderr" = "strview: no process that was asked for has a stream open that you may see" ]
}

@test "fdinfo of a descriptor has the stream's id, which is that in /proc/streams/open" {
	require_demo
	# shellcheck disable=SC2016 # expanded where the streams are
	run -0 with_streams bash -c '
		sed -n "s/^stream:\t//p" /proc/$PPID/fdinfo/* 2>/dev/null | while read -r id; do
			grep " id=$id\$" /proc/streams/open
		done'
	echo "$output"
	[ "$(cut -d" " -f1 <<<"$output" | sort | uniq -c | xargs)" = "3 kind=device 1 kind=pipe 3 kind=tcp 1 kind=udp" ]
}

@test "the tree has pipes, sockets, devices with their modules in order, and multiplexors" {
	require_demo
	run -0 with_streams strview
	shows 'python3\([0-9]+\) root'
	shows 'fd [0-9]+ <-> pipe #[0-9]+ pipe:\[[0-9]+\] 7/65536'
	shows 'nullmod'
	shows '<-> pipe #[0-9]+'
	shows '<-> sleep\([0-9]+\) fd 0'
	shows 'fd [0-9]+ <-> udp #[0-9]+ \[::1\]:[0-9]+ unconnected 0/[0-9]+'
	shows 'fd [0-9]+ <-> tcp #[0-9]+ 127.0.0.1:[0-9]+ listening 0/[0-9]+'
	shows 'fd [0-9]+ <-> tcp #[0-9]+ 127.0.0.1:[0-9]+ -> 127.0.0.1:[0-9]+ established 50000/[0-9]+'
	shows '<-> tcp #[0-9]+, the short way'
	shows '<-> python3\([0-9]+\) fd [0-9]+'
	# The multiplexor, and what is below its driver
	tree=$(sed -n '/ mux 0/,/fd .* echo /p' <<<"$output" | sed -E '/fd .* echo /Q; s/^[|` -]*//
		s/[0-9]+/N/g; s/ (down|up) N\/N//g')
	echo "$tree"
	[ "$tree" = 'fd N <-> device #N mux N/N
count out=N/N in=N/N
driver mux
muxid N: device #N echo N/N
nullmod
driver echo' ]
	shows 'below mux, muxid [0-9]+, of #[0-9]+'
	# No process has it open
	shows 'persistent: device #[0-9]+ echo 0/[0-9]+'
}

@test "a FIFO has its writers and readers, with the direction of each" {
	require_demo
	# shellcheck disable=SC2016 # expanded by the program on STREAMS
	run -0 strsock --pipe --require bash -c 'exec 3> >(exec sleep 1000)
		until grep -qx sleep "/proc/$!/comm"; do sleep 0.05; done
		strview --pid $$; kill $!; wait $!; :'
	echo "$output"
	shows 'fd 3 -> pipe #[0-9]+ pipe:\[[0-9]+\] 0/65536'
	shows '<- sleep\([0-9]+\) fd 0'
}

@test "a connection through IP shows the obstacle, and one to another host its address" {
	require_demo
	# shellcheck disable=SC2016 # Python
	run -0 python3 -c '
import socket, subprocess
def made(kind):
    return socket.socket(socket.AF_INET, kind, 253)
listener = made(socket.SOCK_STREAM)
listener.bind(("127.0.0.1", 0))
listener.listen()
client = made(socket.SOCK_STREAM)
# TCP that keeps timestamps of received bytes has an obstacle to the short way.
client.setsockopt(socket.SOL_SOCKET, 29, 1) # SO_TIMESTAMP
client.connect(listener.getsockname())
server = listener.accept()[0]
server.send(b"through TCP")
far = made(socket.SOCK_DGRAM)
far.connect(("127.0.0.77", 7))
subprocess.call(["strview"])'
	echo "$output"
	shows '<-> tcp #[0-9]+, by IP: receiver_time'
	shows 'fd [0-9]+ <-> udp #[0-9]+ 127.0.0.1:[0-9]+ -> 127.0.0.77:7 established 0/[0-9]+'
}

@test "--pid, --program and --user show what such processes have open, and the other ends" {
	require_demo
	# shellcheck disable=SC2016 # expanded where the streams are
	run -0 with_streams bash -c 'strview --pid $(pgrep -P $PPID -x sleep)'
	shows 'sleep\([0-9]+\) root'
	shows 'python3\([0-9]+\) root'
	shows 'fd [0-9]+ <-> pipe .*'
	[[ $output != *udp* && $output != *device* ]]
	run -0 with_streams strview --program sleep
	shows 'fd 0 <-> pipe .*'
	[[ $output != *udp* && $output != *device* ]]
	run -0 with_streams strview --program python3 --user root
	[[ $output == *udp* ]]
	# The persistent link belongs to no process.
	[[ $output != *persistent* ]]
	run -0 --separate-stderr with_streams strview --user nobody
	[ -z "$output" ]
}

@test "users see their own streams, root all" {
	require_demo
	run -0 with_streams setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all strview
	[[ $output != *device* && $output != *tcp* ]]
}

@test "lines and arrows are Unicode in a locale of UTF-8, and not with --ascii; colors are the fill" {
	require_demo
	run -0 with_streams env LC_ALL=C.UTF-8 strview
	[[ $output == *"├─ fd "*" ⇄ pipe"* && $output != *$'\033'* ]]
	run -0 with_streams env LC_ALL=C.UTF-8 strview --ascii --color=always
	[[ $output == *"|- fd "*" <-> pipe"* && $output == *$'\033[32m7/65536\033[0m'* ]]
	run ! grep -aP '[\x80-\xff]' <<<"$output"
}

@test "-o writes a picture that dot draws as SVG and PNG, with every stream in it" {
	require_demo
	needs dot
	cd "$BATS_TEST_TMPDIR"
	run -0 with_streams bash -c 'strview -o all.svg && strview -o all.png && strview -o all.dot && wc -l </proc/streams/open'
	[ "$(grep -c 'class="node"' all.svg)" -ge "$output" ]
	grep -q 'device #' all.svg
	grep -q 'the short way' all.svg
	[ "$(head -c 4 all.png | tail -c 3)" = PNG ]
	dot -Tsvg all.dot | cmp - all.svg || [ "$(dot -Tsvg all.dot | grep -c 'class="node"')" = "$(grep -c 'class="node"' all.svg)" ]
}

@test "without graphviz -o tells what to install; what cannot be written is an error" {
	require_demo
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	ln -s "$(command -v strview)" bin
	PATH=$PWD/bin run -1 strview -o all.svg
	[[ $output == *"there is no 'dot': install graphviz, or write a file .dot" ]]
	run -1 strview -o no-folder/all.dot
	[[ $output == *"no-folder/all.dot: No such file or directory" ]]
	run -1 with_streams bash -c 'strview >/dev/full'
	[[ $output == *"No space left"* ]]
}

@test "a command's name of any bytes forges nothing in the tree nor in the picture" {
	require_demo
	needs dot
	cd "$BATS_TEST_TMPDIR"
	name=$'<b>"\\\n\033[31m\xff&é'
	cp "$(command -v sleep)" "$name"
	# shellcheck disable=SC2016 # expanded by the program on STREAMS
	run -0 strsock --pipe --require bash -c 'exec 3> >(exec "$PWD/$1" 1000); until ! grep -qx bash "/proc/$!/comm"; do sleep 0.05; done
		strview --pid $!; LC_ALL=C.UTF-8 strview --pid $! -o all.svg; kill $!; wait $!; :' - "$name"
	echo "$output"
	[[ $output != *$'\033'* ]]
	[[ $output == *'<b>"\??[31m?&'*"("* ]]
	grep -qF '&lt;b&gt;&quot;\??[31m?&amp;é' all.svg
}
