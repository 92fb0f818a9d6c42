#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Data written to a STREAMS pipe comes out unchanged, whatever the sizes of
# blocks.
#
# STRSOCK_TEST_BYTES	bytes for blocks of a page or more (1 GiB: 1073741824);
#			shorter blocks get fewer, as each takes a system call
#
# Programs more than kernel: under the debug kernel they take an hour.
# bats file_tags=nodebug,smp

load common
load streams

setup() {
	require_modules pipe
	bytes=${STRSOCK_TEST_BYTES:-33554432}
}

# intact WRITE READ [DIVISOR]: the checksum is that of the data, and all the
# data went through STREAMS.
intact() {
	local count=$((bytes / ${3:-1})) before
	before=$(counter pipe_bytes_received)
	[ "$(strsock --require pipe-integrity "$count" "$1" "$2" | sha256sum)" = \
		"$(pipe-integrity "$count" | sha256sum)" ]
	[ $(($(counter pipe_bytes_received) - before)) -ge "$count" ]
}

@test "blocks of 1 byte" {
	intact 1 1 256
	intact 1 65537 256
	intact 65537 1 256
}

@test "blocks of 7 bytes" {
	intact 7 7 64
	intact 7 4097 64
	intact 4096 7 64
}

@test "blocks of 4095, 4096 and 4097 bytes" {
	intact 4095 4095
	intact 4096 4096
	intact 4097 4097
	intact 4097 4095
}

@test "blocks of 65537 bytes" {
	intact 65537 65537
	intact 65537 4096
}

@test "blocks of mixed sizes" {
	intact 0 0
}
