#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Streams with names: POSIX.1-2001 fattach() and fdetach(), fdetach(8). By root,
# by an owner without privileges through the helper, and in a user namespace.

setup() {
	load common
	load streams
	require_modules pipe
	dir=$BATS_TEST_TMPDIR/d
	mkdir "$dir"
	cd "$dir"
	as_owner=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
}

teardown() {
	umount -l "$dir"/* 2>/dev/null || true
}

# The helper where the library looks for it, as make install leaves it; only
# the machine is changed.
install_helper() {
	local at
	[ "$STRSOCK_IN_VM" = 1 ] || skip "installs a set-user-ID program: in the machine only"
	at=$(grep -ao '/[[:print:]]*/strname-helper' "$STRSOCK_BUILD/libstreams/.libs/libstreams.so")
	install -D -m 4755 "$STRSOCK_BUILD/tools/strname-helper" "$at"
	chmod a+rx "$BATS_TEST_TMPDIR" "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_SUITE_TMPDIR" \
		"$(dirname "$BATS_TEST_TMPDIR")" || true
	mount -t tmpfs -o mode=777 none "$dir"
	cd "$dir"
}

fattach() {
	helper fattach "$1"
}

as_owner() {
	run timeout 300 "${as_owner[@]}" "$HELPERS/fattach" "$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "the name has the file's owner, mode and times at first, then its own; the file keeps its" {
	fattach attributes
}

@test "what is opened by the name is the stream, also after it was detached" {
	fattach data
}

@test "detaching the last there is of a stream closes it" {
	fattach last-close
}

@test "a stream has as many names as it is given" {
	fattach names
}

@test "the name goes when the other end is closed" {
	fattach gone
}

@test "a name in use whose stream is gone: ENXIO, and another stream can be attached" {
	fattach gone-in-use
}

@test "fattach: EBADF EBUSY EINVAL ELOOP ENAMETOOLONG ENOENT ENOTDIR EFAULT; fdetach likewise" {
	fattach errors
}

@test "a stream that is no pipe: a device is opened by name, and closed with the last" {
	require_modules pipe udp
	require_nullmod
	fattach device
}

@test "the kernel's part refuses what fattach() would" {
	fattach kernel
}

@test "an owner without privileges: by the helper" {
	install_helper
	for case in attributes data last-close names gone gone-in-use errors; do
		as_owner "$case"
		find . -mindepth 1 -delete
	done
}

@test "who owns the file but may not write: EACCES; another's: EPERM; too many: EAGAIN" {
	install_helper
	coproc holder { "$HELPERS/fattach" hold; }
	read -r -u "${holder[0]}" ready
	[ "$ready" = ready ]
	touch foreign readonly
	chmod 666 foreign
	chmod 444 readonly
	chown 65534:65534 readonly
	mkdir -m 700 closed
	touch closed/file
	as_owner rights
	eval "exec ${holder[1]}>&-"
	wait "$holder_PID"
	[ -f theirs ]
}

@test "without the helper an owner without privileges gets EPERM" {
	install_helper
	rm "$at" 2>/dev/null || rm -f "$(grep -ao '/[[:print:]]*/strname-helper' "$STRSOCK_BUILD/libstreams/.libs/libstreams.so")"
	run "${as_owner[@]}" "$HELPERS/fattach" data
	[ "$status" -eq 1 ]
	[[ $output == *"Operation not permitted"* ]]
}

@test "the helper refuses arguments that are no descriptors, and files not the caller's" {
	install_helper
	at=$(grep -ao '/[[:print:]]*/strname-helper' "$STRSOCK_BUILD/libstreams/.libs/libstreams.so")
	touch foreign
	chmod 666 foreign
	run -2 "${as_owner[@]}" "$at"
	run -2 "${as_owner[@]}" "$at" attach 1 2 x
	run -2 "${as_owner[@]}" "$at" attach 1 2 -1
	run -2 "${as_owner[@]}" "$at" attach 1 2 77
	run -2 "${as_owner[@]}" "$at" other 1 2
	run -1 "${as_owner[@]}" sh -c "exec 5<foreign; '$at' attach 1 5 5 >/dev/null"
	run -1 "${as_owner[@]}" sh -c "exec 5<foreign; '$at' detach 1 5 >/dev/null"
	run -1 "${as_owner[@]}" sh -c "exec 5</proc/self; '$at' attach 1 5 5 >/dev/null"
}

@test "in a user and mount namespace: by its root, without the helper" {
	chmod 777 "$dir"
	for case in attributes data last-close names errors; do
		run timeout 300 unshare -Urm "$HELPERS/fattach" "$case"
		echo "$output"
		[ "$status" -eq 0 ]
		find . -mindepth 1 -delete
	done
}

@test "a name is seen in mount namespaces made later, and detached there too" {
	touch name
	run -0 strfifo fifo
	run -0 unshare -m sh -c 'test -p fifo && (echo through >fifo & cat fifo)'
	[ "$output" = through ]
	run -0 fdetach fifo
	[ -f fifo ]
}

@test "four threads attach, open, detach and close on one file" {
	fattach churning
}

@test "fdetach(8) says what to do, and its status" {
	run -0 fdetach --help
	[[ $output == Usage:* ]]
	run -2 fdetach
	run -2 fdetach -x
	touch file
	run -1 fdetach file none
	[[ $output == *"file: no stream is attached to it"* ]]
	[[ $output == *"none: No such file or directory"* ]]
	strfifo fifo
	[ -p fifo ]
	run -0 fdetach -- fifo
	[ -f fifo ]
}
