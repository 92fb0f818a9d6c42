#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# strstat(8)
#
# bats file_tags=longdebug,bare

load common
load streams
load demo

json() {
	strstat --json | python3 -c "import json, sys; d = json.load(sys.stdin); print($1)"
}

# A pipe with a module and 7 bytes waiting, until release.
hold() {
	coproc HOLD { exec "$@"; }
	read -r -t 300 line <&"${HOLD[0]}"
	[ "$line" = held ]
	pid=$HOLD_PID
}

release() {
	exec {HOLD[1]}>&-
	wait "$pid"
}

@test "strstat --help and --version; unknown options and arguments are refused" {
	run -0 strstat --help
	[[ $output == *--json* ]]
	run -0 strstat --version
	[[ $output == "strstat "[0-9]* ]]
	run -2 strstat --nonsense
	[[ $output == *"--help"* ]]
	run -2 strstat argument
	[[ $output == *"unexpected argument 'argument'"* ]]
}

@test "without the modules strstat gives the remedy" {
	[ ! -e /proc/streams ] || skip "the modules are loaded"
	run -1 strstat
	[[ $output == *"STREAMS is not loaded"*"modprobe"* ]]
	[ "${#lines[@]}" -eq 1 ]
}

@test "counters grow with pipes and bytes, and the total with them" {
	require_modules pipe
	before=$(json "d['counters']['pipe']['opened'], d['counters']['total']['opened']")
	helper streams-getmsg control-and-data
	after=$(json "d['counters']['pipe']['opened'], d['counters']['total']['opened']")
	[ "$before" != "$after" ]
	[ "$(json "all(sum(k[n] for x, k in d['counters'].items() if x != 'total') == v for n, v in d['counters']['total'].items())")" = True ]
	[ "$(json "d['counters']['pipe']['bytes_sent'] > 0")" = True ]
}

@test "an open pipe is listed with its command, user, modules and waiting bytes" {
	require_modules pipe
	require_nullmod
	hold streams-push hold
	run -0 strstat
	echo "$output"
	[[ $output == *"COUNTER"*"pipe"*"total"* ]]
	[[ $output =~ pipe\ +$pid\ +streams-push\ +$(id -un)\ +pipe:\[[0-9]+\]\ +duplex\ +7\ +65536\ +-\ +nullmod ]]
	run -0 json "[(s['command'], s['modules'], s['user'], s['uid'], s['queued']) for s in d['open'] if s['pid'] == $pid and s['queued']]"
	[ "$output" = "[('streams-push', ['nullmod'], '$(id -un)', $(id -u), 7)]" ]
	release
	[ "$(json "sum(s['pid'] == $pid for s in d['open'])")" = 0 ]
}

@test "--counters and --open print one of the two" {
	require_modules pipe
	run -0 strstat --counters
	[[ $output == COUNTER* && $output != *MODULES* ]]
	run -0 strstat --open
	[[ $output == KIND* && $output != *COUNTER* ]]
	run -0 strstat --open --json
	[[ $output == *'"open"'* && $output != *'"counters"'* ]]
}

@test "a command's name of any bytes is shown whole, and forges nothing" {
	require_modules pipe
	require_nullmod
	name=$BATS_TEST_TMPDIR/$'a uid=9\n"\\é'
	cp "$HELPERS/streams-push" "$name"
	hold "$name" hold
	[ "$(json "set(s['command'] for s in d['open'] if s['pid'] == $pid) == {'a uid=9\n\"\\\\é'}")" = True ]
	[ "$(json "set(s['uid'] for s in d['open'] if s['pid'] == $pid)")" = "{$(id -u)}" ]
	[ "$(grep -c " pid=$pid " /proc/streams/open)" -eq 2 ]
	release
}

@test "a reader in a namespace of processes sees the numbers there, and 0 for processes outside" {
	require_modules pipe
	require_nullmod
	require_root
	hold streams-push hold
	run -0 unshare --pid --fork --mount-proc bash -c '
		coproc HOLD { exec "$1" hold; }
		read -r line <&"${HOLD[0]}"
		grep comm=streams-push /proc/streams/open
		echo "inside=$HOLD_PID"' - "$HELPERS/streams-push"
	inside=${output##*inside=}
	[ "$inside" -lt 100 ]
	[ "$(grep -c " pid=$inside " <<<"$output")" -eq 2 ]
	[ "$(grep -c " pid=0 " <<<"$output")" -eq 2 ]
	release
}

@test "users see their own streams, root all" {
	require_modules pipe
	require_nullmod
	require_root
	hold streams-push hold
	as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
	[ "$(grep -c " pid=$pid " /proc/streams/open)" -eq 2 ]
	[ "$("${as_nobody[@]}" grep -c " pid=$pid " /proc/streams/open)" -eq 0 ]
	release
	hold "${as_nobody[@]}" "$HELPERS/streams-push" hold
	[ "$("${as_nobody[@]}" grep -c "comm=streams-push" /proc/streams/open)" -eq 2 ]
	[ "$(grep -c "uid=65534 .*comm=streams-push" /proc/streams/open)" -eq 2 ]
	release
}

@test "only root can read the counters, and strstat says so" {
	require_modules pipe
	require_root
	as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
	grep -q '^pipe_opened ' /proc/streams/counters
	[ "$(stat -c '%a %u' /proc/streams/counters)" = "400 0" ]
	run ! "${as_nobody[@]}" cat /proc/streams/counters
	run -1 "${as_nobody[@]}" strstat --counters
	[ "$output" = "strstat: only root can read /proc/streams/counters" ]
	run -0 --separate-stderr "${as_nobody[@]}" strstat
	[[ $output == KIND* && $output != *COUNTER* ]]
	[ "$stderr" = "strstat: only root can read the counters; listing the open streams only" ]
	run -0 --separate-stderr "${as_nobody[@]}" strstat --json
	[[ $output == *'"open"'* && $output != *'"counters"'* ]]
	run -0 "${as_nobody[@]}" strstat --open
	[[ $output == KIND* ]]
}

# Code that the tests below run in a process of their own
prelude='
import os, socket
def opened():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 253)
    s.bind(("127.0.0.1", 0))
    return s
def port(s):
    return s.getsockname()[1]
def ports(text):
    lines = [dict(w.split("=", 1) for w in x.split()) for x in text.decode().splitlines()]
    return [int(x["port"]) for x in lines if int(x["pid"]) == os.getpid()]
'

@test "the list has the order of opening; closing streams during the reading hides no others" {
	require_modules udp
	run -0 python3 -c "$prelude"'
sockets = [opened() for i in range(400)]
all = [port(s) for s in sockets]
fd = os.open("/proc/streams/open", os.O_RDONLY)
text = os.read(fd, 1000)
seen = ports(text[:text.rindex(b"\n") + 1])
assert 3 < len(seen) < 50, seen
for s in sockets[:len(seen)]:
    s.close()
# Opened later: not in this list, which thus ends
later = [opened() for i in range(100)]
while part := os.read(fd, 1000):
    text += part
assert ports(text) == all, (ports(text), all)
# From the beginning: the list of now
os.lseek(fd, 0, os.SEEK_SET)
text = b""
while part := os.read(fd, 1000):
    text += part
assert ports(text) == all[len(seen):] + [port(s) for s in later]
'
}

@test "streams are opened and closed while others read the list" {
	require_modules udp
	run -0 timeout "${STRSOCK_TEST_LIMIT:-300}" python3 -c "$prelude"'
import mmap
rounds = int(4000 * float(os.environ.get("STRSOCK_TEST_SCALE", 1)))
enough = mmap.mmap(-1, 1)
def opener():
    kept, i = [], 0
    while i < rounds or not enough[0]:
        i += 1
        kept.append(opened())
        if i % 3:
            kept.pop(i % len(kept)).close()
        if len(kept) > 200:
            for s in kept[::2]:
                s.close()
            kept = kept[1::2]
openers = []
for i in range(3):
    openers.append(os.fork())
    if not openers[-1]:
        opener()
        os._exit(0)
mine = [opened() for i in range(20)]
all = [port(s) for s in mine]
for i in range(rounds // 40):
    with open("/proc/streams/open", "rb") as f:
        assert ports(f.read()) == all
enough[0] = 1
for pid in openers:
    assert os.waitpid(pid, 0)[1] == 0
'
}

@test "output that cannot be written is an error" {
	require_modules pipe
	run -1 bash -c 'strstat >/dev/full'
	[[ $output == *"No space left"* ]]
}

@test "--watch: wrong intervals, numbers and users are refused" {
	run -2 strstat --watch=0
	[[ $output == *"'0' is not a time of 0.1 to 86400 seconds"* ]]
	run -2 strstat --watch nonsense
	run -2 strstat --watch=1e9
	run -2 strstat --watch --count=0
	run -2 strstat --count=1
	[[ $output == *"--count is for --watch"* ]]
	run -2 strstat --user 'nobody at all'
	run -2 strstat --prometheus --json
}

@test "a kind or a state that there is not is refused, with those that there are" {
	run -2 strstat --kind tty
	[ "$output" = "strstat: 'tty' is not a kind; these are: pipe device udp tcp" ]
	run -2 strstat --state open
	[[ $output == "strstat: 'open' is not a state; these are: established "*" time-wait "* ]]
	# The kernel's names are all there.
	local state
	for state in $(sed -n 's/^\t\[TCP_.*\] = "\(.*\)",$/\1/p' "$STRSOCK_SRC/kmod/socket/show.c"); do
		[[ " $output " == *" $state "* ]]
	done
}

@test "filters that no stream passes are reported on standard error" {
	require_modules pipe
	run -0 --separate-stderr strstat --open --program 'no program'
	[ "$stderr" = "strstat: no open stream that you may see passes the filters" ]
	run -0 --separate-stderr strstat --open --json --program 'no program'
	[ ! "$stderr" ]
}

@test "a writer that finds no room, and a message that is lost, are counted for their stream" {
	require_modules pipe
	cat >"$BATS_TEST_TMPDIR/streams.py" <<-'EOF'
		import ctypes, os, re
		streams = ctypes.CDLL("libstreams.so.1", use_errno=True)
		class strbuf(ctypes.Structure):
		    _fields_ = [("maxlen", ctypes.c_int), ("len", ctypes.c_int), ("buf", ctypes.c_char_p)]
		fds = (ctypes.c_int * 2)()
		assert streams.strpipe(fds) == 0
		def field(fd, key):
		    with open("/proc/self/fdinfo/%d" % fd) as info:
		        id = re.search("stream:\t([0-9]+)", info.read())[1]
		    with open("/proc/streams/open") as lines:
		        line = next(line for line in lines if line.endswith(" id=%s\n" % id))
		    return int(re.search(" %s=([0-9]+)" % key, line)[1])
		assert field(fds[0], "stops") == 0 and field(fds[1], "drops") == 0
		for text in b"one", b"two":
		    ctl = strbuf(0, len(text), text)
		    assert streams.putmsg(fds[0], ctypes.byref(ctl), None, 1) == 0
		assert field(fds[1], "drops") == 1
		os.set_blocking(fds[0], False)
		try:
		    while True:
		        os.write(fds[0], b"x" * 4096)
		except BlockingIOError:
		    pass
		assert field(fds[0], "stops") == 1, field(fds[0], "stops")
	EOF
	LD_LIBRARY_PATH=$STRSOCK_BUILD/libstreams/.libs python3 "$BATS_TEST_TMPDIR/streams.py"
}

@test "bytes that are flushed from a pipe do not count as received" {
	require_modules pipe
	run -0 strsock --require --pipe python3 -c '
import fcntl, os, re
r, w = os.pipe()
os.write(w, b"x" * 1000)
os.read(r, 100)
fcntl.ioctl(r, 0x5305, 3) # I_FLUSH, FLUSHRW
os.write(w, b"x" * 10)
os.read(r, 10)
line = next(line for line in open("/proc/streams/open") if "name=pipe:[%d]" % os.fstat(r).st_ino in line)
print(re.search("sent_bytes=.* received_bytes=[0-9]+", line)[0])'
	[ "$output" = "sent_bytes=1010 received_bytes=110" ]
}

@test "--watch has the bytes that each stream sends and receives in a second, by direction" {
	require_modules pipe
	# The pipe of two processes moves 10,000 bytes each tenth of a second, and a bit.
	strsock --pipe --require python3 -c '
import os, time
r, w = os.pipe()
if not os.fork():
    os.close(w)
    while os.read(r, 65536):
        pass
    os._exit(0)
os.close(r)
while True:
    os.write(w, b"x" * 10000)
    time.sleep(0.1)' &
	writer=$!
	until_true grep -q "pid=$writer .*sent_bytes=[1-9]" /proc/streams/open
	run -0 strstat --watch=2 --count=1 --json --program=python3
	kill "$writer"
	echo "$output"
	[ "${#lines[@]}" = 1 ]
	python3 -c '
import json, sys
sample = json.loads(sys.argv[1])
pipe = [s for s in sample["open"] if s["pid"] == int(sys.argv[2])][0]
# A busy machine moves less. Sent and received are the same bytes.
assert 1000 < pipe["rates"]["sent_bytes"] < 110000, pipe
assert abs(pipe["rates"]["sent_bytes"] - pipe["rates"]["received_bytes"]) <= 35000, pipe
assert "sent_messages" not in pipe["rates"]
assert 0 <= pipe["fill_percent"] <= 100
assert sample["rates"]["pipe"]["bytes_sent"] > 1000
' "$output" "$writer"
}

@test "messages of pipes with modules and of devices are counted by direction" {
	require_modules pipe
	require_nullmod
	hold streams-push hold
	run -0 grep " pid=$pid " /proc/streams/open
	echo "$output"
	# The end with the module received nothing yet; seven bytes were written at the other.
	[[ ${lines[0]} == *" sent_messages=0 received_messages=0 sent_bytes=0 received_bytes=0"* ]]
	[[ ${lines[1]} == *"sent_messages=1 "*" sent_bytes=7 received_bytes=0"* ]]
	release
}

@test "--watch prints a table for each interval where there is no terminal" {
	require_demo
	run -0 with_streams strstat --watch 0.2 --count 2
	echo "$output"
	[ "$(grep -c '^ *ID *KIND *PID' <<<"$output")" = 2 ]
	[ "$(grep -c ' device .* nullmod,echo$' <<<"$output")" = 2 ]
	[ "$(grep -c '^pipe ' <<<"$output")" = 2 ]
	run -0 with_streams setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all strstat -w0.1 -n1
	[ "${#lines[@]}" = 1 ]
}

@test "--watch fills a terminal, and keys sort, look for a text, pause and end" {
	require_demo
	needs script
	grep -q '^NCURSES_LIBS = -l' "$STRSOCK_BUILD/Makefile" || skip "built without ncurses"
	keys() {
		local key
		for key; do
			sleep 0.4
			printf '%b' "$key"
		done
	}
	export -f keys
	# shellcheck disable=SC2016 # expanded where the streams are
	run -0 with_streams env TERM=xterm bash -c '
		keys s r p p "/" mux "\n" q | script -qec "stty cols 170 rows 30; strstat -w0.2" /dev/null'
	[[ $output == *"10 streams, by bytes"* ]]
	[[ $output == *"messages"* && $output == *"reversed"* && $output == *"paused"* ]]
	[[ $output == *"show lines with:"* ]]
	[[ $output == *"nullmod,echo"* ]]
	# The terminal is left as it was.
	[[ $output == *$'\033[?1049l'* ]]
}

@test "filters show the streams of a program, user, kind, port, address and state" {
	require_demo
	# shellcheck disable=SC2016 # expanded where the streams are
	run -0 with_streams bash -c '
		port=$(sed -n "s/.* port=\([0-9]*\) .*state=listening.*/\1/p" /proc/streams/open)
		for filter in --kind=tcp --kind=device --state=listening --port=$port --address=::1 \
				--user=root --user=65534 --program=python3 --program=python; do
			echo "$filter $(strstat --open --json "$filter" | python3 -c "import json,sys; print(len(json.load(sys.stdin)[\"open\"]))")"
		done'
	echo "$output"
	[ "$(sed 's/port=[0-9]*/port=N/' <<<"$output")" = '--kind=tcp 3
--kind=device 4
--state=listening 1
--port=N 3
--address=::1 1
--user=root 10
--user=65534 0
--program=python3 10
--program=python 0' ]
}

@test "--prometheus has each counter by kind and each stream, with names escaped" {
	require_modules pipe
	require_nullmod
	name=$BATS_TEST_TMPDIR/$'a"b\\c\n'
	cp "$HELPERS/streams-push" "$name"
	hold "$name" hold
	run -0 strstat --prometheus
	release
	echo "$output"
	[[ $output == *$'# TYPE strsock_opened_total counter\nstrsock_opened_total{kind="pipe"} '* ]]
	[[ $output == *'strsock_stream_queued_bytes{id="'*'",kind="pipe",pid="'$pid'",uid="0",command="a\"b\\c?",name="pipe:['*']"} 7'* ]]
	# Each line is a comment, or a name, labels and a number.
	run ! grep -vE '^(# (HELP|TYPE) [a-z_]+ .*|[a-z_]+(\{([a-z]+="([^"\\]|\\["\\])*",?)*\})? [0-9]+)$' <<<"$output"
}
