#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only 32-bit programs on a 64-bit kernel: the
# ioctls of the stream head, of pipes, multiplexors, sad and the log, whose
# structures or numbers have other sizes there. Other tests of them are in
# transparent.bats. The debug kernel runs no 32-bit programs.
#
# bats file_tags=nodebug,nouml

load common
load streams

setup() {
	require_modules pipe
	[ "$HOSTTYPE" = x86_64 ] || skip "needs x86_64"
	not_on_uml "it runs no 32-bit programs"
	require_loaded nullmod strprobe strddi strmux strecho
}

@test "options of reading, writing, errors and of the close are set and read back; -1 is invalid" {
	helper compat options
}

@test "bands, marks, room and flushing; -1 is not a band" {
	helper compat queue
}

@test "I_SETSIG, I_GETSIG, I_ESETSIG, I_EGETSIG, of a group too" {
	helper compat signals
}

@test "I_PUSH, I_POP, I_LOOK, I_ANCHOR" {
	helper compat modules
}

@test "I_FDINSERT and putmsg, with their errors" {
	helper compat messages
}

@test "I_SENDFD, I_RECVFD, with their errors" {
	helper compat files
}

@test "I_LINK, I_PLINK, I_UNLINK, I_PUNLINK; MUXID_ALL" {
	require_root
	helper compat links
}

@test "SAD_SAP, SAD_GAP, SAD_VML" {
	require_root
	helper compat sad
}

@test "the log is asked for traces, and read" {
	require_root
	helper compat log
}

@test "a pipe is made" {
	helper compat pipe
}

@test "a pipe is spliced, teed, and filled from memory" {
	helper compat splice
}
