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
	strsock --require --duplex --no-udp --no-tcp "$@"
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
I_PUSH, I_POP = 0x5302, 0x5303
master, slave = os.pipe()
for name in b"ptem", b"ldterm":
	fcntl.ioctl(slave, I_PUSH, name + b"\0")
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
I_PUSH, I_POP = 0x5302, 0x5303
master, slave = os.pipe()
for name in b"ptem", b"ldterm":
	fcntl.ioctl(slave, I_PUSH, name + b"\0")
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
import fcntl, os
I_PUSH = 0x5302
master, slave = os.pipe()
for name in b"ptem", b"ldterm":
	fcntl.ioctl(slave, I_PUSH, name + b"\0")
for _ in range(1000):
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
	print(0 < size < 300000)'
	echo "$output"
	[ "$output" = True ]
}

@test "wrong arguments are refused, and change nothing" {
	run -0 on_streams python3 -c '
import ctypes, fcntl, os, termios
I_PUSH = 0x5302
master, slave = os.pipe()
for name in b"ptem", b"ldterm":
	fcntl.ioctl(slave, I_PUSH, name + b"\0")
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
