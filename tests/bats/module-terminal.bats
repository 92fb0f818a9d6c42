#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# ldterm and ptem, the modules that make a full-duplex pipe a terminal

load common

HELPERS_TERM=$BATS_TEST_DIRNAME/../helpers/term

setup() {
	require_modules pipe
	needs python3 stty
	cd "$BATS_TEST_TMPDIR" || return
}

on_streams() {
	PYTHONPATH=$HELPERS_TERM strsock --require --duplex --no-udp --no-tcp "$@"
}

# bats test_tags=oldest
@test "lines, MIN and TIME, stopped output, flushes, sizes and all settings are as of a native terminal" {
	local stty=(raw sane "erase ^H" "min 7" "rows 10" "cols 100" "speed 9600" evenp)
	python3 "$HELPERS_TERM/term-script.py" native "${stty[@]}" >native
	on_streams python3 "$HELPERS_TERM/term-script.py" streams "${stty[@]}" >streams
	[ "$(wc -l <native)" -gt 150 ]
	diff native streams
}

@test "random settings, input and output, from either side: the same bytes as of a native terminal" {
	local seed
	for seed in 1 2 $((BASHPID)); do
		echo "seed $seed"
		on_streams python3 "$HELPERS_TERM/term-compare.py" "$seed" 1500
	done
}

@test "a difference from the native terminal is noticed" {
	cat >terminal.py <<-END
		import os
		def open_terminal(kind):
		    master, slave = os.openpty()
		    if kind == "streams":
		        os.write(master, b"x\n")
		    return master, slave
	END
	cp "$HELPERS_TERM/term-compare.py" .
	run -1 python3 term-compare.py 1 1500
	[[ $output == *"STREAMS "*", native "* ]]
}

@test "a program whose output is a pipe with the modules writes as to a terminal" {
	run -0 on_streams --push pipemod,ptem,ldterm --on pipe \
		sh -c 'python3 -c "import sys; print(sys.stdout.isatty())" | cat'
	[ "$output" = $'True\r' ]
}

@test "without ptem, or a driver that knows terminals, a stream is none" {
	run -0 on_streams --push pipemod,ldterm --on pipe \
		sh -c 'python3 -c "import sys; print(sys.stdout.isatty())" | cat'
	[ "$output" = $'False\r' ]
}

@test "settings last when ldterm is popped and pushed again" {
	run -0 on_streams python3 -c '
import fcntl, os, termios
from terminal import open_terminal
I_PUSH, I_POP = 0x5302, 0x5303
master, slave = open_terminal("streams")
new = termios.tcgetattr(slave)
new[3] &= ~termios.ECHO
termios.tcsetattr(slave, termios.TCSANOW, new)
fcntl.ioctl(slave, I_POP, 0)
fcntl.ioctl(slave, I_PUSH, b"ldterm\0")
os.write(master, b"not echoed\n")
print(os.read(slave, 100))
os.write(slave, b"out")
print(os.read(master, 100))'
	[ "$output" = "b'not echoed\\n'
b'out'" ]
}

@test "a line that is edited, and output that is stopped, are passed on when the module is popped" {
	run -0 on_streams python3 -c '
import fcntl, os, termios
from terminal import open_terminal
I_POP = 0x5303
master, slave = open_terminal("streams")
os.write(master, b"edited")
print(os.read(master, 100))
os.write(master, b"\x13")
os.write(slave, b"stopped")
fcntl.ioctl(slave, I_POP, 0)
print(os.read(slave, 100), os.read(master, 100))'
	[ "$output" = "b'edited'
b'edited' b'stopped'" ]
}

@test "a reader of the master that reads nothing holds up no input: echo is lost beyond its room" {
	run -0 on_streams python3 -c '
import os
from terminal import open_terminal
master, slave = open_terminal("streams")
for _ in range(200):
	os.write(master, b"%098d\n" % 0)
	if len(os.read(slave, 1000)) != 99:
		print("short")
	os.write(master, b"\x12" * 1000 + b"\x15")
os.set_blocking(master, False)
size = 0
try:
	while True:
		size += len(os.read(master, 65536))
except BlockingIOError:
	print(0 < size < 100000)'
	echo "$output"
	[ "$output" = True ]
}

@test "two terminals at the ends of one pipe echo what is typed once, and no echo" {
	run -0 on_streams timeout 60 python3 -c '
import os
from terminal import make_terminal
ends = os.pipe()
for end in ends:
	make_terminal(end)
os.write(ends[0], b"typed\n")
print(os.read(ends[1], 100), os.read(ends[0], 100))'
	[ "$output" = "b'typed\\n' b'typed\\n'" ]
}

@test "wrong arguments are refused, and change nothing" {
	run -0 on_streams python3 -c '
import ctypes, os, termios
from terminal import open_terminal
master, slave = open_terminal("streams")
before = termios.tcgetattr(slave)
libc = ctypes.CDLL(None, use_errno=True)
def fails(command, argument):
	libc.ioctl(slave, ctypes.c_ulong(command), ctypes.c_void_p(argument))
	print(os.strerror(ctypes.get_errno()))
fails(termios.TCXONC, 4)
fails(termios.TCFLSH, 3)
fails(termios.TCSETS, 1)
fails(termios.TCGETS, 1)
fails(termios.TIOCSWINSZ, 1)
fails(termios.TIOCSTI, 1)
print(termios.tcgetattr(slave) == before)'
	[ "$output" = "Invalid argument
Invalid argument
Bad address
Bad address
Bad address
Inappropriate ioctl for device
True" ]
}

@test "messages of all kinds wait, or are refused, where the other end takes none" {
	cat >flow.py <<-'END'
		import ctypes, errno, fcntl, os, termios
		from terminal import open_terminal
		I_PUSH, MSG_BAND = 0x5302, 4
		streams = ctypes.CDLL("libstreams.so.1", use_errno=True)

		class Part(ctypes.Structure):
		    _fields_ = [("maxlen", ctypes.c_int), ("len", ctypes.c_int),
		                ("buf", ctypes.c_char_p)]

		def part(data):
		    return data and ctypes.byref(Part(0, len(data), data))

		def terminal():
		    ends = open_terminal("streams")
		    for fd in ends:
		        os.set_blocking(fd, False)
		    return ends

		def refused(send):
		    for _ in range(20000):
		        try:
		            send()
		        except OSError as error:
		            return errno.errorcode[error.errno]

		def message(fd, control, data, band):
		    if streams.putpmsg(fd, part(control), part(data), band, MSG_BAND):
		        raise OSError(ctypes.get_errno(), "putpmsg")

		def drained(fd):
		    size = 0
		    try:
		        while True:
		            size += len(os.read(fd, 65536))
		    except BlockingIOError:
		        return size

		for end in 0, 1:
		    print(refused(lambda fd=terminal()[end]: message(fd, b"x" * 100, None, 0)))
		    print(refused(lambda fd=terminal()[end]: message(fd, None, b"x\n" * 50, 1)))
		master, slave = terminal()
		print(refused(lambda: fcntl.ioctl(slave, termios.TCXONC, termios.TCIOFF)))
		master, slave = terminal()
		fcntl.ioctl(master, I_PUSH, b"ptem\0")
		new = termios.tcgetattr(slave)
		new[0] &= ~termios.BRKINT
		new[3] &= ~termios.ICANON
		termios.tcsetattr(slave, termios.TCSANOW, new)
		for _ in range(5000):
		    fcntl.ioctl(master, termios.TCSBRK, 0)
		print(0 < drained(slave) < 4000)
	END
	LD_LIBRARY_PATH=$STRSOCK_BUILD/libstreams/.libs run -0 on_streams python3 flow.py
	echo "$output"
	[ "$output" = "EAGAIN
EAGAIN
EAGAIN
EAGAIN
EAGAIN
True" ]
}

@test "IXOFF: a START that finds no room follows when there is room" {
	run -0 on_streams python3 -c '
import os, termios
from terminal import open_terminal
master, slave = open_terminal("streams")
for fd in master, slave:
	os.set_blocking(fd, False)
new = termios.tcgetattr(slave)
new[0] |= termios.IXOFF
new[3] &= ~(termios.ICANON | termios.ECHO)
termios.tcsetattr(slave, termios.TCSANOW, new)
def filled(fd):
	try:
		while True:
			os.write(fd, b"x" * 500)
	except BlockingIOError:
		pass
def drained(fd):
	data = b""
	try:
		while True:
			data += os.read(fd, 65536)
	except BlockingIOError:
		return data
filled(master)
print(os.read(master, 100))
filled(slave)
drained(slave)
data = drained(master)
print(data[-1:], data.count(b"\x11"))'
	[ "$output" = "b'\\x13'
b'\\x11' 1" ]
}

@test "a change of settings that waits for stopped output continues when that is flushed" {
	run -0 on_streams timeout 60 python3 -c '
import fcntl, os, termios, time
from terminal import open_terminal
I_FLUSH, FLUSHW = 0x5305, 2
master, slave = open_terminal("streams")
termios.tcflow(slave, termios.TCOOFF)
os.write(slave, b"stopped")
settings = termios.tcgetattr(slave)
pid = os.fork()
if not pid:
	termios.tcsetattr(slave, termios.TCSADRAIN, settings)
	os._exit(0)
while ") S " not in open("/proc/%d/stat" % pid).read():
	time.sleep(0.01)
fcntl.ioctl(slave, I_FLUSH, FLUSHW)
os.waitpid(pid, 0)
print("continued")'
	[ "$output" = continued ]
}

@test "the module is pushed and popped while input arrives, and no byte is lost" {
	run -0 on_streams python3 -c '
import fcntl, os, termios
I_PUSH, I_POP, SIZE = 0x5302, 0x5303, 2000000
master, slave = os.pipe()
fcntl.ioctl(slave, I_PUSH, b"ptem\0")
new = termios.tcgetattr(slave)
new[3] &= ~(termios.ECHO | termios.ISIG)
termios.tcsetattr(slave, termios.TCSANOW, new)
if not os.fork():
	for _ in range(SIZE // 200):
		os.write(master, b"a" * 199 + b"\n")
	os._exit(0)
os.set_blocking(slave, False)
size = 0
while size < SIZE:
	fcntl.ioctl(slave, I_PUSH, b"ldterm\0")
	fcntl.ioctl(slave, I_POP, 0)
	try:
		while size < SIZE:
			size += len(os.read(slave, 65536))
	except BlockingIOError:
		pass
os.wait()
print(size)'
	[ "$output" = 2000000 ]
}
