#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The right that each command of a stream needs, as the table in
# kmod/streams/head/rights.h has it: for each kind of descriptor, in each mode, as it
# was opened, inherited, received over a pipe, or opened again by /proc/self/fd.

load common
load streams

setup() {
	require_modules pipe
	require_nullmod
	require_loaded strecho
	cd "$BATS_TEST_TMPDIR"
}

@test "a descriptor of an unnamed pipe gives the rights of its mode, and may change the stream" {
	helper rights unnamed
}

@test "a descriptor opened by a stream's name may change the stream if it reads and writes" {
	helper rights named
}

@test "a driver's stream may be changed by its node, and by a name that is opened for both" {
	helper rights device
}

# bats test_tags=nouml,nodebug
@test "the rights are the same for ioctls of 32-bit programs" {
	[ "$HOSTTYPE" = x86_64 ] || skip "needs x86_64"
	not_on_uml "it runs no 32-bit programs"
	local case
	export RIGHTS_COMPAT=1
	for case in unnamed named device; do
		helper rights "$case"
	done
}

@test "a user who may only write to a FIFO cannot look at, drop or change the data of others" {
	helper rights writer
}

@test "a FIFO's writer cannot stop read() of others: control parts and passed files are dropped" {
	helper rights stopper
}

@test "the table has every command of stropts.h, and streamio(7) prints its rights" {
	cd "$STRSOCK_SRC"
	tried() { sed -nE 's/^\tCOMMAND\((I_[A-Z]+)\),/\1/p' tests/helpers/stream/rights.c | sort; }
	# The rights of all that need one
	rows() {
		awk '$1 == "case" && $2 ~ /^I_/ { name[n++] = substr($2, 1, length($2) - 1) }
			/return STR_MAY_/ {
				sub(/.*STR_MAY_/, ""); sub(/;/, "")
				while (n)
					print name[--n], $0
			}' kmod/streams/head/rights.h | sort
	}
	printed() {
		awk '/^\.Ss Rights/ { on = 1; n = split("ANY READ WRITE CHANGE FLUSH", right) }
			/^\.El/ { on = 0 }
			on && /^\.It/ { i++ }
			on && /^\.Dv (I_|FIONREAD)/ {
				for (f = 2; f <= NF; f++)
					if ($f ~ /^(I_[A-Z]+|FIONREAD)$/)
						print $f, right[i]
			}' man/man7/streamio.7 | sort
	}
	commands() { grep -oE '^#define I_[A-Z]+' include/stropts.h | sed 's/#define //' | sort; }
	diff <(commands) <(tried)
	[ "$(rows | wc -l)" -ge 18 ]
	diff <(printed | grep -v ' ANY$') <(rows)
	diff <(printed | cut -d' ' -f1 | grep -v FIONREAD) <(commands)
}
