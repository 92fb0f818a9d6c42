#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Streams with names: POSIX.1-2001 fattach() and fdetach(), fdetach(8). By root,
# by an owner without privileges through the helper, and in a user namespace.
#
# bats file_tags=longdebug

load common
load streams

setup() {
	require_modules pipe
	dir=$BATS_TEST_TMPDIR/d
	mkdir "$dir"
	cd "$dir"
	as_owner=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)
}

teardown() {
	leave_no_names
	# Later files of the machine test a system without the helper.
	[ -z "${at:-}" ] || rm -f "$at"
}

# The helper where the library looks for it, $at, as make install leaves it;
# only the machine is changed.
install_helper() {
	[ "$STRSOCK_IN_VM" = 1 ] || skip "installs a set-user-ID program: in the machine only"
	at=$(strname_helper)
	[ -n "$at" ]
	install -D -m 4755 "$STRSOCK_BUILD/tools/strname-helper" "$at"
	chmod a+rx "$BATS_TEST_TMPDIR" "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_SUITE_TMPDIR" \
		"$(dirname "$BATS_TEST_TMPDIR")" || true
	mount -t tmpfs -o mode=777 none "$dir"
	cd "$dir"
}

fattach() {
	helper fattach "$1"
}

# helper_says FD-ARGUMENTS...: its answer when an unprivileged user runs it
# with descriptors that are open: an error number of the kernel's.
helper_says() {
	"${as_owner[@]}" sh -c 'at=$1; shift; "$at" "$@" | od -An -td4 | tr -d " "' sh "$at" "$@"
}

# asleep NAME PID: that program is run there, and waits
asleep() {
	[[ $(<"/proc/$2/stat") == "$2 ($1) S "* ]]
}

as_owner() {
	run timeout 300 "${as_owner[@]}" "$HELPERS/fattach" "$1"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "the name has the file's owner, mode and times at first, then its own; the file keeps its" {
	fattach attributes
}

@test "opening the name opens the stream, and a descriptor keeps it after the name is detached" {
	fattach data
}

@test "detaching a name that is a stream's last reference closes the stream" {
	fattach last-close
}

@test "a stream has as many names as it is given" {
	fattach names
}

@test "the name is removed when the other end is closed" {
	fattach gone
}

@test "a name in use after its stream is gone: ENXIO, and another stream can be attached" {
	fattach gone-in-use
}

@test "a name used for long is retried less and less often, but removed when its last file is closed" {
	fattach gone-long
}

@test "a mount on top of a name is not mistaken for the name" {
	fattach on-top
}

@test "a mount made by another process during attaching or detaching stays, and no name is placed on it" {
	for case in covered named; do
		helper fattach-raced "$case"
		find . -mindepth 1 -delete
	done
	install_helper
	export STRNAME_HELPER=$at
	helper fattach-raced helper-attaches
	find . -mindepth 1 -delete
	helper fattach-raced helper-detaches
}

@test "fattach: EBADF EBUSY EINVAL ELOOP ENAMETOOLONG ENOENT ENOTDIR EFAULT; fdetach likewise" {
	fattach errors
}

@test "opened by name for reading only: no push, pop, command or flush of the data that others write" {
	require_nullmod
	helper name-reader reader
	helper name-reader unnamed
}

@test "a stream that is not a pipe: a device is opened by name, and closed with its last descriptor" {
	require_modules pipe udp
	require_nullmod
	fattach device
}

@test "a read-only descriptor of a device that makes a new stream at each open gives no more by name" {
	require_modules pipe udp
	fattach read-only
}

@test "the kernel's part refuses what fattach() would" {
	fattach kernel
}

@test "unmounting with the stream is requested once, and only for a name that is mounted there" {
	fattach armed
}

@test "unmounting is requested while other processes unmount the names" {
	fattach arming
	rm name
	# The kernel would not survive one that it unmounts twice.
	run timeout 300 unshare -Urm "$HELPERS/fattach" arming
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "an owner without privileges: by the helper" {
	install_helper
	for case in attributes data last-close names gone gone-in-use errors; do
		as_owner "$case"
		find . -mindepth 1 -delete
	done
}

@test "a user that owns the file but may not write: EACCES; another's file: EPERM; too many: EAGAIN" {
	install_helper
	local pid
	coproc holder { "$HELPERS/fattach" hold; }
	pid=$holder_PID
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
	wait "$pid"
	[ -f theirs ]
}

@test "without the helper an owner without privileges gets EPERM" {
	install_helper
	rm "$at"
	run -1 "${as_owner[@]}" "$HELPERS/fattach" data
	[[ $output == *"fattach(fds[1], NAME) is -1 (errno: Operation not permitted), not 0"* ]]
	# ... and where it is not set-user-ID
	install -m 755 "$STRSOCK_BUILD/tools/strname-helper" "$at"
	rm -f name
	run -1 "${as_owner[@]}" "$HELPERS/fattach" data
	[[ $output == *"(errno: Operation not permitted), not 0"* ]]
	[ -f name ]
}

@test "the helper refuses arguments that are not descriptors, and reports why it refuses others" {
	install_helper
	local usage='strname-helper: run by fattach(3) and fdetach(3), not by hand'
	local EPERM=1 EBUSY=16 EINVAL=22 EACCES=13
	for arguments in "" "attach 1 2" "attach 1 2 x" "attach 1 2 -1" "attach 1 2 77" \
		"attach 1 2 99999999999999999999" "attach 1 2 2x" "detach 1 2 2" \
		"detach 1" "other 1 2" "attach 1 2 2 2" "x attach 1 2"; do
		# shellcheck disable=SC2086
		run -2 "${as_owner[@]}" "$at" $arguments
		[ "$output" = "$usage" ]
	done
	touch foreign mine readonly
	chmod 666 foreign
	chmod 400 readonly
	chown 65534:65534 mine readonly
	mkfifo pipe
	chown 65534:65534 pipe
	strfifo named
	chmod 666 named
	exec 5<foreign 6<mine 7<readonly 8<>pipe 9</proc/self
	# Another's, whatever its mode; no descriptor of a stream
	[ "$(helper_says attach 1 5 8)" = "$EPERM" ]
	[ "$(helper_says attach 1 6 6)" = "$EINVAL" ]
	[ "$(helper_says attach 1 6 8)" = "$EINVAL" ]
	[ "$(helper_says attach 1 7 8)" = "$EACCES" ]
	# No plain file; a folder; a file in /proc
	[ "$(helper_says attach 1 8 8)" = "$EPERM" ]
	exec 8<"$dir" 5<>named
	chown 65534:65534 "$dir"
	[ "$(helper_says attach 1 8 6)" = "$EBUSY" ]
	mkdir "$dir/folder"
	chown 65534:65534 "$dir/folder"
	exec 8<"$dir/folder"
	[ "$(helper_says attach 1 8 6)" = "$EINVAL" ]
	[ "$(helper_says attach 1 9 6)" = "$EPERM" ]
	# No name; another's name, open or not
	[ "$(helper_says detach 1 6)" = "$EINVAL" ]
	[ "$(helper_says detach 1 5)" = "$EPERM" ]
	[ "$(helper_says attach 1 5 5)" = "$EBUSY" ]
	exec 5<&- 6<&- 7<&- 8<&- 9<&-
	[ -p named ]
	fdetach named
	[ -f named ]
	# Nothing was mounted but the folder itself.
	[ "$(grep -c strnamefs /proc/self/mounts)" = 0 ]
}

@test "a helper that is killed leaves no caller waiting, whichever process has its pipe" {
	install_helper
	printf '%s\n' '#!/bin/sh' 'sleep 1' 'kill -9 $$' >"$at"
	as_owner killed
}

@test "the helper prints its usage with its caller's rights" {
	install_helper
	mkfifo full
	exec 5<>full
	# No room: it waits in the middle of it.
	dd if=/dev/zero bs=4096 count=16 >&5
	"${as_owner[@]}" "$at" other 2>&5 3>&- &
	local pid=$!
	until_true asleep strname-helper "$pid"
	run -0 cat "/proc/$pid/status"
	kill "$pid"
	wait "$pid" || true
	exec 5<&-
	[[ $output == *$'Uid:\t65534\t65534\t65534\t65534'* ]]
	[[ $output == *$'Gid:\t65534\t65534\t65534\t65534'* ]]
	[[ $output == *$'CapPrm:\t0000000000000000'* ]]
	[[ $output == *$'CapEff:\t0000000000000000'* ]]
	[[ $output == *$'Name:\tstrname-helper'* ]]
}

@test "a descriptor for reading only, of another's pipe, makes no name for writing" {
	install_helper
	chmod 777 "$dir"
	fattach foreign-end
}

@test "in a user and mount namespace: by its root, without the helper" {
	chmod 777 "$dir"
	for case in attributes data last-close names gone gone-in-use errors armed; do
		run timeout 300 unshare -Urm "$HELPERS/fattach" "$case"
		echo "$output"
		[ "$status" -eq 0 ]
		find . -mindepth 1 -delete
	done
}

@test "a name is seen in mount namespaces made later, and detached there too" {
	touch name
	run -0 strfifo fifo
	run -0 timeout 300 unshare -m sh -c 'test -p fifo && (echo through >fifo & cat fifo)'
	[ "$output" = through ]
	run -0 fdetach fifo
	[ -f fifo ]
}

@test "four threads attach, open, detach and close on one file" {
	fattach churning
}

@test "of four threads that attach at once one has the name, and fdetach() uncovers the file" {
	fattach rush
}

@test "fdetach(8): its messages and exit status" {
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
