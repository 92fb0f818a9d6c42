#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Python's and Perl's pipes under strsock.
#
# STRSOCK_TEST_SCALE	part of the full sizes (0.1; 1: 10 MB, 200 children)
#
# Programs more than kernel: under the debug kernel they take an hour.
# bats file_tags=nodebug

load common

setup() {
	require_modules pipe
	export SCALE=${STRSOCK_TEST_SCALE:-0.1}
	cd "$BATS_TEST_TMPDIR" || return
}

same() {
	local sent
	sent=$(counter pipe_bytes_sent)
	same_natively_and_under_strsock "$@"
	[ "$(counter pipe_bytes_sent)" -gt "$sent" ]
}

# The script is standard input's here document, kept as a file.
script() {
	cat >script
}

@test "Python's subprocess: communicate both ways" {
	script <<-'P'
	import hashlib, os, subprocess
	size = int(10_000_000 * float(os.environ["SCALE"]))
	data = bytes(range(251)) * (size // 251)
	done = subprocess.run(["cat"], input=data, stdout=subprocess.PIPE)
	print(len(done.stdout), done.stdout == data, hashlib.sha256(done.stdout).hexdigest())
	p = subprocess.Popen(["sh", "-c", "cat; echo error >&2; exit 3"], stdin=subprocess.PIPE,
	                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
	out, err = p.communicate(data)
	print(out == data, err, p.returncode)
	try:
	    subprocess.run(["cat"], stdin=subprocess.PIPE, timeout=0.2)
	except subprocess.TimeoutExpired as e:
	    print("timeout")
	try:
	    subprocess.run(["/nonexistent"])
	except FileNotFoundError as e:
	    print(e)
	P
	same python3 script
}

@test "Python's subprocess: children at once, os.popen" {
	script <<-'P'
	import os, subprocess
	n = int(200 * float(os.environ["SCALE"]))
	children = [subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
	            for _ in range(n)]
	for i, p in enumerate(children):
	    p.stdin.write(b"child %d\n" % i)
	    p.stdin.close()
	print(n, sum(len(p.stdout.read()) for p in children), [p.wait() for p in children])
	with os.popen("seq 10000 | tail -n 3") as f:
	    print(f.read())
	p = os.popen("cat", "w")
	p.write("to a child\n")
	print(p.close())
	print(os.popen("exit 3").close())
	P
	same python3 script
}

@test "Python's multiprocessing: pool, queue, pipe" {
	script <<-'P'
	import multiprocessing as mp, os
	def square(x):
	    return x * x
	def echo(conn):
	    while (x := conn.recv()) is not None:
	        conn.send(x[::-1])
	def fill(q):
	    for i in range(100):
	        q.put("x" * i * 10)
	if __name__ == "__main__":
	    with mp.Pool(3) as pool:
	        print(sum(pool.map(square, range(500), 7)))
	    a, b = mp.Pipe()
	    p = mp.Process(target=echo, args=(b,))
	    p.start()
	    a.send("z" * 50000 + "a"); print(len(a.recv())); a.send(None); p.join(); print(p.exitcode)
	    r, w = mp.Pipe(duplex=False)
	    w.send_bytes(b"y" * 1000); print(len(r.recv_bytes()))
	    q = mp.Queue()
	    p = mp.Process(target=fill, args=(q,))
	    p.start()
	    print(sum(len(q.get()) for _ in range(100))); p.join()
	P
	same python3 script
}

@test "Python's asyncio: subprocess and pipes" {
	script <<-'P'
	import asyncio, os
	async def main():
	    p = await asyncio.create_subprocess_exec("sort", stdin=asyncio.subprocess.PIPE,
	                                             stdout=asyncio.subprocess.PIPE)
	    out, _ = await p.communicate(b"".join(b"%d\n" % i for i in range(3000)))
	    print(len(out), out[:20], p.returncode)
	    r, w = os.pipe()
	    reader = asyncio.StreamReader()
	    await asyncio.get_running_loop().connect_read_pipe(
	        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(r, "rb", 0))
	    transport, _ = await asyncio.get_running_loop().connect_write_pipe(
	        asyncio.Protocol, os.fdopen(w, "wb", 0))
	    transport.write(b"q" * 300000)
	    transport.close()
	    print(len(await reader.read()))
	asyncio.run(main())
	P
	same python3 script
}

@test "Perl's open of a command, backquotes, IPC::Open3" {
	command -v perl >/dev/null || skip "needs perl"
	script <<-'P'
	use strict; use warnings; use IPC::Open3; use Symbol "gensym"; $| = 1;
	open(my $in, "-|", "seq", "5000") or die; my $n = () = <$in>; close $in; print "$n $?\n";
	open($in, "seq 1000000 |") or die; print scalar <$in>; close $in; print "$?\n";
	open(my $out, "|-", "cat; exit 4") or die; print $out "to a child\n"; close $out;
	print $? >> 8, "\n";
	my @lines = `seq 300`; print scalar(@lines), "\n";
	if (open(my $kid, "-|") // die) { print "kid: ", <$kid>; close $kid }
	else { print "forked\n"; exit 0 }
	my $pid = open3(my $w, my $r, my $e = gensym, "sh", "-c", "cat; echo err >&2");
	print $w "three\n"; close $w; print <$r>, <$e>; waitpid $pid, 0; print "$?\n";
	pipe(my $pr, my $pw); print fileno($pw) - fileno($pr), " ", (-p $pr) ? 1 : 0, "\n";
	P
	same perl script
}
