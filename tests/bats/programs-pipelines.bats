#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Shells and filters of the distribution give the same results under strsock as
# natively.
#
# STRSOCK_TEST_TREE	what tar packs (/usr/share/doc; slow test: /usr/share)
#
# Programs more than kernel: under the debug kernel they take an hour.
# bats file_tags=nodebug,smp

load common

setup() {
	require_modules pipe
	cd "$BATS_TEST_TMPDIR" || return
}

# As same_natively_and_under_strsock, and bytes must have gone through pipes.
same() {
	local sent
	sent=$(counter pipe_bytes_sent)
	same_natively_and_under_strsock "$@"
	[ "$(counter pipe_bytes_sent)" -gt "$sent" ]
}

# 12 stages, in the words that all shells have
stages='seq 1 20000 | cat | tr 0-9 a-j | rev | sort -r | uniq | sed s/a/A/ |
	grep -v b | awk "{ print NR, \$1 }" | cut -c1-20 | tail -n 500 | cksum'

@test "tar c | gzip -1 | gunzip | tar t" {
	tree=${STRSOCK_TEST_TREE:-/usr/share/perl5}
	[ -d "$tree" ] || tree=/etc
	same bash -c "set -o pipefail; tar c '$tree' 2>/dev/null | gzip -1 | gunzip | tar t"
}

# bats test_tags=slow
@test "tar c /usr/share | gzip -1 | gunzip | tar t" {
	same bash -c 'set -o pipefail; tar c /usr/share 2>/dev/null | gzip -1 | gunzip | tar t'
}

@test "a pipeline of 12 stages in bash, dash and zsh" {
	for shell in bash dash zsh; do
		command -v "$shell" >/dev/null || continue
		same "$shell" -c "$stages"
	done
}

@test "busybox: its shell and its applets, with pipes as input and output" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$("$STRSOCK_SRC/tests/vm/busybox")" "$BATS_TEST_TMPDIR/bin/busybox"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	# A static busybox makes native pipes of its own; those around it are not.
	same bash -c 'seq 300 | busybox sh -c "while read x; do echo \$x; done" |
		busybox rev | busybox sort -r | busybox gzip | busybox zcat | cksum'
	strsock --require busybox true || return 0
	same busybox sh -c "$stages"
}

@test "process substitution, both ways" {
	same bash -c 'cat <(seq 1000) <(echo b); diff <(seq 10) <(seq 2 11)
		seq 5000 | tee >(cksum >sum) | tail -n 1; until [ -s sum ]; do sleep 0.01; done
		cat sum; rm sum'
}

@test "process substitution in zsh" {
	needs zsh
	same zsh -fc 'cat <(seq 1000) <(echo b); diff <(seq 10) <(seq 2 11); true'
}

@test "command substitution, here documents, read, mapfile, coproc" {
	same bash -c 'x=$(seq 20000); echo ${#x}; cat <<<"$x" | cksum
		seq 100 | while read -r i; do echo -n "$i "; done
		mapfile -t a < <(seq 50); echo ${#a[@]}
		coproc cat; echo hello >&"${COPROC[1]}"; read -r line <&"${COPROC[0]}"; echo "$line"'
}

@test "PIPESTATUS: a closed pipe is SIGPIPE to its writer" {
	same bash -c 'yes | head -n 1; echo "${PIPESTATUS[@]}"
		trap "" PIPE; yes 2>&1 | head -n 1; echo "${PIPESTATUS[@]}"'
	same bash -c 'seq 1000000 | head -c 10 | wc -c; echo "${PIPESTATUS[@]}"'
}

@test "git log | head -1" {
	needs git
	export HOME=$BATS_TEST_TMPDIR GIT_CONFIG_NOSYSTEM=1
	git init -q repository
	# Enough that git still writes when head is gone
	seq 800 | awk '{
		print "commit refs/heads/main"
		print "committer T <t@example.com> " $1 " +0000"
		printf "data 200\n%0200d\n", $1
	}' | git -C repository fast-import --quiet
	same bash -c 'git --no-pager -C repository log main | head -n 1; echo "${PIPESTATUS[@]}"'
}

@test "xargs -P4" {
	same bash -c 'seq 60 | xargs -P4 -n5 echo | sort; seq 8 | xargs -P4 -I{} sh -c "echo {} | rev" | sort'
}

@test "make -j4 with its jobserver, and a make below it" {
	needs make
	mkdir tree
	cat >tree/Makefile <<-'M'
	parts = $(addprefix part,$(shell seq 1 12))
	all: $(parts) below
		@cat part*.txt | sort | cksum; echo $(filter -j%,$(MAKEFLAGS))
	part%:
		@seq $* 500 | sort -r >$@.txt
	below:
		@+$(MAKE) --no-print-directory -f below.mk
	.PHONY: all below $(parts)
	M
	cat >tree/below.mk <<-'M'
	sub = $(addprefix sub,$(shell seq 1 8))
	all: $(sub)
		@cat sub*.txt | cksum
	sub%:
		@seq $* 300 | cat >$@.txt
	.PHONY: all $(sub)
	M
	same make -s -C tree -j4
}

@test "ssh-keygen and openssl as filters" {
	needs ssh-keygen openssl
	ssh-keygen -q -t ed25519 -N '' -C test -f key
	same bash -c 'cat key.pub | ssh-keygen -lf /dev/stdin
		seq 30000 | openssl dgst -sha256
		seq 30000 | openssl enc -aes-256-cbc -pbkdf2 -nosalt -k x | openssl enc -d -aes-256-cbc -pbkdf2 -nosalt -k x | cksum
		seq 30000 | openssl base64 | openssl base64 -d | cksum'
}

@test "a Go program with pipes as input and output" {
	# Its runtime polls what it can, and makes system calls of its own.
	needs age age-keygen
	age-keygen -o key 2>/dev/null
	same bash -c 'seq 30000 | age -e -i key | age -d -i key | cksum
		seq 30000 | age -d -i key 2>&1 | sed -n 1p; echo "${PIPESTATUS[@]}"'
}

@test "a Go program with non-blocking pipes, which its runtime polls" {
	needs age age-keygen
	age-keygen -o key 2>/dev/null
	cat >between <<-'P'
	import os, subprocess, sys
	in_read, in_write = os.pipe()
	out_read, out_write = os.pipe()
	os.set_blocking(in_read, False)
	os.set_blocking(out_write, False)
	program = subprocess.Popen(sys.argv[1:], stdin=in_read, stdout=out_write)
	os.close(in_read)
	os.close(out_write)
	feeder = os.fork()
	if feeder == 0:
	    os.close(out_read)
	    with os.fdopen(in_write, "wb") as pipe:
	        pipe.write(sys.stdin.buffer.read())
	    os._exit(0)
	os.close(in_write)
	with os.fdopen(out_read, "rb") as pipe:
	    sys.stdout.buffer.write(pipe.read())
	sys.exit(program.wait() or os.waitpid(feeder, 0)[1])
	P
	age -e -i key < <(seq 30000) >secret
	same bash -c "set -o pipefail; python3 between age -d -i key <secret | cksum"
	[ "$(cat "$BATS_TEST_TMPDIR/streams.out")" = "$(seq 30000 | cksum)" ]
}
